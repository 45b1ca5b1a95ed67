// What is passed to a macro, or to the block of a call, by the names it has inside.
import type { Parameter } from '../../template/syntax/ast.ts';
import type { Abstract, Given } from './abstract-value.ts';
import { clean, cleanText, constant } from './abstract-value.ts';
import { join } from './join-values.ts';
import { madeOf } from './lost-value.ts';
import { dictOf } from './member.ts';
import { anyOf, exactly } from './sequence.ts';

/** The arguments of a macro by the names it sees them under; `null` where one may not be given. */
export type Bound = ReadonlyMap<string, readonly (Abstract | null)[]>;

/** The arguments of all `calls`, joined; `isRough`: only their atoms. */
export function joinedCalls(calls: readonly Bound[], isRough: boolean): Bound {
  const [only] = calls;
  if (calls.length === 1 && only !== undefined) return only;
  return new Map(
    [...(only?.keys() ?? [])].map((name) => {
      const all = calls.flatMap((one) => one.get(name) ?? [null]);
      const given = all.flatMap((one) => one ?? []);
      const value = given.length === 0 ? [] : [isRough ? madeOf(...given) : join(given)];
      return [name, [...value, ...(all.includes(null) ? [null] : [])]];
    }),
  );
}

/** The arguments as parameters, with what else can be seen of them. */
export function boundBy(parameters: readonly Parameter[], given: Given): Bound {
  const values = new Map<string, readonly (Abstract | null)[]>();
  parameters.forEach(({ name }, index) => {
    const at = given.positional[index] ?? given.named.get(name) ?? null;
    values.set(name, at === null && given.rest !== null ? [given.rest, null] : [at]);
  });
  const more = given.positional.slice(parameters.length);
  const others = [...given.named]
    .filter(([name]) => !values.has(name) && name !== 'caller')
    .map(([name, value]) => ({ key: constant(name), value }));
  if (!values.has('varargs'))
    values.set('varargs', [given.rest === null ? exactly(more) : anyOf(join([...more, given.rest]))]);
  if (!values.has('kwargs'))
    values.set('kwargs', [
      dictOf([...others, ...(given.rest === null ? [] : [{ key: cleanText, value: given.rest }])]),
    ]);
  if (!values.has('caller')) values.set('caller', [given.named.get('caller') ?? given.rest ?? clean]);
  return values;
}
