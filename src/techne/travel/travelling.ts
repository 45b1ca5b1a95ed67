// Makes runs that workers drive without anything of this machine.
//
//   request, skills of the snapshot, files -> manifests in the store -> a run that names them
//
// Where the workspace has a lock, the skills that travel are those of the lock, of the workspace itself and of techne; else
// all of the snapshot. What this user trusts is told to the store under the user's name, once for each content: what was
// revoked there stays so, until a person grants it there. A manifest grants nothing.
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { lockFileName } from '../../hub/lock/lock.ts';
import type { BlobDigest } from '../../ports/blobs.ts';
import type { RunTravel } from '../../ports/shared-files.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { Runner, RunnerOptions, SubmitRequest } from '../../run/runner.ts';
import { createRunner } from '../../run/create-runner.ts';
import type { PackedSkills } from '../../travel/pack-skills.ts';
import { packSkills } from '../../travel/pack-skills.ts';
import { workspacePlace } from '../../travel/places.ts';
import { travellingSkills } from '../../travel/travelling-hosts.ts';
import type { SkillLibrary } from '../open-skills.ts';
import type { Serving } from '../serving.ts';

/** The files that the workspace of a run begins with. */
export type FilesOfRun = { readonly name: string } | { readonly digest: BlobDigest | null };

export interface Travelling {
  /** Throws WORKSPACE_UNKNOWN, MANIFEST_INVALID, NOT_TRUSTED, FILE_LIMIT, and what `Runner.submit` throws. */
  submit(request: SubmitRequest, files: FilesOfRun | null): Promise<string | RunResult>;
  /** Records the places that workers know; performs nothing. */
  readonly runner: Pick<Runner, 'submitFork'>;
}

export interface TravellingParts {
  readonly library: SkillLibrary;
  readonly snapshot: Snapshot;
  readonly serving: Serving;
  readonly parts: RunnerOptions;
  /** Where a skill of the snapshot is. */
  readonly folderOf: (name: string) => string | null;
}

export function createTravelling({
  library,
  snapshot,
  serving: { blobs, shared, trust },
  parts,
  folderOf,
}: TravellingParts): Travelling {
  const runner = createRunner({
    ...parts,
    skills: travellingSkills(parts.skills, folderOf),
    workspace: workspacePlace,
  });
  let packing: Promise<PackedSkills> | null = null;
  let packedMs = 0;
  const granted = new Set<string>();
  /** Once for a snapshot, and again before the sweep of a store could take it for unused. */
  const pack = (): Promise<PackedSkills> => {
    if (packing !== null && performance.now() - packedMs < renewMs) return packing;
    packedMs = performance.now();
    packing = packSkills(snapshot, { blobs, shared }, unlocked(library));
    packing.catch(() => (packing = null));
    return packing;
  };
  /** Tells the store what this user trusts. */
  const grant = async ({ skills }: PackedSkills): Promise<void> => {
    const wanted = snapshot.skills.filter(({ name }) => skills.has(name) && !granted.has(name));
    const trusted = [...(await library.findTrusted(snapshot, wanted))];
    await trust.grantUnknown(
      trusted.map(({ name }) => ({ skill: name, digest: skills.get(name) as string })),
      userName(),
    );
    for (const { name } of trusted) granted.add(name);
  };
  return {
    runner,
    async submit(request, files) {
      const { skill } = request;
      const packed = await pack();
      const left = packed.left.get(skill);
      if (left !== undefined)
        throw new TechneError(
          'MANIFEST_INVALID',
          `the skill "${skill}" cannot be given to workers: ${left}`,
          {
            hint: 'change what the message names, then submit it again',
          },
        );
      await grant(packed);
      const digest = packed.skills.get(skill);
      // What the user does not trust is refused by the start, with its own reasons.
      if (digest !== undefined && granted.has(skill) && (await trust.trustIn(digest)) === null)
        throw new TechneError(
          'NOT_TRUSTED',
          `the trust of the team in this version of "${skill}" was revoked`,
          { hint: `techne store trust list; to grant it again: techne store trust grant ${skill}` },
        );
      const travel: RunTravel = { skills: packed.digest, ...(await filesOf(files)) };
      return runner.submit({ ...request, travel });
    },
  };

  async function filesOf(files: FilesOfRun | null): Promise<Omit<RunTravel, 'skills'>> {
    if (files === null) return { files: null, name: null };
    if ('digest' in files) return { files: files.digest, name: null };
    const { name } = files;
    const found = await shared.findFiles(name);
    if (found === null)
      throw new TechneError(
        'WORKSPACE_UNKNOWN',
        `the store has no files of the name "${name.slice(0, 80)}"`,
        {
          hint: 'techne store files list; techne store files push NAME FOLDER',
        },
      );
    return { files: found.digest, name };
  }
}

/** Blobs that nothing names are removed after an hour. */
const renewMs = 600_000;

/** By whom something is granted from a command line. */
export function userName(): string {
  return `${userInfo().username}@${hostname()}`;
}

function unlocked({ files, loaded: { workspace } }: SkillLibrary): (skill: Skill) => string | null {
  const isLocked = workspace !== null && files.lstat(join(workspace, lockFileName)) !== null;
  return ({ source, origin }) =>
    isLocked && source !== 'workspace' && origin.kind !== 'builtin'
      ? `it is not in ${lockFileName} of the workspace`
      : null;
}
