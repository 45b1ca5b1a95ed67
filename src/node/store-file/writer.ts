// Entries -> batches in the segment of one owner.
//
//   append … append -> [batch] -> write -> sync, and meanwhile: is there a newer segment? -> resolved
//
// One batch is written at a time; what is appended meanwhile goes into the next one. An append resolves only if no
// newer segment existed after its bytes were in the file. A new owner makes its segment before it reads this one, and
// syncs what it reads, so a resolved entry is never lost. An entry refused with OWNER_LOST may be there or not; the
// caller must not act on it.
//
// A batch that finds no room is undone completely, and the writer continues. After any other fault the content of the
// file is unknown, and the writer refuses everything. If it is not durable, `append` resolves immediately and the
// bytes are written some milliseconds later, or at `flush`.
import { join } from 'node:path';
import type { TechneError } from '../../base/error.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { BatchEncoder } from '../../journal/frame.ts';
import type { Position } from '../../journal/frame.ts';
import type { Claim } from '../../ports/run-store.ts';
import { outOfSequence, ownerLost } from '../../journal/run-state.ts';
import { writeFault } from './faults.ts';
import { segmentName } from './claims.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';

interface WriterOptions {
  readonly claim: Claim;
  /** Of the run. */
  readonly folder: string;
  readonly files: JournalFiles;
  readonly durable: boolean;
  /** Where the segment ends. */
  readonly position: Position;
  readonly file: JournalFile;
  readonly idle: IdleWriters;
  /** Called after each batch. */
  readonly onBatch: () => void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** For what comes a microtask later; `queueMicrotask` of Node takes longer. */
const settled = Promise.resolve();
const lazyMs = 10;
const maxLazyBytes = 1024 * 1024;

export class JournalWriter {
  readonly #options: WriterOptions;
  readonly #encoder: BatchEncoder;
  /** Of the segment that the next owner would make. */
  readonly #newerPath: string;
  #file: JournalFile | null;
  #end: Position;
  #waiting: Waiting[] = [];
  #state: 'idle' | 'scheduled' | 'writing' = 'idle';
  #timer: NodeJS.Timeout | null = null;
  #failure: TechneError | null = null;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#encoder = new BatchEncoder(options.position);
    this.#file = options.file;
    this.#newerPath = join(options.folder, segmentName(options.claim.epoch + 1));
    this.#end = options.position;
    options.idle.add(this);
  }

  get #path(): string {
    return join(this.#options.folder, segmentName(this.#options.claim.epoch));
  }

  /** Where the segment ends as far as it is written and, if asked for, synced. */
  get end(): Position {
    return this.#end;
  }

  /** A promise, also of a refusal. Not `async`, which would cost a turn of the microtask queue more. */
  append(expectedSeq: number, entries: readonly JournalEntry[]): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (expectedSeq !== this.#encoder.seq)
      return Promise.reject(outOfSequence(this.#options.claim.run, expectedSeq, this.#encoder.seq));
    try {
      this.#encoder.add(entries);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    if (this.#options.durable || this.#encoder.length > maxLazyBytes) return this.#nextBatch();
    this.#timer ??= setTimeout(() => this.#schedule(), lazyMs);
    return Promise.resolve();
  }

  /** Resolves when everything that was appended is in the file. */
  flush(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return this.#encoder.length === 0 && this.#state === 'idle' ? Promise.resolve() : this.#nextBatch();
  }

  /** Writes what is left; what is appended later is refused. The file is still open. */
  async finish(): Promise<void> {
    try {
      await this.flush();
    } finally {
      this.#fail(ownerLost(this.#options.claim));
      this.#options.idle.delete(this);
    }
  }

  /** The file is opened again when something is appended. Only while idle. */
  async closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    try {
      await file?.close();
    } catch (error) {
      this.#fail(writeFault(this.#path, error));
    }
  }

  #nextBatch(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#schedule();
    });
  }

  /** A microtask later, so that what is appended in a row shares a batch. */
  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#state !== 'idle') return;
    this.#state = 'scheduled';
    this.#options.idle.delete(this);
    void settled.then(() => this.#writeBatches());
  }

  async #writeBatches(): Promise<void> {
    this.#state = 'writing';
    while (this.#encoder.length > 0 && this.#failure === null) {
      const waiting = this.#waiting;
      this.#waiting = [];
      const { bytes, end } = this.#encoder.take();
      try {
        await this.#write(bytes);
      } catch (error) {
        await this.#takeBack(error, waiting);
        continue;
      }
      this.#end = end;
      for (const { resolve } of waiting) resolve();
      this.#options.onBatch();
    }
    this.#state = 'idle';
    // A flush with nothing left to write.
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (this.#failure === null) resolve();
      else reject(this.#failure);
    }
    if (this.#failure === null) this.#options.idle.add(this);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { files, claim, durable } = this.#options;
    this.#file ??= await files.open(this.#path);
    if (this.#file === null) throw ownerLost(claim);
    await this.#file.write(bytes, this.#end.offset);
    // The disk works while the name is looked up.
    const synced = durable ? this.#file.sync() : null;
    const [isOver] = await Promise.all([files.exists(this.#newerPath), synced]);
    if (isOver) throw ownerLost(claim);
  }

  /** Undoes a batch that could not be written, and settles what was appended after it. */
  async #takeBack(cause: unknown, waiting: readonly Waiting[]): Promise<void> {
    const error = writeFault(this.#path, cause);
    // Without durability these appends have resolved already.
    const goesOn = error.code === 'JOURNAL_FULL' && this.#options.durable && (await this.#truncated());
    this.#encoder.reset(this.#end);
    for (const { reject } of waiting) reject(error);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    if (!goesOn) this.#fail(error);
  }

  async #truncated(): Promise<boolean> {
    try {
      await this.#file?.truncate(this.#end.offset);
      await this.#file?.sync();
      return this.#file !== null;
    } catch {
      // The first fault is reported; since it could not be undone, it is final.
      return false;
    }
  }

  #fail(error: TechneError): void {
    this.#failure ??= error;
  }
}

/** Writers with nothing to do keep their files open, but only so many: a process may own more runs than it may open files. */
export class IdleWriters {
  readonly #idle = new Set<JournalWriter>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  add(writer: JournalWriter): void {
    this.#idle.add(writer);
    const [oldest] = this.#idle;
    if (this.#idle.size <= this.#max || oldest === undefined) return;
    this.#idle.delete(oldest);
    void oldest.closeFile();
  }

  delete(writer: JournalWriter): void {
    this.#idle.delete(writer);
  }
}
