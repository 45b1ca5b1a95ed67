// Search over the configured hubs for many who ask: each index is read once in a while, and by one request at a time.
import type { HubHit } from '../../hub/search/search-hubs.ts';
import { searchHubs } from '../../hub/search/search-hubs.ts';
import type { HubsOptions, ReadHubs } from '../publish/open-hubs.ts';
import { openHubs } from '../publish/open-hubs.ts';
import type { SkillLibrary } from '../open-skills.ts';

export interface ServedSearch extends ReadHubs {
  readonly hits: readonly HubHit[];
  /** When the indexes were read. */
  readonly readAt: number;
}

const keptMs = 60_000;
/** A person waits for it. */
const limits = { idleMs: 8_000, totalMs: 20_000, documentBytes: 8 * 1024 * 1024 };

export interface HubSearcher {
  /** `hub.indexes` of the configuration. */
  readonly indexes: readonly string[];
  /** `fresh`: the indexes are read now. */
  search(query: string, fresh: boolean): Promise<ServedSearch>;
}

export function createHubSearcher(
  library: SkillLibrary,
  options: Omit<HubsOptions, 'limits'> & { readonly nowMs: () => number },
): HubSearcher {
  const { indexes } = library.loaded.config.hub;
  const hubs = openHubs(library, { ...options, limits });
  const { nowMs } = options;
  let kept: { readonly at: number; readonly read: Promise<ReadHubs>; isDone: boolean } | null = null;
  const read = (fresh: boolean): NonNullable<typeof kept> => {
    if (kept !== null && (!kept.isDone || (!fresh && nowMs() - kept.at < keptMs))) return kept;
    const now = { at: nowMs(), read: hubs.read(indexes), isDone: false };
    kept = now;
    const forget = (): void => {
      if (kept === now) kept = null;
    };
    void (async () => {
      try {
        const { failures } = await now.read;
        now.isDone = true;
        // What could not be read is tried again with the next request.
        if (failures.length > 0) forget();
      } catch {
        // Whoever asked is told.
        forget();
      }
    })();
    return now;
  };
  return {
    indexes,
    async search(query, fresh) {
      const found = read(fresh);
      const { hubs: known, failures } = await found.read;
      return { hubs: known, failures, hits: searchHubs(known, query), readAt: found.at };
    },
  };
}
