// The inputs that steps give to skills and tools -> keys that these do not take, and keys that are missing.
//
// Only certain faults are reported: the keys in the file are compared with what the skill or tool declares.
// Instructions, and a program that declares nothing, take any key. A skill with a plan also takes what its triggers
// capture and its templates read, so only keys that look like a declared one are reported. A step of a chain without
// inputs passes on the inputs of the run, `input` and `user_message`.
import type { Report } from '../base/diagnostic.ts';
import { isJsonObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { Span } from '../base/span.ts';
import { ownerOf } from './analyse-sites.ts';
import type { StepDraft } from './draft.ts';
import { failingCode } from './draft.ts';
import type { PlanWorld } from './world.ts';

interface Taken {
  /** As in `the tool "read_file"`. */
  readonly by: string;
  readonly keys: readonly string[];
  readonly needed: readonly string[];
  /** Whether other keys are refused, too. */
  readonly closed: boolean;
  readonly what: 'input' | 'argument';
}

/** `handed`: the inputs that a run of the plan can have. */
export function checkInputs(
  drafts: readonly StepDraft[],
  handed: readonly string[],
  world: PlanWorld,
  report: Report,
): void {
  for (const draft of drafts) {
    const taken =
      draft.step.kind === 'skill'
        ? takenBySkill(draft, world)
        : draft.step.kind === 'tool'
          ? takenByTool(draft, world)
          : null;
    if (taken === null) continue;
    const { by, keys, needed, closed, what } = taken;
    const given = draft.given ?? [];
    const owner = ownerOf(draft);
    for (const { name, span } of given) {
      if (keys.includes(name)) continue;
      const near = nearest(name, keys);
      if (near === null && !closed) continue;
      report(
        closed && what === 'argument' ? failingCode(draft.step) : 'PLAN_INPUT_UNKNOWN',
        span,
        `${owner}: ${by} has no ${what} "${shown(name)}"`,
        near !== null
          ? `did you mean "${near}"?`
          : keys.length === 0
            ? `it has no ${what}s`
            : `its ${what}s are ${keys.slice(0, 12).join(', ')}`,
      );
    }
    const there =
      given.length > 0 || what === 'argument'
        ? given.map(({ name }) => name)
        : [...handed, 'input', 'user_message'];
    const lacking = needed.filter((key) => !there.includes(key));
    if (lacking.length > 0)
      report(
        what === 'argument' ? failingCode(draft.step) : 'PLAN_INPUT_MISSING',
        placeOf(draft),
        `${owner}: ${by} needs ${lacking.map((key) => `"${key}"`).join(' and ')}, which the step does not give`,
        `add ${lacking.join(' and ')} to ${what === 'argument' ? 'its arguments' : 'its inputs'}`,
      );
  }
}

function placeOf({ skill, tool, step }: StepDraft): Span {
  return skill?.span ?? tool?.span ?? step.span;
}

/** The keys that the skill takes; null when it takes any. */
function takenBySkill({ skill }: StepDraft, world: PlanWorld): Taken | null {
  const facts = skill === null || skill.name.includes('{{') ? null : world.skill(skill.name);
  const inputs = facts === null || facts === 'unknown' ? [] : (facts.inputs ?? []);
  if (facts === null || facts === 'unknown' || inputs.length === 0 || facts.form === 'instructions')
    return null;
  const needed = inputs
    .filter(({ required, schema }) => required && schema?.['default'] === undefined)
    .map(({ key }) => key);
  // A workflow or chain asks for what it lacks.
  return {
    by: `the skill "${shown(skill?.name ?? '')}"`,
    keys: inputs.map(({ key }) => key),
    needed: facts.form === 'program' || facts.form === 'composition' ? needed : [],
    closed: facts.form === 'program',
    what: 'input',
  };
}

function takenByTool({ tool }: StepDraft, world: PlanWorld): Taken | null {
  const facts = tool === null ? null : world.tool(tool.name);
  const { properties, required, additionalProperties } =
    facts === null || facts === 'unknown' ? {} : (facts.schema ?? {});
  if (!isJsonObject(properties)) return null;
  const needed = Array.isArray(required)
    ? (required as readonly Json[]).filter((key) => typeof key === 'string')
    : [];
  return {
    by: `the tool "${shown(tool?.name ?? '')}"`,
    keys: Object.keys(properties),
    needed,
    closed: additionalProperties === false,
    what: 'argument',
  };
}

function shown(name: string): string {
  return printableLine(name).slice(0, 60);
}
