// What becomes of a trigger in a message: node bench/match/guards.mjs [--judge | --messages FILE.jsonl] [--misses]
//
//   messages with known triggers -> how often the skill of the trigger fires, is demoted and suggested first, or neither; by label, language, kind
//
// One library has a skill for each trigger, besides the shipped descriptions of ../shared/compat where they are there; the skills that ship
// with techne are as they ship. Of test/match/fresh/
// the first half (develop) may be looked at; the other (--judge) judges, and --misses does not show it. Its messages mark their triggers in
// braces. Messages of further writers are in messages/. A line of FILE has skill, trigger, message, label (natural or trap), kind and, if it can be told, lang.
import { readFileSync } from 'node:fs';
import { bundleParts } from '../bundle.mjs';
import { needMaterial, readShippedSkills, readSkills } from './material.mjs';

needMaterial();
const { createMatcher, matchDocument, parseSkill } = await import(await bundleParts('match', ['yaml']));
const args = process.argv.slice(2);
const judges = args.includes('--judge');
const file = args.includes('--messages') ? args[args.indexOf('--messages') + 1] : null;
const cases = file === null ? readFresh() : readMessages(file);

const matcher = createMatcher();
for (const { head, body } of await readSkills('awesome-copilot', parseSkill))
  matcher.set(matchDocument(head, body));
for (const { head, body } of await readShippedSkills(parseSkill)) matcher.set(matchDocument(head, body));
for (const [name, triggers] of triggersBySkill(cases))
  if (!matcher.has(name))
    matcher.set({
      name,
      description: `Use for: ${triggers.join(', ')}.`,
      triggers,
      sections: [],
      priority: 0,
    });

const counts = new Map();
for (const { label, kind, lang, message, wanted } of cases) {
  const { matches, candidates } = matcher.match(message);
  for (const { skill } of wanted) {
    const found = matches.find((one) => one.skill === skill);
    const outcome =
      found?.mode === 'trigger' || found?.mode === 'explicit'
        ? 'fires'
        : found !== undefined && wanted.some((one) => one.skill === matches[0].skill)
          ? 'suggested first'
          : 'neither';
    for (const key of new Set([label, `${label} ${lang}`, `${label}: ${kind}`])) {
      const count = counts.get(key) ?? { all: 0, fires: 0, 'suggested first': 0, neither: 0 };
      counts.set(key, count);
      count.all += 1;
      count[outcome] += 1;
    }
    const isMiss = label === 'natural' ? outcome !== 'fires' : outcome === 'fires';
    if (isMiss && !judges && args.includes('--misses'))
      console.log(
        `${label}: ${kind}: ${outcome}: ${message.replaceAll('\n', '⏎')} ⟶ ${(found ?? candidates.find((one) => one.skill === skill))?.reason}`,
      );
  }
}
for (const [key, { all, ...of }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(
    `${key.padEnd(40)} ${String(all).padStart(4)}  ${Object.entries(of)
      .map(
        ([outcome, count]) =>
          `${outcome} ${String(count).padStart(3)} ${((100 * count) / all).toFixed(1).padStart(5)} %`,
      )
      .join('  ')}`,
  );

function readFresh() {
  const path = new URL(`../../test/match/fresh/${judges ? 'judge' : 'develop'}.jsonl`, import.meta.url);
  return readLines(path).map(({ kind, message }) => ({
    label: kind === 'natural' ? 'natural' : 'trap',
    kind,
    lang: languageOf(message),
    message: message.replaceAll(/[{}]/g, ''),
    wanted: Array.from(message.matchAll(/\{([^}]+)\}/g), ([, trigger]) => ({
      skill: trigger.replaceAll(' ', '-'),
      trigger,
    })),
  }));
}

function readMessages(path) {
  return readLines(path).map(({ skill, trigger, message, label, kind, lang = languageOf(message) }) => ({
    label,
    kind,
    lang,
    message,
    wanted: [{ skill, trigger }],
  }));
}

function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

function languageOf(message) {
  return /\p{Script=Han}/u.test(message) ? 'zh' : 'en';
}

function triggersBySkill(all) {
  const found = new Map();
  for (const { skill, trigger } of all.flatMap(({ wanted }) => wanted))
    found.set(skill, [...new Set([...(found.get(skill) ?? []), trigger])]);
  return found;
}
