// How well words find skills, and how sure that is: node bench/match/quality.mjs [--misses]
//
//   order        Hit@1, Hit@3, nDCG@10 over messages that do not name their skill; Hit@1 again as the mean over skills, and the
//                difference to the best plain BM25 of the same run, with the 95 % interval of 1,000 resamplings of skills
//   out of fold  the same with weights that were fitted on the other folds of skills, over all worlds together (fit-weights.mjs)
//   folds        the difference in each of five folds of skills: a ranking that wins on the mean alone has been lucky
//   abstention   is the first place surer for messages that have a skill than for those that have none? AUC
//   calibration  of the suggestions with a confidence from .. to, how many are right
//   mean         over worlds, then over sets: each set counts alike, however many worlds it has
//
// Nothing is tuned here: weights are constants of src/match. bench/match/weights.mjs shows what folds say of them.
import { bundleParts } from '../bundle.mjs';
import { fitFolds, placeOf, readFeatures } from './fit-weights.mjs';
import { foldCount, foldOf } from './folds.mjs';
import { needMaterial, readWorlds } from './material.mjs';
import { plainBm25, weightings } from './plain-bm25.mjs';

needMaterial();
const parts = await import(await bundleParts('match', ['yaml']));
const { createRanker, createMatcher, judgeMessage, readTerms } = parts;
const worlds = await readWorlds(parts);
const random = createRandom();
const most = 40;
const features = readFeatures(worlds, parts);
const folds = fitFolds(features, [...Object.keys(parts.rankWeights).keys()]);
const rows = [];

for (const [at, { name, set, documents, asking, others }] of worlds.entries()) {
  const ranker = createRanker();
  for (const document of documents) ranker.set(document);
  const rank = (query) => ranker.rank(judgeMessage(query), most);
  const ranked = asking.map(({ query, expected }) => {
    const found = rank(query);
    return { query, expected, found, place: found.findIndex(({ skill }) => skill === expected) };
  });
  const ours = ranked.map(({ expected, place }) => ({ expected, place }));
  console.log(`\n${name}: ${documents.length} skills, ${asking.length} messages`);
  say('techne', ours);
  const outOfFold = features[at].cases.map((one) => ({
    expected: one.expected,
    place: placeOf(one, folds[foldOf(one.expected)]),
  }));
  say('  out of fold', outOfFold);
  const peers = Object.entries(weightings).map(([weighting, weights]) => {
    const search = plainBm25(documents, readTerms, weights);
    const theirs = asking.map(({ query, expected }) => ({
      expected,
      place: search(query).indexOf(expected),
    }));
    say(`BM25 ${weighting}`, theirs);
    return theirs;
  });
  const best = peers.reduce((a, b) => (hit(a, 1) >= hit(b, 1) ? a : b));
  for (const [what, one] of [
    ['', ours],
    [', out of fold', outOfFold],
  ]) {
    const [low, high] = interval(one, best);
    console.log(
      `  Hit@1 over the best BM25${what}: ${points(hit(one, 1) - hit(best, 1))} [${points(low)}, ${points(high)}]; by fold: ${foldsOf(one, best).map(points).join(' ')}`,
    );
  }
  rows.push({
    set,
    figures: [ours, outOfFold, best].flatMap((one) => [hit(one, 1), bySkill(one), ndcg(one)]),
  });
  if (process.argv.includes('--misses'))
    for (const { query, expected, found, place } of ranked)
      if (place !== 0)
        console.log(
          `    ${place + 1}  ${expected} < ${found[0]?.skill}  ${query.slice(0, 120).replaceAll('\n', ' ')}`,
        );
  if (others.length > 50 && !name.endsWith('heads')) sayConfidence(ranked, others, documents, rank);
}

sayMeans();

