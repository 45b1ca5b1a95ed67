import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  promises,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld({ 'bin/techne': '#!/bin/sh\n' });
  chmodSync(join(world.folder, 'bin/techne'), 0o755);
});
afterEach(() => world.remove());

const run = (...argv: readonly string[]) =>
  world.run(['mcp', 'install', ...argv], { env: { PATH: `${join(world.folder, 'bin')}:/usr/bin:/bin` } });
const agree = (...argv: readonly string[]) =>
  world.run(['mcp', 'install', ...argv], {
    env: { PATH: `${join(world.folder, 'bin')}:/usr/bin:/bin` },
    typed: 'y\n',
  });
const read = (path: string): unknown => JSON.parse(readFileSync(join(world.folder, path), 'utf8'));

const absolute = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../../bin/techne.mjs', import.meta.url)), 'mcp'],
};
const remove = (...argv: readonly string[]) =>
  world.run(['mcp', 'uninstall', ...argv], { env: { PATH: `${join(world.folder, 'bin')}:/usr/bin:/bin` } });

describe('techne mcp uninstall', () => {
  it.each(['claude-code', 'codex', 'opencode', 'copilot', 'cline', 'qwen', 'claude-desktop'])(
    'takes out what install wrote for %s, and nothing else',
    async (host) => {
      const [{ file }] = [
        JSON.parse((await run(host, '--json')).out) as { readonly file: string; readonly change: string },
      ];
      const before =
        host === 'codex'
          ? 'model = "gpt-5" # mine\n\n[mcp_servers.other]\ncommand = "x"\n'
          : '{\n  // mine\n  "mcp": {"other": {"a": 1}},\n  "mcpServers": {"other": {"command": "x"}}\n}\n';
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, before);
      await run(host, '--write');
      expect(readFileSync(file, 'utf8')).not.toBe(before);
      const { code, out } = await remove(host);
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(/\n- [^]*Nothing was written; --write writes it\.\n$/),
      ]);
      expect((await remove(host, '--write')).code).toBe(0);
      const after = readFileSync(file, 'utf8');
      expect(after.replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''));
      expect(after).toContain('mine');
      expect(await remove(host, '--write')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/has no server "techne": /) as string,
      });
      expect(readFileSync(file, 'utf8')).toBe(after);
    },
  );

  it('takes out an object that is empty then, unless it holds a comment', async () => {
    world.write({ 'work/.mcp.json': '{\n  "mine": 1\n}\n' });
    await run('claude-code', '--write');
    await remove('claude-code', '--write');
    expect(read('work/.mcp.json')).toEqual({ mine: 1 });
    rmSync(join(world.workspace, '.mcp.json'));
    await run('claude-code', '--write');
    await remove('claude-code', '--write');
    expect(read('work/.mcp.json')).toEqual({});
    world.write({ 'work/.mcp.json': '{"mcpServers": {\n  // mine\n}}' });
    await run('claude-code', '--write');
    await remove('claude-code', '--write');
    expect(readFileSync(join(world.workspace, '.mcp.json'), 'utf8')).toMatch(
      /^\{"mcpServers": \{\s*\/\/ mine/,
    );
  });

  it('shows the change with --dry-run, and neither asks nor writes', async () => {
    await run('claude-code', '--write');
    const before = readFileSync(join(world.workspace, '.mcp.json'), 'utf8');
    for (const command of ['uninstall', 'install']) {
      const { code, out, err } = await world.run(
        ['mcp', command, 'claude-code', '--dry-run', ...(command === 'install' ? ['--name', 'other'] : [])],
        { typed: 'y\n' },
      );
      expect([code, out.includes('Nothing was written'), err]).toEqual([0, true, '']);
    }
    expect(readFileSync(join(world.workspace, '.mcp.json'), 'utf8')).toBe(before);
    expect((await remove('claude-code', '--dry-run', '--write')).code).toBe(2);
  });

  it('leaves a server alone that is not techne, and a file that cannot be read', async () => {
    const mine = '{"mcpServers": {"techne": {"command": "other", "args": ["serve"]}}}';
    world.write({ 'work/.mcp.json': mine });
    expect(await remove('claude-code', '--write')).toMatchObject({
      code: 1,
      err: expect.stringContaining('it does not start techne') as string,
    });
    world.write({ 'work/.mcp.json': '{"mcpServers": {' });
    expect((await remove('claude-code', '--write')).code).toBe(1);
    expect(readFileSync(join(world.workspace, '.mcp.json'), 'utf8')).toBe('{"mcpServers": {');
  });

  it('needs no file', async () => {
    expect(await remove('claude-code', '--write')).toMatchObject({ code: 0 });
    expect(existsSync(join(world.workspace, '.mcp.json'))).toBe(false);
    expect(JSON.parse((await remove('claude-code', '--json')).out)).toMatchObject({
      change: 'same',
      written: false,
    });
  });
});

