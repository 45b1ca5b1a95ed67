// Where skills are and are looked for: what nobody may write to who works for one of them.
//
// A skill that is put there would be local work in a trusted folder, and so run as trusted.
//
// K1. Roots count also where they are not there yet. Of a skill that lies elsewhere, behind a link, its folder.
// K2. A skill that holds the whole workspace would make all of it unwritable; then what it executes counts.
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
