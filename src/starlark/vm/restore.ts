// JSON -> a suspended run (see `snapshot.ts`).
//
// Whatever the JSON is, it is either a run that the machine can continue with, or an Error "not a snapshot of this
// program". That the registers of a function hold what its instructions need cannot be seen here: a run that stumbles
// over it ends with the same Error (`start.ts`), and the steps and memory stay bounded.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { instructionLength } from '../compile/opcodes.ts';
import type { FunctionCode, Program } from '../compile/program.ts';
import { finishers } from '../lib/finishers.ts';
import { testingFinishers } from '../lib/testing.ts';
import { languageProfile } from '../options.ts';
import { CallCaught, CallEach } from '../value/native.ts';
import { Cell, type Value } from '../value/value.ts';
import { decodeArguments, decodeNamed } from './encode-data.ts';
import { ModuleState, moduleKey, taskFrame, type Frame, type Task } from './machine.ts';
import { hashProgram, snapshotFormat } from './snapshot.ts';
import { isProgram } from '../compile-source.ts';
import type { Machine } from './machine.ts';
import { SnapshotReader } from './snapshot-reader.ts';
import {
  amountOf,
  arrayOf,
  countOf,
  flagOf,
  member,
  notASnapshot,
  objectOf,
  pairOf,
  shapeText,
} from './snapshot-shape.ts';

export { notASnapshot };

/** `machine` has just been made; afterwards it is suspended where the snapshot was taken. */
export function readSnapshot(machine: Machine, snapshot: Json): void {
  if (!isJsonObject(snapshot)) throw notASnapshot('it is not an object');
  if (member(snapshot, 'format') !== snapshotFormat || member(snapshot, 'profile') !== languageProfile)
    throw notASnapshot('it was made by another version');
  const rows = arrayOf(member(snapshot, 'modules'), 'the list of modules').map((row) =>
    objectOf(row, 'a module'),
  );
  if (rows.length === 0) throw notASnapshot('it has no modules');
  const modules = rows.map((row, index) => findModule(machine, row, index));
  const predeclared = arrayOf(member(snapshot, 'predeclared'), 'the list of names').map((row) =>
    pairOf(row, 'a name'),
  );
  const names = new Set(predeclared.map(([name]) => name));
  for (const { program } of modules) {
    const missing = program.predeclared.find((name) => !names.has(name));
    if (missing !== undefined) throw notASnapshot(`it has nothing for the name ${missing}`);
  }
  machine.predeclared.clear();
  const reader = new SnapshotReader(
    machine,
    modules,
    objectOf(member(snapshot, 'objects'), 'the table of objects'),
    predeclared,
  );
  for (const [index, row] of rows.entries()) {
    const module = modules[index] as ModuleState;
    module.complete = flagOf(member(row, 'complete'), 'the state of a module');
    const globals = reader.variables(member(row, 'globals'));
    if (globals.length !== module.globals.length) throw notASnapshot(`${module.path} has other variables`);
    for (const [at, value] of globals.entries()) module.globals[at] = value;
  }
  machine.entryArgs = reader.values(member(snapshot, 'entryArgs'));
  machine.entryNamed = arrayOf(member(snapshot, 'entryNamed'), 'the list of arguments').map((row) => {
    const [name, value] = pairOf(row, 'an argument');
    return [name, reader.value(value)];
  });
  machine.meter.steps = countOf(member(snapshot, 'steps'), 'the count of steps');
  machine.meter.memory = amountOf(member(snapshot, 'memory'), 'the count of memory');
  machine.meter.deferred = amountOf(member(snapshot, 'deferred'), 'the count of deferred work');
  machine.outputUnits = countOf(member(snapshot, 'outputUnits'), 'the count of output');
  readWait(machine, snapshot, reader);
  readFrames(machine, arrayOf(member(snapshot, 'frames'), 'the list of calls'), modules, reader);
}

/** What the run waits for, or what it was answered. */
function readWait(machine: Machine, snapshot: JsonObject, reader: SnapshotReader): void {
  const answer = member(snapshot, 'answer');
  const call = member(snapshot, 'hostCall');
  if (answer !== null) machine.answer = reader.value(arrayOf(answer, 'the answer')[0]);
  if (call === null) return;
  if (answer !== null) throw notASnapshot('it has a call and its answer');
  const row = objectOf(call, 'the call of the host');
  machine.hostCall = {
    name: shapeText(member(row, 'name'), 'the name of the call'),
    args: decodeArguments(member(row, 'args')),
    named: decodeNamed(member(row, 'named')),
  };
}

function findModule(machine: Machine, row: JsonObject, index: number): ModuleState {
  if ((index === 0) !== (member(row, 'loadedAs') === null))
    throw notASnapshot('the first module is not the program');
  if (index === 0) {
    mustBeSameProgram(machine.main.program, row);
    return machine.main;
  }
  const [name, fromJson] = pairOf(member(row, 'loadedAs'), 'the load of a module');
  const from = shapeText(fromJson, 'the path of a file that loads');
  const program = machine.options.load?.(name, from);
  if (!isProgram(program)) throw notASnapshot(`it needs the module "${name}", which cannot be loaded`);
  mustBeSameProgram(program, row);
  if (machine.modules.has(moduleKey(program))) throw notASnapshot(`the module "${name}" is there twice`);
  const module = new ModuleState(program, { name, from });
  machine.modules.set(moduleKey(program), module);
  return module;
}

