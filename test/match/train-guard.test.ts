// What was learned is what the frames say now: who changes one of both makes the other anew.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { frameKinds } from '../../src/measure/eval/frames.ts';

const root = new URL('../../', import.meta.url);

interface Frame {
  readonly kind: string;
  readonly frame: string;
}

function framesIn(folder: string): readonly (Frame & { readonly at: string })[] {
  return readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) =>
      readFileSync(new URL(folder + name, root), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line, at) => ({ ...(JSON.parse(line) as Frame), at: `${folder}${name}:${at + 1}` })),
    );
}

const learned = [...framesIn('data/guard/'), ...framesIn('data/guard/rules/')];
const keptBack = framesIn('test/match/kept-back/');

describe('the weights of signs', () => {
  it('are those of the frames, the signs and the settings that there are', () => {
    expect(
      execFileSync(process.execPath, ['scripts/train-guard.mjs', '--verify'], {
        cwd: fileURLToPath(root),
        encoding: 'utf8',
      }),
    ).toBe('trained.ts is made of these frames\n');
  }, 60_000);
});

describe('frames', () => {
  it('have a kind, and one place for the trigger', () => {
    const kinds = new Set<string>(frameKinds);
    expect(
      [...learned, ...keptBack]
        .filter(({ kind, frame }) => !kinds.has(kind) || frame.split('{t}').length !== 2)
        .map(({ at }) => at),
    ).toEqual([]);
  });

  it('that are kept back were not learned', () => {
    const known = new Set(learned.map(({ frame }) => frame.toLowerCase()));
    expect(keptBack.filter(({ frame }) => known.has(frame.toLowerCase())).map(({ at }) => at)).toEqual([]);
  });
});
