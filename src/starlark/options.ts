// The options of compiling and running, resolved once at the door, and what comes out.
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Program } from './compile/program.ts';
import type { Scope } from './vm/scope.ts';

/** The semantics a journal pins: it changes when a program could give another result or another step count. */
export const languageProfile = 'starlark-1';

/** What the text alone does not say. */
export interface CompileOptions {
  /** Shown in diagnostics and backtraces. Default `<program>`. */
  readonly path?: string;
  /** Names that the run will be given: host functions and values. Default none. */
  readonly predeclared?: readonly string[];
  /** How deep brackets, blocks and expressions may nest. Default 200. */
  readonly maxDepth?: number;
  /** The longest source, in UTF-16 units. Default 1,000,000. */
  readonly maxSourceUnits?: number;
  /** Also predeclares `assert`, `catch`, `freeze` and `struct`, for tests written in Starlark. Default false. */
  readonly testing?: boolean;
  /** Allows `for` and `if` at the top, and binding a global again: for a prompt where lines are typed. Default false. */
  readonly interactive?: boolean;
}

/** Data that crosses the boundary, always copied. A bigint is an int that JSON numbers cannot hold exactly. */
export type Data =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Data[]
  | { readonly [key: string]: Data };

/** What a loader gives: a program, what is wrong with its source, or null when there is no such module. */
export type Loaded = Program | readonly Diagnostic[] | null;

/** `name` is the text of the `load` statement, `from` the path of the program that has it. */
export type Load = (name: string, from: string) => Loaded;

/** What is called, and within which limits. */
export interface RunOptions {
  /** The function to call after the module body, and its arguments. Default: only the module body runs. */
  readonly entry?: string;
  readonly args?: readonly Data[];
  readonly named?: { readonly [name: string]: Data };
  /** Whether the program may not change its arguments. Default false. */
  readonly frozenArgs?: boolean;
  /** Data for predeclared names. Those without a value are host functions: a call suspends the run. Default none. */
  readonly values?: { readonly [name: string]: Data };
  /** Default 100,000,000. */
  readonly maxSteps?: number;
  /** Default 64 MiB. */
  readonly maxMemoryBytes?: number;
  /** The largest int, in bits. Default 65,536. */
  readonly maxIntBits?: number;
  /** Nested calls. Default 1,000. */
  readonly maxCallDepth?: number;
  /** What `print` may write in all, in UTF-16 units. Default 1,000,000. */
  readonly maxOutputUnits?: number;
  /** Gets each printed line. Default: it is dropped. What it throws comes out of `run`, as it is; the run cannot continue. */
  readonly print?: (text: string) => void;
  /**
   * Finds the program a `load` asks for: asked once for each name. When it throws, the program fails with EVAL_LOAD.
   * Default: LOAD_DENIED.
   */
  readonly load?: Load;
  /** Whether host functions may be called while a module body runs. Default true. */
  readonly hostCallsAtModuleLevel?: boolean;
  /**
   * For a program compiled with `interactive`, and only for one: where its variables are kept for the next input.
   * Such a run has no entry; the value of `done` is the `repr` of the last statement, if that was an expression with a
   * value other than None, and nothing is frozen at the end. It cannot be snapshotted.
   *
   *   const scope = new Scope();
   *   compile(line, { interactive: true, predeclared: [...hostNames, ...scope.names] }) -> start(program, { scope })
   */
  readonly scope?: Scope;
}

/** The state of a run. */
export type RunState =
  | { readonly kind: 'done'; readonly value: Data }
  /** The program called a host function: answer with `resume` or `refuse`. */
  | {
      readonly kind: 'host-call';
      readonly name: string;
      readonly args: readonly Data[];
      readonly named: { readonly [name: string]: Data };
    }
  /** The slice is over: call `run` again. */
  | { readonly kind: 'paused' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Why a program ended. Not thrown: it is a result. */
export interface Failure {
  /** `diagnostic.code` is the typed reason; its span is where the program was. */
  readonly diagnostic: Diagnostic;
  /** Outermost first. */
  readonly backtrace: readonly BacktraceFrame[];
  /** What a host function or the loader threw, as it was; not enumerable, so it is in no JSON. */
  readonly cause?: unknown;
}

/** A call that was under way when it failed. */
export interface BacktraceFrame {
  readonly function: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** What a run has used. */
export interface Usage {
  readonly steps: number;
  readonly memoryBytes: number;
  readonly outputUnits: number;
}
