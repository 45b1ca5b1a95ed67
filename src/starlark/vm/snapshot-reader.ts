// The table of the values of a run, read back (see `snapshot-writer.ts`).
//
// 1. Every object is made, empty. 2. Every object is filled: all it can refer to exists now. 3. The indices of dicts and
// sets are built: all their keys are complete now. Nothing is charged: the count of the snapshot has it all. What the
// building may cost is bounded all the same, in case the snapshot is made up.
import type { Json, JsonObject } from '../../base/json.ts';
import { LimitReached, Meter } from '../../base/meter.ts';
import type { FunctionCode } from '../compile/program.ts';
import { methodsOf } from '../lib/methods.ts';
import { EvalError } from '../value/eval-error.ts';
import { hashKey, textKey } from '../value/compare.ts';
import type { Thread } from '../value/native.ts';
import {
  BoundMethod,
  Bytes,
  Cell,
  Closure,
  Dict,
  Elems,
  FROZEN,
  Float,
  HostFunction,
  List,
  Range,
  SetValue,
  Struct,
  Tuple,
  type Value,
} from '../value/value.ts';
import { bytesOf } from './encode-data.ts';
import { BY_STEP, ENDED, Iterator, ModuleState, isPlausible, type Slot } from './machine.ts';
import type { Machine } from './machine.ts';
import { builtinsByName } from './snapshot.ts';
import {
  arrayOf,
  countOf,
  flagOf,
  intOf,
  member,
  notASnapshot,
  numberOf,
  pairOf,
  shapeText,
} from './snapshot-shape.ts';

type Row = readonly Json[];
/** Removes `readonly`, for objects that are being made. */
type Making<T> = { -readonly [Key in keyof T]: T[Key] };

/** What building the indices may cost, as a multiple of what the run may use. An honest run has paid for it once. */
const SLACK = 16;
const SLACK_BASE = 1_000_000;

export class SnapshotReader {
  private readonly machine: Machine;
  private readonly modules: readonly ModuleState[];
  private readonly predeclared: ReadonlySet<string>;
  private readonly texts: readonly string[];
  private readonly rows: readonly Row[];
  private readonly made: Slot[];

  constructor(
    machine: Machine,
    modules: readonly ModuleState[],
    objects: JsonObject,
    predeclared: readonly (readonly [string, Json])[],
  ) {
    this.machine = machine;
    this.modules = modules;
    this.predeclared = new Set(predeclared.map(([name]) => name));
    this.texts = arrayOf(member(objects, 'texts'), 'the table of texts').map((text) =>
      shapeText(text, 'a text'),
    );
    this.rows = arrayOf(member(objects, 'rows'), 'the table of values').map((row) => arrayOf(row, 'a value'));
    this.made = this.rows.map((row) => this.make(row));
    // Before functions are filled: their frames refer to what is predeclared.
    for (const [name, value] of predeclared) machine.predeclared.set(name, this.value(value));
    for (const [index, row] of this.rows.entries()) this.fill(this.made[index] as object, row);
    this.buildIndices();
  }

  /** Anything a register can hold. */
  slot(json: Json | undefined): Slot {
    if (json === null || typeof json === 'boolean' || typeof json === 'string') return json;
    if (typeof json === 'number') return intOf(json, 'a number');
    const [kind, what] = arrayOf(json, 'a value');
    switch (kind as string | undefined) {
      case undefined:
        return undefined;
      case 'i':
        return this.bigint(shapeText(what, 'an int'));
      case 's':
        return this.texts[countOf(what, 'the number of a text', this.texts.length - 1)] as string;
      case 'o':
        return this.made[countOf(what, 'the number of a value', this.made.length - 1)];
      case 'm':
        return this.modules[countOf(what, 'the number of a module', this.modules.length - 1)];
      case 'h':
        return this.hostFunction(shapeText(what, 'the name of a host function'));
      case 'b': {
        const builtin = builtinsByName().get(shapeText(what, 'the name of a function'));
        if (builtin === undefined)
          throw notASnapshot('it names a function of the language that there is not');
        return builtin;
      }
      case 'c':
        return this.literal(json as Row);
      default:
        throw notASnapshot('it has a value of an unknown kind');
    }
  }

  private literal(row: Row): Value {
    const { functions } = (
      this.modules[countOf(row[1], 'the number of a module', this.modules.length - 1)] as ModuleState
    ).program;
    const { constants } = functions[
      countOf(row[2], 'the number of a function', functions.length - 1)
    ] as FunctionCode;
    const constant = constants[countOf(row[3], 'the number of a constant', constants.length - 1)];
    if (!(constant instanceof Bytes || constant instanceof Float))
      throw notASnapshot('a constant is neither a float nor bytes');
    return constant;
  }

