// Operators between two values.
//
// Only numbers can be divided and raised, so the result is a number. So is a difference, unless it may be one of sets: of
// the keys of a dict and anything with items. Integers are computed as long as they are exact.
import type { Abstract, Constant, Sequence } from './abstract-value.ts';
import { make, plain } from './abstract-value.ts';
import { changed, concatenated, multiplied } from './as-text.ts';
import { percentFormat } from './format.ts';
import { join } from './join-values.ts';
import { madeOf } from './lost-value.ts';
import { inexact, listOf, numbersOf } from './sequence.ts';

const mostResults = 16;

export function combined(operator: string, left: Abstract, right: Abstract): Abstract {
  const numbers = workedOut(operator, numbersOf(left), numbersOf(right));
  if (numbers !== null) return numbers;
  if (operator === '+') return added(left, right);
  if (operator === '*') return repeated(left, right);
  if (operator === '%' && !isNumber(left)) return percentFormat(left, [right]);
  if (operator === '-' && !isNumber(left) && !isNumber(right)) return madeOf(left);
  return plain;
}

function workedOut(
  operator: string,
  left: readonly number[] | null,
  right: readonly number[] | null,
): Abstract | null {
  if (left === null || right === null || left.length * right.length > mostResults) return null;
  const results = left.flatMap((a) => right.map((b) => arithmetic(operator, a, b)));
  return results.every(Number.isSafeInteger) ? make({ constants: [...new Set(results)] }) : plain;
}

/** NaN for anything but an integer. */
function arithmetic(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '//':
      return Math.floor(a / b);
    case '%':
      return a - b * Math.floor(a / b);
    case '**':
      return b < 0 ? Number.NaN : a ** b;
    default:
      return Number.NaN;
  }
}

/** Surely a number or a truth value. */
function isNumber({ constants, text, list, dicts, unknown, calls }: Abstract): boolean {
  return (
    text === null &&
    list === null &&
    dicts.length === 0 &&
    unknown === null &&
    calls.length === 0 &&
    constants.every((one) => typeof one !== 'string')
  );
}

function isListed({ list, unknown }: Abstract): boolean {
  return list !== null || unknown !== null;
}

function isTexty({ constants, text, unknown }: Abstract): boolean {
  return text !== null || unknown !== null || constants.some((one: Constant) => typeof one === 'string');
}

function isCountable({ constants, plain: isPlain, unknown }: Abstract): boolean {
  return (
    isPlain ||
    unknown !== null ||
    constants.some((one) => typeof one === 'number' || typeof one === 'boolean')
  );
}

function added(left: Abstract, right: Abstract): Abstract {
  const results: Abstract[] = [];
  if (isListed(left) && isListed(right)) results.push(joinedLists(left, right));
  if (isTexty(left) && isTexty(right)) results.push(concatenated([textual(left), textual(right)]));
  if (isCountable(left) && isCountable(right)) results.push(plain);
  return join(results);
}

function textual({ constants, text, unknown }: Abstract): Abstract {
  return make({ constants: constants.filter((one) => typeof one === 'string'), text, unknown });
}

function asSequence({ list, unknown }: Abstract): Sequence {
  const each = make({ unknown });
  if (unknown === null) return list as Sequence;
  return {
    items: null,
    each: list === null ? each : join([each, list.each]),
    most: Number.POSITIVE_INFINITY,
    endless: list?.endless === true,
    fields: null,
  };
}

function joinedLists(left: Abstract, right: Abstract): Abstract {
  const [a, b] = [asSequence(left), asSequence(right)];
  const items = a.items === null || b.items === null ? null : [...a.items, ...b.items];
  return listOf({
    items,
    each: join([...(a.most === 0 ? [] : [a.each]), ...(b.most === 0 ? [] : [b.each])]),
    most: a.most + b.most,
    endless: a.endless || b.endless,
    fields: null,
  });
}

/** A text or list many times over. */
function repeated(left: Abstract, right: Abstract): Abstract {
  const results: Abstract[] = [];
  for (const [value, count] of [
    [left, right],
    [right, left],
  ] as const) {
    if (!isCountable(count)) continue;
    const known = numbersOf(count);
    const times = known === null ? Number.POSITIVE_INFINITY : Math.max(1, ...known);
    if (isTexty(value))
      results.push(changed(textual(value), (one) => ({ ...one, bound: multiplied(one.bound, times) })));
    if (isListed(value)) {
      const list = asSequence(value);
      results.push(
        listOf({
          ...inexact(list),
          most: multiplied(list.most, times),
          endless: list.endless || known === null,
        }),
      );
    }
  }
  if (isCountable(left) && isCountable(right)) results.push(plain);
  return results.length === 0 ? madeOf(left, right) : join(results);
}

export function negated(operator: '+' | '-', value: Abstract): Abstract {
  const known = numbersOf(value);
  return known === null ? plain : make({ constants: known.map((one) => (operator === '-' ? 0 - one : one)) });
}
