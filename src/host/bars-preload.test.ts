import { describe, expect, it } from 'vitest';
import { openSession } from '../../test/support/session.ts';
import { createPreloadBar } from './bars-preload.ts';

describe('createPreloadBar', () => {
  it('bars what nobody vouches for in the snapshot of the session, and what is not in it', async () => {
    const { snapshot } = await openSession({ 'workspace/evil': {}, 'workspace/good': {}, mine: {} });
    const { snapshot: other } = await openSession({});
    const asked: unknown[] = [];
    const bars = createPreloadBar({ isTrusted: async (of, { name }) => (asked.push(of), name === 'good') });
    const reason = (name: string): string => `nobody vouches for it; "techne trust ${name}" does, and prompt.preload can name it`;
    expect(await Promise.all(['evil', 'good', 'mine'].map((name) => bars(snapshot.get(name), snapshot)))).toEqual([reason('evil'), null, null]);
    expect(asked).toEqual([snapshot, snapshot]);
    expect(await bars(snapshot.get('good'), other)).toBe(reason('good'));
  });
});
