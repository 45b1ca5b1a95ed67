// Open files of this process that a child would inherit without being meant to have them.
//
// Node opens everything so that children do not get it. What this process was started with may be different: Node takes
// care of the first few descriptors only, up to the first gap above 15.
import * as fs from 'node:fs';
import { codeOf } from '../files/file-fault.ts';
import { procText } from './processes.ts';

const closeOnExec = 0o2000000;
// A larger number than any that is handed down in practice; a table of this length costs nothing.
const maxDescriptor = 4096;

let known: readonly number[] | null = null;
let nothing: number | null = null;

/** Numbers from 3 on; looked for once, since nothing in this process opens such a file later. */
export function inheritedDescriptors(): readonly number[] {
  known ??= look();
  return known;
}

/** To be put in their place. */
export function nothingDescriptor(): number {
  nothing ??= fs.openSync('/dev/null', 'r');
  return nothing;
}

function look(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return descriptors().filter((fd) => {
    const flags = /^flags:\s*(\d+)/m.exec(procText(`/proc/self/fdinfo/${fd}`) ?? '')?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  });
}

function descriptors(): readonly number[] {
  try {
    return fs
      .readdirSync('/proc/self/fd')
      .map(Number)
      .filter((fd) => fd > 2 && fd < maxDescriptor);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return [];
  }
}
