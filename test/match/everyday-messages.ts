// What people type that asks for no skill, and what does, in their own words: over the shipped skills, and over two.
import type { MatchDocument } from '../../src/match/match.ts';

/** Asks for nothing that a skill does. */
export const smallTalk: readonly string[] = [
  'what time is it', 'what time is it?', 'the meeting is at noon', 'some text', 'run it again', 'is someone there', 'sailing is my hobby',
  'hello', 'hi there, how are you today?', 'thanks, that works', 'ok', 'yes please', 'no', 'go on', 'continue', 'try again', 'again please',
  'good morning', 'see you tomorrow', 'I am tired', 'it is raining outside', 'the weather is nice today', 'what do you think?',
  'can you help me?', 'I have a question', 'who are you?', 'what can you do?', 'tell me a joke', 'how old are you?', 'what day is it today',
  'my name is Anna', 'I like this one', 'that is wrong', 'the first one', 'both of them', 'sounds good to me', 'never mind', 'wait a moment',
  'can you say that again?', 'I do not understand', 'what do you mean?', 'give me more details', 'make it shorter', 'in other words',
  'what is the capital of France?', 'how far is the moon?', 'who wrote Hamlet?', 'play some music', 'I will be back in an hour', 'send it to me',
  'open the window', 'where is the nearest station?', 'my phone is broken', 'the report is on your desk', 'we have a week left', 'the user is here',
  'I need a break', 'what happened?', 'she is always late', 'it takes a long time', 'change the colour to blue', 'two and two is four',
  'is this the right way?', 'the question is open', 'the last days were hard', 'someone wants to talk to you', 'people like it', 'a good idea',
];

/** Each with the skill that should be among what is suggested. */
export const shippedRequests: readonly (readonly [message: string, skill: string])[] = [
  ['write a changelog for the new release', 'changelog'],
  ['what changed in git since the last tag?', 'changelog'],
  ['I need release notes from the git log', 'changelog'],
  ['draft a checklist with install, test and rollback steps', 'checklist'],
  ['make me a checklist for moving the database', 'checklist'],
  ['I staged my work, write the commit message', 'commit-message'],
  ['a commit message for the staged files please', 'commit-message'],
  ['review the uncommitted changes for bugs', 'diff-review'],
  ['look at my diff before I commit', 'diff-review'],
  ['this test passes only sometimes, find out why', 'flaky-tests'],
  ['our test suite is flaky', 'flaky-tests'],
  ['turn these incident notes into a brief for the affected users', 'incident-brief'],
  ['we need an incident update for customers', 'incident-brief'],
  ['turn the transcript of the meeting into minutes', 'meeting-notes'],
  ['write up the meeting notes with decisions and actions', 'meeting-notes'],
  ['review my pull request for correctness and safety', 'pr-review'],
  ['please review the whole branch before I merge', 'pr-review'],
  ['get version 2.4 ready to ship', 'prepare-release'],
  ['prepare the release: changelog, checklist and announcement', 'prepare-release'],
  ['draft a document that has the heading "Risks"', 'require-heading'],
  ['the tests fail, please repair them', 'test-fix'],
  ['fix the failing tests', 'test-fix'],
  ['triage this bug report and draft a reply', 'triage-request'],
  ['is this incoming request a bug or a feature?', 'triage-request'],
  ['write my standup from the git history', 'work-log'],
  ['a weekly report of what I worked on', 'work-log'],
  ['create a new skill from my notes', 'write-a-skill'],
  ['improve this SKILL.md so that agents find it', 'write-a-skill'],
];

const skill = (name: string, description: string, triggers: readonly string[] = []): MatchDocument => ({ name, description, triggers, sections: [], priority: 0 });

export const smallLibrary: readonly MatchDocument[] = [
  skill('bread', 'Bake a sourdough loaf. Use when someone wants bread.'),
  skill('tides', 'Tell the time of high tide at a harbour. Use before sailing.', ['when is high tide', 'tide table for {harbour}']),
];

export const smallRequests: readonly (readonly [message: string, skill: string])[] = [
  ['I want bread', 'bread'], ['how do I bake a loaf?', 'bread'], ['sourdough please', 'bread'], ['help me bake bread for Sunday', 'bread'],
  ['bake a sourdough loaf with me', 'bread'], ['can you make some bread?', 'bread'], ['when is the tide high tomorrow?', 'tides'],
  ['what is the time of high tide in Brest?', 'tides'], ['high tide at the harbour of Roscoff', 'tides'], ['tide times please', 'tides'],
  ['we go sailing tomorrow, when is high tide?', 'tides'], ['give me the tide table for Brest', 'tides'],
];
