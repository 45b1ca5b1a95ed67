// A host -> the change of its configuration file that adds or removes techne; and the function that writes it.
//
// The change is shown before it is written. Other entries stay byte for byte; a file that cannot be read, or is not UTF-8, is not
// changed. The file is replaced atomically at the end of its links, so a link stays a link; its permissions stay, and the temporary
// file is never readable by more users. A device or pipe is neither read nor replaced. If the file changed after it was shown, it
// is not written. A project can be untrusted, so the plan reports the real file, and whether it is outside the project.
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import { isInside } from '../../base/is-inside.ts';
import { putEntry, removeEntry } from './edit-json.ts';
import type { EditedJson } from './edit-json.ts';
import { putTable, removeTable } from './edit-toml.ts';
import type { Command, HostName, InstallPlaces, InstallScope } from './hosts.ts';
import { hosts } from './hosts.ts';
import { realFileOf, realFolderOf } from './real-file.ts';

interface InstallRequest {
  readonly host: HostName;
  /** null: the default of the host. */
  readonly scope: InstallScope | null;
  readonly places: InstallPlaces;
  /** As a shell finds it. */
  readonly command: Command;
  /** By full paths, for your own file of a host that does not see the PATH of a shell. Default: `command`. */
  readonly absolute?: Command;
  /** Whether the entry is taken out instead. Default: false. */
  readonly removes?: boolean;
  /** Folders given on the command line, for the arguments of the server. Default: none. */
  readonly named?: { readonly workspace: string | null; readonly roots: readonly string[] };
  /** The name of the server. */
  readonly name: string;
}

export interface InstallPlan {
  readonly title: string;
  readonly file: string;
  /** The file to change. */
  readonly realFile: string;
  /** The file is reached through a link. */
  readonly isLinked: boolean;
  /** The path is in the project, but a link leads out of it. */
  readonly leavesProject: boolean;
  /** null: there is no file yet. */
  readonly before: string | null;
  readonly change: EditedJson;
  readonly entry: JsonObject;
  /** The entry alone, for pasting. */
  readonly snippet: string;
  readonly afterwards: string;
  /** A further recommendation; null: none. */
  readonly advice: string | null;
}

/** Accepted by every host; models see it in tool names. */
const nameRule = /^[A-Za-z\d][\w-]{0,63}$/;

export async function planInstall({
  host,
  scope,
  places,
  command,
  absolute = command,
  removes = false,
  named = { workspace: null, roots: [] },
  name,
}: InstallRequest): Promise<InstallPlan> {
  if (!nameRule.test(name))
    throw new TechneError('USAGE', `--name ${JSON.stringify(name)} is not a valid server name`, {
      hint: 'up to 64 letters, digits, "-" and "_", the first one a letter or a digit',
    });
  const table = hosts[host];
  const chosen = scope ?? table.scope;
  const file = table.files[chosen]?.(places);
  if (file === undefined)
    throw new TechneError('USAGE', `${table.title} has no file for the scope "${chosen}"`, {
      hint: `omit --scope, or use ${Object.keys(table.files).join(' or ')}`,
    });
  const workspace = named.workspace ?? (chosen === 'user' ? null : table.workspaceVariable);
  // A file of the project is for everybody, whatever folder they installed techne in.
  const start = table.hasWindows === true && chosen === 'user' ? absolute : command;
  const own: Command = {
    ...start,
    args: [
      ...start.args,
      ...(workspace === null ? [] : ['--workspace', workspace]),
      ...named.roots.flatMap((root) => ['--root', root]),
      ...(table.pageUnits === undefined ? [] : ['--page', String(table.pageUnits)]),
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
          values: Object.entries(entry) as [string, string | boolean | readonly string[]][],
        });
  const remove = (text: string): EditedJson =>
    table.format === 'json'
      ? removeEntry(text, table.path, name, startsTechne)
      : removeTable(text, [table.path[0] as string, name], startsTechne);
  const empty = put('');
  if (empty.kind === 'fault') throw new Error(empty.message);
  return {
    title: table.title,
    file,
    realFile,
    isLinked,
    leavesProject: chosen === 'project' && !isInside(realFile, realBase),
    before,
    change: removes ? remove(before ?? '') : put(before ?? ''),
    entry,
    snippet: empty.text,
    afterwards: table.afterwards,
    advice:
      startsElsewhere && !removes
        ? `${table.title} does not start servers in a project: add --workspace FOLDER to serve the skills of one.`
        : null,
  };
}

/** Judged by the command and its arguments. */
function startsTechne(texts: readonly string[]): boolean {
  return texts.some((text) => /(?:^|[\\/])techne(?:\.\w+)?$/.test(text)) && texts.includes('mcp');
}

/** Writes the change, unless the file changed since. */
export async function writeInstall({ file, realFile: real, before, change }: InstallPlan): Promise<void> {
  if (change.kind === 'fault')
    throw new TechneError('FILE_INVALID', `"${file}" is not changed: ${change.message}`);
  if ((await readIfThere(file)) !== before || (await placeOf(file)) !== real)
    throw new TechneError('STALE', `"${file}" has changed since it was shown`, {
      hint: 'run the command again',
    });
  let made: string | null = null;
  try {
    const mode = before === null ? null : (await stat(real)).mode & 0o777;
    await mkdir(dirname(real), { recursive: true });
    made = `${real}.techne-${process.pid}`;
    await writeFile(made, change.text, { flag: 'wx', ...(mode === null ? {} : { mode }) });
    // Restores the permissions that the umask removed.
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
      throw new TechneError('FILE_INVALID', `"${file}" is not a regular file, so it was not changed`);
    return decoded(file, await readFile(file));
  } catch (error) {
    if (error instanceof TechneError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new TechneError('FILE_DENIED', `"${file}" cannot be read: ${message}`, { cause: error });
  }
}

/** Decodes strictly: unchanged text must be written back byte for byte. */
function decoded(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new TechneError('FILE_INVALID', `"${file}" is not UTF-8, so it was not changed`, { cause: error });
  }
}
