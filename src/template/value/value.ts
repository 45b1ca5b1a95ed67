// What a template computes with: Python's values, as far as Jinja's sandbox lets one see them.
//
// An int is a JavaScript number when it is a safe integer, else a bigint, never the other way round, and never -0. A
// float is boxed: 1 and 1.0 stay apart. None is null; `undefined` is never a value (it marks an empty variable or the
// end of an iteration). A string is a JavaScript string, but its unit is the code point: lengths, indices and order
// are Python's. Every value is immutable, but for a `Lazy`, which is used up by iterating over it. No property of a
// JavaScript object is ever looked up by a name from a template: attributes are in tables.
import type { Span } from '../../base/span.ts';
import type { Dict } from './dict.ts';
import type { Evaluation } from './evaluation.ts';
import type { Lazy, View } from './iterables.ts';

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Markup
  | Bytes
  | List
  | Tuple
  | Dict
  | View
  | Lazy
  | Undefined
  | Callable;

export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A string that is known to be HTML, as `tojson` and `escape` give it: what is added to it gets escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What `str.encode()` gives. */
export class Bytes {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export class List {
  private known: readonly Value[] | null;
  private readonly read: (() => readonly Value[]) | null;
  /** A function is asked for the items when they are first needed: so a large context costs nothing until it is used. */
  constructor(items: readonly Value[] | (() => readonly Value[])) {
    this.known = typeof items === 'function' ? null : items;
    this.read = typeof items === 'function' ? items : null;
  }

  get items(): readonly Value[] {
    return (this.known ??= (this.read as () => readonly Value[])());
  }
}

export class Tuple {
  readonly items: readonly Value[];
  /** Names of the items, for the tuples that `groupby` makes. */
  readonly fields: readonly string[] | null;
  constructor(items: readonly Value[], fields: readonly string[] | null = null) {
    this.items = items;
    this.fields = fields;
  }
}

/** What a failure says: worked out only when it happens. */
interface Description {
  readonly message: string;
  readonly hint: string | null;
}

/** A variable, attribute or item that does not exist. Using it fails; asking whether it is defined does not. */
export class Undefined {
  readonly describe: () => Description;
  /** Where the template asked for it. */
  readonly span: Span | null;
  /** `unsafe`: it exists, but templates may not reach it. */
  readonly kind: 'undefined' | 'unsafe';
  /** The value of an inline `if` without `else`: it prints as nothing and is false. */
  readonly isLenient: boolean;
  constructor(
    describe: () => Description,
    span: Span | null,
    kind: 'undefined' | 'unsafe' = 'undefined',
    isLenient = false,
  ) {
    this.describe = describe;
    this.span = span;
    this.kind = kind;
    this.isLenient = isLenient;
  }
}

export type Named = ReadonlyMap<string, Value>;

export const noNames: Named = new Map();

export type Native = (e: Evaluation, self: Value, args: readonly Value[], named: Named) => Value;

/** Something with attributes of its own that a template may be able to call: a method, a macro, a loop. */
export abstract class Callable {
  /** As Python's `type(x).__name__`. */
  abstract readonly typeName: string;
  abstract call(e: Evaluation, args: readonly Value[], named: Named): Value;
  abstract attribute(e: Evaluation, name: string): Value | undefined;
  abstract text(e: Evaluation): string;
}
