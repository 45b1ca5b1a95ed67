// Decides for each name of a program which variable it means, before the program runs.
//
//   Module -> the same Module with `binding` and `scope` filled in, faults
//
// What `scope.ts` says holds, and:
// A name means, in this order: a variable of a comprehension or function around it, a global, what the embedder gives,
// what the language has. A name that means nothing is a fault. A global is bound once. In interactive mode it may be
// bound again, and what is before its first binding, outside functions, means what the name meant before. In a
// program with faults of syntax, no fault is reported that only follows from what could not be read.
import type { Report } from '../../base/diagnostic.ts';
import { placeOf } from '../../base/span.ts';
import type {
  Comprehension,
  DefStatement,
  Expression,
  Identifier,
  LambdaExpression,
  Module,
  Parameter,
  Statement,
} from '../syntax/ast.ts';
import { Faults } from '../syntax/cursor.ts';
import type { Binding, FreeVariable, FunctionScope, ModuleScope, Variable } from './scope.ts';
import { nearest } from '../../base/nearest.ts';

export interface ResolveOptions {
  /** What the embedder gives. */
  readonly predeclared: ReadonlySet<string>;
  /** What the language has. */
  readonly universal: ReadonlySet<string>;
  readonly interactive: boolean;
}

export function resolveModule(module: Module, options: ResolveOptions, report: Report): void {
  const faults = new Faults();
  module.scope = new Resolver(module, options, faults).run();
  faults.reportTo(report);
}

interface Global {
  readonly binding: Binding & { readonly kind: 'global' };
  readonly first: Identifier;
  readonly loaded: boolean;
  /** Bound inside an `if` or `for`, which is a fault already reported, or interactive. */
  readonly nested: boolean;
}

/** Each costs a few kilobytes, even one of ten characters. */
const maxFunctions = 10_000;

class Resolver {
  private readonly globals = new Map<string, Global>();
  private readonly outside = new Map<string, Binding>();
  /** Globals whose first binding is before the place that is being resolved; only kept in interactive mode. */
  private readonly boundSoFar = new Set<string>();
  private readonly top = new Block(null, new FunctionBlock(null));
  private readonly module: Module;
  private readonly options: ResolveOptions;
  private readonly faults: Faults;
  private readonly hintBudget = new HintBudget();
  private functions = 0;

  constructor(module: Module, options: ResolveOptions, faults: Faults) {
    this.module = module;
    this.options = options;
    this.faults = faults;
  }

  run(): ModuleScope {
    eachBoundName(this.module.body, (name, nested, loaded) => this.bindGlobal(name, nested, loaded));
    this.statements(this.module.body, this.top);
    const loaded = [...this.globals].filter(([, global]) => global.loaded).map(([name]) => name);
    return { globals: [...this.globals.keys()], loaded: new Set(loaded), body: this.top.owner };
  }

  private bindGlobal(name: Identifier, nested: boolean, loaded: boolean): void {
    const known = this.globals.get(name.name);
    if (known === undefined) {
      this.globals.set(name.name, {
        binding: { kind: 'global', index: this.globals.size },
        first: name,
        loaded,
        nested,
      });
      return;
    }
    if (this.options.interactive || nested || known.nested) return;
    const { line } = placeOf(this.module.source, known.first.start);
    const what = loaded
      ? `top-level ${name.name}, bound`
      : known.loaded
        ? `local ${name.name}, loaded`
        : `global ${name.name} declared`;
    const hint = loaded
      ? `load it under another name: other="${name.name}"`
      : 'choose another name; only variables of a function may be assigned again';
    this.faults.add('STAR_REASSIGNED', name.start, name.end, `cannot reassign ${what} on line ${line}`, hint);
  }

  private statements(statements: readonly Statement[], block: Block): void {
    for (const statement of statements) this.statement(statement, block);
  }

  private statement(statement: Statement, block: Block): void {
    switch (statement.kind) {
      case 'expression':
        this.expression(statement.expression, block);
        break;
      case 'assign':
      case 'augmented':
        this.expression(statement.value, block);
        this.target(statement.target, block);
        break;
      case 'return':
        if (statement.value !== null) this.expression(statement.value, block);
        break;
      case 'def':
        this.defaults(statement.parameters, block);
        this.target(statement.name, block);
        this.function(statement, block);
        break;
      case 'for':
        this.expression(statement.iterable, block);
        this.target(statement.target, block);
        this.statements(statement.body, block);
        break;
      case 'if': {
        let arm = statement;
        for (;;) {
          this.expression(arm.condition, block);
          this.statements(arm.then, block);
          const next: Statement | undefined = arm.otherwise[0];
          if (arm.otherwise.length !== 1 || next?.kind !== 'if') break;
          arm = next;
        }
        this.statements(arm.otherwise, block);
        break;
      }
      case 'load':
        for (const { local } of statement.bindings) this.target(local, block);
        break;
      case 'break':
      case 'continue':
      case 'pass':
        break;
    }
  }

