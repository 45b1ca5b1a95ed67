// Runs agent hosts and libraries against `techne mcp` and a model stand-in, and prints a row for each. By hand:
//
//   npm install --prefix FOLDER @anthropic-ai/claude-code @openai/codex …    (one folder for each package works, too)
//   node scripts/build.mjs && node scripts/hosts.mjs FOLDER [NAME …]
//
// Each host gets a home and a project of its own, the configuration that `techne mcp install` writes or the plugin that it installs,
// and a prompt. A package is first shown to the validator of its host, where it has one. The stand-in
// searches, loads and runs a skill that asks a question of 36,000 characters, and answers it. A row says what was seen: the tools,
// whether the question reached the model whole, and whether the run ended.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageTargets } from './hosts/packages.mjs';
import { marker, startStandIn } from './hosts/stand-in.mjs';

const bin = fileURLToPath(new URL('../bin/techne.mjs', import.meta.url));
const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/hosts.mjs FOLDER [NAME …]');
  process.exit(2);
}
const skill = 'long-ask';
const prompt = `Run the skill ${skill}.`;
const limitMs = 120_000;

/** Of a package anywhere below the folder. */
function packageFolder(name) {
  for (const place of [
    resolve(folder),
    ...readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map(({ name: one }) => join(resolve(folder), one)),
  ]) {
    const found = join(place, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
  }
  return null;
}
const program = (name, command) =>
  join(dirname(packageFolder(name)), name.startsWith('@') ? '..' : '.', '.bin', command);
const library = (name, text) => (place) => {
  const file = join(
    dirname(packageFolder(name)),
    name.startsWith('@') ? '../..' : '..',
    `techne-host-${process.pid}.mjs`,
  );
  writeFileSync(file, text);
  return { argv: [process.execPath, file, join(place.work, '.mcp.json')], cleanUp: () => rmSync(file) };
};

const direct = `
const text = (value) => typeof value === 'string' ? value : JSON.stringify(value);
export async function drive(call) {
  const seen = [];
  for (const [name, args] of [['skill_search', { query: '${skill}' }], ['skill_load', { name: '${skill}' }], ['run_metaskill', { name: '${skill}', input: {} }]]) seen.push(text(await call(name, args)));
  const question = seen[2];
  const run = /\\b01[0-9A-HJKMNP-TV-Z]{24}\\b/.exec(question)[0];
  const last = text(await call('run_answer', { run, answer: 'seen ' + new Set(question.match(/Line \\d{4}/g)).size + ' lines' }));
  console.log('HOST ' + JSON.stringify({ units: question.length, markers: question.split('${marker}').length - 1, lines: new Set(question.match(/Line \\d{4}/g)).size, done: last.includes('completed') }));
}
`;

const configured = {
  'claude-code': {
    of: '@anthropic-ai/claude-code',
    install: 'claude-code',
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-stand-in',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    start: () => ({
      argv: [
        program('@anthropic-ai/claude-code', 'claude'),
        '-p',
        prompt,
        '--mcp-config',
        '.mcp.json',
        '--allowedTools',
        'mcp__techne',
      ],
    }),
  },
  codex: {
    of: '@openai/codex',
    install: 'codex',
    env: () => ({ STAND_IN_KEY: 'x' }),
    start: (place, url) => ({
      argv: [
        program('@openai/codex', 'codex'),
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        '-c',
        'model_provider="standin"',
        '-c',
        `model_providers.standin={name="standin",base_url="${url}/v1",wire_api="responses",env_key="STAND_IN_KEY"}`,
        '-m',
        'gpt-5.1-codex',
        prompt,
      ],
    }),
  },
  'gemini-cli': {
    of: '@google/gemini-cli',
    install: 'gemini',
    before: ({ home }) =>
      write(join(home, '.gemini/settings.json'), { security: { auth: { selectedType: 'gemini-api-key' } } }),
    env: (url) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    start: () => ({
      argv: [program('@google/gemini-cli', 'gemini'), '-p', prompt, '--yolo', '-m', 'gemini-2.5-pro'],
    }),
  },
  opencode: {
    of: 'opencode-ai',
    install: 'opencode',
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    before: ({ home }, url) =>
      write(join(home, '.config/opencode/opencode.json'), {
        provider: {
          standin: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'x' },
            models: { m: { name: 'm', tool_call: true, limit: { context: 200_000, output: 8_000 } } },
          },
        },
      }),
    start: () => ({ argv: [program('opencode-ai', 'opencode'), 'run', '-m', 'standin/m', prompt] }),
  },
  copilot: {
    of: '@github/copilot',
    install: 'copilot',
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'stand-in',
      COPILOT_OFFLINE: 'true',
    }),
    start: () => ({ argv: [program('@github/copilot', 'copilot'), '-p', prompt, '--allow-all-tools'] }),
  },
  cline: {
    of: 'cline',
    install: 'cline',
    env: () => ({}),
    before: (place, url) =>
      spawnSync(
        program('cline', 'cline'),
        ['auth', 'openai', '-k', 'x', '-m', 'stand-in', '-b', `${url}/v1`],
        { env: environment(place, {}), cwd: place.work, timeout: 60_000 },
      ),
    start: () => ({ argv: [program('cline', 'cline'), '--json', '-P', 'openai', '-m', 'stand-in', prompt] }),
  },
  'qwen-code': {
    of: '@qwen-code/qwen-code',
    install: 'qwen',
    env: (url) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'stand-in' }),
    start: () => ({
      argv: [program('@qwen-code/qwen-code', 'qwen'), '-p', prompt, '--yolo', '--auth-type', 'openai'],
    }),
  },
  '@langchain/mcp-adapters': {
    of: '@langchain/mcp-adapters',
    install: 'claude-code',
    env: () => ({}),
    start: library(
      '@langchain/mcp-adapters',
      `${direct.replace('export ', '')}
import { readFileSync } from 'node:fs';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
const { mcpServers: { techne: { command, args } } } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = new MultiServerMCPClient({ mcpServers: { techne: { transport: 'stdio', command, args, env: process.env } } });
const tools = await client.getTools();
console.log('TOOLS ' + tools.map(({ name }) => name).join(' '));
await drive((name, args) => tools.find((one) => one.name.endsWith(name)).invoke(args));
await client.close();`,
    ),
  },
  mastra: {
    of: '@mastra/mcp',
    install: 'claude-code',
    env: () => ({}),
    start: library(
      '@mastra/mcp',
      `${direct.replace('export ', '')}
import { readFileSync } from 'node:fs';
import { MCPClient } from '@mastra/mcp';
const { mcpServers: { techne: { command, args } } } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = new MCPClient({ servers: { techne: { command, args, env: process.env } } });
const tools = await (client.listTools ?? client.getTools).call(client);
console.log('TOOLS ' + Object.keys(tools).join(' '));
await drive((name, args) => Object.entries(tools).find(([one]) => one.endsWith(name))[1].execute({ context: args, ...args }, {}));
await client.disconnect();
process.exit(0);`,
    ),
  },
  '@ai-sdk/mcp': {
    of: '@ai-sdk/mcp',
    install: 'claude-code',
    env: () => ({}),
    start: library(
      '@ai-sdk/mcp',
      `${direct.replace('export ', '')}
import { readFileSync } from 'node:fs';
import { createMCPClient, experimental_createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
const { mcpServers: { techne: { command, args } } } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = await (createMCPClient ?? experimental_createMCPClient)({ transport: new Experimental_StdioMCPTransport({ command, args, env: process.env }) });
const tools = await client.tools();
console.log('TOOLS ' + Object.keys(tools).join(' '));
await drive(async (name, args) => {
  const output = await tools[name].execute(args, { toolCallId: '1', messages: [] });
  return tools[name].toModelOutput === undefined ? output : tools[name].toModelOutput({ output, input: args, toolCallId: '1' });
});
await client.close();
process.exit(0);`,
    ),
  },
  '@openai/agents': {
    of: '@openai/agents',
    install: 'claude-code',
    env: (url) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_AGENTS_DISABLE_TRACING: '1' }),
    start: library(
      '@openai/agents',
      `
import { readFileSync } from 'node:fs';
import { Agent, MCPServerStdio, run } from '@openai/agents';
const { mcpServers: { techne: { command, args } } } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const server = new MCPServerStdio({ name: 'techne', command, args, env: process.env });
await server.connect();
const { finalOutput } = await run(new Agent({ name: 'a', instructions: 'x', model: 'stand-in', mcpServers: [server] }), '${prompt}');
console.log(finalOutput);
await server.close();
process.exit(0);`,
    ),
  },
};

