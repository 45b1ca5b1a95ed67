// The locks around the roots of a library, after what a killed command began was finished.
//
//   roots -> places with a lock or receipts -> heal -> InstalledSkills
//
// A change that cannot be finished now is reported, and the skills load without it: what is not as locked is refused.
import { promises } from 'node:fs';
import { dirname } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { FileFault } from '../../ports/files.ts';
import type { InstalledSkills } from '../../registry/types.ts';
import type { HubPlace } from '../install/place.ts';
import { hubPlace } from '../install/place.ts';
import { heal } from '../install/transaction.ts';
import type { TreeLimits } from '../stage/tree.ts';
import { loadInstalled, lockFault } from './installed-skills.ts';

/** Waiting for a command that is installing something: it holds the place only while it renames. */
const waitMs = 5000;

/** `folders`: folders of skills named `.techne/skills`. `null`: nothing is installed in any of them. */
export async function openInstalled(
  folders: readonly string[],
  homeFolder: string,
  limits: TreeLimits,
): Promise<InstalledSkills | null> {
  const places: HubPlace[] = [];
  const faults: Diagnostic[] = [];
  for (const folder of folders) {
    const place = placeOf(dirname(dirname(folder)), homeFolder);
    if (place === null || places.some(({ skills }) => skills === place.skills)) continue;
    places.push(place);
    try {
      await heal(place, { calls: promises, limits, waitMs });
    } catch (error) {
      if (error instanceof FileFault)
        faults.push(
          lockFault(
            place,
            new TechneError('LOCK_INVALID', `an unfinished change cannot be finished: ${error.message}`),
          ),
        );
      else if (error instanceof TechneError) faults.push(lockFault(place, error));
      else throw error;
    }
  }
  return loadInstalled(places, faults);
}

/** A folder of skills that is a link out of its workspace is no root either: nothing in it is loaded. */
function placeOf(folder: string, homeFolder: string): HubPlace | null {
  try {
    return hubPlace('workspace', folder, homeFolder);
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}
