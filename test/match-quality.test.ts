// How well words find the skills that we ship: messages that somebody might write, none of them a trigger.
//
// The figures may only rise: a change that makes one worse says why.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matchDocument } from '../src/match/document.ts';
import { judgeMessage } from '../src/match/guard/judge-message.ts';
import { createMatcher } from '../src/match/matcher.ts';
import { createRanker } from '../src/match/rank/ranker.ts';
import { parseSkill } from '../src/skill/parse-skill.ts';

interface Case {
  readonly message: string;
  readonly skill: string | null;
}

const root = new URL('..', import.meta.url);
const folders = readdirSync(new URL('skills/', root)).filter((name) =>
  existsSync(new URL(`skills/${name}/SKILL.md`, root)),
);
const documents = await Promise.all(
  folders.map(async (folderName) => {
    const { head, body } = await parseSkill(
      readFileSync(new URL(`skills/${folderName}/SKILL.md`, root), 'utf8'),
      { folderName },
    );
    return matchDocument(head, body.text);
  }),
);
const cases = readFileSync(new URL('fixtures/match/queries.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);
const asking = cases.filter(({ skill }) => skill !== null);
const others = cases.filter(({ skill }) => skill === null);

describe('matching by words alone, over the shipped skills', () => {
  const ranker = createRanker();
  for (const document of documents) ranker.set(document);
  const rank = (message: string) => ranker.rank(judgeMessage(message), 10);
  const places = asking.map(({ message, skill }) => rank(message).findIndex((one) => one.skill === skill));
  const share = (most: number): number =>
    places.filter((place) => place >= 0 && place < most).length / places.length;

  it('puts the right skill first', () => {
    expect(share(1)).toBeGreaterThanOrEqual(0.9);
  });
  it('puts the right skill among the first three', () => {
    expect(share(3)).toBeGreaterThanOrEqual(0.95);
  });
  it('is surer of what asks for a skill than of what does not', () => {
    const sure = (message: string): number => rank(message)[0]?.confidence ?? 0;
    const [right, wrong] = [
      asking.map(({ message }) => sure(message)),
      others.map(({ message }) => sure(message)),
    ];
    let above = 0;
    for (const a of right) for (const b of wrong) above += a > b ? 1 : a === b ? 0.5 : 0;
    expect(above / (right.length * wrong.length)).toBeGreaterThanOrEqual(0.95);
  });
});

describe('the whole of matching, over the shipped skills', () => {
  const matcher = createMatcher();
  for (const document of documents) matcher.set(document);

  it('suggests nothing to messages that ask for no skill', () => {
    expect(others.filter(({ message }) => matcher.match(message).matches.length > 0)).toEqual([]);
  });
  it('suggests the right skill first to most that do', () => {
    const right = asking.filter(
      ({ message, skill }) => matcher.match(message).matches[0]?.skill === skill,
    ).length;
    expect(right / asking.length).toBeGreaterThanOrEqual(0.5);
  });
});
