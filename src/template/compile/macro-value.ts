// A macro, taken as a value: the arguments of a call are bound to its parameters by Jinja's rules.
//
// In this order: parameters, then `caller` if the body reads it, then `kwargs` and `varargs` if it does. A parameter
// without an argument gets its default when the macro runs, or is undefined.
import type { Evaluation } from '../value/evaluation.ts';
import { Dict } from '../value/dict.ts';
import { quote } from '../value/quote.ts';
import { TemplateError } from '../value/template-error.ts';
import { Callable, type Named, Tuple, Undefined, type Value } from '../value/value.ts';
import { type Execute, Frame, Sink } from './frame.ts';
import type { Unit } from './symbols.ts';

export interface MacroCode {
  /** Null for the block of a `call`. */
  readonly name: string | null;
  readonly unit: Unit;
  readonly parameters: readonly {
    readonly name: string;
    readonly index: number;
    readonly fallback: ((f: Frame) => Value) | null;
  }[];
  /** The slots of the special names, where the body reads them. */
  readonly caller: number | null;
  readonly kwargs: number | null;
  readonly varargs: number | null;
  readonly enter: (f: Frame) => void;
  readonly body: Execute;
}

export class MacroValue extends Callable {
  readonly typeName = 'Macro';
  private readonly code: MacroCode;
  private readonly outer: Frame;

  constructor(code: MacroCode, outer: Frame) {
    super();
    this.code = code;
    this.outer = outer;
  }

  call(e: Evaluation, args: readonly Value[], named: Named): Value {
    const { code, outer } = this;
    e.enter(code.unit.depth + 2);
    const frame = new Frame(code.unit.slots, outer, e, outer.variables);
    this.bind(e, frame, args, new Map(named));
    code.enter(frame);
    this.fillIn(e, frame);
    const sink = new Sink(e);
    code.body(frame, sink);
    e.leave(code.unit.depth + 2);
    return sink.text;
  }

  private bind(e: Evaluation, frame: Frame, args: readonly Value[], named: Map<string, Value>): void {
    const { parameters, caller, kwargs, varargs } = this.code;
    e.work(parameters.length + args.length);
    for (const [at, { name, index }] of parameters.entries()) {
      if (at < args.length) {
        frame.slots[index] = args[at];
      } else if (named.has(name)) {
        frame.slots[index] = named.get(name);
        named.delete(name);
      }
    }
    const isExplicit = parameters.some(({ name }) => name === 'caller');
    if (caller !== null && !isExplicit) {
      const given = named.get('caller') ?? null;
      named.delete('caller');
      frame.slots[caller] =
        given === null
          ? new Undefined(() => ({ message: 'No caller defined', hint: 'use {% call %}' }), e.at)
          : given;
    }
    if (kwargs !== null) frame.slots[kwargs] = dictOf(named);
    else if (named.size > 0) this.unexpected([...named.keys()]);
    if (varargs !== null) frame.slots[varargs] = new Tuple(args.slice(parameters.length));
    else if (args.length > parameters.length)
      this.fail(`takes not more than ${parameters.length} argument(s)`);
  }

  /** Defaults see the parameters before them. */
  private fillIn(e: Evaluation, frame: Frame): void {
    for (const { name, index, fallback } of this.code.parameters) {
      if (frame.slots[index] !== undefined) continue;
      frame.slots[index] =
        fallback === null
          ? new Undefined(() => ({ message: `parameter '${name}' was not provided`, hint: null }), e.at)
          : fallback(frame);
    }
  }

  private unexpected(names: readonly string[]): never {
    if (names.includes('caller'))
      this.fail('was invoked with two values for the special caller argument. This is most likely a bug.');
    return this.fail(`takes no keyword argument '${names[0]}'`);
  }

  private fail(what: string): never {
    throw new TemplateError(
      'EVAL_ARGUMENTS',
      `macro ${this.code.name === null ? 'None' : `'${this.code.name}'`} ${what}`,
    );
  }

  attribute(_e: Evaluation, name: string): Value | undefined {
    const { code } = this;
    switch (name) {
      case 'name':
        return code.name;
      case 'arguments':
        return new Tuple(code.parameters.map((parameter) => parameter.name));
      case 'catch_kwargs':
        return code.kwargs !== null;
      case 'catch_varargs':
        return code.varargs !== null;
      case 'caller':
        return code.caller !== null;
      case 'explicit_caller':
        return code.parameters.some((parameter) => parameter.name === 'caller');
      default:
        return undefined;
    }
  }

  text(e: Evaluation): string {
    return `<Macro ${this.code.name === null ? 'anonymous' : quote(e, this.code.name)}>`;
  }
}

function dictOf(named: ReadonlyMap<string, Value>): Dict {
  const dict = new Dict();
  for (const [name, value] of named) dict.set(name, value);
  return dict;
}
