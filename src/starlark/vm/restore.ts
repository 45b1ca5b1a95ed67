// JSON -> a suspended run (see `snapshot.ts`).
import { isJsonObject, type Json } from '../../base/json.ts';
import type { Data } from '../options.ts';
import { languageProfile } from '../options.ts';
import { CallCaught, CallEach } from '../value/native.ts';
import type { Cell, Value } from '../value/value.ts';
import { decodeData } from './encode-data.ts';
import { type Frame, ModuleState, type Slot, type Task, taskFrame } from './frame.ts';
import { hashProgram } from './hash-program.ts';
import type { Machine } from './machine.ts';
import { snapshotFormat } from './snapshot.ts';
import { type ObjectTable, SnapshotReader } from './snapshot-reader.ts';

interface SnapshotBody {
  readonly format: number;
  readonly profile: string;
  readonly steps: number;
  readonly memory: number;
  readonly deferred: number;
  readonly outputUnits: number;
  readonly hostCall: { readonly name: string; readonly args: Json; readonly named: Json } | null;
  readonly answer: readonly [Json] | null;
  readonly predeclared: readonly (readonly [string, Json])[];
  readonly entryArgs: Json;
  readonly entryNamed: readonly (readonly [string, Json])[];
  readonly modules: readonly ModuleRow[];
  readonly frames: readonly FrameRow[];
  readonly objects: ObjectTable;
}

interface ModuleRow {
  readonly name: string | null;
  readonly program: string;
  readonly complete: boolean;
  readonly globals: readonly Json[];
}

type FrameRow =
  | { readonly task?: undefined; readonly module: number; readonly function: number; readonly pc: number; readonly result: number; readonly regs: Json; readonly free: Json }
  | { readonly task: 'main'; readonly phase: 'body' | 'entry'; readonly value: Json }
  | { readonly task: 'load'; readonly name: string; readonly module: number }
  | { readonly task: 'each' | 'caught'; readonly callee: Json; readonly items: Json; readonly finisher: string; readonly extra: Json; readonly results: Json };

/** `machine` has just been made; afterwards it is suspended where the snapshot was taken. */
export function readSnapshot(machine: Machine, snapshot: Json): void {
  if (!isJsonObject(snapshot) || snapshot['format'] !== snapshotFormat || snapshot['profile'] !== languageProfile) throw new Error('the snapshot was made by another version');
  const body = snapshot as unknown as SnapshotBody;
  const modules = body.modules.map((row) => findModule(machine, row));
  machine.predeclared.clear();
  const reader = new SnapshotReader(machine, modules, body.objects, body.predeclared);
  for (const [index, row] of body.modules.entries()) {
    const module = modules[index] as ModuleState;
    module.complete = row.complete;
    for (const [at, value] of row.globals.entries()) module.globals[at] = reader.slot(value) as Value | undefined;
  }
  machine.entryArgs = reader.slots(body.entryArgs) as Value[];
  machine.entryNamed = body.entryNamed.map(([name, value]) => [name, reader.slot(value) as Value]);
  machine.meter.steps = body.steps;
  machine.meter.memory = body.memory;
  machine.meter.deferred = body.deferred;
  machine.outputUnits = body.outputUnits;
  machine.answer = body.answer === null ? undefined : reader.slot(body.answer[0]);
  if (body.hostCall !== null) {
    const { name, args, named } = body.hostCall;
    machine.hostCall = { name, args: decodeData(args) as readonly Data[], named: decodeData(named) as { readonly [name: string]: Data } };
  }
  let caller: Frame | null = null;
  for (const row of body.frames) caller = readFrame(machine, row, modules, reader, caller);
  machine.frame = caller;
}

function findModule(machine: Machine, row: ModuleRow): ModuleState {
  const program = row.name === null ? machine.main.program : machine.options.load?.(row.name, '');
  if (program === undefined || program === null || !('kind' in program)) throw new Error(`the snapshot needs the module "${row.name}", which cannot be loaded`);
  if (hashProgram(program) !== row.program) throw new Error(`the snapshot was made with another program than ${program.path}`);
  if (row.name === null) return machine.main;
  const module = new ModuleState(program);
  machine.modules.set(row.name, module);
  return module;
}

function readFrame(machine: Machine, row: FrameRow, modules: readonly ModuleState[], reader: SnapshotReader, caller: Frame | null): Frame {
  if (row.task !== undefined) {
    const frame = taskFrame(readTask(row, modules, reader), caller);
    machine.tasks.push(frame);
    return frame;
  }
  const module = modules[row.module] as ModuleState;
  const code = module.program.functions[row.function];
  if (code === undefined || caller === null) throw new Error('the snapshot names a function that the program does not have');
  const frame = machine.frameOf(module, code);
  for (const [index, value] of reader.slots(row.regs).entries()) frame.regs[index] = value;
  frame.free = reader.slots(row.free) as Slot[] as Cell[];
  frame.active = true;
  frame.caller = caller;
  frame.depth = caller.depth + 1;
  frame.pc = row.pc;
  frame.result = row.result;
  return frame;
}

function readTask(row: FrameRow & { task: string }, modules: readonly ModuleState[], reader: SnapshotReader): Task {
  switch (row.task) {
    case 'main':
      return { kind: 'main', module: modules[0] as ModuleState, phase: row.phase, value: reader.slot(row.value) as Value };
    case 'load':
      return { kind: 'load', name: row.name, module: modules[row.module] as ModuleState };
    case 'each':
    case 'caught': {
      const callee = reader.slot(row.callee) as Value;
      const extra = reader.slots(row.extra) as Value[];
      const request = row.task === 'caught' ? new CallCaught(callee, row.finisher, extra) : new CallEach(callee, reader.slots(row.items) as Value[], row.finisher, extra);
      return { kind: row.task, request, results: reader.slots(row.results) as Value[] };
    }
  }
}
