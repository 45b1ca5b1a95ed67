// A plan as text: when each step can start, what runs beside it, what it needs.
import { displayWidth } from '../base/cut-text.ts';
import { describeAction, describeFinal, describeRules, shorten } from './describe-step.ts';
import { levelsOf } from './levels.ts';
import type { Plan, PlanStep } from './plan.ts';

export function renderPlanText(plan: Plan): string {
  const { risk, needs } = plan;
  const facts: [string, string][] = [
    ['result', describeFinal(plan)],
    ['note', plan.note === undefined ? '' : describeNote(plan.note)],
    [
      'risk',
      `${risk.computed}${risk.declared === null ? ', not declared' : risk.declared === risk.computed ? '' : `, declared ${risk.declared}`}`,
    ],
    ['uses', risk.capabilities.join(', ')],
    [
      'allowed',
      plan.capabilities === null
        ? 'whatever the host allows'
        : plan.capabilities.length === 0
          ? 'nothing beyond thinking and reading'
          : plan.capabilities.join(', '),
    ],
    ['inputs', plan.inputs.map(({ key, required }) => `${key}${required ? '' : ' (optional)'}`).join(', ')],
    ['skills', needs.skills.join(', ')],
    ['tools', needs.tools.join(', ')],
    ['models', needs.models.join(', ')],
    [
      'at once',
      `up to ${plan.parallel} steps${plan.steps.some(({ forEach }) => forEach !== null) ? ' and items of loops' : ''}`,
    ],
  ];
  const lines = [
    `${shorten(plan.name, 80)}: ${plan.form} of ${plan.steps.length} step${plan.steps.length === 1 ? '' : 's'}`,
    '',
  ];
  for (const [name, value] of facts) {
    if (value !== '') lines.push(`${name.padEnd(9)}${shorten(value, 200)}`);
    if (name !== 'risk') continue;
    for (const reason of risk.reasons.slice(0, 5)) lines.push(`${''.padEnd(9)}- ${shorten(reason, 160)}`);
    if (risk.reasons.length > 5) lines.push(`${''.padEnd(9)}- and ${risk.reasons.length - 5} more`);
  }

  const levels = levelsOf(plan);
  const width = Math.min(40, Math.max(...plan.steps.map(({ id }) => displayWidth(shorten(id, 40)))));
  levels.forEach((steps, index) => {
    lines.push('', `${index + 1}${besideEachOther(steps, plan.parallel)}`);
    for (const step of steps) {
      const id = shorten(step.id, 40);
      lines.push(`   ${id}${' '.repeat(Math.max(0, width - displayWidth(id)))}  ${describeAction(step)}`);
      const notes = [
        ...(step.dependsOn.length === 0
          ? []
          : [
              `after ${shorten(step.dependsOn.map((name) => (step.implied.includes(name) ? `${name} (implied)` : name)).join(', '), 120)}`,
            ]),
        ...describeRules(step),
      ];
      for (const note of notes) lines.push(`   ${' '.repeat(width)}    ${note}`);
    }
  });
  return `${lines.join('\n')}\n`;
}

function describeNote({ path, type, existing }: NonNullable<Plan['note']>): string {
  return `writes ${path} (${type}) into the vault; a note that exists is ${existing === 'merge' ? 'added to, never overwritten' : 'left as it is'}`;
}

/** Substitutes do not count: each runs instead of another step. */
function besideEachOther(steps: readonly PlanStep[], parallel: number): string {
  const count = steps.filter(({ substituteOf }) => substituteOf === null).length;
  if (count < 2) return '';
  return count <= parallel ? `  (${count} in parallel)` : `  (${count} steps, ${parallel} at a time)`;
}
