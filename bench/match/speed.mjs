// How fast matching is: node bench/match/speed.mjs [10000 60000]
//
//   build     documents in memory -> index        bar 2 s for each 10,000
//   match     a message -> result, everything on  bar p50 1 ms, p95 3 ms at 10,000 with bodies; p50 3 ms at 60,000
//   update    one skill that changed              bar 5 ms
//
// S1. Real skills under new names; in every further copy some words are changed, so that there are as many different
//     words as in as many real skills (about 120,000 in 10,000).
// S2. At 60,000 the first 1,000 characters of each body are indexed, as the bar has it; at 10,000 the default.
// S3. A fixed piece of work is timed beside: on a busy machine it takes longer too, and says by how much.
import { loadavg } from 'node:os';
import { bundleParts } from '../bundle.mjs';
import { needMaterial, readCases, readSkills } from './material.mjs';

needMaterial();
const { createMatcher, matchDocument, parseSkill } = await import(await bundleParts('match', ['yaml']));
const skills = [
  ...(await readSkills('nvidia', parseSkill)),
  ...(await readSkills('awesome-copilot', parseSkill)),
];
const queries = readCases().map(({ query }) => query);
const counts = process.argv.slice(2).map(Number);

for (const count of counts.length === 0 ? [10_000, 60_000] : counts) {
  const many = count > 10_000;
  const documents = documentsOf(count);
  const matcher = createMatcher(many ? { bodyCharacters: 1000 } : {});
  const before = fixedWork();
  const built = timed(() => {
    for (const document of documents) matcher.set(document);
  });
  for (const query of queries.slice(0, 200)) matcher.match(query);
  const matches = [];
  for (let round = 0; round < 3; round += 1)
    for (const query of queries) matches.push(timed(() => matcher.match(query)));
  const updates = Array.from({ length: 500 }, (_, at) => {
    const document = documents[(at * 7919) % count];
    return timed(() => matcher.set({ ...document, description: `${document.description} Changed ${at}.` }));
  });
  const after = fixedWork();
  console.log(
    `\n${count} skills, ${many ? 'the first 1,000 characters' : 'the default part'} of each body; load ${loadavg()[0].toFixed(1)}, fixed work ${before.toFixed(1)} and ${after.toFixed(1)} ms, memory ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
  );
  say('build for each 10,000', (built / count) * 10_000, 2000);
  say('match p50', quantile(matches, 0.5), many ? 3 : 1);
  say('match p95', quantile(matches, 0.95), many ? null : 3);
  say('match p99', quantile(matches, 0.99), null);
  say('update p50', quantile(updates, 0.5), 5);
  say('update p95', quantile(updates, 0.95), 5);
  say('update, slowest', quantile(updates, 1), null);
}

function say(what, ms, bar) {
  console.log(
    `  ${what.padEnd(24)} ${ms.toFixed(2).padStart(9)} ms ${bar === null ? '' : `(bar ${bar}: ${ms <= bar ? 'met' : 'MISSED'})`}`,
  );
}

function timed(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function quantile(times, q) {
  return [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))];
}

/** The best of five: 10 million steps of arithmetic and as many look-ups in 8 MB. */
function fixedWork() {
  const memory = new Int32Array(1 << 21);
  return Math.min(
    ...Array.from({ length: 5 }, () =>
      timed(() => {
        let value = 1;
        for (let at = 0; at < 10_000_000; at += 1) {
          value = Math.imul(value ^ at, 16777619);
          memory[value >>> 11] += 1;
        }
      }),
    ),
  );
}

/** S1 */
function documentsOf(count) {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return Array.from({ length: count }, (_, at) => {
    const { head, body } = skills[at % skills.length];
    const copy = Math.floor(at / skills.length);
    if (copy === 0) return matchDocument(head, body);
    const changed = body
      .slice(0, 12_000)
      .replace(/[A-Za-z]{4,}/g, (word) =>
        random() < 0.005 ? word + Math.floor(random() * 400).toString(36) : word,
      );
    return matchDocument({ ...head, name: `${head.name}-${copy}` }, changed);
  });
}
