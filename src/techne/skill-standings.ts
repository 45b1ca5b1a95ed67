// What became of every skill that was found, and of what gave none: used, shadowed, refused, broken; each with why, and where.
//
//   Snapshot -> Standing[] by name · Diagnostic[] of files without a skill, with their texts for lines and excerpts
import type { Diagnostic } from '../base/diagnostic.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { placeOf } from '../base/span.ts';
import { FileFault } from '../ports/files.ts';
import type { Files } from '../ports/files.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';

export interface Standing {
  readonly skill: Skill;
  readonly standing: 'used' | 'shadowed' | 'refused';
  /** Why it is not used. */
  readonly why: string | null;
  /** What to do about it. */
  readonly hint: string | null;
  /** The one that is used instead. */
  readonly winner: Skill | null;
}

const kept = new WeakMap<Snapshot, readonly Standing[]>();

/** By name, then by file. */
export function standingsOf(snapshot: Snapshot): readonly Standing[] {
  const known = kept.get(snapshot);
  if (known !== undefined) return known;
  const refusals = new Map<string, Diagnostic>();
  for (const one of snapshot.diagnostics) if (!refusals.has(one.path)) refusals.set(one.path, one);
  const all: readonly Standing[] = [
    ...snapshot.skills.map((skill): Standing => ({
      skill,
      standing: 'used',
      why: null,
      hint: null,
      winner: null,
    })),
    ...snapshot.shadowed.map(({ skill, winner, reason }): Standing => ({
      skill,
      standing: 'shadowed',
      why: reason,
      hint: 'rename one of the two folders, or remove the one that you do not want',
      winner,
    })),
    ...snapshot.refused.map((skill): Standing => {
      const refusal = refusals.get(skill.file);
      return {
        skill,
        standing: 'refused',
        why: refusal?.message ?? null,
        hint: refusal?.hint ?? null,
        winner: null,
      };
    }),
  ].toSorted((a, b) => compare(a.skill.name, b.skill.name) || compare(a.skill.file, b.skill.file));
  kept.set(snapshot, all);
  return all;
}

/** Faults of files and folders that gave no skill; those of skills are with their skills. */
export function brokenIn(snapshot: Snapshot): readonly Diagnostic[] {
  const files = new Set(standingsOf(snapshot).map(({ skill }) => skill.file));
  return snapshot.diagnostics.filter(({ path }) => !files.has(path));
}

const mostBytes = 1_048_576;

/** The files that diagnostics point into, by path. What cannot be read has no text, so its diagnostics have no lines. */
export async function textsOf(
  files: Files,
  diagnostics: readonly Diagnostic[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const paths = new Set(diagnostics.flatMap(({ path, span }) => (span === null ? [] : [path])));
  for (const path of paths) {
    try {
      const read = await files.read(path, mostBytes);
      if (read !== null) texts.set(path, decodeUtf8(read.bytes).text);
    } catch (error) {
      // The diagnostic itself says what is wrong with the file.
      if (!(error instanceof FileFault)) throw error;
    }
  }
  return texts;
}

export interface Excerpt {
  /** The number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
}

const around = 2;
const mostLines = 12;
const mostLength = 400;

/** The lines of a diagnostic and a few around them; `null`: it has no place. */
export function excerptOf({ span }: Pick<Diagnostic, 'span'>, text: string | null): Excerpt | null {
  if (span === null || text === null) return null;
  const lines = text.split('\n');
  const start = Math.max(1, placeOf(text, span.start).line - around);
  const end = Math.min(lines.length, placeOf(text, span.end).line + around, start + mostLines);
  return {
    first: start,
    lines: lines.slice(start - 1, end).map((line) => line.replace(/\r$/, '').slice(0, mostLength)),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
