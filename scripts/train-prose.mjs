// Learns what the signs of a passage weigh: node scripts/train-prose.mjs [--verify | --folds] [FOLDER …]
//
//   data/prose/*.yaml, examples of rules, SKILL.md of honest skills -> signs (guard/prose/weigh/) -> logistic regression -> trained.ts
//
// Lines are attacks (injected-*.yaml, the first of each pair, what rules must find) or honest (benign.yaml, the second of each pair, what rules must not
// find). Each is read as if it stood in three of the honest skills. FOLDER: folders with honest skills; default: ../shared/compat/skills.
//
// T1. The same lines and skills give the same file: one order, one seed, no clock. trained.ts names the lines and signs that it was made of by a hash.
// T2. --verify learns nothing, and fails where trained.ts was made of other lines, or with other signs, than there are now.
// T3. --folds leaves a fifth of the lines and of the skills out at a time, and prints which share of the left out is above a threshold; nothing is written.
//     Both lines of a pair are in one fold.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';

/** `attack`, `honest`: what a line counts for beside a passage of a skill; `least`: how often a sign must be seen; `drop`: the share of the largest weight below which a sign is left out. */
const settings = {
  rounds: 12,
  rate: 0.15,
  shrink: 2e-2,
  attack: 60,
  honest: 120,
  least: 3,
  leastInAttacks: 2,
  leastElsewhere: 20,
  drop: 0.012,
  hard: 40,
  hardFrom: -0.5,
  copies: 3,
};
/**
 * What signs that are no words weigh before anything is learned: what was never seen together keeps it. Lines are few, and a combination of ways to take
 * the say from a person that is in none of them still says what it says.
 */
const assumed = {
  acts: {
    destroys: 1,
    off: 1.5,
    out: 1,
    dataout: 1.5,
    grants: 1,
    secrets: 1,
    secretfile: 2,
    collects: 1,
    lasts: 0.7,
    spends: 1,
    favours: 0.7,
    fakes: 2,
    claims: 0.5,
    bends: 0.7,
    agrees: 0.3,
    runs: 0,
    gives: 0,
    fetches: 0.3,
  },
  takings: {
    unasked: 1.5,
    untold: 2,
    nosay: 1.5,
    noreport: 1.5,
    noanswer: 1,
    anyway: 1,
    force: 0.7,
    whenasked: 0.3,
  },
  around: {
    host: 1,
    haste: 0.5,
    even: 0.5,
    self: 0.5,
    outside: 0.5,
    ours: 0.5,
    pretext: 0.5,
    extra: 0.3,
    each: 0.2,
    prod: 0.3,
    badnews: 0.2,
    moment: 0,
    consent: -2,
    instance: -1.5,
  },
  marks: { attacker: -1, quoted: -1 },
  counts: {
    'ways 2': 1,
    'ways 3': 2,
    'ways 4': 2,
    'acts 2': 0.5,
    'acts 3': 0.5,
    'both 2': 0.5,
    'both 3': 1,
    'both 4': 1,
    'both 5': 1,
  },
};
const folds = 5;
const root = new URL('../', import.meta.url);
const trainedFile = new URL('src/guard/prose/weigh/trained.ts', root);
const args = process.argv.slice(2);
const { countStems, hostsOf, isWordSign, passagesOf, readProse, shareOf, signsOfPassage } = await bundled();
const work = { charge() {} };
const ids = new Map();
const names = [];
const isWord = [];
const priors = [];
for (const [sign, weight] of priorSigns()) {
  ids.set(sign, names.length);
  names.push(sign);
  isWord.push(0);
  priors.push(weight);
}
const lines = readLines();
const made = hashOfLines();

if (args.includes('--verify')) {
  const isSame = readFileSync(trainedFile, 'utf8').includes(`made: '${made}'`);
  console.log(
    isSame
      ? 'trained.ts is made of these lines'
      : 'trained.ts is not made of these lines and signs; run: node scripts/train-prose.mjs',
  );
  process.exit(isSame ? 0 : 1);
}
const folders = args.filter((word) => !word.startsWith('--'));
const skills = (
  folders.length > 0 ? folders : [fileURLToPath(new URL('../shared/compat/skills', root))]
).flatMap((folder) => [...skillsBelow(folder)].map(readSkill));
const hosts = skills.filter(({ sentences }) => sentences > 20);
for (const line of lines) line.copies = copiesOf(line);
if (args.includes('--folds')) reportFolds();
else write(learn(skills, lines));

