// Files for the workspaces of runs, from a command line.
//
//   SOURCE -> files in the store;   @NAME -> files that the store has under this name
import * as fs from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { codeOf } from '../../node/files/file-fault.ts';
import { bytesOf, parseManifest } from '../../travel/manifest.ts';
import type { TakenFiles, TakeFilesOptions } from '../../travel/take-files.ts';
import { writeFiles } from '../../travel/folder-cache.ts';
import type { NamedFiles } from '../../ports/shared-files.ts';
import { queueName } from '../../worker/run-queue.ts';
import type { SkillLibrary } from '../open-skills.ts';
import type { Serving } from '../serving.ts';
import type { FilesOfRun } from './travelling.ts';
import { userName } from './travelling.ts';

export interface FilesPlace {
  /** Its configuration says which hosts may be reached. */
  readonly library: SkillLibrary;
  readonly serving: Serving;
  readonly cwd: string;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
}

/** Throws what `takeFiles` throws; a name is looked up when the run is made. */
export async function filesHere(given: string, place: FilesPlace): Promise<FilesOfRun> {
  return given.startsWith('@') ? { name: given.slice(1) } : { digest: (await takeHere(given, place)).digest };
}

/** Puts files under a name. Throws USAGE for a name that cannot be one, and what `takeFiles` throws. */
export async function pushFiles(name: string, given: string, place: FilesPlace): Promise<NamedFiles> {
  mustBeName(name);
  return nameTaken({ name, by: userName(), given }, await takeHere(given, place), place);
}

/** The same with the bytes of an archive, for somebody elsewhere. */
export async function pushArchive(
  { name, bytes, by }: { readonly name: string; readonly bytes: Uint8Array; readonly by: string },
  place: FilesPlace,
  signal: Abort,
): Promise<NamedFiles> {
  mustBeName(name);
  const { takeArchive } = await import('../../travel/take-files.ts');
  const taken = await takeArchive(bytes, takeOptions(place, signal));
  return nameTaken({ name, by, given: 'the archive' }, taken, place);
}

function mustBeName(name: string): void {
  if (!queueName.test(name))
    throw new TechneError('USAGE', `"${name.slice(0, 80)}" cannot be the name of files`, {
      hint: 'letters, digits, ".", "_" and "-", such as shop-main',
    });
}

async function nameTaken(
  { name, by, given }: { readonly name: string; readonly by: string; readonly given: string },
  { digest, files, bytes, source }: TakenFiles,
  { serving: { shared } }: FilesPlace,
): Promise<NamedFiles> {
  if (digest === null)
    throw new TechneError('USAGE', `"${given.slice(0, 200)}" has no files`, {
      hint: 'a run without --files begins with an empty workspace',
    });
  await shared.nameFiles({ name, digest, files, bytes, source, by });
  return (await shared.findFiles(name)) as NamedFiles;
}

/** Writes the files of the workspace of a run into a folder that is empty or not there. Throws USAGE, FILES_LOST. */
export async function getFiles(
  run: string,
  into: string,
  { serving: { shared, blobs }, cwd }: Pick<FilesPlace, 'serving' | 'cwd'>,
): Promise<{ readonly folder: string; readonly files: number; readonly bytes: number }> {
  const found = await shared.travelOf(run);
  if (found === null)
    throw new TechneError('USAGE', `run ${run} worked in a folder of its machine`, {
      hint: `techne runs show ${run} names the folder`,
    });
  const kept = await shared.keptOf(run);
  if (kept !== null && kept.fault !== null)
    throw new TechneError('FILES_LOST', `the files of run ${run} could not be kept: ${kept.fault}`, {
      hint: `those from before that: techne store files forget ${run}, then again`,
    });
  const digest = kept?.digest ?? found.travel.files;
  const folder = resolve(cwd, into);
  await fs.mkdir(folder, { recursive: true });
  if ((await fs.readdir(folder)).length > 0)
    throw new TechneError('USAGE', `"${folder}" is not empty`, { hint: 'name a new folder' });
  if (digest === null) return { folder, files: 0, bytes: 0 };
  const manifest = parseManifest(await blobs.get(digest));
  try {
    await writeFiles(folder, manifest, blobs, { file: 0o644, program: 0o755 });
  } catch (error) {
    if (error instanceof TechneError || codeOf(error) === '') throw error;
    throw new TechneError('ENVIRONMENT', `"${folder}" cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return { folder, files: manifest.files.length + manifest.links.length, bytes: bytesOf(manifest) };
}

async function takeHere(given: string, place: FilesPlace): Promise<TakenFiles> {
  const { takeFiles } = await import('../../travel/take-files.ts');
  return takeFiles(given, takeOptions(place, new AbortController().signal));
}

function takeOptions(
  { library, serving: { blobs, shared }, cwd, homeFolder, variables }: FilesPlace,
  signal: Abort,
): TakeFilesOptions {
  const { hub, mcpServers } = library.loaded.config;
  return { blobs, shared, fetching: { hub, mcpServers, cwd, homeFolder, variables }, signal };
}
