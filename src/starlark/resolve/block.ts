// The lexical blocks of a program while its names are being resolved.
//
// A block knows all names bound in it before any name in it is looked up. A comprehension has names of its own,
// but its variables are locals of the function around it.
import type { Binding, FreeVariable, FunctionScope, Variable } from './scope.ts';

/** A function, or the module body, which holds only the variables of comprehensions. */
export class FunctionBlock implements FunctionScope {
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
export class Block {
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
