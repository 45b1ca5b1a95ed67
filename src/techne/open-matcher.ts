// The matcher over a snapshot, for commands, the MCP server and programs that embed techne.
//
// It covers what a conversation has: skills that the model may start are suggested, those that only people start
// match by name, and all others are left out; `suggests` widens it. It matches by words, and by meaning if the
// configuration names an endpoint for embeddings; an endpoint that fails is reported, and words alone decide. A body
// that cannot be read is matched by its head.
//
// An opener makes each matcher from the one before, so a reload reads, indexes and embeds only changed skills;
// matchers of earlier snapshots stay as they were. A skill is unchanged if its SKILL.md is, except if it was written
// just before it was read: a second write could be missed. Unused words stay in an index, so after very many changes
// a new one is made. A waiting match keeps the process alive; background embedding does not. The embedder is shared
// by all indexes of an opener and closes with it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TechneError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { Config } from '../config/types.ts';
import { matchDocument } from '../match/document.ts';
import type { FusedMatcher, FusedMatcherView, WordMatcher } from '../match/matcher.ts';
import { createFusedMatcher, createMatcher } from '../match/matcher.ts';
import type { Matcher } from '../match/match.ts';
import type { UnreadySkills } from '../match/explicit/find-unready.ts';
import { tellUnready } from '../match/explicit/find-unready.ts';
import { sameSignature } from '../registry/discover/found-skill.ts';
import { racyNs } from '../registry/cache/head-index.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import { nodeClock } from '../node/environment.ts';
import type { Environment } from '../ports/environment.ts';
import { openEmbedder } from '../node/embed/open-embedder.ts';
import type { Embedder } from '../ports/embedder.ts';

/** How long a message of a conversation waits for skills that are embedded first: until then words alone match. */
const mostWaitMs = 2_000;
/** How many bodies are read at a time. */
const concurrentReads = 32;

export interface OpenMatcherOptions {
  /**
   * What may be found by triggers and words. `offered`: what a conversation suggests. `startable`: also what only people start.
   * `all`: also what cannot be started here. Default: `offered`.
   */
  readonly suggests?: 'offered' | 'startable' | 'all';
  /** With `match.embeddings`: whose variables hold the key, and in whose home vectors are kept. Default: none, and nowhere. */
  readonly environment?: Pick<Environment, 'variables' | 'homeFolder'> | null;
  /** Whether a message waits until all skills are embedded, however long that takes. Default: `false`. */
  readonly waits?: boolean;
  /** Reads after which a new index is made. Default: 10,000. */
  readonly mostReads?: number;
  /** Called with the reason why meaning is not used. Default: none. */
  readonly onNotice?: (text: string) => void;
}

type Suggests = NonNullable<OpenMatcherOptions['suggests']>;

/** For one snapshot, and a command that has time. */
export function openMatcher(snapshot: Snapshot, options: OpenMatcherOptions = {}): Promise<Matcher> {
  return createMatcherOpener({ waits: true, ...options })(snapshot);
}

/** For several snapshots, in any order. */
export interface MatcherOpener {
  (snapshot: Snapshot): Promise<Matcher>;
  /** Nothing is matched any more. */
  close(): Promise<void>;
}

export function createMatcherOpener({
  suggests = 'offered',
  environment = null,
  waits = false,
  mostReads = 10_000,
  onNotice = () => undefined,
}: OpenMatcherOptions = {}): MatcherOpener {
  let index: SnapshotIndex | null = null;
  let embedding: { readonly key: string; readonly embedder: Embedder | null } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  /** One for all indexes of the opener. */
  const embedderFor = (embeddings: Config['match']['embeddings']): Embedder | null => {
    const key = canonicalJson(embeddings as unknown as Json);
    if (embedding?.key === key) return embedding.embedder;
    const { embedder, notices } = openEmbedder(embeddings, {
      variables: environment?.variables ?? {},
      cacheFolder: environment === null ? null : join(environment.homeFolder, '.techne', 'cache'),
      onMany: (count, name) =>
        onNotice(`${name} embeds ${count} texts first; they are kept for the next time`),
    });
    for (const notice of notices) onNotice(notice);
    void embedding?.embedder?.close?.();
    embedding = { key, embedder };
    return embedder;
  };
  const open = (snapshot: Snapshot): Promise<Matcher> => {
    const opened = last.then(() => {
      const { match } = snapshot.config;
      if (
        index === null ||
        index.read > mostReads + 20 * index.size ||
        canonicalJson(index.config as unknown as Json) !== canonicalJson(match as unknown as Json)
      )
        index = new SnapshotIndex(match, { embedder: embedderFor(match.embeddings), waits, onNotice });
      return index.viewOf(snapshot, suggests);
    });
    last = opened.catch(() => undefined);
    return opened;
  };
  return Object.assign(open, { close: async () => embedding?.embedder?.close?.() });
}

