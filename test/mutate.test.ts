// scripts/mutate.mjs: what it changes, and which tests it takes. The figures themselves are measured by hand.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface Mutant {
  readonly line: number;
  readonly onLine: string;
  readonly change: string;
  readonly nth: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Scripts {
  readonly findMutants: (file: string, text: string) => readonly Mutant[];
  readonly applyMutant: (text: string, mutant: Mutant) => string;
  readonly readImporters: (
    project: string,
    folders: readonly string[],
  ) => ReadonlyMap<string, readonly string[]>;
  readonly nearestTests: (
    importers: ReadonlyMap<string, readonly string[]>,
    file: string,
    isNamed?: (test: string) => boolean,
  ) => readonly string[];
}

const scriptUrl = (name: string): string => new URL(`../scripts/${name}.mjs`, import.meta.url).href;
const load = async (name: string): Promise<Scripts> => (await import(scriptUrl(`mutate/${name}`))) as Scripts;

describe('findMutants', () => {
  const changesOf = async (text: string): Promise<readonly string[]> =>
    (await load('find-mutants')).findMutants('x.ts', text).map(({ change }) => change);

  it.each<[string, readonly string[]]>([
    ['const a = b < c;', ['< → <=']],
    ['const a = b === c && !d;', ['=== → !==', '&& → ||', '!d → d']],
    ['const a = b ?? c;', ['b ?? c → (b)']],
    ['if (a) b();', ['a → true', 'a → false', 'b(); → ;']],
    ['const a = b ? 1 : 2;', ['b → true', 'b → false', '1 → 2', '2 → 3']],
    ['while (a) a = f(a);', ['a → false', 'a = f(a); → ;']],
    ['const a = b + c * d;', ['+ → -', '* → /']],
    ["const a = 'x' + b + `y`;", []],
    ['const a = xs.some(f) || Math.min(b, c);', ['some → every', '|| → &&', 'min → max']],
    ["throw new Error('no');", ["throw new Error('no'); → ;"]],
    ["import { a } from './a.ts'; type B = { readonly c: 1 | true }; const d = e as 5;", []],
    ["'use strict';\nunreachable(a);", []],
    ['let a: 1 = 1;', ['1 → 2']],
  ])('of %s', async (text, changes) => {
    expect(await changesOf(text)).toEqual(changes);
  });

  it('names a mutant by its line, and applies it there alone', async () => {
    const { findMutants, applyMutant } = await load('find-mutants');
    const text = 'const a = b < c;\n\n  const d = b < c ? true : e;\nconst a = b < c;\n';
    const found = findMutants('x.ts', text);
    expect(found.map(({ line, onLine, change, nth }) => [line, onLine, change, nth])).toEqual([
      [1, 'const a = b < c;', '< → <=', 1],
      [3, 'const d = b < c ? true : e;', 'b < c → true', 1],
      [3, 'const d = b < c ? true : e;', 'b < c → false', 1],
      [3, 'const d = b < c ? true : e;', '< → <=', 1],
      [3, 'const d = b < c ? true : e;', 'true → false', 1],
      [4, 'const a = b < c;', '< → <=', 2],
    ]);
    expect(applyMutant(text, found[2] as Mutant)).toBe(
      'const a = b < c;\n\n  const d = false ? true : e;\nconst a = b < c;\n',
    );
  });

  it('says which file cannot be parsed', async () => {
    await expect(changesOf('const = ;')).rejects.toThrow('x.ts cannot be parsed');
  });
});

describe('nearestTests', () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'techne-mutate-'));
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  it('are the one with the name of a module, those beside it, those of its area, then those with the fewest imports between', async () => {
    for (const [path, text] of Object.entries({
      'src/a/one.ts': 'export const one = 1;',
      'src/a/two.ts': "import { one } from './one.ts'; export const two = one;",
      'src/a/beside.test.ts': "import { one } from './one.ts'; one;",
      'src/a/one.test.ts': "import { two } from './two.ts'; two;",
      'src/b/three.ts': "export { two } from '../a/two.ts';",
      'src/b/three.test.ts': "import './three.ts';",
      'src/b/later.test.ts': "const one = await import('../a/one.ts'); one;",
      'src/b/types.test.ts':
        "import type { one } from '../a/one.ts'; import { type two } from '../a/two.ts';",
      'src/b/other.test.ts': "import './nothing.ts';",
    })) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const { readImporters, nearestTests } = await load('import-graph');
    const importers = readImporters(project, ['src']);
    expect(nearestTests(importers, 'src/a/one.ts')).toEqual([
      'src/a/one.test.ts',
      'src/a/beside.test.ts',
      'src/b/later.test.ts',
      'src/b/three.test.ts',
    ]);
    expect(
      nearestTests(importers, 'src/a/one.ts', (test) => test === 'src/b/three.test.ts').slice(2),
    ).toEqual(['src/b/three.test.ts', 'src/b/later.test.ts']);
  });
});

describe('the command', () => {
  const run = (...args: readonly string[]): { readonly status: number; readonly text: string } => {
    try {
      return {
        status: 0,
        text: execFileSync(process.execPath, [fileURLToPath(scriptUrl('mutate')), ...args], {
          encoding: 'utf8',
          stdio: 'pipe',
        }),
      };
    } catch (error) {
      const { status, stderr } = error as { readonly status: number; readonly stderr: string };
      return { status, text: stderr };
    }
  };

  it('takes the same mutants for the same seed', () => {
    const list = (seed: string): string => run('budgets', '--list', '--count', '3', '--seed', seed).text;
    expect(list('1').match(/^possible/gm)).toHaveLength(3);
    expect(list('1')).toBe(list('1'));
    expect(list('1')).not.toBe(list('2'));
  });

  it('says what is wrong with what it was given', () => {
    expect(run('nowhere')).toMatchObject({
      status: 2,
      text: expect.stringMatching(/^mutate: no such area: "nowhere" \(one of journal, /) as string,
    });
    expect(run('--count', 'many')).toEqual({
      status: 2,
      text: 'mutate: --count must be a whole number of at least 0, not "many"\n',
    });
    expect(run('--again', '/nothing.json')).toMatchObject({ status: 2 });
    expect(run('--help').text).toContain('Usage: node scripts/mutate.mjs');
  });
});
