// The runs of this user, to look at and to write to, without anyone who could answer or carry anything out.
//
// A1. Nothing of skills, models or commands is loaded: listing runs costs what reading them costs.
import { join } from 'node:path';
import { createFileBlobs } from '../node/files/blobs.ts';
import { createFileRunStore } from '../node/store-file/run-store.ts';
import { createNodeIds, nodeRunClock, nodeSha256 } from '../node/environment.ts';
import { createNodeFiles } from '../node/files/files.ts';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { RunStore } from '../ports/run-store.ts';
import { createRunner } from '../run/runner.ts';
import type { Runner } from '../run/runner.ts';
import { findRun, runsFolder } from './find-run.ts';

export interface RunArchive {
  readonly folder: string;
  readonly store: RunStore;
  readonly blobs: SweptBlobs;
  /** Carries nothing out; `resume` is for the results of runs that have ended. */
  readonly runner: Pick<Runner, 'answer' | 'decide' | 'cancel' | 'replay' | 'inspect' | 'resume'>;
  /** The run that is meant by the first or another argument. */
  readonly find: (given: string) => Promise<string>;
}

/** Closes it after `work`, whatever comes of it. */
export async function withArchive<T>(
  homeFolder: string,
  work: (archive: RunArchive) => Promise<T>,
): Promise<T> {
  const folder = runsFolder(homeFolder);
  const files = createNodeFiles();
  const store = createFileRunStore({ folder });
  const blobs = createFileBlobs(join(homeFolder, '.techne', 'blobs'), files, nodeSha256);
  const runner = createRunner({
    store,
    blobs,
    skills: { find: async () => null, names: () => [], mayContinue: async () => ({ ok: true, reasons: [] }) },
    commands: {
      judge: async () => ({ kind: 'deny', reason: 'nothing is carried out here' }),
      run: () => Promise.reject(new Error('nothing is carried out here')),
    },
    answerers: [],
    clock: nodeRunClock,
    ids: createNodeIds(),
    sha256: nodeSha256,
  });
  try {
    return await work({ folder, store, blobs, runner, find: (given) => findRun(given, { folder, store }) });
  } finally {
    await store.close();
  }
}