function mustBeSameProgram(program: Program, row: JsonObject): void {
  if (hashProgram(program) !== member(row, 'program'))
    throw notASnapshot(`it was made with another program than ${program.path}`);
}

function readFrames(
  machine: Machine,
  rows: readonly Json[],
  modules: readonly ModuleState[],
  reader: SnapshotReader,
): void {
  let caller: Frame | null = null;
  for (const json of rows) {
    const row = objectOf(json, 'a call');
    if ((caller === null) !== (member(row, 'task') === 'main'))
      throw notASnapshot('the calls do not begin with the program');
    caller =
      member(row, 'task') === undefined
        ? readFrame(machine, row, modules, reader, caller as Frame)
        : readTask(machine, row, modules, reader, caller);
  }
  if (caller === null || rows.length < 2) throw notASnapshot('nothing is running');
  // A library function only waits for what it has called.
  if (caller.task !== null && machine.hostCall === null && machine.answer === undefined)
    throw notASnapshot('the last call does not continue by itself');
  machine.frame = caller;
}

function readFrame(
  machine: Machine,
  row: JsonObject,
  modules: readonly ModuleState[],
  reader: SnapshotReader,
  caller: Frame,
): Frame {
  const module = modules[
    countOf(member(row, 'module'), 'the module of a call', modules.length - 1)
  ] as ModuleState;
  const code = module.program.functions[
    countOf(member(row, 'function'), 'the function of a call', module.program.functions.length - 1)
  ] as FunctionCode;
  const frame = machine.frameOf(module, code);
  // There is one frame for a function: active twice, its callers would go in a circle.
  if (frame.active) throw notASnapshot(`${code.name} is active twice`);
  const regs = reader.slots(member(row, 'regs'));
  if (regs.length !== frame.registers) throw notASnapshot(`${code.name} has other variables`);
  for (const [index, value] of regs.entries()) frame.regs[index] = value;
  for (const index of code.cells)
    if (!(frame.regs[index] instanceof Cell)) throw notASnapshot(`${code.name} lacks a shared variable`);
  frame.free = reader.cells(member(row, 'free'), code.free.length);
  frame.active = true;
  frame.caller = caller;
  frame.depth = caller.depth + 1;
  frame.pc = countOf(member(row, 'pc'), 'the place of a call', code.code.length - 1);
  if (!isInstruction(code.code, frame.pc)) throw notASnapshot(`${code.name} stands between two instructions`);
  frame.result = countOf(member(row, 'result'), 'the register of a call', Math.max(0, frame.registers - 1));
  return frame;
}

function isInstruction(code: Int32Array, pc: number): boolean {
  let at = 0;
  while (at < pc) at += instructionLength(code, at);
  return at === pc;
}

function readTask(
  machine: Machine,
  row: JsonObject,
  modules: readonly ModuleState[],
  reader: SnapshotReader,
  caller: Frame | null,
): Frame {
  const frame = taskFrame(taskOf(machine, row, modules, reader), caller);
  machine.tasks.push(frame);
  return frame;
}

function taskOf(
  machine: Machine,
  row: JsonObject,
  modules: readonly ModuleState[],
  reader: SnapshotReader,
): Task {
  const kind = member(row, 'task') as string;
  switch (kind) {
    case 'main': {
      const phase = member(row, 'phase');
      if (phase !== 'body' && phase !== 'entry')
        throw notASnapshot('the program is neither at its body nor at its entry');
      if ((phase === 'body') === machine.main.complete)
        throw notASnapshot('the body of the program has ended and has not');
      return { kind, module: machine.main, phase, value: reader.value(member(row, 'value')) };
    }
    case 'load': {
      const module = modules[
        countOf(member(row, 'module'), 'the number of a module', modules.length - 1)
      ] as ModuleState;
      if (module === machine.main || module.complete)
        throw notASnapshot(`"${module.path}" is not being loaded`);
      return { kind, module };
    }
    case 'each':
    case 'caught': {
      const finisher = shapeText(member(row, 'finisher'), 'the end of a call');
      const callee = reader.value(member(row, 'callee'));
      const items = reader.values(member(row, 'items'));
      const extra = reader.values(member(row, 'extra'));
      const source = reader.value(member(row, 'source'));
      const results = reader.values(member(row, 'results'));
      if (!(kind === 'each' ? finishers : testingFinishers).has(finisher))
        throw notASnapshot(`there is no ${finisher}`);
      const request =
        kind === 'caught'
          ? new CallCaught(callee, finisher, extra)
          : new CallEach(callee, items, finisher, extra, source);
      // It waits for one of them.
      if (results.length >= request.items.length) throw notASnapshot(`${finisher} has all it waits for`);
      return { kind, request, results: results as Value[] };
    }
    default:
      throw notASnapshot('it has a call of an unknown kind');
  }
}
