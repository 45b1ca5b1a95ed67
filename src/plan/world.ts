// What a plan is checked against: the skills and tools that are there. The caller looks them up; nothing here reads files.
import type { Form, Risk } from '../skill/types.ts';
import type { Entrypoint } from './entrypoint.ts';
import type { PlanInput } from './plan.ts';
import type { ToolFacts } from './tool-facts.ts';

export interface PlanWorld {
  /** `null`: there is no such skill. `'unknown'`: not known. */
  readonly skill: (name: string) => SkillFacts | null | 'unknown';
  /** `null`: there is no such tool. `'unknown'`: not known. */
  readonly tool: (name: string) => ToolFacts | null | 'unknown';
  /** Names, for "did you mean". */
  readonly skillNames: () => Iterable<string>;
  /** The same of tools. Default: none. */
  readonly toolNames?: () => Iterable<string>;
  /** The text of a file of the skill's folder, such as its output template; `null`: there is none, `undefined`: not known. */
  readonly file: (path: string) => string | null | undefined;
  /** Paths in the skill's folder. */
  readonly paths: () => readonly string[];
}

export interface SkillFacts {
  readonly form: Form;
  readonly entrypoint: Entrypoint | null;
  readonly risk: Risk | null;
  readonly capabilities: readonly string[] | null;
  /** Declared in its frontmatter. Default: none, so that it takes anything. */
  readonly inputs?: readonly PlanInput[] | null;
  /** Shipped with techne. */
  readonly builtin: boolean;
}

/** Nothing is known: only the file itself is checked. */
export const emptyWorld: PlanWorld = {
  skill: () => 'unknown',
  tool: () => 'unknown',
  skillNames: () => [],
  file: () => undefined,
  paths: () => [],
};
