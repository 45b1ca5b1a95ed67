// A file of a hub: downloaded, or read from the folder of this machine that the hub is in.
//
// W1. What an index of the web names is downloaded under the rules of https/request.ts; a path of this machine never.
// W2. What an index in a folder names lies in that folder, with every link followed; nothing is downloaded for it.
import { constants, realpathSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../../base/is-inside.ts';
import { TechneError } from '../../../base/error.ts';
import { codeOf, looked } from '../../../node/files/file-fault.ts';
import { overLimit } from '../../archive/limited.ts';
import { show } from '../../source/git-words.ts';
import { indexPaths } from '../../source/index-format.ts';
import type { FetchContext } from '../context.ts';
import { stopIfAborted } from '../context.ts';
import type { DownloadOptions } from '../https/request.ts';
import { download } from '../https/request.ts';

export interface Got {
  readonly bytes: Uint8Array;
  /** After redirects, or links. */
  readonly url: URL;
  /** Of its content, as a server states it; '' for a file. */
  readonly type: string;
}

/** `index`: that of the hub, or where it is looked for. */
export async function getArtifact(
  url: URL,
  index: URL,
  options: DownloadOptions,
  context: FetchContext,
): Promise<Got> {
  if (index.protocol !== 'file:') {
    const { bytes, url: last, headers } = await download(url, options, context);
    return { bytes, url: last, type: headers['content-type'] ?? '' };
  }
  stopIfAborted(context.signal);
  const folder = hubFolderOf(index);
  const path = url.protocol === 'file:' && url.host === '' ? pathOf(url) : null;
  if (folder === null || path === null || !isInside(await realOf(path), folder))
    throw new TechneError(
      'SOURCE_REFUSED',
      `the hub in "${show(folder ?? index.href)}" names "${show(url.href)}", which is not in its folder`,
      { hint: 'a hub in a folder holds all of its files; tell whoever publishes it' },
    );
  return { bytes: await readBounded(path, options.maxBytes), url, type: '' };
}

/** The folder of the hub whose index this is, as its signature is remembered by; `null`: it is in none. */
export function hubFolderOf(index: URL): string | null {
  const path = index.protocol === 'file:' ? pathOf(index) : null;
  const end = Object.values(indexPaths).find((one) => path?.endsWith(`/${one}`));
  if (path === null || end === undefined) return null;
  const folder = path.slice(0, -end.length - 1);
  return looked(() => realpathSync(folder)) ?? folder;
}

/** Whether there is nothing at an address. */
export function isGone(error: unknown): boolean {
  return (
    error instanceof TechneError &&
    (error.code === 'FILE_MISSING' || /answered with status 4(?:04|10)$/.test(error.message))
  );
}

/** `null` for what no path of this machine is written as, such as an encoded "/". */
function pathOf(url: URL): string | null {
  return /%2f|%5c|%00/i.test(url.pathname) ? null : fileURLToPath(url);
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw fault(path, error);
  }
}

async function readBounded(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw new TechneError('SOURCE_REFUSED', `"${show(path)}" is no file`);
      if (facts.size > maxBytes) throw overLimit(`"${show(path)}" has more than ${maxBytes} bytes`);
      const bytes = Buffer.alloc(facts.size);
      let have = 0;
      while (have < bytes.length) {
        const { bytesRead } = await file.read(bytes, have, bytes.length - have, have);
        if (bytesRead === 0) break;
        have += bytesRead;
      }
      return new Uint8Array(bytes.subarray(0, have));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fault(path, error);
  }
}

function fault(path: string, error: unknown): unknown {
  if (error instanceof TechneError || codeOf(error) === '') return error;
  const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
  return new TechneError(
    isMissing ? 'FILE_MISSING' : 'SOURCE_UNREACHABLE',
    isMissing ? `there is no file "${show(path)}"` : `"${show(path)}" cannot be read (${codeOf(error)})`,
    {
      hint: 'check that the hub is whole, and that you may read it; publish it again if it is yours',
      cause: error,
    },
  );
}
