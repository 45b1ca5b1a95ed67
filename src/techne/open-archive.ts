// The runs of this user, for reading and for writing answers, without answerers or commands.
//
// No skills, models or commands are loaded, so listing runs is as fast as reading them.
import { join } from 'node:path';
import { createFileBlobs } from '../node/files/blobs.ts';
import { createFileRunStore } from '../node/store-file/run-store.ts';
import { createNodeIds, nodeRunClock, nodeSha256 } from '../node/environment.ts';
import { createNodeFiles } from '../node/files/files.ts';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { RunStore } from '../ports/run-store.ts';
import { createRunner } from '../run/runner.ts';
import type { Runner } from '../run/runner.ts';
import { promises } from 'node:fs';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { isRunName } from '../journal/run-state.ts';
import { runsFolder } from './paths.ts';
import { findWorkspace } from '../node/load-config.ts';

export interface RunArchive {
  readonly folder: string;
  readonly store: RunStore;
  readonly blobs: SweptBlobs;
  /** The workspace that this command runs in. */
  readonly workspace: string;
  /** Performs no effects; `resume` is for the results of runs that have ended. */
  readonly runner: Pick<Runner, 'answer' | 'decide' | 'cancel' | 'replay' | 'inspect' | 'resume'>;
  /** The run that is meant by the first or another argument. */
  readonly find: (given: string) => Promise<string>;
}

export interface ArchivePlace {
  readonly homeFolder: string;
  readonly cwd: string;
  /** The workspace that `last` is looked for in. Default: the one around `cwd`. */
  readonly workspace?: string | null;
}

/** Closes it after `work`, also if that fails. */
export async function withArchive<T>(
  place: ArchivePlace,
  work: (archive: RunArchive) => Promise<T>,
): Promise<T> {
  const { homeFolder } = place;
  const folder = runsFolder(homeFolder);
  const files = createNodeFiles();
  const workspace = findWorkspace(files, place.workspace ?? place.cwd, homeFolder);
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
    return await work({
      folder,
      store,
      blobs,
      runner,
      workspace,
      find: (given) => findRun(given, { folder, store, workspace }),
    });
  } finally {
    await store.close();
  }
}

// What a person writes for a run -> its id: a full id, the beginning or end of exactly one id, or `last`, the newest run of
// this workspace that was not started by another run.

const leastShown = 3;

/** Newest first. */
export async function runNames(folder: string): Promise<readonly string[]> {
  try {
    return (await promises.readdir(folder)).filter(isRunName).sort().reverse();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new TechneError(
      'ENVIRONMENT',
      `the runs in "${folder}" cannot be listed: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** Throws RUN_UNKNOWN, or USAGE when it fits several. */
async function findRun(
  given: string,
  {
    folder,
    store,
    workspace,
  }: { readonly folder: string; readonly store: Pick<RunStore, 'read'>; readonly workspace: string },
): Promise<string> {
  const names = await runNames(folder);
  if (given === 'last') {
    for (const name of names) if (await isOutermost(name, store, workspace)) return name;
    throw new TechneError(
      'RUN_UNKNOWN',
      names.length === 0 ? 'there is no run yet' : `there is no run in the workspace "${workspace}" yet`,
      {
        hint:
          names.length === 0
            ? 'techne run NAME starts one'
            : '"techne runs" shows the runs of every workspace; each has an id',
      },
    );
  }
  const wanted = given.toUpperCase();
  const exact = names.find((name) => name === given || name.toUpperCase() === wanted);
  if (exact !== undefined) return exact;
  const fitting =
    given.length < leastShown
      ? []
      : names.filter((name) => name.toUpperCase().startsWith(wanted) || name.toUpperCase().endsWith(wanted));
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first;
  if (first !== undefined)
    throw new TechneError(
      'USAGE',
      `"${printableLine(given)}" fits ${fitting.length} runs: ${fitting.slice(0, 3).join(', ')}${fitting.length > 3 ? ' …' : ''}`,
      { hint: 'write more of the id' },
    );
  throw new TechneError('RUN_UNKNOWN', `there is no run "${printableLine(given)}"`, {
    hint: '"techne runs" shows the runs there are',
  });
}

async function isOutermost(name: string, store: Pick<RunStore, 'read'>, workspace: string): Promise<boolean> {
  try {
    const [first] = await store.read(name);
    if (first?.entry.type !== 'run.started') return true;
    const { parent, settings } = first.entry;
    return parent === null && (settings['workspace'] ?? workspace) === workspace;
  } catch (error) {
    // A damaged run can be the last one, and reading it reports the fault; one that was never completely created cannot.
    if (error instanceof TechneError) return error.code !== 'RUN_UNKNOWN';
    throw error;
  }
}
