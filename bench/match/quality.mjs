// How well words find skills: node bench/match/quality.mjs [--misses]
//
//   Hit@k        the queries that do not name their skill, over the 343 skills of NVIDIA, by words alone
//   abstention   is the first place surer for queries that have a skill than for those that have none? AUC, with the
//                95 % interval of 1,000 resamplings; and what the line of the matcher lets through
//   calibration  of the suggestions with a confidence from .. to, how many are right
//
// Nothing is tuned here: weights are constants of src/match. docs/decisions/0014-matching.md says where they come from.
import { bundleParts } from '../bundle.mjs';
import { names, needMaterial, readCases, readSkills } from './material.mjs';

needMaterial();
const { createRanker, createMatcher, judgeMessage, matchDocument, parseSkill } = await import(
  await bundleParts('match', ['yaml'])
);
const documents = (await readSkills('nvidia', parseSkill)).map(({ head, body }) => matchDocument(head, body));
const ranker = createRanker();
const matcher = createMatcher();
for (const document of documents) {
  ranker.set(document);
  matcher.set(document);
}
const cases = readCases();
const asking = cases.filter(({ query, expected }) => expected !== null && !names(query, expected));
const others = cases.filter(({ expected }) => expected === null);
const rank = (query) => ranker.rank(judgeMessage(query), 40);

console.log(
  `${documents.length} skills, ${asking.length} queries that do not name their skill, ${others.length} without one`,
);
const ranked = asking.map(({ query, expected }) => {
  const found = rank(query);
  return { query, expected, found, place: found.findIndex(({ skill }) => skill === expected) };
});
const hit = (most) => ranked.filter(({ place }) => place >= 0 && place < most).length / ranked.length;
for (const [most, bar] of [
  [1, 0.85],
  [3, 0.96],
  [5, null],
  [10, null],
]) {
  console.log(
    `Hit@${most}`.padEnd(10),
    hit(most).toFixed(4),
    bar === null ? '' : `(bar ${bar}: ${hit(most) >= bar ? 'met' : 'MISSED'})`,
  );
}
if (process.argv.includes('--misses')) {
  for (const { query, expected, found, place } of ranked)
    if (place !== 0)
      console.log(
        `  ${place + 1}  ${expected} < ${found[0]?.skill}  ${query.slice(0, 120).replaceAll('\n', ' ')}`,
      );
}

const right = ranked.map(({ found }) => found[0]?.confidence ?? 0);
const wrong = others.map(({ query }) => rank(query)[0]?.confidence ?? 0);
const unnamed = others
  .filter(({ query, file_skill: skill }) => !names(query, skill))
  .map(({ query }) => rank(query)[0]?.confidence ?? 0);
for (const [what, against, bar] of [
  ['all queries without a skill', wrong, 0.8],
  ['those that name none', unnamed, null],
]) {
  const value = auc(right, against);
  const [low, high] = interval(right, against);
  console.log(
    `abstention AUC, ${what}:`,
    value.toFixed(3),
    `[${low.toFixed(3)}, ${high.toFixed(3)}]`,
    bar === null ? '' : `(bar ${bar}: ${value >= bar ? 'met' : 'MISSED'})`,
  );
}
const suggested = (list) =>
  (list.filter(({ query }) => matcher.match(query).matches.length > 0).length / list.length).toFixed(3);
console.log(
  'the whole matcher suggests something to',
  suggested(asking),
  'of those with a skill and',
  suggested(others),
  'of those without',
);
console.log('calibration: confidence, how many, how many of them right');
const judged = [
  ...ranked.map(({ found, place }) => [found[0]?.confidence ?? 0, place === 0]),
  ...wrong.map((confidence) => [confidence, false]),
];
for (let from = 0; from < 10; from += 2) {
  const bin = judged.filter(([confidence]) => confidence >= from / 10 && confidence < (from + 2) / 10);
  console.log(
    `  ${from / 10} to ${(from + 2) / 10}`.padEnd(14),
    String(bin.length).padStart(4),
    bin.length === 0 ? '' : (bin.filter(([, ok]) => ok).length / bin.length).toFixed(2),
  );
}

function auc(above, below) {
  let sum = 0;
  for (const a of above) for (const b of below) sum += a > b ? 1 : a === b ? 0.5 : 0;
  return sum / (above.length * below.length);
}

function interval(above, below) {
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const resample = (list) => list.map(() => list[Math.floor(random() * list.length)]);
  const values = Array.from({ length: 1000 }, () => auc(resample(above), resample(below))).sort(
    (a, b) => a - b,
  );
  return [values[25], values[974]];
}
