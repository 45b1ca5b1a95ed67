import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filesOf, loadSkills, textOf } from '../../test/support/session.ts';
import type { Matcher } from '../match/match.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { createMatcherOpener, openMatcher } from './open-matcher.ts';

/** Writes down whose bodies are read. */
function noting(snapshot: Snapshot, read: string[]): Snapshot {
  return new Proxy(snapshot, {
    get: (of, key) =>
      key === 'readWords'
        ? (name: string) => (read.push(name), of.readWords(name))
        : typeof of[key as 'has'] === 'function'
          ? of[key as 'has'].bind(of)
          : of[key as 'has'],
  });
}

describe('openMatcher', () => {
  it('never finds what is context only', async () => {
    const matcher = await openMatcher(
      await loadSkills(
        filesOf({
          lore: {
            description: 'Old tales of the sea.',
            fields: 'user-invocable: false\ndisable-model-invocation: true\n',
          },
        }),
      ),
    );
    expect(await matcher.match('use the lore skill: old tales of the sea', { limit: 3 })).toMatchObject({
      matches: [],
      candidates: [],
    });
  });

  it('knows bodies, and a skill whose body changed meanwhile by its head', async () => {
    const files = filesOf({
      tides: {
        description: 'Say when the water is high.',
        body: '# Tides\n\nLook at the almanac of Roscoff.\n',
      },
      whales: { description: 'Watch whales from the shore.' },
      winds: { description: 'Tell where the wind blows.' },
    });
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
    const snapshot = await loadSkills(
      filesOf({
        tides: { description: 'Say when the water is high, by the almanac of Roscoff.' },
        whales: { description: 'Watch whales from the shore.' },
      }),
    );
    const match = {
      leastConfidence: 100,
      embeddings: { own: { provider: 'local', baseUrl: null, model: 'not-installed', apiKeyEnv: null } },
    };
    const notices: string[] = [];
    // A snapshot is frozen; what it was made with is another one here.
    const strict = new Proxy(snapshot, {
      get: (of, key) =>
        key === 'config'
          ? { ...of.config, match }
          : typeof of[key as 'has'] === 'function'
            ? of[key as 'has'].bind(of)
            : of[key as 'has'],
    });
    const matcher = await openMatcher(strict, { onNotice: (text) => notices.push(text) });
    const { matches, candidates } = await matcher.match(
      'when is the water high, by the almanac of Roscoff?',
      { limit: 3 },
    );
    expect([matches, candidates[0]?.skill]).toEqual([[], 'tides']);
    expect(notices).toEqual([
      'match.embeddings.own is not used: the packages not-installed, @energetic-ai/embeddings and @energetic-ai/core are not installed beside techne',
    ]);
  });
});

describe('embeddings that fail', () => {
  it('are told of once, by name', async () => {
    const snapshot = await loadSkills(filesOf({ tides: { description: 'Say when the water is high.' } }));
    // No server listens there.
    const match = {
      leastConfidence: 50,
      embeddings: {
        own: {
          provider: 'openai-compatible',
          baseUrl: 'http://127.0.0.1:9/v1',
          model: 'vectors',
          apiKeyEnv: null,
        },
      },
    };
    const notices: string[] = [];
    const failing = new Proxy(snapshot, {
      get: (of, key) =>
        key === 'config'
          ? { ...of.config, match }
          : typeof of[key as 'has'] === 'function'
            ? of[key as 'has'].bind(of)
            : of[key as 'has'],
    });
    await (
      await openMatcher(failing, { onNotice: (text) => notices.push(text) })
    ).match('when is the water high?', { limit: 3 });
    expect(
      notices.map((text) => [
        text.startsWith('words alone were matched: vectors at 127.0.0.1:9 failed: '),
        text.split('vectors at').length,
      ]),
    ).toEqual([[true, 2]]);
  });
});

