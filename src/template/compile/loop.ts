// The variable `loop` of a loop, and what it goes through.
//
// Items that are worked out one by one are only asked for when they are needed: `loop.last` and `loop.nextitem` look
// one ahead, `loop.length` and `loop.revindex` at all.
import { isEqual } from '../value/compare.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { type Cursor, iterate, knownItems } from '../value/iterate.ts';
import { bind, signature } from '../value/signature.ts';
import { TemplateError, typeError } from '../value/template-error.ts';
import { Callable, type Named, Undefined, type Value } from '../value/value.ts';
import { BoundMethod } from '../value/bound-method.ts';

/** Renders the loop's body for other items, inside itself. */
export type Recurse = (e: Evaluation, items: Value, depth0: number) => Value;

const recurseSignature = signature('loop()', [['iterable']]);

export class Loop extends Callable {
  readonly typeName = 'LoopContext';
  index0 = -1;
  private readonly depth0: number;
  private readonly recurse: Recurse | null;
  private readonly known: readonly Value[] | null;
  private readonly cursor: Cursor | null;
  /** Items that were asked for ahead of their round. */
  private readonly ahead: Value[] = [];
  private before: Value | undefined;
  private current: Value | undefined;
  private lastChanged: readonly Value[] | null = null;

  /** `source` is a value, or gives the items one by one. */
  constructor(e: Evaluation, source: Value | Cursor, depth0: number, recurse: Recurse | null) {
    super();
    this.depth0 = depth0;
    this.recurse = recurse;
    this.known = typeof source === 'function' ? null : knownItems(e, source);
    this.cursor = this.known !== null ? null : typeof source === 'function' ? source : iterate(e, source);
  }

  /** Goes to the next round: its item, or undefined when there is none. */
  advance(): Value | undefined {
    const item = this.known === null ? this.pull() : this.known[this.index0 + 1];
    if (item === undefined) return undefined;
    this.index0 += 1;
    this.before = this.current;
    this.current = item;
    return item;
  }

  private pull(): Value | undefined {
    return this.ahead.length > 0 ? this.ahead.shift() : (this.cursor as Cursor)();
  }

  private next(): Value | undefined {
    if (this.known !== null) return this.known[this.index0 + 1];
    if (this.ahead.length === 0) {
      const item = (this.cursor as Cursor)();
      if (item !== undefined) this.ahead.push(item);
    }
    return this.ahead[0];
  }

  private length(e: Evaluation): number {
    if (this.known !== null) return this.known.length;
    for (let item = (this.cursor as Cursor)(); item !== undefined; item = (this.cursor as Cursor)()) {
      e.makeItems(1);
      this.ahead.push(item);
    }
    return this.index0 + 1 + this.ahead.length;
  }

  attribute(e: Evaluation, name: string): Value | undefined {
    switch (name) {
      case 'index':
        return this.index0 + 1;
      case 'index0':
        return this.index0;
      case 'revindex':
        return this.length(e) - this.index0;
      case 'revindex0':
        return this.length(e) - this.index0 - 1;
      case 'first':
        return this.index0 === 0;
      case 'last':
        return this.next() === undefined;
      case 'length':
        return this.length(e);
      case 'depth':
        return this.depth0 + 1;
      case 'depth0':
        return this.depth0;
      case 'previtem':
        return this.index0 === 0 ? nothing(e, 'there is no previous item') : this.before;
      case 'nextitem':
        return orNothing(e, this.next());
      case 'cycle':
        return new BoundMethod(this, 'LoopContext', name, (_e, _self, args, named) =>
          this.cycle(args, named),
        );
      case 'changed':
        return new BoundMethod(this, 'LoopContext', name, (inner, _self, args, named) =>
          this.changed(inner, args, named),
        );
      default:
        return undefined;
    }
  }

  private cycle(args: readonly Value[], named: Named): Value {
    if (named.size > 0) throw new TemplateError('EVAL_ARGUMENTS', 'loop.cycle() takes no keyword arguments');
    if (args.length === 0) return typeError('no items for cycling given');
    return args[this.index0 % args.length] as Value;
  }

  private changed(e: Evaluation, args: readonly Value[], named: Named): boolean {
    if (named.size > 0)
      throw new TemplateError('EVAL_ARGUMENTS', 'loop.changed() takes no keyword arguments');
    const last = this.lastChanged;
    const isSame =
      last !== null &&
      last.length === args.length &&
      args.every((value, at) => value === last[at] || isEqual(e, last[at] as Value, value));
    if (!isSame) this.lastChanged = args;
    return !isSame;
  }

  call(e: Evaluation, args: readonly Value[], named: Named): Value {
    if (this.recurse === null)
      return typeError("The loop must have the 'recursive' marker to be called recursively.");
    return this.recurse(e, bind(recurseSignature, args, named)[0] as Value, this.depth0 + 1);
  }

  text(e: Evaluation): string {
    return `<LoopContext ${this.index0 + 1}/${this.length(e)}>`;
  }
}

function orNothing(e: Evaluation, next: Value | undefined): Value {
  return next === undefined ? nothing(e, 'there is no next item') : next;
}

function nothing(e: Evaluation, message: string): Undefined {
  return new Undefined(() => ({ message, hint: null }), e.at);
}