  slots(json: Json | undefined): Slot[] {
    return arrayOf(json, 'a list of values').map((item) => this.slot(item));
  }

  /** What a program can see. */
  value(json: Json | undefined): Value {
    const value = this.variable(json);
    if (value === undefined) throw notASnapshot('a value is missing');
    return value;
  }

  values(json: Json | undefined): Value[] {
    return arrayOf(json, 'a list of values').map((item) => this.value(item));
  }

  /** A value, or undefined where there is none yet. */
  variable(json: Json | undefined): Value | undefined {
    const slot = this.slot(json);
    if (slot instanceof Cell || slot instanceof Iterator || slot instanceof ModuleState)
      throw notASnapshot('a value is none of the language');
    return slot;
  }

  variables(json: Json | undefined): (Value | undefined)[] {
    return arrayOf(json, 'a list of variables').map((item) => this.variable(item));
  }

  cells(json: Json | undefined, count: number): Cell[] {
    const cells = this.slots(json);
    if (cells.length !== count || !cells.every((cell) => cell instanceof Cell))
      throw notASnapshot('a function has other shared variables');
    return cells;
  }

  private bigint(digits: string): bigint {
    // A digit has more than three bits.
    if (!/^-?[1-9][0-9]*$/.test(digits) || digits.length * 3 > this.machine.maxIntBits + 8)
      throw notASnapshot('it has an int that cannot be');
    const value = BigInt(digits);
    if (Number.isSafeInteger(Number(value)) && BigInt(Number(value)) === value)
      throw notASnapshot('it has a large int that is small');
    return value;
  }

  /** One object for each name: host functions are compared by identity. */
  private hostFunction(name: string): Value {
    const known = this.machine.predeclared.get(name);
    if (known instanceof HostFunction) return known;
    if (known !== undefined || !this.predeclared.has(name))
      throw notASnapshot(`there is no host function ${JSON.stringify(name)}`);
    const made = new HostFunction(name);
    this.machine.predeclared.set(name, made);
    return made;
  }

  private make(row: Row): Slot {
    switch (row[0] as string) {
      case 'list':
        return new List([]);
      case 'tuple':
        return new Tuple([]);
      case 'dict':
        return new Dict();
      case 'set':
        return new SetValue();
      case 'float':
        return new Float(Number(shapeText(row[1], 'a float')));
      case 'bytes':
        return new Bytes(bytesOf(row[1]));
      case 'range':
        return readRange(row);
      case 'elems':
        return new Elems('');
      case 'cell':
        return new Cell(undefined);
      case 'closure':
        return this.makeClosure(row);
      case 'method':
        // The method is found when it is known what it belongs to.
        return new BoundMethod(null, undefined as never);
      case 'struct':
        return new Struct(new Map());
      case 'iterator':
        return new Iterator(
          countOf(row[1], 'the kind of a loop', ENDED),
          null,
          [],
          countOf(row[3], 'the place of a loop'),
          countOf(row[4], 'the end of a loop'),
          numberOf(row[5], 'the next of a loop'),
          intOf(row[6], 'the step of a loop'),
        );
      default:
        throw notASnapshot('it has a value of an unknown kind');
    }
  }

  private makeClosure(row: Row): Closure {
    const [kind, number] = arrayOf(row[1], 'the module of a function');
    if (kind !== 'm') throw notASnapshot('a function has no module');
    const module = this.modules[
      countOf(number, 'the number of a module', this.modules.length - 1)
    ] as ModuleState;
    const code = module.program.functions[
      countOf(row[2], 'the number of a function', module.program.functions.length - 1)
    ] as FunctionCode;
    return new Closure(code, module, [], [], module);
  }

