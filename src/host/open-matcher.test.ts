import { describe, expect, it } from 'vitest';
import { filesOf, loadSkills } from '../../test/support/session.ts';
import { openMatcher } from './open-matcher.ts';

describe('openMatcher', () => {
  it('never finds what is context only', async () => {
    const matcher = await openMatcher(await loadSkills(filesOf({ lore: { description: 'Old tales of the sea.', fields: 'user-invocable: false\ndisable-model-invocation: true\n' } })));
    expect(await matcher.match('use the lore skill: old tales of the sea', { limit: 3 })).toMatchObject({ matches: [], candidates: [] });
  });

  it('knows bodies, and a skill whose body changed meanwhile by its head', async () => {
    const files = filesOf({ tides: { description: 'Say when the water is high.', body: '# Tides\n\nLook at the almanac of Roscoff.\n' }, whales: { description: 'Watch whales from the shore.' }, winds: { description: 'Tell where the wind blows.' } });
    const snapshot = await loadSkills(files);
    files.write('/user/whales/SKILL.md', '---\nname: whales\ndescription: Another one.\n---\nOther.\n');
    const matcher = await openMatcher(snapshot);
    const best = async (message: string): Promise<string | undefined> => {
      const result = await matcher.match(message, { limit: 3 });
      return [...result.matches, ...result.candidates][0]?.skill;
    };
    expect(await best('what does the almanac of Roscoff say?')).toBe('tides');
    expect(await best('watch the whales from the shore')).toBe('whales');
  });
});
