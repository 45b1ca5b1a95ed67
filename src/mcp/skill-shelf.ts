// The skills that a server has now, and word of every change.
//
//   SkillLibrary -> Shelf { snapshot, matcher } -> listeners, after each reload
//
// H1. Snapshot and matcher belong together: they are replaced at once.
// H2. A reload that fails leaves what there was.
import type { SkillLibrary } from '../host/open-skills.ts';
import type { Matcher } from '../prompt/session-parts.ts';
import type { Snapshot } from '../registry/snapshot.ts';

export type OpenMatcher = (snapshot: Snapshot) => Promise<Matcher | null>;

export interface ShelfState {
  readonly snapshot: Snapshot;
  readonly matcher: Matcher | null;
}

export interface SkillShelf {
  readonly state: ShelfState;
  /** Must not throw. Returns how to stop listening. */
  onChange(listener: (state: ShelfState) => void): () => void;
  close(): Promise<void>;
}

export interface SkillShelfOptions {
  readonly library: SkillLibrary;
  readonly openMatcher: OpenMatcher;
  /** Whether the disk is watched. */
  readonly watch: boolean;
  readonly onWarning: (message: string) => void;
}

export async function openSkillShelf({ library, openMatcher, watch, onWarning }: SkillShelfOptions): Promise<SkillShelf> {
  const watching = watch ? await library.watch() : null;
  const first = watching?.snapshot ?? (await library.load());
  let state: ShelfState = { snapshot: first, matcher: await openMatcher(first) };
  let closed = false;
  let moving = Promise.resolve();
  const listeners = new Set<(state: ShelfState) => void>();
  const move = async (snapshot: Snapshot): Promise<void> => {
    if (closed) return;
    try {
      state = { snapshot, matcher: await openMatcher(snapshot) };
    } catch (error) {
      onWarning(`the skills changed and cannot be indexed: ${String(error)}`);
      return;
    }
    for (const listener of listeners) listener(state);
  };
  watching?.on((event) => {
    if (event.type === 'snapshot.replaced') moving = moving.then(() => move(event.snapshot));
    if (event.type === 'snapshot.failed') onWarning(`the skills cannot be read again: ${String(event.error)}`);
  });
  return {
    get state() {
      return state;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      listeners.clear();
      await watching?.close();
      await moving;
    },
  };
}
