// Learns what signs weigh from frames: node scripts/train-guard.mjs [--verify | --folds | --without NAME,…] [--check FILE.jsonl …]
//
//   data/guard/*.jsonl -> signs (read-signs.ts) -> logistic regression -> src/match/guard/weigh/trained.ts
//
// A frame is a message with {t} where any trigger may stand, and its kind: natural, or one of the five traps.
//
// T1. The same frames give the same file: one order, one seed, no clock. trained.ts names what it was made of by a hash.
// T2. Files in data/guard/rules/, and the frames kept as code, helped to write the rules, so what the rules say of them is better than it is of others:
//     their frames are learned without it.
// T3. --verify learns nothing, and fails where trained.ts was made of other frames, or with other signs, than there are now.
// T4. --without leaves files out and --check prints the rates on files that were never learned; then nothing is written.
// T5. --folds learns without one author of data/guard/ at a time, and prints how often a trigger fires in that author's frames: by the rules
//     alone, and weighed as judge-message.ts weighs. Files of one author go together: NAME-1 with NAME-2, plain with plainly.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** `natural`: what a request counts for beside a trap; `least`: how often a sign must be seen; `lean`: added to the sum, for requests. */
const settings = { rounds: 30, rate: 0.2, shrink: 3e-4, natural: 2, least: 4, slight: 0.3, lean: 0.2 };
const fillings = [
  'plan a trip',
  'daily digest',
  'deploy the service',
  'meeting notes',
  '整理会议纪要',
  '旅行规划',
];
const root = new URL('../', import.meta.url);
const args = process.argv.slice(2);
const without = new Set(args.includes('--without') ? args[args.indexOf('--without') + 1].split(',') : []);
const checks = args.includes('--check') ? args.slice(args.indexOf('--check') + 1) : [];

const {
  frames: codeFrames,
  heldOutFrames,
  isCertain,
  judgeMessage,
  keyOf,
  leastOf,
  readSigns,
  simplified,
  weighedGuards,
  writeTable,
} = await bundled();
const kinds = ['natural', ...weighedGuards];
const { sets, hash } = readSets();
const trainedFile = new URL('src/match/guard/weigh/trained.ts', root);
if (args.includes('--verify')) {
  const isSame = readFileSync(trainedFile, 'utf8').includes(`frames: '${hash}'`);
  console.log(
    isSame
      ? 'trained.ts is made of these frames'
      : 'trained.ts is not made of these frames and signs; run: node scripts/train-guard.mjs',
  );
  process.exit(isSame ? 0 : 1);
}
if (args.includes('--folds')) {
  reportFolds();
  process.exit(0);
}
const frames = sets.flatMap(([text, withRules]) => framesOf(text, withRules));
const learned = learn(frames);
for (const file of checks) report(file);
if (checks.length === 0 && without.size === 0) {
  const range = {
    least: settings.slight,
    most: Number(
      learned.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0).toPrecision(6),
    ),
  };
  const table = writeTable(learned, range);
  const lines = [
    '// Made by `node scripts/train-guard.mjs`; do not edit.',
    `export const trained = { frames: '${hash}', signs: ${learned.keys.length}, bias: ${learned.bias.toFixed(5)}, least: ${range.least}, most: ${range.most}, table: '${table}' } as const;`,
    '',
  ];
  writeFileSync(trainedFile, lines.join('\n'));
  console.log(`${frames.length} frames, ${learned.keys.length} signs, ${Math.round(table.length / 1024)} KB`);
}

async function bundled() {
  const { rolldown } = await import('rolldown');
  const file = fileURLToPath(new URL('node_modules/.train-guard.mjs', root));
  const bundle = await rolldown({
    input: fileURLToPath(new URL('test/match/train-guard-entry.ts', root)),
    platform: 'node',
  });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  const parts = await import(`${pathToFileURL(file).href}?${process.pid}`);
  rmSync(file);
  return parts;
}

