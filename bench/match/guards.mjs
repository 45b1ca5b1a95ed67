// What becomes of a trigger in a message: node bench/match/guards.mjs [--judge] [--misses]
//
//   test/match/fresh/*.jsonl -> how often the skill of the marked trigger fires, is demoted and suggested first, or neither
//
// Each message marks its triggers in braces; one library has a skill for each trigger, besides the shipped descriptions of ../shared/compat
// where they are there. The first half (develop) may be looked at; the other (--judge) judges, and --misses does not show it.
import { readFileSync } from 'node:fs';
import { bundleParts } from '../bundle.mjs';
import { needMaterial, readSkills } from './material.mjs';

needMaterial();
const { createMatcher, matchDocument, parseSkill } = await import(await bundleParts('match', ['yaml']));
const judges = process.argv.includes('--judge');
const cases = readFileSync(
  new URL(`../../test/match/fresh/${judges ? 'judge' : 'develop'}.jsonl`, import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const triggersOf = (message) => Array.from(message.matchAll(/\{([^}]+)\}/g), ([, trigger]) => trigger);
const nameOf = (trigger) => trigger.replaceAll(' ', '-');
const matcher = createMatcher();
for (const { head, body } of await readSkills('awesome-copilot', parseSkill))
  matcher.set(matchDocument(head, body));
for (const trigger of new Set(cases.flatMap(({ message }) => triggersOf(message))))
  matcher.set({
    name: nameOf(trigger),
    description: `Use for: ${trigger}.`,
    triggers: [trigger],
    sections: [],
    priority: 0,
  });

const counts = new Map();
for (const { kind, message } of cases) {
  const { matches, candidates } = matcher.match(message.replaceAll(/[{}]/g, ''));
  for (const trigger of triggersOf(message)) {
    const skill = nameOf(trigger);
    const found = matches.find((one) => one.skill === skill);
    const outcome =
      found?.mode === 'trigger' || found?.mode === 'explicit'
        ? 'fires'
        : found !== undefined && triggersOf(message).some((one) => nameOf(one) === matches[0].skill)
          ? 'suggested first'
          : 'neither';
    const language = /\p{Script=Han}/u.test(message) ? 'zh' : 'en';
    for (const key of kind === 'natural'
      ? ['natural', `natural ${language}`]
      : ['traps', `traps ${language}`, kind]) {
      const count = counts.get(key) ?? { all: 0, fires: 0, 'suggested first': 0, neither: 0 };
      counts.set(key, count);
      count.all += 1;
      count[outcome] += 1;
    }
    const isMiss = kind === 'natural' ? outcome !== 'fires' : outcome === 'fires';
    if (isMiss && !judges && process.argv.includes('--misses'))
      console.log(
        `${kind}: ${outcome}: ${message.replaceAll('\n', '⏎')} ⟶ ${(found ?? candidates.find((one) => one.skill === skill))?.reason}`,
      );
  }
}
for (const [key, { all, ...of }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(
    `${key.padEnd(24)} ${String(all).padStart(4)}  ${Object.entries(of)
      .map(([outcome, count]) => `${outcome} ${((100 * count) / all).toFixed(1).padStart(5)}`)
      .join('  ')}`,
  );
