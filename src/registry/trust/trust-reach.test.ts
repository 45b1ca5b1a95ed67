import { describe, expect, it } from 'vitest';
import { trustReaches } from './trust-store.ts';

describe('trustReaches', () => {
  it.each<[string, string | null]>([
    ['/w/.techne/skills/tides', '/w'],
    ['/w/.github/skills/tides', '/w'],
    ['/w/skills/tides', '/w'],
    ['/w/skills/tides', '/w/'],
    ['/w/skills/tides', null],
    ['/w', null],
    ['/w/.techne/skills/pack/.claude/skills/tides', '/w'],
  ])('reaches %s of the workspace %s', (place, workspace) => {
    expect(trustReaches('/w', place, { workspace, configured: null })).toBe(true);
  });

  it.each<[string, string | null]>([
    ['/w/sub/.techne/skills/planted', '/w/sub'],
    ['/w/sub/.techne/skills/planted', null],
    ['/w/a/b/.CLAUDE/skills/planted', null],
    ['/w/sub/.github/skills/planted', null],
    ['/w/sub/skills/planted', '/w/sub'],
    ['/w2/.techne/skills/tides', '/w2'],
  ])('does not reach %s of the workspace %s', (place, workspace) => {
    expect(trustReaches('/w', place, { workspace, configured: null })).toBe(false);
  });

  it('reaches what is in a folder of a workspace that alone is trusted', () => {
    expect(
      trustReaches('/w/skills/mine', '/w/skills/mine/tides', { workspace: '/w', configured: null }),
    ).toBe(true);
    expect(
      trustReaches('/w/.techne/skills', '/w/.techne/skills/tides', { workspace: '/w', configured: null }),
    ).toBe(true);
  });

  describe('for a root that is configured', () => {
    const root = '/w/packages/a/.claude/skills';
    const found = (place: string, workspace: string, within: string | null = workspace): boolean =>
      trustReaches('/w', place, { workspace: within, configured: { root, workspace } });

    it('reaches what it holds, when it is configured for the trusted workspace', () => {
      expect([
        found(`${root}/pa`, '/w'),
        found(`${root}/pa`, '/w/'),
        found(`${root}/pa`, '/w', null),
        found(`${root}/pack/pa`, '/w'),
      ]).toEqual([true, true, true, true]);
    });

    it('reaches neither what lies beside it, nor another workspace in it, nor a root that another workspace configures', () => {
      expect(found('/w/packages/b/.claude/skills/planted', '/w')).toBe(false);
      expect(found(`${root}/cloned/.techne/skills/planted`, '/w')).toBe(false);
      expect([
        found(`${root}/pa`, '/w/packages/a'),
        found(`${root}/pa`, '/w/packages/a', null),
        found(`${root}/pa`, '/other', null),
      ]).toEqual([false, false, false]);
      expect(
        trustReaches('/w/packages', `${root}/pa`, { workspace: '/w', configured: { root, workspace: '/w' } }),
      ).toBe(false);
    });
  });
});
