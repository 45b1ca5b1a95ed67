// A suspended run -> JSON.
//
// Values that can be shared or can hold themselves are in a table, in the order they were first met; everywhere else
// is a reference. So sharing and cycles survive, and nothing is walked by recursion. What the run does not own is
// named, not stored: builtins, host functions, the programs of modules. Everything that decides how the run continues
// and what it is charged is in it: also which tuples have their key computed, and which loops hold which locks. A
// snapshot belongs to one build of this library and to the programs it was made with (`hash-program.ts`). It must be
// kept as safe as the program: a forged one can make the run do anything a program could do.
import type { Json } from '../../base/json.ts';
import { languageProfile } from '../options.ts';
import { encodeData, hexOf } from './encode-data.ts';
import type { Frame, Machine } from './machine.ts';
import type { Program } from '../compile/program.ts';
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
import { Iterator, ModuleState, type Slot } from './machine.ts';
import { testing } from '../lib/testing.ts';
import { universe } from '../lib/universe.ts';

/** Changes with every change of what is written here. */
export const snapshotFormat = 2;

export function takeSnapshot(machine: Machine): Json {
  const { frame } = machine;
  if (machine.scope !== null) throw new Error('a run at a prompt cannot be snapshotted');
  if (machine.final !== null) throw new Error('the run is over: there is nothing to continue from');
  if (frame === null || machine.pendingError !== null)
    throw new Error('a run can be snapshotted when it is paused or waits for the host');
  const modules = [...machine.allModules()];
  const writer = new SnapshotWriter(modules, namesOfBuiltins());
  const body = {
    format: snapshotFormat,
    profile: languageProfile,
    steps: machine.meter.steps,
    memory: machine.meter.memory,
    deferred: machine.meter.deferred,
    outputUnits: machine.outputUnits,
    hostCall:
      machine.hostCall === null
        ? null
        : {
            name: machine.hostCall.name,
            args: encodeData(machine.hostCall.args),
            named: encodeData(machine.hostCall.named),
          },
    answer: machine.answer === undefined ? null : [writer.slot(machine.answer)],
    predeclared: [...machine.predeclared].map(([name, value]) => [name, writer.slot(value)]),
    entryArgs: writer.slots(machine.entryArgs),
    entryNamed: machine.entryNamed.map(([name, value]) => [name, writer.slot(value)]),
    modules: modules.map((module) => ({
      loadedAs: module.loadedAs === null ? null : [module.loadedAs.name, module.loadedAs.from],
      program: hashProgram(module.program),
      complete: module.complete,
      globals: writer.slots(module.globals),
    })),
    frames: framesOutermostFirst(frame).map((active) => frameJson(active, modules, writer)),
  };
  return { ...body, objects: writer.objects() };
}

function framesOutermostFirst(top: Frame): Frame[] {
  const frames: Frame[] = [];
  for (let frame: Frame | null = top; frame !== null; frame = frame.caller) frames.push(frame);
  return frames.reverse();
}

function frameJson(frame: Frame, modules: readonly ModuleState[], writer: SnapshotWriter): Json {
  const { task, pc, result } = frame;
  if (task === null) {
    return {
      module: modules.indexOf(frame.module as ModuleState),
      function: frame.function?.id ?? 0,
      pc,
      result,
      regs: writer.slots(frame.regs.slice(0, frame.registers)),
      free: writer.slots(frame.free),
    };
  }
  switch (task.kind) {
    case 'main':
      return { task: 'main', phase: task.phase, value: writer.slot(task.value) };
    case 'load':
      return { task: 'load', module: modules.indexOf(task.module) };
    case 'each':
    case 'caught': {
      const { callee, items, finisher, extra, source } = task.request;
      return {
        task: task.kind,
        callee: writer.slot(callee),
        items: writer.slots(items),
        finisher,
        extra: writer.slots(extra),
        source: writer.slot(source),
        results: writer.slots(task.results),
      };
    }
  }
}

// A number for a program that tells whether a snapshot was made with it. Not a digest: it can be forged.

const known = new WeakMap<Program, string>();

export function hashProgram(program: Program): string {
  let text = known.get(program);
  if (text === undefined) {
    text = compute(program);
    known.set(program, text);
  }
  return text;
}

function compute(program: Program): string {
  // Two FNV-1a hashes of 32 bits with unlike beginnings.
  let a = 0x811c9dc5;
  let b = 0x9dc5811c;
  const feed = (word: number) => {
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b ^ word ^ (b >>> 15), 0x01000193);
  };
  const feedText = (text: string) => {
    for (let index = 0; index < text.length; index += 1) feed(text.charCodeAt(index));
    feed(-1);
  };
  feedText(program.profile);
  feedText(program.path);
  feedText(program.source);
  for (const name of program.predeclared) feedText(name);
  for (const { code, cost, registers } of program.functions) {
    feed(cost);
    feed(registers);
    for (const word of code) feed(word);
  }
  return `${(a >>> 0).toString(16).padStart(8, '0')}${(b >>> 0).toString(16).padStart(8, '0')}`;
}

// The table of the values of a run (see snapshot.ts).
//
//   null, true, false, an int that is safe, a short string   themselves
//   []                                                        no value (undefined)
//   ["i", "…"]   an int in decimal                            ["s", n]   string n of the table of long texts
//   ["o", n]     object n                                     ["m", n]   module n
//   ["b", name]  a builtin or a module of the language        ["h", name]  a host function
//   ["c", n, f, i]  constant i of function f of module n: a float or bytes literal stays the one object that it is

/** Longer ones are written once. */
const SHORT_UNITS = 24;

class SnapshotWriter {
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

// The functions and modules of the language by name, both ways: `len`, `json`, `json.encode`.

let byName: Map<string, Builtin | Module> | null = null;
let byValue: Map<Value, string> | null = null;

export function builtinsByName(): ReadonlyMap<string, Builtin | Module> {
  if (byName !== null) return byName;
  byName = new Map();
  for (const [name, value] of [...universe, ...testing()]) {
    if (value instanceof Builtin || value instanceof Module) byName.set(name, value);
    if (!(value instanceof Module)) continue;
    for (const [member, part] of value.members)
      if (part instanceof Builtin) byName.set(`${name}.${member}`, part);
  }
  return byName;
}

function namesOfBuiltins(): ReadonlyMap<Value, string> {
  byValue ??= new Map([...builtinsByName()].map(([name, value]) => [value, name]));
  return byValue;
}
