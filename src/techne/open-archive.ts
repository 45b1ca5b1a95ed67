// The runs of this user, for reading and for writing answers, without answerers or commands.
//
// No skills, models or commands are loaded, so listing runs is as fast as reading them.
import { createNodeIds, nodeRunClock, nodeSha256 } from '../node/environment.ts';
import { createNodeFiles } from '../node/files/files.ts';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { RunStore } from '../ports/run-store.ts';
import { createRunner } from '../run/create-runner.ts';
import type { Runner } from '../run/runner.ts';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { findWorkspace } from '../node/load-config.ts';
import { configuredStore, openRunStore } from './open-run-store.ts';
import type { Serving } from './serving.ts';

export interface RunArchive {
  readonly store: RunStore;
  readonly blobs: SweptBlobs;
  readonly index: RunIndex;
  /** What workers need; null for runs in files. */
  readonly serving: Serving | null;
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
  /** `files`, or an address of Postgres. Default: that of the user's configuration. */
  readonly store?: string | null;
}

/** Closes it after `work`, also if that fails. */
export async function withArchive<T>(
  place: ArchivePlace,
  work: (archive: RunArchive) => Promise<T>,
): Promise<T> {
  const { homeFolder } = place;
  const files = createNodeFiles();
  const workspace = findWorkspace(files, place.workspace ?? place.cwd, homeFolder);
  const at = place.store ?? (await configuredStore(files, place));
  const { store, blobs, index, serving } = await openRunStore({ homeFolder, at, files });
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
      store,
      blobs,
      index,
      serving,
      runner,
      workspace,
      find: (given) => findRun(given, index, workspace),
    });
  } finally {
    await store.close();
  }
}

// What a person writes for a run -> its id: a full id, the beginning or end of exactly one id, or `last`, the newest run of
// this workspace that was not started by another run.

const leastShown = 3;

/** Enough to say how many there are. */
const maxFitting = 1000;

/** Throws RUN_UNKNOWN, or USAGE when it fits several. */
async function findRun(given: string, index: RunIndex, workspace: string): Promise<string> {
  if (given === 'last') {
    const last = await index.last(workspace);
    if (last !== null) return last;
    const isEmpty = (await index.names(1)).length === 0;
    throw new TechneError(
      'RUN_UNKNOWN',
      isEmpty ? 'there is no run yet' : `there is no run in the workspace "${workspace}" yet`,
      {
        hint: isEmpty
          ? 'techne run NAME starts one'
          : '"techne runs" shows the runs of every workspace; each has an id',
      },
    );
  }
  const found = await index.matching(given, maxFitting);
  const [first] = found;
  const fitting = given.length < leastShown && first?.toUpperCase() !== given.toUpperCase() ? [] : found;
  if (first !== undefined && fitting.length === 1) return first;
  if (fitting.length > 1)
    throw new TechneError(
      'USAGE',
      `"${printableLine(given)}" fits ${fitting.length} runs: ${fitting.slice(0, 3).join(', ')}${fitting.length > 3 ? ' …' : ''}`,
      { hint: 'write more of the id' },
    );
  throw new TechneError('RUN_UNKNOWN', `there is no run "${printableLine(given)}"`, {
    hint: '"techne runs" shows the runs there are; those of a team are in its store: --store postgres://…',
  });
}
