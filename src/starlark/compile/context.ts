// What the compiling functions pass along: one context for each function, one module for the program; and how a function is
// compiled in a context of its own.
import type { Expression, DefStatement, LambdaExpression, Parameter } from '../syntax/ast.ts';
import type { FunctionScope } from '../resolve/scope.ts';
import type { FunctionCode, OutsideName, ParameterList } from './program.ts';
import type { Value } from '../value/value.ts';
import { instructionLength, opcodeNumber, visitOperands } from './opcodes.ts';
import type { OpcodeName } from './opcodes.ts';

export interface ModuleContext {
  readonly globals: readonly string[];
  readonly interactive: boolean;
  /** A function's place is taken when it is begun and filled when it is complete. */
  readonly functions: (FunctionCode | null)[];
  readonly loads: string[];
  /** Globals that have a value whenever what is being compiled runs: a statement before it, outside functions, gives it. */
  readonly assignedGlobals: Set<number>;
}

interface OpenLoop {
  readonly iterator: number;
  /** Where the next round begins. */
  readonly next: Label;
  readonly end: Label;
}

/** A register that holds the value of `expression`; `wanted` itself if one is given and the value is not in one already. */
type CompileExpression = (context: FunctionContext, expression: Expression, wanted?: number) => number;

export class FunctionContext {
  readonly module: ModuleContext;
  readonly emitter: Emitter;
  readonly assigned: Assigned;
  readonly loops: OpenLoop[] = [];
  /** Captured variables of comprehensions: their cells are made where the comprehension begins. */
  readonly ownCells = new Set<number>();
  /** Passed along, since calls, comprehensions and functions are expressions made of expressions. */
  readonly compileExpression: CompileExpression;

  constructor(module: ModuleContext, scope: FunctionScope, compileExpression: CompileExpression) {
    this.module = module;
    this.emitter = new Emitter(scope.locals.length);
    this.assigned = new Assigned(scope.locals.length);
    this.compileExpression = compileExpression;
  }

  expression(expression: Expression, wanted?: number): number {
    return this.compileExpression(this, expression, wanted);
  }

  /** Puts the value of `expression` into exactly this register. */
  into(expression: Expression, register: number): void {
    const found = this.expression(expression, register);
    if (found !== register) this.emitter.emit('MOVE', register, found);
  }

  /** `wanted`, unless it is a variable (which must not change before the expression is complete) or missing. */
  scratch(wanted: number | undefined): number {
    return wanted !== undefined && wanted >= this.emitter.firstTemporary ? wanted : this.emitter.temporary();
  }

  destination(wanted: number | undefined): number {
    return wanted ?? this.emitter.temporary();
  }
}

// Which variables of a function certainly have a value at the point that is being compiled.
//
// Starlark code only runs forward, and a variable never loses its value, so one pass over the tree is enough:
// what a branch or a loop body adds is taken back after it, and for two branches what both add is put in again.

class Assigned {
  private readonly flags: Uint8Array;
  private readonly log: number[] = [];
  /** The point cannot be reached: a return, break or continue is before it. */
  private dead = false;

  constructor(variables: number) {
    this.flags = new Uint8Array(variables);
  }

  has(variable: number): boolean {
    return this.flags[variable] === 1;
  }

  set(variable: number): void {
    if (this.flags[variable] === 1) return;
    this.flags[variable] = 1;
    this.log.push(variable);
  }

  leave(): void {
    this.dead = true;
  }

  /** Code that may not run, or may run many times. */
  maybe(compile: () => void): void {
    const mark = this.log.length;
    const { dead } = this;
    compile();
    this.undo(mark);
    this.dead = dead;
  }

  either(compileOne: () => void, compileOther: () => void): void {
    const mark = this.log.length;
    const { dead } = this;
    compileOne();
    const one = { dead: this.dead, set: this.undo(mark) };
    this.dead = dead;
    compileOther();
    const other = { dead: this.dead, set: this.undo(mark) };
    this.dead = dead || (one.dead && other.dead);
    if (one.dead) this.setAll(other.set);
    else if (other.dead) this.setAll(one.set);
    else {
      const inOther = new Set(other.set);
      this.setAll(one.set.filter((variable) => inOther.has(variable)));
    }
  }

  private setAll(variables: readonly number[]): void {
    for (const variable of variables) this.set(variable);
  }

  private undo(mark: number): number[] {
    const undone = this.log.splice(mark);
    for (const variable of undone) this.flags[variable] = 0;
    return undone;
  }
}

