// Whether the weights of the ranker would be chosen again: node bench/match/weights.mjs
//
// It prints Hit@1 in every world for the shipped weights, for weights fitted on the other folds, and for weights fitted on
// everything. The difference of the last two is the generalisation gap. Each feature is also left out once (fit-weights.mjs).
import { bundleParts } from '../bundle.mjs';
import { fitFolds, fitWeights, placeOf, readFeatures } from './fit-weights.mjs';
import { foldOf } from './folds.mjs';
import { needMaterial, readWorlds } from './material.mjs';

needMaterial();
const parts = await import(await bundleParts('match', ['yaml']));
const features = Object.keys(parts.rankWeights);
const worlds = readFeatures(await readWorlds(parts), parts);

console.log(`Hit@1 in: ${worlds.map(({ name }) => name).join('; ')}\n`);
const places = features.map((_, at) => at);
const shipped = features.map((feature) => parts.rankWeights[feature]);
const everything = fitWeights(worlds, places);
const byFold = fitFolds(worlds, places);
say('shipped weights', () => shipped);
const seen = say('fitted on everything', () => everything);
const unseen = say('fitted on other folds', (skill) => byFold[foldOf(skill)]);
for (const left of places) {
  const without = fitFolds(
    worlds,
    places.filter((at) => at !== left),
  );
  say(`  without ${features[left]}`, (skill) => without[foldOf(skill)]);
}
console.log(`\ngeneralisation gap       ${((seen - unseen) * 100).toFixed(1)} points`);
console.log(`shipped                ${shown(shipped)}`);
console.log(`fitted on everything   ${shown(everything)}`);
for (const [fold, weights] of byFold.entries()) console.log(`fitted without fold ${fold}  ${shown(weights)}`);

function say(what, weightsOf) {
  const rates = worlds.map(
    ({ cases }) => cases.filter((one) => placeOf(one, weightsOf(one.expected)) === 0).length / cases.length,
  );
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  console.log(
    `${what.padEnd(24)} mean ${mean.toFixed(3)}   ${rates.map((rate) => rate.toFixed(3)).join(' ')}`,
  );
  return mean;
}

function shown(weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return features.map((feature, at) => `${feature} ${(weights[at] / total).toFixed(2)}`).join(', ');
}
