// `techne graph` as a process, and its tools over MCP.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
let world: World;
beforeAll(() => {
  world = createWorld({
    'work/techne.json': '{}',
    'work/.obsidian/app.json': '{}',
    'work/Entropy.md':
      '---\ntype: concept\naliases: [S]\n---\n# Entropy\nprerequisite:: [[Probability]]\n[[Gone]]\n',
    'work/deep/Probability.md': '---\ntype: concept\ntags: [maths]\n---\nleads_to:: [[Entropy]]\n',
    'work/Alone.md': 'nothing',
    'work/broken.md': '---\na: "b\n---\n',
  });
});
afterAll(() => world.remove());

function techne(...argv: readonly string[]) {
  const done = spawnSync(process.execPath, [bin, ...argv], {
    cwd: world.workspace,
    env: { PATH: process.env['PATH'], HOME: world.home },
    encoding: 'utf8',
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}
const json = (...argv: readonly string[]): unknown => JSON.parse(techne(...argv, '--json').out);

describe('techne graph', () => {
  it('counts, shows and finds', () => {
    expect(json('graph')).toMatchObject({
      notes: 4,
      edges: 2,
      dangling: 1,
      orphans: 2,
      types: { concept: 2 },
    });
    expect(json('graph', 'show', 's')).toMatchObject({
      note: { path: 'Entropy.md', aliases: ['S'] },
      edges: [
        { to: 'deep/Probability.md', type: 'prerequisite', line: 6 },
        { to: null, target: 'Gone', problem: 'missing' },
      ],
      backlinks: [{ from: 'deep/Probability.md', type: 'leads_to' }],
    });
    expect(techne('graph', 'query', '--tag', 'maths')).toEqual({
      code: 0,
      out: 'deep/Probability.md  concept\n',
      err: '',
    });
    expect(techne('graph', 'path', 'Entropy', 'Alone')).toEqual({
      code: 1,
      out: '',
      err: 'no links connect "Entropy" and "Alone"\n',
    });
    expect(techne('graph', 'neighbours', 'Entropy', '--format', 'dot').out).toMatch(/^digraph notes \{/);
    expect(techne('graph', 'dangling').out).toBe(
      'Entropy.md:7: NOTE_LINK_MISSING: the link leads to "Gone", and there is no such note\n  write the note, or correct the name\n',
    );
    expect(techne('graph', 'check', '--strict').code).toBe(1);
    expect(techne('graph', 'orphans').out).toBe('Alone.md   -\nbroken.md  -\n');
  });

  it('says what is wrong', () => {
    expect(techne('graph', 'show', 'Entropie')).toEqual({
      code: 2,
      out: '',
      err: 'techne: there is no note "Entropie" in the vault\n  hint: did you mean "Entropy"?\n',
    });
    expect(techne('graph', '--vault', 'nowhere')).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not exist') as string,
    });
  });

  it('is offered to agents as tools where the workspace is a vault', () => {
    const messages = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      {
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: { name: 'graph_neighbours', arguments: { note: 'Entropy' } },
      },
    ];
    const done = spawnSync(process.execPath, [bin, 'mcp'], {
      cwd: world.workspace,
      env: { PATH: process.env['PATH'], HOME: world.home },
      encoding: 'utf8',
      input: messages.map((one) => `${JSON.stringify(one)}\n`).join(''),
      timeout: 20_000,
    });
    const replies = done.stdout
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            id?: number;
            result?: { tools?: { name: string }[]; content?: { text: string }[] };
          },
      );
    const reply = (id: number) => replies.find((one) => one.id === id)?.result;
    expect(reply(2)?.tools?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['graph_query', 'graph_neighbours', 'graph_tasks']),
    );
    expect(reply(3)?.content?.[0]?.text).toBe(
      'deep/Probability.md (concept) [Entropy.md -prerequisite-> this]',
    );
  });
});