describe('createMatcherOpener', () => {
  const asking = [
    'when is the water high?',
    'watch the whales from the shore',
    'use the whales skill',
    'where does the wind blow?',
  ];
  const answers = (matcher: Matcher): Promise<readonly unknown[]> =>
    Promise.all(asking.map(async (message) => matcher.match(message, { limit: 3 })));

  it('reads what changed, and leaves the matchers of earlier snapshots as they were', async () => {
    const files = filesOf({
      tides: { description: 'Say when the water is high.' },
      whales: { description: 'Watch whales from the shore.' },
      winds: { description: 'Tell where the wind blows.' },
    });
    const read: string[] = [];
    const open = createMatcherOpener();
    const first = await open(noting(await loadSkills(files), read));
    const before = await answers(first);
    expect(read.splice(0)).toEqual(['tides', 'whales', 'winds']);
    files.write(
      '/user/whales/SKILL.md',
      textOf('whales', { description: 'Say when the water is high for whales.' }),
    );
    await files.remove('/user/winds/SKILL.md');
    files.write('/user/rain/SKILL.md', textOf('rain', { description: 'Tell when it rains.' }));
    const later = await loadSkills(files);
    const second = await open(noting(later, read));
    expect(read.splice(0)).toEqual(['rain', 'whales']);
    const now = await answers(second);
    expect(now).toEqual(await answers(await openMatcher(later)));
    expect(await answers(first)).toEqual(before);
    expect(await answers(second)).toEqual(now);
    await open(noting(await loadSkills(files), read));
    expect(read).toEqual([]);
  });

  it('tries a body again that could not be read, and one that was only just written', async () => {
    const files = filesOf({
      tides: { description: 'Say when the water is high.' },
      whales: { description: 'Watch whales from the shore.' },
    });
    const stale = await loadSkills(files);
    files.write(
      '/user/whales/SKILL.md',
      textOf('whales', { description: 'Watch whales from the shore.', body: 'With an almanac.\n' }),
    );
    const read: string[] = [];
    const open = createMatcherOpener();
    await open(noting(stale, read));
    expect(read.splice(0)).toEqual(['tides', 'whales']);
    await open(noting(await loadSkills(files), read));
    expect(read.splice(0)).toEqual(['whales']);
    // From here on the files are written now, by the clock of this machine.
    files.advance(BigInt(Date.now()) * 1_000_000n - files.clock.nowNs());
    files.write('/user/tides/SKILL.md', textOf('tides', { description: 'Say when the water is low.' }));
    await open(noting(await loadSkills(files), read));
    await open(noting(await loadSkills(files), read));
    expect(read).toEqual(['tides', 'tides']);
  });

  it('gives up no skill when a move fails half-way', async () => {
    const files = filesOf({
      tides: { description: 'Say when the water is high.' },
      whales: { description: 'Watch whales from the shore.' },
    });
    const open = createMatcherOpener();
    const first = await open(await loadSkills(files));
    const before = await answers(first);
    await files.remove('/user/tides/SKILL.md');
    files.write('/user/whales/SKILL.md', textOf('whales', { description: 'Whales.' }));
    const broken = new Proxy(await loadSkills(files), {
      get: (of, key) =>
        key === 'readWords'
          ? async () => {
              throw new Error('a bug');
            }
          : typeof of[key as 'has'] === 'function'
            ? of[key as 'has'].bind(of)
            : of[key as 'has'],
    });
    await expect(open(broken)).rejects.toThrow('a bug');
    expect(await answers(first)).toEqual(before);
    const later = await loadSkills(files);
    expect(await answers(await open(later))).toEqual(await answers(await openMatcher(later)));
  });

  it('makes the index anew after very many changes, and keeps what was held', async () => {
    const files = filesOf({
      tides: { description: 'Say when the water is high.' },
      whales: { description: 'Watch whales from the shore.' },
    });
    const read: string[] = [];
    const open = createMatcherOpener({ mostReads: 0 });
    const held: { readonly matcher: Matcher; readonly said: readonly unknown[] }[] = [];
    for (let at = 0; at < 60; at += 1) {
      files.write(
        '/user/whales/SKILL.md',
        textOf('whales', { description: `Watch whale number${at} from the shore.` }),
      );
      const snapshot = await loadSkills(files);
      const matcher = await open(noting(snapshot, read));
      held.push({ matcher, said: await answers(matcher) });
      expect(held.at(-1)?.said).toEqual(await answers(await openMatcher(snapshot)));
    }
    // Both at first, and both again whenever forty and more were read.
    expect(read.filter((name) => name === 'tides').length).toBeGreaterThan(1);
    for (const { matcher, said } of held) expect(await answers(matcher)).toEqual(said);
  });

  const change = fc.record({
    name: fc.constantFrom('tides', 'whales', 'winds', 'rain'),
    description: fc.option(
      fc.constantFrom(
        'Say when the water is high.',
        'Watch whales from the shore.',
        'Where the wind blows at high water.',
      ),
    ),
    user: fc.boolean(),
  });
  it('answers as one opened anew after any changes, and as before for what is held', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        async (loads) => {
          const files = filesOf({ tides: {} });
          const open = createMatcherOpener();
          const held: { readonly matcher: Matcher; readonly said: readonly unknown[] }[] = [];
          for (const changes of loads) {
            for (const { name, description, user } of changes) {
              if (description === null) await files.remove(`/user/${name}/SKILL.md`);
              else
                files.write(
                  `/user/${name}/SKILL.md`,
                  textOf(name, {
                    description,
                    fields: user ? '' : 'user-invocable: false\ndisable-model-invocation: true\n',
                  }),
                );
            }
            const snapshot = await loadSkills(files);
            const matcher = await open(snapshot);
            const said = await answers(matcher);
            expect(said).toEqual(await answers(await openMatcher(snapshot)));
            held.push({ matcher, said });
          }
          for (const { matcher, said } of held) expect(await answers(matcher)).toEqual(said);
        },
      ),
      { numRuns: 40 },
    );
  });
});