function sayMeans() {
  const mean = (lists) =>
    lists[0].map((_, at) => lists.reduce((sum, list) => sum + list[at], 0) / lists.length);
  const sets = [...new Set(rows.map(({ set }) => set))];
  const bySet = sets.map((set) => mean(rows.filter((row) => row.set === set).map((row) => row.figures)));
  for (const [what, figures] of [
    ['mean of worlds', mean(rows.map((row) => row.figures))],
    [`mean of sets (${sets.join(', ')})`, mean(bySet)],
  ]) {
    console.log(`\n${what}: Hit@1, Hit@1 by skill, nDCG@10`);
    for (const [at, who] of ['techne', 'techne, out of fold', 'best BM25'].entries())
      console.log(
        `  ${who.padEnd(20)} ${figures
          .slice(at * 3, at * 3 + 3)
          .map((one) => one.toFixed(3))
          .join('  ')}`,
      );
    console.log(`  generalisation gap   ${points(figures[0] - figures[3])}`);
  }
}

function sayConfidence(ranked, others, documents, rank) {
  const right = ranked.map(({ found }) => found[0]?.confidence ?? 0);
  const wrong = others.map(({ query }) => rank(query)[0]?.confidence ?? 0);
  console.log(
    `  abstention AUC against ${wrong.length} messages without a skill: ${auc(right, wrong).toFixed(3)}`,
  );
  const matcher = createMatcher();
  for (const document of documents) matcher.set(document);
  const suggested = (list) =>
    (list.filter(({ query }) => matcher.match(query).matches.length > 0).length / list.length).toFixed(3);
  console.log(
    `  suggests something to ${suggested(ranked)} of those with a skill, ${suggested(others)} of the others`,
  );
  const judged = [
    ...ranked.map(({ found, place }) => [found[0]?.confidence ?? 0, place === 0]),
    ...wrong.map((confidence) => [confidence, false]),
  ];
  const bins = Array.from({ length: 5 }, (_, at) => {
    const bin = judged.filter(([sure]) => sure >= at / 5 && sure < (at + 1) / 5);
    const ok = bin.filter(([, isRight]) => isRight).length;
    return `${(at / 5).toFixed(1)}: ${bin.length === 0 ? '-' : (ok / bin.length).toFixed(2)} of ${bin.length}`;
  });
  console.log(`  calibration, right by confidence from: ${bins.join(', ')}`);
}

function say(what, results) {
  console.log(
    `  ${what.padEnd(16)} Hit@1 ${hit(results, 1).toFixed(3)}  Hit@3 ${hit(results, 3).toFixed(3)}  nDCG@10 ${ndcg(results).toFixed(3)}  Hit@1 by skill ${bySkill(results).toFixed(3)}`,
  );
}

/** One right skill a message. */
function ndcg(results) {
  const gain = ({ place }) => (place < 0 || place > 9 ? 0 : 1 / Math.log2(place + 2));
  return results.reduce((sum, result) => sum + gain(result), 0) / results.length;
}

function hit(results, within) {
  return results.filter(({ place }) => place >= 0 && place < within).length / results.length;
}

function grouped(results) {
  const groups = new Map();
  for (const result of results) groups.set(result.expected, [...(groups.get(result.expected) ?? []), result]);
  return groups;
}

function bySkill(results) {
  const groups = [...grouped(results).values()];
  return groups.reduce((sum, group) => sum + hit(group, 1), 0) / groups.length;
}

/** Skills, not messages, are resampled: the messages of one skill stand or fall together. */
function interval(ours, theirs) {
  const [a, b] = [grouped(ours), grouped(theirs)];
  const skills = [...a.keys()];
  const differences = Array.from({ length: 1000 }, () => {
    const drawn = skills.map(() => skills[Math.floor(random() * skills.length)]);
    return (
      hit(
        drawn.flatMap((skill) => a.get(skill)),
        1,
      ) -
      hit(
        drawn.flatMap((skill) => b.get(skill)),
        1,
      )
    );
  }).sort((x, y) => x - y);
  return [differences[25], differences[974]];
}

function foldsOf(ours, theirs) {
  return Array.from({ length: foldCount }, (_, fold) => {
    const inFold = ({ expected }) => foldOf(expected) === fold;
    return hit(ours.filter(inFold), 1) - hit(theirs.filter(inFold), 1);
  });
}

function auc(above, below) {
  let sum = 0;
  for (const a of above) for (const b of below) sum += a > b ? 1 : a === b ? 0.5 : 0;
  return sum / (above.length * below.length);
}

function points(share) {
  return `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)}`;
}

function createRandom() {
  let state = 1;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
