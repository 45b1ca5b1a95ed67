// The table of the values of a run (see snapshot.ts).
//
//   null, true, false, an int that is safe, a short string   themselves
//   []                                                        no value (undefined)
//   ["i", "…"]   an int in decimal                            ["s", n]   string n of the table of long texts
//   ["o", n]     object n                                     ["m", n]   module n
//   ["b", name]  a builtin or a module of the language        ["h", name]  a host function
//   ["c", n, f, i]  constant i of function f of module n: a float or bytes literal stays the one object that it is
import type { Json } from '../../base/json.ts';
import {
  BoundMethod,
  Builtin,
  Bytes,
  Cell,
  Closure,
  Dict,
  Elems,
  Float,
  HostFunction,
  List,
  Module,
  Range,
  SetValue,
  Struct,
  Tuple,
  type Value,
} from '../value/value.ts';
import { hexOf } from './encode-data.ts';
import { Iterator, ModuleState, type Slot } from './frame.ts';

/** Longer ones are written once. */
const SHORT_UNITS = 24;

export class SnapshotWriter {
  private readonly modules: readonly ModuleState[];
  private readonly builtins: ReadonlyMap<Value, string>;
  private readonly numbers = new Map<object, number>();
  private readonly met: object[] = [];
  private readonly texts = new Map<string, number>();
  private literals: Map<object, Json> | null = null;

  constructor(modules: readonly ModuleState[], builtins: ReadonlyMap<Value, string>) {
    this.modules = modules;
    this.builtins = builtins;
  }

  slot(v: Slot): Json {
    if (v === undefined) return [];
    if (typeof v === 'bigint') return ['i', String(v)];
    if (typeof v === 'string') return this.text(v);
    return typeof v === 'object' && v !== null ? this.reference(v) : v;
  }

  slots(values: readonly Slot[]): Json[] {
    return values.map((value) => this.slot(value));
  }

  /** The table: writing an object may meet others, which then follow it. */
  objects(): Json {
    const rows: Json[] = [];
    for (let index = 0; index < this.met.length; index += 1) rows.push(this.row(this.met[index] as object));
    return { rows, texts: [...this.texts.keys()] };
  }

  private text(v: string): Json {
    if (v.length <= SHORT_UNITS) return v;
    let number = this.texts.get(v);
    if (number === undefined) {
      number = this.texts.size;
      this.texts.set(v, number);
    }
    return ['s', number];
  }

  private reference(v: object): Json {
    if (v instanceof ModuleState) return ['m', this.modules.indexOf(v)];
    if (v instanceof HostFunction) return ['h', v.name];
    if (v instanceof Builtin || v instanceof Module) return ['b', this.builtins.get(v) as string];
    if (v instanceof Bytes || v instanceof Float) {
      const literal = this.literal(v);
      if (literal !== undefined) return literal;
    }
    let number = this.numbers.get(v);
    if (number === undefined) {
      number = this.met.push(v) - 1;
      this.numbers.set(v, number);
    }
    return ['o', number];
  }

  private literal(v: Bytes | Float): Json | undefined {
    if (this.literals === null) {
      this.literals = new Map();
      for (const [at, { program }] of this.modules.entries()) {
        for (const { id, constants } of program.functions) {
          for (const [index, constant] of constants.entries())
            if (constant instanceof Bytes || constant instanceof Float)
              this.literals.set(constant, ['c', at, id, index]);
        }
      }
    }
    return this.literals.get(v);
  }

  private row(v: object): Json {
    if (v instanceof List) return ['list', v.locks, this.slots(v.items)];
    if (v instanceof Tuple) return ['tuple', v.frozen, v.key !== null, this.slots(v.items)];
    if (v instanceof Dict) return ['dict', v.locks, v.head, this.slots(v.keys), this.slots(v.values)];
    if (v instanceof SetValue) return ['set', v.locks, v.head, this.slots(v.items)];
    // Text, because JSON has no -0, no infinity and no NaN.
    if (v instanceof Float) return ['float', Object.is(v.value, -0) ? '-0' : String(v.value)];
    if (v instanceof Bytes) return ['bytes', hexOf(v.bytes)];
    if (v instanceof Range) return ['range', v.start, v.stop, v.step, v.length];
    if (v instanceof Elems) return ['elems', this.slot(v.of)];
    if (v instanceof Cell) return ['cell', this.slot(v.value)];
    if (v instanceof Closure)
      return [
        'closure',
        this.slot(v.module as ModuleState),
        v.code.id,
        v.frozen,
        this.slots(v.defaults),
        this.slots(v.free),
      ];
    if (v instanceof BoundMethod) return ['method', this.slot(v.self), v.native.name];
    if (v instanceof Struct)
      return ['struct', [...v.members].map(([name, member]) => [name, this.slot(member)])];
    if (v instanceof Iterator)
      return ['iterator', v.kind, this.slot(v.source), v.index, v.end, v.next, v.step];
    throw new Error('there is a value that no snapshot can hold');
  }
}
