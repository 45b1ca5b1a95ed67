// Drives runs that came from elsewhere: their skills from the cache, their workspace a folder of their own, trust and
// approvals from the store.
//
//   run -> what travels with it -> verified skills + workspace -> the engine of every other run
//
// The configuration is that of the worker: its policy, sandbox, models and servers. Nothing of its user's skills, trust and
// approvals counts, and a techne.json in the files of the workspace can only narrow it.
import * as fs from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { nodeRunClock } from '../../node/environment.ts';
import { codeOf } from '../../node/files/file-fault.ts';
import type { RunStops } from '../../run/drive/drive.ts';
import type { RunResult } from '../../run/result/result.ts';
import { FolderCache, removeFolder } from '../../travel/folder-cache.ts';
import { createPlaces } from '../../travel/places.ts';
import { createTravelledHosts } from '../../travel/travelling-hosts.ts';
import { WorkFolder } from '../../travel/work-folder.ts';
import type { OpenRuns } from '../open-runs.ts';
import { openSkills } from '../open-skills.ts';
import { Runs, SnapshotRuns } from '../runs.ts';
import type { OpenWorkerOptions, Serving } from '../serving.ts';
import { createGivenTrustStore } from './given-trust-store.ts';

export interface WorkerRunsParts {
  readonly options: OpenWorkerOptions;
  /** Those of the worker itself; their store is used. */
  readonly runs: OpenRuns;
  readonly serving: Serving;
}

export class WorkerRuns {
  readonly #parts: WorkerRunsParts;
  readonly #cache: FolderCache;
  readonly #work: string;

  constructor(parts: WorkerRunsParts) {
    const { options, serving } = parts;
    const folder = options.cacheFolder ?? join(options.homeFolder ?? homedir(), '.cache', 'techne');
    this.#parts = parts;
    this.#cache = new FolderCache({ folder, blobs: serving.blobs, nowMs: () => nodeRunClock.nowMs() });
    this.#work = join(folder, 'work');
  }

  /** `null`: nothing travels with it. Throws what keeps it from being driven here. */
  async resume(run: string, stops: RunStops): Promise<RunResult | null> {
    const { options, runs, serving } = this.#parts;
    const { blobs, shared } = serving;
    const found = await shared.travelOf(run);
    if (found === null) return null;
    const { travel, forkedFrom } = found;
    const skills = await this.#cache.open(travel.skills);
    const parent = join(this.#work, serving.worker);
    const folder = await WorkFolder.open({ parent, run, travel, forkedFrom, blobs, shared });
    const touching = setInterval(() => void this.#cache.touch(travel.skills), touchMs);
    try {
      const { homeFolder = homedir(), variables = process.env } = options;
      const library = await openSkills({
        cwd: folder.path,
        workspace: folder.path,
        roots: [skills.path],
        homeFolder,
        variables,
        trustStore: createGivenTrustStore(serving.trust),
      });
      const snapshot = await library.load();
      const places = createPlaces({ skills: await fs.realpath(skills.path), workspace: folder.path });
      const hosts = createTravelledHosts({ places, afterWrite: () => folder.keep() }, serving.approvals);
      const { store, index } = runs;
      const own = new Runs(
        new SnapshotRuns(
          {
            library,
            cwd: folder.path,
            homeFolder,
            variables,
            answerer: typeof options.answerer === 'function' ? null : (options.answerer ?? null),
            opened: { store, blobs, index, serving },
            travelled: hosts,
          },
          () => snapshot,
        ),
        {},
      );
      try {
        return await own.resume(snapshot, run, { ...stops, questions: [] });
      } finally {
        await own.close();
      }
    } finally {
      clearInterval(touching);
      await folder.remove();
    }
  }

  /** Removes what no run needs, also what workers left behind that died on this machine. */
  async clean(): Promise<void> {
    const { serving } = this.#parts;
    await this.#cache.clean();
    const names = await fs.readdir(this.#work).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    if (names.length === 0) return;
    const workers = await serving.served.workers();
    const alive = new Set(workers.filter(({ isAlive }) => isAlive).map(({ id }) => id));
    for (const name of names)
      if (name !== serving.worker && !alive.has(name)) await removeFolder(join(this.#work, name));
  }

  async close(): Promise<void> {
    await removeFolder(join(this.#work, this.#parts.serving.worker));
  }
}

/** A folder of skills that a run uses is not removed: it was used within the hour. */
const touchMs = 600_000;
