import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld({ 'bin/techne': '#!/bin/sh\n' });
  chmodSync(join(world.folder, 'bin/techne'), 0o755);
});
afterEach(() => world.remove());

const run = (...argv: readonly string[]) => world.run(['mcp', 'install', ...argv], { env: { PATH: `${join(world.folder, 'bin')}:/usr/bin:/bin` } });
const read = (path: string): unknown => JSON.parse(readFileSync(join(world.folder, path), 'utf8'));

describe('techne mcp install', () => {
  it('shows the change, and writes nothing by itself', async () => {
    const { code, out } = await run('claude-code');
    expect(code).toBe(0);
    expect(out).toBe('Claude Code: .mcp.json (a new file)\n+ {\n+   "mcpServers": {\n+     "techne": {\n+       "type": "stdio",\n+       "command": "techne",\n+       "args": [\n+         "mcp"\n+       ]\n+     }\n+   }\n+ }\nNothing was written; --write writes it.\n');
    expect(existsSync(join(world.workspace, '.mcp.json'))).toBe(false);
  });

  it.each([
    ['claude-code', 'work/.mcp.json', { mcpServers: { techne: { type: 'stdio', command: 'techne', args: ['mcp'] } } }],
    ['cursor', 'work/.cursor/mcp.json', { mcpServers: { techne: { command: 'techne', args: ['mcp', '--workspace', '${workspaceFolder}'] } } }],
    ['vscode', 'work/.vscode/mcp.json', { servers: { techne: { type: 'stdio', command: 'techne', args: ['mcp', '--workspace', '${workspaceFolder}'] } } }],
    ['gemini', 'work/.gemini/settings.json', { mcpServers: { techne: { command: 'techne', args: ['mcp'] } } }],
    ['zed', 'work/.zed/settings.json', { context_servers: { techne: { source: 'custom', command: 'techne', args: ['mcp'] } } }],
    ['opencode', 'work/opencode.json', { mcp: { techne: { type: 'local', command: ['techne', 'mcp'], enabled: true } } }],
    ['windsurf', 'home/.codeium/windsurf/mcp_config.json', { mcpServers: { techne: { command: 'techne', args: ['mcp'] } } }],
    ['claude-desktop', 'home/.config/Claude/claude_desktop_config.json', { mcpServers: { techne: { command: 'techne', args: ['mcp'] } } }],
  ])('writes what %s reads', async (host, path, content) => {
    expect(await run(host, '--write')).toMatchObject({ code: 0, out: expect.stringContaining('Written to ') as string });
    expect(read(path)).toEqual(content);
    expect(await run(host, '--write')).toMatchObject({ code: 0, out: expect.stringContaining('has techne already') as string });
  });

  it('writes the TOML of codex behind what is there', async () => {
    world.write({ 'home/.codex/config.toml': 'model = "gpt-5"\n' });
    expect((await run('codex', '--write')).code).toBe(0);
    expect(readFileSync(join(world.home, '.codex/config.toml'), 'utf8')).toBe('model = "gpt-5"\n\n[mcp_servers.techne]\ncommand = "techne"\nargs = ["mcp"]\n');
  });

  it('keeps other entries, rights and links', async () => {
    world.write({ 'elsewhere/mcp.json': '{\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n' });
    chmodSync(join(world.folder, 'elsewhere/mcp.json'), 0o600);
    mkdirSync(join(world.workspace, '.cursor'));
    symlinkSync(join(world.folder, 'elsewhere/mcp.json'), join(world.workspace, '.cursor/mcp.json'));
    expect((await run('cursor', '--write')).code).toBe(0);
    expect(read('elsewhere/mcp.json')).toMatchObject({ mcpServers: { other: { command: 'x' }, techne: { command: 'techne' } } });
    expect(statSync(join(world.folder, 'elsewhere/mcp.json')).mode & 0o777).toBe(0o600);
  });

  it('neither waits for a pipe nor replaces it', async () => {
    mkdirSync(join(world.workspace, '.cursor'));
    execFileSync('mkfifo', [join(world.folder, 'pipe')]);
    symlinkSync(join(world.folder, 'pipe'), join(world.workspace, '.cursor/mcp.json'));
    expect(await run('cursor', '--write')).toMatchObject({ code: 1, err: expect.stringContaining('is no plain file, so it is left alone') as string });
    expect(statSync(join(world.folder, 'pipe')).isFIFO()).toBe(true);
  });

  it('leaves a file alone that it cannot read, and prints what to put there', async () => {
    writeFileSync(join(world.workspace, '.mcp.json'), '{ "mcpServers": oops }');
    const { code, out, err } = await run('claude-code', '--write');
    expect([code, err]).toEqual([1, 'techne: .mcp.json is left alone: line 1: a value is missing. Put this into it:\n']);
    expect(JSON.parse(out)).toHaveProperty('mcpServers.techne');
    expect(readFileSync(join(world.workspace, '.mcp.json'), 'utf8')).toBe('{ "mcpServers": oops }');
  });

  it('asks at a terminal', async () => {
    const env = { PATH: `${join(world.folder, 'bin')}:/usr/bin:/bin` };
    await world.run(['mcp', 'install', 'claude-code'], { env, typed: 'n\n' });
    expect(existsSync(join(world.workspace, '.mcp.json'))).toBe(false);
    await world.run(['mcp', 'install', 'claude-code'], { env, typed: 'y\n' });
    expect(read('work/.mcp.json')).toHaveProperty('mcpServers.techne');
  });

  it('says where a host has no such file', async () => {
    expect(await run('windsurf', '--scope', 'project')).toMatchObject({ code: 2, err: expect.stringContaining('Windsurf has no file for the scope "project"') as string });
  });
});
