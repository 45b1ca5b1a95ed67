// Boxes in rows -> the position of each box, and the lines between them.
//
// The same plan gives the same picture on every machine, so widths are counted in cells, not measured. Boxes of a row
// are ordered by the positions of their parents, ties by the document; two passes give readable pictures. A row that
// is wider than a screen continues on the next line.
import { displayWidth } from '../base/cut-text.ts';
import { describeAction, describeRules, shorten } from './describe-step.ts';
import { levelsOf } from './levels.ts';
import type { Plan, PlanStep } from './plan.ts';

export interface Box {
  readonly step: PlanStep;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Line {
  readonly from: Box;
  readonly to: Box;
  readonly kind: 'declared' | 'implied' | 'substitute';
}

interface Layout {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

const cell = 7;
const lineHeight = 16;
const padding = 10;
const mostAcross = 1600;
const gap = { across: 24, down: 44, edge: 20 } as const;

export function layoutPlan(plan: Plan): Layout {
  const rows = levelsOf(plan).map((steps) => steps.map((step) => sized(step)));
  const place = new Map<string, number>();
  const ordered = rows.map((row) => {
    const parents = (box: { readonly step: PlanStep }): number => {
      const found = [
        ...box.step.dependsOn,
        ...(box.step.substituteOf === null ? [] : [box.step.substituteOf]),
      ].flatMap((id) => place.get(id) ?? []);
      return found.length === 0 ? 0 : found.reduce((sum, one) => sum + one, 0) / found.length;
    };
    const sorted = row
      .map((box, index) => ({ box, index, weight: parents(box) }))
      .sort((a, b) => a.weight - b.weight || a.index - b.index)
      .map(({ box }) => box);
    sorted.forEach((box, index) => place.set(box.step.id, (index + 0.5) / sorted.length));
    return sorted;
  });
  const lined = ordered.flatMap(inLines);
  const widths = lined.map(
    (row) => row.reduce((sum, { width }) => sum + width, 0) + gap.across * (row.length - 1),
  );
  const width = Math.max(...widths) + 2 * gap.edge;
  const boxes = new Map<string, Box>();
  let y: number = gap.edge;
  lined.forEach((row, index) => {
    let x = Math.round((width - (widths[index] as number)) / 2);
    const height = Math.max(...row.map((box) => box.height));
    for (const box of row) {
      boxes.set(box.step.id, { ...box, x, y });
      x += box.width + gap.across;
    }
    y += height + gap.down;
  });
  const lines: Line[] = plan.steps.flatMap((step) => {
    const to = boxes.get(step.id) as Box;
    const incoming = step.dependsOn.map((id): Line => ({
      from: boxes.get(id) as Box,
      to,
      kind: step.implied.includes(id) ? 'implied' : 'declared',
    }));
    return step.substituteOf === null
      ? incoming
      : [...incoming, { from: boxes.get(step.substituteOf) as Box, to, kind: 'substitute' as const }];
  });
  return {
    boxes: plan.steps.map(({ id }) => boxes.get(id) as Box),
    lines,
    width,
    height: y - gap.down + gap.edge,
  };
}

/** A row that is too wide continues on the next line. */
function inLines<T extends { readonly width: number }>(row: readonly T[]): readonly (readonly T[])[] {
  const lines: T[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const box of row) {
    if (used + gap.across + box.width > mostAcross) {
      lines.push([]);
      used = -gap.across;
    }
    lines[lines.length - 1]?.push(box);
    used += gap.across + box.width;
  }
  return lines;
}

function sized(step: PlanStep): Omit<Box, 'x' | 'y'> {
  const lines = [
    shorten(step.id, 36),
    describeAction(step, 40),
    ...describeRules(step)
      .slice(0, 3)
      .map((rule) => shorten(rule, 44)),
  ];
  return {
    step,
    lines,
    width: Math.max(...lines.map(displayWidth)) * cell + 2 * padding,
    height: lines.length * lineHeight + 2 * padding - 4,
  };
}