describe('techne mcp install', () => {
  it('shows the change, and writes nothing by itself', async () => {
    const { code, out } = await run('claude-code');
    expect(code).toBe(0);
    expect(out).toBe(
      'Claude Code: .mcp.json (a new file)\n+ {\n+   "mcpServers": {\n+     "techne": {\n+       "type": "stdio",\n+       "command": "techne",\n+       "args": [\n+         "mcp"\n+       ],\n+       "alwaysLoad": true\n+     }\n+   }\n+ }\nNothing was written; --write writes it.\n',
    );
    expect(existsSync(join(world.workspace, '.mcp.json'))).toBe(false);
  });

  it.each([
    [
      'claude-code',
      'work/.mcp.json',
      { mcpServers: { techne: { type: 'stdio', command: 'techne', args: ['mcp'], alwaysLoad: true } } },
    ],
    [
      'cursor',
      'work/.cursor/mcp.json',
      { mcpServers: { techne: { command: 'techne', args: ['mcp', '--workspace', '${workspaceFolder}'] } } },
    ],
    [
      'vscode',
      'work/.vscode/mcp.json',
      {
        servers: {
          techne: { type: 'stdio', command: 'techne', args: ['mcp', '--workspace', '${workspaceFolder}'] },
        },
      },
    ],
    [
      'gemini',
      'work/.gemini/settings.json',
      { mcpServers: { techne: { command: 'techne', args: ['mcp'] } } },
    ],
    [
      'zed',
      'work/.zed/settings.json',
      { context_servers: { techne: { source: 'custom', command: 'techne', args: ['mcp'] } } },
    ],
    [
      'opencode',
      'work/opencode.json',
      { mcp: { techne: { type: 'local', command: ['techne', 'mcp'], enabled: true } } },
    ],
    // A program with windows does not see the PATH of a shell.
    ['windsurf', 'home/.codeium/windsurf/mcp_config.json', { mcpServers: { techne: absolute } }],
    [
      'claude-desktop',
      'home/.config/Claude/claude_desktop_config.json',
      { mcpServers: { techne: absolute } },
    ],
    [
      'copilot',
      'home/.copilot/mcp-config.json',
      {
        mcpServers: {
          techne: { type: 'local', command: 'techne', args: ['mcp', '--page', '9000'], tools: ['*'] },
        },
      },
    ],
    [
      'cline',
      'home/.cline/data/settings/cline_mcp_settings.json',
      { mcpServers: { techne: { command: 'techne', args: ['mcp', '--page', '6000'] } } },
    ],
    [
      'qwen',
      'work/.qwen/settings.json',
      { mcpServers: { techne: { command: 'techne', args: ['mcp', '--page', '18000'] } } },
    ],
  ])('writes what %s reads', async (host, path, content) => {
    expect(await run(host, '--write')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Written to ') as string,
    });
    expect(read(path)).toEqual(content);
    expect(await run(host, '--write')).toMatchObject({
      code: 0,
      out: expect.stringContaining('already has techne') as string,
    });
  });

  it('writes the TOML of codex behind what is there', async () => {
    world.write({ 'home/.codex/config.toml': 'model = "gpt-5"\n' });
    expect((await run('codex', '--write')).code).toBe(0);
    expect(readFileSync(join(world.home, '.codex/config.toml'), 'utf8')).toBe(
      'model = "gpt-5"\n\n[mcp_servers.techne]\ncommand = "techne"\nargs = ["mcp", "--page", "9000"]\nrequired = true\n',
    );
  });

  it('keeps other entries, rights and links', async () => {
    world.write({ 'elsewhere/mcp.json': '{\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n' });
    chmodSync(join(world.folder, 'elsewhere/mcp.json'), 0o600);
    mkdirSync(join(world.workspace, '.cursor'));
    symlinkSync(join(world.folder, 'elsewhere/mcp.json'), join(world.workspace, '.cursor/mcp.json'));
    expect((await agree('cursor', '--write')).code).toBe(0);
    expect(read('elsewhere/mcp.json')).toMatchObject({
      mcpServers: { other: { command: 'x' }, techne: { command: 'techne' } },
    });
    expect(statSync(join(world.folder, 'elsewhere/mcp.json')).mode & 0o777).toBe(0o600);
  });

  it('makes the file that a link points to, and leaves the link', async () => {
    symlinkSync('../dotfiles/mcp.json', join(world.workspace, '.mcp.json'));
    expect((await agree('claude-code', '--write')).code).toBe(0);
    expect(lstatSync(join(world.workspace, '.mcp.json')).isSymbolicLink()).toBe(true);
    expect(read('dotfiles/mcp.json')).toHaveProperty('mcpServers.techne');
  });

  it('names the file that a link out of the project leads to, and changes it only where a person agrees', async () => {
    world.write({ 'outside/settings.json': '{}\n', 'work/own.json': '{}\n' });
    const link = join(world.workspace, '.mcp.json');
    symlinkSync(join(world.folder, 'outside/settings.json'), link);
    const outside = `.mcp.json (a link to ${join(world.folder, 'outside/settings.json')})`;
    expect(await run('claude-code', '--write')).toMatchObject({
      code: 3,
      out: expect.stringContaining(`Claude Code: ${outside}\n`) as string,
      err: expect.stringContaining(
        `changing ${outside}, which is outside the project, needs a person at a terminal`,
      ) as string,
    });
    expect((await run('claude-code', '--write', '--json')).code).toBe(3);
    expect(await world.run(['mcp', 'install', 'claude-code', '--write'], { typed: 'n\n' })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Nothing was written\.\n$/) as string,
      err: expect.stringContaining(`Write this to ${outside}, outside the project? [y/N] `) as string,
    });
    expect(read('outside/settings.json')).toEqual({});
    // A folder that is a link leads out as well, also to a file that is not there yet.
    symlinkSync(join(world.folder, 'outside'), join(world.workspace, '.cursor'));
    expect((await run('cursor', '--write')).code).toBe(3);
    expect(existsSync(join(world.folder, 'outside/mcp.json'))).toBe(false);
    // Within the project it is named, and nobody needs to be asked.
    rmSync(link);
    symlinkSync('own.json', link);
    expect(await run('claude-code', '--write')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Written to .mcp.json (a link to own.json).') as string,
    });
    expect(read('work/own.json')).toHaveProperty('mcpServers.techne');
  });

  it('shows nobody on the way what only one may read', async () => {
    world.write({ 'home/.claude.json': '{"oauth": "secret"}' });
    chmodSync(join(world.home, '.claude.json'), 0o600);
    const modes: number[] = [];
    const { chmod } = promises;
    promises.chmod = (path, mode) => {
      modes.push(statSync(path as string).mode & 0o777);
      return chmod(path, mode);
    };
    syncBuiltinESMExports();
    try {
      expect((await run('claude-code', '--scope', 'user', '--write')).code).toBe(0);
    } finally {
      promises.chmod = chmod;
      syncBuiltinESMExports();
    }
    expect(modes).toEqual([0o600]);
    expect(statSync(join(world.home, '.claude.json')).mode & 0o777).toBe(0o600);
  });

  it('leaves a file alone that is not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{\n  "note": "caf'),
      Buffer.from([0xe9]),
      Buffer.from('",\n  "mcpServers": {}\n}\n'),
    ]);
    writeFileSync(join(world.workspace, '.mcp.json'), bytes);
    expect(await run('claude-code', '--write')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not UTF-8, so it was not changed') as string,
    });
    expect(readFileSync(join(world.workspace, '.mcp.json'))).toEqual(bytes);
  });

  it('keeps what somebody added to the entry, and shows what changes', async () => {
    world.write({
      'work/.mcp.json':
        '{\n  "mcpServers": {\n    "techne": {\n      "type": "stdio",\n      "command": "/old/techne",\n      "args": ["mcp", "--no-relay"],\n      "env": {"KEY": "x"},\n      "disabled": true,\n      "alwaysLoad": false\n    }\n  }\n}\n',
    });
    const { code, out } = await run('claude-code', '--write');
    expect([code, out.split('\n').filter((line) => /^[-+] /.test(line))]).toEqual([
      0,
      ['-       "command": "/old/techne",', '+       "command": "techne",'],
    ]);
    expect(read('work/.mcp.json')).toEqual({
      mcpServers: {
        techne: {
          type: 'stdio',
          command: 'techne',
          args: ['mcp', '--no-relay'],
          env: { KEY: 'x' },
          disabled: true,
          alwaysLoad: false,
        },
      },
    });
  });

  it('neither waits for a pipe nor replaces it', async () => {
    mkdirSync(join(world.workspace, '.cursor'));
    execFileSync('mkfifo', [join(world.folder, 'pipe')]);
    symlinkSync(join(world.folder, 'pipe'), join(world.workspace, '.cursor/mcp.json'));
    expect(await run('cursor', '--write')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a regular file, so it was not changed') as string,
    });
    expect(statSync(join(world.folder, 'pipe')).isFIFO()).toBe(true);
  });

  it('leaves a file alone that it cannot read, and prints what to put there', async () => {
    writeFileSync(join(world.workspace, '.mcp.json'), '{ "mcpServers": oops }');
    const { code, out, err } = await run('claude-code', '--write');
    expect([code, err]).toEqual([
      1,
      'techne: .mcp.json was not changed: line 1: a value is missing. Add this to it:\n',
    ]);
    expect(JSON.parse(out)).toHaveProperty('mcpServers.techne');
    expect(readFileSync(join(world.workspace, '.mcp.json'), 'utf8')).toBe('{ "mcpServers": oops }');
  });

  it('puts the folders that were named into the entry, as they are from anywhere', async () => {
    mkdirSync(join(world.workspace, 'skills'));
    expect((await run('claude-desktop', '--workspace', '.', '--root', 'skills', '--write')).code).toBe(0);
    expect(read('home/.config/Claude/claude_desktop_config.json')).toEqual({
      mcpServers: {
        techne: {
          command: absolute.command,
          args: [...absolute.args, '--workspace', world.workspace, '--root', join(world.workspace, 'skills')],
        },
      },
    });
    expect((await run('vscode', '--workspace', '.', '--write')).code).toBe(0);
    expect(read('work/.vscode/mcp.json')).toMatchObject({
      servers: { techne: { args: ['mcp', '--workspace', world.workspace] } },
    });
  });

  it('suggests a folder where the host starts servers elsewhere', async () => {
    const advice =
      'does not start servers in a project: add --workspace FOLDER to serve the skills of one.\n';
    for (const [host, ...more] of [['windsurf'], ['claude-desktop'], ['cursor', '--scope', 'user']] as const)
      expect((await run(host, ...more)).out).toContain(advice);
    expect((await run('windsurf', '--workspace', '.')).out).not.toContain(advice);
    expect((await run('cursor')).out).not.toContain(advice);
  });

  it.each(['bad name!', 'a.b', '-x', 'é', 'a'.repeat(65)])(
    'takes no name like %j, for any host',
    async (name) => {
      for (const host of ['codex', 'claude-code', 'vscode'])
        expect(await run(host, `--name=${name}`, '--write')).toMatchObject({
          code: 2,
          err: expect.stringContaining('is not a valid server name') as string,
        });
      expect(existsSync(join(world.home, '.codex/config.toml'))).toBe(false);
    },
  );

  it('replaces an older entry of codex', async () => {
    world.write({
      'home/.codex/config.toml': 'model = "gpt-5"\n\n[mcp_servers.techne]\ncommand = "old"\nargs = ["mcp"]\n',
    });
    const { code, out } = await run('codex', '--write');
    expect([code, out.split('\n').filter((line) => /^[-+] /.test(line))]).toEqual([
      0,
      [
        '- command = "old"',
        '- args = ["mcp"]',
        '+ required = true',
        '+ command = "techne"',
        '+ args = ["mcp", "--page", "9000"]',
      ],
    ]);
    expect(readFileSync(join(world.home, '.codex/config.toml'), 'utf8')).toBe(
      'model = "gpt-5"\n\n[mcp_servers.techne]\nrequired = true\ncommand = "techne"\nargs = ["mcp", "--page", "9000"]\n',
    );
  });

  it('does not ask for a second entry where the first cannot be edited', async () => {
    world.write({ 'home/.codex/config.toml': 'mcp_servers.techne.command = "old"\n' });
    expect(await run('codex', '--write')).toMatchObject({
      code: 1,
      err: 'techne: ~/.codex/config.toml was not changed: it already has [mcp_servers.techne], in another notation. Replace the entry with this:\n',
    });
  });

  it('asks at a terminal', async () => {
    const env = { PATH: `${join(world.folder, 'bin')}:/usr/bin:/bin` };
    await world.run(['mcp', 'install', 'claude-code'], { env, typed: 'n\n' });
    expect(existsSync(join(world.workspace, '.mcp.json'))).toBe(false);
    await world.run(['mcp', 'install', 'claude-code'], { env, typed: 'y\n' });
    expect(read('work/.mcp.json')).toHaveProperty('mcpServers.techne');
  });

  it('says where a host has no such file', async () => {
    expect(await run('windsurf', '--scope', 'project')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Windsurf has no file for the scope "project"') as string,
    });
  });
});
