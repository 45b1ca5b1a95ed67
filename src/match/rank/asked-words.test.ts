// Words that ask for nothing suggest no skill, however they were found.
import { describe, expect, it } from 'vitest';
import type { MatchDocument } from '../match.ts';
import { createMatcher } from '../matcher.ts';

const skill = (name: string, description: string): MatchDocument => ({
  name,
  description,
  triggers: [],
  sections: [],
  priority: 0,
});
const matcher = createMatcher();
for (const one of [
  skill('bread', 'Bake a sourdough loaf. Use when someone wants bread.'),
  skill('order-pizza', 'Order a pizza from the pizzeria nearby. Use when somebody is hungry.'),
  skill('pr-review', 'Review everything a branch changes. Use before a pull request is merged.'),
])
  matcher.set(one);

describe('askedWords', () => {
  it.each([
    ['What is a pizza?', '"order-pizza" is not asked for: it is asked about: "what is"'],
    ['pizza? no', '"order-pizza" is not asked for: it is asked and refused'],
    ['`order pizza`', '"order-pizza" is not asked for: it is quoted'],
    ['"bake bread"', '"bread" is not asked for: it is quoted'],
    ['do not review my branch', '"pr-review" is not asked for: "do not" refuses it'],
    ['no bread please', '"bread" is not asked for: "no" refuses it'],
    ['Translate into German: bake bread', '"bread" is not asked for: it is to be translated: "translate"'],
    ['she wrote: bake bread', '"bread" is not asked for: somebody else\'s words follow "wrote:"'],
  ])('says of %j why', (message, abstained) => {
    expect(matcher.match(message)).toMatchObject({ matches: [], abstained });
  });

  it.each([
    'the bread skill is bad',
    'delete the bread skill',
    'improve my bread skill',
    'tell me what bread is',
    'how is bread made?',
  ])('suggests nothing for %j', (message) => {
    expect(matcher.match(message).matches).toEqual([]);
  });

  it.each([
    ['order pizza', 'order-pizza'],
    ['can you order a pizza?', 'order-pizza'],
    ['how do I bake bread?', 'bread'],
    ['review the branch `feature/x`', 'pr-review'],
    ['bake bread, but not too dark', 'bread'],
    ['what is the best way to bake a sourdough loaf?', 'bread'],
    ["my pizza isn't here, order another pizza", 'order-pizza'],
  ])('still finds for %j %s', (message, name) => {
    expect(matcher.match(message).matches[0]?.skill).toBe(name);
  });
});
