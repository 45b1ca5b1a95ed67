// The formatter on every program there is: the same tree, the same comments, and nothing left to do.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Faults } from '../syntax/cursor.ts';
import { lex } from '../syntax/lex.ts';
import { parseModule } from '../syntax/parse.ts';
import { formatProgram } from './format-program.ts';
import { isSameTree } from './same-tree.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const conformance = join(project, '../shared/conformance/starlark');
const folders = ['skills', 'examples', 'test']
  .map((name) => join(project, name))
  .concat(existsSync(conformance) ? [conformance] : []);

/** Every program without faults; a file of the suite holds several. */
const programs = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.star'))
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split(/^---$/m)
        .map((text, index) => ({ name: `${name}#${index}`, text })),
    )
    .filter(({ text }) => tree(text) !== null),
);

function tree(text: string): ReturnType<typeof parseModule> {
  let isSound = true;
  const module = parseModule(text, { maxDepth: 200, maxSourceUnits: 1_000_000, interactive: false }, () => {
    isSound = false;
  });
  return isSound ? module : null;
}

/** The text between the tokens, without blanks. */
function comments(text: string): readonly string[] {
  const { starts, ends } = lex(text, new Faults());
  let end = 0;
  return starts.flatMap((start, at) => {
    const between = text.slice(end, start);
    end = Math.max(end, ends[at] as number);
    return [...between.matchAll(/#[^\r\n]*/g)].map(([comment]) => comment.trimEnd());
  });
}

function checked(text: string): string {
  const made = formatProgram(text);
  if (made === null) throw new Error('a sound program was not laid out');
  return made;
}

describe('formatProgram', () => {
  it('keeps the tree and the comments of every program of the project, and is done after one time', () => {
    expect(programs.length).toBeGreaterThan(existsSync(conformance) ? 1_000 : 30);
    for (const { name, text } of programs) {
      const made = checked(text);
      if (!isSameTree(tree(text), tree(made))) throw new Error(`${name}: another tree`);
      expect([name, comments(made)]).toEqual([name, comments(text)]);
      expect([name, checked(made)]).toEqual([name, made]);
    }
  });

  it('leaves the programs of the shipped skills as they are', () => {
    const shipped = readdirSync(join(project, 'skills'))
      .map((name) => join(project, 'skills', name, 'SKILL.star'))
      .filter((path) => existsSync(path));
    expect(shipped.length).toBeGreaterThan(5);
    for (const path of shipped) {
      const text = readFileSync(path, 'utf8');
      expect([path, checked(text)]).toEqual([path, text]);
    }
  });

  it('does so however a program is spaced and broken', () => {
    const small = programs.filter(({ text }) => text.length < 2_000);
    fc.assert(
      fc.property(
        fc.constantFrom(...small),
        fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
        ({ text }, seeds) => {
          const other = respaced(text, seeds);
          if (tree(other) === null) return;
          const made = checked(other);
          expect(comments(made)).toEqual(comments(other));
          expect(checked(made)).toBe(made);
        },
      ),
      { numRuns: 300, seed: 35 },
    );
  });

  it.each([
    ['x=1', 'x = 1\n'],
    ['x = -1+ +2 - -y', 'x = -1 + +2 - -y\n'],
    ['f( a,b = 1 , *c,**d )', 'f(a, b=1, *c, **d)\n'],
    ['x[ 1 : n+1 ]', 'x[1:n + 1]\n'],
    ["x = 'a'+\"b\"+'it\"s'", 'x = "a" + "b" + \'it"s\'\n'],
    ['x = lambda a,b=2 :a', 'x = lambda a, b=2: a\n'],
    ['1 .a', '1 .a\n'],
    ['{ "a":1,"b" :[ 1,2 ] }', '{"a": 1, "b": [1, 2]}\n'],
    ['def f( x ):\n  return(x)\n', 'def f(x):\n    return (x)\n'],
    ['def f():\n\n\n  pass\ndef g():\n  pass', 'def f():\n    pass\n\ndef g():\n    pass\n'],
    ['x = [\n 1,   # one\n\n\n   # two\n 2]', 'x = [\n    1,  # one\n\n    # two\n    2]\n'],
    [
      'def f():\n   pass\n   # in f\n# of g\ndef g():\n   pass',
      'def f():\n    pass\n    # in f\n\n# of g\ndef g():\n    pass\n',
    ],
    ['x = 1 + \\\n      2', 'x = 1 + \\\n    2\n'],
    ['x = 1;y = 2', 'x = 1; y = 2\n'],
    ['x = """a\n  b"""   ', 'x = """a\n  b"""\n'],
    ['f(g({\n"a": 1,\n}))', 'f(g({\n    "a": 1,\n}))\n'],
    ['x=1\r\ny=2\r\n', 'x = 1\r\ny = 2\r\n'],
    ['\uFEFFx=1', '\uFEFFx = 1\n'],
    ['', ''],
    ['# only\n', '# only\n'],
  ])('lays out %j', (text, made) => {
    expect(formatProgram(text)).toBe(made);
  });

  it('does not touch a program with faults', () => {
    expect(formatProgram('x = (1')).toBeNull();
    expect(formatProgram('while True: pass')).toBeNull();
  });
});

/** The same tokens with other blanks between them, where that is the same program. */
function respaced(text: string, seeds: readonly number[]): string {
  const { kinds, starts, ends } = lex(text, new Faults());
  let made = '';
  let end = 0;
  let depth = 0;
  for (const [at, start] of starts.entries()) {
    const between = text.slice(end, start);
    const seed = seeds[at % seeds.length] as number;
    const isPlain =
      /^ *$/.test(between) &&
      at > 0 &&
      kinds[at - 1] !== 'newline' &&
      kinds[at - 1] !== 'indent' &&
      kinds[at - 1] !== 'outdent';
    const ways =
      depth > 0
        ? [between, `${between} `, `${between}\n`, `${between} # c${at}\n  `]
        : [between, `${between} `];
    made +=
      isPlain && !['newline', 'indent', 'outdent', 'end of file'].includes(kinds[at] as string)
        ? (ways[seed % ways.length] as string)
        : between;
    const written = text.slice(start, ends[at]);
    if (/^[([{]$/.test(written)) depth += 1;
    if (/^[)\]}]$/.test(written)) depth -= 1;
    made += written;
    end = Math.max(end, ends[at] as number);
  }
  return made + text.slice(end);
}
