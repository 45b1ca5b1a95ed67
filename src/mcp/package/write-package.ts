// The files of a package -> a folder that holds exactly them.
//
// The folder is written beside its place and renamed when it is whole, so no reader sees a mixture of two packages. A folder is
// replaced only if it is empty, or if every file in it is as a package was written: the list with digests says so.
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  chmodSync,
  promises,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { makeFolders } from '../../node/files/durable.ts';

export type PackageChange = 'added' | 'replaced' | 'same';

/** The list of a package, in the package. */
export const listPath = 'plugins/techne-package.json';
const maxListBytes = 1_000_000;
const maxFiles = 5_000;

/** Throws TARGET_EXISTS if the folder holds something else, FILE_DENIED if it cannot be written. */
export async function writePackage(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<PackageChange> {
  const whole = new Map([...files, [listPath, listOf(files)]]);
  try {
    const before = readBefore(folder);
    if (before !== null && before.size > 0) {
      if (before.size === whole.size && [...whole].every(([path, text]) => before.get(path) === digest(text)))
        return 'same';
      requireOwn(folder, before);
    }
    await replaceFolder(folder, whole);
    return before === null || before.size === 0 ? 'added' : 'replaced';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof TechneError || code === undefined) throw error;
    throw new TechneError('FILE_DENIED', `"${folder}" cannot be written: ${message}`, { cause: error });
  }
}

async function replaceFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const parent = dirname(folder);
  await makeFolders(promises, parent, 0o777);
  const made = mkdtempSync(join(parent, `.${basename(folder)}.new-`));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(made, path)), { recursive: true });
      writeFileSync(join(made, path), text, { flag: 'wx' });
    }
    chmodSync(made, 0o755);
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
      renameSync(made, folder);
      return;
    }
    const old = `${made}.old`;
    renameSync(folder, old);
    try {
      renameSync(made, folder);
    } catch (error) {
      renameSync(old, folder);
      throw error;
    }
    rmSync(old, { recursive: true, force: true });
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Path -> digest of every file; null: there is no folder. */
function readBefore(folder: string): ReadonlyMap<string, string> | null {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isDirectory())
    throw new TechneError('TARGET_EXISTS', `"${folder}" is not a folder`, { hint: 'choose another place' });
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(inner);
      else if (
        !entry.isFile() ||
        found.size >= maxFiles ||
        lstatSync(join(folder, inner)).size > maxListBytes
      )
        throw foreign(folder, inner);
      else found.set(inner, digest(readFileSync(join(folder, inner))));
    }
  };
  visit('');
  return found;
}

function requireOwn(folder: string, before: ReadonlyMap<string, string>): void {
  const listed = before.has(listPath) ? readList(readFileSync(join(folder, listPath), 'utf8')) : new Map();
  for (const [path, found] of before)
    if (path !== listPath && listed.get(path) !== found) throw foreign(folder, path);
}

function foreign(folder: string, path: string): TechneError {
  return new TechneError(
    'TARGET_EXISTS',
    `"${folder}" holds "${path}", which is not as techne mcp package wrote it`,
    { hint: 'choose another folder, or remove the file' },
  );
}

function listOf(files: ReadonlyMap<string, string>): string {
  const digests = Object.fromEntries([...files].map(([path, text]) => [path, digest(text)]));
  return `${JSON.stringify({ generatedBy: 'techne mcp package', files: digests }, null, 2)}\n`;
}

function readList(text: string): ReadonlyMap<string, unknown> {
  try {
    const { files } = JSON.parse(text) as { readonly files: unknown };
    return new Map(typeof files === 'object' && files !== null ? Object.entries(files) : []);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return new Map();
    throw error;
  }
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
