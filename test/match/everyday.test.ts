// One common word is no request: what people type all day finds nothing, and what they ask for is found.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matchDocument } from '../../src/match/document.ts';
import { createMatcher } from '../../src/match/matcher.ts';
import type { MatchDocument } from '../../src/match/match.ts';
import { parseSkill } from '../../src/skill/parse-skill.ts';
import { heldOut, tuned } from './everyday-libraries.ts';
import { shippedRequests, smallLibrary, smallRequests, smallTalk } from './everyday-messages.ts';

const shipped: readonly MatchDocument[] = await Promise.all(
  readdirSync('skills').map(async (name) => {
    const { head, body } = await parseSkill(readFileSync(`skills/${name}/SKILL.md`, 'utf8'), {
      folderName: name,
    });
    return matchDocument(head, body.text);
  }),
);

const over = (documents: readonly MatchDocument[]): ((message: string) => readonly string[]) => {
  const matcher = createMatcher();
  for (const document of documents) matcher.set(document);
  return (message) => matcher.match(message).matches.map(({ skill, confidence }) => `${skill} ${confidence}`);
};
const found = (suggested: readonly string[], skill: string): boolean =>
  suggested.some((one) => one.startsWith(`${skill} `));

/** Of small talk that finds something; of requests whose skill is not found; of requests for something else that find one. */
const most = { heard: 0.03, missed: 0.05, elsewhere: 0.25 };

describe.each<readonly [string, readonly MatchDocument[], readonly (readonly [string, string])[]]>([
  ['the shipped skills', shipped, shippedRequests],
  ['two skills', smallLibrary, smallRequests],
  ['one skill', smallLibrary.slice(1), smallRequests.filter(([, skill]) => skill === 'tides')],
])('over %s', (_, documents, requests) => {
  const suggested = over(documents);
  it('small talk suggests nothing', () => {
    const heard = smallTalk.flatMap((message) =>
      suggested(message).length === 0 ? [] : [[message, ...suggested(message)]],
    );
    expect(heard.length > smallTalk.length * most.heard ? heard : []).toEqual([]);
  });
  it('a request is met', () => {
    const missed = requests
      .filter(([message, skill]) => !found(suggested(message), skill))
      .map(([message, skill]) => [message, skill, ...suggested(message)]);
    expect(missed.length > requests.length * most.missed ? missed : []).toEqual([]);
  });
});

// What was kept aside is missed more often, as what nobody looked at will be.
describe.each([
  ...tuned.map((library) => ({ ...library, missed: most.missed, heard: most.heard })),
  ...heldOut.map((library) => ({ ...library, missed: 0.15, heard: most.heard })),
])('over the $name library', ({ documents, requests, talk, elsewhere, missed, heard }) => {
  const suggested = over(documents);
  it('a request is met', () => {
    const failed = requests
      .filter(([message, skill]) => !found(suggested(message), skill))
      .map(([message]) => message);
    expect(failed.length > requests.length * missed ? failed : []).toEqual([]);
  });
  it('telling and small talk suggest nothing', () => {
    const all = [...talk, ...smallTalk];
    const wrong = all.filter((message) => suggested(message).length > 0);
    expect(wrong.length > all.length * heard ? wrong : []).toEqual([]);
  });
  it('a request for something else seldom suggests one', () => {
    const wrong = elsewhere.filter((message) => suggested(message).length > 0);
    expect(wrong.length > elsewhere.length * most.elsewhere ? wrong : []).toEqual([]);
  });
});

describe('over the shipped skills, as a new user asks', () => {
  it.each([
    ['what changed since v1.2', 'changelog'],
    ['what did I work on this week', 'work-log'],
    ['make me a checklist for moving house with boxes, keys, internet', 'checklist'],
    ['checklist for my wedding', 'checklist'],
    ['I need to write up what we discussed in the meeting this morning', 'meeting-note'],
    ['can you look over my changes before I push?', 'diff-review'],
  ])('%j is met by %s', (message, skill) => {
    expect(over(shipped)(message)[0]).toMatch(new RegExp(`^${skill} `));
  });
  it.each(['he failed the test', 'branch of a tree', 'the last days were hard'])(
    '%j asks for nothing',
    (message) => {
      expect(over(shipped)(message)).toEqual([]);
    },
  );
});

it.each([
  'what time is it',
  'the meeting is at noon',
  'some text',
  'run it again',
  'is someone there',
  'sailing is my hobby',
])('%j asks for no skill', (message) => {
  expect([shipped, smallLibrary].map((documents) => over(documents)(message))).toEqual([[], []]);
});
