// The extension of VS Code: its manifest, its package, and the bundle with a stub of the module "vscode" and a real `techne lsp`.
//
// There is no VS Code here: what only its test host shows (menus, colours, trust prompts) is not tested.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from './support/run-cli.ts';
import type { World } from './support/run-cli.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const source = join(project, 'editors/vscode');
const bin = join(project, 'bin/techne.mjs');
const text = (path: string): string => readFileSync(join(source, path), 'utf8');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly main: string;
  readonly engines: { readonly vscode: string };
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
    readonly configuration: {
      readonly properties: {
        readonly [key: string]: {
          readonly default: unknown;
          readonly description?: string;
          readonly markdownDescription?: string;
        };
      };
    };
    readonly snippets: readonly { readonly path: string }[];
    readonly grammars: readonly { readonly path: string }[];
    readonly languages: readonly { readonly configuration: string }[];
  };
}
const manifest = JSON.parse(text('package.json')) as Manifest;

let out: string;
let vsix: string;

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'techne-vscode-'));
  const { buildExtension } = (await import('../scripts/build-vscode.mjs' as string)) as {
    readonly buildExtension: (out: string) => Promise<string>;
  };
  vsix = await buildExtension(out);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

describe('the manifest', () => {
  it('names what is there, has the version of techne, and describes every setting', () => {
    const { contributes, version, main } = manifest;
    expect(version).toBe(
      (JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest).version,
    );
    expect(main).toBe('./dist/extension.js');
    const named = [
      ...contributes.snippets.map(({ path }) => path),
      ...contributes.grammars.map(({ path }) => path),
      ...contributes.languages.map(({ configuration }) => configuration),
    ];
    for (const path of named) expect(typeof JSON.parse(text(path))).toBe('object');
    const readme = text('README.md');
    for (const [key, { description, markdownDescription }] of Object.entries(
      contributes.configuration.properties,
    ))
      expect([
        key,
        (description ?? markdownDescription ?? '').length > 10,
        readme.includes(`\`${key}\``),
      ]).toEqual([key, true, true]);
  });

  it('keeps settings that name programs, and commands that run skills, for trusted workspaces', () => {
    const { capabilities, contributes } = manifest;
    expect(capabilities.untrustedWorkspaces.supported).toBe('limited');
    expect(capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
      'techne.path',
      'techne.args',
      'techne.env',
    ]);
    const running = contributes.commands.filter(({ command }) => command.startsWith('techne.run'));
    expect(running.map(({ enablement }) => enablement)).toEqual(['isWorkspaceTrusted', 'isWorkspaceTrusted']);
  });

  it('has the API of the version of VS Code that it asks for', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      readonly devDependencies: { readonly [name: string]: string };
    };
    expect(manifest.engines.vscode).toBe(`^${devDependencies['@types/vscode']}`);
    const client = JSON.parse(
      readFileSync(join(project, 'node_modules/vscode-languageclient/package.json'), 'utf8'),
    ) as Manifest;
    expect(manifest.engines.vscode).toBe(client.engines.vscode);
  });

  it('has patterns for colours that are regular expressions', () => {
    const patterns: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value))
        if (['match', 'begin', 'end'].includes(key) && typeof inner === 'string') patterns.push(inner);
        else walk(inner);
    };
    for (const { path } of manifest.contributes.grammars) walk(JSON.parse(text(path)));
    expect(patterns.length).toBeGreaterThan(15);
    for (const pattern of patterns) expect(() => new RegExp(pattern)).not.toThrow();
  });
});

