import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';

const notes = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../../test/fixtures/mcp/notes-server.mjs', import.meta.url))],
};
let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const configured = (more: object): void =>
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      trust: { folders: [world.workspace] },
      ...more,
    }),
  });
const linesOf = (out: string, name: RegExp): readonly string[] =>
  out
    .split('\n')
    .filter((line) => name.test(line))
    .map((line) => line.trim().replaceAll(/ {2,}/g, ' '));
const plan = (steps: string): string =>
  skillText(
    'pre',
    'Does it. Use when it is needed.',
    `kind: meta\ntriggers: [do it, do it now]\ncomposition:\n  steps:\n${steps}`,
  );

describe('techne doctor NAME', () => {
  const steps = `    - {id: c, skill: gone, with: {x: y}}
    - {id: b, kind: tool_call, tool: read_fil, tool_args: {path: x}}
    - {id: a, kind: skill_exec, skill: helper}
`;

  it('tells what a run of the plan would be refused for', async () => {
    configured({});
    world.write({
      'work/.techne/skills/pre/SKILL.md': plan(steps),
      'work/.techne/skills/helper/SKILL.md': skillText('helper'),
    });
    const { code, out } = await world.run(['doctor', 'pre', '--no-color']);
    expect(code).toBe(3);
    expect(out.slice(out.indexOf('  no '))).toMatch(
      /^ {2}no {3}everything its steps need is available\n {9}there is no skill "gone" \(step c\)\n {9}there is no tool "read_fil"; did you mean "read_file"\? \(step b\)\n {9}the skill "helper" has no entry point that could be executed \(step a\)\n/,
    );
    const { preflight } = JSON.parse((await world.run(['doctor', 'pre', '--json'])).out) as {
      preflight: { ok: boolean; problems: readonly string[] };
    };
    expect([preflight.ok, preflight.problems.length]).toEqual([false, 3]);
    expect((await world.run(['run', 'pre'])).err).toContain('hint: techne doctor pre');
  });

  it('says that nothing is missing, and nothing about what is no plan', async () => {
    configured({ mcpServers: { notes } });
    world.write({
      'work/.techne/skills/pre/SKILL.md': plan(
        '    - {id: a, kind: tool_call, tool: notes__echo, tool_args: {text: x}}\n',
      ),
      'work/.techne/skills/tides/SKILL.md': skillText('tides'),
    });
    expect(await world.run(['doctor', 'pre', '--no-color'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ {2}yes {2}everything its steps need is available$/m) as string,
    });
    expect((await world.run(['doctor', 'tides'])).out).not.toContain('everything');
  });
});

describe('embeddings of techne doctor', () => {
  it.each([
    [{}, '-- embeddings none; skills are matched by words (set match.embeddings to also match by meaning)'],
    [
      { own: { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', model: 'vectors' } },
      'ok embeddings skills are also matched by vectors at 127.0.0.1:9',
    ],
    [
      {
        own: {
          provider: 'openai-compatible',
          baseUrl: 'http://127.0.0.1:9/v1',
          model: 'vectors',
          apiKeyEnv: 'SURELY_NOT_SET',
        },
      },
      '-- embeddings none can be used; skills are matched by words (match.embeddings.own is not used: the variable SURELY_NOT_SET is not set)',
    ],
  ])('are named, or why there are none: %j', async (embeddings, line) => {
    configured({ match: { embeddings } });
    expect(linesOf((await world.run(['doctor', '--no-color'])).out, /^ {2}\S\S {2}embeddings /)).toEqual([
      line,
    ]);
  });
});

describe('models of techne doctor', () => {
  const entry = { provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' };
  it.each<[string, object, string]>([
    ['a name with a blank', { models: { 'my local': entry } }, '-- model:my local a name in "models"'],
    [
      'a name that ends with a blank',
      { models: { a: entry, 'default ': entry } },
      '-- model:default a name in "models"',
    ],
    ['no name', { models: { '': entry } }, '-- models a name in "models"'],
    ['a list', { models: [] }, '-- models "models" must be an object of names'],
    ['another case', { Models: { a: entry } }, '-- models "Models" is not a known key'],
  ])('are replaced by nobody when they are configured by %s', async (_, config, line) => {
    configured(config);
    const { out } = await world.run(['doctor', '--no-color'], { env: { OPENAI_API_KEY: 'sk-x' } });
    expect(
      linesOf(out, /^ {2}\S\S {2}(?:models?\b|caller)/).map((one) => one.slice(0, line.length)),
    ).toContain(line);
    expect(linesOf(out, /^ {2}-> /)).toEqual([expect.stringMatching(/^-> caller /)]);
  });
});

describe('MCP servers of techne doctor', () => {
  const servers = {
    notes,
    none: { command: 'no-such-program' },
    unset: { command: process.execPath, env: { KEY: '${SURELY_NOT_SET}' } },
  };

  it('are looked at without being started', async () => {
    configured({ mcpServers: servers });
    const { code, out } = await world.run(['doctor', '--no-color']);
    expect([code, linesOf(out, /^ {2}\S\S {2}(?:MCP|server) /)]).toEqual([
      3,
      [
        'ok MCP no .mcp.json in the workspace; 3 in the configuration',
        expect.stringMatching(/^!! server none cannot be used: .*no-such-program/),
        '!! server unset cannot be used: it needs the variable SURELY_NOT_SET, which is not set',
      ],
    ]);
  });

  it('are started with --servers', async () => {
    configured({
      mcpServers: { notes, ends: { command: process.execPath, args: ['-e', 'process.exit(4)'] } },
    });
    const { code, out } = await world.run(['doctor', '--servers', '--no-color']);
    expect([code, linesOf(out, /^ {2}\S\S {2}server /)]).toEqual([
      3,
      [
        expect.stringMatching(/^ok server notes has \d+ tools: notes__echo, notes__add_note/),
        expect.stringMatching(/^!! server ends cannot be used: .*it ended with exit code 4$/),
      ],
    ]);
  });

  it('of a workspace that nobody trusts are not used, and that is said', async () => {
    configured({ trust: { folders: [] } });
    world.write({ 'work/.mcp.json': JSON.stringify({ mcpServers: servers }) });
    const { code, out } = await world.run(['doctor', '--no-color']);
    expect([code, linesOf(out, /^ {2}\S\S {2}(?:MCP|server) /)]).toEqual([
      0,
      [
        '-- MCP .mcp.json names 3 servers, not used: the workspace is not trusted (trust the folder with "techne trust", or name them in ~/.techne/config.json)',
      ],
    ]);
  });

  it('of a file whose name a sandboxed command holds are none', async () => {
    configured({});
    mkdirSync(join(world.workspace, '.mcp.json'), 0o555);
    const lines = linesOf((await world.run(['doctor', '--no-color'])).out, /^ {2}\S\S {2}(?:MCP|server) /);
    expect(lines[0]).toMatch(/^(?:ok|--) MCP no \.mcp\.json in the workspace/);
    expect(lines.filter((line) => line.includes('cannot be'))).toEqual([]);
  });

  it('of a workspace that is trusted are looked at', async () => {
    configured({});
    world.write({ 'work/.mcp.json': JSON.stringify({ mcpServers: { unset: servers.unset, odd: {} } }) });
    expect(linesOf((await world.run(['doctor', '--no-color'])).out, /^ {2}\S\S {2}(?:MCP|server) /)).toEqual([
      'ok MCP .mcp.json names 2 servers',
      '!! server odd cannot be used: .mcp.json: it needs either a "command" or an http "url"',
      '!! server unset cannot be used: it needs the variable SURELY_NOT_SET, which is not set',
    ]);
  });
});