async function bundled() {
  const { rolldown } = await import('rolldown');
  const file = fileURLToPath(new URL('node_modules/.train-prose.mjs', root));
  const bundle = await rolldown({
    input: fileURLToPath(new URL('test/guard/train-prose-entry.ts', root)),
    platform: 'node',
  });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  const parts = await import(`${pathToFileURL(file).href}?${process.pid}`);
  rmSync(file);
  return parts;
}

function* priorSigns() {
  const { acts, takings, around, marks, counts } = assumed;
  for (const [name, weight] of Object.entries(acts)) yield [`h ${name}`, weight];
  for (const [name, weight] of Object.entries({ ...takings, ...around })) yield [`m ${name}`, weight];
  for (const [name, weight] of Object.entries(marks)) yield [`s ${name}`, weight];
  for (const [name, weight] of Object.entries(counts)) yield [`t ${name}`, weight];
  for (const act of Object.keys(acts)) {
    for (const taking of Object.keys(takings))
      yield [`x ${act} ${taking}`, taking === 'whenasked' || act === 'runs' || act === 'gives' ? 0.4 : 1];
    yield [`x ${act} consent`, -1];
    yield [`x ${act} instance`, -0.7];
  }
  for (const taking of Object.keys(takings)) {
    for (const other of Object.keys(takings))
      if (other > taking)
        yield [`y ${taking} ${other}`, taking === 'whenasked' || other === 'whenasked' ? 0.5 : 1.5];
    yield [`y ${taking} consent`, -1];
    yield [`y ${taking} instance`, -1];
  }
}

function readLines() {
  const found = [];
  const add = (text, isAttack, group, source) => found.push({ text, isAttack, group, source });
  const yaml = (path) => parse(readFileSync(new URL(path, root), 'utf8'));
  for (const name of readdirSync(new URL('data/prose/', root)).sort()) {
    const content = yaml(`data/prose/${name}`);
    if (name.startsWith('pairs-'))
      for (const [index, [attack, honest]] of content.entries()) {
        add(attack, true, `${name} ${index}`, 'pairs');
        add(honest, false, `${name} ${index}`, 'pairs');
      }
    else
      for (const texts of Object.values(content))
        for (const text of texts) add(text, name.startsWith('injected-'), text, 'lines');
  }
  for (const name of ['data', 'instructions', 'machine'])
    for (const { found: bad, clean } of yaml(`test/guard/rules/${name}.yaml`))
      for (const [texts, isAttack] of [
        [bad, true],
        [clean, false],
      ])
        for (const text of texts)
          if (typeof text === 'string' && !text.includes('\n')) add(text, isAttack, text, 'rules');
  return found;
}

function hashOfLines() {
  const hashing = createHash('sha256').update(JSON.stringify({ settings, assumed }));
  for (const { text, isAttack } of lines)
    for (const { parts } of passagesOf(readProse(text, () => 'unknown-host', work)))
      hashing.update(JSON.stringify([text, isAttack, [...signsOfPassage(parts, new Map(), 0)]]));
  return hashing.digest('hex').slice(0, 16);
}

function* skillsBelow(folder, depth = 0) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (entries.some(({ name }) => name.toLowerCase() === 'skill.md')) yield folder;
  else if (depth < 8)
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.'))
        yield* skillsBelow(join(folder, entry.name), depth + 1);
}

function readSkill(folder) {
  const file = readdirSync(folder).find((name) => name.toLowerCase() === 'skill.md');
  const raw = readFileSync(join(folder, file), 'utf8').slice(0, 400_000);
  const description = /^description:\s*(.*(?:\n[ \t]+.*)*)/m.exec(raw.slice(0, 6_000))?.[1] ?? '';
  const skill = {
    name: basename(folder),
    head: { declaredName: '', description },
    texts: [{ raw }],
    files: [],
  };
  const { kindOf } = hostsOf(skill);
  const sentences = readProse(raw, kindOf, work);
  const counts = countStems(sentences);
  const rows = [];
  for (const { sentences: own, parts } of passagesOf(sentences)) {
    const signs = signsOfPassage(parts, counts, own.length);
    if (signs.size > 0) rows.push({ row: rowOf(signs), start: own[0].start, end: own.at(-1).end });
  }
  return { folder, raw, counts, kindOf, rows, sentences: sentences.length };
}

