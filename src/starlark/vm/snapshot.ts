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
import { encodeData } from './encode-data.ts';
import type { Frame, ModuleState } from './frame.ts';
import type { Machine } from './machine.ts';
import { namesOfBuiltins } from './snapshot-names.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import type { Program } from '../compile/program.ts';

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
      const { callee, items, finisher, extra } = task.request;
      return {
        task: task.kind,
        callee: writer.slot(callee),
        items: writer.slots(items),
        finisher,
        extra: writer.slots(extra),
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
