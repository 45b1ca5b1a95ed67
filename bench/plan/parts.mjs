// What the measured plans are made of: the engine and the stores as they are, and a tool that costs nothing.
//
// P1. Steps are trivial and in this process: what is measured is what plan and engine add to them.
// P2. Bundled from src/ as the package is (bundle.mjs), since Node cannot read TypeScript.
export { createMemoryRunStore } from '../../src/journal/memory-run-store.ts';
export { createFileRunStore } from '../../src/node/store-file/run-store.ts';
export { createNodeJournalFiles } from '../../src/node/store-file/node-journal-files.ts';
import { createFileRunStore } from '../../src/node/store-file/run-store.ts';
import { createMemoryRunStore } from '../../src/journal/memory-run-store.ts';
import { createNodeIds, nodeRunClock, nodeSha256 } from '../../src/node/environment.ts';
import { nodeParseFull } from '../../src/node/yaml.ts';
import { createMemoryBlobs } from '../../src/ports/memory-blobs.ts';
import { maximumLimits } from '../../src/run/budget/limits.ts';
import { createRunner } from '../../src/run/create-runner.ts';

const fact = {
  name: 'nothing',
  description: '',
  schema: null,
  readOnly: true,
  repeatable: true,
  from: 'built-in',
};
const tools = {
  list: async () => ({ tools: [fact], faults: [] }),
  find: async (name) => (name === fact.name ? fact : null),
  judge: async () => ({ kind: 'allow' }),
  call: async () => ({ ok: true, text: 'ok', value: null }),
  close: async () => {},
};
const answerer = {
  name: 'bench',
  description: 'is not asked',
  fenced: true,
  answer: async () => Promise.reject(new Error('nobody asks')),
};
const commands = {
  judge: async () => ({ kind: 'deny', reason: 'nobody asks' }),
  run: async () => Promise.reject(new Error('nobody asks')),
};

const head = (name) =>
  `---\nname: ${name}\ndescription: Does nothing. Use when measuring.\nkind: meta\nfinal_text_mode: raw\ncomposition:\n  parallel: 100\n  steps:\n`;
const step = (id, more) => `    - {id: ${id}, kind: tool_call, tool: nothing${more}}\n`;

/** `chain-N`: each step reads the one before it. `fan-N`: all at once. */
function textOf(name) {
  const [, shape, count] = /^(chain|fan)-(\d+)$/.exec(name) ?? [];
  let text = head(name);
  for (let at = 0; at < Number(count); at += 1) {
    const before = `, depends_on: [s${at - 1}], tool_args: {n: ${at}, last: "{{ outputs.s${at - 1} | truncate(20) }}"}`;
    text += step(`s${at}`, shape === 'chain' && at > 0 ? before : `, tool_args: {n: ${at}}`);
  }
  return `${text}---\n\nNothing.\n`;
}

export function openBench({ folder = null, durable = false } = {}) {
  const kept = new Map();
  const find = async (name) => {
    if (!kept.has(name)) {
      const text = textOf(name);
      kept.set(name, {
        name,
        description: '',
        form: 'composition',
        digest: `sha256:${nodeSha256(text)}`,
        folder: '/',
        runnable: { ok: true, reasons: [] },
        instructions: '',
        inputs: null,
        inputsAreTyped: false,
        program: null,
        files: new Map([['SKILL.md', new TextEncoder().encode(text)]]),
        scopes: [],
        model: null,
      });
    }
    return kept.get(name);
  };
  const skills = { names: () => [], find, mayContinue: async () => ({ ok: true, reasons: [] }) };
  const store =
    folder === null
      ? createMemoryRunStore({ nowMs: () => nodeRunClock.nowMs() })
      : createFileRunStore({ folder, durable });
  const runner = createRunner({
    store,
    blobs: createMemoryBlobs(nodeSha256),
    skills,
    commands,
    tools,
    answerers: [answerer],
    clock: nodeRunClock,
    ids: createNodeIds(),
    sha256: nodeSha256,
    parseFull: nodeParseFull,
    maximum: maximumLimits,
  });
  return { runner, store };
}
