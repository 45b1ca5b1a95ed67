// A plan as a self-contained SVG picture: no script, no font, no external style sheet.
//
// Every text from the skill is escaped, and its control and invisible characters are shown.
import type { Box, Line, EdgeStretch } from './layout.ts';
import { layoutPlan } from './layout.ts';
import type { Plan, StepKind } from './plan.ts';

const fills: { readonly [kind in StepKind]: string } = {
  agent: '#e8f0fe',
  chat: '#e6f4ea',
  classify: '#fef7e0',
  input: '#fce8e6',
  tool: '#f3e8fd',
  command: '#f1d9d5',
  exec: '#f3e8fd',
  skill: '#e8f0fe',
};

export function renderPlanSvg(plan: Plan): string {
  const { boxes, lines, width, height } = layoutPlan(plan);
  const final = plan.finalText.mode === 'step' ? plan.finalText.step : null;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(`The steps of ${plan.name}`)}">`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#5f6368"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...lines.map(drawLine),
    ...boxes.map((box) => drawBox(box, box.step.id === final)),
    '</svg>',
    '',
  ].join('\n');
}

function drawLine({ stretches, kind }: Line): string {
  const [first, ...others] = stretches as [EdgeStretch, ...EdgeStretch[]];
  const path = [`M${first.x},${first.top}`];
  let at = first;
  for (const next of others) {
    const middle = (at.bottom + next.top) / 2;
    if (at.bottom > at.top) path.push(`V${at.bottom}`);
    path.push(
      at.x === next.x ? `V${next.top}` : `C${at.x},${middle} ${next.x},${middle} ${next.x},${next.top}`,
    );
    at = next;
  }
  const dash =
    kind === 'declared' ? '' : kind === 'implied' ? ' stroke-dasharray="2 3"' : ' stroke-dasharray="6 4"';
  const colour = kind === 'substitute' ? '#c5221f' : '#5f6368';
  return `<path d="${path.join(' ')}" fill="none" stroke="${colour}"${dash} marker-end="url(#arrow)"/>`;
}

function drawBox({ step, lines, x, y, width, height }: Box, isFinal: boolean): string {
  const dash = step.substituteOf === null ? '' : ' stroke-dasharray="6 4"';
  const texts = lines.map((line, index) => {
    const weight = index === 0 ? ' font-weight="bold"' : index > 1 ? ' font-style="italic"' : '';
    return `<text x="${x + 10}" y="${y + 20 + index * 16}"${weight}>${escape(line)}</text>`;
  });
  return [
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="11.5" fill="#202124">`,
    `<title>${escape(step.label === '' ? step.id : step.label)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${fills[step.kind]}" stroke="#5f6368" stroke-width="${isFinal ? 3 : 1}"${dash}/>`,
    ...texts,
    '</g>',
  ].join('');
}

const entities: { readonly [unit: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text
    .replace(
      /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replace(/[&<>"']/g, (unit) => entities[unit] as string);
}
