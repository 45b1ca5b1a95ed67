// Reads the SKILL.md files that a walk meets, many at a time.
//
//   where a skill belongs + its listing -> first bytes of each file -> FoundSkill, in its place
//
// First all files of a batch are read, then all are parsed: right after a system call a processor runs our code about
// half as fast as in a row, which shows when a process has just started. Each skill keeps its place, whatever the order
// of reading.
import type { FileRead, Files, FolderEntry } from '../../ports/files.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { DiscoveryReport } from './discovery-report.ts';
import type { FoundIn, HeadSource } from './found-skill.ts';
import { FoundSkill } from './found-skill.ts';
import type { IndexRow } from '../cache/head-index.ts';
import { HeadReader, headLimits } from './read-skill-head.ts';

/** A SKILL.md that was met, and where its skill belongs. */
interface PendingHead {
  readonly skills: (FoundSkill | null)[];
  readonly at: number;
  readonly in: FoundIn;
  readonly path: string;
  readonly real: string;
  readonly entries: readonly FolderEntry[];
  readonly row: IndexRow | null;
}

const headsAtATime = 64;

export class HeadBatch {
  readonly #files: Files;
  readonly #heads: HeadReader;
  readonly #reporter: DiscoveryReport;
  readonly #pending: PendingHead[] = [];
  readonly #reads: (FileRead | null)[] = [];

  constructor(files: Files, parseFull: ParseFull, reporter: DiscoveryReport) {
    this.#files = files;
    this.#heads = new HeadReader(files, parseFull);
    this.#reporter = reporter;
  }

  add(pending: PendingHead): void {
    this.#pending.push(pending);
    if (this.#pending.length === headsAtATime) this.flush();
  }

  /** Reads what is still to be read. */
  flush(): void {
    const pending = this.#pending;
    const reads = this.#reads;
    // Slot 0 is left to files of which more must be read.
    for (const { path } of pending) reads.push(this.#firstBytes(`${path}/SKILL.md`, reads.length + 1));
    for (let at = 0; at < reads.length; at += 1) {
      const first = reads[at];
      if (first !== null && first !== undefined) this.#place(pending[at] as PendingHead, first);
    }
    pending.length = 0;
    reads.length = 0;
  }

  #place({ skills, at, in: foundIn, path, real, entries, row }: PendingHead, first: FileRead): void {
    const head = this.#headOf(`${path}/SKILL.md`, path.slice(path.lastIndexOf('/') + 1), entries, first);
    if (head === null) return;
    if (row !== null) row.head = head;
    skills[at] = new FoundSkill(foundIn, path, real, head);
  }

  /** `null` after saying why it cannot be read. */
  #firstBytes(file: string, slot: number): FileRead | null {
    try {
      const first = this.#files.readHead(file, headLimits.firstBytes, slot);
      if (first === null) this.#wentAway(file);
      return first;
    } catch (error) {
      this.#reporter.fault(error, file, 'file');
      return null;
    }
  }

  /** `null` after saying why it cannot be read. */
  #headOf(
    file: string,
    folderName: string,
    entries: readonly FolderEntry[],
    first: FileRead,
  ): HeadSource | null {
    if (first.stat.size > headLimits.maxBytesBig) {
      this.#reporter.add(
        'FILE_TOO_LARGE',
        file,
        `SKILL.md has ${first.stat.size} bytes, over the limit of ${headLimits.maxBytes}`,
        'move long material into references/',
      );
      return null;
    }
    try {
      const head = this.#heads.finish(file, folderName, entries, first);
      if (head === null) this.#wentAway(file);
      return head;
    } catch (error) {
      this.#reporter.fault(error, file, 'file');
      return null;
    }
  }

  #wentAway(file: string): void {
    this.#reporter.add('FILE_UNREADABLE', file, 'SKILL.md was removed while it was read');
  }
}
