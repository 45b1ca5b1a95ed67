// The table of the values of a run, read back (see `snapshot-writer.ts`).
//
// 1. Every object is made, empty. 2. Every object is filled: all it can refer to exists now. 3. The indices of dicts and
// sets are built: all their keys are complete now. Nothing is charged: the count of the snapshot has it all.
import type { Json } from '../../base/json.ts';
import { Meter } from '../../base/meter.ts';
import { methodsOf } from '../lib/methods.ts';
import { hashKey } from '../value/hash-key.ts';
import type { Thread } from '../value/native.ts';
import {
  BoundMethod, Bytes, Cell, Closure, Dict, Elems, Float, HostFunction, List, Range, SetValue, Struct, Tuple, type Value,
} from '../value/value.ts';
import { bytesOf } from './encode-data.ts';
import type { ModuleState, Slot } from './frame.ts';
import { BY_STEP, Iterator } from './iterator.ts';
import type { Machine } from './machine.ts';
import { builtinsByName } from './snapshot-names.ts';

type Row = readonly Json[];
/** Removes `readonly`, for objects that are being made. */
type Making<T> = { -readonly [Key in keyof T]: T[Key] };

export interface ObjectTable {
  readonly rows: readonly Row[];
  readonly texts: readonly string[];
}

export class SnapshotReader {
  private readonly machine: Machine;
  private readonly modules: readonly ModuleState[];
  private readonly texts: readonly string[];
  private readonly rows: readonly Row[];
  private readonly made: Slot[];

  constructor(machine: Machine, modules: readonly ModuleState[], objects: ObjectTable, predeclared: readonly (readonly [string, Json])[]) {
    this.machine = machine;
    this.modules = modules;
    this.texts = objects.texts;
    this.rows = objects.rows;
    this.made = objects.rows.map((row) => this.make(row));
    // Before functions are filled: their frames refer to what is predeclared.
    for (const [name, value] of predeclared) machine.predeclared.set(name, this.slot(value) as Value);
    for (const [index, row] of objects.rows.entries()) this.fill(this.made[index] as object, row);
    this.buildIndices();
  }

  slot(json: Json): Slot {
    if (!Array.isArray(json)) return json as Value;
    const [kind, what] = json as Row;
    switch (kind as string | undefined) {
      case undefined:
        return undefined;
      case 'i':
        return BigInt(what as string);
      case 's':
        return this.texts[what as number] as string;
      case 'o':
        return this.made[what as number] as Slot;
      case 'm':
        return this.modules[what as number] as ModuleState;
      case 'h':
        return this.hostFunction(what as string);
      case 'b': {
        const builtin = builtinsByName().get(what as string);
        if (builtin === undefined) throw new Error(`the snapshot names ${what as string}, which this build does not have`);
        return builtin;
      }
      default:
        throw new Error('the snapshot is not one of this build');
    }
  }

  slots(json: Json): Slot[] {
    return (json as Row).map((item) => this.slot(item));
  }

  /** One object for each name: host functions are compared by identity. */
  private hostFunction(name: string): Value {
    const known = this.machine.predeclared.get(name);
    if (known instanceof HostFunction) return known;
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
        return new Float(Number(row[1]));
      case 'bytes':
        return new Bytes(bytesOf(row[2] as string));
      case 'range':
        return new Range(row[1] as number, row[2] as number, row[3] as number, row[4] as number);
      case 'elems':
        return new Elems('');
      case 'cell':
        return new Cell(undefined);
      case 'closure': {
        const module = this.slot(row[1] as Json) as ModuleState;
        const code = module.program.functions[row[2] as number];
        if (code === undefined) throw new Error('the snapshot names a function that the program does not have');
        return new Closure(code, module, [], [], module);
      }
      case 'method':
        // The method is found when it is known what it belongs to.
        return new BoundMethod(null, undefined as never);
      case 'struct':
        return new Struct(new Map());
      case 'iterator':
        return new Iterator(row[1] as number, null, [], row[3] as number, row[4] as number, row[5] as number, row[6] as number);
      default:
        throw new Error('the snapshot is not one of this build');
    }
  }

  private fill(object: object, row: Row): void {
    if (object instanceof List) {
      object.locks = row[1] as number;
      this.append(object.items, row[2]);
    } else if (object instanceof Tuple) {
      object.frozen = row[1] as boolean;
      this.append(object.items, row[3]);
    } else if (object instanceof Dict) {
      object.locks = row[1] as number;
      object.head = row[2] as number;
      this.append(object.keys, row[3]);
      this.append(object.values, row[4]);
    } else if (object instanceof SetValue) {
      object.locks = row[1] as number;
      object.head = row[2] as number;
      this.append(object.items, row[3]);
    } else if (object instanceof Elems) (object as Making<Elems>).of = this.slot(row[1] as Json) as string | Bytes;
    else if (object instanceof Cell) object.value = this.slot(row[1] as Json) as Value | undefined;
    else if (object instanceof Closure) {
      object.frozen = row[3] as boolean;
      (object as Making<Closure>).frame = this.machine.frameOf(object.module as ModuleState, object.code);
      this.append(object.defaults as Slot[], row[4]);
      this.append(object.free as Slot[] as Value[], row[5]);
    } else if (object instanceof BoundMethod) this.fillMethod(object, row);
    else if (object instanceof Struct) {
      for (const [name, member] of row[1] as (readonly [string, Json])[]) (object.members as Map<string, Value>).set(name, this.slot(member) as Value);
    } else if (object instanceof Iterator) this.fillIterator(object, row);
  }

  private append(to: Slot[], json: Json | undefined): void {
    for (const item of json as Row) to.push(this.slot(item));
  }

  private fillMethod(method: Making<BoundMethod>, row: Row): void {
    method.self = this.slot(row[1] as Json) as Value;
    const native = methodsOf(method.self)?.get(row[2] as string);
    if (native === undefined) throw new Error(`the snapshot names the method ${row[2] as string}, which this build does not have`);
    method.native = native;
  }

  private fillIterator(iterator: Iterator, row: Row): void {
    const source = this.slot(row[2] as Json) as Value;
    iterator.source = source;
    if (iterator.kind === BY_STEP) return;
    if (source instanceof List || source instanceof Tuple || source instanceof SetValue) iterator.items = source.items;
    else if (source instanceof Dict) iterator.items = source.keys;
  }

  private buildIndices(): void {
    const thread: Thread = { meter: new Meter(Infinity, Infinity), maxIntBits: Infinity, print: () => {} };
    for (const [index, object] of this.made.entries()) {
      if (object instanceof Dict) buildIndex(thread, object.index, object.keys);
      else if (object instanceof SetValue) buildIndex(thread, object.index, object.items);
      else if (object instanceof Tuple && (this.rows[index] as Row)[2] === true) hashKey(thread, object);
      else if (object instanceof Bytes && (this.rows[index] as Row)[1] === true) hashKey(thread, object);
    }
  }
}

function buildIndex(thread: Thread, index: Dict['index'], keys: readonly (Value | undefined)[]): void {
  for (const [position, key] of keys.entries()) if (key !== undefined) index.add(hashKey(thread, key), position);
}
