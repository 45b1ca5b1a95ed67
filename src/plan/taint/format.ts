// `'%s' % x`, `'…' | format(x)` and `'{}'.format(x)`.
//
// The constant beginning of a known format comes before every value in it, and a precision bounds a value. A format
// may do anything if it is unknown, turns numbers into characters, or takes a spec from a value.
import type { Abstract, Atom } from './abstract-value.ts';
import { cleanText, constant, joinAtoms, make } from './abstract-value.ts';
import { textAtoms } from './as-text.ts';
import { join } from './join-values.ts';
import { lost, madeOf } from './lost-value.ts';
import { anyPair, pairsOf } from './member.ts';
import { constantsOf } from './sequence.ts';

const conversion = /%(?:\([^()]*\))?[#0\- +]*(?:\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S]?)/g;

/** `values`: the operand of `%`, or the arguments of the filter. */
export function percentFormat(format: Abstract, values: readonly Abstract[]): Abstract {
  return eachFormat(format, values, (text) => {
    let bound = 0;
    for (const [, precision, type] of text.matchAll(conversion)) {
      if (type === 'c') return lost;
      if (type === 's' || type === 'r' || type === 'a')
        bound = Math.max(
          bound,
          precision === undefined || precision === '*' ? Number.POSITIVE_INFINITY : Number(precision),
        );
    }
    // Only numbers are put in.
    if (bound === 0) return text.includes('%') ? cleanText : constant(text);
    return putIn(values.flatMap(parts), /^[^%]|^%%/.test(text), (one) => ({
      ...one,
      bound: Math.min(one.bound, bound),
    }));
  });
}

/** `%` takes a tuple and a dict apart: there the brackets are gone. */
function parts(value: Abstract): readonly Abstract[] {
  const items = value.list === null ? [] : (value.list.items ?? [value.list.each]);
  const members =
    value.dicts.length === 0 ? [] : (pairsOf(value)?.map(([, one]) => one) ?? [anyPair(value)[1]]);
  return [value, ...items, ...members];
}

export function braceFormat(format: Abstract, values: readonly Abstract[]): Abstract {
  return eachFormat(format, values, (text) => {
    if (!/[{}]/.test(text)) return constant(text);
    const fields = text.replaceAll('{{', '');
    if (/:[^{}]*c\}/.test(fields) || /\{[^{}]*\{/.test(fields)) return lost;
    // A field that reaches into a value.
    if (/\{[^{}:!]*[.[]/.test(fields)) return madeOf(...values);
    return putIn(values, /^(?:[^{]|\{\{)/.test(text), (one) => one);
  });
}

function putIn(values: readonly Abstract[], behind: boolean, how: (one: Atom) => Atom): Abstract {
  return make({
    text: joinAtoms([
      [],
      ...values.map((value) =>
        textAtoms(value).map((one) => ({ ...how(one), slug: false, behind: one.behind || behind })),
      ),
    ]),
  });
}

function eachFormat(
  format: Abstract,
  values: readonly Abstract[],
  read: (text: string) => Abstract,
): Abstract {
  const known = constantsOf(format);
  if (known === null || !known.every((one) => typeof one === 'string')) return madeOf(format, ...values);
  return join(known.map((text) => read(text)));
}
