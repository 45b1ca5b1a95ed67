// A skill of a plan form and an input -> what its run is started with, or why it is not.
//
// A1. A composition takes `user_message` from the input; an input that is text is that message. One that reads the message
//     and gets none is answered with its instructions. What a workflow or chain lacks is asked for (plan-beginning.ts).
// A2. A plan is bounded by its steps, by tokens, cost and the wall clock: asks and commands are not counted against it,
//     unless the caller says how many there may be.
import { emptyObject, isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { SkillToRun } from '../host/ports/skill-source.ts';
import type { Plan } from '../plan/plan.ts';
import type { SkillHead } from '../skill/types.ts';
import { checkInput } from './input-check.ts';
import type { RunLimits } from './limits.ts';
import type { PlanCache } from './plan-cache.ts';
import { capturedInputs } from './plan-inputs.ts';
import { preparePlan } from './prepare-plan.ts';
import type { PreparationParts } from './prepare-plan.ts';
import { checkSchema } from './schema-check.ts';

export interface PlanParts extends PreparationParts {
  readonly plans: PlanCache;
}

export type PlanAdmission =
  | {
      readonly ok: true;
      readonly input: JsonObject;
      /** Pinned besides the files of the skill. */
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly ceilings: readonly (readonly string[])[];
      readonly parallel: number;
    }
  | { readonly ok: false; readonly failed: boolean; readonly code: string; readonly message: string; readonly hint: string | null };

export async function admitPlan(parts: PlanParts, skill: SkillToRun, given: Json): Promise<PlanAdmission> {
  const planned = parts.plans.planOf(skill, parts.parseFull);
  if (!planned.ok) return { ok: false, failed: true, code: 'PLAN_INVALID', message: `the plan has errors: ${planned.message}`, hint: null };
  const { plan, head, text } = planned;
  const checked = plan.form === 'composition' ? compositionInput(skill, text, given) : workflowInput(skill, plan, head, given);
  if (!checked.ok) return { failed: false, ...checked };
  const prepared = await preparePlan(parts, planned);
  if (!prepared.ok) {
    const { problems } = prepared;
    const message = problems.length === 1 ? (problems[0] as string) : `${problems.length} things are missing:\n${problems.map((problem) => `- ${problem}`).join('\n')}`;
    return { ok: false, failed: false, code: 'PREFLIGHT', message: `metaskill '${skill.name}' cannot run here: ${message}`, hint: 'techne doctor' };
  }
  return { ok: true, input: checked.input, files: parts.plans.filesOf(planned, prepared), ceilings: plan.capabilities === null ? [] : [plan.capabilities], parallel: plan.parallel };
}

/** A2. Room for every step, item and attempt there can be. */
const planAllowance: Pick<RunLimits, 'asks' | 'commands' | 'wallMs'> = { asks: 100_000, commands: 100_000, wallMs: 1_800_000 };

export function planDefaults(defaults: RunLimits, maximum: RunLimits): RunLimits {
  return { ...defaults, ...planAllowance, wallMs: Math.max(defaults.wallMs, Math.min(planAllowance.wallMs, maximum.wallMs)), parallel: maximum.parallel };
}

export function planMaximum(maximum: RunLimits): RunLimits {
  return { ...maximum, asks: Math.max(maximum.asks, planAllowance.asks), commands: Math.max(maximum.commands, planAllowance.commands) };
}

type CheckedInput = { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly code: string; readonly message: string; readonly hint: string | null };

/** A1. */
function compositionInput(skill: SkillToRun, text: string, given: Json): CheckedInput {
  const input: Json = typeof given === 'string' ? { user_message: given } : (given ?? emptyObject());
  const isEmpty = isJsonObject(input) && Object.keys(input).length === 0;
  const needsMessage = /\binputs\b[^}%]*\buser_message\b/.test(text);
  const inputs = skill.inputs ?? (needsMessage ? [{ key: 'user_message', required: true, description: null, schema: null }] : null);
  const checked = checkInput({ ...skill, inputs }, input, ['user_message']);
  if (!checked.ok) return { ok: false, code: isEmpty ? 'INPUT_REQUIRED' : 'INPUT_INVALID', message: checked.message, hint: checked.hint };
  const { user_message: message } = checked.input;
  if (message !== undefined && message !== null && typeof message !== 'string') return { ok: false, code: 'INPUT_INVALID', message: `the input of metaskill '${skill.name}' is wrong: "user_message" must be text`, hint: null };
  return checked;
}

function workflowInput({ name }: SkillToRun, plan: Plan, { triggers }: SkillHead, given: Json): CheckedInput {
  const wrong = (message: string, hint: string | null = null): CheckedInput => ({ ok: false, code: 'INPUT_INVALID', message: `the input of metaskill '${name}' is wrong: ${message}`, hint });
  const raw: Json = typeof given === 'string' ? { user_message: given } : (given ?? emptyObject());
  if (!isJsonObject(raw)) return wrong(`it must be an object of keys, not ${Array.isArray(raw) ? 'an array' : `a ${typeof raw}`}`);
  const { user_message: message } = raw;
  const input = Object.assign(emptyObject(), typeof message === 'string' ? capturedInputs(triggers, message) : {}, raw);
  const faults = plan.inputs.flatMap(({ key, schema }) => (schema === null || !Object.hasOwn(input, key) ? [] : checkSchema(schema, input[key] as Json, `"${key}"`)));
  if (faults.length > 0) return wrong(faults.join('; '));
  const variants = Object.keys(plan.output?.variants ?? {});
  const { variant } = input;
  if (variants.length > 0 && variant !== undefined && variant !== null && variant !== '' && variant !== 'default' && !(typeof variant === 'string' && variants.includes(variant))) {
    return wrong(`there is no variant ${JSON.stringify(variant)}`, `there are: default, ${variants.join(', ')}`);
  }
  return { ok: true, input };
}