describe('the snippets', () => {
  interface Snippet {
    readonly prefix: string | readonly string[];
    readonly body: readonly string[];
    readonly description: string;
  }
  const snippetsOf = (name: string): readonly Snippet[] =>
    Object.values(JSON.parse(text(`snippets/${name}.json`)) as { readonly [name: string]: Snippet });
  /** With the texts that they suggest. */
  const filled = ({ body }: Snippet): string =>
    body
      .join('\n')
      .replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, (_, inner: string) => inner.replace(/\\(.)/g, '$1'))
      .replace(/\$\{?\d+\}?/g, '');

  it('of a SKILL.md and a program make skills without an error', async () => {
    const world = createWorld();
    const skills = snippetsOf('skill').filter(({ body }) => body[0] === '---');
    expect(skills.length).toBe(4);
    const program = filled(snippetsOf('starlark')[0] as Snippet);
    skills.forEach((snippet, index) => {
      const name = `my-skill-${index}`;
      world.write({
        [`work/skills/${name}/SKILL.md`]: `${filled(snippet).replace('name: my-skill', `name: ${name}`)}\n`,
        [`work/skills/${name}/SKILL.star`]: `${program}\n`,
        [`work/skills/${name}/assets/template.md`]: '# {{ inputs.path }}\n\n{{ source | truncate(2000) }}\n',
      });
    });
    const { out: printed } = await world.run(['check', 'skills', '--json']);
    const { skills: count, diagnostics } = JSON.parse(printed) as {
      readonly skills: number;
      readonly diagnostics: readonly {
        readonly severity: string;
        readonly code: string;
        readonly path: string;
      }[];
    };
    expect([count, diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([4, []]);
    world.remove();
  });

  it('have prefixes that nothing else has, and are in the README where they begin a file', () => {
    const prefixes = ['skill', 'starlark', 'tests'].flatMap((name) =>
      snippetsOf(name).flatMap(({ prefix }) => prefix),
    );
    expect(new Set(prefixes).size).toBe(prefixes.length);
    for (const name of [
      'skill',
      'skill-program',
      'skill-composition',
      'skill-workflow',
      'program',
      'skill-tests',
    ])
      expect([prefixes.includes(name), text('README.md').includes(`\`${name}\``)]).toEqual([true, true]);
  });
});

describe('the package', () => {
  it('holds what it should and nothing else, with a type for each file', () => {
    const files = unzipSync(readFileSync(vsix));
    expect(Object.keys(files).toSorted()).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/README.md',
      'extension/dist/THIRD-PARTY-NOTICES.md',
      'extension/dist/extension.js',
      'extension/language-configuration.json',
      'extension/package.json',
      'extension/snippets/skill.json',
      'extension/snippets/starlark.json',
      'extension/snippets/tests.json',
      'extension/syntaxes/starlark.json',
      'extension/syntaxes/template.json',
    ]);
    const read = (path: string): string => new TextDecoder().decode(files[path]);
    const types = [...read('[Content_Types].xml').matchAll(/Extension="(\w+)" ContentType="[\w/]+"/g)].map(
      ([, one]) => one,
    );
    const endings = Object.keys(files)
      .filter((path) => path !== '[Content_Types].xml')
      .map((path) => path.split('.').at(-1));
    expect([...new Set(endings)].filter((ending) => !types.includes(ending))).toEqual([]);
    const described = read('extension.vsixmanifest');
    expect(described).toContain(
      `<Identity Language="en-US" Id="techne" Version="${manifest.version}" Publisher="techne"/>`,
    );
    for (const [, path = ''] of described.matchAll(/ Path="([^"]+)"/g))
      expect(Object.keys(files)).toContain(path);
    expect(spawnSync('/usr/bin/python3', ['-c', xmlCheck, vsix], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(read('extension/dist/THIRD-PARTY-NOTICES.md')).toContain('## vscode-languageclient ');
    expect(statSync(vsix).size).toBeLessThan(600 * 1024);
  });

  it('is the same, whenever it is made', async () => {
    const { packVsix } = (await import('../scripts/pack-vsix.mjs' as string)) as {
      readonly packVsix: (manifest: unknown, files: ReadonlyMap<string, Uint8Array>) => Uint8Array;
    };
    const files = new Map([['package.json', new TextEncoder().encode('{}')]]);
    expect(packVsix(manifest, files)).toEqual(packVsix(manifest, new Map(files)));
    expect(() => packVsix(manifest, new Map([['x.exe', new Uint8Array()]]))).toThrow('have no type');
  });
});

/** Another reader of zips and of XML. */
const xmlCheck = `
import sys, zipfile, xml.dom.minidom as dom
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    for name in ('[Content_Types].xml', 'extension.vsixmanifest'): dom.parseString(z.read(name))
`;

// The sources of the extension are for a bundler and have their own tsconfig; these are the shapes of find-techne.ts.
interface Settings {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: object;
}
interface Surroundings {
  readonly trusted: boolean;
  readonly folders: readonly string[];
  readonly variables: object;
  readonly platform: string;
  readonly isFile: (path: string) => boolean;
}
type Found = { readonly command: string; readonly args: readonly string[] } | { readonly missing: string };

describe('findTechne', () => {
  let findTechne: (settings: Settings, around: Surroundings) => Found;
  beforeAll(async () => {
    ({ findTechne } = (await import(join(source, 'src/find-techne.ts'))) as {
      readonly findTechne: (settings: Settings, around: Surroundings) => Found;
    });
  });
  const around = (files: readonly string[], more: Partial<Surroundings> = {}): Surroundings => ({
    trusted: true,
    folders: ['/work'],
    variables: { PATH: '/usr/bin:relative:/opt/bin', HOME: '/home/a' },
    platform: 'linux',
    isFile: (path) => files.includes(path),
    ...more,
  });
  const none = { path: '', args: [], env: {} };
  const commandOf = (found: Found): string => ('missing' in found ? found.missing : found.command);

  it('takes the setting, else the workspace, else PATH', () => {
    const all = ['/work/node_modules/.bin/techne', '/opt/bin/techne', '/work/tools/techne', '/home/a/t'];
    expect(commandOf(findTechne(none, around(all)))).toBe('/work/node_modules/.bin/techne');
    expect(commandOf(findTechne({ ...none, path: 'tools/techne' }, around(all)))).toBe('/work/tools/techne');
    expect(commandOf(findTechne({ ...none, path: '~/t' }, around(all)))).toBe('/home/a/t');
    expect(commandOf(findTechne(none, around(all.slice(1))))).toBe('/opt/bin/techne');
    expect(commandOf(findTechne({ ...none, path: 'gone' }, around(all)))).toContain(
      '"techne.path" names "gone"',
    );
    expect(commandOf(findTechne(none, around([])))).toContain('was not found');
    expect(commandOf(findTechne(none, around(['relative/techne'])))).toContain('was not found');
  });

  it('takes nothing out of a workspace that is not trusted', () => {
    const files = ['/work/node_modules/.bin/techne', '/opt/bin/techne'];
    expect(commandOf(findTechne(none, around(files, { trusted: false })))).toBe('/opt/bin/techne');
    const relative = { ...none, path: 'node_modules/.bin/techne' };
    expect(commandOf(findTechne(relative, around(files, { trusted: false })))).toContain('is not there');
  });

  it('starts scripts with node, so that no shell is needed on Windows', () => {
    const found = findTechne(
      { ...none, path: '/x/techne.mjs', args: ['--root', 'a b'] },
      around(['/x/techne.mjs']),
    );
    expect(found).toEqual({ command: 'node', args: ['/x/techne.mjs', '--root', 'a b'], env: {} });
    const script = '/opt/bin/node_modules/techne/bin/techne.mjs';
    const windows = around(['/opt/bin/techne.cmd', script, '/usr/bin/node.exe'], {
      platform: 'win32',
      trusted: false,
    });
    expect(findTechne(none, windows)).toEqual({ command: '/usr/bin/node.exe', args: [script], env: {} });
  });

  it('names node whole on Windows, which would start one out of the folder that was opened', () => {
    const script = '/opt/bin/node_modules/techne/bin/techne.mjs';
    const windows = { platform: 'win32', trusted: false } as const;
    const hostile = around(['/opt/bin/techne.cmd', script, '/work/node.exe', 'relative/node.exe'], windows);
    expect(commandOf(findTechne(none, hostile))).toContain('node was not found on PATH');
    const beside = around(['/opt/bin/techne.cmd', script, '/opt/bin/node.exe', '/usr/bin/node.exe'], windows);
    expect(commandOf(findTechne(none, beside))).toBe('/opt/bin/node.exe');
    expect(commandOf(findTechne({ ...none, path: '/x/t.mjs' }, around(['/x/t.mjs'], windows)))).toContain(
      'node was not found on PATH',
    );
  });
});

interface Played {
  readonly messages: readonly {
    readonly kind: string;
    readonly text: string;
    readonly items: readonly string[];
  }[];
  readonly diagnostics: {
    readonly [path: string]: readonly { readonly code: string; readonly line: number }[];
  };
  readonly tasks: readonly {
    readonly name: string;
    readonly process: string;
    readonly args: readonly string[];
  }[];
  readonly shells: number;
  readonly log: readonly string[];
  readonly commands: readonly string[];
  readonly answers: { readonly [what: string]: unknown };
  readonly state: number | null;
}

describe('the extension', { timeout: 90_000 }, () => {
  let world: World;
  let skill: string;

  beforeEach(() => {
    world = createWorld({
      'work/skills/tides/SKILL.md': `${skillText('tides', 'Looks up tides. Use when a port is named.', 'metaskill: SKILL.star\nmetaskill_language: starlark\ntriggerz:\n  - a\n')}\nSee [it](gone.md).\n`,
      'work/skills/tides/tests/a.yaml': 'tests:\n  - name: a\n    input: {}\n',
      'work/skills/tides/SKILL.star': 'def run(input):\n    return {"answer": ask("x")["answer"]}\n',
    });
    skill = join(world.workspace, 'skills/tides/SKILL.md');
  });
  afterEach(() => world.remove());

  /** What a marker program would leave if anything started it. */
  function plant(path: string): string {
    const file = join(world.folder, path);
    world.write({ [path]: `#!/bin/sh\ntouch "${world.folder}/started"\n` });
    chmodSync(file, 0o755);
    return file;
  }

  async function play(scenario: object): Promise<Played> {
    const host = join(project, 'test/support/vscode-host.mjs');
    const child = spawn(
      process.execPath,
      [
        host,
        join(out, 'dist/extension.js'),
        JSON.stringify({ trusted: true, workspace: world.workspace, ...scenario }),
      ],
      { env: { PATH: process.env['PATH'], HOME: world.home }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const [printed, faults]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => faults.push(chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, Buffer.concat(faults).toString()]).toEqual([0, '']);
    return JSON.parse(Buffer.concat(printed).toString()) as Played;
  }

  it('talks with a real server through the real client: problems, explanations, completion, restart, end', async () => {
    const { diagnostics, answers, state, messages, tasks } = await play({
      settings: { global: { 'techne.path': bin } },
      documents: [{ path: skill, language: 'markdown' }],
      steps: [
        { diagnostics: skill },
        { ask: 'Hover', line: 1, character: 1 },
        { ask: 'CompletionItem', line: 3, character: 1 },
        { ask: 'CodeLens', click: true },
        { command: 'techne.restartServer' },
        { ask: 'Hover', line: 1, character: 1 },
        { state: true },
      ],
    });
    const { out: checked } = await world.run(['check', 'skills', '--json']);
    const expected = (
      JSON.parse(checked) as { diagnostics: { code: string; line: number | null }[] }
    ).diagnostics
      .filter(({ code }) => code !== 'SKILLS_NONE')
      .map(({ code, line }) => `${code} ${(line ?? 1) - 1}`);
    const found = new Set(diagnostics[skill]?.map(({ code, line }) => `${code} ${line}`));
    expect(expected.length).toBeGreaterThan(0);
    for (const one of expected) expect([...found]).toContain(one);
    expect(JSON.stringify(answers['Hover'])).toContain('name');
    expect(JSON.stringify(answers['CompletionItem'])).toContain('label');
    // The lenses of the server lead to the commands of the extension.
    expect(tasks.map(({ args }) => args.slice(1))).toEqual([
      ['run', '--', 'tides'],
      ['test', '--', join(world.workspace, 'skills/tides')],
    ]);
    // Running, of the states of the client.
    expect([state, messages]).toEqual([2, []]);
  });

  it('runs and tests a skill as a process with a list of arguments, whatever its name is', async () => {
    const names = ['tides', '$(touch started)', '`touch started`', '; touch started', '--help', 'a b\'c"d'];
    const { tasks, shells, commands } = await play({
      settings: { global: { 'techne.path': bin, 'techne.args': ['--no-color'] } },
      documents: [{ path: join(world.workspace, 'skills/tides/SKILL.star'), language: 'starlark' }],
      steps: [
        ...names.map((name) => ({ command: 'techne.runSkill', argument: { skill: name, path: skill } })),
        { command: 'techne.runTests', argument: { skill: 'tides', path: skill } },
        // From the palette: the skill of the open file.
        { command: 'techne.runTests' },
        // What is no lens.
        ...[{ skill: 1, path: skill }, { skill: 'x\0', path: skill }, 'x'].map((argument) => ({
          command: 'techne.runSkill',
          argument,
        })),
      ],
    });
    const own = ['run', '--', 'tides'];
    expect(tasks.map(({ process: command, args }) => [command, ...args])).toEqual([
      ...names.map((name) => ['node', bin, '--no-color', 'run', '--', name]),
      ['node', bin, '--no-color', 'test', '--', join(world.workspace, 'skills/tides')],
      ['node', bin, '--no-color', 'test', '--', join(world.workspace, 'skills/tides')],
      ...[own, own, own].map((args) => ['node', bin, '--no-color', ...args]),
    ]);
    expect(shells).toBe(0);
    const missing = manifest.contributes.commands
      .map(({ command }) => command)
      .filter((one) => !commands.includes(one));
    expect(missing).toEqual([]);
    expect(existsSync(join(world.folder, 'started'))).toBe(false);
  });

  it('starts nothing of a workspace that is not trusted, and runs none of its skills', async () => {
    const evil = plant('work/evil');
    plant('work/node_modules/.bin/techne');
    const { tasks, log, messages, diagnostics } = await play({
      trusted: false,
      settings: {
        global: { 'techne.path': bin },
        workspace: {
          'techne.path': evil,
          'techne.args': ['--root', '/'],
          'techne.env': { NODE_OPTIONS: `--require ${evil}` },
        },
      },
      documents: [{ path: skill, language: 'markdown' }],
      steps: [{ diagnostics: skill }, { command: 'techne.runSkill' }, { command: 'techne.runTests' }],
    });
    expect(log.find((line) => line.startsWith('starting'))).toBe(
      `starting "node" ${JSON.stringify(bin)} "lsp" "--stdio"`,
    );
    expect(diagnostics[skill]?.length).toBeGreaterThan(0);
    expect([tasks, messages.map(({ text: said }) => said)]).toEqual([
      [],
      Array.from({ length: 2 }, () => 'Trust this workspace before you run its skills.'),
    ]);
    expect(existsSync(join(world.folder, 'started'))).toBe(false);
  });

  it('says how to install techne where it is missing, or does not start', async () => {
    const missing = await play({
      settings: { global: { 'techne.path': '/nowhere/techne' } },
      steps: [
        { message: 'Install it' },
        { command: 'techne.runSkill', argument: { skill: 'tides', path: skill } },
        { state: true },
      ],
    });
    expect(missing.messages[0]?.text).toContain('npm install --global techne');
    expect(missing.messages[0]?.items).toEqual(['Open Settings', 'Copy Install Command']);
    expect([missing.state, missing.tasks]).toEqual([null, []]);
    world.write({ 'broken.mjs': 'process.exit(3);\n' });
    const broken = await play({
      settings: { global: { 'techne.path': join(world.folder, 'broken.mjs') } },
      steps: [{ message: 'did not start' }],
    });
    expect([broken.state ?? null, broken.tasks]).toEqual([null, []]);
  });
});
