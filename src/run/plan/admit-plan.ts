// A skill with a plan and an input -> what its run is started with, or why it cannot start.
//
// A composition takes `user_message` from the input; an input that is text is that message. A composition that reads
// the message and gets none is answered with its instructions. A workflow or chain asks for what it lacks
// (beginning.ts). A key that the plan does not take is refused (input-keys.ts).
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { SkillToRun } from '../../ports/skill-source.ts';
import type { InputFacts } from '../start/check-input.ts';
import { checkInput, compositionInputs, inputKeysOf, messageFact } from '../start/check-input.ts';
import type { PlanCache } from './cache.ts';
import { keyFaults } from './input-keys.ts';
import { capturedInputs } from './inputs.ts';
import { obstaclesText, preparePlan } from './prepare-plan.ts';
import type { PlanOfSkill, PreparationParts } from './prepare-plan.ts';
import { checkSchema } from '../../base/schema/check-value.ts';

interface PlanParts extends PreparationParts {
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
  | {
      readonly ok: false;
      readonly failed: boolean;
      readonly code: string;
      readonly message: string;
      readonly hint: string | null;
      /** For a calling model; the message where it is not there. */
      readonly text?: string;
    };

export async function admitPlan(parts: PlanParts, skill: SkillToRun, given: Json): Promise<PlanAdmission> {
  const planned = parts.plans.planOf(skill, parts.parseFull);
  if (!planned.ok)
    return {
      ok: false,
      failed: true,
      code: 'PLAN_INVALID',
      message: `the plan has errors: ${planned.message}`,
      hint: null,
    };
  const { plan } = planned;
  const checked = planInput(skill, planned, given);
  if (!checked.ok) return { failed: false, ...checked };
  const prepared = await preparePlan(
    { ...parts, planOf: (one) => parts.plans.planOf(one, parts.parseFull) },
    planned,
  );
  if (!prepared.ok)
    return {
      ok: false,
      failed: false,
      code: 'PREFLIGHT',
      message: `skill '${skill.name}' cannot run here: ${obstaclesText(prepared)}`,
      hint: `techne doctor ${skill.name}`,
    };
  return {
    ok: true,
    input: checked.input,
    files: parts.plans.filesOf(planned, prepared),
    ceilings: plan.capabilities === null ? [] : [plan.capabilities],
    parallel: plan.parallel,
  };
}

type Planned = Extract<PlanOfSkill, { ok: true }>;

export function planInput(skill: InputFacts, planned: Planned, given: Json): CheckedInput {
  return planned.plan.form === 'composition'
    ? compositionInput(skill, planned, given)
    : workflowInput(skill, planned, given);
}

type CheckedInput =
  | { readonly ok: true; readonly input: JsonObject }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly hint: string | null;
      readonly text?: string;
    };

/** A text is the message; a composition that reads the message and gets none is answered with its instructions. */
function compositionInput(skill: InputFacts, { plan, text, taken }: Planned, given: Json): CheckedInput {
  const input: Json = typeof given === 'string' ? { user_message: given } : (given ?? emptyObject());
  const isEmpty = isJsonObject(input) && Object.keys(input).length === 0;
  const strange = isJsonObject(input) ? keyFaults(taken, plan.form, input) : [];
  if (strange.length > 0)
    return wrongInput(skill, strange, inputKeysOf([messageFact, ...(skill.inputs ?? [])]));
  const inputs = compositionInputs(skill.inputs, text);
  const checked = checkInput({ ...skill, inputs }, input, taken.keys);
  if (!checked.ok) return { ...checked, code: isEmpty ? 'INPUT_REQUIRED' : 'INPUT_INVALID' };
  const { user_message: message } = checked.input;
  if (skill.inputs === null && inputs !== null && typeof message === 'string' && message.trim() === '')
    return wrongInput(skill, ['"user_message" is empty'], null);
  if (message !== undefined && message !== null && typeof message !== 'string')
    return wrongInput(skill, ['"user_message" must be text'], null);
  return checked;
}

function wrongInput({ name }: InputFacts, faults: readonly string[], hint: string | null): CheckedInput {
  return {
    ok: false,
    code: 'INPUT_INVALID',
    message: `the input of skill '${name}' is wrong: ${faults.join('; ')}`,
    hint,
  };
}

function workflowInput(
  skill: InputFacts,
  { plan, head: { triggers }, taken }: Planned,
  given: Json,
): CheckedInput {
  const raw: Json = typeof given === 'string' ? { user_message: given } : (given ?? emptyObject());
  if (!isJsonObject(raw))
    return wrongInput(
      skill,
      [`it must be an object of keys, not ${Array.isArray(raw) ? 'an array' : `a ${typeof raw}`}`],
      null,
    );
  const strange = keyFaults(taken, plan.form, raw);
  if (strange.length > 0) return wrongInput(skill, strange, inputKeysOf(plan.inputs));
  const { user_message: message } = raw;
  const input = Object.assign(
    emptyObject(),
    typeof message === 'string' ? capturedInputs(triggers, message, plan.inputs) : {},
    raw,
  );
  const faults = plan.inputs.flatMap(({ key, schema }) =>
    schema === null || !Object.hasOwn(input, key) ? [] : checkSchema(schema, input[key] as Json, `"${key}"`),
  );
  if (faults.length > 0) return wrongInput(skill, faults, inputKeysOf(plan.inputs));
  const variants = ['default', ...Object.keys(plan.output?.variants ?? {})];
  const { variant = null } = input;
  // Without templates to choose from, a declared variant is an input like any other.
  const picks =
    plan.output !== null &&
    (variants.length > 1 || !plan.inputs.some(({ key }) => key === 'variant')) &&
    variant !== null &&
    variant !== '';
  if (picks && !(typeof variant === 'string' && variants.includes(variant)))
    return wrongInput(
      skill,
      [`there is no variant ${JSON.stringify(variant)}`],
      `there are: ${variants.join(', ')}`,
    );
  return { ok: true, input };
}
