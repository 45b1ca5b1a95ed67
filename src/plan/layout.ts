// Boxes in rows -> the position of each box, and the lines between them.
//
// The same plan gives the same picture on every machine, so widths are counted in cells, not measured. Boxes of a row
// are ordered by the positions of their parents, ties by the document; two passes give readable pictures. A level that
// is wider than a screen continues in the next row. A line that passes a row has a slot of its own there, between the
// boxes, shared by all lines of its step; between rows there is nothing but lines. So none goes through a box. Where
// there would be too many slots, the lines of the steps that need most of them go down beside all boxes.
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

/** A vertical part of a line; curves between the rows join them. */
export interface EdgeStretch {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Line {
  readonly from: Box;
  readonly to: Box;
  readonly kind: 'declared' | 'implied' | 'substitute';
  /** From the box it leaves to the one it reaches, one in each row between them. */
  readonly stretches: readonly EdgeStretch[];
}

interface Layout {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

type SizedBox = Omit<Box, 'x' | 'y'>;

const cell = 7;
const lineHeight = 16;
const padding = 10;
const mostAcross = 1600;
/** Rows that all lines together may pass through slots. */
const mostPassed = 20_000;
const gap = { across: 24, down: 44, edge: 20, slot: 10, arrow: 2 } as const;

export function layoutPlan(plan: Plan): Layout {
  const rows = orderedLevels(plan).flatMap(inLines);
  const rowOf = new Map(rows.flatMap((row, index) => row.map(({ step }) => [step.id, index] as const)));
  const outside = stepsOutside(rows, rowOf);
  const placed = placeInRows(rows, sourcesThrough(rows, rowOf, outside));
  const margin = outside.size === 0 ? gap.edge : 2 * gap.edge;
  const width = margin + placed.reduce((most, row) => Math.max(most, row.width), 0) + gap.edge;
  const boxes = new Map<string, Box>();
  const ends: {
    readonly top: number;
    readonly bottom: number;
    readonly slots: ReadonlyMap<string, number>;
  }[] = [];
  let y: number = gap.edge;
  for (const row of placed) {
    const left = Math.round((width + margin - gap.edge - row.width) / 2);
    for (const { box, x } of row.boxes) boxes.set(box.step.id, { ...box, x: left + x, y });
    const bottom = y + Math.max(...row.boxes.map(({ box }) => box.height));
    ends.push({ top: y, bottom, slots: new Map([...row.slots].map(([id, x]) => [id, left + x])) });
    y = bottom + gap.down;
  }
  const stretchesOf = (from: Box, to: Box): readonly EdgeStretch[] => {
    const [first, last] = [rowOf.get(from.step.id) as number, rowOf.get(to.step.id) as number];
    return [
      { x: middleOf(from), top: from.y + from.height, bottom: ends[first]?.bottom as number },
      ...(outside.has(from.step.id) && last > first + 1
        ? [{ x: gap.edge, top: ends[first + 1]?.top as number, bottom: ends[last - 1]?.bottom as number }]
        : ends.slice(first + 1, last).map(({ top, bottom, slots }) => ({
            x: slots.get(from.step.id) as number,
            top,
            bottom,
          }))),
      { x: middleOf(to), top: to.y - gap.arrow, bottom: to.y - gap.arrow },
    ];
  };
  const lines = plan.steps.flatMap((step) => {
    const to = boxes.get(step.id) as Box;
    return parentsOf(step).map(({ id, kind }): Line => {
      const from = boxes.get(id) as Box;
      return { from, to, kind, stretches: stretchesOf(from, to) };
    });
  });
  return {
    boxes: plan.steps.map(({ id }) => boxes.get(id) as Box),
    lines,
    width,
    height: y - gap.down + gap.edge,
  };
}

interface Parent extends Pick<Line, 'kind'> {
  readonly id: string;
}

function middleOf({ x, width }: Box): number {
  return x + Math.round(width / 2);
}

function parentsOf({ dependsOn, implied, substituteOf }: PlanStep): readonly Parent[] {
  const incoming = dependsOn.map((id) => ({
    id,
    kind: implied.includes(id) ? ('implied' as const) : ('declared' as const),
  }));
  return substituteOf === null ? incoming : [...incoming, { id: substituteOf, kind: 'substitute' as const }];
}

/** Each level in the order of its parents, so that lines cross seldom. */
function orderedLevels(plan: Plan): readonly (readonly SizedBox[])[] {
  const place = new Map<string, number>();
  return levelsOf(plan).map((steps) => {
    const row = sortedBy(steps.map(sized), ({ step }) => mean(parentsOf(step), place));
    for (const [index, { step }] of row.entries()) place.set(step.id, (index + 0.5) / row.length);
    return row;
  });
}

function mean(parents: readonly { readonly id: string }[], place: ReadonlyMap<string, number>): number {
  const found = parents.flatMap(({ id }) => place.get(id) ?? []);
  return found.length === 0 ? 0 : found.reduce((sum, one) => sum + one, 0) / found.length;
}

function sortedBy<T>(items: readonly T[], weightOf: (item: T) => number): readonly T[] {
  return items
    .map((item, index) => ({ item, index, weight: weightOf(item) }))
    .sort((a, b) => a.weight - b.weight || a.index - b.index)
    .map(({ item }) => item);
}

type Rows = readonly (readonly SizedBox[])[];

type RowNumbers = ReadonlyMap<string, number>;

/** The steps whose lines go down beside all boxes, since those of all steps would pass too many rows to be drawn each. */
function stepsOutside(rows: Rows, rowOf: RowNumbers): ReadonlySet<string> {
  const passed = new Map<string, number>();
  for (const [index, row] of rows.entries())
    for (const { step } of row)
      for (const { id } of parentsOf(step))
        passed.set(id, (passed.get(id) ?? 0) + index - (rowOf.get(id) as number) - 1);
  let sum = 0;
  return new Set(
    [...passed]
      .sort(([, a], [, b]) => a - b)
      .flatMap(([id, count]) => ((sum += count) > mostPassed ? [id] : [])),
  );
}

/** For each row, the steps above it that have lines to steps below it. */
function sourcesThrough(
  rows: Rows,
  rowOf: RowNumbers,
  outside: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const through = rows.map(() => new Set<string>());
  for (const [index, row] of rows.entries())
    for (const { step } of row)
      for (const { id } of parentsOf(step).filter((parent) => !outside.has(parent.id)))
        for (let at = (rowOf.get(id) as number) + 1; at < index; at += 1) through[at]?.add(id);
  return through.map((ids) => [...ids]);
}

interface PlacedRow {
  readonly boxes: readonly { readonly box: SizedBox; readonly x: number }[];
  /** The x of the lines of each step that pass through the row. */
  readonly slots: ReadonlyMap<string, number>;
  readonly width: number;
}

/** Boxes, and slots for lines that pass, side by side: each near the things above it that it hangs from. */
function placeInRows(rows: Rows, through: readonly (readonly string[])[]): readonly PlacedRow[] {
  /** How far the last thing of a step lies from the middle of its row. */
  const offset = new Map<string, number>();
  return rows.map((row, index) => {
    const items = sortedBy<SizedBox | string>([...row, ...(through[index] ?? [])], (item) =>
      typeof item === 'string' ? (offset.get(item) ?? 0) : mean(parentsOf(item.step), offset),
    );
    const boxes: { box: SizedBox; x: number }[] = [];
    const slots = new Map<string, number>();
    let x = 0;
    for (const [at, item] of items.entries()) {
      const before = items[at - 1];
      if (before !== undefined)
        x += typeof item === 'string' || typeof before === 'string' ? gap.slot : gap.across;
      if (typeof item === 'string') slots.set(item, x);
      else {
        boxes.push({ box: item, x });
        x += item.width;
      }
    }
    for (const [id, at] of slots) offset.set(id, at - x / 2);
    for (const { box, x: left } of boxes) offset.set(box.step.id, left + box.width / 2 - x / 2);
    return { boxes, slots, width: x };
  });
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

function sized(step: PlanStep): SizedBox {
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
