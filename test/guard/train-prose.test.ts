// What was learned is what the lines say now: who changes one of both makes the other anew.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);

describe('the weights of signs in prose', () => {
  it('are those of the lines, the signs and the settings that there are', () => {
    expect(
      execFileSync(process.execPath, ['scripts/train-prose.mjs', '--verify'], {
        cwd: fileURLToPath(root),
        encoding: 'utf8',
      }),
    ).toBe('trained.ts is made of these lines\n');
  }, 60_000);
});

describe('the lines', () => {
  it('are each there once, and none is an example of the rule that weighs them', () => {
    const folder = new URL('data/prose/', root);
    const lines = readdirSync(folder).flatMap((name) =>
      (Object.values(parse(readFileSync(new URL(name, folder), 'utf8')) as object) as string[][]).flat(),
    );
    const examples = parse(readFileSync(new URL('test/guard/rules/weighed.yaml', root), 'utf8')) as {
      readonly found: readonly string[];
      readonly clean: readonly string[];
    }[];
    const all = [...lines, ...examples.flatMap(({ found, clean }) => [...found, ...clean])];
    expect(all.filter((line, at) => all.indexOf(line) !== at)).toEqual([]);
  });
});
