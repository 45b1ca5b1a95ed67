// The current skills of a process, the matchers over them, and notice of every change.
//
//   SkillLibrary -> SkillStore { snapshot, matcher, watch, refresh, onChange }
//
// The disk is read on opening, on `refresh`, and on changes once it is watched; a failed read keeps the old snapshot.
// A matcher belongs to its snapshot: it is made for the first message or by `prepare`, and freed with the snapshot.
// Listeners are called after `snapshot` has changed.
import type { MatchResult } from '../match/match.ts';
import type { Matcher } from '../match/match.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { SkillWatch } from '../registry/watch/watch.ts';
import type { SkillLibrary } from './open-skills.ts';

/** Makes the matcher over a snapshot; `null` is one that never matches. */
export interface OpenMatcher {
  (snapshot: Snapshot): Promise<Matcher | null>;
  /** Called when the store closes. */
  close?(): Promise<void>;
}

const nothing: MatchResult = { matches: [], abstained: null, candidates: [] };

interface SkillStoreOptions {
  readonly library: Pick<SkillLibrary, 'load' | 'watch'>;
  readonly openMatcher: OpenMatcher;
  /** The snapshot, if it is known already. Default: the disk is read. */
  readonly snapshot?: Snapshot;
  /** Whether the disk is watched from the start. Default: only once `watch` is called. */
  readonly watch?: boolean;
  /** Called when the skills cannot be read again. Must not throw. Default: none. */
  readonly onWarning?: (message: string) => void;
}

export async function openSkillStore({
  library,
  openMatcher,
  snapshot,
  watch = false,
  onWarning = () => {},
}: SkillStoreOptions): Promise<SkillStore> {
  const store = new SkillStore(library, openMatcher, onWarning, snapshot ?? null);
  if (watch) await store.watch();
  else if (snapshot === undefined) await store.refresh();
  return store;
}

export class SkillStore {
  readonly #library: Pick<SkillLibrary, 'load' | 'watch'>;
  readonly #openMatcher: OpenMatcher;
  readonly #onWarning: (message: string) => void;
  readonly #matchers = new WeakMap<Snapshot, Promise<Matcher | null>>();
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  #loaded: Snapshot | null = null;
  #watching: Promise<SkillWatch> | null = null;
  #watch: SkillWatch | null = null;

  /** Stores are made by `openSkillStore`. */
  constructor(
    library: Pick<SkillLibrary, 'load' | 'watch'>,
    openMatcher: OpenMatcher,
    onWarning: (message: string) => void,
    loaded: Snapshot | null,
  ) {
    this.#library = library;
    this.#openMatcher = openMatcher;
    this.#onWarning = onWarning;
    this.#loaded = loaded;
  }

  get snapshot(): Snapshot {
    return this.#watch?.snapshot ?? (this.#loaded as Snapshot);
  }

  /** For a session over `snapshot`. */
  matcher(snapshot: Snapshot): Matcher {
    return {
      match: async (message, options) =>
        (await this.#matcherOf(snapshot))?.match(message, options) ?? nothing,
    };
  }

  /** Makes the matcher of the skills there are now, so that the next message need not wait for it. */
  async prepare(): Promise<void> {
    await this.#matcherOf(this.snapshot);
  }

  /** Must not throw. Returns how to stop listening. */
  onChange(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** From now on changes on disk are noticed. The same watch each time. */
  watch(): Promise<SkillWatch> {
    this.#watching ??= this.#library.watch().then(
      (watch) => this.#follow(watch),
      (error: unknown) => {
        this.#watching = null;
        throw error;
      },
    );
    return this.#watching;
  }

  async refresh(): Promise<Snapshot> {
    if (this.#watching !== null) return (await this.#watching).refresh();
    const before = this.#loaded;
    this.#loaded = await this.#library.load();
    if (before !== null) this.#notify(this.#loaded);
    return this.#loaded;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    const watch = await this.#watching?.catch(() => null);
    await watch?.close();
    await this.#openMatcher.close?.();
  }

  #follow(watch: SkillWatch): SkillWatch {
    const before = this.#loaded;
    this.#watch = watch;
    watch.on((event) => {
      if (event.type === 'snapshot.replaced') this.#notify(event.snapshot);
      if (event.type === 'snapshot.failed')
        this.#onWarning(`the skills cannot be read again: ${String(event.error)}`);
    });
    // The watch has looked at the disk once more.
    if (before !== null) this.#notify(watch.snapshot);
    return watch;
  }

  #notify(snapshot: Snapshot): void {
    for (const listener of this.#listeners) listener(snapshot);
  }

  #matcherOf(snapshot: Snapshot): Promise<Matcher | null> {
    const known = this.#matchers.get(snapshot);
    if (known !== undefined) return known;
    const made = this.#openMatcher(snapshot);
    this.#matchers.set(snapshot, made);
    // The next message tries again.
    made.catch(() => this.#matchers.delete(snapshot));
    return made;
  }
}
