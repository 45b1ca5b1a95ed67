// One run of a program: everything that changes while it runs, and the frames that are active.
//
// Nothing outside this object and what it refers to is changed, so a run can be dropped at any time. `frame` is where
// the run continues; it is only set between two slices.
import { LimitReached, Meter } from '../../base/meter.ts';
import type { FunctionCode, OutsideName, Program } from '../compile/program.ts';
import { testing } from '../lib/testing.ts';
import { universe } from '../lib/universe.ts';
import type { Data, Load, RunOptions, RunState } from '../options.ts';
import type { Thread, CallEach, Native } from '../value/native.ts';
import { HostFunction, Dict, Elems, List, Range, SetValue, Tuple } from '../value/value.ts';
import type { Value, Cell, ModuleInstance, Bytes } from '../value/value.ts';
import type { Scope } from './scope.ts';
import { checkOptions, runRules } from '../compile-source.ts';
import { dictFirst } from '../value/dict.ts';
import { setFirst } from '../value/set.ts';
import { notIterable } from '../value/iterate.ts';
import { beginIteration, endIteration } from '../value/mutable.ts';

interface HostCall {
  readonly name: string;
  readonly args: readonly Data[];
  readonly named: { readonly [name: string]: Data };
}

export class Machine implements Thread {
  readonly options: ResolvedRunOptions;
  readonly meter: Meter;
  readonly maxIntBits: number;
  readonly maxCallDepth: number;
  readonly main: ModuleState;
  readonly scope: Scope | null;
  /** What was loaded, by `moduleKey`. */
  readonly modules = new Map<string, ModuleState>();
  /** Of the embedder: values given, and a host function for each other name. */
  readonly predeclared = new Map<string, Value>();
  /** Of the entry function. */
  entryArgs: readonly Value[] = [];
  entryNamed: readonly (readonly [string, Value])[] = [];
  outputUnits = 0;
  /** How often the live values were counted. */
  recounts = 0;
  /** Frames with a task, innermost last. */
  readonly tasks: Frame[] = [];
  /** The value of a call that was complete immediately. */
  result: Slot = null;
  /** Where a call or return led, when an instruction says that the frame changed. */
  next: Frame | null = null;
  /** The task that is being given a value: an error is its error, and not that of the frame that has returned. */
  receiving: Frame | null = null;
  /** The operand of the instruction that an error is about; 0 for the instruction as a whole. */
  operand = 0;
  frame: Frame | null = null;
  /** What the frame is to be given before it continues; undefined when it was only paused. */
  answer: Slot = undefined;
  /** Raised as soon as the run continues: the answer or an argument was not data, or the host refused. */
  pendingError: Error | null = null;
  hostCall: HostCall | null = null;
  final: RunState | null = null;

  constructor(program: Program, options: ResolvedRunOptions) {
    this.options = options;
    this.meter = new Meter(options.maxSteps, options.maxMemoryBytes);
    this.maxIntBits = options.maxIntBits;
    this.maxCallDepth = options.maxCallDepth;
    this.main = new ModuleState(program);
    this.scope = options.scope;
    if (this.scope !== null) {
      this.scope.modules.push(this.main);
      this.scope.tasks = this.tasks;
    }
  }

  print(text: string): void {
    this.outputUnits += text.length + 1;
    if (this.outputUnits > this.options.maxOutputUnits) {
      throw new LimitReached(
        'OUTPUT_LIMIT',
        `stopped: more than ${this.options.maxOutputUnits} characters were printed`,
        'print less, or raise the output limit',
      );
    }
    try {
      this.options.print(text);
    } catch (error) {
      throw new ThrownByHost(error);
    }
  }

  tooDeep(): LimitReached {
    return new LimitReached('DEPTH_LIMIT', `stopped: calls are nested more than ${this.maxCallDepth} deep`);
  }

  /** Whether the body of some module is still running. */
  inModuleBody(): boolean {
    return !this.main.complete || this.tasks.some(({ task }) => task?.kind === 'load');
  }

  /** The frame of a function of `module`; there is one for the whole run. */
  frameOf(module: ModuleState, code: FunctionCode): Frame {
    const made = module.frames[code.id];
    if (made !== null && made !== undefined) return made;
    const frame = new Frame(
      code,
      module,
      null,
      code.names.map((name) => this.outside(name)),
    );
    module.frames[code.id] = frame;
    return frame;
  }

  private outside({ kind, name }: OutsideName): Value {
    const values = kind !== 'universal' ? this.predeclared : universe.has(name) ? universe : testing();
    const value = values.get(name);
    if (value === undefined) throw new Error(`nothing is known by the name ${name}`);
    return value;
  }

