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
//
// Words are kept in a file for the next process (`wordsFile`), which then reads what changed since and nothing else. A
// skill is taken from there only if its folder and SKILL.md are those it was read from. A file that is damaged, which may
// show only when a message needs a part of it, is left aside, and the index is built anew.
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
import { addTexts, KeptTexts } from '../match/lexical/image.ts';
import { createNodeFiles } from '../node/files/files.ts';
import type { ImageFile } from '../node/files/image-file.ts';
import { createImageFile, imageChecksum } from '../node/files/image-file.ts';
import { packageVersion } from '../node/package-info.ts';
import { type ColumnBytes, DamagedImage, type KeptImage } from '../ports/image.ts';
import type { FileSignature } from '../ports/files.ts';
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
/** Fewer skills are indexed faster than a file is worth. */
const fewestKept = 200;
/** So many that changed are read in each process rather than written once more, or one of a hundred. */
const fewChanges = 16;

interface OpenMatcherOptions {
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
  /** Where words are kept for the next process, one file for each set of roots and `suggests`. Default: nowhere. */
  readonly wordsFile?: string | null;
  /** Called with the reason why meaning is not used. Default: none. */
  readonly onNotice?: (text: string) => void;
}

type Suggests = NonNullable<OpenMatcherOptions['suggests']>;

/** For one snapshot, and a command that has time. */
export function openMatcher(snapshot: Snapshot, options: OpenMatcherOptions = {}): Promise<Matcher> {
  return createMatcherOpener({ waits: true, ...options })(snapshot);
}

/** For several snapshots, in any order. */
interface MatcherOpener {
  (snapshot: Snapshot): Promise<Matcher>;
  /** Nothing is matched any more. */
  close(): Promise<void>;
}

