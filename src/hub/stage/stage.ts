// A private copy of what would be installed, before anybody agreed to it.
//
//   SkillPackage -> names checked -> written to .techne/hub/stage-ID/new/NAME (0700) -> read back -> StagedSkill
//
// What is scanned, shown and locked is what was read back from the disk, never what was downloaded. A stage belongs to one
// process: it removes it, and a later command removes what a killed process left (`clearStages`).
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { nodeCrypto } from '../../node/environment.ts';
import { makeFolders } from '../../node/files/durable.ts';
import { faultOf } from '../../node/files/file-fault.ts';
import type { OwnerRecord } from '../../node/files/owner-record.ts';
import { isDead, ownRecord } from '../../node/files/owner-record.ts';
import type { FileManifest } from '../../skill/resources.ts';
import { isExcluded } from '../../skill/resources.ts';
import { isSkillName } from '../lock/lock.ts';
import type { HubPlace } from '../install/place.ts';
import type { FetchedFile, SkillPackage } from '../source/source.ts';
import { refuseNames } from './check-names.ts';
import type { HeldFolder, HubCalls } from './held-folder.ts';
import { inChild, inFolder, readFileIn, removeIn, writeNew } from './held-folder.ts';
import type { TreeFile, TreeLimits } from './tree.ts';
import { isExactly, manifestOfFiles, readTree, writeTree } from './tree.ts';

export interface StagedSkill {
  readonly name: string;
  /** As read back from the disk, by path. */
  readonly files: readonly TreeFile[];
  readonly manifest: FileManifest;
  /** Files of the package that are no part of a skill (`__pycache__`, `.DS_Store` …), left out. */
  readonly leftOut: readonly string[];
}

export interface Stage {
  readonly id: string;
  readonly folder: string;
  /** Throws INSTALL_REFUSED for a tree that cannot be installed. */
  add(skill: Pick<SkillPackage, 'name' | 'files'>): Promise<StagedSkill>;
  /** Removes all of it. */
  close(): Promise<void>;
}

const stagePattern = /^stage-[0-9a-f]{16}$/;
const ownerFile = 'owner.json';

export async function openStage(place: HubPlace, limits: TreeLimits, calls: HubCalls): Promise<Stage> {
  const id = `stage-${nodeCrypto().randomBytes(8).toString('hex')}`;
  await guarded(place.stages, async () => {
    await makeFolders(calls, place.stages, 0o755);
    await inFolder(calls, place.stages, async (stages) => {
      await calls.mkdir(stages.at(id), { mode: 0o700 });
      await inChild(calls, stages, id, 0o700, async (stage) => {
        await writeNew(calls, stage, ownerFile, encodeUtf8(JSON.stringify(ownRecord())), 0o600);
        await calls.mkdir(stage.at('new'), { mode: 0o700 });
        await calls.mkdir(stage.at('old'), { mode: 0o700 });
        await stage.sync();
      });
    });
  });
  return {
    id,
    folder: join(place.stages, id),
    add: (skill) => guarded(place.stages, () => addSkill(place, id, skill, limits, calls)),
    close: () => guarded(place.stages, () => removeStage(place, id, calls)),
  };
}

async function addSkill(
  place: HubPlace,
  id: string,
  { name, files }: Pick<SkillPackage, 'name' | 'files'>,
  limits: TreeLimits,
  calls: HubCalls,
): Promise<StagedSkill> {
  const wanted = new Map<string, FetchedFile>();
  const leftOut: string[] = [];
  for (const [path, file] of files)
    if (isExcluded(path)) leftOut.push(path);
    else wanted.set(path, file);
  checkTree(name, wanted, limits);
  await inFolder(calls, join(place.stages, id, 'new'), async (folder) => {
    await writeTree(calls, folder, name, wanted);
    await folder.sync();
  });
  const tree = await readTree(calls, join(place.stages, id, 'new', name), limits);
  if (tree === null || !isExactly(tree, manifestOfFiles(wanted).digest))
    throw new TechneError(
      'STALE',
      `the private copy of "${name}" in "${join(place.stages, id)}" was changed by another process`,
      {
        hint: 'nothing was installed; find out what writes there, then try again',
      },
    );
  return { name, files: tree.files, manifest: tree.manifest, leftOut: leftOut.sort() };
}

/** Throws INSTALL_REFUSED. */
function checkTree(name: string, files: ReadonlyMap<string, FetchedFile>, limits: TreeLimits): void {
  const refuse = (why: string, hint: string): TechneError =>
    new TechneError('INSTALL_REFUSED', `the skill ${JSON.stringify(name)} cannot be installed: ${why}`, {
      hint,
    });
  const rename = 'ask its author to rename it; techne does not rename files of others';
  if (!isSkillName(name))
    throw refuse('its name is not made of small letters, digits and single hyphens, at most 64', rename);
  if (!files.has('SKILL.md')) throw refuse('it has no SKILL.md', 'give the folder that holds the SKILL.md');
  const fault = refuseNames(files.keys());
  if (fault !== null) throw refuse(fault, rename);
  if (files.size > limits.files)
    throw refuse(
      `it has ${files.size} files, over the limit of ${limits.files}`,
      'raise limits.files if you trust the source',
    );
  let bytes = 0;
  for (const file of files.values()) bytes += file.bytes.length;
  if (bytes > limits.bytes)
    throw refuse(
      `it has ${bytes} bytes, over the limit of ${limits.bytes}`,
      'raise limits.bytes if you trust the source',
    );
}

export async function removeStage(place: HubPlace, id: string, calls: HubCalls): Promise<void> {
  if (!stagePattern.test(id)) throw new Error(`not the name of a stage: ${id}`);
  await inFolder(calls, place.stages, async (stages) => {
    await emptyStage(stages, id, calls);
    await removeIn(calls, stages, id);
  });
}

/** The record of its owner stays to the last, so that what a killed process leaves is known to have no owner. */
async function emptyStage(stages: HeldFolder, id: string, calls: HubCalls): Promise<void> {
  await inFolder(calls, stages.at(id), async (stage) => {
    for (const name of await calls.readdir(stage.at('.')))
      if (name !== ownerFile) await removeIn(calls, stage, name);
  });
}

/** Removes the stages of dead processes, except `kept`. */
export async function clearStages(place: HubPlace, kept: string | null, calls: HubCalls): Promise<void> {
  await inFolder(calls, place.stages, async (stages) => {
    for (const name of await calls.readdir(stages.at('.'))) {
      if (!stagePattern.test(name) || name === kept) continue;
      const owner = await inFolder(calls, stages.at(name), (stage) =>
        readFileIn(calls, stage, ownerFile, 4096),
      );
      const record = owner === null ? null : parseOwner(owner.bytes);
      // Without a record it was killed at its very beginning, or is just being made: that takes moments.
      const isOld = Date.now() - (await calls.lstat(stages.at(name))).ctimeMs > 60_000;
      if (record === null ? !isOld : !isDead(record)) continue;
      await emptyStage(stages, name, calls);
      await removeIn(calls, stages, name);
    }
  });
}

function parseOwner(bytes: Uint8Array): OwnerRecord | null {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Partial<OwnerRecord> | null;
    return typeof value?.pid === 'number' && typeof value.host === 'string' ? (value as OwnerRecord) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Faults of the file system, as techne reports them. */
export async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TechneError || !(error instanceof Error) || !('code' in error)
      ? error
      : faultOf(error, path);
  }
}
