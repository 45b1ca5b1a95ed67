// What can be iterated over besides lists, tuples, dicts and strings.
import type { Dict } from './dict.ts';
import type { Value } from './value.ts';

/** `dict.keys()`, `dict.values()`, `dict.items()`; and a set, which is the keys of a dict of its own, in their order. */
export class View {
  readonly dict: Dict;
  readonly part: ViewPart;
  constructor(dict: Dict, part: ViewPart) {
    this.dict = dict;
    this.part = part;
  }
}

type ViewPart = 'keys' | 'values' | 'items' | 'set';

/** What `map`, `select`, `reverse` and others give: each item is worked out when it is asked for, and given once. */
export class Lazy {
  readonly typeName: string;
  /** How many of them are asked in turn for one item of this one. */
  readonly depth: number;
  private readonly produce: () => Value | undefined;
  private isOver = false;

  constructor(typeName: string, depth: number, produce: () => Value | undefined) {
    this.typeName = typeName;
    this.depth = depth;
    this.produce = produce;
  }

  /** The next item, or undefined at the end. */
  next(): Value | undefined {
    if (this.isOver) return undefined;
    const value = this.produce();
    if (value === undefined) this.isOver = true;
    return value;
  }
}
