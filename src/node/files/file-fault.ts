// Node's error codes -> the faults of the Files port.
import type { FaultKind } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';

const kinds: { readonly [code: string]: FaultKind } = {
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOTDIR: 'not-a-folder',
  EEXIST: 'not-a-folder', // from mkdir, when a file is in its place
  EISDIR: 'not-a-file',
  ENXIO: 'not-a-file', // a socket, or a FIFO without a reader
  ENODEV: 'not-a-file',
  ELOOP: 'loop',
  EFBIG: 'too-large',
  EMFILE: 'busy',
  ENFILE: 'busy',
  ENOSPC: 'busy',
  EDQUOT: 'busy',
  ENOMEM: 'busy',
  EAGAIN: 'busy',
  EBUSY: 'busy',
  ETXTBSY: 'busy',
};

// A name that no file can have leads nowhere, too. ERR_INVALID_ARG_VALUE: the path holds a NUL.
const nowhere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function leadsNowhere(error: unknown): boolean {
  return nowhere.has(codeOf(error));
}

/** The result of a read; `null` if the path does not exist (any more) or may not be read. */
export function looked<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}

export function faultOf(error: unknown, path: string): FileFault {
  if (error instanceof FileFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new FileFault(kinds[codeOf(error)] ?? 'io', path, message, error);
}