const targets = { ...configured, ...packageTargets(configured, { program, prompt }) };

function write(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
}

const environment = ({ home, shims }, more) => ({
  PATH: `${shims}:${process.env.PATH}`,
  HOME: home,
  TERM: 'dumb',
  CI: '1',
  NO_COLOR: '1',
  ...more,
});

function makePlace() {
  const top = mkdtempSync(join(tmpdir(), 'techne-host-'));
  const place = { top, home: join(top, 'home'), work: join(top, 'work'), shims: join(top, 'bin') };
  write(join(place.shims, 'techne'), `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`);
  spawnSync('chmod', ['755', join(place.shims, 'techne')]);
  write(join(place.home, '.techne/config.json'), {
    roots: { builtin: false },
    trust: { folders: [place.work] },
  });
  write(
    join(place.work, `.techne/skills/${skill}/SKILL.md`),
    `---\nname: ${skill}\ndescription: Asks one long question. Use to test hosts.\nmetaskill: SKILL.star\n---\n\nRun it with an empty input.\n`,
  );
  write(
    join(place.work, `.techne/skills/${skill}/SKILL.star`),
    `def run(input):\n    lines = ["Line %s: what is asked here has to be read to its end." % ("000" + str(i + 1))[-4:] for i in range(600)]\n    text = "\\n".join(lines)\n    prompt = text + "\\n" + "x" * (36000 - len(text) - ${marker.length + 1}) + "${marker}"\n    return {"answer": ask(prompt)["answer"]}\n`,
  );
  spawnSync('git', ['init', '-q'], { cwd: place.work });
  return place;
}

