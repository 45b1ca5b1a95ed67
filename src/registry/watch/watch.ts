// Keeps a snapshot up to date with the disk.
//
//   notification -> quiet for `debounceMs` -> load -> compare -> a new Snapshot + events
//
// There are never two loads at the same time; changes during a load cause exactly one more. Snapshots are replaced, never
// changed. A skill whose file can no longer be read keeps its last good version (SKILL_STALE_KEPT): bodies are read ahead
// within `pinBytes`, newest first, so that the old one can still be shown. Every `pollMs` the roots and the links below
// them are checked, since no watch reports every change of a link. If not every folder can be watched, everything is
// polled instead, and an event announces that. Either takes at most a tenth of the time. Polling sees SKILL.md files
// appear, disappear and change; other files of a skill only with a notification or `refresh`. After `close` there are no
// watches, no timers and no events.
import { TechneError } from '../../base/error.ts';
import type { Clock } from '../../ports/environment.ts';
import type { Files } from '../../ports/files.ts';
import type { FolderWatch, Watching } from '../../ports/watching.ts';
import type { Changes, Kept } from './compare-snapshots.ts';
import { compareSnapshots } from './compare-snapshots.ts';
import { FolderWatcher } from './watch-folders.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Skill } from '../types.ts';

export interface WatchOptions {
  /** Looks at the disk now; with the index cache this costs little. */
  readonly load: () => Promise<Snapshot>;
  /** The folders that `load` looks into, absolute; they need not exist. */
  readonly roots: readonly string[];
  readonly files: Pick<Files, 'stat' | 'list' | 'realPath'>;
  readonly watching: Watching;
  readonly clock: Clock;
  /** How long it has to be quiet before the disk is looked at. Default: 100. */
  readonly debounceMs?: number;
  /** How often roots and links are checked, and the disk is looked at while not everything can be watched; less often where that takes long. Default: 2000. */
  readonly pollMs?: number;
  /** Folders below a root that are watched; `limits.depth` and two for the parts of a skill. Default: 8. */
  readonly depth?: number;
  /** Bytes of bodies that are read ahead. Default: 8 MiB. */
  readonly pinBytes?: number;
}

/** What a watch noticed. */
export type WatchEvent =
  | { readonly type: 'skill.added'; readonly skill: Skill }
  | { readonly type: 'skill.changed'; readonly skill: Skill; readonly before: Skill }
  | { readonly type: 'skill.removed'; readonly skill: Skill }
  | ({ readonly type: 'skill.kept' } & Kept)
  /** After the events of its skills. */
  | {
      readonly type: 'snapshot.replaced';
      readonly snapshot: Snapshot;
      readonly before: Snapshot;
      readonly changes: Changes;
    }
  | { readonly type: 'snapshot.failed'; readonly error: unknown }
  | { readonly type: 'watch.degraded'; readonly reason: string }
  | { readonly type: 'watch.restored' };

/** A snapshot that follows the disk. */
export interface SkillWatch {
  /** The latest one. */
  readonly snapshot: Snapshot;
  /** Not every folder is watched, so the disk is looked at each `pollMs`. */
  readonly degraded: boolean;
  /** Events come in order; a listener must not throw. Returns how to stop listening. */
  on(listener: (event: WatchEvent) => void): () => void;
  /** Looks at the disk now, whatever was noticed, and gives the snapshot made from it. Throws what loading throws. */
  refresh(): Promise<Snapshot>;
  /** Waits for a load under way; nothing happens after that. */
  close(): Promise<void>;
}

/** `notice`: look if something was noticed. `look`: replace if something differs. `replace`: whatever is found. */
const wants = ['nothing', 'notice', 'look', 'replace'] as const;
type Wanted = (typeof wants)[number];

/** A stream of changes is looked at after this many quiet times, even if it never gets quiet. */
const maxPostponed = 10;

/** Polling leaves the machine alone for this many times what the last look took. */
const restPerLook = 9;

