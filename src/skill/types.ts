// The content of a SKILL.md, parsed.
//
//   bytes -> SkillHead (frontmatter)      needed to list, cheap, plain JSON data
//         -> SkillBody (Markdown)         read on demand
//
// A head is plain JSON data: it survives the index cache unchanged. `frontmatter` is verbatim: every key the author
// wrote, known or not, except forbidden keys. `null` means "not declared"; an empty list means "declared as none".
import type { JsonObject } from '../base/json.ts';
import type { ParseFull } from './yaml/node.ts';

/** What a skill is: text to read, or one of four things to execute. */
export type Form = 'instructions' | 'program' | 'composition' | 'workflow' | 'chain';
/** All of them, plain instructions first. */
export const forms: readonly Form[] = ['instructions', 'program', 'composition', 'workflow', 'chain'];

/** Where a skill came from; trust, substitutions and precedence depend on it. */
export interface SkillOrigin {
  readonly kind: 'builtin' | 'plugin' | 'local' | 'installed' | 'remote';
  readonly from: string | null;
}

/** A phrase that suggests the skill; `{name}` in it captures words of the message. */
export interface Trigger {
  readonly phrase: string;
  readonly variables: readonly string[];
}

/** An input that a skill declares. */
export interface InputKey {
  readonly key: string;
  readonly required: boolean;
  readonly description: string | null;
  /** A JSON Schema for the value, where one was written. */
  readonly schema: JsonObject | null;
}

/** What must be there before a skill can be used. Empty lists demand nothing. */
export interface Requires {
  readonly bins: readonly string[];
  /** Each inner list is satisfied by any one of its programs. */
  readonly anyBins: readonly (readonly string[])[];
  readonly env: readonly string[];
  readonly anyEnv: readonly (readonly string[])[];
  readonly config: readonly string[];
  /** Normalised to Node's names: linux, darwin, win32. */
  readonly os: readonly string[];
  readonly tools: readonly string[];
  readonly skills: readonly string[];
  /** How to install the missing parts, according to the author; shown, never run. */
  readonly installHints: readonly string[];
}

/** Who may start a skill. */
export interface Invocation {
  /** A person may call it by name. */
  readonly user: boolean;
  /** The model may see and activate it. */
  readonly model: boolean;
  /** The whole body goes into every prompt. */
  readonly always: boolean;
  /** Why user or model are off: the fields that declare it. */
  readonly because: readonly string[];
}

/** The risk that a skill declares. */
export type Risk = 'low' | 'medium' | 'high';

/** How a note is meant to be linked to others. */
export interface SuggestedEdge {
  readonly type: string;
  readonly target: string | null;
}

/** A property of a note, and where its value comes from. */
export interface NoteProperty {
  readonly key: string;
  readonly template: string | null;
}

/** The note that a run of the skill makes, besides its type and its edges. */
export interface NoteOutput {
  /** A template over `inputs`; relative to the vault. */
  readonly path: string;
  /** Properties of the note, each by a template over `inputs`; null: the input of the same name. */
  readonly properties: readonly NoteProperty[];
  /** Those of them that a later run may change in a note that exists. */
  readonly update: readonly string[];
  /** Edges that may lead to notes that do not exist yet. */
  readonly dangling: readonly string[];
  /** What becomes of a note that exists. */
  readonly existing: 'merge' | 'refuse';
}

/** Why a skill of an executable form cannot be executed; its instructions stay usable. */
export interface ExecutionBar {
  readonly code:
    | 'FORM_INCOMPLETE'
    | 'LANGUAGE_UNSUPPORTED'
    | 'PROGRAM_MISSING'
    | 'PROGRAM_PATH'
    | 'PROGRAM_TOO_LARGE'
    | 'PROGRAM_FRONTMATTER';
  readonly message: string;
}

/** The same of its program or plan, once that was read: the verdict about the skill. */
export interface FormBar {
  readonly code: ExecutionBar['code'] | 'PROGRAM_NOT_TEXT' | 'PROGRAM_INVALID' | 'PLAN_INVALID';
  /** One line. */
  readonly message: string;
}

/** What a skill declares that its runs need; what is missing is the host's default. */
export interface DeclaredLimits {
  readonly asks?: number;
  readonly commands?: number;
  readonly wallMs?: number;
}

/** The frontmatter, in one shape for all dialects. */
export interface SkillHead {
  /** The identity: the folder's name. */
  readonly name: string;
  /** What the frontmatter calls it, when that is text. */
  readonly declaredName: string | null;
  readonly description: string;
  /** Where the description was taken from. */
  readonly descriptionFrom: 'frontmatter' | 'body' | 'none';
  readonly whenToUse: string | null;
  readonly form: Form;
  /** The program's path relative to the skill folder, for the program form. */
  readonly program: string | null;
  readonly bar: ExecutionBar | null;
  readonly license: string | null;
  readonly compatibility: string | null;
  readonly declaredVersion: string | null;
  /** `metadata` as a map of text to text; nested values are in `frontmatter`. */
  readonly metadata: { readonly [key: string]: string };
  readonly triggers: readonly Trigger[];
  /** From `inputs`; keys listed in the body are in `SkillBody`. */
  readonly inputs: readonly InputKey[] | null;
  readonly output: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly disallowedTools: readonly string[] | null;
  readonly tools: readonly string[] | null;
  readonly requires: Requires | null;
  readonly invocation: Invocation;
  /** `meta_priority`; higher wins between equal matches. */
  readonly priority: number;
  readonly finalTextMode: string | null;
  readonly risk: Risk | null;
  readonly capabilities: readonly string[] | null;
  /** What a run of it needs; the host caps it. */
  readonly limits: DeclaredLimits | null;
  readonly nodeType: string | null;
  readonly suggestedEdges: readonly SuggestedEdge[];
  /** `x_techne_note`; null: a run writes no note. */
  readonly note: NoteOutput | null;
  readonly argumentHint: string | null;
  readonly argumentNames: readonly string[];
  readonly model: string | null;
  /** Claude Code's `context: fork`. */
  readonly fork: boolean;
  /** Which hosts' fields were seen: `claude`, `openclaw`, `hermes`, `opensquilla`, `techne` … */
  readonly dialects: readonly string[];
  readonly frontmatter: JsonObject;
}

/** Sections that have a meaning of their own; null where there is none. */
export interface Sections {
  readonly purpose: string | null;
  readonly whenToUse: string | null;
  readonly outputTemplate: string | null;
  readonly guidelines: string | null;
  readonly qualityChecklist: string | null;
  readonly variants: string | null;
}

/** What follows the frontmatter. */
export interface SkillBody {
  /** The Markdown after the frontmatter, leading line ends removed. */
  readonly text: string;
  readonly sections: Sections;
  /** Keys of an "Input keys:" list. */
  readonly inputKeys: readonly InputKey[];
  readonly estimatedTokens: number;
  /** Relative paths the body refers to. */
  readonly references: readonly string[];
}

/** One entry of the skill folder, as a listing gives it. */
export interface FolderEntryLike {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export interface HeadContext {
  readonly folderName: string;
  /** The entries of the skill folder itself, not of folders below. */
  readonly entries: readonly FolderEntryLike[];
  /** `text` is the whole file, not its head. */
  readonly complete: boolean;
  readonly fileBytes: number;
  /** Asked only about what the plain parser is unsure of, so that it can load the YAML package then. */
  readonly parseFull: ParseFull;
}
