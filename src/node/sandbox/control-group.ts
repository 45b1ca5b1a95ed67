// A control group for one sandboxed command: it bounds all processes of the command together, also those of root.
//
//   limits -> a group below the one of this process, which the first process of the sandbox is put into
//
// There is one only where this process may make it below its own group: root, with the hierarchy of version 1 writable,
// or with that of version 2 where the own group hands controllers down. It is never made elsewhere: a process that is
// moved out of its service is lost to whoever manages that. Without one the limits of starter.ts hold. A group that a
// killed process has left behind is empty, and is removed when the next one is made.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxSpec } from '../../ports/shell.ts';
import { looked } from '../files/file-fault.ts';
import { procText } from '../shell/processes.ts';
import { largestShare } from './starter.ts';

interface ControlGroup {
  /** The process and everything it starts from now on. */
  add(pid: number): void;
  /** After everything in it has ended; the kernel may need a moment. */
  remove(): Promise<void>;
}

interface Controller {
  /** The own group of this process. */
  readonly folder: string;
  /** File -> limit. */
  limits(
    this: void,
    limits: NonNullable<SandboxSpec['limits']>,
  ): readonly (readonly [file: string, value: number])[];
}

/** Where groups are. */
interface GroupPlace {
  readonly mount: string;
  /** The file with the own groups of this process. */
  readonly own: string;
}

const prefix = 'techne-';

/** `null` where none can be made. */
export const createControlGroup = controlGroupsIn({ mount: '/sys/fs/cgroup', own: '/proc/self/cgroup' });

/** Looks for the own groups once, with the first command. */
export function controlGroupsIn(place: GroupPlace): (limits: SandboxSpec['limits']) => ControlGroup | null {
  let known: readonly Controller[] | null = null;
  let made = 0;
  return (limits) => {
    known ??= controllersIn(place);
    if (limits === undefined || known.length === 0) return null;
    const folders = makeFolders(known, `${prefix}${process.pid}-${(made += 1)}`, limits);
    // It is not tried again.
    if (folders.length === 0) known = [];
    return folders.length === 0 ? null : groupOf(folders);
  };
}

function makeFolders(
  controllers: readonly Controller[],
  name: string,
  limits: NonNullable<SandboxSpec['limits']>,
): readonly string[] {
  const folders: string[] = [];
  for (const controller of controllers) {
    sweep(controller.folder);
    const folder = join(controller.folder, name);
    if (looked(() => fs.mkdirSync(folder)) === null) continue;
    folders.push(folder);
    for (const [file, value] of controller.limits(limits))
      looked(() => fs.writeFileSync(join(folder, file), String(value)));
  }
  return folders;
}

function groupOf(folders: readonly string[]): ControlGroup {
  return {
    add: (pid) => {
      for (const folder of folders) looked(() => fs.writeFileSync(join(folder, 'cgroup.procs'), String(pid)));
    },
    async remove() {
      for (const folder of folders)
        for (let tries = 0; tries < 50 && looked(() => fs.rmdirSync(folder)) === null; tries += 1)
          await sleep(10);
    },
  };
}

function controllersIn({ mount, own: ownFile }: GroupPlace): readonly Controller[] {
  const own = new Map(
    (procText(ownFile) ?? '').split('\n').flatMap((line) => {
      const [, names = '', path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      return path === undefined ? [] : names.split(',').map((name) => [name, path] as const);
    }),
  );
  const memory = Math.floor(totalmem() * largestShare);
  const first = (name: string, limits: Controller['limits']): readonly Controller[] => {
    const path = own.get(name);
    const folder = path === undefined ? null : join(mount, name, path);
    return folder !== null && isWritable(folder) ? [{ folder, limits }] : [];
  };
  const versionOne = [
    ...first('pids', ({ processes }) => [['pids.max', processes]]),
    ...first('memory', () => [['memory.limit_in_bytes', memory]]),
  ];
  if (versionOne.length > 0) return versionOne;
  const folder = join(mount, own.get('') ?? '/');
  const handedDown = (procText(join(folder, 'cgroup.subtree_control')) ?? '').trim().split(' ');
  return handedDown.includes('pids') && isWritable(folder)
    ? [
        {
          folder,
          limits: ({ processes }) => [
            ['pids.max', processes],
            ['memory.max', memory],
          ],
        },
      ]
    : [];
}

function isWritable(folder: string): boolean {
  return looked(() => fs.accessSync(folder, fs.constants.W_OK) ?? true) === true;
}

/** Groups of dead processes; one with a process in it cannot be removed. */
function sweep(folder: string): void {
  for (const name of looked(() => fs.readdirSync(folder)) ?? []) {
    const pid = name.startsWith(prefix) ? Number(/^\d+/.exec(name.slice(prefix.length))?.[0]) : Number.NaN;
    if (Number.isInteger(pid) && pid !== process.pid && procText(`/proc/${pid}/stat`) === null)
      looked(() => fs.rmdirSync(join(folder, name)));
  }
}
