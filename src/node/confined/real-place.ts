// Where a path leads through every link, also where its last parts do not exist.
import { promises as fs } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, leadsNowhere } from '../files/file-fault.ts';
import { faultFor } from './translate-fault.ts';
import { ToolFault } from '../../ports/tool.ts';

const maxHops = 40;

/** The path with every link resolved; parts that do not exist stay as they are. */
export async function realPlace(path: string, shown: string): Promise<string> {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await fs.realpath(at), ...rest);
    } catch (error) {
      if (!leadsNowhere(error) || dirname(at) === at) throw faultFor(error, shown);
      // A link that leads nowhere would be followed once its target is there.
      if (await isLink(at))
        throw new ToolFault(`${JSON.stringify(shown)} goes through a link that leads nowhere`);
      rest.unshift(basename(at));
    }
  }
}

/** Where `path` leads, or would lead if it were there: links that lead nowhere yet are followed, too. */
export async function realPlaceOf(path: string, hops = 0): Promise<string> {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await fs.realpath(at), ...rest);
    } catch (error) {
      if (codeOf(error) === '') throw error;
      const target = hops < maxHops ? await targetOf(at) : null;
      if (target !== null) return realPlaceOf(resolve(dirname(at), target, ...rest), hops + 1);
      if (dirname(at) === at) return path;
      rest.unshift(basename(at));
    }
  }
}

/** The target of a link; `null` if it is not a link, or may not be read. */
export async function targetOf(path: string): Promise<string | null> {
  try {
    return await fs.readlink(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await fs.lstat(path)).isSymbolicLink();
  } catch (error) {
    if (leadsNowhere(error)) return false;
    throw error;
  }
}