// Collects the instructions of one function.
//
//   emit, label, constant … -> FunctionCode parts
//
// Temporaries are taken and given back like a stack: `mark` before, `release` after. A constant's register is known
// only at the end; until then its operand is negative. Steps are counted on the tree and not on the
// instructions: one for each statement and each operation, one for each item or argument. So a better compiler does
// not change what a program is charged, but for a function with very many registers.

export interface Label {
  /** Where it is, or -1 while that is not known. */
  at: number;
  readonly uses: number[];
}

/** The part of the source an instruction was made from. */
export interface Written {
  readonly start: number;
  readonly end: number;
}

class Emitter {
  private readonly words: number[] = [];
  private readonly places: number[] = [];
  private readonly constants: Value[] = [];
  private readonly constantIndex = new Map<unknown, number>();
  private readonly names: OutsideName[] = [];
  private readonly nameIndex = new Map<string, number>();
  private readonly methods: string[] = [];
  private readonly keywords: (readonly string[])[] = [];
  private readonly costs: number[] = [0];
  private nextTemporary: number;
  private registers: number;
  readonly firstTemporary: number;

  constructor(variables: number) {
    this.firstTemporary = variables;
    this.nextTemporary = variables;
    // At least one, see the constructor of `Frame`.
    this.registers = Math.max(variables, 1);
  }

  emit(name: OpcodeName, ...operands: readonly number[]): void {
    this.words.push(opcodeNumber[name]);
    for (const operand of operands) this.words.push(operand);
  }

  /** An instruction that can fail or call: `written` is what an error points at. */
  emitAt(written: Written, name: OpcodeName, ...operands: readonly number[]): void {
    this.places.push(this.words.length, written.start, written.end);
    this.emit(name, ...operands);
  }

  /** As `emitAt`, for one whose last operand is a list of registers. */
  emitList(written: Written, name: OpcodeName, operands: readonly number[], list: readonly number[]): void {
    this.places.push(this.words.length, written.start, written.end);
    this.emit(name, ...operands, list.length);
    for (const register of list) this.words.push(register);
  }

  /** Says what an error points at that concerns operand `offset` of the instruction emitted last, `length` words long. */
  placeOperand(written: Written, length: number, offset: number): void {
    this.places.push(this.words.length - length + offset, written.start, written.end);
  }

  label(): Label {
    return { at: -1, uses: [] };
  }

  bind(label: Label): void {
    label.at = this.words.length;
    for (const use of label.uses) this.words[use] = label.at;
  }

  /** Emits an instruction whose last operand is `label`. */
  emitJump(written: Written | null, name: OpcodeName, operands: readonly number[], label: Label): void {
    if (written !== null) this.places.push(this.words.length, written.start, written.end);
    this.emit(name, ...operands, label.at);
    if (label.at < 0) label.uses.push(this.words.length - 1);
  }

  temporary(): number {
    const register = this.nextTemporary;
    this.nextTemporary += 1;
    if (this.nextTemporary > this.registers) this.registers = this.nextTemporary;
    return register;
  }

  mark(): number {
    return this.nextTemporary;
  }

  release(mark: number): void {
    this.nextTemporary = mark;
  }

  /** `identity` tells equal constants; by default it is the value itself. */
  constant(value: Value, identity: unknown = value): number {
    let index = this.constantIndex.get(identity);
    if (index === undefined) {
      index = this.constants.push(value) - 1;
      this.constantIndex.set(identity, index);
    }
    return -1 - 2 * index;
  }

  outside(kind: OutsideName['kind'], name: string): number {
    let index = this.nameIndex.get(name);
    if (index === undefined) {
      index = this.names.push({ kind, name }) - 1;
      this.nameIndex.set(name, index);
    }
    return -2 - 2 * index;
  }

  method(name: string): number {
    return this.methods.push(name) - 1;
  }

  keywordNames(names: readonly string[]): number {
    return this.keywords.push(names) - 1;
  }

  charge(steps: number): void {
    this.costs[this.costs.length - 1] = (this.costs.at(-1) as number) + steps;
  }

  openLoop(): void {
    this.costs.push(1);
  }

  /** The steps of one round. */
  closeLoop(): number {
    return this.costs.pop() as number;
  }

  finish() {
    const { words, registers, constants } = this;
    for (let pc = 0; pc < words.length; pc += instructionLength(words, pc)) {
      visitOperands(words, pc, (kind, at) => {
        const operand = words[at] as number;
        if (operand >= 0 || (kind !== 'r' && kind !== 'd')) return;
        const index = (-1 - operand) >> 1;
        words[at] = registers + index + (operand % 2 === 0 ? constants.length : 0);
      });
    }
    return {
      code: Int32Array.from(words),
      registers,
      constants,
      names: this.names,
      methods: this.methods,
      keywords: this.keywords,
      cost: this.costs[0] as number,
      places: Int32Array.from(this.places),
    };
  }
}

