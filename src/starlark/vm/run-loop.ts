// The loop of the machine: takes an instruction, does it, takes the next one.
//
//   frames -> a value, a call of the host, a pause or a failure
//
// Labels are literals (opcodes#I1), and `code`, `regs`, `globals`, `pc` and `frame` are local variables that are loaded
// anew when the frame changes: V8 keeps them in machine registers.
// run-loop#X1. Only what is frequent is done here. A case that does not apply leaves the `switch`, and the instruction is
//   done by its function in `instructions.ts`; what a case has charged by then would be charged twice. V8 optimises this function while it runs, and most
//   programs are over in the time that takes: with every instruction written out here it took 50 ms, and again whenever
//   an instruction was met for the first time.
// run-loop#X3. Steps are charged where a function is entered and where a loop begins a round; only there can a slice
//   end. The instruction is complete then, so going on is just running again.
// While an instruction runs `pc` is at its beginning; an error is looked up from there.
import { MAX_ELEMENTS, SLOT_BYTES, chargeRead } from '../../python/charge.ts';
import { FLOAT_BYTES, Closure, Dict, Float, List, Tuple, type Value } from '../value/value.ts';
import { hashKey } from '../value/compare.ts';
import { dictSet } from '../value/dict.ts';
import { getIndex } from '../value/index.ts';
import { recover } from './failure.ts';
import { instructions } from './instructions.ts';
import { deliver } from './invoke.ts';
import { noFree, type Frame, type Iterator, type Machine } from './machine.ts';
import { SHORT_UNITS, multiplyAddModulo, multiplyModulo } from './operations.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const MIN = Number.MIN_SAFE_INTEGER;

