// Where the runs of this user are kept: files in the home folder, or the Postgres that the command line or the
// configuration names.
//
//   --store, runs.store -> a RunStore, its Blobs and its RunIndex
//
// The code of Postgres is loaded only for a store that is there.
import { join } from 'node:path';
import { TechneError } from '../base/error.ts';
import { createFileBlobs } from '../node/files/blobs.ts';
import { createNodeFiles } from '../node/files/files.ts';
import { createFileRunIndex } from '../node/store-file/run-index.ts';
import { createFileRunStore } from '../node/store-file/run-store.ts';
import { nodeSha256 } from '../node/environment.ts';
import { loadConfig } from '../node/load-config.ts';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { Files } from '../ports/files.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { RunStore } from '../ports/run-store.ts';
import { runsFolder } from './paths.ts';
import type { Serving } from './serving.ts';

export interface OpenRunStoreOptions {
  readonly homeFolder: string;
  /** `files`, or `postgres://…`. */
  readonly at: string;
  /** Default: true. */
  readonly durable?: boolean;
  /** Default: those of Node. */
  readonly files?: Files;
}

export interface OpenedRunStore {
  /** Must be closed. */
  readonly store: RunStore;
  readonly blobs: SweptBlobs;
  readonly index: RunIndex;
  /** What workers need; null for runs in files, which one machine drives. */
  readonly serving: Serving | null;
}

/** Throws USAGE for an address that is none, ENVIRONMENT where the database cannot be used. */
export async function openRunStore(options: OpenRunStoreOptions): Promise<OpenedRunStore> {
  const { homeFolder, at, durable = true } = options;
  if (at !== 'files') {
    const { openPostgresStore } = await import('../store-postgres/open-store.ts');
    const { isPostgresAddress, parseStoreAddress } = await import('../store-postgres/address.ts');
    if (!isPostgresAddress(at))
      throw new TechneError('USAGE', 'a store is "files" or an address of Postgres', {
        hint: 'write --store postgres://USER@HOST:PORT/DATABASE, or --store files',
      });
    const opened = openPostgresStore({ address: parseStoreAddress(at), durable });
    await opened.check();
    const {
      served,
      schedules,
      webhooks,
      callbacks,
      worker,
      leaseMs,
      address,
      blobs,
      shared,
      trust,
      approvals,
    } = opened;
    const { url, schema } = address;
    return {
      ...opened,
      serving: {
        served,
        blobs,
        shared,
        trust,
        approvals,
        schedules,
        webhooks,
        callbacks,
        worker,
        leaseMs,
        address,
        url,
        queueSchema: `${schema}_queue`,
        join: (queues) => opened.join(queues),
        once: (name, makes, work) => opened.once(name, makes, work),
      },
    };
  }
  const folder = runsFolder(homeFolder);
  const store = createFileRunStore({ folder, durable });
  const files = options.files ?? createNodeFiles();
  return {
    store,
    blobs: createFileBlobs(join(homeFolder, '.techne', 'blobs'), files, nodeSha256),
    index: createFileRunIndex(folder, store),
    serving: null,
  };
}

/** The store of the user's configuration, for commands that read nothing else of it. Throws FILE_INVALID. */
export async function configuredStore(
  files: Files,
  { homeFolder, cwd }: { readonly homeFolder: string; readonly cwd: string },
): Promise<string> {
  // Only the user's own file can name a store, whatever the workspace is.
  const loaded = await loadConfig({ files, homeFolder, cwd, isTrusted: async () => false });
  const { config, broken } = loaded;
  // Where it cannot be read what the file says about the store, another store would be shown in silence.
  const isUnclear =
    config.runs.store === null &&
    loaded.files.some(
      ({ layer, path, text }) => layer === 'user' && path === broken?.path && text.includes('"store"'),
    );
  if (broken !== null && isUnclear)
    throw new TechneError('FILE_INVALID', `${broken.path}: ${broken.message}`, {
      hint: broken.hint ?? 'correct the file, or name the store: --store files',
    });
  return config.runs.store ?? 'files';
}
