// What the loop does out of line: whatever is rare, or costs much more than a call.
import { SLOT_BYTES } from '../../python/charge.ts';
import { add, modulo, multiply } from '../value/arithmetic.ts';
import { ENTRY_STEPS, TABLE_STEPS, chargeTuple } from '../value/charge.ts';
import { compare, equals, hashKey } from '../value/compare.ts';
import { dictSet } from '../value/dict.ts';
import { EvalError } from '../value/eval-error.ts';
import { isIterable, toArray } from '../value/iterate.ts';
import type { Native } from '../value/native.ts';
import { briefly } from '../value/repr.ts';
import {
  CLOSURE_BYTES,
  DICT_BYTES,
  DICT_ENTRY_BYTES,
  Closure,
  Dict,
  Float,
  List,
  Tuple,
  type Cell,
  type HashKey,
  type Value,
} from '../value/value.ts';
import { typeName } from '../value/type-name.ts';
import { getAttribute, missingAttribute } from '../lib/builtins-value.ts';
import type { Frame, ModuleState, Slot, Machine } from './machine.ts';

/** Strings up to here are compared within the step that the instruction costs anyway. */
export const SHORT_UNITS = 64;
const TWO_32 = 0x100000000;

export function isEqual(machine: Machine, x: Slot, y: Slot): boolean {
  if (typeof x === 'string' && typeof y === 'string' && x.length <= SHORT_UNITS) return x === y;
  return equals(machine, x as Value, y as Value);
}

export function isLess(machine: Machine, x: Slot, y: Slot): boolean {
  if (x instanceof Float && y instanceof Float && x.value === x.value && y.value === y.value)
    return x.value < y.value;
  return compare(machine, x as Value, y as Value, '<') < 0;
}

export function isLessEqual(machine: Machine, x: Slot, y: Slot): boolean {
  return compare(machine, x as Value, y as Value, '<=') <= 0;
}

export function isGreater(machine: Machine, x: Slot, y: Slot): boolean {
  if (x instanceof Float && y instanceof Float && x.value === x.value && y.value === y.value)
    return x.value > y.value;
  return compare(machine, x as Value, y as Value, '>') > 0;
}

export function isGreaterEqual(machine: Machine, x: Slot, y: Slot): boolean {
  return compare(machine, x as Value, y as Value, '>=') >= 0;
}

/** `x * y % m`, without a bigint in between where the rest is of 32 bits. */
export function multiplyModulo(machine: Machine, x: Value, y: Value, m: Value): Value {
  if (
    typeof x === 'number' &&
    typeof y === 'number' &&
    typeof m === 'number' &&
    x >= 0 &&
    y >= 0 &&
    m > 0 &&
    m <= TWO_32
  )
    return restOfProduct(x, y, 0, m);
  return modulo(machine, multiply(machine, x, y), m);
}

/** `(x * y + z) % m`. */
export function multiplyAddModulo(machine: Machine, x: Value, y: Value, z: Value, m: Value): Value {
  if (
    typeof x === 'number' &&
    typeof y === 'number' &&
    typeof z === 'number' &&
    typeof m === 'number' &&
    x >= 0 &&
    y >= 0 &&
    z >= 0 &&
    m > 0 &&
    m <= TWO_32
  ) {
    return restOfProduct(x, y, z, m);
  }
  return modulo(machine, add(machine, multiply(machine, x, y), z), m);
}

/** Exact: no product of parts is over 2^48, and no sum over 2^53. */
function restOfProduct(x: number, y: number, z: number, m: number): number {
  const whole = x * y + z;
  if (whole <= Number.MAX_SAFE_INTEGER) return rest(whole, m);
  const a = rest(x, m);
  const b = rest(y, m);
  const high = Math.floor(b / 65_536);
  return rest(rest(a * high, m) * 65_536 + a * (b - high * 65_536) + rest(z, m), m);
}

/** Of two safe integers, the second one positive (see `floorDivideInts` for why it is exact). */
function rest(x: number, m: number): number {
  return x - Math.floor(x / m) * m;
}

export function unassigned(kind: 'local' | 'global', name: string | undefined): EvalError {
  return new EvalError('EVAL_UNASSIGNED', `${kind} variable ${name} referenced before assignment`);
}

/** A variable of the scope that the inputs at a prompt share. */
export function getName(machine: Machine, name: string): Value {
  const values = machine.scope?.values;
  const value = values?.has(name) === true ? values.get(name) : machine.predeclared.get(name);
  if (value === undefined) throw unassigned('global', name);
  return value;
}

/**
 * The values in the registers that are listed from `at`. Few are written as a display, since an array that grows by
 * `push` begins with room for 17 elements.
 */