  private fill(object: object, row: Row): void {
    if (object instanceof List) {
      object.locks = countOf(row[1], 'the locks of a list', FROZEN);
      object.items = this.values(row[2]);
    } else if (object instanceof Tuple) {
      object.frozen = flagOf(row[1], 'the state of a tuple');
      (object as Making<Tuple>).items = this.values(row[3]);
    } else if (object instanceof Dict) {
      object.locks = countOf(row[1], 'the locks of a dict', FROZEN);
      object.keys = this.variables(row[3]);
      object.values = this.variables(row[4]);
      object.head = readHead(row[2], object.keys);
      if (
        object.keys.length !== object.values.length ||
        object.keys.some((key, at) => (key === undefined) !== (object.values[at] === undefined))
      )
        throw notASnapshot('the keys and values of a dict differ');
    } else if (object instanceof SetValue) {
      object.locks = countOf(row[1], 'the locks of a set', FROZEN);
      object.items = this.variables(row[3]);
      object.head = readHead(row[2], object.items);
    } else if (object instanceof Elems) {
      const of = this.value(row[1]);
      if (typeof of !== 'string' && !(of instanceof Bytes)) throw notASnapshot('elements of what has none');
      (object as Making<Elems>).of = of;
    } else if (object instanceof Cell) object.value = this.variable(row[1]);
    else if (object instanceof Closure) this.fillClosure(object, row);
    else if (object instanceof BoundMethod) this.fillMethod(object, row);
    else if (object instanceof Struct) {
      for (const pair of arrayOf(row[1], 'a struct')) {
        const [name, part] = pairOf(pair, 'a member');
        (object.members as Map<string, Value>).set(name, this.value(part));
      }
    } else if (object instanceof Iterator) this.fillIterator(object, row);
  }

  private fillClosure(closure: Closure, row: Row): void {
    const { code } = closure;
    closure.frozen = flagOf(row[3], 'the state of a function');
    const defaults = this.variables(row[4]);
    const { hasDefault } = code.parameters;
    if (
      defaults.length !== hasDefault.length ||
      defaults.some((value, at) => (value !== undefined) !== hasDefault[at])
    )
      throw notASnapshot(`${code.name} has other defaults`);
    (closure as Making<Closure>).defaults = defaults;
    (closure as Making<Closure>).free = this.cells(row[5], code.free.length);
    (closure as Making<Closure>).frame = this.machine.frameOf(closure.module as ModuleState, code);
  }

  private fillMethod(method: Making<BoundMethod>, row: Row): void {
    method.self = this.value(row[1]);
    const native = methodsOf(method.self)?.get(shapeText(row[2], 'the name of a method'));
    if (native === undefined) throw notASnapshot('it names a method that there is not');
    method.native = native;
  }

  private fillIterator(iterator: Iterator, row: Row): void {
    iterator.source = this.value(row[2]);
  }

  /** Once the tables are there: a dict or set is looped over by its own array. */
  private finishIterator(iterator: Iterator): void {
    const { source } = iterator;
    if (!isPlausible(iterator)) throw notASnapshot('a loop is over something else');
    if (iterator.kind === BY_STEP || iterator.kind === ENDED) return;
    if (source instanceof List || source instanceof Tuple || source instanceof SetValue)
      iterator.items = source.items;
    else if (source instanceof Dict) iterator.items = source.keys;
  }

  private buildIndices(): void {
    const { maxSteps, maxMemoryBytes, maxIntBits } = this.machine.options;
    const meter = new Meter(maxSteps * SLACK + SLACK_BASE, maxMemoryBytes * SLACK + SLACK_BASE);
    const thread: Thread = { meter, maxIntBits, print: () => {} };
    try {
      for (const [index, object] of this.made.entries()) {
        const row = this.rows[index] as Row;
        if (object instanceof Dict) buildIndex(thread, object.index, object.keys);
        else if (object instanceof SetValue) buildIndex(thread, object.index, object.items);
        else if (object instanceof Tuple && row[2] === true) textKey(thread, object);
        else if (object instanceof Iterator) this.finishIterator(object);
      }
    } catch (error) {
      if (!(error instanceof EvalError || error instanceof LimitReached)) throw error;
      throw notASnapshot('a key cannot be one', error);
    }
  }
}

function readRange(row: Row): Range {
  const [start, stop, step] = [intOf(row[1], 'a range'), intOf(row[2], 'a range'), intOf(row[3], 'a range')];
  const length = countOf(row[4], 'the length of a range');
  const last = start + (length - 1) * step;
  if (step === 0 || (length > 0 && !Number.isSafeInteger(last))) throw notASnapshot('a range cannot be');
  return new Range(start, stop, step, length);
}

/** No entry is before it. */
function readHead(json: Json | undefined, keys: readonly (Value | undefined)[]): number {
  const head = countOf(json, 'the first of a table', keys.length);
  for (let at = 0; at < head; at += 1)
    if (keys[at] !== undefined) throw notASnapshot('a table begins elsewhere');
  return head;
}

function buildIndex(thread: Thread, index: Dict['index'], keys: readonly (Value | undefined)[]): void {
  for (const [position, key] of keys.entries()) {
    if (key === undefined) continue;
    const hash = hashKey(thread, key, index);
    if (index.has(hash)) throw notASnapshot('a key is there twice');
    index.add(hash, position);
  }
}
