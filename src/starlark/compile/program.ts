// A compiled program: plain immutable data, shared by all of its runs.
//
// program#P1. Compiling the same text with the same options gives the same program, in every process of the same
//   build.
// An operand is a register of the frame. A function's constants are the registers after its variables and temporaries,
// and after those the names it uses from outside its module, filled in once per run, so that an instruction need not
// tell a constant from a variable. `places` has an entry for each instruction that can fail or call, sorted by `pc`.
import type { Value } from '../value/value.ts';

/** A compiled module: data, without anything of the host. */
export interface Program {
  readonly kind: 'program';
  /** As the embedder named it; shown in diagnostics and backtraces. */
  readonly path: string;
  readonly source: string;
  /** The version of the language and of its library that the program was compiled for. */
  readonly profile: string;
  /** The module body, as a function without parameters. */
  readonly body: FunctionCode;
  /** Every function of the program, `body` included; `FunctionCode.id` is the index here. */
  readonly functions: readonly FunctionCode[];
  /** Names of the module's variables; the index is that of `GET_GLOBAL`. */
  readonly globals: readonly string[];
  /** Which of the globals came in by `load` and are not exported. */
  readonly loaded: ReadonlySet<string>;
  /** What `load` statements ask for, in order. */
  readonly loads: readonly string[];
  /** The names the embedder promised to give when a run starts. */
  readonly predeclared: readonly string[];
  /** Whether it is an input at a prompt: its variables live in the scope that the inputs share, by name. */
  readonly interactive: boolean;
}

/** A function in instructions. */
export interface FunctionCode {
  readonly id: number;
  /** "lambda" for a lambda, "<toplevel>" for a module body. */
  readonly name: string;
  readonly documentation: string | null;
  /** Where the function is written. */
  readonly start: number;
  readonly end: number;
  readonly parameters: ParameterList;
  readonly code: Int32Array;
  /** Variables and temporaries. */
  readonly registers: number;
  /** Put into the registers that follow. */
  readonly constants: readonly Value[];
  /** Looked up when a run first needs the function, and put into the registers after the constants. */
  readonly names: readonly OutsideName[];
  /** The names of the variables: those of registers 0, 1, … */
  readonly variables: readonly string[];
  /** The names of the captured variables, in the order of `free`. */
  readonly freeNames: readonly string[];
  /** The method name of each method call, and the attribute name of each `x.name`. */
  readonly methods: readonly string[];
  /** For each call with named arguments, their names. */
  readonly keywords: readonly (readonly string[])[];
  /** Locals that live in cells: the register gets a new cell on entry, around the argument if it is a parameter. */
  readonly cells: readonly number[];
  /** For each captured variable, where the enclosing function finds the cell. */
  readonly free: readonly { readonly from: 'local' | 'free'; readonly index: number }[];
  /** The work outside loops, in steps (see `emitter.ts`): charged on entry. */
  readonly cost: number;
  /** pc, start offset and end offset, three numbers each. */
  readonly places: Int32Array;
}

/** `universal` is part of the language, `predeclared` is given by the embedder. */
export interface OutsideName {
  readonly kind: 'universal' | 'predeclared';
  readonly name: string;
}

/** The parameters of a function. */
export interface ParameterList {
  /** Positional first, then keyword-only: the order of the registers. */
  readonly names: readonly string[];
  readonly positional: number;
  /** For each name, whether it has a default. */
  readonly hasDefault: readonly boolean[];
  /** The register of `*args`, or -1. */
  readonly rest: number;
  /** The register of `**kwargs`, or -1. */
  readonly keywords: number;
}
