// Skills by name, for whatever is about to run one.
//
// `files` are the bytes that were judged: the content that is trusted, pinned and executed is the same. A refusal says
// why, and what would change it. A skill that does not exist is null.
import type { Json, JsonObject } from '../base/json.ts';
import type { NoteDeclaration } from './note-host.ts';
import type { ToolScope } from './tool.ts';

export interface SkillToRun {
  readonly name: string;
  readonly description: string;
  readonly form: 'instructions' | 'program' | 'composition' | 'workflow' | 'chain';
  /** Of its content; pinned in the journal. */
  readonly digest: string;
  readonly folder: string | null;
  /** Whether it may be executed now. A yes counts as trusted when it has no reasons, or one that begins with TRUSTED_. */
  readonly runnable: RunnableFact;
  /** The Markdown body: what an empty input is answered with. */
  readonly instructions: string;
  /** From `inputs` in the frontmatter, else from the "Input keys:" list; null when neither names a key. */
  readonly inputs: readonly InputFact[] | null;
  /** `inputs` in the frontmatter are a contract and enforced; a list in prose only tells people and models. */
  readonly inputsAreTyped: boolean;
  /** Path of the program inside the folder. */
  readonly program: string | null;
  /** What will be executed, by path: SKILL.md, the program, the output templates of a workflow. Empty when it is not runnable. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The tools that everything it does is held to (skill/tools/tool-scope.ts). */
  readonly scopes: readonly ToolScope[];
  readonly model: string | null;
  /** What it declares that a run needs; the host caps it. Default: nothing. */
  readonly limits?: { readonly asks?: number; readonly commands?: number; readonly wallMs?: number };
  /** The note that a run of it makes. Default: none. */
  readonly note?: NoteDeclaration | null;
}

/** A skill as a step of a plan uses it: as instructions for an agent, by its entry point, or in its own form. */
export interface StepSkill {
  readonly name: string;
  readonly form: SkillToRun['form'];
  readonly digest: string;
  /** Of everything in its folder, where that is executed by an entry point; `null` otherwise. */
  readonly content: string | null;
  readonly folder: string | null;
  /** Whether everything it requires is there. */
  readonly ready: RunnableFact;
  /** Whether it may be executed now: its entry point, or the skill itself. */
  readonly runnable: RunnableFact;
  readonly instructions: string;
  readonly scopes: readonly ToolScope[];
  readonly model: string | null;
  /** As the frontmatter has it; `null`: there is none. */
  readonly entrypoint: Json;
  readonly capabilities: readonly string[] | null;
  /** Variables that it requires. */
  readonly env: readonly string[];
  /** The bytes of SKILL.md. */
  readonly file: Uint8Array | null;
}

interface RunnableFact {
  readonly ok: boolean;
  readonly reasons: readonly {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
  }[];
}

/** One input of an executable skill. */
export interface InputFact {
  readonly key: string;
  readonly required: boolean;
  readonly description: string | null;
  readonly schema: JsonObject | null;
}

/** Where a run finds the skills that it executes. */
export interface SkillSource {
  /** Looks at what is there now. */
  find(name: string): Promise<SkillToRun | null>;
  /** The same for a step of a plan: skills of any form. Default: only what `find` says is known. */
  findForStep?(name: string): Promise<StepSkill | null>;
  /**
   * Whether a run of this skill that was started earlier may go on now. It has its bytes, so an edit, an upgrade, a removal
   * or a missing program is no reason against it; execution that was switched off, or trust that was taken back, is, also
   * where the skill is not known. `trustedBy` is the TRUSTED_ reason of its start.
   */
  mayContinue(skill: {
    readonly name: string;
    readonly folder: string | null;
    readonly trustedBy: string | null;
  }): Promise<RunnableFact>;
  /** For "did you mean", and the names a tool offers: executable forms only. */
  names(): readonly string[];
}
