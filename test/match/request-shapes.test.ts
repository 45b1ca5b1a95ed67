// Shapes of requests that guards easily lose: the trigger fires, or the skill is at least suggested first.
import { describe, expect, it } from 'vitest';
import type { WordMatcher } from '../../src/match/matcher.ts';
import { createMatcher } from '../../src/match/matcher.ts';

function matcher(): WordMatcher {
  const made = createMatcher();
  const add = (name: string, description: string, triggers: readonly string[]): void =>
    made.set({ name, description, triggers, sections: [], priority: 0 });
  add('load-test', 'Runs a load test against a server and reports its latency.', ['load test', '压力测试']);
  add('release-notes', 'Writes release notes from the commits since the last tag.', [
    'release notes',
    '写发布说明',
  ]);
  add('bread', 'Plans the baking of bread.', ['bake bread']);
  return made;
}

const skills = matcher();

describe('requests', () => {
  it.each([
    ['load test??', 'load-test'],
    ['the release notes ??', 'release-notes'],
    ['can you do a load test against the staging cluster?', 'load-test'],
    ['From now on, write release notes whenever I tag a version.', 'release-notes'],
    ['Rename the branch to v2 first. After that I need a load test.', 'load-test'],
    ['release notes please: no emoji, no contributor names, nothing about internal tickets', 'release-notes'],
    [
      'We moved the shop to a new provider over the weekend. Some customers wrote that pages were slow, and nobody knows whether it was the database or the cache. Please run a load test.',
      'load-test',
    ],
    ['Would you be so kind as to prepare the release notes when you have a moment?', 'release-notes'],
    ['给测试环境跑一次压力测试', 'load-test'],
    ['根据最近的提交写发布说明', 'release-notes'],
    ['帮我写一下发布说明好吗', 'release-notes'],
  ])('%j fires', (message, skill) => {
    expect(skills.match(message).matches[0]).toMatchObject({ skill, mode: 'trigger' });
  });

  it('demotes what may be told only: it ranks by its words, less sure, and says why', () => {
    const { matches, abstained } = skills.match(
      'My colleague wrote the release notes from the commits last week.',
    );
    expect(abstained).toBeNull();
    expect(matches[0]).toMatchObject({ skill: 'release-notes', mode: 'lexical' });
    expect(matches[0]?.confidence).toBeLessThanOrEqual(0.7);
    expect(matches[0]?.reason).toContain('the trigger "release notes" is not certain: ');
  });

  it('suggests a demoted skill first even where its words alone would not be enough', () => {
    const [first] = skills.match(
      'Our neighbours bake bread every Sunday while the others sleep late.',
    ).matches;
    expect(first).toMatchObject({ skill: 'bread', mode: 'lexical', demoted: true });
    expect(first?.confidence).toBeGreaterThanOrEqual(0.6);
  });

  it.each([
    'Do not run a load test against the server.',
    'She wrote: "run a load test against the server"',
    'Translate into French: run a load test against the server',
    '```\nload test against the server\n```',
  ])('holds %j, so that its words suggest nothing either', (message) => {
    const { matches, abstained } = skills.match(message);
    expect(matches).toEqual([]);
    expect(abstained).toContain('"load-test" is not asked for: the trigger "load test" does not count: ');
  });
});
