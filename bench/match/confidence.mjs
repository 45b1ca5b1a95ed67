// Whether the weights of confidence would be chosen again: node bench/match/confidence.mjs
//
//   evidence of the first place -> a logistic rule fitted on four folds of skills -> AUC on the fifth
//
// A message is answered right (its skill is first), answered wrong, or has no skill. Those without are the messages that the authors of a
// collection wrote for none of its skills, and messages of other collections, which no skill here answers. Two figures: whether the
// first place is surer of messages with a skill than of those without (abstention), and whether it is surer where it is right.
import { bundleParts } from '../bundle.mjs';
import { foldCount, foldOf } from './folds.mjs';
import { needMaterial, readWorlds } from './material.mjs';

needMaterial();
const parts = await import(await bundleParts('match', ['yaml']));
const { confidenceWeights, createRanker, judgeMessage } = parts;
const names = Object.keys(confidenceWeights);
const mostForeign = 150;
const all = await readWorlds(parts);
const worlds = all.map(({ name, set, documents, asking, others }) => {
  const ranker = createRanker();
  for (const document of documents) ranker.set(document);
  const first = ({ query }) => ranker.rank(judgeMessage(query), 5)[0];
  const rows = [];
  const add = (list, kind) => {
    for (const one of list) {
      const found = first(one);
      if (found !== undefined)
        rows.push({
          fold: foldOf(one.expected ?? one.query),
          kind: kind === 'asking' ? (found.skill === one.expected ? 'right' : 'wrong') : kind,
          row: names.map((key) => (key === 'bias' ? 1 : Number(found.evidence[key]))),
          confidence: found.confidence,
        });
    }
  };
  add(asking, 'asking');
  add(others, 'none');
  const elsewhere = all.filter((world) => world.set !== set && !world.name.includes('heads'));
  const messages = elsewhere.flatMap((world) => world.asking);
  const step = Math.ceil(messages.length / mostForeign);
  add(
    messages.filter((_, at) => at % step === 0),
    'foreign',
  );
  return { name, rows };
});

const shipped = names.map((key) => confidenceWeights[key]);
const byFold = Array.from({ length: foldCount }, (_, fold) => fit((row) => row.fold !== fold));
const everything = fit(() => true);
say('shipped, as a matcher has it', ({ confidence }) => confidence);
say('shipped, the rule alone', ({ row }) => sum(shipped, row));
say('fitted on other folds', ({ row, fold }) => sum(byFold[fold], row));
say('fitted on everything', ({ row }) => sum(everything, row));
for (const [what, weights] of [
  ['shipped', shipped],
  ['fitted on everything', everything],
  ...byFold.map((one, fold) => [`without fold ${fold}`, one]),
])
  console.log(`${what.padEnd(22)} ${names.map((key, at) => `${key} ${weights[at].toFixed(1)}`).join(', ')}`);

function sum(weights, row) {
  return row.reduce((total, value, at) => total + value * weights[at], 0);
}

/** Every world counts alike, and in it those with a skill as much as those without. */
function fit(isUsed) {
  const used = worlds.flatMap(({ rows }) => {
    const own = rows.filter(isUsed);
    const withSkill = own.filter(({ kind }) => kind === 'right' || kind === 'wrong').length;
    return own.map(({ row, kind }) => ({
      row,
      right: kind === 'right' ? 1 : 0,
      weight: 1 / (kind === 'right' || kind === 'wrong' ? withSkill : own.length - withSkill) / worlds.length,
    }));
  });
  const weights = names.map((key) => (key === 'refusesSkill' ? confidenceWeights[key] : 0));
  for (let step = 0; step < 3000; step += 1) {
    const slope = names.map(() => 0);
    for (const { row, right, weight } of used) {
      const fault = (1 / (1 + Math.exp(-sum(weights, row))) - right) * weight;
      for (const [at, value] of row.entries()) slope[at] += fault * value;
    }
    for (const [at, key] of names.entries())
      if (key !== 'refusesSkill') weights[at] -= 1.5 * (slope[at] + 1e-4 * weights[at]);
  }
  return weights;
}

function say(what, scoreOf) {
  const figures = worlds.map(({ rows }) => {
    const of = (...kinds) => rows.filter(({ kind }) => kinds.includes(kind)).map(scoreOf);
    return [
      auc(of('right', 'wrong'), of('none')),
      auc(of('right', 'wrong'), of('foreign')),
      auc(of('right'), of('wrong', 'none')),
    ];
  });
  console.log(what);
  for (const [at, [none, foreign, right]] of figures.entries())
    console.log(
      `  ${worlds[at].name.padEnd(26)} without a skill ${shown(none)}, of elsewhere ${shown(foreign)}, right or wrong ${shown(right)}`,
    );
  const mean = [0, 1, 2].map((column) => {
    const known = figures.map((row) => row[column]).filter((value) => value !== null);
    return known.reduce((total, value) => total + value, 0) / known.length;
  });
  console.log(
    `  ${'mean'.padEnd(26)} without a skill ${shown(mean[0])}, of elsewhere ${shown(mean[1])}, right or wrong ${shown(mean[2])}`,
  );
}

function auc(above, below) {
  if (above.length === 0 || below.length === 0) return null;
  let total = 0;
  for (const a of above) for (const b of below) total += a > b ? 1 : a === b ? 0.5 : 0;
  return total / (above.length * below.length);
}

function shown(value) {
  return value === null ? '  -  ' : value.toFixed(3);
}
