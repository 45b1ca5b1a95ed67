// A file system error -> the message that a model gets.
import { codeOf } from '../files/file-fault.ts';
import { ToolFault } from '../../ports/tool.ts';

/** A fault of the system without the place where the folder is held. */
export function faultFor(error: unknown, shown: string): unknown {
  if (error instanceof ToolFault) return error;
  const code = codeOf(error);
  if (code === '') return error;
  const known: { readonly [code: string]: string } = {
    EACCES: 'cannot be used: permission denied',
    EPERM: 'cannot be used: permission denied',
    ELOOP: 'is a link, or a cycle of links',
    ENOTDIR: 'is not a folder',
    EISDIR: 'is a folder',
    ENAMETOOLONG: 'has too long a name',
    ENXIO: 'is a special file, not a file',
    ENOSPC: 'cannot be written: the disk is full',
    EROFS: 'cannot be written: the disk is read-only',
  };
  return new ToolFault(
    `${JSON.stringify(shown)} ${Object.hasOwn(known, code) ? known[code] : `cannot be used (${code})`}`,
  );
}
