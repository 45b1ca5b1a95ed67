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

  it('suggests from the configured confidence on, and says why meaning is not used', async () => {
    const snapshot = await loadSkills(filesOf({ tides: { description: 'Say when the water is high, by the almanac of Roscoff.' }, whales: { description: 'Watch whales from the shore.' } }));
    const match = { leastConfidence: 100, embeddings: { own: { provider: 'anthropic', baseUrl: null, model: 'm', apiKeyEnv: null, prices: null } } };
    const notices: string[] = [];
    // A snapshot is frozen; what it was made with is another one here.
    const strict = new Proxy(snapshot, { get: (of, key) => (key === 'config' ? { ...of.config, match } : typeof of[key as 'has'] === 'function' ? of[key as 'has'].bind(of) : of[key as 'has']) });
    const matcher = await openMatcher(strict, { onNotice: (text) => notices.push(text) });
    const { matches, candidates } = await matcher.match('when is the water high, by the almanac of Roscoff?', { limit: 3 });
    expect([matches, candidates[0]?.skill]).toEqual([[], 'tides']);
    expect(notices).toEqual(['match.embeddings.own is not used: only endpoints of the provider "openai-compatible" have embeddings']);
  });
});
