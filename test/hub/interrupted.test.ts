// A fetch that is interrupted leaves neither files nor processes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AbortSource } from '../../src/base/abort.ts';
import { fetchSource } from '../../src/hub/fetch/fetch-source.ts';
import type { Source } from '../../src/hub/source/source.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram, modules } from '../support/child-program.ts';
import { noGit, skillText, commitCrafted } from '../support/hub/craft.ts';
import { serve } from '../support/hub/npm-registry.ts';
import { fetchWith, openBench } from '../support/hub/options.ts';

/** A server that begins to answer git, and then is silent. */
const silentGit = () =>
  serve((request, response) => {
    if (request.url?.endsWith('git-upload-pack') === true && request.method === 'GET')
      response
        .writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
        .end('001e# service=git-upload-pack\n0000000eversion 2\n000cls-refs\n000afetch\n0000');
  });

describe.skipIf(noGit)('an interrupted fetch', () => {
  let program: ChildProgram;
  beforeAll(async () => {
    program = await childProgram('fetch-source', modules);
  });
  afterAll(() => program.close());
  const source = (url: string): Source => ({
    kind: 'git',
    url: `${url}r.git`,
    ref: null,
    path: null,
    treePath: null,
    skills: [],
  });
  const processesIn = (folder: string): string =>
    spawnSync('sh', ['-c', `ls -l /proc/*/cwd 2>/dev/null | grep -c '${folder}'`])
      .stdout.toString()
      .trim();
  const until = async (check: () => boolean): Promise<void> => {
    while (!check()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s removes its folder and ends git',
    async (signal) => {
      const server = await silentGit();
      const bench = openBench();
      const temp = bench.options.tempFolder as string;
      const child = program.start(JSON.stringify(source(server.url)), JSON.stringify(bench.options));
      const ended = new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
      await until(() => server.requests.some(({ method }) => method === 'POST'));
      expect(readdirSync(temp)).toHaveLength(1);
      child.kill(signal);
      expect(await ended).toBe(signal);
      // A killed process is there for a moment longer.
      await until(() => processesIn(temp) === '0');
      expect([readdirSync(temp), processesIn(temp)]).toEqual([[], '0']);
      await server.close();
      bench.close();
    },
  );

  it('by an abort removes its folder and ends git', async () => {
    const server = await silentGit();
    const bench = openBench();
    const abort = new AbortSource();
    const work = fetchSource(source(server.url), bench.options, () => undefined, abort.signal);
    const outcome = work.then(
      () => 'it went on',
      (error: unknown) => (error as Error).message,
    );
    await until(() => server.requests.some(({ method }) => method === 'POST'));
    abort.abort(new Error('enough'));
    expect(await outcome).toBe('enough');
    expect([bench.leftovers(), processesIn(bench.options.tempFolder as string)]).toEqual([[], '0']);
    await server.close();
    bench.close();
  });

  it('by a kill is cleaned up by the next one', async () => {
    const bench = openBench();
    const dead = spawnSync('sh', ['-c', 'echo $$']).stdout.toString().trim();
    mkdirSync(join(bench.options.tempFolder as string, `techne-fetch-${dead}-abc`, 'x'), { recursive: true });
    mkdirSync(join(bench.options.tempFolder as string, `techne-fetch-${process.pid}-abc`));
    commitCrafted(join(bench.folder, 'r.git'), [{ name: 'SKILL.md', bytes: skillText('pdf') }]);
    await fetchWith(bench, source(`file://${bench.folder}/`));
    expect(bench.leftovers()).toEqual([`techne-fetch-${process.pid}-abc`]);
    bench.close();
  });
});
