// Skills as a session sees them.
//
//   roots -> candidates -> winners by precedence -> Snapshot (frozen)
//
// Found, ready, visible, listed and runnable are five facts, each with reasons. A snapshot answers the first four;
// `runnable` is verified when something is about to run. The order is deterministic: skills by name, candidates by
// source, root and path. Nothing is dropped without a diagnostic.
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Source } from '../config/precedence.ts';
import type { FileSignature } from '../ports/files.ts';
import type { SkillCard } from '../skill/parse-head.ts';
import type { FormBar, SkillHead, SkillOrigin } from '../skill/types.ts';

export type { Source };

/** A folder in which skills are looked for. */
export interface Root {
  readonly source: Source;
  /** Absolute. */
  readonly path: string;
  /** Whose convention the folder is: `techne`, `agents`, `claude`, `codex` … or `option` for `--root`. */
  readonly host: string;
  readonly origin: SkillOrigin;
  /** A folder that the root must really lie in, links resolved; else it is not entered. Default: it may lie anywhere. */
  readonly within?: string;
  /** The workspace that it is configured for, by its own file or the user's. Default: it is none that was configured for a workspace. */
  readonly configuredFor?: string;
}

/** One found skill. Frozen. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly source: Source;
  readonly root: Root;
  readonly origin: SkillOrigin;
  /** Absolute path of the skill folder, as found (not resolved through links). */
  readonly folder: string;
  /** The folder with every link resolved, as found: where its files are read. */
  readonly realFolder: string;
  /** Absolute path of its SKILL.md. */
  readonly file: string;
  /** What listing needs; costs nothing. */
  readonly card: SkillCard;
  /** Parsed when it is first asked for, unless finding the skill took it. */
  readonly head: SkillHead;
  /** What is wrong with its head; body findings come from `check`. Parses the head. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of SKILL.md, as listed. Reads are verified against it. */
  readonly signature: FileSignature;
}

/** Why something is so, for programs. */
export type ReasonCode =
  | 'INVALID'
  | 'OS'
  | 'BIN_MISSING'
  | 'ENV_MISSING'
  | 'CONFIG_MISSING'
  | 'TOOL_MISSING'
  | 'SKILL_MISSING'
  | 'DISABLED'
  | 'NOT_USER_INVOCABLE'
  | 'NOT_MODEL_INVOCABLE'
  | 'NOT_AGENT_READY'
  | 'OVER_BUDGET'
  | 'NOT_READY'
  | 'NOT_VISIBLE'
  | 'NOT_EXECUTABLE'
  | 'PROGRAM_INVALID'
  | 'PLAN_INVALID'
  | 'EXECUTION_OFF'
  | 'METASKILLS_OFF'
  | 'NOT_TRUSTED'
  | 'DRIFTED'
  | 'CHANGED_SINCE_TRUSTED'
  | 'GUARD_REFUSED'
  | 'GUARD_WARNED'
  | 'TRUSTED_BUILTIN'
  | 'TRUSTED_FOLDER'
  | 'TRUSTED_DIGEST';

/** Why something is so, for people. */
export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  readonly hint: string | null;
}

/** A yes or no with its reasons; a plain yes may have none. */
export interface Fact {
  readonly ok: boolean;
  readonly reasons: readonly Reason[];
}

/** What is true of a skill, each with reasons. Whether it may run is asked for separately (`isRunnable`). */
export interface Facts {
  /** Nothing is wrong with what it would execute (facts/facts.ts); its instructions can be used in any case. */
  readonly sound: Fact;
  /** Everything it requires is there. */
  readonly ready: Fact;
  readonly visibleToUser: Fact;
  readonly visibleToModel: Fact;
  /** Fits the budget of the discovery index. */
  readonly listed: Fact;
}

/**
 * How many of the visible skills, in the order of names, have a line in the discovery index. The prompt lays the index
 * out; a snapshot only needs the number.
 */
export type CountListed = (
  skills: readonly Pick<Skill, 'name' | 'description' | 'card'>[],
  budget: { readonly budgetTokens: number; readonly turnTokens: number },
) => number;

/** A skill that another one of the same name hides. */
export interface Shadowed {
  readonly skill: Skill;
  readonly winner: Skill;
  readonly reason: string;
}

/** A skill that exists only in memory: a proposal, a what-if. Paths are relative with `/`. */
export interface SkillTree {
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly origin: SkillOrigin;
}

/**
 * Judges the program or plan of a skill by its bytes: its program, or its SKILL.md and the files beside its output template.
 * `null`: it can be executed. Must not throw.
 */
export type JudgeForm = (skill: {
  readonly name: string;
  readonly head: SkillHead;
  readonly files: ReadonlyMap<string, Uint8Array>;
}) => Promise<FormBar | null>;

/** Why something of an installed skill is refused. */
export interface DriftRefusal {
  readonly message: string;
  readonly hint: string;
}

/** What the locks say about the folders of skills (hub/drift/installed-skills.ts). Must not throw. */
export interface InstalledSkills {
  /** Which locks cannot be used, and why. */
  readonly diagnostics: readonly Diagnostic[];
  /** `null`: nothing is known of the folder; it is what its root says. */
  originOf(realFolder: string): SkillOrigin | null;
  /** The digest that the whole skill must have to be executed, or why it may not be; `null`: it is not installed. */
  digestOf(realFolder: string): { readonly digest: string } | { readonly refusal: DriftRefusal } | null;
  /** `null`: it may be read. `bytes: null`: the file is not there. */
  judge(file: {
    readonly realFolder: string;
    readonly path: string;
    readonly bytes: Uint8Array | null;
    readonly executable: boolean;
  }): DriftRefusal | null;
}

/** Judges content on its way from disk to a reader: the guard stands here, and what an embedding program gives. */
export interface ContentGate {
  /** Returns `null` to let the content pass, or the reason it is refused. Must not throw. */
  judge(content: {
    /** Its name. */
    readonly skill: string;
    readonly path: string;
    readonly bytes: Uint8Array;
    /** The skill itself, with the folder that the file is in. */
    readonly found: Skill;
  }): Promise<string | null>;
  /** What a reader should know about a skill whose content passed, in one line. Default: nothing. */
  noteOf?(skill: Skill): string | null;
  /** Whether words of a body may be indexed for matching without asking: they are not shown there. Default: false. */
  readonly passesIndex?: boolean;
}
