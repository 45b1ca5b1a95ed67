import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import type { Program } from '../compile/program.ts';
import type { RunOptions, RunState } from '../options.ts';
import { restore, type Run, start } from './start.ts';

function programOf(source: string, path = 't.star'): Program {
  const result = compile(source, { path, predeclared: ['ask', 'table'], testing: true });
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.program;
}

const programs: { readonly [name: string]: string } = {
  'keys within keys': `
def main(x):
    pairs = [(1, 2), (), (3, 4)]
    table = {(pair,): ask(1) for pair in pairs}
    table.clear()
    return [ask(2), len(table), str({pair: 1 for pair in pairs}), ask(3)]
`,
  'values of every kind': `
def main(xs):
    cyclic = [1]
    cyclic.append(cyclic)
    shared = {"k": [1, 2]}
    values = [None, True, 0, -7, 1 << 70, 1.5, -0.0, float("nan"), float("inf"), "", "short", "long" * 50, "\\U0001F600", b"ab", (), (1, (2,)), range(3, 9, 2),
              set([1, "a", (1, 2)]), {1.0: "one", (300000, "x"): 2}, "ab".elems(), b"cd".elems(), len, json.encode, json, [1].append, "x".join, ask, struct(a = [1]), shared, shared, cyclic]
    seen = {}
    for v in values:
        seen[ask(len(seen))] = v
    shared["k"].append(3)
    key = (300000, "x")
    ask(0)
    return [str(seen), values[17] == set(["a", (1, 2), 1]), values[18][key], values[18][1], values[22](["a"]), values[25](["a", "b"]), str(cyclic), xs, len(table)]
`,
  'loops, locks and holes': `
def main(xs):
    d = {i: i for i in range(6)}
    d.pop(2)
    s = set([5, 6, 7])
    s.remove(6)
    out = []
    for k in d:
        for x in s:
            for u in "ab".elems():
                for b in b"c".elems():
                    if k == 4:
                        break
                    out.append((k, x, u, b, ask(1)))
    out.append(catch(lambda: [d.pop(k) for k in d if ask(k) > 0]))
    d.clear()
    return [str(out), [ask(x) + y for x in [1, 2] for y in range(ask(2))], {k: v for k, v in [(ask("a"), 1)]}]
`,
  'closures and cells': `
def counter(start):
    n = [start]
    def bump(by = ask(2)):
        n[0] += by
        return ask(n[0])
    return bump
def main(xs):
    a = counter(1)
    b = counter(10)
    both = {a: "a", b: "b"}
    total = a() + b() + a(by = 5)
    later = lambda: total + ask(1)
    total += 1
    return [total, later(), both[a], both[b], [f() for f in [lambda: ask(x) for x in range(3)]], a == a, a == b]
`,
  'calls back': `
def main(xs):
    pairs = [(2, 1), (1, 2)]
    def key(x):
        return -ask(x)
    return [sorted([3, 1, 2], key = key), sorted([3, 1, 2], key = ask, reverse = True), min(["bb", "a"], key = lambda s: ask(len(s))), catch(lambda: ask(1) // 0), catch(lambda: ask(1)), catch(lambda: max(pairs, key = lambda p: ask(0) or pairs.append(p))), pairs.append(1), str(pairs),
            sorted([[2, 1], [1, 2]], key = lambda p: sorted(p, key = ask))]
`,
  modules: `
load("lib", "helper", "data")
x = ask([1])
def main(xs):
    return [helper(ask(2)), data, x, table["k"]]
`,
  'a failure': `
def main(xs):
    for i in range(5):
        ask(i)
        xs.append(1 // (3 - i))
`,
  'little memory': `
def main(xs):
    keep = []
    for i in range(60):
        keep.append([str(i), i * 0.5, ("k", i), "t" * 300])
        if ask(i) % 7 == 0:
            keep = keep[-3:]
        junk = [0] * 200
    return len(keep)
`,
};

const library = programOf(
  'load("deep", "one")\ndata = [one, ask("lib")]\ndef helper(x):\n    y = ask(x)\n    return [y, data]\n',
  'lib',
);
const deep = programOf('one = ask(1)\n', 'deep');

function options(printed: string[]): RunOptions {
  return {
    entry: 'main',
    args: [['arg']],
    values: { table: { k: [1, 2] } },
    maxMemoryBytes: 60_000,
    print: (text) => printed.push(text),
    load: (name) => (name === 'lib' ? library : name === 'deep' ? deep : null),
  };
}

interface End {
  readonly state: RunState;
  readonly printed: readonly string[];
  readonly usage: Run['usage'];
}

/** Drives a run; before each answer and after each slice it may be replaced by what its snapshot gives. */
function drive(program: Program, slice: () => number, replace: () => boolean): End {
  const printed: string[] = [];
  let run = start(program, options(printed));
  for (;;) {
    const state = run.run(slice());
    if (state.kind === 'done' || state.kind === 'failed') return { state, printed, usage: run.usage };
    if (replace()) run = copy(program, run, printed, state);
    if (state.kind === 'host-call') {
      run.resume(state.args[0] ?? null);
      if (replace()) run = copy(program, run, printed, null);
    }
  }
}

function copy(program: Program, run: Run, printed: string[], state: RunState | null): Run {
  const snapshot = JSON.stringify(run.snapshot());
  const restored = restore(program, JSON.parse(snapshot), options(printed));
  expect(JSON.stringify(restored.snapshot())).toBe(snapshot);
  if (state?.kind === 'host-call') expect(restored.run()).toEqual(state);
  return restored;
}

describe('restore', () => {
  it.each(Object.keys(programs))('goes on the same from a snapshot at every host call: %s', (name) => {
    const program = programOf(programs[name] as string);
    const plain = drive(
      program,
      () => Infinity,
      () => false,
    );
    expect(
      drive(
        program,
        () => Infinity,
        () => true,
      ),
    ).toEqual(plain);
    expect(plain.state.kind).toBe(name === 'a failure' ? 'failed' : 'done');
  });

  it.each(Object.keys(programs))('goes on the same from snapshots at random pauses: %s', (name) => {
    const program = programOf(programs[name] as string);
    const plain = drive(
      program,
      () => Infinity,
      () => false,
    );
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        fc.infiniteStream(fc.boolean()),
        (slices, replaced) => {
          expect(
            drive(
              program,
              () => slices.next().value as number,
              () => replaced.next().value as boolean,
            ),
          ).toEqual(plain);
        },
      ),
      { numRuns: 15, seed: 7 },
    );
  });

  it('refuses another program, other modules and another version', () => {
    const program = programOf(programs['modules'] as string);
    const run = start(program, options([]));
    run.run();
    const snapshot = run.snapshot() as { [key: string]: never };
    expect(() => restore(programOf('x = 1\n'), snapshot)).toThrow(
      'not a snapshot of this program: it was made with another program than t.star',
    );
    expect(() => restore(program, snapshot)).toThrow(
      'not a snapshot of this program: it needs the module "lib", which cannot be loaded',
    );
    expect(() => restore(program, { ...snapshot, format: 0 as never })).toThrow(
      'not a snapshot of this program: it was made by another version',
    );
    expect(() => restore(program, null)).toThrow('not a snapshot of this program: it is not an object');
  });

  it('keeps the data of the call that the run waits for', () => {
    const program = programOf('ask([1 << 60, b"\\x00\\xff", {"__proto__": 1}, -0.0], k = (1,))\n');
    const run = start(program);
    const state = run.run();
    expect(restore(program, JSON.parse(JSON.stringify(run.snapshot()))).run()).toEqual(state);
  });
});
