// How far the trust of a folder reaches.
//
//   a trusted folder and a place below it -> whether it speaks for that place
//
// W1. For one workspace: the folder itself, or the one around it. A workspace further down is another one. Whoever may write to
//     the folder could make one there, such as a sandboxed command: read-only to it are only the names at the top.
// W2. So a skill is not reached where its workspace lies below the folder, nor where a folder of skills of a workspace stands on
//     the way to it, but for one at the top.
// W3. Letters of either case are the same: on some disks they are.
import { hostFolders } from './default-roots.ts';
import { isInside } from './is-inside.ts';

/** `.techne`, `.agents`, `.claude` …: where workspaces keep skills. */
const places: ReadonlySet<string> = new Set(['.techne', '.agents', ...hostFolders.flatMap(({ workspace }) => (workspace === null ? [] : [workspace.slice(0, workspace.indexOf('/'))]))]);

/** All real paths. `workspace`: whose skill it is; `null` when that is not known, or it is nobody's. */
export function trustReaches(folder: string, place: string, workspace: string | null): boolean {
  if (!isInside(place, folder)) return false;
  if (workspace !== null && !isInside(folder, workspace)) return false;
  const [top = '', ...below] = place.slice(folder.length).split(/[\\/]+/).filter((part) => part !== '').map((part) => part.toLowerCase());
  return places.has(top) || !below.some((part) => places.has(part));
}
