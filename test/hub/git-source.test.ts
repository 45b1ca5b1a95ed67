import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import type { Source } from '../../src/hub/source/source.ts';
import { commitCrafted, git, noGit, skillText } from '../support/hub/craft.ts';
import type { Bench } from '../support/hub/options.ts';
import { failure, fetchWith, openBench, summary } from '../support/hub/options.ts';

const source = (folder: string, change: Partial<Extract<Source, { kind: 'git' }>> = {}): Source => ({
  kind: 'git',
  url: `file://${folder}`,
  ref: null,
  path: null,
  treePath: null,
  skills: [],
  ...change,
});

describe.skipIf(noGit)('a git source', () => {
  let bench: Bench;
  let repository: string;
  beforeEach(() => {
    bench = openBench();
    repository = join(bench.folder, 'repository');
  });
  afterEach(() => bench.close());

  it('gives its skills, the commit and its time, and leaves no file behind', async () => {
    const commit = commitCrafted(repository, [
      { name: 'README.md', bytes: 'hello' },
      { name: 'skills/pdf/SKILL.md', bytes: skillText('pdf') },
      { name: 'skills/pdf/scripts/run.sh', bytes: '#!/bin/sh\n', executable: true },
      { name: '.claude/skills/notes/SKILL.md', bytes: skillText('notes') },
    ]);
    const fetched = await fetchWith(bench, source(repository));
    expect(summary(fetched)).toEqual(['pdf: SKILL.md scripts/run.sh', 'notes: SKILL.md']);
    expect(fetched.packages[0]?.files.get('scripts/run.sh')?.executable).toBe(true);
    expect(fetched.packages[0]?.resolved).toEqual({
      kind: 'git',
      url: `file://${repository}`,
      ref: null,
      commit,
      path: null,
      committedAt: '2026-01-02T03:04:05.000Z',
    });
    expect(bench.leftovers()).toEqual([]);
  });

  it('finds where a ref with slashes ends', async () => {
    commitCrafted(repository, [{ name: 'skills/pdf/SKILL.md', bytes: skillText('pdf') }]);
    const head = git(repository, ['rev-parse', 'main']);
    git(repository, ['update-ref', 'refs/heads/feature/x', head]);
    const fetched = await fetchWith(bench, source(repository, { treePath: 'feature/x/skills/pdf' }));
    expect(fetched.packages[0]?.resolved).toMatchObject({
      ref: 'feature/x',
      path: 'skills/pdf',
      commit: head,
    });
    expect(
      await failure(fetchWith(bench, source(repository, { treePath: 'feature/y/skills' }))),
    ).toMatchObject({
      code: 'SOURCE_UNREACHABLE',
    });
  });
});
