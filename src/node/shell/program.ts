// The name of a program -> the file to start.
//
// A name without a slash is looked for in the absolute entries of the command's PATH: an empty or relative entry
// means the current folder, which may be untrusted. A name with a slash is relative to the working folder. A missing
// program is reported before anything is started.
import * as fs from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { codeOf } from '../files/file-fault.ts';

type FoundProgram =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly fault: string };

/** `isVisible`: whether the command would see the file. */
export function findProgram(
  name: string,
  cwd: string,
  search: string | undefined,
  isVisible: (file: string) => boolean = () => true,
): FoundProgram {
  if (name === '') return { ok: false, fault: 'the name of the program is empty' };
  if (process.platform === 'win32' && /\.(?:cmd|bat)$/i.test(name)) {
    return {
      ok: false,
      fault: `"${name}" is a batch file, which only a shell can start, and commands are never given to a shell; name the program that it starts`,
    };
  }
  if (name.includes('/')) {
    const file = resolve(cwd, name);
    const fault = faultOf(file);
    if (fault !== null) return { ok: false, fault: `"${name}" ${fault}` };
    return isVisible(file) ? { ok: true, file } : hidden(name, file);
  }
  let unseen: string | null = null;
  let denied: string | null = null;
  for (const folder of (search ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    const fault = faultOf(file);
    if (fault === null && isVisible(file)) return { ok: true, file };
    if (fault === null) unseen ??= file;
    else if (fault === notExecutable) denied ??= file;
  }
  if (unseen !== null) return hidden(name, unseen);
  if (denied !== null) return { ok: false, fault: `"${denied}" ${notExecutable}` };
  return { ok: false, fault: `there is no program "${name}" on PATH` };
}

function hidden(name: string, file: string): FoundProgram {
  return {
    ok: false,
    fault: `"${name}" is "${file}", which the sandbox does not show; sandbox.readRoots can name its folder`,
  };
}

const notExecutable = 'cannot be executed: permission denied';

function faultOf(file: string): string | null {
  try {
    if (!fs.statSync(file).isFile()) return 'is not a file';
    if (process.platform !== 'win32') fs.accessSync(file, fs.constants.X_OK);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === '') throw error;
    if (code === 'EACCES' || code === 'EPERM') return notExecutable;
    return 'does not exist';
  }
}

/** Why nothing can run in `cwd`, or `null`. */
export function folderFault(cwd: string): string | null {
  try {
    return fs.statSync(cwd).isDirectory() ? null : `the working folder "${cwd}" is not a folder`;
  } catch (error) {
    const code = codeOf(error);
    if (code === '') throw error;
    return code === 'EACCES'
      ? `the working folder "${cwd}" cannot be entered: permission denied`
      : `the working folder "${cwd}" does not exist`;
  }
}

const startFaults: { readonly [code: string]: string } = {
  ENOENT: 'the program or its interpreter does not exist',
  EACCES: 'permission denied: the program cannot be executed, or the working folder cannot be entered',
  EPERM: 'permission denied: the program cannot be executed',
  ENOTDIR: 'a part of the path of the program is not a folder',
  E2BIG: 'its arguments or its environment are too long',
  ENOEXEC: 'the file is not a program of this machine',
  ETXTBSY: 'the program is being written to',
  EAGAIN: 'the system has no room for another process',
  ENOMEM: 'the system has no memory for another process',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EINVAL: 'the program cannot be started without a shell',
};

/** The message for an error of `spawn`. */
export function startFault(name: string, error: unknown): string {
  const code = codeOf(error);
  if (code === '') throw error;
  return `"${name}" could not be started: ${startFaults[code] ?? code} (${code})`;
}
