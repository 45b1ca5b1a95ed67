// Every instruction of the machine, as a function of its own.
//
//   machine, the frame that runs, the place of the instruction, its code and registers -> the place of the next one, or FRAME_CHANGED
//
// The loop (`run-loop.ts`) does the frequent cases of the frequent instructions itself and leaves all else to these.
// Each is small: V8 optimises one in a millisecond when it is hot, and what one program has not met yet costs the next
// nothing. An error leaves everything as it was at the beginning of the instruction.
import { LIST_BYTES, MAX_ELEMENTS, SLOT_BYTES, tooLarge } from '../../python/charge.ts';
import { opcodes, type OpcodeName } from '../compile/opcodes.ts';
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
import { contains } from '../value/contains.ts';
import { dictSet, newDict } from '../value/dict.ts';
import { addInPlace, andInPlace, orInPlace, subtractInPlace, xorInPlace } from '../value/in-place.ts';
import { getIndex, getSlice, setIndex } from '../value/index.ts';
import type { Thread } from '../value/native.ts';
import { truth } from '../value/truth.ts';
import { CELL_BYTES, TUPLE_BYTES, Builtin, Cell, Closure, List, Tuple } from '../value/value.ts';
import type { Dict, Value } from '../value/value.ts';
import { callMethod, callWithNames, callSpread } from './call-forms.ts';
import { activate, checkCallable, deliver, invoke, noNamed, settle } from './invoke.ts';
import { loadMember, loadModule } from './load.ts';
import {
  endIterator,
  iterate,
  nextElement,
  noFree,
  type Frame,
  type Iterator,
  type Machine,
  type ModuleState,
  type Slot,
} from './machine.ts';
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

/** The frame to continue with is `machine.next`; null when the run is suspended or over. */
const FRAME_CHANGED = -1;

type Instruction = (machine: Machine, frame: Frame, pc: number, code: Int32Array, regs: Slot[]) => number;

type Binary = (thread: Thread, x: Value, y: Value) => Value;
type Test = (machine: Machine, x: Slot, y: Slot) => boolean;