  private target(target: Expression, block: Block): void {
    if (block === this.top && this.options.interactive)
      eachTargetName(target, ({ name }) => this.boundSoFar.add(name));
    this.expression(target, block);
  }

  private defaults(parameters: readonly Parameter[], block: Block): void {
    for (const { defaultValue } of parameters)
      if (defaultValue !== null) this.expression(defaultValue, block);
  }

  private function(node: DefStatement | LambdaExpression, outer: Block): void {
    this.functions += 1;
    if (this.functions > maxFunctions) {
      if (this.functions === maxFunctions + 1) {
        this.faults.add(
          'STAR_TOO_LARGE',
          node.start,
          node.end,
          `the program has more than ${maxFunctions} functions`,
          'split it into modules',
        );
      }
      return;
    }
    const block = new Block(outer, new FunctionBlock(outer.owner));
    for (const { name } of inSlotOrder(node.parameters)) {
      if (name === null) continue;
      block.bind(name.name);
      this.expression(name, block);
    }
    if (node.kind === 'def') {
      eachBoundName(node.body, (name) => block.bind(name.name));
      this.statements(node.body, block);
    } else {
      this.expression(node.body, block);
    }
    node.scope = block.owner;
  }

  private comprehension(node: Comprehension, outer: Block): void {
    const block = new Block(outer, outer.owner);
    for (const clause of node.clauses) {
      if (clause.kind === 'for') eachTargetName(clause.target, ({ name }) => block.bind(name));
    }
    for (const [at, clause] of node.clauses.entries()) {
      if (clause.kind === 'if') {
        this.expression(clause.condition, block);
      } else {
        // The first operand is evaluated before any variable of the comprehension exists.
        this.expression(clause.iterable, at === 0 ? outer : block);
        this.expression(clause.target, block);
      }
    }
    if (node.key !== null) this.expression(node.key, block);
    this.expression(node.body, block);
  }

  /** Goes down the left of an expression in a loop, since flat chains such as `a + b + c` are deep there. */
  private expression(expression: Expression, block: Block): void {
    for (let at: Expression | null = expression; at !== null;) at = this.allButFirst(at, block);
  }

  /** Resolves all parts of an expression but the one it returns. */
  private allButFirst(expression: Expression, block: Block): Expression | null {
    switch (expression.kind) {
      case 'identifier':
        this.use(expression, block);
        return null;
      case 'binary':
      case 'logical':
        this.expression(expression.right, block);
        return expression.left;
      case 'unary':
        return expression.operand;
      case 'dot':
        return expression.object;
      case 'index':
        this.expression(expression.index, block);
        return expression.object;
      case 'slice':
        for (const part of [expression.from, expression.to, expression.step])
          if (part !== null) this.expression(part, block);
        return expression.object;
      case 'call':
        for (const { value } of expression.args) this.expression(value, block);
        return expression.callee;
      case 'conditional':
        this.expression(expression.condition, block);
        this.expression(expression.then, block);
        return expression.otherwise;
      case 'list':
      case 'tuple':
        for (const item of expression.items) this.expression(item, block);
        return null;
      case 'dict':
        for (const { key, value } of expression.entries) {
          this.expression(key, block);
          this.expression(value, block);
        }
        return null;
      case 'comprehension':
        this.comprehension(expression, block);
        return null;
      case 'lambda':
        this.defaults(expression.parameters, block);
        this.function(expression, block);
        return null;
      case 'int':
      case 'float':
      case 'string':
      case 'bytes':
        return null;
    }
  }

  private use(identifier: Identifier, block: Block): void {
    const { name } = identifier;
    identifier.binding = block.find(name) ?? this.globalOrOutside(name, block);
    if (identifier.binding !== null || this.faults.isFull) return;
    const { doubtful } = this.module;
    if (doubtful.has(name) || doubtful.has('*')) return;
    const shown = name.length <= 40 ? name : `${name.slice(0, 40)}…`;
    this.faults.add(
      'STAR_UNDEFINED',
      identifier.start,
      identifier.end,
      `undefined: ${shown}`,
      undefinedHint(name, this.candidates(block), this.hintBudget),
    );
  }

