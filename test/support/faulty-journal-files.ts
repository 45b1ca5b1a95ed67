// A disk in memory that keeps only what was synced, and any part of the rest.
//
// X1. A write that was not synced may be there, be missing, or be there in sectors: what is missing between is NUL, or
//     what was there before. The size of a file may be that of before, of after, or anything between.
// X2. A name that was made, renamed or removed may be as before or as after until its folder is synced; each by itself.
// X3. At the chosen call the machine stops: that call and all later ones never come back.
import { basename, dirname } from 'node:path';
import type { JournalFile, JournalFiles } from '../../src/node/store-file/journal-files.ts';

export type Random = () => number;

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const sectorBytes = 512;

interface Inode {
  bytes: Uint8Array;
  synced: Uint8Array;
}

type NameChange = { readonly name: string; readonly node: Inode | 'folder' | null };

interface Folder {
  readonly names: Map<string, Inode | 'folder'>;
  readonly synced: Map<string, Inode | 'folder'>;
  /** Each is whole or not at all; a rename is two changes. */
  changes: (readonly NameChange[])[];
}

export interface FaultPlan {
  /** The machine stops at this changing call, counted from 1. Default: never. */
  readonly stopAt?: number;
  /** This write fails for want of room, after a part of it was written. Default: never. */
  readonly fullAt?: number;
  /** Calls take turns by chance, as those of several processes do. Default: in order. */
  readonly turns?: Random;
}

export class FaultyDisk {
  readonly files: JournalFiles;
  /** Resolves when the machine has stopped. */
  readonly stopped: Promise<void>;
  readonly #folders = new Map<string, Folder>();
  readonly #plan: FaultPlan;
  #calls = 0;
  #writes = 0;
  #isStopped = false;
  #stop: () => void = () => {};

