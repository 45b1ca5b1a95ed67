// The few methods that numbers have.
import type { Int } from '../../python/int.ts';
import { bitsOf } from '../value/int.ts';
import { asInt } from '../value/numbers.ts';
import { bind, signature } from '../value/signature.ts';
import type { Float, Native } from '../value/value.ts';

const none = signature('the method', [], true);

function bits(value: Int): number {
  return typeof value === 'number' ? bitsOf(value) : (value < 0n ? -value : value).toString(2).length;
}

const conjugate: Native = (_e, self, args, named) => {
  bind(none, args, named);
  return asInt(self) ?? self;
};

const bitLength: Native = (_e, self, args, named) => {
  bind(none, args, named);
  return bits(asInt(self) as Int);
};

const bitCount: Native = (e, self, args, named) => {
  bind(none, args, named);
  const digits = BigInt(asInt(self) as Int).toString(2);
  e.work(1 + digits.length);
  return digits.replaceAll(/[^1]/g, '').length;
};

const isInteger: Native = (_e, self, args, named) => {
  bind(none, args, named);
  return Number.isInteger((self as Float).value);
};

export const numberMethods: {
  readonly int: ReadonlyMap<string, Native>;
  readonly float: ReadonlyMap<string, Native>;
} = {
  int: new Map([
    ['bit_length', bitLength],
    ['bit_count', bitCount],
    ['conjugate', conjugate],
  ]),
  float: new Map([
    ['is_integer', isInteger],
    ['conjugate', conjugate],
  ]),
};
