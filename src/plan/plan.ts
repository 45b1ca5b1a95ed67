// A checked plan: what a composition, a workflow or a chain does, in one shape.
//
//   composition | workflow | chain -> Plan (+ diagnostics) -> the plan interpreter of run/
//
// A plan is JSON: templates and expressions are texts, compiled again where they run. Steps are in the order of the
// document, which decides between equals. Every step that is named exists and there is no cycle; otherwise there are
// diagnostics and no plan. A step that reads another waits for it: undeclared dependencies are in `dependsOn` too, and
// in `implied`.
import type { PlannedNote } from './check-note.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import type { Risk } from '../skill/types.ts';
import type { Capability } from './capabilities.ts';

/** `agent`: a bounded nested agent. `exec`: the entry point of a skill. `skill`: a skill in its own form. */
export type StepKind = 'agent' | 'chat' | 'classify' | 'input' | 'tool' | 'command' | 'exec' | 'skill';
export type PlanForm = 'composition' | 'workflow' | 'chain';

export interface Plan {
  readonly form: PlanForm;
  readonly name: string;
  readonly steps: readonly PlanStep[];
  readonly finalText: FinalText;
  /** Inputs that were declared; what is required and missing is asked for (workflows) or refused. */
  readonly inputs: readonly PlanInput[];
  readonly outputContract: OutputContract | null;
  /** Shown, and confirmed where it says so, before anything is spent. */
  readonly preflight: Preflight | null;
  /** Workflows: the template that makes the result, and whether a model refines it. */
  readonly output: OutputTemplate | null;
  /** The note that a run writes. Default: none. */
  readonly note?: PlannedNote;
  /** The ceiling that the engine holds steps to; null: not declared. */
  readonly capabilities: readonly Capability[] | null;
  readonly risk: PlanRisk;
  readonly needs: PlanNeeds;
  /** Steps, and items of loops, that run in parallel. */
  readonly parallel: number;
}

type FinalText = { readonly mode: 'auto' | 'raw' } | { readonly mode: 'step'; readonly step: string };

export interface PlanRisk {
  readonly declared: Risk | null;
  readonly computed: Risk;
  /** What makes it that risk, one line for each step that does. */
  readonly reasons: readonly string[];
  /** What the steps can do, as far as it is known. */
  readonly capabilities: readonly Capability[];
}

/** What must be there before the first step, sorted; names that are only known at run time are not in it. */
export interface PlanNeeds {
  readonly skills: readonly string[];
  readonly tools: readonly string[];
  readonly models: readonly string[];
}

export interface PlanStep {
  readonly id: string;
  readonly kind: StepKind;
  readonly label: string;
  readonly labels: Localised;
  /** Declared and implied. */
  readonly dependsOn: readonly string[];
  readonly implied: readonly string[];
  /** null: always. */
  readonly when: Expression | null;
  /** The first that holds names the skill. */
  readonly route: readonly { readonly when: Expression; readonly to: string }[];
  /** agent, exec, skill; a template in a chain may name it. */
  readonly skill: string | null;
  /** Values with templates in their texts: `with`, `params`, `tool_args`, `inputs`. */
  readonly values: JsonObject;
  readonly tool: string | null;
  readonly choices: readonly string[] | null;
  readonly clarify: Clarify | null;
  readonly onFailure: string | null;
  /** The step it replaces. */
  readonly substituteOf: string | null;
  readonly timeoutMs: number | null;
  /** How often it is tried in all; 1 means no retry. */
  readonly retry: { readonly maxAttempts: number; readonly backoffMs: number };
  readonly forEach: ForEach | null;
  readonly continueOnError: boolean;
  readonly outputSchema: JsonObject | null;
  readonly model: string | null;
  readonly maxTurns: number | null;
  /** The tools an agent gets; null: those of its skill. For a tool step it holds the tool. */
  readonly tools: readonly string[] | null;
  readonly idempotent: boolean;
  readonly sideEffect: 'external_paid_submit' | null;
  /** Whether its progress is shown. */
  readonly progress: boolean;
  readonly span: Span;
}

interface Localised {
  readonly zh: string | null;
  readonly en: string | null;
}

export interface ForEach {
  /** Either an expression for a list, or the list itself, whose texts are templates. */
  readonly items: Expression | null;
  readonly list: readonly Json[] | null;
  readonly as: string;
  /** At most `parallel` of the plan. */
  readonly concurrency: number;
  readonly merge: 'list' | 'concat' | 'first' | 'last';
}

export interface Expression {
  readonly text: string;
  readonly span: Span;
}

export interface PlanInput {
  readonly key: string;
  readonly required: boolean;
  readonly description: string | null;
  readonly schema: JsonObject | null;
}

export interface OutputContract {
  readonly requiredSections: readonly string[];
  readonly forbiddenTerms: readonly string[];
  readonly artifacts: readonly Artifact[];
  readonly assumptions: readonly string[];
  readonly unverified: readonly string[];
  /** Whether the contract is shown below the answer. */
  readonly appendToFinalText: boolean;
}

export interface Artifact {
  readonly name: string;
  /** A template; null when only a name is declared. */
  readonly path: string | null;
  readonly required: boolean;
}

export interface Preflight {
  /** A person must confirm before anything is spent. */
  readonly confirm: boolean;
  readonly title: string | null;
  readonly outcome: string | null;
  readonly deliverable: string | null;
  readonly intro: string | null;
  readonly assumptions: readonly string[];
  readonly fields: readonly PreflightField[];
  /** As it was written, with the texts in other languages. */
  readonly card: JsonObject;
}

export interface PreflightField {
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  readonly default: Json;
}

export interface OutputTemplate {
  readonly path: string;
  /** Name of a variant -> path. */
  readonly variants: { readonly [name: string]: string };
  readonly refine: boolean;
}

export interface Clarify {
  readonly mode: 'form' | 'chat';
  /** A template. */
  readonly intro: string;
  readonly intros: Localised;
  readonly fields: readonly ClarifyField[];
  readonly skipIf: Expression | null;
  /** Lower-case. */
  readonly cancelWords: readonly string[];
  readonly timeoutHours: number;
  /** Whether fields are read from a free reply, by the answerer. */
  readonly extract: boolean;
  readonly extractModel: string | null;
}

export interface ClarifyField {
  readonly name: string;
  readonly type: 'string' | 'enum' | 'int' | 'bool';
  readonly required: boolean;
  readonly prompt: string;
  readonly prompts: Localised;
  readonly choices: readonly string[] | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly minChars: number | null;
  readonly maxChars: number | null;
  readonly hasDefault: boolean;
  readonly default: Json;
}

export const planDefaults = { parallel: 4, concurrency: 4, timeoutHours: 24 } as const;
