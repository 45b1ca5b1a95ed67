// A Markdown note, read: what kind of node it is, and where it links to.
//
//   text -> Note { type, properties, aliases, tags, headings, blocks, links, tasks }
//
// Offsets are of the text as it is on the disk, so that a change of a link is a splice and nothing else is rewritten.
import type { Diagnostic } from '../base/diagnostic.ts';
import type { JsonObject } from '../base/json.ts';

/** A link as it is written, before anybody looked where it leads. */
export interface NoteLink {
  /** The name or path in front of `#` and `|`; '' for the note itself. */
  readonly target: string;
  /** `A#B` of `[[Note#A#B]]`; `null`: none. */
  readonly heading: string | null;
  /** `id` of `[[Note#^id]]`; `null`: none. */
  readonly block: string | null;
  /** What is shown instead of the target. */
  readonly shown: string | null;
  /** `![[…]]` and `![…](…)`. */
  readonly embed: boolean;
  /** How it is written: a date is the value of a property that links to that day's note, if there is one. */
  readonly form: 'wiki' | 'markdown' | 'date';
  /** The type of the edge, in snake case; `null`: a plain link. */
  readonly edge: string | null;
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

export interface NoteHeading {
  readonly level: number;
  readonly text: string;
  readonly start: number;
  /** Behind its line. */
  readonly end: number;
}

/** `- [ ] text`: `state` is the character between the brackets. */
export interface NoteTask {
  readonly state: string;
  readonly text: string;
  readonly line: number;
}

export interface Note {
  /** `type` of the frontmatter; `null`: it has none. */
  readonly type: string | null;
  /** The first heading of level 1; `null`: there is none. */
  readonly title: string | null;
  /** Every property of the frontmatter, as it was written. */
  readonly properties: JsonObject;
  readonly aliases: readonly string[];
  /** Without `#`, in lower case. */
  readonly tags: readonly string[];
  readonly headings: readonly NoteHeading[];
  /** Ids of blocks (`^id`), in lower case. */
  readonly blocks: readonly string[];
  readonly links: readonly NoteLink[];
  readonly tasks: readonly NoteTask[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The name of an edge, however it was written: `Leads to`, `leads-to` -> `leads_to`. */
export function edgeName(written: string): string {
  return written
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/\*\*/g, '')
    .replace(/[\s-]+/g, '_');
}

/** Two names are one where they differ only in case or in how letters are composed. */
export function nameKey(name: string): string {
  // Most names are plain ASCII, which has one form only.
  return (/^[\u0020-\u007e]*$/.test(name) ? name : name.normalize('NFC')).toLowerCase();
}
