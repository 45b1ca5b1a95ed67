import { describe, expect, it } from 'vitest';
import { libraryOf, loadFrom, rootAt } from '../../../test/support/library.ts';

const found = async (...names: readonly string[]): Promise<readonly string[]> => {
  const snapshot = await loadFrom(libraryOf(names.map((name) => `/user/${name}`)), {
    roots: [rootAt('/user', 'user')],
  });
  return snapshot.diagnostics.filter(({ code }) => code === 'NAME_LOOKALIKE').map(({ path }) => path);
};

describe('findLookAlikes', () => {
  it.each([
    ['Cyrillic letters', 'p\u0430ypal', 'paypal'],
    ['Greek letters', 'n\u03bfte', 'note'],
    ['capitals', 'Review-Diff', 'review-diff'],
    ['Cyrillic capitals', '\u0422est-fix', 'test-fix'],
    ['full width letters', '\uff54ides', 'tides'],
    ['a hyphen that cannot break', 'review\u2011diff', 'review-diff'],
  ])('points at %s', async (_, odd, plain) => {
    expect(await found(plain, odd)).toEqual([`/user/${odd}/SKILL.md`]);
  });

  it('compares names of which none is plain', async () => {
    expect(
      await found('\u0412\u0430\u0441\u044f', '\u0432\u0430\u0441\u044f', 'Tides', 'TIDES'),
    ).toHaveLength(2);
  });

  it('says nothing where names differ, also by a digit that resembles a letter', async () => {
    expect(await found('tides', 't1des', 'tide5', 'Ebb', 'fl\u00f6w', 'flow', '\u6f6e')).toEqual([]);
  });

  it('names both, and keeps both', async () => {
    const snapshot = await loadFrom(libraryOf(['/user/tides', '/user/Tides']), {
      roots: [rootAt('/user', 'user')],
    });
    expect(snapshot.skills.map(({ name }) => name)).toEqual(['Tides', 'tides']);
    expect(snapshot.diagnostics).toEqual([
      {
        code: 'NAME_LOOKALIKE',
        severity: 'warning',
        path: '/user/Tides/SKILL.md',
        span: null,
        message: 'the name "Tides" looks like "tides" of /user/tides/SKILL.md, but is another',
        hint: 'rename one of them, or remove the one you do not know',
      },
    ]);
  });
});
