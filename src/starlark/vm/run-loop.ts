// oxlint-disable max-lines -- one switch; to split it would cost a call for each instruction
// The loop of the machine: takes an instruction, does it, takes the next one.
//
//   frames -> a value, a call of the host, a pause or a failure
//
// Labels are literals (opcodes#I1), and `code`, `regs`, `globals`, `pc` and `frame` are local variables
// that are loaded anew when the frame changes: V8 keeps them in machine registers. Only ints, and what needs no call,
// are worked on here. All else is out of line, so that this function stays small enough to be optimised (V8 gives up
// at 60 KB of its bytecode) and sees few types at each place.
// run-loop#X3. Steps are charged where a function is entered and where a loop begins a round; only there can a slice
//   end. The instruction is complete then, so going on is just running again.
// While an instruction runs `pc` is at its beginning; an error is looked up from there.
import { contains } from '../value/contains.ts';
import { LIST_BYTES, MAX_ELEMENTS, SLOT_BYTES, tooLarge } from '../../python/charge.ts';
import { methodsOf } from '../lib/methods.ts';
import {
  add,
  bitAnd,
  bitOr,
  bitXor,
  divide,
  floorDivide,
  invert,
  modulo,
  multiply,
  negate,
  plus,
  shiftLeft,
  shiftRight,
  subtract,
} from '../value/arithmetic.ts';
import { dictSet, newDict } from '../value/dict.ts';
import { hashKey } from '../value/compare.ts';
import { addInPlace, andInPlace, orInPlace, subtractInPlace, xorInPlace } from '../value/in-place.ts';
import { getIndex, getSlice, setIndex } from '../value/index.ts';
import {
  CELL_BYTES,
  FLOAT_BYTES,
  TUPLE_BYTES,
  Builtin,
  Cell,
  Closure,
  Dict,
  Float,
  List,
  Tuple,
  type Value,
} from '../value/value.ts';
import { truth } from '../value/truth.ts';
import { callMethod, callWithNames, callSpread } from './call-forms.ts';
import { recover } from './failure.ts';
import {
  endIterator,
  iterate,
  nextElement,
  noFree,
  type Frame,
  type Iterator,
  type ModuleState,
} from './machine.ts';
import { checkCallable, deliver, invoke, makeCells, noNamed, settle } from './invoke.ts';
import { loadMember, loadModule } from './load.ts';
import type { Machine } from './machine.ts';
import {
  addEntry,
  attribute,
  collect,
  findMethod,
  getName,
  isEqual,
  isGreater,
  isGreaterEqual,
  isLess,
  isLessEqual,
  makeClosure,
  makeDict,
  multiplyAddModulo,
  multiplyModulo,
  setAttribute,
  tupleOf,
  unassigned,
  unpack,
} from './operations.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const MIN = Number.MIN_SAFE_INTEGER;

