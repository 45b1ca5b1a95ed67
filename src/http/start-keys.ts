// Idempotency keys: which run a key of a token stands for, kept on the disk before the run is made.
//
//   <folder>/<sha-256 of token and key>.json: { run, body, at }
//
// The first request with a key names its run. A repetition with the same body means that run, also after a crash between the two
// writes; with another body it is refused (KEY_REUSED). A key whose run was refused is withdrawn, so that it can be used for a
// corrected request. Keys count for `ttlMs`; those that are older are removed when the server starts, and every hour that it is used.
import { createHash } from 'node:crypto';
import { promises } from 'node:fs';
import { join } from 'node:path';
import { TechneError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import { canonicalJson, isJsonObject, jsonIn } from '../base/json.ts';
import { makeFolders, syncFolder } from '../node/files/durable.ts';

export interface StartKeys {
  /** The run that the key stands for: `run`, or the one of the first request. Throws KEY_REUSED. */
  claim(token: string, key: string, body: Json, run: string): Promise<string>;
  /** The key stands for nothing again, if it stands for `run`, which was not made. */
  withdraw(token: string, key: string, run: string): Promise<void>;
}

export interface FileStartKeysOptions {
  readonly folder: string;
  readonly nowMs: () => number;
  /** Default: seven days. */
  readonly ttlMs?: number;
}

/** Between two looks for keys that are too old. */
const sweepMs = 3_600_000;

interface KeptKey {
  readonly run: string;
  readonly body: string;
  readonly at: number;
}

export function createFileStartKeys(options: FileStartKeysOptions): StartKeys {
  return new FileStartKeys(options);
}

class FileStartKeys implements StartKeys {
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #ttlMs: number;
  #opened: Promise<void> | null = null;
  #sweptMs = 0;

  constructor({ folder, nowMs, ttlMs = 7 * 86_400_000 }: FileStartKeysOptions) {
    this.#folder = folder;
    this.#nowMs = nowMs;
    this.#ttlMs = ttlMs;
  }

  async claim(token: string, key: string, body: Json, run: string): Promise<string> {
    await this.#open();
    const digest = hashOf(canonicalJson(body));
    const path = this.#pathOf(token, key);
    for (;;) {
      if (await this.#write(path, { run, body: digest, at: this.#nowMs() })) return run;
      const kept = await readKey(path);
      // It was removed a moment ago.
      if (kept === null) continue;
      if (kept.at < this.#nowMs() - this.#ttlMs) {
        await this.#remove(path, kept, run);
        continue;
      }
      if (kept.body !== digest)
        throw new TechneError(
          'KEY_REUSED',
          `the Idempotency-Key stands for run ${kept.run}, which was started with another body`,
          { hint: 'use a new key for a new request' },
        );
      return kept.run;
    }
  }

  async withdraw(token: string, key: string, run: string): Promise<void> {
    const path = this.#pathOf(token, key);
    const kept = await readKey(path);
    if (kept?.run === run) await this.#remove(path, kept, run);
  }

  #pathOf(token: string, key: string): string {
    return join(this.#folder, `${hashOf(`${token}\0${key}`)}.json`);
  }

  async #open(): Promise<void> {
    const isDue = this.#opened === null || this.#nowMs() - this.#sweptMs >= sweepMs;
    if (isDue) {
      this.#sweptMs = this.#nowMs();
      this.#opened = this.#sweep().catch((error: unknown) => {
        // The next request tries again.
        this.#opened = null;
        throw error;
      });
    }
    await this.#opened;
  }

  async #sweep(): Promise<void> {
    await makeFolders(promises, this.#folder, 0o700);
    for (const name of await promises.readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const stat = await promises.stat(path).catch(() => null);
      if (stat !== null && stat.mtimeMs < this.#nowMs() - this.#ttlMs)
        await promises.rm(path, { force: true });
    }
  }

  /** Whether it is written now: whole or not at all, so that a reader never sees the beginning of it. */
  async #write(path: string, key: KeptKey): Promise<boolean> {
    const temporary = `${path}.${key.run}.tmp`;
    const handle = await promises.open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(key));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    try {
      await promises.link(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    } finally {
      await promises.rm(temporary, { force: true });
    }
    await syncFolder(this.#folder);
    return true;
  }

  /** Moved away first: another request may have put a new key in its place since it was read, and gets that back. */
  async #remove(path: string, kept: KeptKey, run: string): Promise<void> {
    const aside = `${path}.${run}.old`;
    try {
      await promises.rename(path, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    const moved = await readKey(aside);
    if (moved?.run !== kept.run || moved.at !== kept.at)
      await promises.link(aside, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    await promises.rm(aside, { force: true });
    await syncFolder(this.#folder);
  }
}

/** `null`: there is none. Throws ENVIRONMENT for one that is damaged. */
async function readKey(path: string): Promise<KeptKey | null> {
  let text: string;
  try {
    text = await promises.readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const kept = jsonIn(text);
  const { run, body, at } = isJsonObject(kept) ? kept : {};
  if (typeof run !== 'string' || typeof body !== 'string' || typeof at !== 'number')
    throw new TechneError('ENVIRONMENT', `the record of the idempotency key in "${path}" is damaged`, {
      hint: 'remove it, and look at "techne runs" for the run',
    });
  return { run, body, at };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
