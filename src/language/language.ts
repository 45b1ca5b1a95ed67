// What an editor asks about a file of a skill, and what it is told.
//
//   file + offset + what is known around it -> Completions | Hover
//
// L1. Offsets count UTF-16 code units, as everywhere (base/span.ts); an offset outside of the text is its nearest end.
// L2. Nothing throws, whatever the text is: a file that is being typed is broken most of the time.
// L3. Names and meanings come from the engine's own tables; what those do not say is in `docs/`, and a test compares both.
import type { Span } from '../base/span.ts';

/** A file of a skill, as it is in the editor. */
export interface LanguageFile {
  /** Inside of the skill, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text of its SKILL.md, for inputs and steps; the same as `text` there. */
  readonly main: string;
  /** The name of the skill's folder, which its `name` has to be. Default: none is offered. */
  readonly folder?: string;
}

/** Something with a name that a file can refer to. */
export interface Named {
  readonly name: string;
  readonly description: string;
}

/** The skills and tools around a file. */
export interface LanguageWorld {
  readonly skills: readonly WithInputs[];
  /** With their parameters. */
  readonly tools: readonly WithInputs[];
  /** What a skill may declare that it changes. */
  readonly capabilities: readonly Named[];
}

type WithInputs = Named & { readonly inputs: readonly Named[] };

const completionKinds = [
  'field',
  'value',
  'step',
  'input',
  'variable',
  'filter',
  'test',
  'tag',
  'skill',
  'tool',
  'function',
  'method',
  'keyword',
] as const;

export interface Completion {
  readonly label: string;
  readonly kind: (typeof completionKinds)[number];
  /** What takes the place of the span, with the indentation of its lines. */
  readonly insert: string;
  /** A few words: a type, a signature, where it is from. */
  readonly detail: string;
  /** What it means, as plain text. */
  readonly description: string;
}

export interface Completions {
  /** What has been typed of it. */
  readonly span: Span;
  readonly items: readonly Completion[];
}

export interface Hover {
  readonly span: Span;
  readonly title: string;
  /** Plain text; lines are separated by a line feed. */
  readonly text: string;
}

export function completion(
  kind: Completion['kind'],
  label: string,
  description: string,
  { detail = '', insert = label }: { readonly detail?: string; readonly insert?: string } = {},
): Completion {
  return { label, kind, insert, detail, description };
}

/** The word of `characters` around `offset`, not past `from` and `to`. */
export function wordAround(
  text: string,
  offset: number,
  characters: RegExp,
  from = 0,
  to = text.length,
): Span {
  let [start, end] = [offset, offset];
  while (start > from && characters.test(text.charAt(start - 1))) start -= 1;
  while (end < to && characters.test(text.charAt(end))) end += 1;
  return { start, end };
}

/** Without repeated labels; the first one counts. */
export function unique(items: readonly Completion[]): readonly Completion[] {
  const seen = new Set<string>();
  return items.filter(({ label }) => !seen.has(label) && seen.add(label));
}