/** A waiting match keeps the process alive. */
function keepingAlive(view: FusedMatcherView): Matcher {
  return {
    async match(message, options) {
      const hold = setInterval(() => undefined, 60_000);
      try {
        return await view.match(message, options);
      } finally {
        clearInterval(hold);
      }
    },
  };
}

interface Indexed {
  readonly skill: Skill;
  /** It was read whole, and long enough after it was written. */
  readonly settled: boolean;
}

class SnapshotIndex {
  readonly config: Config['match'];
  readonly #matcher: WordMatcher | FusedMatcher;
  readonly #isFused: boolean;
  /** Skills that were read since the index was made. */
  read = 0;
  /** Kept skill by skill, so that a move that fails half-way is made up for by the next one. */
  readonly #indexed = new Map<string, Indexed>();

  constructor(
    config: Config['match'],
    {
      embedder,
      waits,
      onNotice,
    }: {
      readonly embedder: Embedder | null;
      readonly waits: boolean;
      readonly onNotice: (text: string) => void;
    },
  ) {
    const leastConfidence = config.leastConfidence / 100;
    const onFailure = (failed: { readonly embedder: string; readonly reason: string }): void =>
      onNotice(
        `words alone were matched: ${failed.reason.startsWith(failed.embedder.split(' ', 1)[0] as string) ? '' : `${failed.embedder}: `}${failed.reason}`,
      );
    this.config = config;
    this.#isFused = embedder !== null;
    this.#matcher =
      embedder === null
        ? createMatcher({ leastConfidence })
        : createFusedMatcher({
            embedder,
            leastConfidence,
            onFailure,
            patience: waits ? null : () => sleep(mostWaitMs, undefined, { ref: false }),
          });
  }

  get size(): number {
    return this.#indexed.size;
  }

  async viewOf(snapshot: Snapshot, suggests: Suggests): Promise<Matcher> {
    const asked = suggests === 'all' ? snapshot.skills : startable(snapshot);
    const names = new Set(asked.map(({ name }) => name));
    for (const name of this.#indexed.keys()) {
      if (names.has(name)) continue;
      this.#matcher.remove(name);
      this.#indexed.delete(name);
    }
    const changed = asked.filter((skill) => !isSame(this.#indexed.get(skill.name), skill));
    for (let from = 0; from < changed.length; from += concurrentReads) {
      const part = changed.slice(from, from + concurrentReads);
      const isSuggested = ({ card }: Skill): boolean => suggests !== 'offered' || card.invocation.model;
      // The body of what is called by name alone is not looked at.
      const bodies = await Promise.all(
        part.map((skill) => (isSuggested(skill) ? bodyOf(snapshot, skill) : Promise.resolve(''))),
      );
      const nowNs = nodeClock.nowNs();
      for (const [at, skill] of part.entries()) {
        const body = bodies[at] ?? null;
        this.#matcher.set(
          matchDocument(skill.head, body ?? '', {
            user: skill.card.invocation.user,
            model: isSuggested(skill),
          }),
        );
        this.read += 1;
        this.#indexed.set(skill.name, {
          skill,
          settled: body !== null && skill.signature.ctimeNs + racyNs < nowNs,
        });
      }
    }
    const view: Matcher = this.#isFused
      ? keepingAlive((this.#matcher as FusedMatcher).view())
      : this.#matcher.view();
    const unready = suggests === 'all' ? none : unreadyIn(snapshot);
    return unready.size === 0 ? view : tellingUnready(view, unready);
  }
}

const none: UnreadySkills = new Map();

/** Those that neither people nor a model may start here, with the reason. */
function unreadyIn(snapshot: Snapshot): UnreadySkills {
  return new Map(
    snapshot.skills.flatMap((skill) => {
      const { ready, visibleToUser, visibleToModel } = snapshot.facts(skill);
      if (visibleToUser.ok || visibleToModel.ok) return [];
      const [reason] = [...ready.reasons, ...visibleToUser.reasons];
      return [[skill.name, reason?.message ?? 'it is not ready'] as const];
    }),
  );
}

function tellingUnready(view: Matcher, unready: UnreadySkills): Matcher {
  return {
    match: async (message, options) => tellUnready(await view.match(message, options), message, unready),
  };
}

function startable(snapshot: Snapshot): readonly Skill[] {
  return snapshot.skills.filter((skill) => {
    const { visibleToUser, visibleToModel } = snapshot.facts(skill);
    return visibleToUser.ok || visibleToModel.ok;
  });
}

function isSame(indexed: Indexed | undefined, { folder, realFolder, signature }: Skill): boolean {
  if (indexed === undefined || !indexed.settled) return false;
  const { skill } = indexed;
  return (
    skill.folder === folder && skill.realFolder === realFolder && sameSignature(skill.signature, signature)
  );
}

/** null if it cannot be read. */
async function bodyOf(snapshot: Snapshot, { name }: Skill): Promise<string | null> {
  try {
    return (await snapshot.readBody(name)).text;
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}
