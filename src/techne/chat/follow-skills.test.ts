import { describe, expect, it } from 'vitest';
import type { SkillWatch, WatchEvent } from '../../registry/watch/watch.ts';
import type { SkillNews } from './follow-skills.ts';
import { describeNews, SkillFollower } from './follow-skills.ts';

/** A watch that tells the events of a look when it is asked for one. */
function following(
  looks: readonly (readonly (readonly [type: string, name: string])[])[],
  faults: { readonly [name: string]: readonly object[] } = {},
) {
  let listener: (event: WatchEvent) => void = () => {};
  let at = 0;
  const watch = {
    snapshot: {},
    degraded: false,
    close: async () => {},
    on: (listen: typeof listener) => {
      listener = listen;
      return () => {};
    },
    refresh: async () => {
      for (const [type, name] of looks[at] ?? [])
        listener({
          type,
          skill: { name },
          before: { name, diagnostics: [{ message: 'known before' }] },
          faults: [{ message: 'the frontmatter is not closed' }],
        } as unknown as WatchEvent);
      at += 1;
      return {
        has: (name: string) => name in faults,
        get: (name: string) => ({ diagnostics: faults[name] }),
      };
    },
  } as unknown as SkillWatch;
  return new SkillFollower(watch);
}

describe('SkillFollower', () => {
  it('says what changed since the last look, and null when nothing did', async () => {
    const follower = following([
      [
        ['skill.added', 'rain'],
        ['skill.changed', 'tides'],
        ['skill.removed', 'winds'],
        ['snapshot.replaced', ''],
      ],
      [['snapshot.replaced', '']],
    ]);
    expect(await follower.look()).toMatchObject({
      added: ['rain'],
      changed: ['tides'],
      removed: ['winds'],
      kept: [],
    });
    expect(await follower.look()).toBeNull();
  });

  it.each([
    [['added', 'changed'], { added: ['a'] }],
    [['removed', 'added'], { changed: ['a'] }],
    [['changed', 'removed'], { removed: ['a'] }],
    [['kept', 'changed'], { changed: ['a'], kept: [] }],
    [['kept'], { changed: [], kept: [{ skill: 'a', reason: 'the frontmatter is not closed' }] }],
  ] as const)('takes %j of one skill together', async (types, news) => {
    const said = await following([types.map((type) => [`skill.${type}`, 'a'] as const)]).look();
    expect(said).toMatchObject(news);
  });

  it('tells again what could not be taken, with what came since', async () => {
    const follower = following([
      [
        ['skill.added', 'a'],
        ['skill.changed', 'b'],
        ['skill.kept', 'c'],
      ],
      [
        ['skill.removed', 'a'],
        ['skill.removed', 'b'],
      ],
    ]);
    const news = await follower.look();
    follower.putBack(news as SkillNews);
    expect(await follower.look()).toMatchObject({
      added: [],
      changed: [],
      removed: ['b'],
      kept: [{ skill: 'c' }],
    });
  });

  it('says what is wrong with a file that was taken with errors', async () => {
    const odd = { severity: 'warning', code: 'LINT_ODD', message: 'odd' };
    const error = { severity: 'error', code: 'X', message: 'it is empty' };
    const yaml = { severity: 'warning', code: 'YAML_REPAIRED', message: 'the "[" is never closed' };
    const old = { ...yaml, message: 'known before' };
    const news = await following(
      [
        [
          ['skill.changed', 'tides'],
          ['skill.changed', 'rain'],
          ['skill.changed', 'hail'],
          ['skill.added', 'snow'],
        ],
      ],
      { tides: [odd, error], rain: [odd], hail: [old], snow: [old, yaml] },
    ).look();
    expect(news?.faulty).toEqual([
      { skill: 'snow', reason: 'known before' },
      { skill: 'tides', reason: 'it is empty' },
    ]);
  });

  it('says nothing of a skill that came and went', async () => {
    expect(
      await following([
        [
          ['skill.added', 'a'],
          ['skill.removed', 'a'],
        ],
      ]).look(),
    ).toBeNull();
  });
});

describe('describeNews', () => {
  const nothing = { snapshot: null as never, added: [], changed: [], removed: [], faulty: [], kept: [] };
  it('is one line of names', () => {
    expect(
      describeNews({ ...nothing, added: ['rain'], changed: ['tides', 'winds'], removed: ['snow'] }),
    ).toBe('skills: new rain; changed tides, winds; gone snow');
    expect(describeNews({ ...nothing, added: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })).toBe(
      'skills: new a, b, c, d, e and 2 more',
    );
    expect(describeNews(nothing)).toBeNull();
  });
});
