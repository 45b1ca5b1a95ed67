// Everything that a run of a plan executes, as one JSON: the plan, and the skills its steps use.
//
//   Plan + StepSkill[] -> PlanBundle <-> bytes, pinned with the run
//
// A run that has started reads nothing else, so an edit of the skill, or of a skill that a step uses, does not affect
// it. The same plan with the same skills gives the same bytes.
import { encodeUtf8 } from '../../base/utf8.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import { TechneError } from '../../base/error.ts';
import type { ToolScope } from '../../ports/tool.ts';
import type { Entrypoint } from '../../plan/entrypoint.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Form } from '../../skill/types.ts';
import { bundlePath } from './runs.ts';
import type { StepLines } from './template-lines.ts';

export interface PlanBundle {
  readonly plan: Plan;
  readonly self: PlanSelf;
  /** By name. */
  readonly skills: { readonly [name: string]: PlanSkill };
}

/** Facts of the skill that are part of the result. */
export interface PlanSelf {
  readonly folder: string | null;
  readonly guidelines: string | null;
  readonly checklist: string | null;
  readonly nodeType: string | null;
  readonly suggestedEdges: readonly { readonly type: string; readonly target: string | null }[];
  /** The places of the texts of its steps in SKILL.md; for faults. */
  readonly lines?: { readonly [id: string]: StepLines };
}

/** A skill as a step uses it. */
export interface PlanSkill {
  readonly name: string;
  readonly form: Form;
  readonly digest: string;
  /** Of its whole folder, where an entry point executes what is in it. */
  readonly content: string | null;
  readonly folder: string | null;
  readonly trusted: boolean;
  readonly instructions: string;
  /** The tools that its agents and its entry point are held to. */
  readonly scopes: readonly ToolScope[];
  readonly model: string | null;
  readonly entrypoint: Entrypoint | null;
  readonly capabilities: readonly string[] | null;
  /** Variables that it declares; passed on to its entry point by name. */
  readonly env: readonly string[];
  /** Keys that its input may have; null or missing: any. */
  readonly takes?: readonly string[] | null;
}

/** What is pinned of it, and of the skills it uses. */
export function bundleFiles({
  bundle,
  files,
}: {
  readonly bundle: PlanBundle;
  readonly files: ReadonlyMap<string, Uint8Array>;
}): ReadonlyMap<string, Uint8Array> {
  // Keys stay in the order of the document, which prompts keep to.
  return new Map([...files, [bundlePath, encodeUtf8(JSON.stringify(bundle))]]);
}

/** Throws JOURNAL_CORRUPT. */
export function readBundle(text: string): PlanBundle {
  const json = parseJson(text) as JsonObject;
  if (!isJsonObject(json['plan']) || !isJsonObject(json['skills']) || !isJsonObject(json['self']))
    throw new TechneError('JOURNAL_CORRUPT', 'the pinned plan is not a plan');
  return json as unknown as PlanBundle;
}
