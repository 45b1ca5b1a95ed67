import { describe, expect, it } from 'vitest';
import { libraryOf, loadFrom, rootAt, skillText } from '../../../test/support/library.ts';
import type { Snapshot } from '../snapshot.ts';

const roots = [
  rootAt('/builtin', 'builtin'),
  rootAt('/plugin', 'plugin'),
  rootAt('/user', 'user'),
  rootAt('/user2', 'user'),
  rootAt('/ws', 'workspace'),
];
const everywhere = ['/builtin/tides', '/plugin/tides', '/user/tides', '/user2/tides', '/ws/tides'];
const shadows = (snapshot: Snapshot): unknown =>
  snapshot.shadowed.map(({ skill, winner, reason }) => [skill.folder, winner.folder, reason]);

const winner = async (
  precedence: 'claude' | readonly ('builtin' | 'plugin' | 'user' | 'workspace')[],
): Promise<string> =>
  (await loadFrom(libraryOf(everywhere), { roots, config: { precedence } })).get('tides').folder;

describe('chooseWinners', () => {
  it('takes the highest source, then the earlier root, and records the others with the reason', async () => {
    const snapshot = await loadFrom(libraryOf(everywhere), { roots });
    expect(snapshot.get('tides').folder).toBe('/ws/tides');
    expect(shadows(snapshot)).toEqual([
      ['/user/tides', '/ws/tides', 'workspace comes before user'],
      ['/user2/tides', '/ws/tides', 'workspace comes before user'],
      ['/plugin/tides', '/ws/tides', 'workspace comes before plugin'],
      ['/builtin/tides', '/ws/tides', 'workspace comes before builtin'],
    ]);
    expect(snapshot.diagnostics[0]).toEqual({
      code: 'SKILL_SHADOWED',
      severity: 'info',
      path: '/builtin/tides/SKILL.md',
      span: null,
      message: '"tides" is taken from /ws/tides/SKILL.md: workspace comes before builtin',
      hint: null,
    });
  });

  it('follows the profile, or the order given', async () => {
    expect(await winner('claude')).toBe('/user/tides');
    expect(await winner(['workspace', 'user', 'plugin', 'builtin'])).toBe('/builtin/tides');
  });

  it('takes the first by path within one root', async () => {
    const snapshot = await loadFrom(libraryOf(['/user/b/tides', '/user/a/tides']), { roots });
    expect(shadows(snapshot)).toEqual([
      ['/user/b/tides', '/user/a/tides', 'it comes first in the same root'],
    ]);
  });

  it('does not let an invalid or ineligible skill hide a usable one, and says so', async () => {
    const files = libraryOf(['/builtin/tides']);
    files.write('/ws/tides/SKILL.md', '');
    files.write('/user/tides/SKILL.md', skillText('tides', 'requires:\n  bins: [moonctl]\n'));
    const snapshot = await loadFrom(files, { roots });
    expect(snapshot.get('tides').folder).toBe('/builtin/tides');
    expect(snapshot.diagnostics.map(({ code, path, message }) => [code, path, message])).toEqual([
      [
        'SKILL_WINNER_UNUSABLE',
        '/user/tides/SKILL.md',
        'unusable (the program "moonctl" is not on PATH), so "tides" is taken from /builtin/tides/SKILL.md',
      ],
      [
        'SKILL_WINNER_UNUSABLE',
        '/ws/tides/SKILL.md',
        'unusable (SKILL.md has no content), so "tides" is taken from /builtin/tides/SKILL.md',
      ],
    ]);
  });

  it('keeps the first one where none is usable', async () => {
    const files = libraryOf([]);
    files.write('/ws/tides/SKILL.md', '');
    files.write('/user/tides/SKILL.md', '');
    const snapshot = await loadFrom(files, { roots });
    expect(snapshot.get('tides').folder).toBe('/ws/tides');
    expect(snapshot.facts(snapshot.get('tides')).ready.reasons.map(({ code }) => code)).toEqual(['INVALID']);
  });
});