export async function watchSkills(options: WatchOptions): Promise<SkillWatch> {
  const watch = new SkillWatcher(options);
  await watch.start();
  return watch;
}

class SkillWatcher implements SkillWatch {
  readonly #load: () => Promise<Snapshot>;
  readonly #watching: Watching;
  readonly #clock: Clock;
  readonly #debounceMs: number;
  readonly #pollMs: number;
  readonly #pinBytes: number;
  readonly #folders: FolderWatcher;
  readonly #listeners = new Set<(event: WatchEvent) => void>();
  /** Folder -> what was wrong when it was said that the skill is kept. */
  readonly #keptBecause = new Map<string, string>();
  #snapshot: Snapshot | null = null;
  #running: Promise<void> | null = null;
  #wanted: Wanted = 'nothing';
  #noticed = false;
  #debounce: FolderWatch | null = null;
  #poll: FolderWatch | null = null;
  #shortage: string | null = null;
  #lookedForMs = 0;
  /** Notifications may have been dropped, so the next look believes no watch. */
  #afterStorm = false;
  #failure: { readonly error: unknown } | null = null;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#load = options.load;
    this.#watching = options.watching;
    this.#clock = options.clock;
    this.#debounceMs = options.debounceMs ?? 100;
    this.#pollMs = options.pollMs ?? 2000;
    this.#pinBytes = options.pinBytes ?? 8 * 1024 * 1024;
    const { roots, files, watching } = options;
    this.#folders = new FolderWatcher({
      roots,
      files,
      watching,
      depth: options.depth ?? 8,
      onNotice: () => this.#notice(),
    });
  }

  async start(): Promise<void> {
    try {
      this.#shortage = this.#folders.sync(true).shortage;
      this.#snapshot = await this.#load();
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#schedulePoll();
    void this.#readAhead(this.#snapshot);
  }

  get snapshot(): Snapshot {
    return this.#snapshot as Snapshot;
  }

  get degraded(): boolean {
    return this.#shortage !== null;
  }

  on(listener: (event: WatchEvent) => void): () => void {
    this.#listeners.add(listener);
    // Degraded from the start, before there could be a listener.
    if (this.#shortage !== null) listener({ type: 'watch.degraded', reason: this.#shortage });
    return () => this.#listeners.delete(listener);
  }

  async refresh(): Promise<Snapshot> {
    if (this.#closed) throw new TechneError('USAGE', 'the watch is closed');
    await this.#reload('replace');
    if (this.#failure !== null) throw this.#failure.error;
    return this.snapshot;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#debounce?.close();
    this.#poll?.close();
    this.#folders.close();
    this.#listeners.clear();
    await this.#running;
    this.#folders.close();
  }

  #notice(): void {
    if (this.#closed) return;
    this.#noticed = true;
    if (this.#debounce === null) this.#startDebounce(0);
  }

  #startDebounce(postponed: number): void {
    this.#noticed = false;
    this.#debounce = this.#watching.after(this.#debounceMs, () => {
      this.#debounce = null;
      if (this.#noticed && postponed < maxPostponed) this.#startDebounce(postponed + 1);
      else void this.#reload(this.#afterStorm ? 'look' : 'notice');
    });
  }

  #schedulePoll(): void {
    // One that is set stays: what is noticed meanwhile must not delay it forever.
    this.#poll ??= this.#watching.after(Math.max(this.#pollMs, this.#lookedForMs * restPerLook), () => {
      this.#poll = null;
      this.#folders.doubt();
      void this.#reload(this.#shortage !== null || this.#failure !== null ? 'look' : 'notice');
    });
  }

  /** Settles when the disk was looked at after this call. Never rejects. */
  async #reload(wanted: Wanted): Promise<void> {
    if (wants.indexOf(wanted) > wants.indexOf(this.#wanted)) this.#wanted = wanted;
    this.#running ??= this.#runWanted().finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  async #runWanted(): Promise<void> {
    while (this.#wanted !== 'nothing' && !this.#closed) {
      const wanted = this.#wanted;
      this.#wanted = 'nothing';
      if (wanted === 'notice' && !this.#check()) continue;
      try {
        this.#failure = null;
        await this.#look(wanted);
      } catch (error) {
        this.#failure = { error };
        // Nothing may be noticed again; the poll looks again.
        this.#emit({ type: 'snapshot.failed', error });
      }
    }
    if (this.#closed) return;
    this.#schedulePoll();
    if (this.#afterStorm && this.#debounce === null) this.#startDebounce(0);
  }

  /** Whether there is something to look at. */
  #check(): boolean {
    const startNs = this.#clock.nowNs();
    const dirty = this.#folders.isDirty();
    // While everything is looked at, what that takes counts.
    if (this.#shortage === null) this.#lookedForMs = Number((this.#clock.nowNs() - startNs) / 1_000_000n);
    return dirty;
  }

  async #look(wanted: Wanted): Promise<void> {
    const startNs = this.#clock.nowNs();
    const touched = this.#folders.sync(this.#afterStorm);
    this.#afterStorm = touched.storm;
    this.#judgeWatches(touched.shortage);
    const loaded = await this.#load();
    this.#lookedForMs = Number((this.#clock.nowNs() - startNs) / 1_000_000n);
    if (this.#closed) return;
    const before = this.snapshot;
    const changes = compareSnapshots(before, loaded, touched.folders);
    const news = changes.kept.filter((kept) => this.#isNews(kept));
    const quiet = changes.added.length + changes.changed.length + changes.removed.length + news.length === 0;
    if (quiet && touched.folders.size === 0 && wanted !== 'replace') return;
    const snapshot = loaded.keeping(
      before,
      changes.kept.map(({ skill }) => skill.name),
    );
    this.#snapshot = snapshot;
    this.#rememberKept(changes.kept);
    for (const skill of changes.removed) this.#emit({ type: 'skill.removed', skill });
    for (const skill of changes.added) this.#emit({ type: 'skill.added', skill });
    for (const skill of changes.changed)
      this.#emit({ type: 'skill.changed', skill, before: before.get(skill.name) });
    for (const kept of news) this.#emit({ type: 'skill.kept', ...kept });
    this.#emit({ type: 'snapshot.replaced', snapshot, before, changes });
    void this.#readAhead(snapshot);
  }

  #judgeWatches(shortage: string | null): void {
    const was = this.#shortage;
    this.#shortage = shortage;
    if (was === null && shortage !== null) {
      this.#emit({ type: 'watch.degraded', reason: shortage });
    } else if (was !== null && shortage === null) {
      this.#emit({ type: 'watch.restored' });
    }
  }

  #isNews({ skill, faults }: Kept): boolean {
    return this.#keptBecause.get(skill.folder) !== reasonOf(faults);
  }

  #rememberKept(kept: readonly Kept[]): void {
    this.#keptBecause.clear();
    for (const { skill, faults } of kept) this.#keptBecause.set(skill.folder, reasonOf(faults));
  }

  /** Reads the bodies most likely to be edited, so that they can be kept. */
  async #readAhead(snapshot: Snapshot): Promise<void> {
    let left = this.#pinBytes;
    const newestFirst = snapshot.skills.toSorted((a, b) => Number(b.signature.mtimeNs - a.signature.mtimeNs));
    for (const skill of newestFirst) {
      left -= Number(skill.signature.size);
      if (left < 0 || this.#closed || this.#snapshot !== snapshot) return;
      try {
        await snapshot.readFile(skill.name, 'SKILL.md');
      } catch (error) {
        // It changed or is refused: a later read reports that.
        if (!(error instanceof TechneError)) throw error;
      }
    }
  }

  #emit(event: WatchEvent): void {
    if (this.#closed) return;
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // A bug of the listener must not cost the others their events, nor go unseen.
        void Promise.reject(error);
      }
    }
  }
}

function reasonOf(faults: Kept['faults']): string {
  return faults.map(({ code, message }) => `${code} ${message}`).join('\n');
}
