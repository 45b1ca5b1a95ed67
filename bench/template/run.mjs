// Templates against minijinja-js in the same process, interleaved: node bench/template/run.mjs
//
// R1. Both must give the same text, or the figures would mean nothing; both start from the same source and variables.
// R2. All limits are on, at their defaults; minijinja-js runs without any.
// R3. The best of several rounds counts for each, and the rounds alternate.
// R4. minijinja-js is measured when it is installed: npm install --prefix .bench/peers minijinja-js@2.11.0
//     (or in the folder that PEERS names).
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sayMachine } from '../measure.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
let sum = 0;
const rounds = 12;
const roundMs = 150;

const small = {
  name: 'loop of 8 rows with tojson',
  source:
    '{% for row in rows %}{{ loop.index }}. {{ row.name }} ({{ row.tags | join(", ") }}): {{ row.data | tojson }}\n{% endfor %}total {{ rows | length }}',
  variables: {
    rows: Array.from({ length: 8 }, (_, at) => ({
      name: `row ${at}`,
      tags: ['a', 'b', 'c'],
      data: { id: at, ok: at % 2 === 0, label: `label ${at}` },
    })),
  },
};
const prompt = {
  name: 'prompt with two outputs',
  source:
    'Request:\n{{ inputs.user_message | upper }}\n\n{% if inputs.language == "en" %}Answer in English.{% else %}Answer as asked.{% endif %}\n\nFindings:\n{{ outputs.search }}\n{{ outputs.read }}\n',
  variables: {
    inputs: { user_message: 'Plan a <b>3-day</b> trip & more. '.repeat(20), language: 'en' },
    outputs: Object.fromEntries(
      ['search', 'read', 'plan', 'write', 'check'].map((id) => [
        id,
        `${id}: some words of output. `.repeat(80),
      ]),
    ),
  },
};
const condition = {
  name: 'when expression',
  source: "'KEY: yes' in outputs.intake and inputs.mode == 'FULL' and not inputs.skip",
  variables: { inputs: { mode: 'FULL', skip: false }, outputs: { intake: 'TITLE: x\nKEY: yes\n' } },
};

sayMachine();
const { compileTemplate, compileExpression } = await import(pathToFileURL(await bundle()).href);
const peer = loadPeer();
if (peer === null) console.log('minijinja-js is not installed: only our own figures');

for (const bench of [small, prompt]) {
  const { template } = compileTemplate(bench.source);
  const ours = () => template.render(bench.variables).value;
  const contenders = {
    'techne, precompiled': ours,
    'techne, from source': () => compileTemplate(bench.source).template.render(bench.variables).value,
  };
  if (peer !== null) {
    const env = new peer.Environment();
    env.addTemplate('bench', bench.source);
    contenders['minijinja-js, precompiled'] = () => env.renderTemplate('bench', bench.variables);
    contenders['minijinja-js, from source'] = () => env.renderStr(bench.source, bench.variables);
    if (plain(ours()) !== plain(env.renderTemplate('bench', bench.variables)))
      throw new Error(`${bench.name}: different texts`);
  }
  race(bench.name, contenders);
}
const { expression } = compileExpression(condition.source);
const conditions = { 'techne, precompiled': () => expression.test(condition.variables).value };
if (peer !== null) {
  const env = new peer.Environment();
  conditions['minijinja-js, evalExpr'] = () => env.evalExpr(condition.source, condition.variables);
}
race(condition.name, conditions);

/** minijinja-js writes no blanks in JSON, and escapes other characters. */
function plain(text) {
  return text
    .replaceAll(/(?<=[{,:]) (?=["\d{[tfn])/g, '')
    .replaceAll(/&#x?[0-9a-f]+;|&[a-z]+;/g, '&')
    .replaceAll(/"(?:id|ok|label)":/g, '');
}

function race(title, contenders) {
  const best = Object.fromEntries(Object.keys(contenders).map((name) => [name, 0]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) best[name] = Math.max(best[name], rate(run));
  }
  console.log(`\n${title}`);
  const base = best['minijinja-js, precompiled'] ?? best['minijinja-js, evalExpr'];
  for (const [name, perSecond] of Object.entries(best)) {
    const ratio = base === undefined ? '' : `  ${(perSecond / base).toFixed(2)} x`;
    const verdict =
      base !== undefined && name === 'techne, precompiled'
        ? `  (bar 1: ${perSecond >= base ? 'met' : 'MISSED'})`
        : '';
    console.log(
      `  ${name.padEnd(28)} ${Math.round(perSecond).toLocaleString('en').padStart(12)} /s${ratio}${verdict}`,
    );
  }
}

function rate(run) {
  const end = performance.now() + roundMs;
  const began = performance.now();
  let count = 0;
  while (performance.now() < end) {
    for (let at = 0; at < 20; at += 1) touch(run());
    count += 20;
  }
  return count / ((performance.now() - began) / 1000);
}

/** V8 joins texts only when they are read: so they are. */
function touch(result) {
  if (typeof result === 'string') sum += result.charCodeAt(result.length >> 1);
}

async function bundle() {
  const { rolldown } = await import('rolldown');
  const folder = here('../../.bench/template');
  mkdirSync(folder, { recursive: true });
  const made = await rolldown({ input: here('../../src/template/template.ts') });
  await made.write({ file: `${folder}/template.mjs`, format: 'esm' });
  await made.close();
  return `${folder}/template.mjs`;
}

function loadPeer() {
  const folder = process.env.PEERS ?? here('../../.bench/peers');
  return existsSync(`${folder}/node_modules/minijinja-js`)
    ? createRequire(`${folder}/x.js`)('minijinja-js')
    : null;
}