/** Runs until the program ends, fails, calls the host (then `machine.hostCall` is set) or the slice is over. */
export function runLoop(machine: Machine, start: Frame): void {
  const { meter, maxCallDepth } = machine;
  let frame = start;
  let { code, regs, globals, pc } = frame;
  /** What a call that is not simple gave: the frame to continue with. */
  let next: Frame | null = frame;
  for (;;) {
    try {
      if (machine.pendingError !== null) {
        const error = machine.pendingError;
        machine.pendingError = null;
        pc -= 1;
        throw error;
      }
      if (machine.answer !== undefined) {
        const { answer } = machine;
        machine.answer = undefined;
        next = deliver(machine, frame, answer);
        if (next === null) return;
        frame = next;
        ({ code, regs, globals, pc } = frame);
      }
      for (;;) {
        switch (code[pc]!) {
          case 0 /* MOVE */:
            regs[code[pc + 1]!] = regs[code[pc + 2]!];
            pc += 3;
            continue;
          case 1 /* CHECK */:
            if (regs[code[pc + 1]!] === undefined)
              throw unassigned('local', frame.function?.variables[code[pc + 1]!]);
            pc += 2;
            continue;
          case 2 /* CLEAR */:
            regs[code[pc + 1]!] = undefined;
            pc += 2;
            continue;
          case 3 /* GET_GLOBAL */: {
            const value = globals[code[pc + 2]!];
            if (value === undefined) throw unassigned('global', frame.module?.program.globals[code[pc + 2]!]);
            regs[code[pc + 1]!] = value;
            pc += 3;
            continue;
          }
          case 4 /* SET_GLOBAL */:
            globals[code[pc + 1]!] = regs[code[pc + 2]!] as Value;
            pc += 3;
            continue;
          case 5 /* NEW_CELL */:
            meter.allocate(CELL_BYTES);
            regs[code[pc + 1]!] = new Cell(undefined);
            pc += 2;
            continue;
          case 6 /* GET_CELL */: {
            const { value } = regs[code[pc + 2]!] as Cell;
            if (value === undefined) throw unassigned('local', frame.function?.variables[code[pc + 2]!]);
            regs[code[pc + 1]!] = value;
            pc += 3;
            continue;
          }
          case 7 /* SET_CELL */:
            (regs[code[pc + 1]!] as Cell).value = regs[code[pc + 2]!] as Value;
            pc += 3;
            continue;
          case 8 /* GET_FREE */: {
            const { value } = frame.free[code[pc + 2]!]!;
            if (value === undefined) throw unassigned('local', frame.function?.freeNames[code[pc + 2]!]);
            regs[code[pc + 1]!] = value;
            pc += 3;
            continue;
          }
          case 9 /* GET_NAME */:
            regs[code[pc + 1]!] = getName(machine, regs[code[pc + 2]!] as string);
            pc += 3;
            continue;
          case 10 /* SET_NAME */:
            machine.scope!.values.set(regs[code[pc + 1]!] as string, regs[code[pc + 2]!] as Value);
            pc += 3;
            continue;

          case 11 /* ADD */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              const sum = x + y;
              if (sum <= MAX && sum >= MIN) {
                regs[code[pc + 1]!] = sum;
                pc += 4;
                continue;
              }
            } else if (x instanceof Float && y instanceof Float) {
              meter.allocate(FLOAT_BYTES);
              regs[code[pc + 1]!] = new Float(x.value + y.value);
              pc += 4;
              continue;
            }
            regs[code[pc + 1]!] = add(machine, x as Value, y as Value);
            pc += 4;
            continue;
          }
          case 12 /* SUBTRACT */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              const difference = x - y;
              if (difference <= MAX && difference >= MIN) {
                regs[code[pc + 1]!] = difference;
                pc += 4;
                continue;
              }
            } else if (x instanceof Float && y instanceof Float) {
              meter.allocate(FLOAT_BYTES);
              regs[code[pc + 1]!] = new Float(x.value - y.value);
              pc += 4;
              continue;
            }
            regs[code[pc + 1]!] = subtract(machine, x as Value, y as Value);
            pc += 4;
            continue;
          }
          case 13 /* MULTIPLY */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              // Adding 0 turns -0 into 0.
              const product = x * y + 0;
              if (product <= MAX && product >= MIN) {
                regs[code[pc + 1]!] = product;
                pc += 4;
                continue;
              }
            } else if (x instanceof Float && y instanceof Float) {
              meter.allocate(FLOAT_BYTES);
              regs[code[pc + 1]!] = new Float(x.value * y.value);
              pc += 4;
              continue;
            }
            regs[code[pc + 1]!] = multiply(machine, x as Value, y as Value);
            pc += 4;
            continue;
          }
          case 14 /* DIVIDE */:
            regs[code[pc + 1]!] = divide(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
            pc += 4;
            continue;
          case 15 /* FLOOR_DIVIDE */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            // Exact for safe integers, see `floorDivideInts`.
            if (typeof x === 'number' && typeof y === 'number' && y !== 0)
              regs[code[pc + 1]!] = Math.floor(x / y) + 0;
            else regs[code[pc + 1]!] = floorDivide(machine, x as Value, y as Value);
            pc += 4;
            continue;
          }
          case 16 /* MODULO */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number' && x >= 0 && y > 0) {
              // The rest of two int32 is one instruction; of two doubles it would be a call, and this is none.
              regs[code[pc + 1]!] =
                (x | 0) === x && (y | 0) === y ? (x | 0) % (y | 0) : x - Math.floor(x / y) * y;
            } else regs[code[pc + 1]!] = modulo(machine, x as Value, y as Value);
            pc += 4;
            continue;
          }
          case 17 /* BIT_AND */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y)
              regs[code[pc + 1]!] = x & y;
            else regs[code[pc + 1]!] = bitAnd(machine, x as Value, y as Value);
            pc += 4;
            continue;
          }
          case 18 /* BIT_OR */:
            regs[code[pc + 1]!] = bitOr(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
            pc += 4;
            continue;
          case 19 /* BIT_XOR */:
            regs[code[pc + 1]!] = bitXor(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
            pc += 4;
            continue;
          case 20 /* SHIFT_LEFT */:
            regs[code[pc + 1]!] = shiftLeft(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;
          case 21 /* SHIFT_RIGHT */:
            regs[code[pc + 1]!] = shiftRight(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;
          case 22 /* MULTIPLY_AND */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            const m = regs[code[pc + 4]!];
            // The low 32 bits of a product are those of the factors' low 32 bits.
            if (typeof x === 'number' && typeof y === 'number' && typeof m === 'number' && m >>> 0 === m)
              regs[code[pc + 1]!] = (Math.imul(x, y) & m) >>> 0;
            else regs[code[pc + 1]!] = bitAnd(machine, multiply(machine, x as Value, y as Value), m as Value);
            pc += 5;
            continue;
          }
          case 23 /* MULTIPLY_MODULO */:
            regs[code[pc + 1]!] = multiplyModulo(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
              regs[code[pc + 4]!] as Value,
            );
            pc += 5;
            continue;
          case 24 /* MULTIPLY_ADD_AND */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            const z = regs[code[pc + 4]!];
            const m = regs[code[pc + 5]!];
            if (
              typeof x === 'number' &&
              typeof y === 'number' &&
              typeof z === 'number' &&
              typeof m === 'number' &&
              m >>> 0 === m
            ) {
              regs[code[pc + 1]!] = ((Math.imul(x, y) + (z | 0)) & m) >>> 0;
            } else
              regs[code[pc + 1]!] = bitAnd(
                machine,
                add(machine, multiply(machine, x as Value, y as Value), z as Value),
                m as Value,
              );
            pc += 6;
            continue;
          }
          case 25 /* MULTIPLY_ADD_MODULO */:
            regs[code[pc + 1]!] = multiplyAddModulo(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
              regs[code[pc + 4]!] as Value,
              regs[code[pc + 5]!] as Value,
            );
            pc += 6;
            continue;
          case 26 /* ADD_IN_PLACE */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              const sum = x + y;
              if (sum <= MAX && sum >= MIN) {
                regs[code[pc + 1]!] = sum;
                pc += 4;
                continue;
              }
            } else if (x instanceof Float && y instanceof Float) {
              meter.allocate(FLOAT_BYTES);
              regs[code[pc + 1]!] = new Float(x.value + y.value);
              pc += 4;
              continue;
            }
            regs[code[pc + 1]!] = addInPlace(machine, x as Value, y as Value);
            pc += 4;
            continue;
          }
          case 27 /* SUBTRACT_IN_PLACE */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              const difference = x - y;
              if (difference <= MAX && difference >= MIN) {
                regs[code[pc + 1]!] = difference;
                pc += 4;
                continue;
              }
            } else if (x instanceof Float && y instanceof Float) {
              meter.allocate(FLOAT_BYTES);
              regs[code[pc + 1]!] = new Float(x.value - y.value);
              pc += 4;
              continue;
            }
            regs[code[pc + 1]!] = subtractInPlace(machine, x as Value, y as Value);
            pc += 4;
            continue;
          }
          case 28 /* BIT_AND_IN_PLACE */:
            regs[code[pc + 1]!] = andInPlace(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;
          case 29 /* BIT_OR_IN_PLACE */:
            regs[code[pc + 1]!] = orInPlace(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;
          case 30 /* BIT_XOR_IN_PLACE */:
            regs[code[pc + 1]!] = xorInPlace(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;
          case 31 /* NEGATE */:
            regs[code[pc + 1]!] = negate(machine, regs[code[pc + 2]!] as Value);
            pc += 3;
            continue;
          case 32 /* PLUS */:
            regs[code[pc + 1]!] = plus(machine, regs[code[pc + 2]!] as Value);
            pc += 3;
            continue;
          case 33 /* INVERT */:
            regs[code[pc + 1]!] = invert(machine, regs[code[pc + 2]!] as Value);
            pc += 3;
            continue;
          case 34 /* NOT */:
            regs[code[pc + 1]!] = !truth(regs[code[pc + 2]!] as Value);
            pc += 3;
            continue;

          case 35 /* EQUAL */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            regs[code[pc + 1]!] =
              typeof x === 'number' && typeof y === 'number' ? x === y : isEqual(machine, x, y);
            pc += 4;
            continue;
          }
          case 36 /* NOT_EQUAL */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            regs[code[pc + 1]!] =
              typeof x === 'number' && typeof y === 'number' ? x !== y : !isEqual(machine, x, y);
            pc += 4;
            continue;
          }
          case 37 /* LESS */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            regs[code[pc + 1]!] =
              typeof x === 'number' && typeof y === 'number' ? x < y : isLess(machine, x, y);
            pc += 4;
            continue;
          }
          case 38 /* LESS_EQUAL */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            regs[code[pc + 1]!] =
              typeof x === 'number' && typeof y === 'number' ? x <= y : isLessEqual(machine, x, y);
            pc += 4;
            continue;
          }
          case 39 /* GREATER */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            regs[code[pc + 1]!] =
              typeof x === 'number' && typeof y === 'number' ? x > y : isGreater(machine, x, y);
            pc += 4;
            continue;
          }
          case 40 /* GREATER_EQUAL */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            regs[code[pc + 1]!] =
              typeof x === 'number' && typeof y === 'number' ? x >= y : isGreaterEqual(machine, x, y);
            pc += 4;
            continue;
          }
          case 41 /* IN */:
            regs[code[pc + 1]!] = contains(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;
          case 42 /* NOT_IN */:
            regs[code[pc + 1]!] = !contains(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;

          case 43 /* JUMP */:
            pc = code[pc + 1]!;
            continue;
          case 44 /* JUMP_IF */: {
            const x = regs[code[pc + 1]!];
            pc = x === true || (x !== false && truth(x as Value)) ? code[pc + 2]! : pc + 3;
            continue;
          }
          case 45 /* JUMP_UNLESS */: {
            const x = regs[code[pc + 1]!];
            pc = x === true || (x !== false && truth(x as Value)) ? pc + 3 : code[pc + 2]!;
            continue;
          }
          case 46 /* JUMP_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x === y : isEqual(machine, x, y))
              ? code[pc + 3]!
              : pc + 4;
            continue;
          }
          case 47 /* JUMP_NOT_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x !== y : !isEqual(machine, x, y))
              ? code[pc + 3]!
              : pc + 4;
            continue;
          }
          case 48 /* JUMP_LESS */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x < y : isLess(machine, x, y))
              ? code[pc + 3]!
              : pc + 4;
            continue;
          }
          case 49 /* JUMP_NOT_LESS */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x < y : isLess(machine, x, y))
              ? pc + 4
              : code[pc + 3]!;
            continue;
          }
          case 50 /* JUMP_LESS_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x <= y : isLessEqual(machine, x, y))
              ? code[pc + 3]!
              : pc + 4;
            continue;
          }
          case 51 /* JUMP_NOT_LESS_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x <= y : isLessEqual(machine, x, y))
              ? pc + 4
              : code[pc + 3]!;
            continue;
          }
          case 52 /* JUMP_GREATER */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x > y : isGreater(machine, x, y))
              ? code[pc + 3]!
              : pc + 4;
            continue;
          }
          case 53 /* JUMP_NOT_GREATER */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x > y : isGreater(machine, x, y))
              ? pc + 4
              : code[pc + 3]!;
            continue;
          }
          case 54 /* JUMP_GREATER_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x >= y : isGreaterEqual(machine, x, y))
              ? code[pc + 3]!
              : pc + 4;
            continue;
          }
          case 55 /* JUMP_NOT_GREATER_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            pc = (typeof x === 'number' && typeof y === 'number' ? x >= y : isGreaterEqual(machine, x, y))
              ? pc + 4
              : code[pc + 3]!;
            continue;
          }
          case 56 /* JUMP_IN */:
            pc = contains(machine, regs[code[pc + 1]!] as Value, regs[code[pc + 2]!] as Value)
              ? code[pc + 3]!
              : pc + 4;
            continue;
          case 57 /* JUMP_NOT_IN */:
            pc = contains(machine, regs[code[pc + 1]!] as Value, regs[code[pc + 2]!] as Value)
              ? pc + 4
              : code[pc + 3]!;
            continue;

          case 58 /* LIST */: {
            const count = code[pc + 2]!;
            meter.allocate(LIST_BYTES + count * SLOT_BYTES);
            regs[code[pc + 1]!] = new List(collect(regs, code, pc + 3, count));
            pc += 3 + count;
            continue;
          }
          case 59 /* LIST_EXTEND */: {
            const { items } = regs[code[pc + 1]!] as List;
            const count = code[pc + 2]!;
            meter.allocate(count * SLOT_BYTES);
            for (let index = 0; index < count; index += 1) items.push(regs[code[pc + 3 + index]!] as Value);
            pc += 3 + count;
            continue;
          }
          case 60 /* LIST_PUSH */: {
            const { items } = regs[code[pc + 1]!] as List;
            if (items.length >= MAX_ELEMENTS)
              tooLarge(`a list of ${items.length + 1} elements`, MAX_ELEMENTS);
            meter.allocate(SLOT_BYTES);
            items.push(regs[code[pc + 2]!] as Value);
            pc += 3;
            continue;
          }
          case 61 /* TUPLE */: {
            const count = code[pc + 2]!;
            meter.allocate(TUPLE_BYTES + count * SLOT_BYTES);
            regs[code[pc + 1]!] = new Tuple(collect(regs, code, pc + 3, count));
            pc += 3 + count;
            continue;
          }
          case 62 /* TUPLE_OF */:
            regs[code[pc + 1]!] = tupleOf(machine, regs[code[pc + 2]!] as List);
            pc += 3;
            continue;
          case 63 /* DICT */:
            regs[code[pc + 1]!] = newDict(machine);
            pc += 2;
            continue;
          case 64 /* DICT_OF */: {
            const count = code[pc + 2]!;
            regs[code[pc + 1]!] = makeDict(machine, regs, code, pc + 3, count >> 1);
            pc += 3 + count;
            continue;
          }
          case 65 /* DICT_ENTRY */:
            addEntry(
              machine,
              regs[code[pc + 1]!] as Dict,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;
          case 66 /* DICT_PUT */:
            dictSet(
              machine,
              regs[code[pc + 1]!] as Dict,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
            );
            pc += 4;
            continue;
          case 67 /* CLOSURE */: {
            const count = code[pc + 3]!;
            regs[code[pc + 1]!] = makeClosure(
              machine,
              frame,
              code[pc + 2]!,
              collect(regs, code, pc + 4, count),
            );
            pc += 4 + count;
            continue;
          }

          case 68 /* INDEX */: {
            const object = regs[code[pc + 2]!];
            const index = regs[code[pc + 3]!];
            if (object instanceof List || object instanceof Tuple) {
              const { items } = object;
              if (typeof index === 'number' && index >= 0 && index < items.length) {
                regs[code[pc + 1]!] = items[index];
                pc += 4;
                continue;
              }
            } else if (object instanceof Dict) {
              const at = object.index.get(hashKey(machine, index as Value, object.index));
              if (at !== undefined) {
                regs[code[pc + 1]!] = object.values[at];
                pc += 4;
                continue;
              }
            }
            regs[code[pc + 1]!] = getIndex(machine, object as Value, index as Value);
            pc += 4;
            continue;
          }
          case 69 /* SET_INDEX */: {
            const object = regs[code[pc + 1]!];
            const index = regs[code[pc + 2]!];
            if (object instanceof List) {
              const { items } = object;
              if (typeof index === 'number' && index >= 0 && index < items.length && object.locks === 0) {
                items[index] = regs[code[pc + 3]!] as Value;
                pc += 4;
                continue;
              }
            } else if (object instanceof Dict && object.locks === 0) {
              dictSet(machine, object, index as Value, regs[code[pc + 3]!] as Value);
              pc += 4;
              continue;
            }
            setIndex(machine, object as Value, index as Value, regs[code[pc + 3]!] as Value);
            pc += 4;
            continue;
          }
          case 70 /* SLICE */:
            regs[code[pc + 1]!] = getSlice(
              machine,
              regs[code[pc + 2]!] as Value,
              regs[code[pc + 3]!] as Value,
              regs[code[pc + 4]!] as Value,
              regs[code[pc + 5]!] as Value,
            );
            pc += 6;
            continue;
          case 71 /* ATTRIBUTE */:
            regs[code[pc + 1]!] = attribute(
              machine,
              regs[code[pc + 2]!] as Value,
              frame.function!.methods[code[pc + 3]!]!,
            );
            pc += 4;
            continue;
          case 72 /* SET_ATTRIBUTE */:
            setAttribute(regs[code[pc + 1]!] as Value, frame.function!.methods[code[pc + 2]!]!);
            continue;
          case 73 /* UNPACK */: {
            const value = regs[code[pc + 1]!];
            const count = code[pc + 2]!;
            const items =
              value instanceof Tuple && value.items.length === count
                ? value.items
                : unpack(machine, value, count);
            for (let index = 0; index < count; index += 1) regs[code[pc + 3 + index]!] = items[index];
            pc += 3 + count;
            continue;
          }

          case 74 /* ITERATE */:
            regs[code[pc + 1]!] = iterate(regs[code[pc + 2]!] as Value);
            pc += 3;
            continue;
          case 75 /* FOR */: {
            const it = regs[code[pc + 1]!] as Iterator;
            let value: Value | undefined;
            if (it.kind <= 1 /* BY_ITEM */) {
              const { index } = it;
              if (index < it.end) {
                it.index = index + 1;
                if (it.kind === 0 /* BY_STEP */) {
                  value = it.next;
                  it.next = value + it.step;
                } else value = it.items[index];
              }
            } else value = nextElement(meter, it);
            if (value === undefined) {
              endIterator(it);
              pc += 5;
              continue;
            }
            regs[code[pc + 2]!] = value;
            if ((meter.steps += code[pc + 3]!) > meter.pauseAt) {
              if (meter.steps > meter.stepLimit) meter.outOfSteps();
              frame.pc = code[pc + 4]!;
              machine.frame = frame;
              return;
            }
            pc = code[pc + 4]!;
            continue;
          }
          case 76 /* END_ITERATE */:
            endIterator(regs[code[pc + 1]!] as Iterator);
            pc += 2;
            continue;

          case 77 /* CALL */: {
            const callee = regs[code[pc + 2]!];
            const count = code[pc + 3]!;
            if (callee instanceof Closure) {
              const target = callee.frame as Frame;
              if (target.exact === count) {
                if (target.active || frame.depth >= maxCallDepth) checkCallable(machine, target, frame);
                const to = target.regs;
                for (let index = 0; index < count; index += 1) to[index] = regs[code[pc + 4 + index]!];
                frame.result = code[pc + 1]!;
                frame.pc = pc + 4 + count;
                target.active = true;
                target.caller = frame;
                target.depth = frame.depth + 1;
                target.free = callee.free;
                frame = target;
                code = target.code;
                regs = to;
                globals = target.globals;
                pc = 0;
                if (target.hasCells) makeCells(machine, target);
                if ((meter.steps += target.cost) > meter.pauseAt) {
                  if (meter.steps > meter.stepLimit) meter.outOfSteps();
                  frame.pc = 0;
                  machine.frame = frame;
                  return;
                }
                continue;
              }
            } else if (callee instanceof Builtin) {
              const { native } = callee;
              if (native.kind === 'fixed' && count >= native.required && count <= native.positional) {
                meter.callBegan = meter.memory;
                const value = native.run(
                  machine,
                  null as never,
                  count > 0 ? (regs[code[pc + 4]!] as Value) : undefined,
                  count > 1 ? (regs[code[pc + 5]!] as Value) : undefined,
                  count > 2 ? (regs[code[pc + 6]!] as Value) : undefined,
                );
                meter.callBegan = -1;
                if (!native.callsBack) {
                  regs[code[pc + 1]!] = value as Value;
                  pc += 4 + count;
                  continue;
                }
                frame.result = code[pc + 1]!;
                frame.pc = pc + 4 + count;
                next = settle(machine, frame, value);
                break;
              }
            }
            frame.result = code[pc + 1]!;
            frame.pc = pc + 4 + count;
            next = invoke(machine, frame, callee, collect(regs, code, pc + 4, count), noNamed);
            break;
          }
          case 78 /* CALL_METHOD */: {
            const self = regs[code[pc + 2]!] as Value;
            const site = code[pc + 3]!;
            const count = code[pc + 4]!;
            const methods = methodsOf(self);
            if (methods !== null) {
              const native =
                frame.methodTables[site] === methods
                  ? frame.methodNatives[site]!
                  : findMethod(frame, site, methods, self);
              if (
                native.kind === 'fixed' &&
                count >= native.required &&
                count <= native.positional &&
                !native.callsBack
              ) {
                meter.callBegan = meter.memory;
                regs[code[pc + 1]!] = native.run(
                  machine,
                  self as never,
                  count > 0 ? (regs[code[pc + 5]!] as Value) : undefined,
                  count > 1 ? (regs[code[pc + 6]!] as Value) : undefined,
                  count > 2 ? (regs[code[pc + 7]!] as Value) : undefined,
                ) as Value;
                meter.callBegan = -1;
                pc += 5 + count;
                continue;
              }
            }
            frame.result = code[pc + 1]!;
            frame.pc = pc + 5 + count;
            next = callMethod(machine, frame, self, site, collect(regs, code, pc + 5, count));
            break;
          }
          case 79 /* CALL_NAMED */: {
            const count = code[pc + 4]!;
            frame.result = code[pc + 1]!;
            frame.pc = pc + 5 + count;
            next = callWithNames(machine, frame, pc);
            break;
          }
          case 80 /* CALL_SPREAD */:
            frame.result = code[pc + 1]!;
            frame.pc = pc + 8 + code[pc + 7]!;
            next = callSpread(machine, frame, pc);
            break;
          case 81 /* RETURN */: {
            const value = regs[code[pc + 1]!];
            const caller: Frame = frame.caller!;
            for (let index = frame.registers - 1; index >= 0; index -= 1) regs[index] = undefined;
            frame.active = false;
            frame.free = noFree;
            frame = caller;
            if (caller.task === null) {
              code = caller.code;
              regs = caller.regs;
              globals = caller.globals;
              regs[caller.result] = value;
              pc = caller.pc;
              continue;
            }
            next = deliver(machine, caller, value);
            break;
          }
          case 82 /* LOAD */:
            frame.result = code[pc + 1]!;
            frame.pc = pc + 3;
            next = loadModule(machine, frame, regs[code[pc + 2]!] as string);
            break;
          case 83 /* LOAD_MEMBER */:
            regs[code[pc + 1]!] = loadMember(
              regs[code[pc + 2]!] as ModuleState,
              regs[code[pc + 3]!] as string,
            );
            pc += 4;
            continue;
          default:
            throw new Error(`there is no instruction ${code[pc]}`);
        }
        // Only calls and returns come here.
        if (next === null) return;
        if (next === frame) {
          regs[frame.result] = machine.result;
          machine.result = null;
        }
        frame = next;
        ({ code, regs, globals, pc } = frame);
        if (meter.steps > meter.pauseAt) {
          if (meter.steps > meter.stepLimit) meter.outOfSteps();
          machine.frame = frame;
          return;
        }
      }
    } catch (thrown) {
      next = recover(machine, frame, pc, thrown);
      if (next === null) return;
      frame = next;
      ({ code, regs, globals, pc } = frame);
    }
  }
}
