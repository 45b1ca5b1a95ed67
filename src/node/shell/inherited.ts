// Open files of this process that a child would inherit without being meant to have them.
//
// Node opens everything so that children do not get it. What this process was started with may be different: Node takes
// care of the first few descriptors only, up to the first gap above 15. In the place of each the child gets the null
// device. Node needs a table as long as the highest number, so nothing is started where that would be too long.
import * as fs from 'node:fs';
import { codeOf } from '../files/file-fault.ts';
import { procText } from './processes.ts';

const closeOnExec = 0o2000000;
/** A table of this length takes Node less than half a second. */
const maxDescriptor = 65_536;

let known: readonly number[] | null = null;
let nothing: number | null = null;

/** Why nothing can be started without handing down an open file, or `null`. */
export function inheritedFault(open = inheritedDescriptors()): string | null {
  const high = open.find((descriptor) => descriptor >= maxDescriptor);
  return high === undefined
    ? null
    : `this process was started with file descriptor ${high} open, which the command would inherit; start techne without it`;
}

/** The descriptors of a child: `stdio`, and the null device in the place of what it would inherit besides. */
export function withoutInherited<T>(stdio: readonly T[]): (T | 'ignore' | number)[] {
  const table: (T | 'ignore' | number)[] = [...stdio];
  for (const descriptor of inheritedDescriptors()) {
    if (descriptor < stdio.length) continue;
    while (table.length < descriptor) table.push('ignore');
    table[descriptor] = nothingDescriptor();
  }
  return table;
}

/** Numbers from 3 on; looked for once, since nothing in this process opens such a file later. */
function inheritedDescriptors(): readonly number[] {
  known ??= look();
  return known;
}

function nothingDescriptor(): number {
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
      .filter((fd) => fd > 2);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return [];
  }
}
