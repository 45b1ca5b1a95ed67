// The skills that a program has now, and the matchers over them.
//
//   SkillLibrary -> SkillDesk { snapshot, matcher, watch, refresh }
//
// H1. The disk is looked at when it is opened, when `refresh` is called, and by itself once it is watched.
// H2. A matcher belongs to its snapshot. It is made when the first message is matched, and goes when nobody holds the snapshot.
import type { MatchResult } from '../match/match.ts';
import type { Matcher } from '../prompt/session-parts.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { SkillWatch } from '../registry/watch.ts';
import type { SkillLibrary } from './open-skills.ts';

/** Makes the matcher over a snapshot; `null` is one that never matches. */
export type OpenMatcher = (snapshot: Snapshot) => Promise<Matcher | null>;

const nothing: MatchResult = { matches: [], abstained: null, candidates: [] };

export async function openSkillDesk(library: Pick<SkillLibrary, 'load' | 'watch'>, openMatcher: OpenMatcher): Promise<SkillDesk> {
  return new SkillDesk(library, openMatcher, await library.load());
}

export class SkillDesk {
  readonly #library: Pick<SkillLibrary, 'load' | 'watch'>;
  readonly #openMatcher: OpenMatcher;
  readonly #matchers = new WeakMap<Snapshot, Promise<Matcher | null>>();
  #loaded: Snapshot;
  #watching: Promise<SkillWatch> | null = null;
  #watch: SkillWatch | null = null;

  /** Desks come from `openSkillDesk`. */
  constructor(library: Pick<SkillLibrary, 'load' | 'watch'>, openMatcher: OpenMatcher, first: Snapshot) {
    this.#library = library;
    this.#openMatcher = openMatcher;
    this.#loaded = first;
  }

  get snapshot(): Snapshot {
    return this.#watch?.snapshot ?? this.#loaded;
  }

  /** For a session over `snapshot` (H2). */
  matcher(snapshot: Snapshot): Matcher {
    return { match: async (message, options) => (await this.#matcherOf(snapshot))?.match(message, options) ?? nothing };
  }

  /** From now on what changes on disk is noticed. The same watch each time. */
  watch(): Promise<SkillWatch> {
    this.#watching ??= this.#library.watch().then(
      (watch) => (this.#watch = watch),
      (error: unknown) => {
        this.#watching = null;
        throw error;
      },
    );
    return this.#watching;
  }

  async refresh(): Promise<Snapshot> {
    if (this.#watching !== null) return (await this.#watching).refresh();
    this.#loaded = await this.#library.load();
    return this.#loaded;
  }

  async close(): Promise<void> {
    const watch = await this.#watching?.catch(() => null);
    await watch?.close();
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