/** Runs until the program ends, fails, calls the host (then `machine.hostCall` is set) or the slice is over. */
export function runLoop(machine: Machine, start: Frame): void {
  const { meter, maxCallDepth } = machine;

  let frame = start;
  let { code, regs, globals, pc } = frame;
  /** Where a call or return led. */
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
            if (regs[code[pc + 1]!] === undefined) break;
            pc += 2;
            continue;
          case 3 /* GET_GLOBAL */: {
            const value = globals[code[pc + 2]!];
            if (value === undefined) break;
            regs[code[pc + 1]!] = value;
            pc += 3;
            continue;
          }
          case 8 /* GET_FREE */: {
            const { value } = frame.free[code[pc + 2]!]!;
            if (value === undefined) break;
            regs[code[pc + 1]!] = value;
            pc += 3;
            continue;
          }

          case 11 /* ADD */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              const sum = x + y;
              if (sum > MAX || sum < MIN) break;
              regs[code[pc + 1]!] = sum;
              pc += 4;
              continue;
            }
            if (!(x instanceof Float && y instanceof Float) || meter.memory + FLOAT_BYTES > meter.memoryLimit)
              break;
            meter.memory += FLOAT_BYTES;
            regs[code[pc + 1]!] = new Float(x.value + y.value);
            pc += 4;
            continue;
          }
          case 12 /* SUBTRACT */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              const difference = x - y;
              if (difference > MAX || difference < MIN) break;
              regs[code[pc + 1]!] = difference;
              pc += 4;
              continue;
            }
            if (!(x instanceof Float && y instanceof Float) || meter.memory + FLOAT_BYTES > meter.memoryLimit)
              break;
            meter.memory += FLOAT_BYTES;
            regs[code[pc + 1]!] = new Float(x.value - y.value);
            pc += 4;
            continue;
          }
          case 13 /* MULTIPLY */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              // Adding 0 turns -0 into 0.
              const product = x * y + 0;
              if (product > MAX || product < MIN) break;
              regs[code[pc + 1]!] = product;
              pc += 4;
              continue;
            }
            if (!(x instanceof Float && y instanceof Float) || meter.memory + FLOAT_BYTES > meter.memoryLimit)
              break;
            meter.memory += FLOAT_BYTES;
            regs[code[pc + 1]!] = new Float(x.value * y.value);
            pc += 4;
            continue;
          }
          case 15 /* FLOOR_DIVIDE */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x !== 'number' || typeof y !== 'number' || y === 0) break;
            // Exact for safe integers, see `floorDivideInts`.
            regs[code[pc + 1]!] = Math.floor(x / y) + 0;
            pc += 4;
            continue;
          }
          case 16 /* MODULO */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x !== 'number' || typeof y !== 'number' || x < 0 || y <= 0) break;
            // The rest of two int32 is one instruction; of two doubles it would be a call, and this is none.
            regs[code[pc + 1]!] =
              (x | 0) === x && (y | 0) === y ? (x | 0) % (y | 0) : x - Math.floor(x / y) * y;
            pc += 4;
            continue;
          }
          case 17 /* BIT_AND */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x !== 'number' || typeof y !== 'number' || (x | 0) !== x || (y | 0) !== y) break;
            regs[code[pc + 1]!] = x & y;
            pc += 4;
            continue;
          }
          case 18 /* BIT_OR */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x !== 'number' || typeof y !== 'number' || (x | 0) !== x || (y | 0) !== y) break;
            regs[code[pc + 1]!] = x | y;
            pc += 4;
            continue;
          }
          case 19 /* BIT_XOR */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x !== 'number' || typeof y !== 'number' || (x | 0) !== x || (y | 0) !== y) break;
            regs[code[pc + 1]!] = x ^ y;
            pc += 4;
            continue;
          }
          case 22 /* MULTIPLY_AND */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            const m = regs[code[pc + 4]!];
            if (typeof x !== 'number' || typeof y !== 'number' || typeof m !== 'number' || m >>> 0 !== m)
              break;
            // The low 32 bits of a product are those of the factors' low 32 bits.
            regs[code[pc + 1]!] = (Math.imul(x, y) & m) >>> 0;
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
              typeof x !== 'number' ||
              typeof y !== 'number' ||
              typeof z !== 'number' ||
              typeof m !== 'number' ||
              m >>> 0 !== m
            )
              break;
            regs[code[pc + 1]!] = ((Math.imul(x, y) + (z | 0)) & m) >>> 0;
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
              if (sum > MAX || sum < MIN) break;
              regs[code[pc + 1]!] = sum;
              pc += 4;
              continue;
            }
            if (!(x instanceof Float && y instanceof Float) || meter.memory + FLOAT_BYTES > meter.memoryLimit)
              break;
            meter.memory += FLOAT_BYTES;
            regs[code[pc + 1]!] = new Float(x.value + y.value);
            pc += 4;
            continue;
          }
          case 27 /* SUBTRACT_IN_PLACE */: {
            const x = regs[code[pc + 2]!];
            const y = regs[code[pc + 3]!];
            if (typeof x === 'number' && typeof y === 'number') {
              const difference = x - y;
              if (difference > MAX || difference < MIN) break;
              regs[code[pc + 1]!] = difference;
              pc += 4;
              continue;
            }
            if (!(x instanceof Float && y instanceof Float) || meter.memory + FLOAT_BYTES > meter.memoryLimit)
              break;
            meter.memory += FLOAT_BYTES;
            regs[code[pc + 1]!] = new Float(x.value - y.value);
            pc += 4;
            continue;
          }

          case 43 /* JUMP */:
            pc = code[pc + 1]!;
            continue;
          case 44 /* JUMP_IF */: {
            const x = regs[code[pc + 1]!];
            if (typeof x !== 'boolean') break;
            pc = x ? code[pc + 2]! : pc + 3;
            continue;
          }
          case 45 /* JUMP_UNLESS */: {
            const x = regs[code[pc + 1]!];
            if (typeof x !== 'boolean') break;
            pc = x ? pc + 3 : code[pc + 2]!;
            continue;
          }
          case 46 /* JUMP_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') {
              if (typeof x !== 'string' || typeof y !== 'string' || x.length > SHORT_UNITS) break;
              pc = x === y ? code[pc + 3]! : pc + 4;
              continue;
            }
            pc = x === y ? code[pc + 3]! : pc + 4;
            continue;
          }
          case 47 /* JUMP_NOT_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') {
              if (typeof x !== 'string' || typeof y !== 'string' || x.length > SHORT_UNITS) break;
              pc = x !== y ? code[pc + 3]! : pc + 4;
              continue;
            }
            pc = x !== y ? code[pc + 3]! : pc + 4;
            continue;
          }
          case 48 /* JUMP_LESS */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') break;
            pc = x < y ? code[pc + 3]! : pc + 4;
            continue;
          }
          case 49 /* JUMP_NOT_LESS */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') break;
            pc = x < y ? pc + 4 : code[pc + 3]!;
            continue;
          }
          case 50 /* JUMP_LESS_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') break;
            pc = x <= y ? code[pc + 3]! : pc + 4;
            continue;
          }
          case 51 /* JUMP_NOT_LESS_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') break;
            pc = x <= y ? pc + 4 : code[pc + 3]!;
            continue;
          }
          case 52 /* JUMP_GREATER */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') break;
            pc = x > y ? code[pc + 3]! : pc + 4;
            continue;
          }
          case 53 /* JUMP_NOT_GREATER */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') break;
            pc = x > y ? pc + 4 : code[pc + 3]!;
            continue;
          }
          case 54 /* JUMP_GREATER_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') break;
            pc = x >= y ? code[pc + 3]! : pc + 4;
            continue;
          }
          case 55 /* JUMP_NOT_GREATER_EQUAL */: {
            const x = regs[code[pc + 1]!];
            const y = regs[code[pc + 2]!];
            if (typeof x !== 'number' || typeof y !== 'number') break;
            pc = x >= y ? pc + 4 : code[pc + 3]!;
            continue;
          }

          case 60 /* LIST_PUSH */: {
            const { items } = regs[code[pc + 1]!] as List;
            if (items.length >= MAX_ELEMENTS || meter.memory + SLOT_BYTES > meter.memoryLimit) break;
            meter.memory += SLOT_BYTES;
            items.push(regs[code[pc + 2]!] as Value);
            pc += 3;
            continue;
          }

          case 68 /* INDEX */: {
            const object = regs[code[pc + 2]!];
            const index = regs[code[pc + 3]!];
            if (!(object instanceof List || object instanceof Tuple)) {
              if (object instanceof Dict) {
                const at = object.index.get(hashKey(machine, index as Value, object.index));
                regs[code[pc + 1]!] =
                  at === undefined ? getIndex(machine, object, index as Value) : object.values[at];
                pc += 4;
                continue;
              }
              if (
                typeof object !== 'string' ||
                typeof index !== 'number' ||
                index < 0 ||
                index >= object.length
              )
                break;
              chargeRead(meter, object.length);
              regs[code[pc + 1]!] = object[index];
              pc += 4;
              continue;
            }
            const { items } = object;
            if (typeof index !== 'number' || index < 0 || index >= items.length) break;
            regs[code[pc + 1]!] = items[index];
            pc += 4;
            continue;
          }
          case 69 /* SET_INDEX */: {
            const object = regs[code[pc + 1]!];
            const index = regs[code[pc + 2]!];
            if (!(object instanceof List)) {
              if (!(object instanceof Dict) || object.locks !== 0) break;
              dictSet(machine, object, index as Value, regs[code[pc + 3]!] as Value);
              pc += 4;
              continue;
            }
            if (object.locks !== 0) break;
            const { items } = object;
            if (typeof index !== 'number' || index < 0 || index >= items.length) break;
            items[index] = regs[code[pc + 3]!] as Value;
            pc += 4;
            continue;
          }

          case 75 /* FOR */: {
            const it = regs[code[pc + 1]!] as Iterator;
            const { index, kind } = it;
            if (kind > 1 /* BY_ITEM */ || index >= it.end) break;
            const steps = meter.steps + code[pc + 3]!;
            if (steps > meter.pauseAt) break;
            meter.steps = steps;
            it.index = index + 1;
            if (kind === 0 /* BY_STEP */) {
              regs[code[pc + 2]!] = it.next;
              it.next += it.step;
            } else regs[code[pc + 2]!] = it.items[index];
            pc = code[pc + 4]!;
            continue;
          }

          case 77 /* CALL */: {
            const callee = regs[code[pc + 2]!];
            if (!(callee instanceof Closure)) break;
            const count = code[pc + 3]!;
            const target = callee.frame as Frame;
            if (target.exact !== count || target.active || target.hasCells || frame.depth >= maxCallDepth)
              break;
            const steps = meter.steps + target.cost;
            if (steps > meter.pauseAt) break;
            meter.steps = steps;
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
            continue;
          }
          case 81 /* RETURN */: {
            const caller: Frame = frame.caller!;
            if (caller.task !== null) break;
            caller.regs[caller.result] = regs[code[pc + 1]!];
            for (let index = frame.registers - 1; index >= 0; index -= 1) regs[index] = undefined;
            frame.active = false;
            frame.free = noFree;
            frame = caller;
            code = caller.code;
            regs = caller.regs;
            globals = caller.globals;
            pc = caller.pc;
            continue;
          }
        }
        // Without `| 0` V8 would not know that the place is an integer, and would box and test `pc` in every instruction:
        // loops of ints took a sixth longer.
        const place = instructions[code[pc]!]!(machine, frame, pc, code, regs) | 0;
        if (place >= 0) {
          pc = place;
          continue;
        }
        ({ next } = machine);
        if (next === null) return;
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
