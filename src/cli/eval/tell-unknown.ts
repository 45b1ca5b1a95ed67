// Cases that expect a skill which is not there -> a line for each, with file and line.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { CommandContext } from '../context.ts';

const most = 10;

export interface Expecting {
  readonly skill: string;
  readonly place?: string;
}

/** Why each of those that are not there is not. */
export function unknownIn(
  snapshot: Snapshot,
  all: readonly Expecting[],
): readonly { readonly place?: string; readonly message: string; readonly hint: string | null }[] {
  return all
    .filter(({ skill }) => !snapshot.has(skill))
    .map(({ skill, place }) => {
      const { message, hint } = unknownText(snapshot, skill);
      return { ...(place === undefined ? {} : { place }), message, hint };
    });
}

/** Cases that are not measured, or cannot be right. */
export function tellUnknown(
  { err, quiet }: Pick<CommandContext, 'err' | 'quiet'>,
  snapshot: Snapshot,
  all: readonly Expecting[],
  ending = '',
): void {
  const unknown = unknownIn(snapshot, all);
  for (const { place, message, hint } of unknown.slice(0, most)) {
    err.line(
      `${place === undefined ? '' : `${printableLine(place)}: `}warning: ${printableLine(message)}${hint === null || quiet ? '' : `; ${printableLine(hint)}`}${ending}`,
    );
  }
  if (unknown.length > most) err.line(`and ${unknown.length - most} more`);
}

export function namesOf(all: readonly Expecting[]): readonly string[] {
  return [...new Set(all.map(({ skill }) => skill))].sort();
}

function unknownText(
  snapshot: Snapshot,
  skill: string,
): { readonly message: string; readonly hint: string | null } {
  try {
    snapshot.get(skill);
    return { message: `there is no skill "${skill}"`, hint: null };
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return error;
  }
}