  /** Every module of the run, and those of earlier inputs at the same prompt. */
  *allModules(): Generator<ModuleState> {
    if (this.scope === null) yield this.main;
    else yield* this.scope.modules;
    yield* this.modules.values();
  }
}

/** Gives the machine a host function for each predeclared name that has no value. */
export function predeclare(
  machine: Machine,
  names: readonly string[],
  values: ReadonlyMap<string, Value>,
): void {
  // A value may be null, which is None.
  for (const name of names) {
    const value = values.get(name);
    machine.predeclared.set(name, value === undefined ? new HostFunction(name) : value);
  }
}

// The options of a run with every default filled in.

interface ResolvedRunOptions {
  readonly entry: string | null;
  readonly args: readonly Data[];
  readonly named: { readonly [name: string]: Data };
  readonly frozenArgs: boolean;
  readonly values: { readonly [name: string]: Data };
  readonly maxSteps: number;
  readonly maxMemoryBytes: number;
  readonly maxIntBits: number;
  readonly maxCallDepth: number;
  readonly maxOutputUnits: number;
  readonly print: (text: string) => void;
  readonly load: Load | null;
  readonly hostCallsAtModuleLevel: boolean;
  readonly scope: Scope | null;
}

/** Also bounds the modules that are loaded ahead. */
export const defaultCallDepth = 1000;

/** `of` is the function they were given to. */
export function resolveRunOptions(of: string, options: RunOptions): ResolvedRunOptions {
  checkOptions(of, options, runRules);
  return {
    entry: options.entry ?? null,
    args: options.args ?? [],
    named: options.named ?? {},
    frozenArgs: options.frozenArgs ?? false,
    values: options.values ?? {},
    maxSteps: options.maxSteps ?? 100_000_000,
    maxMemoryBytes: options.maxMemoryBytes ?? 64 * 1024 * 1024,
    maxIntBits: options.maxIntBits ?? 65_536,
    maxCallDepth: options.maxCallDepth ?? defaultCallDepth,
    maxOutputUnits: options.maxOutputUnits ?? 1_000_000,
    print: options.print ?? (() => {}),
    load: options.load ?? null,
    hostCallsAtModuleLevel: options.hostCallsAtModuleLevel ?? true,
    scope: options.scope ?? null,
  };
}

// What is active while a program runs.
//
// A function of a program is active at most once (recursion is an error), so it has one frame in a run, made when the
// function is first made, and its registers serve all its calls: a call allocates nothing. While a frame is not active
// its variables and temporaries are undefined: nothing is kept alive, and a variable without a value needs no marking.
// `pc` and `result` of a frame are where it continues and what gets the value, set when it calls. The position of the
// frame that runs is a local variable of the loop. A library function that calls back has a frame without code, with a
// `task`.

/** What a register can hold. Programs only ever see a `Value`. */
export type Slot = Value | Cell | Iterator | ModuleState | undefined;

export class ModuleState implements ModuleInstance {
  readonly path: string;
  readonly globals: (Value | undefined)[];
  readonly program: Program;
  readonly frames: (Frame | null)[];
  /** The `load` that brought it first; null for the program that was started. */
  readonly loadedAs: { readonly name: string; readonly from: string } | null;
  /** The body has ended, and the globals are frozen. */
  complete = false;

  constructor(program: Program, loadedAs: ModuleState['loadedAs'] = null) {
    this.loadedAs = loadedAs;
    this.path = program.path;
    this.program = program;
    this.globals = filled(program.globals.length, undefined);
    this.frames = filled(program.functions.length, null);
  }
}

/** The same for every program with this path and this text. */
export function moduleKey({ path, source }: Pick<Program, 'path' | 'source'>): string {
  return `${path}\0${source}`;
}

/** How the arguments of a call with names go to the parameters of one function, worked out at the first call. */
export interface KeywordPlan {
  readonly code: FunctionCode;
  /** How many arguments go to parameters by position; the other positional ones go to `*args`. */
  readonly byPosition: number;
  /** The parameter of each named argument, or -1 for `**kwargs`. */
  readonly slots: readonly number[];
  /** Parameters that get their default. */
  readonly defaults: readonly number[];
}

/** What a frame without code does with the value it is given. */
export type Task =
  /** Calls `request.callee` with each of its items. */
  | { readonly kind: 'each' | 'caught'; readonly request: CallEach; readonly results: Value[] }
  /** Waits for the body of a loaded module. */
  | { readonly kind: 'load'; readonly module: ModuleState }
  /** Waits for the body of the program, then for its entry function. */
  | { readonly kind: 'main'; readonly module: ModuleState; phase: 'body' | 'entry'; value: Value };

