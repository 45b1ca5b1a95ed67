import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileApprovals } from '../node/commands/approvals.ts';
import { createNodeFiles } from '../node/files/files.ts';
import { openSkills } from '../techne/open-skills.ts';
import type { ToolHost } from '../ports/tool-host.ts';
import { FakeCommands } from '../../test/support/fake-run-host.ts';
import { expandVariables } from './mcp/expand-variables.ts';
import { openTools } from './open-tools.ts';
import { splitCommandLine } from '../base/split-command-line.ts';

const server = fileURLToPath(new URL('../../test/fixtures/mcp/notes-server.mjs', import.meta.url));
let top = '';
const hosts: ToolHost[] = [];
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-open-tools-')));
  for (const folder of ['work/.git', 'home/.techne']) mkdirSync(join(top, folder), { recursive: true });
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  rmSync(top, { recursive: true, force: true });
});

async function open(config: object, mcp: string | null): Promise<ToolHost> {
  const work = join(top, 'work');
  writeFileSync(
    join(top, 'home/.techne/config.json'),
    JSON.stringify({ roots: { builtin: false }, ...config }),
  );
  if (mcp !== null) writeFileSync(join(work, '.mcp.json'), mcp);
  const library = await openSkills({
    cwd: work,
    workspace: work,
    homeFolder: join(top, 'home'),
    cache: false,
  });
  const host = await openTools({
    library,
    snapshot: await library.load(),
    workspace: work,
    fileRoots: { read: [work], write: [work] },
    commands: new FakeCommands(),
    variables: process.env,
    approvals: createFileApprovals({ file: join(top, 'approvals.json'), files: createNodeFiles() }),
  });
  hosts.push(host);
  return host;
}

const notes = { command: process.execPath, args: [server] };
const trusting = (): object => ({ trust: { folders: [join(top, 'work')] } });
const serversOf = async (host: ToolHost): Promise<unknown> => {
  const { tools, faults } = await host.list();
  return {
    servers: [...new Set(tools.map(({ from }) => from))].filter((from) => from !== 'built-in'),
    faults: faults.map(({ server: name, message }) => `${name}: ${message.split(';')[0]}`),
  };
};

describe('openTools', () => {
  it('takes a name that a sandboxed command holds for a file that is not there', async () => {
    mkdirSync(join(top, 'work/.mcp.json'), 0o555);
    expect([await serversOf(await open({}, null)), await serversOf(await open(trusting(), null))]).toEqual([
      { servers: [], faults: [] },
      { servers: [], faults: [] },
    ]);
  });

  it('takes .mcp.json of a workspace that is trusted, and of no other', async () => {
    const file = JSON.stringify({ mcpServers: { notes: { ...notes, type: 'stdio' } } });
    expect(await serversOf(await open(trusting(), file))).toEqual({ servers: ['notes'], faults: [] });
    expect(await serversOf(await open({}, file))).toEqual({
      servers: [],
      faults: ['.mcp.json: the workspace is not trusted, so its servers are not started'],
    });
    expect(await serversOf(await open({}, null))).toMatchObject({ servers: [] });
  });

  it('lets the configuration win, and tells what cannot be used', async () => {
    const file = JSON.stringify({
      mcpServers: {
        notes: { command: 'no-such-program' },
        old: { type: 'sse', url: 'https://a.example/' },
        none: {},
        'a b': notes,
        notes__two: notes,
        odd: { command: 'x', args: 'y' },
      },
    });
    expect(await serversOf(await open({ ...trusting(), mcpServers: { notes } }, file))).toEqual({
      servers: ['notes'],
      faults: [
        'old: .mcp.json: servers of the type "sse" are not supported',
        'none: .mcp.json: it needs either a "command" or an http "url"',
        'a b: .mcp.json: a name must be 1 to 64 letters, digits, ".", "_" or "-"',
        'notes__two: .mcp.json: a name must not be "mcp", hold "__" or end with "_": tools are called server__tool',
        'odd: .mcp.json: "args" must be a list of texts',
      ],
    });
    expect(await serversOf(await open(trusting(), '{"mcpServers": 3}'))).toMatchObject({
      faults: ['.mcp.json: it has no "mcpServers" object'],
    });
    expect(await serversOf(await open(trusting(), '{'))).toMatchObject({
      servers: [],
      faults: [expect.stringContaining('.mcp.json: it cannot be read')],
    });
  });
});

describe('splitCommandLine', () => {
  it.each([
    ["git log --since='30 days ago' -- src", ['git', 'log', '--since=30 days ago', '--', 'src']],
    ['echo "a \\"b\\" c" d\\ e', ['echo', 'a "b" c', 'd e']],
    ["rg -n 'a|b|$c' .", ['rg', '-n', 'a|b|$c', '.']],
    ['git show HEAD@{1} {}', ['git', 'show', 'HEAD@{1}', '{}']],
    ["echo ''", ['echo', '']],
    ['  \n', []],
    ['ls\n', ['ls']],
  ])('parts %j', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  it.each([
    'a | b',
    'a && b',
    'a; b',
    'a > f',
    'echo $HOME',
    'echo "$HOME"',
    'echo `id`',
    'echo "`id`"',
    'ls *',
    'ls ?',
    'ls [a]',
    'echo {a,b}',
    'cat ~/x',
    '(a)',
    'a\nb',
    'a # b',
  ])('refuses %j, which needs a shell', (line) => {
    expect(splitCommandLine(line)).toContain('needs a shell');
  });

  it('refuses an open quote', () => {
    expect(splitCommandLine('echo "a')).toBe('a quote in the command is never closed');
  });
});

describe('expandVariables', () => {
  it('takes what is set, what stands for it, and tells what is missing', () => {
    const variables = { A: 'one', EMPTY: '' };
    expect(expandVariables('x ${A} ${B:-two} ${EMPTY:-three} $A {A}', variables)).toEqual({
      ok: true,
      text: 'x one two three $A {A}',
    });
    expect(expandVariables('${A}${B}', variables)).toEqual({ ok: false, variable: 'B' });
  });
});