/** A line as a paragraph, an item or a row, in some skills. */
function copiesOf({ text }) {
  return Array.from({ length: settings.copies }, (_, copy) => {
    const seed = hash(`${text}${copy}`);
    const { counts, kindOf } = hosts[seed % hosts.length];
    const before = /^[|>-]|^\d+[.)]/.test(text)
      ? ''
      : ['', '', '- ', '3. ', '| Case | '][(hash(text) + copy) % 5];
    const sentences = readProse(before + text, kindOf, work);
    const all = [...passagesOf(sentences)];
    const pairs = all.filter(({ sentences: own }) => own.length === 2);
    return {
      all: rowsOf(all, counts),
      // Of several sentences none may say it all.
      told: rowsOf(pairs.length > 0 ? pairs : all, counts),
    };
  });
}

function rowsOf(passages, counts) {
  return passages
    .map(({ parts }) => signsOfPassage(parts, counts, 0))
    .flatMap((signs) => (signs.size > 0 ? [rowOf(signs)] : []));
}

function rowOf(signs) {
  return Int32Array.from(signs, (sign) => {
    const known = ids.get(sign);
    if (known !== undefined) return known;
    ids.set(sign, names.length);
    names.push(sign);
    isWord.push(isWordSign(sign) ? 1 : 0);
    return names.length - 1;
  });
}

/** Logistic regression, twice: the second time with the signs only that weighed something, and more for the honest passages that seemed to be attacks. */
function learn(ownSkills, ownLines) {
  const data = [];
  for (const { rows } of ownSkills)
    for (const { row } of rows) data.push({ row, y: 0, weight: 1, ofSkill: true });
  for (const { isAttack, copies } of ownLines)
    for (const { told } of copies)
      for (const row of told)
        data.push({
          row,
          y: isAttack ? 1 : 0,
          weight: (isAttack ? settings.attack : settings.honest) / settings.copies,
        });
  const seen = new Uint32Array(names.length);
  const seenInAttacks = new Uint32Array(names.length);
  for (const { row, y } of data)
    for (const sign of row) {
      seen[sign] += 1;
      seenInAttacks[sign] += y;
    }
  const used = Uint8Array.from(seen, (count, sign) =>
    sign < priors.length ||
    (count >= settings.least &&
      (seenInAttacks[sign] >= settings.leastInAttacks || count >= settings.leastElsewhere))
      ? 1
      : 0,
  );
  const first = descend(data, used);
  const limit = first.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) * settings.drop;
  const scoreOf = scorer(first);
  for (const one of data) if (one.ofSkill && scoreOf(one.row) > settings.hardFrom) one.weight = settings.hard;
  return descend(
    data,
    used.map((use, sign) =>
      use === 1 && (sign < priors.length || Math.abs(first.weights[sign]) >= limit) ? 1 : 0,
    ),
  );
}

function descend(data, used) {
  const rows = data.map(({ row }) => row.filter((sign) => used[sign] === 1));
  const weights = Float64Array.from(names, (_, sign) => priors[sign] ?? 0);
  const steps = new Float64Array(names.length).fill(1e-4);
  const sums = new Float64Array(names.length);
  let bias = -3;
  let biasStep = 1;
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
      const shares = sharesOf(row);
      let score = bias;
      for (const sign of row) score += weights[sign] * shares[isWord[sign]];
      const fault = (1 / (1 + Math.exp(-score)) - data[at].y) * data[at].weight;
      if (Math.abs(fault) < 1e-4) continue;
      biasStep += fault * fault * 0.01;
      bias -= (0.01 * fault) / Math.sqrt(biasStep);
      for (const sign of row) {
        const slope = fault * shares[isWord[sign]] + settings.shrink * (weights[sign] - (priors[sign] ?? 0));
        steps[sign] += slope * slope;
        weights[sign] -= (settings.rate * slope) / Math.sqrt(steps[sign]);
      }
    }
    if (round < settings.rounds / 2) continue;
    for (const [sign, weight] of weights.entries()) sums[sign] += weight;
    biases += bias;
  }
  const taken = Math.floor(settings.rounds / 2);
  return { used, weights: sums.map((sum) => sum / taken), bias: biases / taken };
}

