// The runs of this user, to look at and to write to, without anyone who could answer or carry anything out.
//
// A1. Nothing of skills, models or commands is loaded: listing runs costs what reading them costs.
import { join } from 'node:path';
import { createFileBlobs } from '../../host/file-blobs.ts';
import { createFileRunStore } from '../../host/file-run-store.ts';
import { nodeDecodeUtf8, nodeSha256 } from '../../host/node-environment.ts';
import { createNodeFiles } from '../../host/node-files.ts';
import { createNodeIds } from '../../host/node-ids.ts';
import { nodeRunClock } from '../../host/node-run-clock.ts';
import type { SweptBlobs } from '../../host/ports/blobs.ts';
import type { RunStore } from '../../journal/run-store.ts';
import { createRunner } from '../../run/runner.ts';
import type { Runner } from '../../run/runner.ts';
import type { CommandContext } from '../context.ts';
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
  { io }: Pick<CommandContext, 'io'>,
  work: (archive: RunArchive) => Promise<T>,
): Promise<T> {
  const folder = runsFolder(io.homeFolder);
  const files = createNodeFiles();
  const store = createFileRunStore({ folder });
  const blobs = createFileBlobs(join(io.homeFolder, '.techne', 'blobs'), files, nodeSha256);
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
    decodeUtf8: nodeDecodeUtf8,
  });
  try {
    return await work({ folder, store, blobs, runner, find: (given) => findRun(given, { folder, store }) });
  } finally {
    await store.close();
  }
}
