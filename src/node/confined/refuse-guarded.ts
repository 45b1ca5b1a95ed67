// Places inside the roots that are not writable.
//
// These are names that make another program run code later (sandbox/protected-names.ts), also behind a link of such a
// name, and guarded places such as folders of skills, also before they exist. A guarded folder that contains a whole
// root leaves it writable except for a SKILL.md, which would turn the folder around it into a skill.
import { basename, join, relative, sep } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { protectedNames, protectedPart } from '../sandbox/protected-names.ts';
import { realPlaceOf, targetOf } from './real-place.ts';
import { ToolFault } from '../../ports/tool.ts';

/** `tops`: the root, and the working folder around the file. Throws ToolFault when `real` may not be written to. */
export async function refuseGuarded(
  real: string,
  tops: readonly string[],
  guardedPlaces: readonly string[],
  shown: string,
): Promise<void> {
  const refuse = (why: string): never => {
    throw new ToolFault(`${JSON.stringify(shown)} may not be written to: ${why}`);
  };
  for (const top of tops) {
    const part = protectedPart(relative(top, real).split(sep));
    if (part !== null) refuse(`it is part of ${part}`);
    for (const name of protectedNames) {
      if ((await targetOf(join(top, name))) === null) continue;
      const behind = await realPlaceOf(join(top, name));
      if (!isInside(top, behind) && isWithin(real, behind)) refuse(`it is part of ${name}`);
    }
  }
  for (const guarded of guardedPlaces) {
    const place = await realPlaceOf(guarded);
    const isWhole = isInside(tops[0] as string, place);
    if (isWhole ? basename(real).toLowerCase() === 'skill.md' : isWithin(real, place))
      refuse('it belongs to a skill');
  }
}

/** Some file systems do not tell the cases apart. */
function isWithin(path: string, folder: string): boolean {
  return isInside(path.toLowerCase(), folder.toLowerCase());
}
