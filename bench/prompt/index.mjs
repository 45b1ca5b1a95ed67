// What the model sees: node bench/prompt/index.mjs
//
//   rendering    the index of 1,000 and 10,000 skills within a budget: prepared entries -> text, and from the snapshot on
//   disclosure   1,000 skills, 8,000 characters for index and block together: is the right skill's line before the model?
//   tokens       100 skills in each tier; a token is four characters, as S2 estimates
//
// P1. Recall counts what is in the text, not what the ranking says.
import { existsSync } from 'node:fs';
import { corpus, benchFolder } from '../corpus.mjs';
import { bundleParts } from '../bundle.mjs';
import { sayMachine } from '../measure.mjs';
import { plainBm25 } from './plain-bm25.mjs';
import { devCases, disclosureCorpus, hundredOf, material } from './corpus.mjs';

if (!existsSync(material)) {
  console.error(`bench: ${material} is not there; it holds the real files`);
  process.exit(3);
}
const { openMatcher, openSkills, indexEntries, renderIndex, tierCosts, createSkillSession } = await import(
  await bundleParts('prompt', ['yaml'])
);
const load = async (root) =>
  (await openSkills({ roots: [root], homeFolder: `${benchFolder}/prompt-home`, cache: false })).load();
const verdict = (value, bar, better) =>
  (better === 'low' ? value <= bar : value >= bar) ? `bar ${bar}: met` : `bar ${bar}: MISSED`;
const quantile = (times, q) => [...times].sort((a, b) => a - b)[Math.floor(times.length * q)];

function timed(rounds, work) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = process.hrtime.bigint();
    work(round);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return times;
}

sayMachine();
console.log('\nrendering the index within a budget');
for (const count of [1000, 10_000]) {
  const snapshot = await load(corpus(count));
  const visible = snapshot.skills.filter((skill) => snapshot.facts(skill).visibleToModel.ok);
  const none = new Set();
  const entries = indexEntries(visible, { preloaded: none, marks: true });
  for (const limit of count > 1000 ? [8_000, 16_000, 64_000] : [8_000, 16_000, 64_000, 400_000]) {
    const room = { limit, turn: 4_000 };
    const { tier } = renderIndex(entries, room);
    const times = timed(200, () => renderIndex(entries, room));
    console.log(
      `  ${String(visible.length).padStart(6)} skills, ${String(limit).padStart(7)} characters, ${tier.padEnd(9)} p50 ${quantile(times, 0.5).toFixed(3)} ms, p95 ${quantile(times, 0.95).toFixed(3)} ms  (p50 ${verdict(quantile(times, 0.5), 1, 'low')})`,
    );
  }
  const prepared = timed(50, () => indexEntries(visible, { preloaded: none, marks: true }));
  console.log(
    `  ${String(visible.length).padStart(6)} skills, making their lines, once a session: p50 ${quantile(prepared, 0.5).toFixed(2)} ms`,
  );
}

console.log('\ntokens of 100 skills in each tier (characters by four)');
for (const folder of ['skills/nvidia', 'skills/awesome-copilot', 'compositions']) {
  const { skills } = await load(`${material}/${folder}`);
  sayTiers(folder, hundredOf(skills));
}
// The census of nine public collections (93,000 files) has a median description of 111 to 315 characters, 183 in the largest raw
// sample, and names of 12 to 14; 100 lines of that size:
sayTiers(
  'the median of the public collections',
  Array.from({ length: 100 }, (_, at) => ({
    name: `skill-name-${String(at).padStart(3, '0')}`,
    description: 'd'.repeat(175),
    card: { form: 'instructions', bar: null },
  })),
);

function sayTiers(title, skills) {
  const costs = Object.fromEntries(
    tierCosts(indexEntries(skills, { preloaded: new Set(), marks: true })).map(({ tier, tokens }) => [
      tier,
      tokens,
    ]),
  );
  console.log(
    `  ${title.padEnd(38)} full ${costs.full} (${verdict(costs.full, 5000, 'low')}), names ${costs.names} (${verdict(costs.names, 600, 'low')})`,
  );
}

console.log('\ndisclosure: 1,000 skills, 8,000 characters in all');
const snapshot = await load(disclosureCorpus(1000));
const cases = devCases();
await sayRecall('plain BM25 as matcher', await plainBm25(snapshot));
const matcher = await openMatcher(snapshot);
if (matcher === null) console.log('  the matcher of techne is not there yet');
else await sayRecall('the matcher of techne', matcher);

async function sayRecall(title, matcherOf) {
  const session = await createSkillSession({
    isUntrusted: async () => false,
    snapshot,
    matcher: matcherOf,
    budget: { characters: 8_000 },
    settings: { preload: [] },
  });
  const { prefix } = session;
  const inPrefix = new Set(prefix.split('\n'));
  const seen = { all: 0, block: 0, described: 0, prefix: 0 };
  const times = [];
  let largest = 0;
  for (const { query, expected } of cases) {
    const start = process.hrtime.bigint();
    const { block } = await session.enrich({ message: query, mentions: false });
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
    largest = Math.max(largest, [...prefix].length + [...block].length);
    const described = block
      .split('\n')
      .some((line) => line.startsWith(`- ${expected}:`) || line.startsWith(`- ${expected} `));
    const named = described || (/^Also: (.*)$/m.exec(block)?.[1] ?? '').split(', ').includes(expected);
    if (described) seen.described += 1;
    if (named) seen.block += 1;
    if (inPrefix.has(expected)) seen.prefix += 1;
    if (named || inPrefix.has(expected)) seen.all += 1;
    if (session.prefix !== prefix) throw new Error('the prefix changed');
  }
  const share = (count) => (count / cases.length).toFixed(3);
  console.log(
    `  ${title}: ${cases.length} queries, before the model ${share(seen.all)} (${verdict(seen.all / cases.length, 0.95, 'high')}); in the block ${share(seen.block)}, with its description ${share(seen.described)}, in the index ${share(seen.prefix)}`,
  );
  console.log(
    `    tier ${session.index.tier}, ${session.index.listed} names; index and block at most ${largest} characters; a turn p50 ${quantile(times, 0.5).toFixed(2)} ms`,
  );
}
