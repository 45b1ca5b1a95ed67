// One common word is no request: what people type all day finds nothing, and what they ask for is found.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matchDocument } from '../../src/match/document.ts';
import { createMatcher } from '../../src/match/matcher.ts';
import type { MatchDocument } from '../../src/match/match.ts';
import { parseSkill } from '../../src/skill/parse-skill.ts';
import { shippedRequests, smallLibrary, smallRequests, smallTalk } from './everyday-messages.ts';

const shipped: readonly MatchDocument[] = await Promise.all(readdirSync('skills').map(async (name) => {
  const { head, body } = await parseSkill(readFileSync(`skills/${name}/SKILL.md`, 'utf8'), { folderName: name });
  return matchDocument(head, body.text);
}));

const over = (documents: readonly MatchDocument[]): ((message: string) => readonly string[]) => {
  const matcher = createMatcher();
  for (const document of documents) matcher.set(document);
  return (message) => matcher.match(message).matches.map(({ skill, confidence }) => `${skill} ${confidence}`);
};
const found = (suggested: readonly string[], skill: string): boolean => suggested.some((one) => one.startsWith(`${skill} `));

/** Of small talk that finds something; of requests whose skill is not found. */
const most = { heard: 0.03, missed: 0.05 };

describe.each<readonly [string, readonly MatchDocument[], readonly (readonly [string, string])[]]>([
  ['the shipped skills', shipped, shippedRequests],
  ['two skills', smallLibrary, smallRequests],
  ['one skill', smallLibrary.slice(1), smallRequests.filter(([, skill]) => skill === 'tides')],
])('over %s', (_, documents, requests) => {
  const suggested = over(documents);
  it('small talk suggests nothing', () => {
    const heard = smallTalk.flatMap((message) => (suggested(message).length === 0 ? [] : [[message, ...suggested(message)]]));
    expect(heard.length > smallTalk.length * most.heard ? heard : []).toEqual([]);
  });
  it('a request is met', () => {
    const missed = requests.filter(([message, skill]) => !found(suggested(message), skill)).map(([message, skill]) => [message, skill, ...suggested(message)]);
    expect(missed.length > requests.length * most.missed ? missed : []).toEqual([]);
  });
});

it.each([
  'what time is it', 'the meeting is at noon', 'some text', 'run it again', 'is someone there', 'sailing is my hobby',
])('%j asks for no skill', (message) => {
  expect([shipped, smallLibrary].map((documents) => over(documents)(message))).toEqual([[], []]);
});
