// The variable `loop`.
import type { Abstract, Call } from './abstract-value.ts';
import { cleanText, make, plain } from './abstract-value.ts';
import { allOf } from './arguments.ts';
import { join } from './join-values.ts';

/** `loop`: numbers, its neighbours, and two methods. */
export function loopValue(each: Abstract, recurse: Call | null): Abstract {
  const cycle = make({ calls: [(given) => join(allOf(given))] });
  const changedMethod = make({ calls: [() => plain] });
  const members = new Map<string, Abstract>([
    ['previtem', each],
    ['nextitem', each],
    ['cycle', cycle],
    ['changed', changedMethod],
  ]);
  return make({
    dicts: [
      {
        get: (key) =>
          key === null ? join([plain, ...members.values()]) : (members.get(String(key)) ?? plain),
        keys: cleanText,
        entries: null,
        atoms: each.atoms,
        weight: 1,
        // Its methods give back what they are given.
        holdsCalls: recurse !== null,
      },
    ],
    calls: recurse === null ? [] : [recurse],
  });
}
