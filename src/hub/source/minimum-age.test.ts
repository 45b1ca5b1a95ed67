import { describe, expect, it } from 'vitest';
import { judgeAge } from './minimum-age.ts';
import type { Resolved } from './source.ts';

const nowMs = Date.parse('2026-06-02T12:00:00Z');
const commit = (committedAt: string | null): Resolved => ({
  kind: 'git',
  url: 'u',
  ref: null,
  commit: 'c',
  path: null,
  committedAt,
});
const longAgo = '2026-01-01T00:00:00.000Z';
const judge = (resolved: Resolved, minimumHours = 24, pinned = false, firstSeen = longAgo): unknown =>
  judgeAge(resolved, { nowMs, minimumHours, firstSeen, pinned });

describe('judgeAge', () => {
  it('lets pass what is old enough, and says how long to wait for the rest', () => {
    expect(judge(commit('2026-06-01T12:00:00.000Z'))).toEqual({ ok: true, reason: 'old-enough' });
    expect(judge(commit('2026-06-01T12:00:01.000Z'))).toEqual({
      ok: false,
      what: 'commit c',
      since: '2026-06-01T12:00:01.000Z',
      isFirstSeen: false,
      until: '2026-06-02T12:00:01.000Z',
    });
  });

  it('counts from when it was first seen, if that is later than what the source says', () => {
    const seen = '2026-06-02T11:00:00.000Z';
    const since = { ok: false, since: seen, isFirstSeen: true, until: '2026-06-03T11:00:00.000Z' };
    expect(judge(commit('2020-01-01T00:00:00.000Z'), 24, false, seen)).toEqual({
      what: 'commit c',
      ...since,
    });
    expect(judge(commit(null), 24, false, seen)).toEqual({ what: 'commit c', ...since });
    const site: Resolved = {
      kind: 'well-known',
      index: 'i',
      url: 'u',
      digest: 'd',
      version: null,
      publishedAt: null,
      publisher: null,
    };
    expect(judge(site, 24, false, seen)).toEqual({ what: 'version d', ...since });
    expect(judge(site)).toEqual({ ok: true, reason: 'old-enough' });
  });

  it('takes a time in the future for new', () => {
    expect(judge(commit('2027-01-01T00:00:00.000Z'))).toMatchObject({
      ok: false,
      until: '2027-01-02T00:00:00.000Z',
    });
  });

  it('can be switched off, and asks nothing of what has no age or was chosen by its id', () => {
    expect(judge(commit(null), 0)).toEqual({ ok: true, reason: 'off' });
    expect(judge(commit(null), 24, true)).toEqual({ ok: true, reason: 'no-age' });
    expect(judge({ kind: 'folder', path: '/x' })).toEqual({ ok: true, reason: 'no-age' });
    const npm: Resolved = {
      kind: 'npm',
      name: 'n',
      version: '1.0.0',
      integrity: 'i',
      tarball: 't',
      publishedAt: '2026-06-02T11:00:00.000Z',
    };
    expect(judge(npm)).toMatchObject({ ok: false, what: 'version 1.0.0' });
  });
});