const noCode = new Int32Array(0);
/** The captured variables of a frame that is not active. */
export const noFree: readonly Cell[] = [];

export class Frame {
  readonly function: FunctionCode | null;
  readonly module: ModuleState | null;
  readonly task: Task | null;
  readonly code: Int32Array;
  readonly regs: Slot[];
  readonly globals: (Value | undefined)[];
  /** Variables and temporaries: the registers that are cleared on return. */
  readonly registers: number;
  readonly cost: number;
  /** The count of arguments that needs no further look: only positional parameters. Else -1. */
  readonly exact: number;
  readonly hasCells: boolean;
  free: readonly Cell[] = noFree;
  active = false;
  caller: Frame | null = null;
  depth = 0;
  pc = 0;
  result = 0;
  /** Of each method call: the methods of the type seen last, and what was found there. */
  readonly methodTables: (ReadonlyMap<string, Native> | null)[];
  readonly methodNatives: (Native | null)[];
  readonly keywordPlans: (KeywordPlan | null)[];

  constructor(
    code: FunctionCode | null,
    module: ModuleState | null,
    task: Task | null,
    names: readonly Value[],
  ) {
    this.function = code;
    this.module = module;
    this.task = task;
    this.code = code?.code ?? noCode;
    this.globals = module?.globals ?? [];
    this.registers = code?.registers ?? 0;
    this.cost = code?.cost ?? 0;
    this.exact = code === null ? -1 : exactCount(code);
    this.hasCells = code !== null && code.cells.length > 0;
    // There is always at least one that is not a number, so that V8 gives the registers of all functions one form.
    const regs = filled<Slot>(this.registers, undefined);
    if (code !== null) for (const constant of code.constants) regs.push(constant);
    for (const value of names) regs.push(value);
    this.regs = regs;
    this.methodTables = filled(code?.methods.length ?? 0, null);
    this.methodNatives = filled(code?.methods.length ?? 0, null);
    this.keywordPlans = filled(code?.keywords.length ?? 0, null);
  }
}

/** Pushed one by one: V8 then knows that the array has no holes, and has one form for all such arrays. */
function filled<T>(length: number, value: T): T[] {
  const array: T[] = [];
  for (let index = 0; index < length; index += 1) array.push(value);
  return array;
}

/** A frame with code. */
export type FunctionFrame = Frame & { readonly function: FunctionCode; readonly module: ModuleState };

function exactCount({ parameters }: FunctionCode): number {
  const { names, positional, rest, keywords } = parameters;
  return names.length === positional && rest < 0 && keywords < 0 ? positional : -1;
}

/** The tasks are dropped before they have ended: what they looked at may be changed again. */
export function releaseTasks(tasks: readonly Frame[]): void {
  for (const { task } of tasks) if (task?.kind === 'each') endIteration(task.request.source);
}

/** A frame for something of the library. */
export function taskFrame(task: Task, caller: Frame | null): Frame {
  const frame = new Frame(null, null, task, []);
  frame.caller = caller;
  frame.depth = caller === null ? 0 : caller.depth + 1;
  frame.active = true;
  return frame;
}

/** Leaves a frame: its registers are empty again, so that nothing is kept alive. */
export function leaveFrame(frame: Frame): void {
  const { regs } = frame;
  for (let index = frame.registers - 1; index >= 0; index -= 1) regs[index] = undefined;
  frame.active = false;
  frame.caller = null;
  frame.free = noFree;
}

// The state of a `for` loop: a position, never a JavaScript iterator, so that it survives a snapshot.
//
// iterator#L1. What is iterated over is locked from ITERATE until the loop ends, by whichever way.
// A hole that is skipped costs a step. Those before the first element are only skipped once, by `dictFirst` and
// `setFirst`: removing them has paid for that.

/** How the next element is found. Numbers, since the loop of the machine tests the first two. */
export const BY_STEP = 0;
const BY_ITEM = 1;
const BY_ITEM_WITH_HOLES = 2;
const BY_UNIT = 3;
const BY_BYTE = 4;
export const ENDED = 5;

const noItems: (Value | undefined)[] = [];

export class Iterator {
  kind: number;
  /** What is locked. */
  source: Value;
  items: (Value | undefined)[];
  index: number;
  readonly end: number;
  /** Of a range. */
  next: number;
  readonly step: number;

  constructor(
    kind: number,
    source: Value,
    items: (Value | undefined)[],
    index: number,
    end: number,
    next: number,
    step: number,
  ) {
    this.kind = kind;
    this.source = source;
    this.items = items;
    this.index = index;
    this.end = end;
    this.next = next;
    this.step = step;
  }
}

