// The calls that are not simple: of methods in general, with named arguments, with `*` and `**`.
import { chargeTuple } from '../value/charge.ts';
import { dictSet, newDict } from '../value/dict.ts';
import { EvalError } from '../value/eval-error.ts';
import { isIterable, toArray } from '../value/iterate.ts';
import { typeName } from '../value/type-name.ts';
import { Closure, Dict, Tuple, type Value } from '../value/value.ts';
import { methodsOf } from '../lib/methods.ts';
import {
  callNative,
  chargeDefaults,
  planKeywords,
  type Named,
  activate,
  checkCallable,
  invoke,
  noNamed,
  settle,
} from './invoke.ts';
import { leaveFrame, type Frame, type FunctionFrame, type KeywordPlan } from './machine.ts';
import type { Machine } from './machine.ts';
import { attribute, collect, findMethod } from './operations.ts';

/** `self.name(args)`, whatever `self` is. */
export function callMethod(
  machine: Machine,
  frame: Frame,
  self: Value,
  site: number,
  args: readonly Value[],
): Frame | null {
  const methods = methodsOf(self);
  if (methods === null)
    return invoke(
      machine,
      frame,
      attribute(machine, self, (frame as FunctionFrame).function.methods[site] as string),
      args,
      noNamed,
    );
  return settle(
    machine,
    frame,
    callNative(machine, findMethod(frame, site, methods, self), self, args, noNamed),
  );
}

/** The instruction CALL_NAMED at `pc`. */
export function callWithNames(machine: Machine, frame: Frame, pc: number): Frame | null {
  const { code, regs } = frame;
  const callee = regs[code[pc + 2] as number];
  const site = code[pc + 3] as number;
  const count = code[pc + 4] as number;
  const names = (frame as FunctionFrame).function.keywords[site] as readonly string[];
  const positional = count - names.length;
  if (callee instanceof Closure) {
    let plan = frame.keywordPlans[site] ?? null;
    if (plan === null || plan.code !== callee.code) {
      plan = planKeywords(callee.code, positional, names);
      frame.keywordPlans[site] = plan;
    }
    if (plan !== null) {
      const target = callee.frame as Frame;
      checkCallable(machine, target, frame);
      try {
        bindPlanned(machine, frame, pc + 5, count, names, callee, target, plan);
      } catch (error) {
        // It never ran, so that nothing else will leave it.
        leaveFrame(target);
        throw error;
      }
      activate(machine, target, callee, frame);
      return target;
    }
  }
  const values = collect(regs, code, pc + 5, count);
  return invoke(machine, frame, callee, values.slice(0, positional), namedValues(names, values, positional));
}

/** Moves the `count` arguments listed at `at` to the parameters of `target`. */
function bindPlanned(
  machine: Machine,
  frame: Frame,
  at: number,
  count: number,
  names: readonly string[],
  callee: Closure,
  target: Frame,
  plan: KeywordPlan,
): void {
  const { code, regs } = frame;
  const to = target.regs;
  const { byPosition, slots, defaults } = plan;
  const { rest, keywords } = plan.code.parameters;
  const firstNamed = at + count - slots.length;
  for (let index = 0; index < byPosition; index += 1) to[index] = regs[code[at + index]!];
  if (rest >= 0) {
    const surplus = firstNamed - at - byPosition;
    chargeTuple(machine.meter, surplus);
    to[rest] = new Tuple(collect(regs, code, at + byPosition, surplus));
  }
  const others = keywords < 0 ? null : newDict(machine);
  if (others !== null) to[keywords] = others;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index]!;
    const value = regs[code[firstNamed + index]!] as Value;
    if (slot >= 0) to[slot] = value;
    else dictSet(machine, others!, names[index]!, value);
  }
  chargeDefaults(machine, defaults.length);
  for (let index = 0; index < defaults.length; index += 1)
    to[defaults[index]!] = callee.defaults[defaults[index]!];
}

/** The instruction CALL_SPREAD at `pc`. */
export function callSpread(machine: Machine, frame: Frame, pc: number): Frame | null {
  const { code, regs } = frame;
  const names = (frame as FunctionFrame).function.keywords[code[pc + 3] as number] as readonly string[];
  const given = code[pc + 4] as number;
  const values = collect(regs, code, pc + 8, code[pc + 7] as number);
  const positional = values.length - names.length;
  let args: Value[] = values.slice(0, positional);
  let named = namedValues(names, values, positional);
  if ((given & 1) !== 0) args = args.concat(spreadItems(machine, regs[code[pc + 5] as number] as Value));
  if ((given & 2) !== 0) named = named.concat(spreadEntries(machine, regs[code[pc + 6] as number] as Value));
  return invoke(machine, frame, regs[code[pc + 2] as number], args, named);
}

function namedValues(names: readonly string[], values: readonly Value[], from: number): Named[] {
  return names.map((name, index) => [name, values[from + index] as Value]);
}

function spreadItems(machine: Machine, value: Value): Value[] {
  if (!isIterable(value))
    throw new EvalError('EVAL_TYPE', `argument after * must be iterable, not ${typeName(value)}`);
  return toArray(machine, value);
}

function spreadEntries(machine: Machine, value: Value): Named[] {
  if (!(value instanceof Dict))
    throw new EvalError('EVAL_TYPE', `argument after ** must be a mapping, not ${typeName(value)}`);
  machine.meter.work(2 * value.keys.length);
  const entries: Named[] = [];
  for (const [index, key] of value.keys.entries()) {
    if (key === undefined) continue;
    if (typeof key !== 'string')
      throw new EvalError('EVAL_TYPE', `keywords must be strings, not ${typeName(key)}`);
    entries.push([key, value.values[index] as Value]);
  }
  return entries;
}
