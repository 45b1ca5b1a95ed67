// Calls of the functions of the language, with any arguments.
import { EvalError } from '../value/eval-error.ts';
import type { CallEach, FixedNative, Native, Thread } from '../value/native.ts';
import type { Machine, Frame, KeywordPlan } from './machine.ts';
import { nearest } from '../../base/nearest.ts';
import type { FunctionCode } from '../compile/program.ts';
import { chargeTuple } from '../value/charge.ts';
import { dictHas, dictSet, newDict } from '../value/dict.ts';
import { Tuple, type Closure, type Value } from '../value/value.ts';

/** The library is not run from here when it calls back: it returns what it wants called. */
export function callNative(
  machine: Machine,
  native: Native,
  self: Value,
  args: readonly Value[],
  named: readonly Named[],
): Value | CallEach {
  const { meter } = machine;
  meter.callBegan = meter.memory;
  let value: Value | CallEach;
  if (native.kind === 'variadic') {
    checkUnique(native.name, named);
    value = native.run(machine, self as never, args as Value[], named);
  } else {
    const [a, b, c] = bindFixed(native, args, named);
    value = native.run(machine, self as never, a, b, c);
  }
  meter.callBegan = -1;
  return value;
}

function checkUnique(name: string, named: readonly Named[]): void {
  if (named.length < 2) return;
  const seen = new Set<string>();
  for (const [word] of named) {
    if (seen.has(word))
      throw new EvalError(
        'EVAL_ARGUMENTS',
        `${name}: got multiple values for keyword argument "${shortened(word)}"`,
      );
    seen.add(word);
  }
}

function bindFixed(
  native: FixedNative,
  args: readonly Value[],
  named: readonly Named[],
): (Value | undefined)[] {
  const { name, params, positionalOnly, required } = native;
  const onlyPositional = positionalOnly >= params.length;
  if (args.length > params.length || (onlyPositional && named.length === 0 && args.length < required))
    throw wrongCount(native, args.length);
  const bound: (Value | undefined)[] = args.slice();
  for (const [word, value] of named) {
    const index = params.indexOf(word, positionalOnly);
    if (index < 0) {
      if (onlyPositional)
        throw new EvalError(
          'EVAL_ARGUMENTS',
          `${name}: unexpected keyword argument "${shortened(word)}"`,
          'give the arguments by position',
        );
      throw unexpectedName(`${name}: unexpected keyword argument`, word, params.slice(positionalOnly));
    }
    if (bound[index] !== undefined)
      throw new EvalError(
        'EVAL_ARGUMENTS',
        `${name}: got multiple values for keyword argument "${shortened(word)}"`,
      );
    bound[index] = value;
  }
  for (let index = 0; index < required; index += 1) {
    if (bound[index] === undefined)
      throw new EvalError('EVAL_ARGUMENTS', `${name}: missing argument for ${params[index]}`);
  }
  return bound;
}

function wrongCount({ name, params, required }: FixedNative, given: number): EvalError {
  const bound = required === params.length ? '' : given < required ? 'at least ' : 'at most ';
  const wanted = given < required ? required : params.length;
  return new EvalError(
    'EVAL_ARGUMENTS',
    `${name}: got ${given} argument${given === 1 ? '' : 's'}, want ${bound}${wanted}`,
  );
}

// Arguments -> parameters.
//
//   positional values, named values -> the first registers of the function's frame, or EVAL_ARGUMENTS
//
// Each argument is charged by who gives it, each parameter that gets none here (`chargeDefaults`). What is remembered
// of earlier calls makes a call faster but never cheaper, since a snapshot does not hold it.

const LONG_NAME = 100;
const MANY_NAMES = 16;

export type Named = readonly [name: string, value: Value];

/** Fills the registers of `frame`, which is not active, for a call of `closure`. When it throws, the caller empties them. */
export function bindArguments(
  thread: Thread,
  closure: Closure,
  frame: Frame,
  args: readonly Value[],
  named: readonly Named[],
): void {
  const { code, defaults } = closure;
  const { names, positional, rest } = code.parameters;
  const { regs } = frame;
  const byPosition = Math.min(args.length, positional);
  if (args.length > positional && rest < 0) throw tooMany(code, args.length);
  for (let index = 0; index < byPosition; index += 1) regs[index] = args[index];
  if (rest >= 0) {
    const surplus = args.slice(byPosition);
    chargeTuple(thread.meter, surplus.length);
    regs[rest] = new Tuple(surplus);
  }
  if (named.length > 0 || code.parameters.keywords >= 0) bindNamed(thread, code, frame, named);
  chargeDefaults(thread, Math.max(0, names.length - byPosition - named.length));
  let missing: string[] | null = null;
  for (let index = byPosition; index < names.length; index += 1) {
    if (regs[index] !== undefined) continue;
    const value = defaults[index];
    if (value === undefined) (missing ??= []).push(names[index] as string);
    else regs[index] = value;
  }
  if (missing !== null) {
    throw new EvalError(
      'EVAL_ARGUMENTS',
      `function ${code.name} missing ${missing.length} argument${missing.length === 1 ? '' : 's'} (${missing.join(', ')})`,
    );
  }
}

