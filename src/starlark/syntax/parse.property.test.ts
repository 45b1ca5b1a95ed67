import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  childrenOf,
  read,
  readAndResolve,
  showStatements,
  type TreeNode,
} from '../../../test/support/starlark-tree.ts';

const program = `"""Sorts."""
load("lib.star", "helper", other = "thing")

LIMIT = 0x10 + 1.5e3

def outer(a, b = [1, 2], *args, key = None, **kwargs):
    '''Doc.'''
    total = 0
    for i, (x, y) in enumerate(zip(a, b)):
        if x < y and not i in args or key == None:
            total += x if y else -i
            continue
        elif total >= LIMIT // 2: break
        else:
            pass; total -= 1
    def inner(z): return [z * w for w in a if w % 2 for v in b]
    kwargs["n"], c = {k: v for k, v in kwargs.items()}, (lambda p, *q: p + a[1:-1:2])(1)
    return inner(total)[0], helper(*args, **kwargs)

print("%s: %d" % ("é😀", 3), r'\\n', b"\\xff", \\
      other.attr.method(x = 1)[2])
`;

const words = [
  'def',
  'if',
  'else',
  'elif',
  'for',
  'in',
  'lambda',
  'load',
  'not',
  'or',
  'and',
  'pass',
  'return',
  'break',
  'while',
  'class',
  'try',
  'except',
  'import',
  'yield',
  'await',
  'is',
  'f"',
  "'''",
  '"',
  "'",
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ':',
  ',',
  '=',
  '==',
  '+=',
  '**',
  '*',
  '->',
  ':=',
  '\\',
  '\n',
  '\n  ',
  '\n    ',
  '\t',
  ';',
  '.',
  '1',
  '0x',
  '1_0',
  'x',
  'y',
  '#',
  '$',
  '?',
  '!',
  '“',
  '\0',
  '\uD800',
  '\u00A0',
  '@',
  '"%5d" %',
  '\r',
  'é',
  '😀',
];

const soup = fc
  .array(fc.constantFrom(...words), { maxLength: 60 })
  .chain((parts) => fc.constantFrom(' ', '').map((space) => parts.join(space)));
const mutated = fc
  .array(
    fc.tuple(
      fc.nat(program.length),
      fc.nat(12),
      fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 4 }), fc.constant('')),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((edits) => {
    let text = program;
    for (const [at, length, insert] of edits) text = text.slice(0, at) + insert + text.slice(at + length);
    return text;
  });
const anyText = fc.oneof(soup, mutated, fc.string({ unit: 'binary', maxLength: 80 }));

/** The nodes that do not lie inside the one above them. */
function strays(node: TreeNode, outer: TreeNode): TreeNode[] {
  const isInside = node.start >= outer.start && node.start <= node.end && node.end <= outer.end;
  return [...(isInside ? [] : [node]), ...childrenOf(node).flatMap((child) => strays(child, node))];
}

describe('parseModule, on any text', () => {
  it('reads the sample program without a fault', () => {
    expect(read(program).diagnostics).toEqual([]);
  });

  it('ends with a tree or with an error, all faults inside the text and in order', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, interactive) => {
        const { module, diagnostics } = readAndResolve(text, { interactive });
        expect(module !== null || diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
        expect(
          diagnostics.filter(
            ({ span }) => span === null || span.start < 0 || span.start > span.end || span.end > text.length,
          ),
        ).toEqual([]);
        const parsed = read(text, { interactive }).diagnostics.map(({ span }) => span?.start ?? 0);
        expect(parsed).toEqual(parsed.toSorted((a, b) => a - b));
      }),
      { numRuns: 1_500, seed: 7 },
    );
  });

  it('gives nodes that lie inside one another', () => {
    const whole = read(program).module as TreeNode;
    expect(strays(whole, whole)).toEqual([]);
    fc.assert(
      fc.property(anyText, (text) => {
        const { module, diagnostics } = read(text);
        // After a fault, what was made up stands where the fault is.
        const isWhole = module !== null && !diagnostics.some(({ severity }) => severity === 'error');
        expect(isWhole ? strays(module, module) : []).toEqual([]);
      }),
      { numRuns: 1_500, seed: 11 },
    );
  });

  it('names each identifier and attribute where it stands', () => {
    const named: string[] = [];
    const walk = (node: TreeNode & { kind?: string; name?: string; nameStart?: number }): void => {
      const start =
        node.kind === 'dot' ? node.nameStart : node.kind === 'identifier' ? node.start : undefined;
      if (
        start !== undefined &&
        !program
          .slice(start)
          .replace(/^"/, '')
          .startsWith(node.name as string)
      )
        named.push(node.name as string);
      for (const child of childrenOf(node)) walk(child);
    };
    walk(read(program).module as TreeNode);
    expect(named).toEqual([]);
  });

  it('reads a program the same with other line ends, blank lines and comments', () => {
    const tree = showStatements(read(program).module?.body ?? []);
    for (const other of [
      program.replaceAll('\n', '\r\n'),
      program.replaceAll('\n', '\r'),
      `\uFEFF${program}`,
      program.trimEnd(),
      program.replace(/\n(?=\n)/g, '\n   # x\n\t\n'),
    ]) {
      const reading = read(other);
      expect(reading.diagnostics).toEqual([]);
      expect(showStatements(reading.module?.body ?? [])).toBe(tree);
    }
  });

  it('finds a fault for each broken line and none for the others', () => {
    const good = [
      'a = 1',
      'b = [x for x in "a".elems()]',
      'def f(x):\n    return x',
      'c = {\n  1: 2,\n}',
      'print("a")',
    ];
    const bad = [
      'd = = 2',
      'e = f(',
      'g h',
      'while x: pass',
      'i = "abc',
      'j = 1 is 2',
      'k = (1]',
      'return 1',
    ];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(100)), { maxLength: 12 }), (picks) => {
        const lines = picks.map(([isGood, i]) =>
          isGood ? (good[i % good.length] as string) : (bad[i % bad.length] as string),
        );
        // An unclosed bracket reaches to the next word that begins a statement.
        const text = lines.join('\npass\n');
        const wanted = picks.filter(([isGood]) => !isGood).length;
        expect(read(text).diagnostics.length).toBe(wanted);
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});
