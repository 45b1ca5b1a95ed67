// A host -> the change of its configuration file that makes it start techne; and that change, written.
//
// I1. Nothing is written before it was shown. Other entries stay byte by byte; a file that cannot be read is left alone.
// I2. The file is replaced as a whole, where it really is: a link stays a link, and its rights stay as they are. A device
//     or a pipe at the end of a link is neither read nor replaced.
// I3. Between showing and writing nobody else's change is lost: a file that is no longer what was shown is not written.
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { putMember } from './edit-json.ts';
import type { EditedJson } from './edit-json.ts';
import { putTable } from './edit-toml.ts';
import type { Command, HostName, Places, Scope } from './hosts.ts';
import { hosts } from './hosts.ts';

export interface InstallRequest {
  readonly host: HostName;
  /** null: the usual one of the host. */
  readonly scope: Scope | null;
  readonly places: Places;
  readonly command: Command;
  /** What the server is called there. */
  readonly name: string;
}

export interface InstallPlan {
  readonly title: string;
  readonly file: string;
  /** null: there is no file yet. */
  readonly before: string | null;
  readonly change: EditedJson;
  /** The entry by itself, to be pasted. */
  readonly snippet: string;
  readonly afterwards: string;
}

export async function planInstall({ host, scope, places, command, name }: InstallRequest): Promise<InstallPlan> {
  const table = hosts[host];
  const chosen = scope ?? table.scope;
  const file = table.files[chosen]?.(places);
  if (file === undefined) throw new TechneError('USAGE', `${table.title} has no file for the scope "${chosen}"`, { hint: `leave --scope out, or use ${Object.keys(table.files).join(' or ')}` });
  const own: Command = table.workspaceVariable === null || chosen === 'user' ? command : { ...command, args: [...command.args, '--workspace', table.workspaceVariable] };
  const before = await readIfThere(file);
  const entry = table.entry(own);
  const put = (text: string): EditedJson =>
    table.format === 'json' ? putMember(text, table.path, name, entry) : putTable(text, { path: [table.path[0] as string, name], values: Object.entries(entry) as [string, string | readonly string[]][] });
  const empty = put('');
  if (empty.kind === 'fault') throw new Error(empty.message);
  return { title: table.title, file, before, change: put(before ?? ''), snippet: empty.text, afterwards: table.afterwards };
}

/** I2, I3. */
export async function writeInstall({ file, before, change }: InstallPlan): Promise<void> {
  if (change.kind === 'fault') throw new TechneError('FILE_INVALID', `"${file}" is not changed: ${change.message}`);
  if ((await readIfThere(file)) !== before) throw new TechneError('STALE', `"${file}" has changed meanwhile`, { hint: 'run the command again' });
  const real = before === null ? file : await realpath(file);
  const made = `${real}.techne-${process.pid}`;
  try {
    await mkdir(dirname(real), { recursive: true });
    await writeFile(made, change.text, { flag: 'wx' });
    if (before !== null) await chmod(made, (await stat(real)).mode & 0o777);
    await rename(made, real);
  } catch (error) {
    await rm(made, { force: true });
    throw new TechneError('FILE_DENIED', `"${file}" cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    if (!(await stat(file)).isFile()) throw new TechneError('FILE_INVALID', `"${file}" is no plain file, so it is left alone`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof TechneError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new TechneError('FILE_DENIED', `"${file}" cannot be read: ${message}`, { cause: error });
  }
}
