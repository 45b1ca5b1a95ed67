// Where skills are and are looked for: commands and file tools of skills must not write there.
//
// A skill that is put there would count as local work in a trusted folder, and so run as trusted. Roots count also
// before they exist, and so does the folder of a skill behind a link. For a skill that contains the whole workspace
// only its executable files count, because the workspace would otherwise be read-only.
import { join } from 'node:path';
import { isInside } from '../base/is-inside.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Root } from '../registry/types.ts';

export function skillPlaces(
  roots: readonly Root[],
  { skills, shadowed }: Pick<Snapshot, 'skills' | 'shadowed'>,
  workspace: string,
): readonly string[] {
  const found = [...skills, ...shadowed.map(({ skill }) => skill)];
  const elsewhere = found
    .filter(({ realFolder }) => !roots.some(({ path }) => isInside(realFolder, path)))
    .map(({ realFolder }) => realFolder);
  const around = found
    .filter(({ realFolder }) => isInside(workspace, realFolder))
    .flatMap(({ realFolder, head: { program } }) => [
      join(realFolder, 'SKILL.md'),
      ...(program === null ? [] : [join(realFolder, program)]),
    ]);
  return [...new Set([...roots.map(({ path }) => path), ...elsewhere, ...around])];
}
