// How well words find skills, and how sure that is: node bench/match/quality.mjs [--misses]
//
//   order        Hit@1, Hit@3 and MRR over messages that do not name their skill; Hit@1 again as the mean over skills, and the
//                difference to the best plain BM25 of the same run, with the 95 % interval of 1,000 resamplings of skills
//   folds        the same difference in each of five folds of skills: a ranking that wins on the mean alone has been lucky
//   abstention   is the first place surer for messages that have a skill than for those that have none? AUC
//   calibration  of the suggestions with a confidence from .. to, how many are right
//
// Nothing is tuned here: weights are constants of src/match. bench/match/weights.mjs shows what folds say of them.
import { bundleParts } from '../bundle.mjs';
import { foldCount, foldOf } from './folds.mjs';
import { needMaterial, readWorlds } from './material.mjs';
import { plainBm25, weightings } from './plain-bm25.mjs';

needMaterial();
const parts = await import(await bundleParts('match', ['yaml']));
const { createRanker, createMatcher, judgeMessage, readTerms } = parts;
const worlds = await readWorlds(parts);
const random = createRandom();
const most = 40;

for (const { name, documents, asking, others } of worlds) {
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
  const [low, high] = interval(ours, best);
  console.log(
    `  Hit@1 over the best BM25: ${points(hit(ours, 1) - hit(best, 1))} [${points(low)}, ${points(high)}]; by fold: ${foldsOf(ours, best).map(points).join(' ')}`,
  );
  if (process.argv.includes('--misses'))
    for (const { query, expected, found, place } of ranked)
      if (place !== 0)
        console.log(
          `    ${place + 1}  ${expected} < ${found[0]?.skill}  ${query.slice(0, 120).replaceAll('\n', ' ')}`,
        );
  if (others.length > 50 && !name.endsWith('heads')) sayConfidence(ranked, others, documents, rank);
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
  const reciprocal = results.reduce((sum, { place }) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0);
  console.log(
    `  ${what.padEnd(16)} Hit@1 ${hit(results, 1).toFixed(3)}  Hit@3 ${hit(results, 3).toFixed(3)}  MRR ${(reciprocal / results.length).toFixed(3)}  Hit@1 by skill ${bySkill(results).toFixed(3)}`,
  );
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
