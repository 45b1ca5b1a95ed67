// What was thrown -> a Failure with the place and the way that led there.
//
// failure#B1. The frame that runs is looked up from the instruction it is at, the frames that wait from the one
//   before where they continue: `pc` is made to mean the second for both.
// failure#B2. Only a library function for tests can catch anything, and never that the steps or the output are used
//   up.
// Anything else that was thrown is a bug of ours or of the embedder, and is thrown on.
import { severityOf } from '../../base/codes.ts';
import { LimitReached } from '../../base/meter.ts';
import { placeOf, type Span } from '../../base/span.ts';
import type { FunctionCode, Program } from '../compile/program.ts';
import type { BacktraceFrame, Failure } from '../options.ts';
import { EvalError } from '../value/eval-error.ts';
import { Closure } from '../value/value.ts';
import { Iterator, endIterator, leaveFrame, moduleKey, releaseTasks, type Frame } from './machine.ts';
import { advance, deliver } from './invoke.ts';
import type { Machine } from './machine.ts';

/** The frame to continue with if the error was caught; else the run has failed, and null is given. */
export function recover(machine: Machine, frame: Frame, pc: number, thrown: unknown): Frame | null {
  let at = machine.receiving ?? frame;
  let error = asProgramError(thrown);
  const goesOn = frame.pc;
  if (machine.receiving === null && frame.task === null) frame.pc = pc + machine.operand + 1;
  machine.operand = 0;
  for (;;) {
    machine.receiving = null;
    machine.meter.callBegan = -1;
    const index = isCatchable(error)
      ? machine.tasks.findLastIndex(({ task }) => task?.kind === 'caught')
      : -1;
    const catcher = machine.tasks[index];
    if (catcher === undefined || catcher.task?.kind !== 'caught' || catcher.caller === null) {
      machine.final = { kind: 'failed', failure: describe(machine, at, error) };
      unwind(machine, at, -1);
      releaseTasks(machine.tasks.splice(0));
      return null;
    }
    // A native that was called to be caught failed immediately: the frame is at the call, and continues after it.
    if (catcher.caller === frame) frame.pc = goesOn;
    unwind(machine, at, catcher.depth);
    releaseTasks(machine.tasks.splice(index + 1));
    catcher.task.results.push(error.message);
    try {
      const next = advance(machine, catcher);
      return next === catcher.caller ? deliver(machine, next, machine.result) : next;
    } catch (again) {
      // The finisher refused: the error is that of the call that asked for the catching.
      error = asProgramError(again);
      at = machine.receiving ?? catcher.caller;
      machine.tasks.length = Math.min(machine.tasks.length, index);
    }
  }
}

function isCatchable(error: EvalError | LimitReached): boolean {
  return error.code !== 'STEP_LIMIT' && error.code !== 'OUTPUT_LIMIT';
}

function asProgramError(thrown: unknown): EvalError | LimitReached {
  if (thrown instanceof EvalError || thrown instanceof LimitReached) return thrown;
  if (thrown instanceof RangeError) {
    return thrown.message.includes('call stack')
      ? new LimitReached('DEPTH_LIMIT', 'stopped: values or calls are nested too deeply')
      : new LimitReached('MEMORY_LIMIT', 'stopped: a value is larger than any that can be made');
  }
  throw thrown;
}

/** Drops the frames that are deeper than `depth`. */
function unwind(machine: Machine, from: Frame, depth: number): void {
  for (let frame: Frame | null = from; frame !== null && frame.depth > depth;) {
    const { caller }: Frame = frame;
    if (frame.task?.kind === 'load') machine.modules.delete(moduleKey(frame.task.module.program));
    dropFrame(frame);
    frame = caller;
  }
}

/** Leaves a frame that has not returned; what it iterated over may be changed again. */
export function dropFrame(frame: Frame): void {
  for (let index = 0; index < frame.registers; index += 1) {
    const slot = frame.regs[index];
    if (slot instanceof Iterator) endIterator(slot);
  }
  leaveFrame(frame);
}

function describe(machine: Machine, at: Frame, error: EvalError | LimitReached): Failure {
  const backtrace: BacktraceFrame[] = [];
  let path = machine.main.path;
  let span: Span | null = null;
  for (let frame: Frame | null = at; frame !== null; frame = frame.caller) {
    if (frame.function === null || frame.module === null) continue;
    const { program } = frame.module;
    const here = spanAt(frame.function, frame.pc);
    if (span === null) {
      path = program.path;
      span = here;
    }
    backtrace.push({
      function: frame.function.name,
      path: program.path,
      ...placeOf(program.source, here.start),
    });
  }
  // Nothing runs: it is the entry that is wrong, or what it gave.
  span ??= entrySpan(machine);
  const diagnostic = {
    code: error.code,
    severity: severityOf(error.code),
    path,
    span,
    message: error.message,
    hint: error.hint,
  };
  const failure: Failure = { diagnostic, backtrace: backtrace.reverse() };
  if ('cause' in error) Object.defineProperty(failure, 'cause', { value: error.cause, enumerable: false });
  return failure;
}

/** The name of the entry function where it is defined in the program, else the start of the file. */
function entrySpan({ main, options }: Machine): Span {
  const { program } = main;
  const entry = options.entry === null ? undefined : main.globals[program.globals.indexOf(options.entry)];
  return entry instanceof Closure && entry.module === main
    ? nameSpan(program, entry.code)
    : { start: 0, end: 0 };
}

function nameSpan({ source }: Program, code: FunctionCode): Span {
  const start = source.indexOf(code.name, code.start);
  return start >= 0 && start < code.end
    ? { start, end: start + code.name.length }
    : { start: code.start, end: code.end };
}

/** What is written for the last instruction with a place before `pc`. */
function spanAt(code: FunctionCode, pc: number): Span {
  const { places } = code;
  let low = 0;
  let high = places.length / 3;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle * 3] as number) < pc) low = middle + 1;
    else high = middle;
  }
  // Before its first instruction a module body is at the start of the file.
  if (low === 0) return { start: code.start, end: code.id === 0 ? code.start : code.end };
  return { start: places[low * 3 - 2] as number, end: places[low * 3 - 1] as number };
}