// Functions: the code is made once, at compile time; running the `def` or `lambda` makes a closure of it.
//
// Making a closure costs a step for each default and each captured variable, as for the items of a display. A call
// clears the registers of the function when it ends, and makes its cells when it begins: where they are many, that is
// part of what entering the function costs, whatever its body then does.

const MANY_REGISTERS = 64;

/** Compiles a lambda and leaves the closure in a register. */
export function compileLambda(context: FunctionContext, lambda: LambdaExpression, wanted?: number): number {
  return compileClosure(context, lambda, { name: 'lambda', documentation: null }, wanted, (inner) => {
    inner.emitter.emit('RETURN', inner.expression(lambda.body));
  });
}

/** `compileBody` compiles what is inside; it need not end in a return. */
export function compileClosure(
  context: FunctionContext,
  node: DefStatement | LambdaExpression,
  about: { readonly name: string; readonly documentation: string | null },
  wanted: number | undefined,
  compileBody: (inner: FunctionContext) => void,
): number {
  const { emitter } = context;
  const scope = node.scope as FunctionScope;
  const mark = emitter.mark();
  const defaults = node.parameters.flatMap(({ defaultValue }) =>
    defaultValue === null ? [] : [context.expression(defaultValue)],
  );
  emitter.release(mark);
  emitter.charge(1 + defaults.length + scope.free.length + (node.parameters.length >> 3));
  const code = compileFunction(
    context.module,
    context.compileExpression,
    { ...about, node, parameters: node.parameters, scope },
    compileBody,
  );
  const result = context.destination(wanted);
  emitter.emitList(node, 'CLOSURE', [result, code.id], defaults);
  return result;
}

interface FunctionSource {
  readonly name: string;
  readonly documentation: string | null;
  readonly node: { readonly start: number; readonly end: number };
  readonly parameters: readonly Parameter[];
  readonly scope: FunctionScope;
}

export function compileFunction(
  module: ModuleContext,
  compileExpression: CompileExpression,
  source: FunctionSource,
  compileBody: (inner: FunctionContext) => void,
): FunctionCode {
  const { scope } = source;
  const id = module.functions.push(null) - 1;
  const parameters = parameterList(source.parameters);
  const context = new FunctionContext(module, scope, compileExpression);
  for (let index = 0; index < parameterCount(parameters); index += 1) context.assigned.set(index);
  compileBody(context);
  context.emitter.emit('RETURN', context.emitter.constant(null));
  const cells = scope.locals
    .filter(({ captured, index }) => captured && !context.ownCells.has(index))
    .map(({ index }) => index);
  const finished = context.emitter.finish();
  const code: FunctionCode = {
    id,
    name: source.name,
    documentation: source.documentation,
    start: source.node.start,
    end: source.node.end,
    parameters,
    ...finished,
    cost: finished.cost + frameCost(finished.registers, cells.length),
    variables: scope.locals.map(({ name }) => name),
    freeNames: scope.free.map(({ variable }) => variable.name),
    cells,
    free: scope.free.map(({ from, index }) => ({ from, index })),
  };
  module.functions[id] = code;
  return code;
}

/** Few registers are cleared within the steps that a call costs anyway. */
function frameCost(registers: number, cells: number): number {
  return registers < MANY_REGISTERS ? 0 : (registers >> 3) + cells;
}

function parameterList(written: readonly Parameter[]): ParameterList {
  const star = written.findIndex(({ kind }) => kind === 'star');
  const plain = written.filter(({ kind }) => kind === 'plain');
  const named = (kind: Parameter['kind']) =>
    written.some((parameter) => parameter.kind === kind && parameter.name !== null);
  const rest = named('star') ? plain.length : -1;
  return {
    names: plain.map(({ name }) => (name as NonNullable<typeof name>).name),
    positional: star < 0 ? plain.length : star,
    hasDefault: plain.map(({ defaultValue }) => defaultValue !== null),
    rest,
    keywords: named('double-star') ? plain.length + (rest < 0 ? 0 : 1) : -1,
  };
}

function parameterCount({ names, rest, keywords }: ParameterList): number {
  return names.length + (rest < 0 ? 0 : 1) + (keywords < 0 ? 0 : 1);
}
