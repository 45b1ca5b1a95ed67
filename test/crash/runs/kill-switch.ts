// Ends this process with SIGKILL at one chosen call that changes the disk.
//
// W1. Calls of the journal and of the blobs are counted together, from 1, in the order in which they are made.
// W2. `before`: nothing of the call happened. `torn`: the half of a write did. `after`: all of it, and nobody was told.
import * as fs from 'node:fs';
import type { AsyncCalls } from '../../../src/node/files/durable.ts';
import type { JournalFile, JournalFiles } from '../../../src/node/store-file/journal-files.ts';

export type KillHow = 'before' | 'torn' | 'after';

export class KillSwitch {
  readonly #at: number;
  readonly #how: KillHow;
  #calls = 0;

  /** `at: 0` is never. */
  constructor(at: number, how: KillHow) {
    this.#at = at;
    this.#how = how;
  }

  get calls(): number {
    return this.#calls;
  }

  async around<T>(
    work: () => Promise<T>,
    half: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<T> {
    this.#calls += 1;
    const isHere = this.#calls === this.#at;
    if (isHere && this.#how === 'torn') await half();
    if (isHere && this.#how !== 'after') return die();
    const value = await work();
    return isHere ? die() : value;
  }
}

/** The signal is there before the next line of JavaScript; the promise is for the compiler. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => {});
}

export function killingFiles(files: JournalFiles, kill: KillSwitch): JournalFiles {
  const wrap = (file: JournalFile | null): JournalFile | null =>
    file && {
      write: (bytes, at) =>
        kill.around(
          () => file.write(bytes, at),
          () => file.write(bytes.subarray(0, bytes.length >> 1), at),
        ),
      sync: () => kill.around(() => file.sync()),
      truncate: (length) => kill.around(() => file.truncate(length)),
      close: () => file.close(),
    };
  return {
    ...files,
    makeFolder: (path) => kill.around(() => files.makeFolder(path)),
    create: async (path) => wrap(await kill.around(() => files.create(path))),
    open: async (path) => wrap(await files.open(path)),
    rename: (from, to) => kill.around(() => files.rename(from, to)),
    remove: (path) => kill.around(() => files.remove(path)),
    syncFolder: (path) => kill.around(() => files.syncFolder(path)),
  };
}

export function killingCalls(kill: KillSwitch): AsyncCalls {
  const open = async (...args: Parameters<typeof fs.promises.open>): Promise<fs.promises.FileHandle> => {
    const handle = await fs.promises.open(...args);
    if (args[1] === fs.constants.O_RDONLY) return handle;
    return new Proxy(handle, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const bound = (value as (...given: unknown[]) => Promise<unknown>).bind(target);
        if (name === 'writeFile')
          return (data: Uint8Array) =>
            kill.around(
              () => bound(data),
              () => bound(data.subarray(0, data.length >> 1)),
            );
        return name === 'datasync' || name === 'sync' ? () => kill.around(() => bound()) : bound;
      },
    });
  };
  const { rename, unlink, mkdir, link, readFile } = fs.promises;
  return {
    open,
    unlink,
    mkdir,
    link,
    readFile,
    rename: (from, to) => kill.around(() => rename(from, to)),
  } as AsyncCalls;
}
