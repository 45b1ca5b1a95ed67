// Writes one note of a vault for a run.
//
//   NoteRequest -> prepare -> PreparedNote { before, after } -> the journal keeps both -> replace
//
// `prepare` changes nothing. `replace` changes the file from exactly `before` to exactly `after`, whole or not at all; a file
// that is something else by then is 'changed' and left alone. What a note cannot become is an outcome, not an exception.
import type { JsonObject } from '../base/json.ts';
import type { CommandCaller } from './command-host.ts';

/** The note that a run wants. */
export interface NoteRequest {
  /** Relative to the vault, with `/`; ends in `.md`. */
  readonly path: string;
  readonly type: string;
  readonly properties: JsonObject;
  /** Type of an edge -> names of notes. */
  readonly edges: { readonly [type: string]: readonly string[] };
  /** The edges that such a note usually has. */
  readonly usual: readonly string[];
  /** Edges that may lead to notes that do not exist. */
  readonly dangling: readonly string[];
  /** Properties that may be changed in a note that exists. */
  readonly update: readonly string[];
  readonly existing: 'merge' | 'refuse';
  /** Markdown, with or without frontmatter. */
  readonly body: string;
}

/** What a skill declares about the note that its runs make; pinned with each of them. */
export interface NoteDeclaration {
  /** A template over `inputs`. */
  readonly path: string;
  readonly type: string;
  /** The suggested edges: inputs of these names are links. */
  readonly edges: readonly string[];
  /** Each by a template over `inputs`; null: the input of the same name. */
  readonly properties: readonly { readonly key: string; readonly template: string | null }[];
  readonly update: readonly string[];
  readonly dangling: readonly string[];
  readonly existing: 'merge' | 'refuse';
}

export interface PreparedNote {
  /** Where the note is; another path than that of the request when the note was moved. */
  readonly path: string;
  readonly action: 'created' | 'merged' | 'unchanged';
  /** null: there is no file. */
  readonly before: string | null;
  readonly after: string;
  /** Edges that were left out, each with the reason. */
  readonly leftOut: readonly { readonly edge: string; readonly target: string; readonly reason: string }[];
  /** Notes that the text names without a link, and the usual edges that the note lacks: a person decides. */
  readonly proposed: readonly {
    readonly target: string;
    readonly edges: readonly string[];
    readonly because: string;
  }[];
  /** Properties that the note has with another value, which it keeps. */
  readonly kept: readonly string[];
}

export type NoteOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: NoteFault; readonly message: string };

export type NoteFault =
  | 'NOTE_PATH'
  | 'NOTE_DENIED'
  | 'NOTE_EXISTS'
  | 'NOTE_TYPE'
  | 'NOTE_HEADING'
  | 'NOTE_INVALID'
  | 'NOTE_FAILED';

/** Whether a run is held to this path, relative to its workspace; null: it may write there. */
export type PathFault = (path: string) => string | null;

export interface NoteHost {
  /** Why the configuration or missing trust forbids it; null: it may write notes. */
  judge(caller: Pick<CommandCaller, 'skill' | 'trusted'>): Promise<string | null>;
  prepare(request: NoteRequest, pathFault: PathFault): Promise<NoteOutcome<PreparedNote>>;
  /** The text of a note as it is now; null: there is none. */
  read(path: string): Promise<NoteOutcome<string | null>>;
  /** `after` null removes the note. */
  replace(
    path: string,
    before: string | null,
    after: string | null,
  ): Promise<NoteOutcome<'done' | 'changed'>>;
}