function inPlace(place, [command, ...argv]) {
  return spawnSync(command, argv, {
    cwd: place.work,
    env: environment(place, {}),
    encoding: 'utf8',
    timeout: limitMs,
  });
}

/** With the validators of the host; null if it has nothing against the package. */
function validate(place, techne, target) {
  const packaged = join(place.top, 'package');
  const made = techne('mcp', 'package', packaged);
  if (made.status !== 0) return made.stderr;
  for (const argv of target.validate(packaged)) {
    const { status, stdout, stderr } = inPlace(place, argv);
    if (status !== 0) return stdout + stderr;
  }
  return null;
}

async function run(name) {
  const target = targets[name];
  const found = packageFolder(target.of);
  if (found === null) return { name, version: null, result: 'not installed' };
  const { version } = JSON.parse(readFileSync(join(found, 'package.json'), 'utf8'));
  const place = makePlace();
  const standIn = await startStandIn(skill);
  let cleanUp = () => {};
  const techne = (...argv) => inPlace(place, [join(place.shims, 'techne'), ...argv]);
  try {
    target.before?.(place, standIn.url);
    for (const [command, find] of Object.entries(target.programs ?? {}))
      symlinkSync(find(), join(place.shims, command));
    const refused = target.plugin === true ? validate(place, techne, target) : null;
    if (refused !== null) return { name, version, result: `the package is refused: ${refused}` };
    const installed = techne(
      'mcp',
      'install',
      target.install,
      ...(target.plugin === true ? ['--plugin'] : []),
      '--write',
    );
    if (installed.status !== 0)
      return { name, version, result: `mcp install failed: ${installed.stdout}${installed.stderr}` };
    const started = target.start(place, standIn.url);
    cleanUp = started.cleanUp ?? cleanUp;
    const { code, output } = await finish(started.argv, place, environment(place, target.env(standIn.url)));
    const told = /^HOST (.*)$/m.exec(output);
    const { seen } = standIn;
    const question = told === null ? seen.question : JSON.parse(told[1]);
    const tools = /^TOOLS (.*)$/m.exec(output)?.[1].split(' ') ?? seen.tools;
    const list = techne('runs', 'list', '--json');
    const ended = /"status":\s*"completed"/.test(list.stdout);
    const whole = question !== null && question.lines === 600 && question.markers > 0;
    return {
      name,
      version,
      tools: tools.length,
      question:
        question === null
          ? 'not seen'
          : `${whole ? (question.pages > 1 ? `whole, in ${question.pages} pages` : 'whole') : `cut (${question.lines} of 600 lines)`}${question.markers > 1 ? `, ${question.markers} times` : ''}, ${question.units} characters`,
      result: ended ? 'completed' : `not completed (exit ${code})`,
      detail: ended ? null : { paths: [...seen.paths], errors: seen.errors, output: output.slice(-1500) },
    };
  } finally {
    cleanUp();
    await standIn.close();
    rmSync(place.top, { recursive: true, force: true });
  }
}

function finish([command, ...argv], { work }, env) {
  return new Promise((settle) => {
    const child = spawn(command, argv, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const stop = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        /* it has ended */
      }
    };
    const timer = setTimeout(() => {
      output += '\n(stopped after the time limit)';
      stop();
    }, limitMs);
    child.on('error', (error) => settle({ code: -1, output: String(error) }));
    child.on('close', (code) => {
      clearTimeout(timer);
      stop();
      settle({ code, output });
    });
  });
}

for (const name of wanted.length === 0 ? Object.keys(targets) : wanted) {
  if (targets[name] === undefined) {
    console.error(`there is no host "${name}": ${Object.keys(targets).join(', ')}`);
    process.exit(2);
  }
  console.log(JSON.stringify(await run(name)));
}