export function createMatcherOpener({
  suggests = 'offered',
  environment = null,
  waits = false,
  mostReads = 10_000,
  wordsFile = null,
  onNotice = () => undefined,
}: OpenMatcherOptions = {}): MatcherOpener {
  let index: SnapshotIndex | null = null;
  /** Null once it is damaged, or was used. */
  let kept: ImageFile | null =
    wordsFile === null
      ? null
      : createImageFile({ path: wordsFile, files: createNodeFiles(), version: packageVersion() });
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
  const viewOf = async (snapshot: Snapshot): Promise<Matcher> => {
    const { match } = snapshot.config;
    if (
      index === null ||
      index.read > mostReads + 20 * index.size ||
      canonicalJson(index.config as unknown as Json) !== canonicalJson(match as unknown as Json)
    ) {
      const embedder = embedderFor(match.embeddings);
      const file = embedder === null ? kept : null;
      kept = null;
      index = openIndex(match, { embedder, waits, onNotice }, file);
      const view = await index.viewOf(snapshot, suggests);
      if (file !== null && index.isWorthKeeping) await index.keep(file);
      return view;
    }
    return index.viewOf(snapshot, suggests);
  };
  const open = (snapshot: Snapshot): Promise<Matcher> => {
    const opened = last.then(async () => {
      try {
        return againIfDamaged(await viewOf(snapshot), snapshot);
      } catch (error) {
        if (!(error instanceof DamagedImage)) throw error;
        return rebuilt(snapshot);
      }
    });
    last = opened.catch(() => undefined);
    return opened;
  };
  const rebuilt = async (snapshot: Snapshot): Promise<Matcher> => {
    index = null;
    const view = await viewOf(snapshot);
    if (wordsFile !== null && index !== null)
      await (index as SnapshotIndex).keep(
        createImageFile({ path: wordsFile, files: createNodeFiles(), version: packageVersion() }),
      );
    return view;
  };
  /** What is read of the file later may be damaged, too. */
  const againIfDamaged = (view: Matcher, snapshot: Snapshot): Matcher => {
    if (index?.isOpened !== true) return view;
    let now: Promise<Matcher> | null = null;
    return {
      async match(message, options) {
        if (now === null)
          try {
            return await view.match(message, options);
          } catch (error) {
            if (!(error instanceof DamagedImage)) throw error;
          }
        now ??= last.then(() => rebuilt(snapshot));
        last = now.catch(() => undefined);
        return (await now).match(message, options);
      },
    };
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

/** What was read of a skill; a signature of zeros where it was not read whole, or just after it was written. */
type Indexed = Pick<Skill, 'folder' | 'realFolder' | 'signature'>;

const unsettled: FileSignature = { dev: 0n, ino: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n };
const signatureNumbers = 5;

interface OpenedRows {
  readonly names: KeptTexts;
  readonly folders: KeptTexts;
  readonly realFolders: KeptTexts;
  readonly numbers: BigInt64Array;
}

interface IndexOptions {
  readonly embedder: Embedder | null;
  readonly waits: boolean;
  readonly onNotice: (text: string) => void;
}

/** With the words that are kept in the file, if it is whole. */
function openIndex(config: Config['match'], options: IndexOptions, file: ImageFile | null): SnapshotIndex {
  const image = file?.open() ?? null;
  try {
    return new SnapshotIndex(config, options, image);
  } catch (error) {
    if (!(error instanceof DamagedImage)) throw error;
    return new SnapshotIndex(config, options, null);
  }
}

class SnapshotIndex {
  readonly config: Config['match'];
  readonly #matcher: WordMatcher | FusedMatcher;
  readonly #isFused: boolean;
  /** Skills that were read since the index was made, in this process or in those before. */
  read = 0;
  /** What is there was opened from a file. */
  readonly isOpened: boolean;
  #changes = 0;
  /** Kept skill by skill, so that a move that fails half-way is made up for by the next one. */
  readonly #rows = new Map<string, Indexed>();
  /** What the file says of each skill, until something differs from it. */
  #opened: OpenedRows | null = null;

  /** Throws `DamagedImage`. */
  constructor(config: Config['match'], { embedder, waits, onNotice }: IndexOptions, image: KeptImage | null) {
    const leastConfidence = config.leastConfidence / 100;
    const onFailure = (failed: { readonly embedder: string; readonly reason: string }): void =>
      onNotice(
        `words alone were matched: ${failed.reason.startsWith(failed.embedder.split(' ', 1)[0] as string) ? '' : `${failed.embedder}: `}${failed.reason}`,
      );
    this.config = config;
    this.#isFused = embedder !== null;
    this.#matcher =
      embedder === null
        ? createMatcher({ leastConfidence }, image)
        : createFusedMatcher({
            embedder,
            leastConfidence,
            onFailure,
            patience: waits ? null : () => sleep(mostWaitMs, undefined, { ref: false }),
          });
    this.isOpened = image !== null;
    if (image !== null) this.#open(image);
  }

  #open(image: KeptImage): void {
    const names = new KeptTexts(image, 'read');
    const folders = new KeptTexts(image, 'read.folders');
    const realFolders = new KeptTexts(image, 'read.realFolders');
    const bytes = image.column('read.signatures');
    const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (
      folders.count !== names.count ||
      realFolders.count !== names.count ||
      bytes.length !== (names.count * signatureNumbers + 1) * 8 ||
      names.count !== this.#matcher.size
    )
      throw new DamagedImage('it says of other skills where they were read');
    this.read = Number(count.getBigInt64(0, true));
    const numbers = new BigInt64Array(bytes.buffer, bytes.byteOffset + 8, names.count * signatureNumbers);
    this.#opened = { names, folders, realFolders, numbers };
  }

  /** Row by row; an object for each is made only where something changed. */
  #isAsOpened(asked: readonly Skill[]): boolean {
    const opened = this.#opened;
    if (opened === null || asked.length !== opened.names.count) return false;
    const { names, folders, realFolders, numbers } = opened;
    return asked.every(({ name, folder, realFolder, signature }, at) => {
      const from = at * signatureNumbers;
      return (
        numbers[from + 4] === signature.ctimeNs &&
        numbers[from + 3] === signature.mtimeNs &&
        numbers[from + 2] === signature.size &&
        numbers[from + 1] === signature.ino &&
        numbers[from] === signature.dev &&
        names.at(at) === name &&
        folders.at(at) === folder &&
        (realFolders.at(at) || folder) === realFolder
      );
    });
  }

  get #indexed(): Map<string, Indexed> {
    const opened = this.#opened;
    if (opened === null) return this.#rows;
    const { names, folders, realFolders, numbers } = opened;
    for (let at = 0; at < names.count; at += 1) {
      const folder = folders.at(at);
      const [dev, ino, size, mtimeNs, ctimeNs] = numbers.subarray(
        at * signatureNumbers,
        (at + 1) * signatureNumbers,
      ) as unknown as readonly [bigint, bigint, bigint, bigint, bigint];
      this.#rows.set(names.at(at), {
        folder,
        realFolder: realFolders.at(at) || folder,
        signature: { dev, ino, size, mtimeNs, ctimeNs },
      });
    }
    this.#opened = null;
    return this.#rows;
  }

  /** What changed since it was opened is more than the next process should read again. */
  get isWorthKeeping(): boolean {
    return (
      this.size >= fewestKept && (!this.isOpened || this.#changes > Math.max(fewChanges, this.size / 100))
    );
  }

  async keep(file: ImageFile): Promise<void> {
    if (this.#isFused) return;
    const rows = [...this.#indexed];
    const signatures = new BigInt64Array(rows.length * signatureNumbers + 1);
    signatures[0] = BigInt(this.read);
    for (const [at, [, { signature }]] of rows.entries()) {
      const { dev, ino, size, mtimeNs, ctimeNs } = signature;
      signatures.set([dev, ino, size, mtimeNs, ctimeNs], at * signatureNumbers + 1);
    }
    const columns = new Map<string, ColumnBytes>([['read.signatures', signatures]]);
    const isKept =
      addTexts(
        columns,
        'read',
        rows.map(([name]) => name),
      ) &&
      addTexts(
        columns,
        'read.folders',
        rows.map(([, { folder }]) => folder),
      ) &&
      addTexts(
        columns,
        'read.realFolders',
        rows.map(([, { folder, realFolder }]) => (realFolder === folder ? '' : realFolder)),
      );
    const image = isKept ? (this.#matcher as WordMatcher).image(imageChecksum, columns) : null;
    if (image !== null) await file.save(image);
  }

  get size(): number {
    return this.#opened?.names.count ?? this.#rows.size;
  }

  async viewOf(snapshot: Snapshot, suggests: Suggests): Promise<Matcher> {
    const { asked, unready } =
      suggests === 'all' ? { asked: snapshot.skills, unready: none } : startable(snapshot);
    if (!this.#isAsOpened(asked)) await this.#moveTo(snapshot, asked, suggests);
    const view: Matcher = this.#isFused
      ? keepingAlive((this.#matcher as FusedMatcher).view())
      : this.#matcher.view();
    return unready.names.size === 0 ? view : tellingUnready(view, unready);
  }

  /** Reads what changed. */
  async #moveTo(snapshot: Snapshot, asked: readonly Skill[], suggests: Suggests): Promise<void> {
    const indexed = this.#indexed;
    const names = new Set(asked.map(({ name }) => name));
    for (const name of indexed.keys()) {
      if (names.has(name)) continue;
      this.#matcher.remove(name);
      indexed.delete(name);
      this.#changes += 1;
    }
    const changed = asked.filter((skill) => !isSame(indexed.get(skill.name), skill));
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
        const { folder, realFolder, signature } = skill;
        const isSettled = body !== null && signature.ctimeNs + racyNs < nowNs;
        this.read += 1;
        this.#changes += 1;
        indexed.set(skill.name, {
          folder,
          realFolder,
          signature: isSettled ? signature : unsettled,
        });
      }
    }
  }
}

const none: UnreadySkills = { names: new Set(), reasonOf: () => '' };

/** The skills that people or a model may start here, and of the others the reason why not. */
function startable(snapshot: Snapshot): {
  readonly asked: readonly Skill[];
  readonly unready: UnreadySkills;
} {
  const asked: Skill[] = [];
  const names = new Set<string>();
  for (const skill of snapshot.skills)
    if (snapshot.mayStart(skill)) asked.push(skill);
    else names.add(skill.name);
  const reasonOf = (name: string): string => {
    const { ready, visibleToUser } = snapshot.facts(snapshot.get(name));
    return [...ready.reasons, ...visibleToUser.reasons][0]?.message ?? 'it is not ready';
  };
  return { asked, unready: { names, reasonOf } };
}

function tellingUnready(view: Matcher, unready: UnreadySkills): Matcher {
  return {
    match: async (message, options) => tellUnready(await view.match(message, options), message, unready),
  };
}

function isSame(indexed: Indexed | undefined, { folder, realFolder, signature }: Skill): boolean {
  return (
    indexed !== undefined &&
    indexed.folder === folder &&
    indexed.realFolder === realFolder &&
    sameSignature(indexed.signature, signature)
  );
}

/** null if it cannot be read. */
async function bodyOf(snapshot: Snapshot, { name }: Skill): Promise<string | null> {
  try {
    return await snapshot.readWords(name);
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}