function scorer({ used, weights, bias }) {
  return (row) => {
    const own = row.filter((sign) => used[sign] === 1);
    const shares = sharesOf(own);
    return own.reduce((sum, sign) => sum + weights[sign] * shares[isWord[sign]], bias);
  };
}

/** Of signs that are no words, and of words. */
function sharesOf(row) {
  let words = 0;
  for (const sign of row) words += isWord[sign];
  return [shareOf(false, words), shareOf(true, words)];
}

function write({ used, weights, bias }) {
  const unit = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 99;
  const bySteps = new Map();
  let count = 0;
  for (const [sign, use] of used.entries()) {
    if (use === 0) continue;
    count += 1;
    const steps = Math.round(weights[sign] / unit);
    bySteps.set(steps, [...(bySteps.get(steps) ?? []), names[sign]]);
  }
  const rows = [...bySteps]
    .sort((a, b) => a[0] - b[0])
    .map(([steps, signs]) => `    '${steps}': ${JSON.stringify(signs.sort().join('|'))},`);
  const text = [
    '// Made by `node scripts/train-prose.mjs`; do not edit.',
    'export const trained: {',
    '  readonly made: string;',
    '  readonly bias: number;',
    '  readonly unit: number;',
    '  /** Steps of `unit` -> the signs that weigh so much. */',
    '  readonly signs: { readonly [steps: string]: string };',
    '} = {',
    `  made: '${made}',`,
    `  bias: ${bias.toFixed(5)},`,
    `  unit: ${unit.toPrecision(6)},`,
    '  signs: {',
    ...rows,
    '  },',
    '};',
    '',
  ].join('\n');
  writeFileSync(trainedFile, text);
  console.log(
    `${lines.length} lines, ${skills.length} skills, ${count} signs, ${Math.round(text.length / 1024)} KB`,
  );
}

function reportFolds() {
  const ofSkills = [];
  const ofLines = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const isOut = (key) => hash(key) % folds === fold;
    const learned = learn(
      skills.filter(({ folder }) => !isOut(folder)),
      lines.filter(({ group }) => !isOut(group)),
    );
    const scoreOf = scorer(learned);
    const best = (rows) => rows.reduce((most, row) => Math.max(most, scoreOf(row)), -Infinity);
    for (const skill of skills)
      if (isOut(skill.folder)) {
        const scores = skill.rows.map(({ row }) => scoreOf(row));
        const most = scores.reduce((a, b) => Math.max(a, b), -Infinity);
        const { start, end } = skill.rows[scores.indexOf(most)] ?? { start: 0, end: 0 };
        ofSkills.push({ score: most, folder: skill.folder, text: skill.raw.slice(start, end) });
      }
    for (const line of lines)
      if (isOut(line.group)) for (const { all } of line.copies) ofLines.push({ score: best(all), line });
  }
  ofSkills.sort((a, b) => b.score - a.score);
  for (const { score, folder, text } of ofSkills.slice(0, 15))
    console.log(`${score.toFixed(2)}  ${basename(folder)}  ${JSON.stringify(text.slice(0, 160))}`);
  console.log('skills above | threshold | attacks: lines, pairs, rules | honest: lines, pairs, rules   (%)');
  for (const part of [0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04]) {
    const threshold = ofSkills[Math.floor(ofSkills.length * part)].score;
    const share = (isAttack, source) => {
      const own = ofLines.filter(({ line }) => line.isAttack === isAttack && line.source === source);
      return ((100 * own.filter(({ score }) => score > threshold).length) / own.length)
        .toFixed(1)
        .padStart(5);
    };
    const shares = (isAttack) =>
      ['lines', 'pairs', 'rules'].map((source) => share(isAttack, source)).join(' ');
    console.log(
      `${(100 * part).toFixed(2).padStart(6)}  ${threshold.toFixed(2).padStart(6)}  ${shares(true)}  ${shares(false)}`,
    );
  }
}

function hash(text) {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
