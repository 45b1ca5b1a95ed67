import { describe, expect, it } from 'vitest';
import { filesOf, loadSkills, textOf } from '../../test/support/session.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { SkillWatch, WatchEvent } from '../registry/watch/watch.ts';
import { createMatcherOpener } from './open-matcher.ts';
import { openSkillStore } from './skill-store.ts';

/** A library in memory, whose watch says what it is told to. */
function world() {
  const files = filesOf({
    tides: { description: 'Say when the water is high.' },
    whales: { description: 'Watch whales from the shore.' },
    winds: { description: 'Tell where the wind blows.' },
  });
  const listeners = new Set<(event: WatchEvent) => void>();
  const watched: { snapshot: Snapshot | null; closed: boolean } = { snapshot: null, closed: false };
  const watch = async (): Promise<SkillWatch> => {
    watched.snapshot = await loadSkills(files);
    return {
      get snapshot() {
        return watched.snapshot as Snapshot;
      },
      degraded: false,
      on: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
      async refresh() {
        await notice();
        return watched.snapshot as Snapshot;
      },
      async close() {
        watched.closed = true;
      },
    };
  };
  const emit = (event: WatchEvent): void => listeners.forEach((listener) => listener(event));
  const notice = async (): Promise<void> => {
    const before = watched.snapshot as Snapshot;
    const snapshot = await loadSkills(files);
    watched.snapshot = snapshot;
    emit({
      type: 'snapshot.replaced',
      snapshot,
      before,
      changes: { added: [], changed: [], removed: [], kept: [] },
    });
  };
  return { files, watched, emit, notice, library: { load: () => loadSkills(files), watch } };
}

describe('SkillStore', () => {
  it('tells of every change, with the new skills in place', async () => {
    const { library, notice } = world();
    const store = await openSkillStore({ library, openMatcher: async () => null });
    const told: boolean[] = [];
    const stop = store.onChange((snapshot) => told.push(snapshot === store.snapshot));
    await store.refresh();
    await store.watch();
    await notice();
    await store.refresh();
    expect(told).toEqual([true, true, true, true]);
    stop();
    await notice();
    expect(told).toHaveLength(4);
  });

  it('keeps what there was when the disk cannot be read, and warns', async () => {
    const { library, emit, watched } = world();
    const warnings: string[] = [];
    const store = await openSkillStore({
      library,
      openMatcher: async () => null,
      watch: true,
      onWarning: (message) => warnings.push(message),
    });
    const { snapshot } = store;
    emit({ type: 'snapshot.failed', error: new Error('no disk') });
    expect([store.snapshot === snapshot, warnings]).toEqual([
      true,
      ['the skills cannot be read again: Error: no disk'],
    ]);
    await store.close();
    expect(watched.closed).toBe(true);
  });

  it('makes a matcher once for each snapshot, and leaves those of older ones as they were', async () => {
    const { library, files, notice } = world();
    const opened: Snapshot[] = [];
    const open = createMatcherOpener();
    const store = await openSkillStore({
      library,
      openMatcher: (snapshot) => (opened.push(snapshot), open(snapshot)),
      watch: true,
    });
    const first = store.matcher(store.snapshot);
    const message = 'when is the water high at the shore?';
    const before = await first.match(message, { limit: 3 });
    await store.prepare();
    files.write(
      '/user/whales/SKILL.md',
      textOf('whales', { description: 'Say when the water is high at the shore for whales.' }),
    );
    await notice();
    const after = await store.matcher(store.snapshot).match(message, { limit: 3 });
    expect(after).not.toEqual(before);
    expect(await first.match(message, { limit: 3 })).toEqual(before);
    expect(opened).toHaveLength(2);
  });

  it('tries again to make a matcher that could not be made', async () => {
    const { library } = world();
    let tries = 0;
    const store = await openSkillStore({
      library,
      openMatcher: async () => {
        tries += 1;
        if (tries === 1) throw new Error('not yet');
        return null;
      },
    });
    await expect(store.prepare()).rejects.toThrow('not yet');
    await store.prepare();
    expect(tries).toBe(2);
  });
});
