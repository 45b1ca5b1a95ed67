// A step in a few words, for every drawing of a plan.
import { printableLine } from '../base/printable.ts';
import type { ForEach, Plan, PlanStep, StepKind } from './plan.ts';

export const kindWords: { readonly [kind in StepKind]: string } = {
  agent: 'agent',
  chat: 'chat',
  classify: 'classify',
  input: 'ask a person',
  tool: 'tool',
  command: 'command',
  exec: 'run',
  skill: 'skill',
};

export function shorten(text: string, most: number): string {
  const line = printableLine(text.replace(/\s+/g, ' ').trim());
  const letters = Array.from(line);
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line;
}

/** What it does, as in `agent writer` or `classify BUG | FEATURE`. */
export function describeAction(step: PlanStep, most = 60): string {
  const named = step.tool ?? step.skill;
  if (step.kind === 'classify') return shorten(`classify ${(step.choices ?? []).join(' | ')}`, most);
  if (step.kind === 'input')
    return shorten(
      `ask a person for ${(step.clarify?.fields ?? []).map(({ name }) => name).join(', ')}`,
      most,
    );
  if (step.kind === 'command')
    return shorten(
      `command ${Array.isArray(step.values['argv']) ? (step.values['argv'] as readonly unknown[]).join(' ') : ''}`,
      most,
    );
  const skills = [...new Set([...step.route.map(({ to }) => to), ...(named === null ? [] : [named])])];
  return shorten(`${kindWords[step.kind]} ${skills.join(' or ')}`, most);
}

function describeLoop({ as, items, list, concurrency }: ForEach): string {
  const count = list?.length ?? 0;
  const source = items === null ? `${count} value${count === 1 ? '' : 's'}` : shorten(items.text, 40);
  const atOnce = items === null ? Math.min(count, concurrency) : concurrency;
  return `for each ${as} in ${source}, ${atOnce < 2 ? 'one after the other' : `${atOnce} at once`}`;
}

/** Its conditions, retries and substitutes. */
export function describeRules(step: PlanStep): readonly string[] {
  const rules: string[] = [];
  if (step.when !== null) rules.push(`when ${shorten(step.when.text, 70)}`);
  for (const { when, to } of step.route) rules.push(`${shorten(to, 40)} when ${shorten(when.text, 70)}`);
  if (step.route.length > 0 && step.skill !== null) rules.push(`otherwise ${shorten(step.skill, 40)}`);
  if (step.forEach !== null) rules.push(describeLoop(step.forEach));
  if (step.onFailure !== null) rules.push(`on failure ${shorten(step.onFailure, 40)}`);
  if (step.substituteOf !== null) rules.push(`stands in for ${shorten(step.substituteOf, 40)}`);
  if (step.retry.maxAttempts > 1) rules.push(`${step.retry.maxAttempts} attempts`);
  if (step.timeoutMs !== null)
    rules.push(
      `within ${step.timeoutMs % 1000 === 0 ? `${step.timeoutMs / 1000} s` : `${step.timeoutMs} ms`}`,
    );
  if (step.continueOnError) rules.push('the rest continues without it');
  if (step.model !== null) rules.push(`model ${shorten(step.model, 40)}`);
  return rules;
}

export function describeFinal({ finalText, output }: Plan): string {
  if (output !== null) return `${output.path}${output.refine ? ', refined by a model' : ''}`;
  return finalText.mode === 'step'
    ? `the output of ${shorten(finalText.step, 60)}`
    : finalText.mode === 'raw'
      ? 'the last output'
      : 'a summary of all outputs';
}
