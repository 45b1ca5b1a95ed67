// One run of a program: everything that changes while it runs.
//
// Nothing outside this object and what it refers to is changed, so a run can be dropped at any time. `frame` is where
// the run continues; it is only set between two slices.
import { LimitReached, Meter } from '../../base/meter.ts';
import type { FunctionCode, OutsideName, Program } from '../compile/program.ts';
import { testing } from '../lib/testing.ts';
import { universe } from '../lib/universe.ts';
import type { Data, Load, RunOptions, RunState } from '../options.ts';
import { ThrownByHost } from '../thrown.ts';
import type { Thread } from '../value/native.ts';
import { HostFunction, type Value } from '../value/value.ts';
import { Frame, ModuleState, type Slot } from './frame.ts';
import type { Scope } from './scope.ts';
import { checkOptions, runRules } from '../compile-source.ts';

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
    this.scope?.modules.push(this.main);
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
    const value =
      kind === 'universal' ? (universe.get(name) ?? testing.get(name)) : this.predeclared.get(name);
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
  for (const name of names) machine.predeclared.set(name, values.get(name) ?? new HostFunction(name));
}

// The options of a run with every default filled in.

export interface ResolvedRunOptions {
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
