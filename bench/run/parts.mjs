// What the measured runs are made of: the engine and the stores as they are, and effects that cost nothing.
//
// P1. Effects are trivial and in this process: what is measured is what the engine adds to them.
// P2. Bundled from src/ as the package is (bundle.mjs), since Node cannot read TypeScript.
export { createMemoryBlobs } from '../../src/ports/memory-blobs.ts';
export { createMemoryRunStore } from '../../src/journal/memory-run-store.ts';
export { createFileRunStore } from '../../src/node/store-file/run-store.ts';
export { createNodeJournalFiles } from '../../src/node/store-file/node-journal-files.ts';
export { createNodeIds } from '../../src/node/environment.ts';
export { nodeRunClock } from '../../src/node/environment.ts';
export { AnswerLater } from '../../src/ports/answerer.ts';
export { maximumLimits } from '../../src/run/budget/limits.ts';
import { createFileRunStore } from '../../src/node/store-file/run-store.ts';
import { createNodeIds, nodeRunClock, nodeSha256 } from '../../src/node/environment.ts';
import { createMemoryBlobs } from '../../src/ports/memory-blobs.ts';
import { maximumLimits } from '../../src/run/budget/limits.ts';
import { createRunner } from '../../src/run/create-runner.ts';

const outcome = {
  started: true,
  fault: null,
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  stdout: 'ok\n',
  stderr: '',
  combined: 'ok\n',
  truncated: false,
  durationMs: 0,
};
const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** Allows everything and does nothing. */
export const commands = { judge: async () => ({ kind: 'allow' }), run: async () => outcome };
export const answerer = {
  name: 'bench',
  description: 'answers at once',
  fenced: true,
  answer: async ({ prompt }) => ({ answer: `${prompt}!`, exhausted: false, turns: 1, usage }),
};

export const programs = {
  commands:
    'def run(input):\n  n = 0\n  for i in range(input["n"]):\n    n += len(command(["step", str(i)], {"idempotent": True})["result"])\n  return {"n": n}\n',
  asks: 'def run(input):\n  return {"n": len(ask_all(["prompt %d" % i for i in range(input["n"])]))}\n',
  spin: 'def run(input):\n  n = 0\n  for i in range(input["n"]):\n    n += i\n  return {"n": n}\n',
  pause:
    'def run(input):\n  for i in range(input["n"]):\n    command(["step", str(i)])\n  return ask("and now?")["answer"]\n',
};

export function openBench({ folder, durable, store, blobs, answers = answerer, ...more }) {
  const skills = {
    names: () => Object.keys(programs),
    find: async (name) => ({
      name,
      description: '',
      form: 'program',
      digest: `sha256:${nodeSha256(programs[name])}`,
      folder: '/',
      runnable: { ok: true, reasons: [] },
      instructions: '',
      inputs: null,
      inputsAreTyped: false,
      program: 'SKILL.star',
      files: new Map([['SKILL.star', new TextEncoder().encode(programs[name])]]),
      scopes: [],
      model: null,
    }),
    mayContinue: async () => ({ ok: true, reasons: [] }),
  };
  const at = store ?? createFileRunStore({ folder, durable });
  const most = { ...maximumLimits, commands: 1_000_000, asks: 1_000_000 };
  const runner = createRunner({
    store: at,
    blobs: blobs ?? createMemoryBlobs(nodeSha256),
    skills,
    commands,
    answerers: [answers],
    clock: nodeRunClock,
    ids: createNodeIds(),
    sha256: nodeSha256,
    maximum: most,
    defaults: most,
    ...more,
  });
  return { runner, store: at };
}