export function collect(
  regs: readonly Slot[],
  code: Int32Array,
  at: number,
  count: number,
  stride = 1,
): Value[] {
  const last = at + count * stride;
  switch (count) {
    case 0:
      return [];
    case 1:
      return [regs[code[at]!] as Value];
    case 2:
      return [regs[code[at]!] as Value, regs[code[at + stride]!] as Value];
    case 3:
      return [
        regs[code[at]!] as Value,
        regs[code[at + stride]!] as Value,
        regs[code[at + 2 * stride]!] as Value,
      ];
    case 4:
      return [
        regs[code[at]!] as Value,
        regs[code[at + stride]!] as Value,
        regs[code[at + 2 * stride]!] as Value,
        regs[code[at + 3 * stride]!] as Value,
      ];
    default: {
      const values = collect(regs, code, at, 4, stride);
      for (let index = at + 4 * stride; index < last; index += stride)
        values.push(regs[code[index]!] as Value);
      return values;
    }
  }
}

export function makeClosure(machine: Machine, frame: Frame, id: number, defaults: readonly Value[]): Closure {
  const module = frame.module as ModuleState;
  const code = module.program.functions[id];
  if (code === undefined) throw new Error(`there is no function ${id}`);
  machine.meter.allocate(CLOSURE_BYTES + (code.free.length + code.parameters.names.length) * SLOT_BYTES);
  let next = 0;
  const byParameter = code.parameters.hasDefault.map((has) =>
    has ? (defaults[next++] as Value) : undefined,
  );
  const free = code.free.map(({ from, index }) =>
    from === 'local' ? (frame.regs[index] as Cell) : (frame.free[index] as Cell),
  );
  return new Closure(code, module, byParameter, free, machine.frameOf(module, code));
}

/** `a, b = value`: exactly `count` elements. */
export function unpack(machine: Machine, value: Slot, count: number): readonly Value[] {
  const v = value as Value;
  if (!isIterable(v))
    throw new EvalError('EVAL_TYPE', `got ${typeName(v)} in sequence assignment: the value is not iterable`);
  const items = v instanceof List || v instanceof Tuple ? v.items : toArray(machine, v);
  if (items.length < count)
    throw new EvalError('EVAL_VALUE', `too few values to unpack (got ${items.length}, want ${count})`);
  if (items.length > count)
    throw new EvalError('EVAL_VALUE', `too many values to unpack (got ${items.length}, want ${count})`);
  return items;
}

export function addEntry(machine: Machine, dict: Dict, key: Value, value: Value): void {
  const { size } = dict.index;
  dictSet(machine, dict, key, value);
  if (dict.index.size === size) throw duplicateKey(key);
}

/**
 * The dict of a short display: `count` keys and values, listed from `at` on. Made with arrays of just its size: one that
 * grows begins with room for 17 elements.
 */
export function makeDict(
  machine: Machine,
  regs: readonly Slot[],
  code: Int32Array,
  at: number,
  count: number,
): Dict {
  const { meter } = machine;
  meter.work(TABLE_STEPS + count * ENTRY_STEPS);
  meter.allocate(DICT_BYTES + count * DICT_ENTRY_BYTES);
  const dict = new Dict();
  dict.keys = collect(regs, code, at, count, 2);
  dict.values = collect(regs, code, at + 1, count, 2);
  const hashes: HashKey[] = collect(regs, code, at, count, 2);
  for (let index = 0; index < count; index += 1) {
    machine.operand = 3 + 2 * index;
    hashes[index] = hashKey(machine, hashes[index] as Value, dict.index);
  }
  const twice = dict.index.take(hashes);
  machine.operand = 3 + 2 * twice;
  if (twice >= 0) throw duplicateKey(dict.keys[twice] as Value);
  machine.operand = 0;
  return dict;
}

function duplicateKey(key: Value): EvalError {
  return new EvalError('EVAL_VALUE', `duplicate key: ${briefly(key)}`);
}

export function tupleOf(machine: Machine, list: List): Tuple {
  chargeTuple(machine.meter, 0);
  return new Tuple(list.items);
}

/** Fills the cache of a method call. */
export function findMethod(
  frame: Frame,
  site: number,
  methods: ReadonlyMap<string, Native>,
  self: Value,
): Native {
  const name = frame.function?.methods[site] as string;
  const native = methods.get(name);
  if (native === undefined) throw missingAttribute(self, name);
  frame.methodTables[site] = methods;
  frame.methodNatives[site] = native;
  return native;
}

export function attribute(machine: Machine, object: Value, name: string): Value {
  const value = getAttribute(machine, object, name);
  if (value === undefined) throw missingAttribute(object, name);
  return value;
}

export function setAttribute(object: Value, name: string): never {
  throw new EvalError('EVAL_ATTRIBUTE', `cannot assign to the field .${name} of a ${typeName(object)}`);
}
