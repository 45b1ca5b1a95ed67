// The arguments of a call, filter or test.
//
// Spread arguments are known one by one where the list or dict is known; otherwise every argument that is not given
// another way may be any part of it.
import type { Arguments, Expression } from '../../template/syntax/ast.ts';
import type { Abstract, Given } from './abstract-value.ts';
import { join } from './join-values.ts';
import { anyPair, pairsOf } from './member.ts';
import { constantsOf, sequenceOf } from './sequence.ts';

export const nothingGiven: Given = { positional: [], named: new Map(), rest: null };

export function givenBy(node: Arguments, value: (node: Expression) => Abstract): Given {
  const positional = node.positional.map(value);
  const named = new Map(node.named.map(({ name, value: one }) => [name, value(one)]));
  const rest: Abstract[] = [];
  if (node.spread !== null) {
    const spread = value(node.spread);
    const { items, each } = sequenceOf(spread);
    if (items === null) rest.push(each);
    else positional.push(...items);
  }
  if (node.namedSpread !== null) {
    const spread = value(node.namedSpread);
    const pairs = pairsOf(spread);
    for (const [key, one] of pairs ?? []) named.set(String(constantsOf(key)?.[0]), one);
    if (pairs === null) rest.push(anyPair(spread)[1]);
  }
  return { positional, named, rest: rest.length === 0 ? null : join(rest) };
}

/** The argument of a parameter, or `fallback`. */
export function argument(
  { positional, named, rest }: Given,
  index: number,
  name: string | null,
  fallback: Abstract,
): Abstract {
  const at = positional[index] ?? (name === null ? undefined : named.get(name));
  if (at !== undefined) return at;
  return rest === null ? fallback : join([fallback, rest]);
}

export function allOf({ positional, named, rest }: Given): readonly Abstract[] {
  return [...positional, ...named.values(), ...(rest === null ? [] : [rest])];
}

/** Without the first positional argument. */
export function shifted(given: Given): Given {
  return { ...given, positional: given.positional.slice(1) };
}
