// What to say about a name that is bound nowhere.
import { nearest } from '../../base/nearest.ts';

/** Names that other languages have, and what serves in their place. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['null', 'write None'],
  ['nil', 'write None'],
  ['undefined', 'write None'],
  ['NULL', 'write None'],
  ['sum', 'add in a for loop: total += x'],
  ['map', 'write a comprehension: [f(x) for x in y]'],
  ['filter', 'write a comprehension: [x for x in y if f(x)]'],
  ['reduce', 'combine in a for loop'],
  ['isinstance', 'compare type(x) with the name of a type: type(x) == "string"'],
  ['issubclass', 'there are no classes in Starlark'],
  ['object', 'there are no classes in Starlark; keep data in a dict'],
  ['super', 'there are no classes in Starlark'],
  ['self', 'there are no classes in Starlark'],
  ['callable', 'compare type(x) with "function"'],
  ['iter', 'write a for loop, or x[0] for the first element'],
  ['next', 'write a for loop, or x[0] for the first element'],
  ['open', 'files are not reachable; the host may offer a function'],
  ['input', 'a program cannot ask for input; the host passes it in'],
  ['eval', 'code cannot be created at run time'],
  ['exec', 'code cannot be created at run time'],
  ['pow', 'multiply, in a loop if need be'],
  ['divmod', 'write (x // y, x % y)'],
  ['round', 'write int(x + 0.5) for a number that is not negative'],
  ['frozenset', 'use set(x), or a tuple as a key'],
  ['bytearray', 'use bytes(x), or a list of ints'],
  ['complex', 'there are no complex numbers in Starlark'],
  ['hex', 'write "0x%x" % n'],
  ['oct', 'write "0o%o" % n'],
  ['bin', 'shift and mask in a loop'],
  ['chr', 'write "%c" % n'],
  ['ord', 'write bytes(x)[0] for an ASCII character'],
  ['format', 'write "{}".format(x) or "%s" % x'],
  ['globals', 'keep values in a dict of your own'],
  ['locals', 'keep values in a dict of your own'],
  ['vars', 'keep values in a dict of your own'],
  ['setattr', 'keep values in a dict'],
  ['delattr', 'keep values in a dict'],
  ['Exception', 'end the program with fail("message")'],
  ['ValueError', 'end the program with fail("message")'],
  ['TypeError', 'end the program with fail("message")'],
  ['KeyError', 'end the program with fail("message")'],
  ['RuntimeError', 'end the program with fail("message")'],
  ['__name__', 'a program has no main guard: call the function, or let the host call it'],
  ['assert', 'write if not condition: fail("message")'],
  ['json_encode', 'write json.encode(x)'],
  ['json_decode', 'write json.decode(x)'],
]);

/** However many names a program has, a fault costs no more than this many comparisons of short words. */
const maxCandidates = 1_000;
/** And however many faults, all of them together no more than this many. */
const maxCandidatesInAll = 20_000;
const maxLength = 40;

/** What is left of `maxCandidatesInAll`; one for each program. */
export class HintBudget {
  candidates = maxCandidatesInAll;
}

export function undefinedHint(
  name: string,
  candidates: Iterable<string>,
  budget: HintBudget,
): string | undefined {
  let near = name.length > maxLength ? null : nearest(name, shortOnes(candidates, budget));
  // Any short name is one change away from any other.
  if (near !== null && name.length < 3 && near.toLowerCase() !== name.toLowerCase()) near = null;
  // A name that differs in case only, such as `true`, is the better guess.
  if (near !== null && (near.toLowerCase() === name.toLowerCase() || !elsewhere.has(name)))
    return `did you mean ${near}?`;
  return elsewhere.get(name);
}

function* shortOnes(candidates: Iterable<string>, budget: HintBudget): Generator<string> {
  let count = 0;
  for (const candidate of candidates) {
    if (count >= maxCandidates || budget.candidates <= 0) return;
    count += 1;
    budget.candidates -= 1;
    if (candidate.length <= maxLength) yield candidate;
  }
}
