// Where each name of a program lives, decided before it runs.
//
// A name used in a function is the same variable everywhere in that function (whole-block scoping). A variable of a
// comprehension is a local of the function around it with a slot of its own, so that no frame is needed for the
// comprehension. A local that an inner function uses is `captured`: it lives in a cell that both share.

export interface Variable {
  readonly name: string;
  /** The slot among the locals of the function it belongs to. */
  readonly index: number;
  /** Known once the whole function is resolved. */
  captured: boolean;
}

export interface FunctionScope {
  /** Parameters first, in this order: positional, keyword-only, `*args`, `**kwargs`; then the other locals. */
  readonly locals: readonly Variable[];
  /** What the function captures, in the order of the `free` bindings' indices. */
  readonly free: readonly FreeVariable[];
}

export interface FreeVariable {
  readonly variable: Variable;
  /** Where the enclosing function finds the cell when it makes this one. */
  readonly from: 'local' | 'free';
  readonly index: number;
}

export interface ModuleScope {
  /** Names bound at module level, in order of first binding: by `=`, `def` and `load`. */
  readonly globals: readonly string[];
  /** Names bound by `load`: they are not exported. */
  readonly loaded: ReadonlySet<string>;
  /** Holds the variables of module-level comprehensions. */
  readonly body: FunctionScope;
}

export type Binding =
  | { readonly kind: 'local'; readonly variable: Variable }
  | { readonly kind: 'free'; readonly index: number; readonly variable: Variable }
  | { readonly kind: 'global'; readonly index: number }
  /** Given by the embedder: a host function or a value. */
  | { readonly kind: 'predeclared'; readonly name: string }
  /** Part of the language. */
  | { readonly kind: 'universal'; readonly name: string };
