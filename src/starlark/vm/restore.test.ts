// Snapshots that were cut short, edited or made up.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { compile } from '../compile-source.ts';
import type { Program } from '../compile/program.ts';
import type { RunOptions } from '../options.ts';
import { restore, start } from './start.ts';

const source = `
def pair(n):
    cell = [n]
    def bump(by = 2):
        cell[0] += by
        return ask(cell[0])
    return bump
def main(xs):
    d = {(i, "k"): [i, 1.5, 1 << 70, b"ab", "long text that is in the table of texts"] for i in range(3)}
    s = set([1, 2, 3])
    s.remove(1)
    f = pair(1)
    g = [].append
    r = range(2, 9, 3)
    for k in d:
        for x in s:
            for i in r:
                for u in "ab".elems():
                    ask([k, x, i, u], named = {"b": b"x"})
    return sorted([3, 1, 2], key = lambda x: f(x)) + [str(g), catch(lambda: ask(1) // 0), d[(1, "k")][0]]
`;
const compiled = compile(source, { path: 't.star', predeclared: ['ask', 'table'], testing: true });
const program = (compiled.ok ? compiled.program : null) as Program;
const options: RunOptions = {
  entry: 'main',
  args: [['arg']],
  values: { table: { k: [1] } },
  maxSteps: 20_000,
  maxMemoryBytes: 1_000_000,
};

/** What a run looks like at many of its host calls and pauses. */
const snapshots: readonly string[] = (() => {
  const taken: string[] = [];
  const run = start(program, options);
  for (;;) {
    const state = run.run(9);
    if (state.kind === 'done' || state.kind === 'failed') return taken;
    taken.push(JSON.stringify(run.snapshot()));
    if (state.kind !== 'host-call') continue;
    run.resume(typeof state.args[0] === 'number' ? state.args[0] : 1);
    taken.push(JSON.stringify(run.snapshot()));
  }
})();

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -1,
    1,
    2,
    7,
    0.5,
    -0,
    1e300,
    2 ** 53,
    '',
    '__proto__',
    'constructor',
    'length',
    [],
    {},
    ['o', 0],
    ['o', '__proto__'],
    ['o', -1],
    ['s', 0],
    ['m', 0],
    ['i', '5'],
    ['i', 'x'],
    ['h', 'other'],
    ['h', 'table'],
    ['b', 'len'],
    ['b', 'toString'],
    ['x'],
    'main',
    'each',
  ),
  fc.integer({ min: 0, max: 200 }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

type Holder = { [key: string]: Json };

/** Changes the part that `at` leads to: replaces it, takes it away, or puts it there twice. */
function edit(json: Json, at: number, how: 'replace' | 'drop' | 'twice', value: Json): Json {
  const copy = JSON.parse(JSON.stringify(json)) as Json;
  const places: [Holder, string][] = [];
  const walk = (part: Json): void => {
    if (part === null || typeof part !== 'object') return;
    for (const key of Object.keys(part)) {
      places.push([part as Holder, key]);
      walk((part as Holder)[key] as Json);
    }
  };
  walk(copy);
  const [holder, key] = places[at % places.length] as [Holder, string];
  if (how === 'replace' || (how === 'twice' && !Array.isArray(holder))) holder[key] = value;
  else if (Array.isArray(holder))
    holder.splice(
      Number(key),
      how === 'drop' ? 1 : 0,
      ...(how === 'drop' ? [] : [holder[Number(key)] as Json]),
    );
  else delete holder[key];
  return copy;
}

/** Goes on to the end; only an Error of ours may come out. */
function play(snapshot: Json): string {
  try {
    const run = restore(program, snapshot, options);
    for (let turn = 0; turn < 500; turn += 1) {
      const state = run.run(1000);
      if (state.kind === 'done' || state.kind === 'failed') {
        JSON.stringify(state, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
        return state.kind;
      }
      if (state.kind === 'host-call') run.resume(1);
    }
    return 'long';
  } catch (error) {
    if (
      !(error instanceof Error) ||
      error.constructor !== Error ||
      !error.message.startsWith('not a snapshot of this program: ')
    )
      throw error;
    return 'refused';
  }
}

describe('restore', () => {
  it('goes on from what was not touched', () => {
    expect(snapshots.length).toBeGreaterThan(50);
    expect(new Set(snapshots.map((text) => play(JSON.parse(text) as Json)))).toEqual(new Set(['done']));
  });

  it('refuses with one Error whatever was changed, or goes on within the limits', () => {
    const ends = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.nat(snapshots.length - 1),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'drop', 'twice'), odd), {
          minLength: 1,
          maxLength: 3,
        }),
        (which, edits) => {
          let snapshot = JSON.parse(snapshots[which] as string) as Json;
          for (const [at, how, value] of edits) snapshot = edit(snapshot, at, how, value);
          const end = play(snapshot);
          ends.set(end, (ends.get(end) ?? 0) + 1);
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 1500), seed: 3 },
    );
    expect([...ends.keys()]).toContain('refused');
  });

  it.each([
    [[], 'it is not an object'],
    [{}, 'it was made by another version'],
    ['x', 'it is not an object'],
  ])('refuses %j', (snapshot, why) => {
    expect(() => restore(program, snapshot as Json, options)).toThrow(
      new Error(`not a snapshot of this program: ${why}`),
    );
  });

  it('never takes an object of JavaScript for a value', () => {
    const snapshot = JSON.parse(snapshots[20] as string) as {
      objects: { rows: Json[] };
      frames: { regs: Json[] }[];
    };
    for (const slot of [{ a: 1 }, ['o', 'constructor'], ['s', 'length'], ['m', '__proto__'], 0.5] as Json[]) {
      const frame = snapshot.frames.at(-1) as { regs: Json[] };
      const forged = {
        ...snapshot,
        frames: [...snapshot.frames.slice(0, -1), { ...frame, regs: [slot, ...frame.regs.slice(1)] }],
      };
      expect(() => restore(program, forged as unknown as Json, options)).toThrow(
        'not a snapshot of this program: ',
      );
    }
  });
});
