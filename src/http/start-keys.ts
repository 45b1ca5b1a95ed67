// Idempotency keys: which run a key of a token stands for, kept on the disk before the run is made.
//
//   <folder>/<sha-256 of token and key>.json: { run, body, at }
//
// The first request with a key names its run. A repetition with the same body means that run, also after a crash between the two
// writes; with another body it is refused (KEY_REUSED). Keys are forgotten after `ttlMs`.
import { createHash } from 'node:crypto';
import { promises } from 'node:fs';
import { join } from 'node:path';
import { TechneError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import { canonicalJson, isJsonObject, parseJson } from '../base/json.ts';
import { makeFolders, syncFolder } from '../node/files/durable.ts';

export interface StartKeys {
  /** The run that the key stands for: `run`, or the one of the first request. Throws KEY_REUSED. */
  claim(token: string, key: string, body: Json, run: string): Promise<string>;
}

export interface FileStartKeysOptions {
  readonly folder: string;
  readonly nowMs: () => number;
  /** Default: seven days. */
  readonly ttlMs?: number;
}

export function createFileStartKeys({
  folder,
  nowMs,
  ttlMs = 7 * 86_400_000,
}: FileStartKeysOptions): StartKeys {
  let opened: Promise<void> | null = null;
  const open = async (): Promise<void> => {
    await makeFolders(promises, folder, 0o700);
    for (const name of await promises.readdir(folder)) {
      const path = join(folder, name);
      const stat = await promises.stat(path).catch(() => null);
      if (stat !== null && stat.mtimeMs < nowMs() - ttlMs) await promises.rm(path, { force: true });
    }
  };
  return {
    async claim(token, key, body, run) {
      await (opened ??= open().catch((error: unknown) => {
        // The next request tries again.
        opened = null;
        throw error;
      }));
      const digest = hashOf(canonicalJson(body));
      const path = join(folder, `${hashOf(`${token}\0${key}`)}.json`);
      try {
        // Whole or not there: a reader never sees the beginning of it.
        const temporary = `${path}.${run}.tmp`;
        const handle = await promises.open(temporary, 'wx', 0o600);
        try {
          await handle.writeFile(JSON.stringify({ run, body: digest, at: nowMs() }));
          await handle.datasync();
        } finally {
          await handle.close();
        }
        try {
          await promises.link(temporary, path);
        } finally {
          await promises.rm(temporary, { force: true });
        }
        await syncFolder(folder);
        return run;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const kept = parseJson(await promises.readFile(path, 'utf8'));
      if (!isJsonObject(kept) || typeof kept['run'] !== 'string')
        throw new TechneError('ENVIRONMENT', `the record of the idempotency key in "${path}" is damaged`, {
          hint: 'remove it, and look at "techne runs" for the run',
        });
      if (kept['body'] !== digest)
        throw new TechneError(
          'KEY_REUSED',
          `the Idempotency-Key stands for run ${kept['run']}, which was started with another body`,
          { hint: 'use a new key for a new request' },
        );
      return kept['run'];
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
