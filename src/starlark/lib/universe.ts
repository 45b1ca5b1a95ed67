// The names that every program has.
//
// The specification's 28 functions and three constants, and the module `json`: nothing else.
import { Builtin, type Value } from '../value/value.ts';
import { conversions } from './builtins-conversion.ts';
import { sequenceBuiltins } from './builtins-sequence.ts';
import { valueBuiltins } from './builtins-value.ts';
import { jsonModule } from './json.ts';

const builtins = [...conversions, ...sequenceBuiltins, ...valueBuiltins].map((native): [string, Value] => [
  native.name,
  new Builtin(native),
]);

export const universe: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['None', null],
  ['True', true],
  ['False', false],
  ...builtins.sort(([a], [b]) => (a < b ? -1 : 1)),
  ['json', jsonModule],
]);