  private globalOrOutside(name: string, block: Block): Binding | null {
    const global = this.globals.get(name);
    if (global === undefined) return this.fromOutside(name);
    const isEarly = this.options.interactive && block.owner === this.top.owner && !this.boundSoFar.has(name);
    return (isEarly ? this.fromOutside(name) : null) ?? global.binding;
  }

  private fromOutside(name: string): Binding | null {
    const known = this.outside.get(name);
    if (known !== undefined) return known;
    const { predeclared, universal } = this.options;
    const kind = predeclared.has(name) ? 'predeclared' : universal.has(name) ? 'universal' : null;
    if (kind === null) return null;
    const binding: Binding = { kind, name };
    this.outside.set(name, binding);
    return binding;
  }

  /** Every name that would have been found, nearest first; what the host gives is what the program is there to call. */
  private *candidates(block: Block): Generator<string> {
    for (let at: Block | null = block; at !== null; at = at.parent) yield* at.names.keys();
    yield* this.options.predeclared;
    yield* this.options.universal;
    yield* this.globals.keys();
  }
}

/** Positional, keyword-only, `*args`, `**kwargs`. */
function inSlotOrder(parameters: readonly Parameter[]): readonly Parameter[] {
  const rank = { plain: 0, star: 1, 'double-star': 2 };
  return parameters.toSorted((a, b) => rank[a.kind] - rank[b.kind]);
}

/** Calls `bind` for each name in a target. */
function eachTargetName(target: Expression, bind: (name: Identifier) => void): void {
  if (target.kind === 'identifier') bind(target);
  else if (target.kind === 'tuple' || target.kind === 'list')
    for (const item of target.items) eachTargetName(item, bind);
}

/**
 * Calls `bind` for each name that `statements` bind in their block, in the order of the text.
 * `nested` is whether it happens inside an `if` or `for`; `loaded`, by a load statement.
 */
function eachBoundName(
  statements: readonly Statement[],
  bind: (name: Identifier, nested: boolean, loaded: boolean) => void,
  nested = false,
): void {
  for (const statement of statements) {
    switch (statement.kind) {
      case 'assign':
      case 'augmented':
        eachTargetName(statement.target, (name) => bind(name, nested, false));
        break;
      case 'def':
        bind(statement.name, nested, false);
        break;
      case 'for':
        eachTargetName(statement.target, (name) => bind(name, true, false));
        eachBoundName(statement.body, bind, true);
        break;
      case 'if': {
        let arm = statement;
        eachBoundName(arm.then, bind, true);
        // A chain of elif is walked and not descended into.
        for (
          let next = arm.otherwise[0];
          arm.otherwise.length === 1 && next?.kind === 'if';
          next = arm.otherwise[0]
        ) {
          arm = next;
          eachBoundName(arm.then, bind, true);
        }
        eachBoundName(arm.otherwise, bind, true);
        break;
      }
      case 'load':
        for (const { local } of statement.bindings) bind(local, nested, true);
        break;
      case 'break':
      case 'continue':
      case 'expression':
      case 'pass':
      case 'return':
        break;
    }
  }
}

// The lexical blocks of a program while its names are being resolved.
//
// A block knows all names bound in it before any name in it is looked up. A comprehension has names of its own,
// but its variables are locals of the function around it.

/** A function, or the module body, which holds only the variables of comprehensions. */
class FunctionBlock implements FunctionScope {
  readonly locals: Variable[] = [];
  readonly free: FreeVariable[] = [];
  private readonly freeBindings = new Map<Variable, Binding & { readonly kind: 'free' }>();
  private readonly outer: FunctionBlock | null;

  constructor(outer: FunctionBlock | null) {
    this.outer = outer;
  }

  addLocal(name: string): Variable {
    const variable: Variable = { name, index: this.locals.length, captured: false };
    this.locals.push(variable);
    return variable;
  }

  /** How this function reaches `variable`, which belongs to `owner`, a function around it: through all in between. */
  capture(variable: Variable, owner: FunctionBlock): Binding & { readonly kind: 'free' } {
    const known = this.freeBindings.get(variable);
    if (known !== undefined) return known;
    const outer = this.outer as FunctionBlock;
    const index = outer === owner ? variable.index : outer.capture(variable, owner).index;
    variable.captured = true;
    const binding = { kind: 'free', index: this.free.length, variable } as const;
    this.free.push({ variable, from: outer === owner ? 'local' : 'free', index });
    this.freeBindings.set(variable, binding);
    return binding;
  }
}

/** The names of one function or comprehension. */
class Block {
  readonly parent: Block | null;
  readonly owner: FunctionBlock;
  readonly names = new Map<string, Binding & { readonly kind: 'local' }>();

