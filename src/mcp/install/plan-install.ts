// A host -> the change of its configuration file that makes it start techne; and that change, written.
//
// I1. Nothing is written before it was shown. Other entries stay byte by byte; a file that cannot be read, or is no UTF-8, is
//     left alone.
// I2. The file is replaced as a whole, where it really is: a link stays a link, also one to a file that is not there yet. Its
//     rights stay as they are, and what is written beside it on the way is never open to more people. A device or a pipe at
//     the end of a link is neither read nor replaced.
// I3. Between showing and writing nobody else's change is lost: a file that is no longer what was shown, or where it was, is not
//     written.
// I4. A project may come from anybody, with its links: whoever is shown the change is told of the file that it is made in, and
//     whether that lies outside the project.
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { isInside } from '../../base/is-inside.ts';
import { putEntry } from './edit-json.ts';
import type { EditedJson } from './edit-json.ts';
import { putTable } from './edit-toml.ts';
import type { Command, HostName, Places, Scope } from './hosts.ts';
import { hosts } from './hosts.ts';
import { realFileOf, realFolderOf } from './real-file.ts';

export interface InstallRequest {
  readonly host: HostName;
  /** null: the usual one of the host. */
  readonly scope: Scope | null;
  readonly places: Places;
  readonly command: Command;
  /** Folders that were named: the server is told of them, instead of what the host says. Default: none. */
  readonly named?: { readonly workspace: string | null; readonly roots: readonly string[] };
  /** What the server is called there. */
  readonly name: string;
}

export interface InstallPlan {
  readonly title: string;
  readonly file: string;
  /** The file that is changed. */
  readonly realFile: string;
  /** It is another one than its name says: a link leads there. */
  readonly isLinked: boolean;
  /** The file belongs to the project by its name, and really lies elsewhere. */
  readonly leavesProject: boolean;
  /** null: there is no file yet. */
  readonly before: string | null;
  readonly change: EditedJson;
  /** The entry by itself, to be pasted. */
  readonly snippet: string;
  readonly afterwards: string;
  /** What the entry may want besides; null: nothing. */
  readonly advice: string | null;
}

/** What every host takes: some refuse anything else, and their models see it in the names of tools. */
const nameRule = /^[A-Za-z\d][\w-]{0,63}$/;

export async function planInstall({
  host,
  scope,
  places,
  command,
  named = { workspace: null, roots: [] },
  name,
}: InstallRequest): Promise<InstallPlan> {
  if (!nameRule.test(name))
    throw new TechneError('USAGE', `--name ${JSON.stringify(name)} is no name for a server`, {
      hint: 'up to 64 letters, digits, "-" and "_", the first one a letter or a digit',
    });
  const table = hosts[host];
  const chosen = scope ?? table.scope;
  const file = table.files[chosen]?.(places);
  if (file === undefined)
    throw new TechneError('USAGE', `${table.title} has no file for the scope "${chosen}"`, {
      hint: `leave --scope out, or use ${Object.keys(table.files).join(' or ')}`,
    });
  const workspace = named.workspace ?? (chosen === 'user' ? null : table.workspaceVariable);
  const own: Command = {
    ...command,
    args: [
      ...command.args,
      ...(workspace === null ? [] : ['--workspace', workspace]),
      ...named.roots.flatMap((root) => ['--root', root]),
    ],
  };
  const startsElsewhere =
    workspace === null && named.roots.length === 0 && (table.startsElsewhere ?? []).includes(chosen);
  const before = await readIfThere(file);
  const realFile = await placeOf(file);
  const base = chosen === 'project' ? places.workspace : places.homeFolder;
  const realBase = await realFolderOf(base);
  const isLinked = realFile !== file && realFile !== join(realBase, relative(base, file));
  const entry = table.entry(own);
  const put = (text: string): EditedJson =>
    table.format === 'json'
      ? putEntry(text, table.path, name, entry)
      : putTable(text, {
          path: [table.path[0] as string, name],
          values: Object.entries(entry) as [string, string | readonly string[]][],
        });
  const empty = put('');
  if (empty.kind === 'fault') throw new Error(empty.message);
  return {
    title: table.title,
    file,
    realFile,
    isLinked,
    leavesProject: chosen === 'project' && !isInside(realFile, realBase),
    before,
    change: put(before ?? ''),
    snippet: empty.text,
    afterwards: table.afterwards,
    advice: startsElsewhere
      ? `${table.title} starts servers in no project: with --workspace FOLDER it serves the skills of one.`
      : null,
  };
}

/** I2, I3. */
export async function writeInstall({ file, realFile: real, before, change }: InstallPlan): Promise<void> {
  if (change.kind === 'fault')
    throw new TechneError('FILE_INVALID', `"${file}" is not changed: ${change.message}`);
  if ((await readIfThere(file)) !== before || (await placeOf(file)) !== real)
    throw new TechneError('STALE', `"${file}" has changed meanwhile`, { hint: 'run the command again' });
  let made: string | null = null;
  try {
    const mode = before === null ? null : (await stat(real)).mode & 0o777;
    await mkdir(dirname(real), { recursive: true });
    made = `${real}.techne-${process.pid}`;
    await writeFile(made, change.text, { flag: 'wx', ...(mode === null ? {} : { mode }) });
    // What the process takes away from new files is put back.
    if (mode !== null) await chmod(made, mode);
    await rename(made, real);
  } catch (error) {
    if (made !== null && (error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(made, { force: true });
    throw new TechneError('FILE_DENIED', `"${file}" cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function placeOf(file: string): Promise<string> {
  try {
    return await realFileOf(file);
  } catch (error) {
    throw new TechneError('FILE_DENIED', `"${file}" cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    if (!(await stat(file)).isFile())
      throw new TechneError('FILE_INVALID', `"${file}" is no plain file, so it is left alone`);
    return decoded(file, await readFile(file));
  } catch (error) {
    if (error instanceof TechneError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new TechneError('FILE_DENIED', `"${file}" cannot be read: ${message}`, { cause: error });
  }
}

/** I1: what is written again must be what was read. */
function decoded(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new TechneError('FILE_INVALID', `"${file}" is not UTF-8, so it is left alone`, { cause: error });
  }
}
