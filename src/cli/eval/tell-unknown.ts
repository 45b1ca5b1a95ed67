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

/** Prints them, and gives their names once each, sorted. */
export function tellUnknown({ err, quiet }: Pick<CommandContext, 'err' | 'quiet'>, snapshot: Snapshot, all: readonly Expecting[], { severity, ending = '' }: { readonly severity: 'warning' | 'error'; readonly ending?: string }): readonly string[] {
  const unknown = all.filter(({ skill }) => !snapshot.has(skill));
  for (const { skill, place } of unknown.slice(0, most)) {
    const { message, hint } = unknownText(snapshot, skill);
    err.line(`${place === undefined ? '' : `${printableLine(place)}: `}${severity}: ${printableLine(message)}${hint === null || quiet ? '' : `; ${printableLine(hint)}`}${ending}`);
  }
  if (unknown.length > most) err.line(`and ${unknown.length - most} more`);
  return namesOf(unknown);
}

export function namesOf(all: readonly Expecting[]): readonly string[] {
  return [...new Set(all.map(({ skill }) => skill))].sort();
}

function unknownText(snapshot: Snapshot, skill: string): { readonly message: string; readonly hint: string | null } {
  try {
    snapshot.get(skill);
    return { message: `there is no skill "${skill}"`, hint: null };
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return error;
  }
}
