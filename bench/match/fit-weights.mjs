// Weights of the ranker, fitted on features of candidates.
//
//   worlds -> the features of each message's candidates -> weights by a softmax over the candidates
//
// Every world counts alike. What a fold is judged with was fitted on the other folds of skills.
import { foldCount, foldOf } from './folds.mjs';

/** `{name, cases}` for each world; `right` is the place of the skill among the candidates, -1 where it is not. */
export function readFeatures(worlds, { createLexicalIndex, rankWeights }) {
  const features = Object.keys(rankWeights);
  return worlds.map(({ name, documents, asking }) => {
    const index = createLexicalIndex();
    for (const document of documents) index.set(document);
    const cases = asking.map(({ query, expected }) => {
      const { hits } = index.search(query);
      return {
        expected,
        right: hits.findIndex((hit) => hit.name === expected),
        rows: hits.map((hit) => features.map((feature) => Math.min(1, hit.features[feature]))),
      };
    });
    return { name, cases };
  });
}

/** Weights by fold, each fitted without it; `used` are places of features. */
export function fitFolds(worlds, used) {
  return Array.from({ length: foldCount }, (_, fold) =>
    fitWeights(
      worlds.map(({ cases }) => ({ cases: cases.filter(({ expected }) => foldOf(expected) !== fold) })),
      used,
    ),
  );
}

/** Those that are not used are 0. */
export function fitWeights(worlds, used) {
  const cases = worlds.flatMap((world) =>
    world.cases.filter(({ right }) => right >= 0).map((one) => ({ ...one, weight: 1 / world.cases.length })),
  );
  const size = cases[0].rows[0].length;
  const weights = Array.from({ length: size }, (_, at) => (used.includes(at) ? 4 : 0));
  const rate = 48 / worlds.length;
  for (let step = 1; step <= 120; step += 1) {
    const slope = weights.map(() => 0);
    for (const { rows, right, weight } of cases) {
      const sums = rows.map((row) => used.reduce((sum, at) => sum + weights[at] * row[at], 0));
      const top = Math.max(...sums);
      const powers = sums.map((sum) => Math.exp(sum - top));
      const total = powers.reduce((sum, power) => sum + power, 0);
      for (const [at, row] of rows.entries()) {
        const error = weight * (powers[at] / total - (at === right ? 1 : 0));
        for (const column of used) slope[column] += error * row[column];
      }
    }
    for (const column of used) weights[column] -= rate * slope[column];
  }
  return weights;
}

/** Where the skill stands with these weights, from 0; -1 where it is no candidate. */
export function placeOf({ rows, right }, weights) {
  if (right < 0) return -1;
  const sums = rows.map((row) => row.reduce((sum, value, at) => sum + weights[at] * value, 0));
  return sums.filter((sum, at) => sum > sums[right] || (sum === sums[right] && at < right)).length;
}
