// A plan as a Mermaid flowchart.
//
// Every text from the skill is quoted, and characters with a meaning in Mermaid or HTML are written as entities.
import { describeAction, describeRules, shorten } from './describe-step.ts';
import type { Plan, StepKind } from './plan.ts';

const shapes: { readonly [kind in StepKind]: readonly [string, string] } = {
  agent: ['[', ']'],
  chat: ['(', ')'],
  classify: ['{{', '}}'],
  input: ['[/', '/]'],
  tool: ['[[', ']]'],
  command: ['[[', ']]'],
  exec: ['[[', ']]'],
  skill: ['[', ']'],
};

export function renderPlanMermaid({ name, steps, finalText }: Plan): string {
  const node = new Map(steps.map(({ id }, index) => [id, `s${index}`]));
  const lines = ['---', `title: ${JSON.stringify(entities(shorten(name, 80)))}`, '---', 'flowchart TD'];
  for (const step of steps) {
    const [open, close] = shapes[step.kind];
    const text = [
      `<b>${entities(shorten(step.id, 40))}</b>`,
      entities(describeAction(step, 48)),
      ...describeRules(step)
        .slice(0, 3)
        .map((rule) => `<i>${entities(shorten(rule, 60))}</i>`),
    ].join('<br/>');
    lines.push(`  ${node.get(step.id)}${open}"${text}"${close}`);
  }
  for (const step of steps) {
    for (const id of step.dependsOn)
      lines.push(`  ${node.get(id)} ${step.implied.includes(id) ? '-.->' : '-->'} ${node.get(step.id)}`);
    if (step.onFailure !== null)
      lines.push(`  ${node.get(step.id)} -. on failure .-> ${node.get(step.onFailure)}`);
  }
  if (finalText.mode === 'step') lines.push(`  style ${node.get(finalText.step)} stroke-width:3px`);
  return `${lines.join('\n')}\n`;
}

function entities(text: string): string {
  return text.replace(/[&<>"'`#;{}[\]()|\\]/g, (unit) => `#${unit.charCodeAt(0)};`);
}
