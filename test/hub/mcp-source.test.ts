// Skills of the official MCP server, over both transports.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { neverAborted } from '../../src/base/abort.ts';
import { fetchResolved } from '../../src/hub/fetch/fetch-source.ts';
import { findLatest } from '../../src/hub/fetch/find-latest.ts';
import type { Source } from '../../src/hub/source/source.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram, firstLine, modules } from '../support/child-program.ts';
import { skillText } from '../support/hub/craft.ts';
import type { Bench } from '../support/hub/options.ts';
import { failure, fetchWith, openBench, summary } from '../support/hub/options.ts';

describe('a source that is an MCP server', () => {
  let program: ChildProgram;
  let bench: Bench;
  let folder: string;
  beforeAll(async () => {
    program = await childProgram('skills-server', modules);
  });
  afterAll(() => program.close());
  beforeEach(() => {
    const opened = openBench();
    folder = join(opened.folder, 'served');
    for (const name of ['pdf', 'notes']) {
      mkdirSync(join(folder, name, 'references'), { recursive: true });
      writeFileSync(join(folder, name, 'SKILL.md'), skillText(name));
      writeFileSync(join(folder, name, 'references/a b.md'), name);
    }
    const server = { command: process.execPath, args: [program.path, folder], env: {}, url: null };
    const crash = { command: process.execPath, args: ['-e', 'process.exit(3)'], env: {}, url: null };
    bench = { ...opened, options: { ...opened.options, mcpServers: { local: server, crash } } };
  });
  afterEach(() => bench.close());
  const source = (server: string, ...skills: string[]): Source => ({ kind: 'mcp', server, skills });

  it('gives the skills of a server that is configured, and the same again', async () => {
    const fetched = await fetchWith(bench, source('local'));
    expect([...summary(fetched)].sort()).toEqual([
      'notes: SKILL.md references/a b.md',
      'pdf: SKILL.md references/a b.md',
    ]);
    const [pdf] = (await fetchWith(bench, source('local', 'pdf'))).packages;
    if (pdf === undefined) throw new Error('nothing was fetched');
    expect(pdf.resolved).toMatchObject({
      kind: 'mcp',
      server: 'local',
      digest: expect.stringMatching(/^sha256:/),
    });
    const again = () => fetchResolved(pdf, bench.options, () => undefined, neverAborted);
    expect(summary(await again())).toEqual(['pdf: SKILL.md references/a b.md']);
    writeFileSync(join(folder, 'pdf/references/a b.md'), 'changed');
    expect((await failure(again())).code).toBe('SOURCE_CHANGED');
  });

  it('says from its list alone which skills are the same', async () => {
    const { packages } = await fetchWith(bench, source('local'));
    const locked = [...packages, { name: 'other', path: '', resolved: packages[0]!.resolved }].map(
      ({ name, path, resolved }) => ({ name, path, resolved, digest: '' }),
    );
    writeFileSync(join(folder, 'pdf/references/a b.md'), 'changed');
    const latest = await findLatest(source('local'), locked, bench.options, () => undefined, neverAborted);
    expect(Object.fromEntries(locked.map(({ name }, at) => [name, latest[at]?.kind]))).toEqual({
      notes: 'same',
      pdf: 'unknown',
      other: 'gone',
    });
  });

  it('gives the skills of an address, under the rules for addresses', async () => {
    const server = program.start(folder, 'http');
    try {
      const port = await firstLine(server);
      const fetched = await fetchWith(bench, source(`http://127.0.0.1:${port}/`, 'pdf'));
      expect(summary(fetched)).toEqual(['pdf: SKILL.md references/a b.md']);
      const error = await failure(fetchWith(bench, source(`http://localhost:${port}/`)));
      expect(error.code).toBe('SOURCE_REFUSED');
    } finally {
      server.kill('SIGKILL');
    }
  });

  it('says what is wrong with a server', async () => {
    const told: string[] = [];
    for (const each of [
      source('nothing'),
      source('crash'),
      source('local', 'nothing'),
      source('https://10.0.0.1/mcp'),
    ])
      told.push((await failure(fetchWith(bench, each))).code);
    expect(told).toEqual(['SOURCE_INVALID', 'SOURCE_UNREACHABLE', 'SOURCE_EMPTY', 'SOURCE_REFUSED']);
  });
});
