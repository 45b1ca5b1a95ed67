// Where the guard keeps things in the user's home.
import { join } from 'node:path';

/** What a person accepted. */
export function acceptedFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'accepted.json');
}

/** The verdicts of earlier scans; may be removed at any time. */
export function verdictsFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'verdicts.log');
}

/** What scans of heads found; may be removed at any time. */
export function headsFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'heads.log');
}

/** The folders whose last verdict was not clean: a short list that every load can afford to look at. */
export function flaggedFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'flagged.log');
}