function binary(operation: Binary): Instruction {
  return (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = operation(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  };
}

function unary(operation: (thread: Thread, x: Value) => Value): Instruction {
  return (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = operation(machine, regs[code[pc + 2]!] as Value);
    return pc + 3;
  };
}

/** `test`, or its opposite when `wanted` is false, as a value. */
function comparison(test: Test, wanted: boolean): Instruction {
  return (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = test(machine, regs[code[pc + 2]!], regs[code[pc + 3]!]) === wanted;
    return pc + 4;
  };
}

/** Leaves the frame that runs for `next`. */
function changeTo(machine: Machine, next: Frame | null): number {
  machine.next = next;
  return FRAME_CHANGED;
}

/** The same after a call, which may be complete: then `next` is the frame that called. */
function afterCall(machine: Machine, frame: Frame, next: Frame | null): number {
  if (next === frame) {
    frame.regs[frame.result] = machine.result;
    machine.result = null;
  }
  return changeTo(machine, next);
}

const byName: { readonly [Name in OpcodeName]: Instruction } = {
  MOVE: (_machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = regs[code[pc + 2]!];
    return pc + 3;
  },
  CHECK: (_machine, frame, pc) => {
    const register = frame.code[pc + 1]!;
    if (frame.regs[register] === undefined) throw unassigned('local', frame.function?.variables[register]);
    return pc + 2;
  },
  CLEAR: (_machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = undefined;
    return pc + 2;
  },
  GET_GLOBAL: (_machine, frame, pc) => {
    const { code } = frame;
    const value = frame.globals[code[pc + 2]!];
    if (value === undefined) throw unassigned('global', frame.module?.program.globals[code[pc + 2]!]);
    frame.regs[code[pc + 1]!] = value;
    return pc + 3;
  },
  SET_GLOBAL: (_machine, { globals }, pc, code, regs) => {
    globals[code[pc + 1]!] = regs[code[pc + 2]!] as Value;
    return pc + 3;
  },
  NEW_CELL: (machine, _frame, pc, code, regs) => {
    machine.meter.allocate(CELL_BYTES);
    regs[code[pc + 1]!] = new Cell(undefined);
    return pc + 2;
  },
  GET_CELL: (_machine, frame, pc, code, regs) => {
    const { value } = regs[code[pc + 2]!] as Cell;
    if (value === undefined) throw unassigned('local', frame.function?.variables[code[pc + 2]!]);
    regs[code[pc + 1]!] = value;
    return pc + 3;
  },
  SET_CELL: (_machine, _frame, pc, code, regs) => {
    (regs[code[pc + 1]!] as Cell).value = regs[code[pc + 2]!] as Value;
    return pc + 3;
  },
  GET_FREE: (_machine, frame, pc) => {
    const { code } = frame;
    const { value } = frame.free[code[pc + 2]!]!;
    if (value === undefined) throw unassigned('local', frame.function?.freeNames[code[pc + 2]!]);
    frame.regs[code[pc + 1]!] = value;
    return pc + 3;
  },
  GET_NAME: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = getName(machine, regs[code[pc + 2]!] as string);
    return pc + 3;
  },
  SET_NAME: (machine, _frame, pc, code, regs) => {
    machine.scope!.values.set(regs[code[pc + 1]!] as string, regs[code[pc + 2]!] as Value);
    return pc + 3;
  },

  ADD: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = add(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  SUBTRACT: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = subtract(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  MULTIPLY: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = multiply(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  DIVIDE: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = divide(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  FLOOR_DIVIDE: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = floorDivide(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  MODULO: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = modulo(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  BIT_AND: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = bitAnd(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  BIT_OR: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = bitOr(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  BIT_XOR: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = bitXor(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  SHIFT_LEFT: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = shiftLeft(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  SHIFT_RIGHT: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = shiftRight(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  MULTIPLY_AND: (machine, _frame, pc, code, regs) => {
    const product = multiply(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    regs[code[pc + 1]!] = bitAnd(machine, product, regs[code[pc + 4]!] as Value);
    return pc + 5;
  },
  MULTIPLY_MODULO: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = multiplyModulo(
      machine,
      regs[code[pc + 2]!] as Value,
      regs[code[pc + 3]!] as Value,
      regs[code[pc + 4]!] as Value,
    );
    return pc + 5;
  },
  MULTIPLY_ADD_AND: (machine, _frame, pc, code, regs) => {
    const product = multiply(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    const sum = add(machine, product, regs[code[pc + 4]!] as Value);
    regs[code[pc + 1]!] = bitAnd(machine, sum, regs[code[pc + 5]!] as Value);
    return pc + 6;
  },
  MULTIPLY_ADD_MODULO: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = multiplyAddModulo(
      machine,
      regs[code[pc + 2]!] as Value,
      regs[code[pc + 3]!] as Value,
      regs[code[pc + 4]!] as Value,
      regs[code[pc + 5]!] as Value,
    );
    return pc + 6;
  },
  ADD_IN_PLACE: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = addInPlace(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  SUBTRACT_IN_PLACE: binary(subtractInPlace),
  BIT_AND_IN_PLACE: binary(andInPlace),
  BIT_OR_IN_PLACE: binary(orInPlace),
  BIT_XOR_IN_PLACE: binary(xorInPlace),
  NEGATE: unary(negate),
  PLUS: unary(plus),
  INVERT: unary(invert),
  NOT: (_machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = !truth(regs[code[pc + 2]!] as Value);
    return pc + 3;
  },

  EQUAL: comparison(isEqual, true),
  NOT_EQUAL: comparison(isEqual, false),
  LESS: comparison(isLess, true),
  LESS_EQUAL: comparison(isLessEqual, true),
  GREATER: comparison(isGreater, true),
  GREATER_EQUAL: comparison(isGreaterEqual, true),
  IN: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = contains(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  NOT_IN: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = !contains(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },

  JUMP: (_machine, _frame, pc, code) => code[pc + 1]!,
  JUMP_IF: (_machine, _frame, pc, code, regs) =>
    truth(regs[code[pc + 1]!] as Value) ? code[pc + 2]! : pc + 3,
  JUMP_UNLESS: (_machine, _frame, pc, code, regs) =>
    truth(regs[code[pc + 1]!] as Value) ? pc + 3 : code[pc + 2]!,
  JUMP_EQUAL: (machine, _frame, pc, code, regs) =>
    isEqual(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? code[pc + 3]! : pc + 4,
  JUMP_NOT_EQUAL: (machine, _frame, pc, code, regs) =>
    isEqual(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? pc + 4 : code[pc + 3]!,
  JUMP_LESS: (machine, _frame, pc, code, regs) =>
    isLess(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? code[pc + 3]! : pc + 4,
  JUMP_NOT_LESS: (machine, _frame, pc, code, regs) =>
    isLess(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? pc + 4 : code[pc + 3]!,
  JUMP_LESS_EQUAL: (machine, _frame, pc, code, regs) =>
    isLessEqual(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? code[pc + 3]! : pc + 4,
  JUMP_NOT_LESS_EQUAL: (machine, _frame, pc, code, regs) =>
    isLessEqual(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? pc + 4 : code[pc + 3]!,
  JUMP_GREATER: (machine, _frame, pc, code, regs) =>
    isGreater(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? code[pc + 3]! : pc + 4,
  JUMP_NOT_GREATER: (machine, _frame, pc, code, regs) =>
    isGreater(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? pc + 4 : code[pc + 3]!,
  JUMP_GREATER_EQUAL: (machine, _frame, pc, code, regs) =>
    isGreaterEqual(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? code[pc + 3]! : pc + 4,
  JUMP_NOT_GREATER_EQUAL: (machine, _frame, pc, code, regs) =>
    isGreaterEqual(machine, regs[code[pc + 1]!], regs[code[pc + 2]!]) ? pc + 4 : code[pc + 3]!,
  JUMP_IN: (machine, _frame, pc, code, regs) =>
    contains(machine, regs[code[pc + 1]!] as Value, regs[code[pc + 2]!] as Value) ? code[pc + 3]! : pc + 4,
  JUMP_NOT_IN: (machine, _frame, pc, code, regs) =>
    contains(machine, regs[code[pc + 1]!] as Value, regs[code[pc + 2]!] as Value) ? pc + 4 : code[pc + 3]!,

  LIST: (machine, _frame, pc, code, regs) => {
    const count = code[pc + 2]!;
    machine.meter.allocate(LIST_BYTES + count * SLOT_BYTES);
    regs[code[pc + 1]!] = new List(collect(regs, code, pc + 3, count));
    return pc + 3 + count;
  },
  LIST_EXTEND: (machine, _frame, pc, code, regs) => {
    const { items } = regs[code[pc + 1]!] as List;
    const count = code[pc + 2]!;
    machine.meter.allocate(count * SLOT_BYTES);
    for (let index = 0; index < count; index += 1) items.push(regs[code[pc + 3 + index]!] as Value);
    return pc + 3 + count;
  },
  LIST_PUSH: (machine, _frame, pc, code, regs) => {
    const { items } = regs[code[pc + 1]!] as List;
    if (items.length >= MAX_ELEMENTS) tooLarge(`a list of ${items.length + 1} elements`, MAX_ELEMENTS);
    machine.meter.allocate(SLOT_BYTES);
    items.push(regs[code[pc + 2]!] as Value);
    return pc + 3;
  },
  TUPLE: (machine, _frame, pc, code, regs) => {
    const count = code[pc + 2]!;
    machine.meter.allocate(TUPLE_BYTES + count * SLOT_BYTES);
    regs[code[pc + 1]!] = new Tuple(collect(regs, code, pc + 3, count));
    return pc + 3 + count;
  },
  TUPLE_OF: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = tupleOf(machine, regs[code[pc + 2]!] as List);
    return pc + 3;
  },
  DICT: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = newDict(machine);
    return pc + 2;
  },
  DICT_OF: (machine, _frame, pc, code, regs) => {
    const count = code[pc + 2]!;
    regs[code[pc + 1]!] = makeDict(machine, regs, code, pc + 3, count >> 1);
    return pc + 3 + count;
  },
  DICT_ENTRY: (machine, _frame, pc, code, regs) => {
    addEntry(
      machine,
      regs[code[pc + 1]!] as Dict,
      regs[code[pc + 2]!] as Value,
      regs[code[pc + 3]!] as Value,
    );
    return pc + 4;
  },
  DICT_PUT: (machine, _frame, pc, code, regs) => {
    dictSet(machine, regs[code[pc + 1]!] as Dict, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  CLOSURE: (machine, frame, pc, code, regs) => {
    const count = code[pc + 3]!;
    regs[code[pc + 1]!] = makeClosure(machine, frame, code[pc + 2]!, collect(regs, code, pc + 4, count));
    return pc + 4 + count;
  },

  INDEX: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = getIndex(machine, regs[code[pc + 2]!] as Value, regs[code[pc + 3]!] as Value);
    return pc + 4;
  },
  SET_INDEX: (machine, _frame, pc, code, regs) => {
    setIndex(
      machine,
      regs[code[pc + 1]!] as Value,
      regs[code[pc + 2]!] as Value,
      regs[code[pc + 3]!] as Value,
    );
    return pc + 4;
  },
  SLICE: (machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = getSlice(
      machine,
      regs[code[pc + 2]!] as Value,
      regs[code[pc + 3]!] as Value,
      regs[code[pc + 4]!] as Value,
      regs[code[pc + 5]!] as Value,
    );
    return pc + 6;
  },
  ATTRIBUTE: (machine, frame, pc, code, regs) => {
    regs[code[pc + 1]!] = attribute(
      machine,
      regs[code[pc + 2]!] as Value,
      frame.function!.methods[code[pc + 3]!]!,
    );
    return pc + 4;
  },
  SET_ATTRIBUTE: (_machine, frame, pc) =>
    setAttribute(frame.regs[frame.code[pc + 1]!] as Value, frame.function!.methods[frame.code[pc + 2]!]!),
  UNPACK: (machine, _frame, pc, code, regs) => {
    const value = regs[code[pc + 1]!];
    const count = code[pc + 2]!;
    const items =
      value instanceof Tuple && value.items.length === count ? value.items : unpack(machine, value, count);
    for (let index = 0; index < count; index += 1) regs[code[pc + 3 + index]!] = items[index];
    return pc + 3 + count;
  },

  ITERATE: (_machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = iterate(regs[code[pc + 2]!] as Value);
    return pc + 3;
  },
  FOR: (machine, frame, pc, code, regs) => {
    const { meter } = machine;
    const it = regs[code[pc + 1]!] as Iterator;
    const value = nextElement(meter, it);
    if (value === undefined) {
      endIterator(it);
      return pc + 5;
    }
    regs[code[pc + 2]!] = value;
    meter.steps += code[pc + 3]!;
    if (meter.steps <= meter.pauseAt) return code[pc + 4]!;
    if (meter.steps > meter.stepLimit) meter.outOfSteps();
    frame.pc = code[pc + 4]!;
    machine.frame = frame;
    return changeTo(machine, null);
  },
  END_ITERATE: (_machine, _frame, pc, code, regs) => {
    endIterator(regs[code[pc + 1]!] as Iterator);
    return pc + 2;
  },

  CALL: (machine, frame, pc, code, regs) => {
    const callee = regs[code[pc + 2]!];
    const count = code[pc + 3]!;
    if (callee instanceof Builtin) {
      const { native } = callee;
      if (native.kind === 'fixed' && count >= native.required && count <= native.positional) {
        const { meter } = machine;
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
          return pc + 4 + count;
        }
        frame.result = code[pc + 1]!;
        frame.pc = pc + 4 + count;
        return afterCall(machine, frame, settle(machine, frame, value));
      }
    }
    frame.result = code[pc + 1]!;
    frame.pc = pc + 4 + count;
    if (callee instanceof Closure) {
      const target = callee.frame as Frame;
      if (target.exact === count) {
        checkCallable(machine, target, frame);
        for (let index = 0; index < count; index += 1) target.regs[index] = regs[code[pc + 4 + index]!];
        activate(machine, target, callee, frame);
        return changeTo(machine, target);
      }
    }
    return afterCall(
      machine,
      frame,
      invoke(machine, frame, callee, collect(regs, code, pc + 4, count), noNamed),
    );
  },
  CALL_METHOD: (machine, frame, pc, code, regs) => {
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
        const { meter } = machine;
        meter.callBegan = meter.memory;
        regs[code[pc + 1]!] = native.run(
          machine,
          self as never,
          count > 0 ? (regs[code[pc + 5]!] as Value) : undefined,
          count > 1 ? (regs[code[pc + 6]!] as Value) : undefined,
          count > 2 ? (regs[code[pc + 7]!] as Value) : undefined,
        ) as Value;
        meter.callBegan = -1;
        return pc + 5 + count;
      }
    }
    frame.result = code[pc + 1]!;
    frame.pc = pc + 5 + count;
    return afterCall(
      machine,
      frame,
      callMethod(machine, frame, self, site, collect(regs, code, pc + 5, count)),
    );
  },
  CALL_NAMED: (machine, frame, pc) => {
    frame.result = frame.code[pc + 1]!;
    frame.pc = pc + 5 + frame.code[pc + 4]!;
    return afterCall(machine, frame, callWithNames(machine, frame, pc));
  },
  CALL_SPREAD: (machine, frame, pc) => {
    frame.result = frame.code[pc + 1]!;
    frame.pc = pc + 8 + frame.code[pc + 7]!;
    return afterCall(machine, frame, callSpread(machine, frame, pc));
  },
  RETURN: (machine, frame, pc) => {
    const { regs } = frame;
    const value = regs[frame.code[pc + 1]!];
    for (let index = frame.registers - 1; index >= 0; index -= 1) regs[index] = undefined;
    frame.active = false;
    frame.free = noFree;
    return changeTo(machine, deliver(machine, frame.caller!, value));
  },
  LOAD: (machine, frame, pc) => {
    frame.result = frame.code[pc + 1]!;
    frame.pc = pc + 3;
    return afterCall(machine, frame, loadModule(machine, frame, frame.regs[frame.code[pc + 2]!] as string));
  },
  LOAD_MEMBER: (_machine, _frame, pc, code, regs) => {
    regs[code[pc + 1]!] = loadMember(regs[code[pc + 2]!] as ModuleState, regs[code[pc + 3]!] as string);
    return pc + 4;
  },
};

/** Index: the number of the instruction. */
export const instructions: readonly Instruction[] = opcodes.map(({ name }) => byName[name]);