function bindNamed(thread: Thread, code: FunctionCode, frame: Frame, named: readonly Named[]): void {
  const { names, keywords } = code.parameters;
  const { regs } = frame;
  const others = keywords < 0 ? null : newDict(thread);
  thread.meter.work(named.length);
  for (let at = 0; at < named.length; at += 1) {
    const pair = named[at] as Named;
    const name = pair[0];
    const value = pair[1];
    const index = slotOf(code, name);
    if (index >= 0 ? regs[index] !== undefined : others !== null && dictHas(thread, others, name)) {
      throw new EvalError(
        'EVAL_ARGUMENTS',
        `function ${code.name} got multiple values for parameter "${shortened(name)}"`,
      );
    }
    if (index >= 0) regs[index] = value;
    else if (others !== null) dictSet(thread, others, name, value);
    else throw unexpectedName(`function ${code.name} got an unexpected keyword argument`, name, names);
  }
  if (others !== null) regs[keywords] = others;
}

/** For `count` parameters that are given no argument. */
export function chargeDefaults(thread: Thread, count: number): void {
  thread.meter.work(count >> 1);
}

const slots = new WeakMap<FunctionCode, ReadonlyMap<string, number>>();

/** The index of the parameter `name`, or -1. */
function slotOf(code: FunctionCode, name: string): number {
  const { names } = code.parameters;
  // A search is quicker than a table, unless there are many names.
  if (names.length < MANY_NAMES) return names.indexOf(name);
  let table = slots.get(code);
  if (table === undefined) {
    table = new Map(names.map((each, index) => [each, index]));
    slots.set(code, table);
  }
  return table.get(name) ?? -1;
}

/** `names` are those that would have been right. */
export function unexpectedName(what: string, name: string, names: readonly string[]): EvalError {
  // One letter is close to every other one.
  const close = name.length < 3 || name.length > LONG_NAME ? null : nearest(name, names);
  return new EvalError(
    'EVAL_ARGUMENTS',
    `${what} "${shortened(name)}"`,
    close === null ? null : `did you mean ${close}?`,
  );
}

/** A name can come out of a dict, and be of any length. */
export function shortened(name: string): string {
  return name.length > LONG_NAME ? `${name.slice(0, LONG_NAME)}…` : name;
}

function tooMany({ name, parameters }: FunctionCode, given: number): EvalError {
  const { names, positional, hasDefault } = parameters;
  if (names.length === 0)
    return new EvalError('EVAL_ARGUMENTS', `function ${name} accepts no arguments (${given} given)`);
  const atMost = hasDefault.slice(0, positional).includes(true) ? 'at most ' : '';
  return new EvalError(
    'EVAL_ARGUMENTS',
    `function ${name} accepts ${atMost}${positional} positional argument${positional === 1 ? '' : 's'} (${given} given)`,
  );
}

/** For a call with `positional` values and then these names, which are distinct; null if it would be an error. */
export function planKeywords(
  code: FunctionCode,
  positional: number,
  keywordNames: readonly string[],
): KeywordPlan | null {
  const { names, rest, keywords, hasDefault } = code.parameters;
  const byPosition = Math.min(positional, code.parameters.positional);
  if (byPosition < positional && rest < 0) return null;
  const found = keywordNames.map((name) => slotOf(code, name));
  if (found.some((slot) => (slot < 0 ? keywords < 0 : slot < byPosition))) return null;
  const given = new Uint8Array(names.length);
  for (const slot of found) if (slot >= 0) given[slot] = 1;
  const defaults: number[] = [];
  for (let index = byPosition; index < names.length; index += 1) {
    if (given[index] === 1) continue;
    if (!hasDefault[index]) return null;
    defaults.push(index);
  }
  return { code, byPosition, slots: found, defaults };
}