export function iterate(v: Value): Iterator {
  if (v instanceof Range) return new Iterator(BY_STEP, v, noItems, 0, v.length, v.start, v.step);
  if (v instanceof List || v instanceof Tuple) return begin(BY_ITEM, v, v.items);
  if (v instanceof Dict) {
    if (v.keys.length === v.index.size) return begin(BY_ITEM, v, v.keys);
    dictFirst(v);
    return begin(BY_ITEM_WITH_HOLES, v, v.keys, v.head);
  }
  if (v instanceof SetValue) {
    if (v.items.length === v.index.size) return begin(BY_ITEM, v, v.items);
    setFirst(v);
    return begin(BY_ITEM_WITH_HOLES, v, v.items, v.head);
  }
  if (v instanceof Elems) {
    const { of } = v;
    if (typeof of === 'string') return new Iterator(BY_UNIT, v, noItems, 0, of.length, 0, 0);
    return new Iterator(BY_BYTE, v, noItems, 0, of.bytes.length, 0, 0);
  }
  return notIterable(v);
}

function begin(kind: number, v: Value, items: (Value | undefined)[], first = 0): Iterator {
  beginIteration(v);
  return new Iterator(kind, v, items, first, items.length, 0, 0);
}

/** Whether an iterator that was read back can be one of its source; its arrays are not looked at. */
export function isPlausible({ kind, source, index, end, next, step }: Iterator): boolean {
  switch (kind) {
    case BY_STEP:
      // After the last element `next` may have left the safe integers.
      return (
        source instanceof Range &&
        end === source.length &&
        step === source.step &&
        (index >= end || next === source.start + index * step)
      );
    case BY_ITEM:
      if (source instanceof Dict)
        return end <= source.keys.length && source.keys.every((key) => key !== undefined);
      if (source instanceof SetValue)
        return end <= source.items.length && source.items.every((item) => item !== undefined);
      return (source instanceof List || source instanceof Tuple) && end <= source.items.length;
    case BY_ITEM_WITH_HOLES:
      return source instanceof Dict
        ? end <= source.keys.length
        : source instanceof SetValue && end <= source.items.length;
    case BY_UNIT:
      return source instanceof Elems && typeof source.of === 'string' && end === source.of.length;
    case BY_BYTE:
      return source instanceof Elems && typeof source.of !== 'string' && end === source.of.bytes.length;
    default:
      return source === null;
  }
}

/** The next element, or undefined at the end. */
export function nextElement(meter: Meter, it: Iterator): Value | undefined {
  switch (it.kind) {
    case BY_STEP: {
      if (it.index >= it.end) return undefined;
      const { next } = it;
      it.index += 1;
      it.next += it.step;
      return next;
    }
    case BY_ITEM: {
      if (it.index >= it.end) return undefined;
      const item = it.items[it.index];
      it.index += 1;
      return item;
    }
    case BY_ITEM_WITH_HOLES: {
      const { items, end, index } = it;
      let at = index;
      while (at < end && items[at] === undefined) at += 1;
      it.index = at + 1;
      meter.work(at - index);
      return at < end ? items[at] : undefined;
    }
    case BY_UNIT: {
      if (it.index >= it.end) return undefined;
      const unit = ((it.source as Elems).of as string).charAt(it.index);
      it.index += 1;
      return unit;
    }
    case BY_BYTE: {
      if (it.index >= it.end) return undefined;
      const byte = ((it.source as Elems).of as Bytes).bytes[it.index] as number;
      it.index += 1;
      return byte;
    }
    default:
      return undefined;
  }
}

/** Takes the lock away; does nothing the second time. */
export function endIterator(it: Iterator): void {
  if (it.kind === ENDED) return;
  it.kind = ENDED;
  endIteration(it.source);
  it.source = null;
  it.items = noItems;
}

// What a function of the embedder threw.

/** Carries it through the machine untouched: a RangeError of `print` is not one of the program. */
export class ThrownByHost extends Error {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    super('a function of the embedder threw');
    this.thrown = thrown;
  }
}

/** What it says, for a message of the program. Calls nothing of the value but what an Error has. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message;
  if (typeof thrown === 'string' && thrown !== '') return thrown;
  if (
    typeof thrown === 'object' &&
    thrown !== null &&
    'message' in thrown &&
    typeof thrown.message === 'string'
  )
    return thrown.message;
  if (typeof thrown === 'number' || typeof thrown === 'bigint' || typeof thrown === 'boolean')
    return String(thrown);
  return 'it failed without saying why';
}