function readSets() {
  const folders = ['data/guard/', 'data/guard/rules/'];
  const found = [];
  const hashing = createHash('sha256').update(JSON.stringify(settings));
  for (const folder of folders) {
    const names = readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.jsonl') && !without.has(name))
      .sort();
    for (const name of names) {
      const text = readFileSync(new URL(folder + name, root), 'utf8');
      hashing.update(name).update(text);
      found.push([text, !folder.endsWith('rules/'), name]);
    }
  }
  for (const set of [codeFrames, heldOutFrames]) {
    const text = Object.entries(set)
      .flatMap(([kind, { en, zh }]) =>
        [...en, ...zh].map((frame) => JSON.stringify({ kind, frame: frame.replace(/\{TT?\}/, '{t}') })),
      )
      .join('\n');
    hashing.update(text);
    found.push([text, false]);
  }
  // The signs themselves, without the verdict of the rules, which takes long: the same signs may be written otherwise.
  for (const [text] of found)
    for (const { signs } of framesOf(text, false)) hashing.update(JSON.stringify(signs));
  return { sets: found, hash: hashing.digest('hex').slice(0, 16) };
}

function framesOf(text, withRules) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, at) => {
      const { kind, frame } = JSON.parse(line);
      const filling = fillings[at % fillings.length];
      const start = frame.indexOf('{t}');
      const words = { start, end: start + filling.length };
      const message = simplified(frame.replace('{t}', () => filling));
      const ruled = withRules ? judgeMessage(message).verdict(words) : null;
      const signs = [...readSigns(message, words, withRules ? (ruled?.guard ?? 'none') : undefined)];
      const certain = ruled !== null && isCertain(message, words, ruled);
      const least = leastOf(message, words);
      return { kind: kinds.indexOf(kind), frame, signs, certain, least, keys: signs.map(keyOf) };
    });
}