  constructor(plan: FaultPlan = {}) {
    this.#plan = plan;
    this.stopped = new Promise((resolve) => (this.#stop = resolve));
    this.files = this.#makeFiles();
  }

  /** Changing calls so far. */
  get calls(): number {
    return this.#calls;
  }

  /** What is found when the machine is started again. */
  restarted(random: Random, plan: FaultPlan = {}): FaultyDisk {
    const found = new FaultyDisk(plan);
    const nodes = new Map<Inode, Inode>();
    const nodeOf = (node: Inode): Inode => {
      const known = nodes.get(node) ?? survivor(node, random);
      nodes.set(node, known);
      return known;
    };
    for (const [path, folder] of this.#folders) {
      const names = new Map(folder.synced);
      const keep = random();
      for (const change of folder.changes) {
        if (keep < 0.3 || (keep < 0.7 && random() < 0.5)) continue;
        for (const { name, node } of change) {
          if (node === null) names.delete(name);
          else names.set(name, node);
        }
      }
      const renewed = new Map(
        [...names].map(([name, node]) => [name, node === 'folder' ? node : nodeOf(node)] as const),
      );
      found.#folders.set(path, { names: renewed, synced: new Map(renewed), changes: [] });
    }
    return found;
  }

  /** What another process finds when only the one that used this disk was killed. */
  killed(plan: FaultPlan = {}): FaultyDisk {
    const found = new FaultyDisk(plan);
    for (const [path, folder] of this.#folders) found.#folders.set(path, folder);
    return found;
  }

  #makeFiles(): JournalFiles {
    const handleOf = (node: Inode): JournalFile => ({
      write: (bytes, at) =>
        this.#change(() => {
          this.#writes += 1;
          const isFull = this.#writes === this.#plan.fullAt;
          put(node, isFull ? bytes.subarray(0, bytes.length >> 1) : bytes, at);
          if (isFull) throw Object.assign(new Error('ENOSPC: made to fail'), { code: 'ENOSPC' });
        }),
      sync: async () => {
        // Only what was written before the call is sure to be durable after it.
        const { bytes } = node;
        await this.#change(
          () => {},
          () => (node.synced = bytes),
        );
      },
      truncate: (length) =>
        this.#change(() => {
          node.bytes = node.bytes.slice(0, length);
        }),
      close: () => this.#look(() => {}),
    });
    return {
      makeFolders: (path) =>
        this.#change(() => {
          if (!this.#folders.has(path))
            this.#folders.set(path, { names: new Map(), synced: new Map(), changes: [] });
        }),
      makeFolder: (path) =>
        this.#change(() => {
          const above = this.#folder(dirname(path));
          if (above.names.has(basename(path))) return false;
          this.#rename(above, [{ name: basename(path), node: 'folder' }]);
          this.#folders.set(path, { names: new Map(), synced: new Map(), changes: [] });
          return true;
        }),
      list: (path) =>
        this.#look(() => (this.#has(path) ? [...(this.#folders.get(path) as Folder).names.keys()] : null)),
      read: async (path, from, sync) => {
        const read = await this.#look(() => this.#node(path)?.bytes.slice(from) ?? null);
        const node = this.#node(path);
        if (sync && read !== null && node !== null) await handleOf(node).sync();
        return read;
      },
      readSmall: (path, maxBytes) =>
        this.#look(() => {
          const bytes = this.#node(path)?.bytes.slice() ?? null;
          return bytes !== null && bytes.length > maxBytes ? 'unfit' : bytes;
        }),
      stamp: (path) =>
        this.#look(() => {
          const node = this.#node(path);
          return node === null ? null : Buffer.from(node.bytes).toString('base64');
        }),
      create: (path) =>
        this.#change(() => {
          const folder = this.#folder(dirname(path));
          if (folder.names.has(basename(path))) return null;
          const node = { bytes: new Uint8Array(0), synced: new Uint8Array(0) };
          this.#rename(folder, [{ name: basename(path), node }]);
          return handleOf(node);
        }),
      open: (path) =>
        this.#look(() => {
          const node = this.#node(path);
          return node === null ? null : handleOf(node);
        }),
      exists: (path) => this.#look(() => this.#node(path) !== null),
      rename: (from, to) =>
        this.#change(() => {
          const folder = this.#folder(dirname(from));
          if (dirname(from) !== dirname(to)) throw new Error('renamed into another folder');
          const node = folder.names.get(basename(from));
          if (node === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
          this.#rename(folder, [
            { name: basename(from), node: null },
            { name: basename(to), node },
          ]);
          if (node !== 'folder') return;
          for (const [path, moved] of this.#folders) if (path === from) this.#folders.set(to, moved);
        }),
      remove: (path) =>
        this.#change(() => {
          const folder = this.#folders.get(dirname(path));
          if (folder?.names.has(basename(path)) === true)
            this.#rename(folder, [{ name: basename(path), node: null }]);
        }),
      removeFolder: (path) =>
        this.#change(() => this.#rename(this.#folder(dirname(path)), [{ name: basename(path), node: null }])),
      syncFolder: async (path) => {
        const folder = this.#folder(path);
        const [names, changes] = [new Map(folder.names), folder.changes];
        await this.#change(
          () => {},
          () => {
            folder.synced.clear();
            for (const [name, node] of names) folder.synced.set(name, node);
            folder.changes = folder.changes.filter((change) => !changes.includes(change));
          },
        );
      },
    };
  }

  async #change<T>(work: () => T, after: () => void = () => {}): Promise<T> {
    await this.#alive();
    this.#calls += 1;
    const value = work();
    if (this.#calls === this.#plan.stopAt) {
      this.#isStopped = true;
      this.#stop();
    }
    await this.#alive();
    after();
    return value;
  }

  async #look<T>(work: () => T): Promise<T> {
    await this.#alive();
    return work();
  }

  async #alive(): Promise<void> {
    const { turns } = this.#plan;
    if (turns !== undefined)
      for (let rest = Math.floor(turns() * 5); rest > 0; rest -= 1)
        await new Promise((resolve) => setImmediate(resolve));
    if (this.#isStopped) await new Promise(() => {});
  }

  #rename(folder: Folder, change: readonly NameChange[]): void {
    folder.changes = [...folder.changes, change];
    for (const { name, node } of change) {
      if (node === null) folder.names.delete(name);
      else folder.names.set(name, node);
    }
  }

  #folder(path: string): Folder {
    const folder = this.#folders.get(path);
    if (folder === undefined || !this.#has(path))
      throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return folder;
  }

  /** A folder whose name was lost is not there, whatever is in it. */
  #has(path: string): boolean {
    if (!this.#folders.has(path)) return false;
    const above = this.#folders.get(dirname(path));
    return above === undefined || (above.names.get(basename(path)) === 'folder' && this.#has(dirname(path)));
  }

  #node(path: string): Inode | null {
    if (!this.#has(dirname(path))) return null;
    const node = this.#folders.get(dirname(path))?.names.get(basename(path));
    return node === undefined || node === 'folder' ? null : node;
  }
}

function put(node: Inode, bytes: Uint8Array, at: number): void {
  const larger = new Uint8Array(Math.max(node.bytes.length, at + bytes.length));
  larger.set(node.bytes);
  larger.set(bytes, at);
  node.bytes = larger;
}

/** What is left of a file (X1). */
function survivor({ bytes, synced }: Inode, random: Random): Inode {
  const kind = random();
  const left = kind < 0.2 ? synced : kind < 0.4 ? bytes : torn(bytes, synced, random, kind < 0.6);
  return { bytes: left, synced: left };
}

function torn(bytes: Uint8Array, synced: Uint8Array, random: Random, isPrefix: boolean): Uint8Array {
  const [least, most] = [Math.min(bytes.length, synced.length), Math.max(bytes.length, synced.length)];
  const sizes = [least, most, least + Math.floor(random() * (most - least + 1))];
  const size = isPrefix ? (sizes[2] as number) : (sizes[Math.floor(random() * 3)] as number);
  const left = new Uint8Array(size);
  for (let start = 0; start < size; start += sectorBytes) {
    const from = isPrefix || random() < 0.5 ? bytes : synced;
    left.set(from.subarray(start, Math.min(start + sectorBytes, size)), start);
  }
  return left;
}
