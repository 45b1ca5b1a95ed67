// Whether the weights of the ranker would be chosen again: node bench/match/weights.mjs
//
//   features of the candidates -> weights that a fit chooses on four folds of skills -> Hit@1 on the fifth
//
// It prints Hit@1 in every world for the shipped weights, for weights fitted on the other folds, and for weights fitted on
// everything. The difference of the last two is the generalisation gap. Each feature is also left out once. The fit is a
// softmax over the candidates of a message; every world counts alike.
import { bundleParts } from '../bundle.mjs';
import { foldCount, foldOf } from './folds.mjs';
import { needMaterial, readWorlds } from './material.mjs';

needMaterial();
const parts = await import(await bundleParts('match', ['yaml']));
const { createLexicalIndex, rankWeights } = parts;
const features = Object.keys(rankWeights);
const worlds = (await readWorlds(parts)).map(({ name, documents, asking }) => {
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

console.log(`Hit@1 in: ${worlds.map(({ name }) => name).join('; ')}\n`);
const shipped = features.map((feature) => rankWeights[feature]);
say('shipped weights', () => shipped);
const everything = fit(worlds.flatMap(weighted), features);
say('fitted on everything', () => everything);
const byFold = fitFolds(features);
say('fitted on other folds', (skill) => byFold[foldOf(skill)]);
for (const left of features) {
  const without = fitFolds(features.filter((feature) => feature !== left));
  say(`  without ${left}`, (skill) => without[foldOf(skill)]);
}
console.log(`\nshipped                ${shown(shipped)}`);
console.log(`fitted on everything   ${shown(everything)}`);
for (const [fold, weights] of byFold.entries()) console.log(`fitted without fold ${fold}  ${shown(weights)}`);

function fitFolds(used) {
  return Array.from({ length: foldCount }, (_, fold) =>
    fit(
      worlds.flatMap(({ cases }) =>
        weighted({ cases: cases.filter(({ expected }) => foldOf(expected) !== fold) }),
      ),
      used,
    ),
  );
}

function weighted({ cases }) {
  return cases.filter(({ right }) => right >= 0).map((one) => ({ ...one, weight: 1 / cases.length }));
}

/** Weights of all features; those that are not used are 0. */
function fit(cases, used) {
  const columns = used.map((feature) => features.indexOf(feature));
  const weights = features.map((feature) => (used.includes(feature) ? 4 : 0));
  for (let step = 1; step <= 120; step += 1) {
    const slope = features.map(() => 0);
    for (const { rows, right, weight } of cases) {
      const sums = rows.map((row) => columns.reduce((sum, at) => sum + weights[at] * row[at], 0));
      const top = Math.max(...sums);
      const powers = sums.map((sum) => Math.exp(sum - top));
      const total = powers.reduce((sum, power) => sum + power, 0);
      for (const [at, row] of rows.entries()) {
        const error = weight * (powers[at] / total - (at === right ? 1 : 0));
        for (const column of columns) slope[column] += error * row[column];
      }
    }
    for (const column of columns) weights[column] -= 6 * slope[column];
  }
  return weights;
}

function say(what, weightsOf) {
  const rates = worlds.map(({ cases }) => {
    const hits = cases.filter(({ rows, right, expected }) => {
      if (right < 0) return false;
      const weights = weightsOf(expected);
      const sums = rows.map((row) => row.reduce((sum, value, at) => sum + weights[at] * value, 0));
      return sums.every(
        (sum, at) => at === right || sum < sums[right] || (sum === sums[right] && at > right),
      );
    });
    return hits.length / cases.length;
  });
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  console.log(
    `${what.padEnd(24)} mean ${mean.toFixed(3)}   ${rates.map((rate) => rate.toFixed(3)).join(' ')}`,
  );
}

function shown(weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return features.map((feature, at) => `${feature} ${(weights[at] / total).toFixed(2)}`).join(', ');
}