/** Logistic regression by AdaGrad over the frames in a drawn order; of the second half of the rounds the mean is taken. */
function learn(data) {
  const counts = new Map();
  for (const { kind, keys: own } of data) {
    for (const key of own) {
      const count = counts.get(key) ?? { all: 0, of: kinds.map(() => 0) };
      count.all += 1;
      count.of[kind] += 1;
      counts.set(key, count);
    }
  }
  const keys = Uint32Array.from(
    [...counts]
      .filter(([, { all }]) => all >= settings.least)
      .map(([key]) => key)
      .sort((a, b) => a - b),
  );
  const index = new Map([...keys].map((key, at) => [key, at]));
  const rows = data.map(({ keys: own }) => [
    ...new Set(own.map((key) => index.get(key)).filter((at) => at !== undefined)),
  ]);
  const weights = new Float64Array(keys.length);
  const steps = new Float64Array(keys.length).fill(1e-6);
  const sums = new Float64Array(keys.length);
  let bias = 0;
  let biases = 0;
  let seed = 7;
  const draw = (below) =>
    Math.floor(((seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x80000000) * below);
  const order = rows.map((_, at) => at);
  for (let round = 0; round < settings.rounds; round += 1) {
    for (let at = order.length - 1; at > 0; at -= 1) {
      const other = draw(at + 1);
      [order[at], order[other]] = [order[other], order[at]];
    }
    for (const at of order) {
      const row = rows[at];
      const share = 1 / Math.sqrt(Math.max(1, row.length));
      const isNatural = data[at].kind === 0;
      let score = bias;
      for (const sign of row) score += weights[sign] * share;
      const fault = (1 / (1 + Math.exp(-score)) - (isNatural ? 1 : 0)) * (isNatural ? settings.natural : 1);
      bias -= 0.02 * fault;
      for (const sign of row) {
        const slope = fault * share + settings.shrink * weights[sign];
        steps[sign] += slope * slope;
        weights[sign] -= (settings.rate * slope) / Math.sqrt(steps[sign]);
      }
    }
    if (round < settings.rounds / 2) continue;
    for (const [sign, weight] of weights.entries()) sums[sign] += weight;
    biases += bias;
  }
  const taken = Math.floor(settings.rounds / 2);
  const totals = kinds.map((_, kind) => data.filter((one) => one.kind === kind).length);
  const guards = Uint8Array.from(
    [...keys].map((key) => {
      const shares = counts
        .get(key)
        .of.map((count, kind) => (kind === 0 ? -1 : count / Math.max(1, totals[kind])));
      return shares.indexOf(Math.max(...shares)) - 1;
    }),
  );
  // A sign that hardly weighs is not kept, so that the table is not twice as long.
  const kept = [...keys.keys()].filter((at) => Math.abs(sums[at] / taken) >= settings.slight);
  return {
    keys: keys.filter((_, at) => Math.abs(sums[at] / taken) >= settings.slight),
    weights: Float64Array.from(kept, (at) => sums[at] / taken),
    guards: Uint8Array.from(kept, (at) => guards[at]),
    bias: biases / taken + settings.lean,
    index: new Map(kept.map((at, place) => [keys[at], place])),
  };
}

function report(file) {
  const rates = kinds.map(() => ({ cases: 0, let: 0 }));
  for (const { kind, signs } of framesOf(readFileSync(file, 'utf8'), true)) {
    const known = [
      ...new Set(signs.map((sign) => learned.index.get(keyOf(sign))).filter((at) => at !== undefined)),
    ];
    const score =
      learned.bias +
      known.reduce((sum, at) => sum + learned.weights[at], 0) / Math.sqrt(Math.max(1, known.length));
    rates[kind].cases += 1;
    if (score >= 0) rates[kind].let += 1;
  }
  const shown = rates.flatMap(({ cases, let: passed }, kind) =>
    cases === 0 ? [] : [`${kinds[kind]} ${((100 * passed) / cases).toFixed(1)}`],
  );
  console.log(`${file.split('/').at(-1).padEnd(24)} ${shown.join('  ')}`);
}

function reportFolds() {
  const all = sets.map(([text, withRules, name = 'code']) => ({
    author: withRules ? name.replace(/(?:ly)?(?:-\d)?\.jsonl$/, '') : null,
    frames: framesOf(text, withRules),
  }));
  const totals = new Map();
  for (const author of new Set(all.flatMap((set) => set.author ?? []))) {
    const { index, weights, bias } = learn(
      all.filter((set) => set.author !== author).flatMap((set) => set.frames),
    );
    const rates = new Map();
    for (const { kind, signs, keys, frame, certain, least } of all
      .filter((set) => set.author === author)
      .flatMap((set) => set.frames)) {
      const at = [...new Set(keys.map((key) => index.get(key)).filter((one) => one !== undefined))];
      const single = signs.filter((sign) => /^(?:AD?|B|D) \p{L}[\p{L}']*$/u.test(sign));
      const known = single.filter((sign) => index.has(keyOf(sign))).length >= single.length * 0.3;
      const score = bias + at.reduce((sum, one) => sum + weights[one], 0) / Math.sqrt(Math.max(1, at.length));
      const byRules = signs.includes('rules let');
      const weighed = !certain && (known ? score >= (byRules ? least.agreed : least.overruled) : byRules);
      for (const key of [
        kind === 0 ? 'natural' : 'traps',
        `${kinds[kind]} ${/\p{Script=Han}/u.test(frame) ? 'zh' : 'en'}`,
      ]) {
        for (const map of [rates, totals]) {
          const rate = map.get(key) ?? { cases: 0, rules: 0, weighed: 0 };
          map.set(key, rate);
          rate.cases += 1;
          rate.rules += byRules ? 1 : 0;
          rate.weighed += weighed ? 1 : 0;
        }
      }
    }
    printRates(author, rates, ['natural', 'traps']);
  }
  printRates(
    'all',
    totals,
    [...totals.keys()].sort((a, b) => (a < b ? -1 : 1)),
  );
}

function printRates(name, rates, keys) {
  for (const key of keys) {
    const { cases, rules, weighed } = rates.get(key) ?? { cases: 0, rules: 0, weighed: 0 };
    const share = (count) => (cases === 0 ? '-' : ((100 * count) / cases).toFixed(1)).padStart(6);
    console.log(
      `${name.padEnd(14)} ${key.padEnd(16)} ${String(cases).padStart(5)}  rules ${share(rules)}  weighed ${share(weighed)}`,
    );
  }
}
