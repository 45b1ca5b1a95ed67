import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { McpServer } from '../config/types.ts';
import { createFileApprovals } from '../node/commands/approvals.ts';
import { createNodeFiles } from '../node/files/files.ts';
import type { Approval, CommandCaller } from '../ports/command-host.ts';
import type { ToolHost } from '../ports/tool-host.ts';
import { FakeCommands } from '../../test/support/fake-run-host.ts';
import { toolHostContract } from '../ports/tool-host.contract.ts';
import type { ToolHostOptions } from './open-tools.ts';
import { createToolHost } from './open-tools.ts';

const fixtures = fileURLToPath(new URL('../../test/fixtures/mcp/', import.meta.url));
const trusted: CommandCaller = {
  run: 'R',
  key: 'step',
  skill: 'plan',
  digest: 'sha256:1',
  trusted: true,
  skillFolder: null,
};
const untrusted: CommandCaller = { ...trusted, trusted: false };

let folder = '';
const hosts: ToolHost[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-tools-')));
  mkdirSync(join(folder, 'work'));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function stdio(...args: readonly string[]): McpServer {
  return {
    command: process.execPath,
    args: [join(fixtures, 'notes-server.mjs'), ...args],
    env: {},
    url: null,
  };
}

function bad(how: string): McpServer {
  return { ...stdio(), args: [join(fixtures, 'bad-server.mjs'), how] };
}

function open(
  servers: { readonly [name: string]: McpServer } = {},
  more: Partial<ToolHostOptions> = {},
): ToolHost {
  const work = join(folder, 'work');
  const host = createToolHost({
    workspace: work,
    fileRoots: { read: [work], write: [work], guarded: [join(work, 'skills')] },
    guarded: [],
    config: { tools: { allow: [], deny: [] } },
    servers,
    commands: new FakeCommands(),
    variables: process.env,
    approvals: createFileApprovals({ file: join(folder, 'approvals.json'), files: createNodeFiles() }),
    ...more,
  });
  hosts.push(host);
  return host;
}

const never = new AbortController().signal;
function call(
  host: ToolHost,
  tool: string,
  args: JsonObject = {},
  timeoutMs = 20_000,
  signal: AbortSignal = never,
): ReturnType<ToolHost['call']> {
  return host.call({ tool, args, timeoutMs }, trusted, { signal });
}
function judge(
  host: ToolHost,
  tool: string,
  args: JsonObject = {},
  caller = trusted,
  approval: Approval | null = null,
): ReturnType<ToolHost['judge']> {
  return host.judge({ tool, args, timeoutMs: 1_000 }, caller, approval);
}
const done = (file: string): readonly string[] => readFileSync(file, 'utf8').trim().split('\n');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that only waits to be collected is none.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

toolHostContract('built-in tools', () => ({
  host: open(),
  reading: { tool: 'emit_text', args: { text: 'hello' }, text: 'hello' },
  changing: { tool: 'memory_save', args: { content: 'a note' } },
  failing: { tool: 'read_file', args: { path: 'nowhere' }, message: 'nowhere' },
}));

toolHostContract('tools of an MCP server', () => ({
  host: open({ notes: stdio() }),
  reading: { tool: 'notes__echo', args: { text: 'hello' }, text: 'hello' },
  changing: { tool: 'notes__add_note', args: { note: 'a note' } },
  failing: { tool: 'notes__refuse', args: {}, message: 'not today' },
}));

describe('built-in tools', () => {
  it('read and write files of the workspace, and nowhere else', async () => {
    const host = open();
    writeFileSync(join(folder, 'secret'), 'secret');
    symlinkSync(join(folder, 'secret'), join(folder, 'work', 'link'));
    expect(await call(host, 'write_file', { path: 'a/b.txt', content: 'one' })).toEqual({
      ok: true,
      text: 'wrote 3 characters to a/b.txt',
      value: null,
    });
    expect(await call(host, 'read_file', { path: join(folder, 'work', 'a/b.txt') })).toMatchObject({
      ok: true,
      text: 'one',
    });
    for (const path of ['../secret', join(folder, 'secret'), 'link'])
      expect(await call(host, 'read_file', { path })).toMatchObject({ ok: false, timedOut: false });
    for (const path of ['.techne/config.json', '.mcp.json', 'skills/new/SKILL.md'])
      expect(await call(host, 'write_file', { path, content: '{}' })).toMatchObject({ ok: false });
    expect(
      await call(
        open({}, { fileRoots: { read: [folder], write: [], refusal: 'not in your home folder' } }),
        'read_file',
        { path: 'work/a/b.txt' },
      ),
    ).toMatchObject({ ok: false });
  });

  it('keep notes in the folder memory, add to them, and find them', async () => {
    const host = open();
    await call(host, 'memory_save', {
      path: 'memory/kpi.md',
      content: 'Revenue grew by a third.',
      mode: 'append',
    });
    await call(host, 'memory_save', { path: 'memory/kpi.md', text: 'Costs fell.' });
    expect(readFileSync(join(folder, 'work/memory/kpi.md'), 'utf8')).toBe(
      'Revenue grew by a third.\n\nCosts fell.\n',
    );
    expect(await call(host, 'memory_search', { query: 'what about revenue?' })).toMatchObject({
      ok: true,
      text: 'memory/kpi.md:\nRevenue grew by a third.',
    });
    expect(await call(host, 'memory_search', { query: 'weather' })).toMatchObject({ text: 'no notes' });
    for (const path of ['notes.md', 'memory/../x.md', 'memory/', '/etc/x'])
      expect(await call(host, 'memory_save', { path, content: 'x' })).toMatchObject({ ok: false });
    expect(await call(host, 'memory_save', { content: 'x'.repeat(70_000) })).toEqual({
      ok: false,
      message: 'the note has 70000 characters, over 64000',
      timedOut: false,
    });
  });

  it('name artifacts that are really there', async () => {
    const host = open();
    writeFileSync(join(folder, 'work/film.mp4'), new Uint8Array([0, 1, 2]));
    writeFileSync(join(folder, 'work/empty.txt'), '');
    expect(await call(host, 'publish_artifact', { path: 'film.mp4', mime: 'video/mp4' })).toEqual({
      ok: true,
      text: 'film.mp4 (3 bytes): film.mp4',
      value: { path: 'film.mp4', name: 'film.mp4', mime: 'video/mp4', bytes: 3 },
    });
    expect(await call(host, 'publish_artifact', { path: 'empty.txt' })).toMatchObject({
      ok: false,
      message: '"empty.txt" is empty',
    });
    expect(await call(host, 'publish_artifact', { path: 'none.txt' })).toMatchObject({ ok: false });
  });

  it('run commands under the policy of commands, and without a shell', async () => {
    const commands = new FakeCommands();
    commands.onJudge = ({ argv }) =>
      argv[0] === 'git' ? { kind: 'allow' } : { kind: 'approve', reason: 'unknown', terms: 'in a box' };
    commands.onCommand = ({ argv }) =>
      argv[1] === 'fails'
        ? { exitCode: 2, combined: 'no such thing\n' }
        : { combined: 'ok\n', stdout: 'ok\n' };
    const host = open({}, { commands, config: { tools: { allow: ['exec_command'], deny: [] } } });
    expect(await judge(host, 'exec_command', { command: "git log --since='30 days ago'" })).toEqual({
      kind: 'allow',
    });
    // tools.allow does not get past the policy of commands.
    expect(await judge(host, 'exec_command', { command: 'rm x' })).toMatchObject({
      kind: 'approve',
      terms: 'in a box',
    });
    expect(await judge(host, 'exec_command', { command: 'git log | sh' })).toMatchObject({
      kind: 'deny',
      reason: 'the command needs a shell ("|"), and there is none; write a program and its arguments',
    });
    expect(
      await call(host, 'exec_command', { command: "git log --since='30 days ago'", workdir: 'sub' }),
    ).toMatchObject({ ok: true, text: 'ok\n', value: { exit_code: 0 } });
    expect(commands.done).toEqual(['git log --since=30 days ago']);
    expect(await call(host, 'exec_command', { command: ['git', 'fails'] })).toEqual({
      ok: false,
      message: 'it ended with exit code 2: no such thing',
      timedOut: false,
    });
    expect(
      await judge(open({}, { config: { tools: { allow: [], deny: ['exec_*'] } } }), 'exec_command', {
        command: 'git log',
      }),
    ).toMatchObject({ kind: 'deny', reason: 'tools.deny has "exec_*"' });
  });
});

describe('the policy of tools', () => {
  it('lets reading through, asks about the rest, and remembers', async () => {
    const host = open({ notes: stdio() });
    expect(await judge(host, 'notes__echo', { text: 'x' })).toEqual({ kind: 'allow' });
    expect(await judge(host, 'notes__add_note', { note: 'a' })).toEqual({
      kind: 'approve',
      reason: 'it can change something, by the server "notes", and no pattern of tools.allow covers it',
    });
    expect(await judge(host, 'notes__add_note', { note: 'a' }, trusted, 'once')).toEqual({ kind: 'allow' });
    expect(await judge(host, 'notes__add_note', { note: 'a' })).toMatchObject({ kind: 'approve' });
    expect(await judge(host, 'notes__add_note', { note: 'a' }, trusted, 'deny')).toMatchObject({
      kind: 'deny',
    });
    await judge(host, 'notes__add_note', { note: 'a' }, trusted, 'always');
    expect(await judge(host, 'notes__add_note', { note: 'a' })).toEqual({ kind: 'allow' });
    // For exactly this call of exactly this skill.
    expect(await judge(host, 'notes__add_note', { note: 'b' })).toMatchObject({ kind: 'approve' });
    expect(
      await judge(host, 'notes__add_note', { note: 'a' }, { ...trusted, digest: 'sha256:2' }),
    ).toMatchObject({ kind: 'approve' });
    await judge(host, 'notes__add_note', { note: 'a' }, trusted, 'never');
    expect(await judge(host, 'notes__add_note', { note: 'a' })).toMatchObject({ kind: 'deny' });
    // Another server of the same name is another one.
    expect(
      await judge(
        open({ notes: stdio('--log', join(folder, 'log')) }),
        'notes__add_note',
        { note: 'c' },
        trusted,
        'always',
      ),
    ).toEqual({ kind: 'allow' });
    expect(await judge(open({ notes: stdio() }), 'notes__add_note', { note: 'c' })).toMatchObject({
      kind: 'approve',
    });
  });

  it('goes by tools.allow and tools.deny, and a denial by every name', async () => {
    const allowing = open(
      { notes: stdio() },
      { config: { tools: { allow: ['notes__*', 'memory_save'], deny: ['*set_note'] } } },
    );
    expect(await judge(allowing, 'add_note', { note: 'a' })).toEqual({ kind: 'allow' });
    expect(await judge(allowing, 'memory_save', { content: 'a' })).toEqual({ kind: 'allow' });
    expect(await judge(allowing, 'write_file', { path: 'a', content: 'b' })).toMatchObject({
      kind: 'approve',
    });
    for (const name of ['set_note', 'notes__set_note', 'mcp__notes__set_note'])
      expect(await judge(allowing, name, { note: 'a' })).toMatchObject({
        kind: 'deny',
        reason: 'tools.deny has "*set_note"',
      });
    const denying = open(
      { notes: stdio() },
      { config: { tools: { allow: ['*'], deny: ['echo', 'read_file'] } } },
    );
    expect(await judge(denying, 'notes__echo', { text: 'x' })).toMatchObject({ kind: 'deny' });
    expect(await judge(denying, 'read_file', { path: 'x' })).toMatchObject({ kind: 'deny' });
  });

  it('gives an untrusted skill nothing that changes something', async () => {
    const host = open({ notes: stdio() }, { config: { tools: { allow: ['*'], deny: [] } } });
    expect(await judge(host, 'read_file', { path: 'x' }, untrusted)).toEqual({ kind: 'allow' });
    expect(await judge(host, 'memory_save', { content: 'x' }, untrusted)).toMatchObject({ kind: 'deny' });
    expect(await judge(host, 'notes__add_note', { note: 'x' }, untrusted, 'once')).toMatchObject({
      kind: 'deny',
    });
    // What reads at a server can carry something away.
    expect(await judge(host, 'notes__echo', { text: 'x' }, untrusted)).toMatchObject({ kind: 'approve' });
  });
});

describe('an MCP server', () => {
  it('says what it has, under its name and by itself where that is clear', async () => {
    const host = open({ notes: stdio(), other: stdio() });
    const { tools, faults } = await host.list();
    expect(faults).toEqual([]);
    expect(tools.filter(({ from }) => from === 'notes').map(({ name }) => name)).toContain('notes__echo');
    expect(await host.find('notes__echo')).toMatchObject({
      name: 'notes__echo',
      from: 'notes',
      readOnly: true,
      repeatable: true,
      description: 'Gives the text back.',
    });
    expect(await host.find('notes__set_note')).toMatchObject({ readOnly: false, repeatable: true });
    expect(await host.find('notes__add_note')).toMatchObject({ readOnly: false, repeatable: false });
    // Both have it, so it names neither.
    expect(await host.find('echo')).toBeNull();
    expect(await host.find('notes__nothing')).toBeNull();
    const alone = open({ notes: stdio() });
    expect(await alone.find('echo')).toMatchObject({ name: 'notes__echo' });
    expect(await alone.find('mcp__notes__echo')).toMatchObject({ name: 'notes__echo' });
  });

  it('gives text, structure, and names what is neither', async () => {
    const host = open({ notes: stdio() });
    expect(await call(host, 'notes__count')).toEqual({ ok: true, text: '{"n":3}', value: { n: 3 } });
    expect(await call(host, 'notes__picture')).toEqual({
      ok: true,
      text: 'see\n[image: image/png, 3 bytes]',
      value: null,
    });
    expect(await call(host, 'notes__echo', { text: 1 })).toMatchObject({ ok: false });
  });

  it('gets the variables that are named, and no others', async () => {
    const variables = { ...process.env, OPENAI_API_KEY: 'sk-secret', NOTES_TOKEN: 'abc' };
    const host = open(
      { notes: { ...stdio(), env: { TOKEN: '${NOTES_TOKEN}', MODE: '${NOTES_MODE:-plain}' } } },
      { variables },
    );
    const outcome = await call(host, 'notes__environment');
    const seen = JSON.parse(outcome.ok ? outcome.text : '{}') as { readonly [name: string]: string };
    expect([seen['TOKEN'], seen['MODE'], seen['OPENAI_API_KEY'], typeof seen['PATH']]).toEqual([
      'abc',
      'plain',
      undefined,
      'string',
    ]);
    const without = open({ notes: { ...stdio(), env: { TOKEN: '${NOT_SET_ANYWHERE}' } } });
    expect((await without.list()).faults).toEqual([
      { server: 'notes', message: 'it needs the variable NOT_SET_ANYWHERE, which is not set' },
    ]);
  });

  it('that never answers, prints anything, dies or is not there is told, and the others work', async () => {
    const servers = {
      silent: bad('silent'),
      garbage: bad('garbage'),
      dies: bad('dies'),
      endless: bad('endless'),
      missing: { ...stdio(), command: 'no-such-program-anywhere' },
      notes: bad('chatty'),
    };
    const host = open(servers, { connectTimeoutMs: 6_000 });
    const { tools, faults } = await host.list();
    const said = Object.fromEntries(faults.map(({ server, message }) => [server, message]));
    expect(Object.keys(said).sort()).toEqual(['dies', 'endless', 'garbage', 'missing', 'silent']);
    expect(said['silent']).toBe('it did not answer within 6 s');
    expect(said['garbage']).toContain('it prints too many lines that are not messages');
    expect(said['dies']).toContain('it ended with exit code 3; it wrote: no configuration found');
    expect(said['endless']).toContain('a message is longer than');
    expect(said['missing']).toBe('there is no program "no-such-program-anywhere" on PATH');
    expect(tools.some(({ name }) => name === 'notes__echo')).toBe(true);
    expect(await call(host, 'notes__echo', { text: 'still here' })).toMatchObject({
      ok: true,
      text: 'still here',
    });
  }, 60_000);

  it('that ends during a call fails the call, and is started again for the next', async () => {
    const log = join(folder, 'log');
    const host = open({ notes: stdio('--log', log) });
    const outcome = await call(host, 'notes__crash');
    expect(outcome).toMatchObject({
      ok: false,
      timedOut: false,
      message: expect.stringContaining(
        'went away during the call: it ended with exit code 7; it wrote: out of paper',
      ) as string,
      isUncertain: true,
    });
    expect(await call(host, 'notes__echo', { text: 'again' })).toMatchObject({ ok: true, text: 'again' });
    expect(done(log)).toEqual(['crash', 'echo again']);
  });

  it('is given up after the time of the call, and when the run stops', async () => {
    const log = join(folder, 'log');
    const host = open({ notes: stdio('--log', log) });
    expect(await call(host, 'notes__sleep', {}, 300)).toEqual({
      ok: false,
      message: 'it took longer than 0.3 s',
      timedOut: true,
      isUncertain: true,
    });
    const controller = new AbortController();
    const under = call(host, 'notes__sleep', {}, 60_000, controller.signal);
    setTimeout(() => controller.abort(), 100);
    expect(await under).toEqual({ ok: false, message: 'it was stopped', timedOut: false, isUncertain: true });
    expect(await call(host, 'notes__echo', { text: 'on' })).toMatchObject({ ok: true });
  });

  it('leaves nothing behind when it is closed', async () => {
    const host = open({ notes: stdio() });
    const outcome = await call(host, 'notes__spawn');
    const pid = Number(outcome.ok ? outcome.text : 0);
    expect(isAlive(pid)).toBe(true);
    await host.close();
    expect(isAlive(pid)).toBe(false);
    expect(await host.find('notes__echo')).toBeNull();
  });

  it('is reached over HTTP with its headers, too', async () => {
    const child = spawn(process.execPath, [join(fixtures, 'notes-server.mjs'), '--http', '--token', 'abc'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const url = await new Promise<string>((resolve) =>
      child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
    );
    const variables = { ...process.env, NOTES_TOKEN: 'abc' };
    const server: McpServer = {
      command: null,
      args: [],
      env: {},
      url,
      headers: { Authorization: 'Bearer ${NOTES_TOKEN}' },
    };
    const host = open({ web: server }, { variables });
    expect(await call(host, 'web__echo', { text: 'far' })).toEqual({ ok: true, text: 'far', value: null });
    const { faults } = await open({ web: { ...server, headers: { Authorization: 'Bearer wrong' } } }).list();
    expect(faults).toMatchObject([{ server: 'web' }]);
    child.kill('SIGKILL');
    expect((await open({ web: server }, { variables }).list()).faults).toMatchObject([
      { server: 'web', message: expect.stringContaining('fetch failed') as string },
    ]);
  });
});
