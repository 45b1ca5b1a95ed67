// What a language server costs while somebody types.  node bench/lsp.mjs [STEP] [EDITS]
//
// Types every shipped skill from an empty file, STEP characters at a time (default 1: every prefix), with a completion after each edit,
// and its findings after every fiftieth; edits a plan of 1,000 lines; and makes EDITS edits (default 10,000) of it, with the memory of
// the process before and after. The client is the protocol library of editors, the server the built command. A question that needs no
// skill is the floor: what pipes and framing cost in the same run.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { sayMachine } from './measure.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const step = Number(process.argv[2] ?? 1);
const edits = Number(process.argv[3] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'techne-bench-lsp-'));
mkdirSync(join(folder, 'home'));
mkdirSync(join(folder, 'work/.git'), { recursive: true });

const server = spawn(process.execPath, [join(project, 'bin/techne.mjs'), 'lsp', '--stdio'], {
  env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
  stdio: ['pipe', 'pipe', 'inherit'],
});
const connection = createProtocolConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
const faults = [];
const waiting = new Map();
connection.onNotification('window/logMessage', ({ message }) => faults.push(message));
connection.onNotification('textDocument/publishDiagnostics', ({ uri, version }) => {
  const one = waiting.get(uri);
  if (one !== undefined && (version ?? 0) >= one.version) {
    waiting.delete(uri);
    one.resolve();
  }
});
connection.listen();

try {
  sayMachine();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(join(folder, 'work')).href, name: 'work' }],
    initializationOptions: { scan: false },
  });
  await connection.sendNotification('initialized', {});
  await typeShipped();
  const large = await open('large-plan', 'SKILL.md', largePlan());
  await editLarge(large);
  await editOften(large);
  console.log(`\nfaults in the log: ${faults.length}${faults.length === 0 ? '' : ` ${faults[0]}`}`);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function typeShipped() {
  const skills = join(project, 'skills');
  const asked = [];
  const found = [];
  const floor = [];
  let characters = 0;
  for (const name of readdirSync(skills))
    for (const file of ['SKILL.md', 'SKILL.star']) {
      let text;
      try {
        text = readFileSync(join(skills, name, file), 'utf8');
      } catch {
        continue;
      }
      const document = await open(name, file, '');
      for (let at = step; at <= text.length; at += step) {
        characters += step;
        const began = performance.now();
        await change(document, text.slice(at - step, at));
        await connection.sendRequest('textDocument/completion', {
          textDocument: { uri: document.uri },
          position: document.end,
        });
        asked.push(performance.now() - began);
        if (asked.length % 50 === 0) found.push(await findings(document));
        if (asked.length % 50 === 10) floor.push(await idle());
      }
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: document.uri } });
    }
  console.log(`\nevery shipped skill, ${characters} characters, ${step} at a time`);
  show('a request about no document (floor)', floor);
  show('an edit and its completion', asked);
  show('an edit to its findings, with 10 ms of debounce', found);
}

async function editLarge(document) {
  const asked = [];
  const found = [];
  for (let count = 0; count < 200; count += 1) {
    const began = performance.now();
    await change(document, count % 2 === 0 ? 'x' : '\n');
    await connection.sendRequest('textDocument/completion', {
      textDocument: { uri: document.uri },
      position: { line: 500, character: 6 },
    });
    asked.push(performance.now() - began);
    found.push(await findings(document));
  }
  console.log(`\na plan of ${document.lines} lines with 120 steps, 200 edits`);
  show('an edit and its completion', asked);
  show('an edit to its findings, with 10 ms of debounce', found);
}

async function editOften(document) {
  const before = memory();
  const seen = [];
  for (let count = 1; count <= edits; count += 1) {
    await change(document, count % 2 === 0 ? 'x' : '\n');
    if (count % 50 === 0) await findings(document);
    if (count % (edits / 5) === 0) seen.push(memory());
  }
  console.log(
    `\nmemory of the process over ${edits} edits of it, in MB: ${before} before, then ${seen.join(', ')}`,
  );
}

function memory() {
  const pages = Number(readFileSync(`/proc/${server.pid}/statm`, 'utf8').split(' ')[1]);
  return Math.round((pages * 4096) / 1e6);
}

async function open(name, file, text) {
  const at = join(folder, 'work/skills', name);
  mkdirSync(at, { recursive: true });
  if (file !== 'SKILL.md')
    writeFileSync(join(at, 'SKILL.md'), readFileSync(join(project, 'skills', name, 'SKILL.md')));
  const uri = pathToFileURL(join(at, file)).href;
  const lines = text.split('\n');
  const document = {
    uri,
    version: 1,
    lines: lines.length,
    end: { line: lines.length - 1, character: lines.at(-1).length },
  };
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'skill', version: 1, text },
  });
  return document;
}

/** At the end of the document. */
async function change(document, text) {
  document.version += 1;
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: document.uri, version: document.version },
    contentChanges: [{ range: { start: document.end, end: document.end }, text }],
  });
  const lines = text.split('\n');
  document.end =
    lines.length === 1
      ? { line: document.end.line, character: document.end.character + text.length }
      : { line: document.end.line + lines.length - 1, character: lines.at(-1).length };
}

/** Milliseconds from an edit that changes nothing to the findings of that version. */
async function findings(document) {
  const began = performance.now();
  await change(document, '');
  const done = new Promise((resolve) => {
    waiting.set(document.uri, { version: document.version, resolve });
  });
  await done;
  return performance.now() - began;
}

async function idle() {
  const began = performance.now();
  await connection.sendRequest('textDocument/hover', {
    textDocument: { uri: 'file:///nowhere' },
    position: { line: 0, character: 0 },
  });
  return performance.now() - began;
}

function show(what, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  console.log(
    `${what.padEnd(52)} p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms of ${sorted.length}`,
  );
}

function largePlan() {
  const steps = Array.from(
    { length: 120 },
    (_, index) => `    - id: step_${index}
      kind: llm_chat
${index === 0 ? '' : `      depends_on: [step_${index - 1}]\n`}      with:
        system: Answer in one line.
        task: |
          Write about {{ inputs.topic | xml_escape | truncate(200) }}.
          After {{ ${index === 0 ? 'inputs.topic' : `outputs.step_${index - 1}`} | xml_escape | truncate(200) }}.`,
  );
  return `---
name: large-plan
description: Writes a lot. Use when much is to be written.
kind: meta
inputs:
  topic: {type: string, required: true}
composition:
  steps:
${steps.join('\n')}
---

# Large

${'Some text.\n'.repeat(40)}`;
}
