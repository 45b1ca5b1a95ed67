import { describe, expect, it } from 'vitest';
import { openSession } from '../../test/support/session.ts';
import { createUntrustedCheck } from './untrusted-check.ts';

describe('createUntrustedCheck', () => {
  it('checks the trust of the skills in the snapshot once, and takes every other skill for untrusted', async () => {
    const { snapshot } = await openSession({ 'workspace/evil': {}, 'workspace/good': {}, mine: {} });
    const { snapshot: other } = await openSession({});
    const asked: unknown[] = [];
    const isUntrusted = createUntrustedCheck({
      findTrusted: async (of, skills) => {
        asked.push([of, skills.map(({ name }) => name)]);
        return new Set(skills.filter(({ name }) => name === 'good'));
      },
    });
    expect(
      await Promise.all(['evil', 'good', 'mine'].map((name) => isUntrusted(snapshot.get(name), snapshot))),
    ).toEqual([true, false, false]);
    expect(asked).toEqual([[snapshot, ['evil', 'good']]]);
    expect(await isUntrusted(snapshot.get('good'), other)).toBe(true);
  });
});
