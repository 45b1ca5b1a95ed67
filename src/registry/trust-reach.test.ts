import { describe, expect, it } from 'vitest';
import { trustReaches } from './trust-reach.ts';

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
    expect(trustReaches('/w', place, workspace)).toBe(true);
  });

  it.each<[string, string | null]>([
    ['/w/sub/.techne/skills/planted', '/w/sub'],
    ['/w/sub/.techne/skills/planted', null],
    ['/w/a/b/.CLAUDE/skills/planted', null],
    ['/w/sub/.github/skills/planted', null],
    ['/w/sub/skills/planted', '/w/sub'],
    ['/w2/.techne/skills/tides', '/w2'],
  ])('does not reach %s of the workspace %s', (place, workspace) => {
    expect(trustReaches('/w', place, workspace)).toBe(false);
  });

  it('reaches what is in a folder of a workspace that alone is trusted', () => {
    expect(trustReaches('/w/skills/mine', '/w/skills/mine/tides', '/w')).toBe(true);
    expect(trustReaches('/w/.techne/skills', '/w/.techne/skills/tides', '/w')).toBe(true);
  });
});
