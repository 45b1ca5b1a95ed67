// A place in a skill -> what the engine worked out about it: of a step, or of the whole plan.
import type { Plan, PlanStep } from '../../plan/plan.ts';

/** Lines of plain text. */
export function describePlanStep(plan: Plan, id: string): readonly string[] {
  const step = plan.steps.find((one) => one.id === id);
  if (step === undefined) return [];
  const readers = plan.steps.filter(({ dependsOn }) => dependsOn.includes(id)).map((one) => one.id);
  return [
    `${kinds[step.kind]}${step.skill === null ? '' : ` (${step.skill})`}${step.tool === null ? '' : ` (${step.tool})`}.`,
    waitsFor(step),
    readers.length === 0 ? '' : `Waited for by ${readers.join(', ')}.`,
    step.when === null ? '' : `Only when ${step.when.text}.`,
    step.choices === null ? '' : `Answers: ${step.choices.join(', ')}.`,
    step.forEach === null
      ? ''
      : `For each item, as ${step.forEach.as}, ${step.forEach.concurrency} at a time.`,
    step.retry.maxAttempts > 1 ? `Tried ${step.retry.maxAttempts} times at most.` : '',
    step.onFailure === null ? '' : `When it fails, ${step.onFailure} runs instead.`,
    step.substituteOf === null ? '' : `Runs only when ${step.substituteOf} fails.`,
  ].filter((line) => line !== '');
}

const kinds: { readonly [kind in PlanStep['kind']]: string } = {
  agent: 'An agent with tools',
  chat: 'One call of a model',
  classify: 'One choice by a model',
  input: 'A form that a person fills in',
  tool: 'A call of a tool',
  command: 'A command without a shell',
  exec: 'The entry point of a skill',
  skill: 'A skill',
};

function waitsFor({ dependsOn, implied }: PlanStep): string {
  if (dependsOn.length === 0) return 'Waits for no other step.';
  const shown = dependsOn.map((id) => (implied.includes(id) ? `${id} (its output is read)` : id));
  return `Waits for ${shown.join(', ')}.`;
}

export function describeWholePlan({ steps, risk, needs, parallel }: Plan): readonly string[] {
  return [
    `${steps.length} steps, ${parallel} at a time.`,
    `Computed risk: ${risk.computed}${risk.reasons.length === 0 ? '.' : `: ${risk.reasons.slice(0, 4).join('; ')}.`}`,
    risk.capabilities.length === 0 ? '' : `What the steps can do: ${risk.capabilities.join(', ')}.`,
    needs.tools.length === 0 ? '' : `Tools: ${needs.tools.join(', ')}.`,
    needs.skills.length === 0 ? '' : `Skills: ${needs.skills.join(', ')}.`,
  ].filter((line) => line !== '');
}