  constructor(parent: Block | null, owner: FunctionBlock) {
    this.parent = parent;
    this.owner = owner;
  }

  bind(name: string): void {
    if (!this.names.has(name)) this.names.set(name, { kind: 'local', variable: this.owner.addLocal(name) });
  }

  /** The variable that `name` means here, or null when no function or comprehension around binds it. */
  find(name: string): Binding | null {
    // The loop variable is the place of the name, `this` the place of the use.
    for (let block: Block | null = this as Block; block !== null; block = block.parent) {
      const found = block.names.get(name);
      if (found !== undefined)
        return block.owner === this.owner ? found : this.owner.capture(found.variable, block.owner);
    }
    return null;
  }
}

// What to say about a name that is bound nowhere.

/** Names that other languages have, and what serves in their place. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['null', 'write None'],
  ['nil', 'write None'],
  ['undefined', 'write None'],
  ['NULL', 'write None'],
  ['sum', 'add in a for loop: total += x'],
  ['map', 'write a comprehension: [f(x) for x in y]'],
  ['filter', 'write a comprehension: [x for x in y if f(x)]'],
  ['reduce', 'combine in a for loop'],
  ['isinstance', 'compare type(x) with the name of a type: type(x) == "string"'],
  ['issubclass', 'there are no classes in Starlark'],
  ['object', 'there are no classes in Starlark; keep data in a dict'],
  ['super', 'there are no classes in Starlark'],
  ['self', 'there are no classes in Starlark'],
  ['callable', 'compare type(x) with "function"'],
  ['iter', 'write a for loop, or x[0] for the first element'],
  ['next', 'write a for loop, or x[0] for the first element'],
  ['open', 'files are not reachable; the host may offer a function'],
  ['input', 'a program cannot ask for input; the host passes it in'],
  ['eval', 'code cannot be created at run time'],
  ['exec', 'code cannot be created at run time'],
  ['pow', 'multiply, in a loop if need be'],
  ['divmod', 'write (x // y, x % y)'],
  ['round', 'write int(x + 0.5) for a number that is not negative'],
  ['frozenset', 'use set(x), or a tuple as a key'],
  ['bytearray', 'use bytes(x), or a list of ints'],
  ['complex', 'there are no complex numbers in Starlark'],
  ['hex', 'write "0x%x" % n'],
  ['oct', 'write "0o%o" % n'],
  ['bin', 'shift and mask in a loop'],
  ['chr', 'write "%c" % n'],
  ['ord', 'write bytes(x)[0] for an ASCII character'],
  ['format', 'write "{}".format(x) or "%s" % x'],
  ['globals', 'keep values in a dict of your own'],
  ['locals', 'keep values in a dict of your own'],
  ['vars', 'keep values in a dict of your own'],
  ['setattr', 'keep values in a dict'],
  ['delattr', 'keep values in a dict'],
  ['Exception', 'end the program with fail("message")'],
  ['ValueError', 'end the program with fail("message")'],
  ['TypeError', 'end the program with fail("message")'],
  ['KeyError', 'end the program with fail("message")'],
  ['RuntimeError', 'end the program with fail("message")'],
  ['__name__', 'a program has no main guard: call the function, or let the host call it'],
  ['assert', 'write if not condition: fail("message")'],
  ['json_encode', 'write json.encode(x)'],
  ['json_decode', 'write json.decode(x)'],
]);

/** However many names a program has, a fault costs no more than this many comparisons of short words. */
const maxCandidates = 1_000;
/** And however many faults, all of them together no more than this many. */
const maxCandidatesInAll = 20_000;
const maxLength = 40;

/** What is left of `maxCandidatesInAll`; one for each program. */
export class HintBudget {
  candidates = maxCandidatesInAll;
}

export function undefinedHint(
  name: string,
  candidates: Iterable<string>,
  budget: HintBudget,
): string | undefined {
  let near = name.length > maxLength ? null : nearest(name, shortOnes(candidates, budget));
  // Any short name is one change away from any other.
  if (near !== null && name.length < 3 && near.toLowerCase() !== name.toLowerCase()) near = null;
  // A name that differs in case only, such as `true`, is the better guess.
  if (near !== null && (near.toLowerCase() === name.toLowerCase() || !elsewhere.has(name)))
    return `did you mean ${near}?`;
  return elsewhere.get(name);
}

function* shortOnes(candidates: Iterable<string>, budget: HintBudget): Generator<string> {
  let count = 0;
  for (const candidate of candidates) {
    if (count >= maxCandidates || budget.candidates <= 0) return;
    count += 1;
    budget.candidates -= 1;
    if (candidate.length <= maxLength) yield candidate;
  }
}
