// No line of a picture of a plan goes through a box that it does not belong to: on fixed plans, on all public
// compositions and on random graphs. The picture itself is looked at, not what it is made from.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../src/plan/plan.ts';
import { renderPlanSvg } from '../src/plan/render-svg.ts';
import { chat, compileSkill, composition } from './support/plan-texts.ts';
import { skipUnless } from './support/skip-unless.ts';

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Point = readonly [number, number];

const rectPattern = /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx/g;

function boxesOf(svg: string): readonly Rect[] {
  return [...svg.matchAll(rectPattern)].map(([, ...numbers]) => {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
    return { x, y, width, height };
  });
}

/** The paths between boxes, as many points each. */
function linesOf(svg: string): readonly (readonly Point[])[] {
  return [...svg.matchAll(/<path d="([^"]+)" fill="none"/g)].map(([, d = '']) => pointsOf(d));
}

function pointsOf(d: string): readonly Point[] {
  const points: Point[] = [];
  for (const [, command, rest = ''] of d.matchAll(/([MLCVH])([^MLCVH]*)/g)) {
    const numbers = rest
      .split(/[ ,]+/)
      .filter((one) => one !== '')
      .map(Number) as [number, number];
    const [x0, y0] = points.at(-1) ?? [0, 0];
    if (command === 'M') points.push([numbers[0], numbers[1]]);
    else if (command === 'V') points.push(...straight([x0, y0], [x0, numbers[0]]));
    else if (command === 'H') points.push(...straight([x0, y0], [numbers[0], y0]));
    else if (command === 'L') points.push(...straight([x0, y0], [numbers[0], numbers[1]]));
    else points.push(...curve([x0, y0], numbers as unknown as readonly number[]));
  }
  return points;
}

const steps = 12;

function straight([x1, y1]: Point, [x2, y2]: Point): Point[] {
  return Array.from({ length: steps }, (_, at) => {
    const t = (at + 1) / steps;
    return [x1 + (x2 - x1) * t, y1 + (y2 - y1) * t] as const;
  });
}

function curve(
  [x0, y0]: Point,
  [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0]: readonly number[],
): Point[] {
  return Array.from({ length: steps }, (_, at) => {
    const t = (at + 1) / steps;
    const mix = (a: number, b: number, c: number, d: number): number =>
      (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
    return [mix(x0, x1, x2, x3), mix(y0, y1, y2, y3)] as const;
  });
}

/** The boxes that a point may lie in, by how far down it is. */
function near(boxes: readonly Rect[]): (point: Point) => readonly Rect[] {
  const bands = new Map<number, Rect[]>();
  for (const box of boxes)
    for (let band = Math.floor(box.y / 50); band <= (box.y + box.height) / 50; band += 1)
      bands.set(band, [...(bands.get(band) ?? []), box]);
  return ([, y]) => bands.get(Math.floor(y / 50)) ?? [];
}

const isIn = ([x, y]: Point, box: Rect): boolean =>
  x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;

/** How many lines go through a box; and what else is wrong with the picture. */
function faultsOf(plan: Plan): readonly string[] {
  const svg = renderPlanSvg(plan);
  const [boxes, lines] = [boxesOf(svg), linesOf(svg)];
  const around = near(boxes);
  const [, width = 0, height = 0] = /width="(\d+)" height="(\d+)"/.exec(svg)?.map(Number) ?? [];
  const edges = plan.steps.reduce(
    (sum, step) => sum + step.dependsOn.length + (step.substituteOf === null ? 0 : 1),
    0,
  );
  const touches = ([x, y]: Point, box: Rect, side: 'top' | 'bottom'): boolean =>
    x > box.x && x < box.x + box.width && Math.abs(y - (side === 'top' ? box.y : box.y + box.height)) <= 3;
  return [
    ...(boxes.length === plan.steps.length ? [] : [`${boxes.length} boxes`]),
    ...(lines.length === edges ? [] : [`${lines.length} lines for ${edges} edges`]),
    ...lines.flatMap((points, at) => [
      ...(points.some((point) => around(point).some((box) => isIn(point, box)))
        ? [`line ${at} goes through a box`]
        : []),
      ...(boxes.some((box) => touches(points[0] as Point, box, 'bottom'))
        ? []
        : [`line ${at} begins nowhere`]),
      ...(boxes.some((box) => touches(points.at(-1) as Point, box, 'top'))
        ? []
        : [`line ${at} ends nowhere`]),
      ...(points.every(([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height)
        ? []
        : [`line ${at} leaves the picture`]),
    ]),
    ...boxes.flatMap((a, at) =>
      boxes
        .slice(at + 1)
        .some(
          (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
        )
        ? [`box ${at} lies on another`]
        : [],
    ),
  ];
}

const planOf = (text: string): Plan => compileSkill(text).plan as Plan;

describe('the lines of a plan', () => {
  it('go around boxes that lie between two steps', () => {
    const plan = planOf(
      composition(
        chat('a') +
          chat('b', 'depends_on: [a]') +
          chat('c', 'depends_on: [b]') +
          chat('d', 'depends_on: [a, b, c]') +
          chat('e', 'depends_on: [a, d]\non_failure: f') +
          chat('f'),
      ),
    );
    expect(faultsOf(plan)).toEqual([]);
  });

  it('go around the lines of a level that is too wide for one', () => {
    const many = Array.from({ length: 30 }, (_, at) => chat(`step_number_${at}`, 'depends_on: [first]')).join(
      '',
    );
    const last = chat(
      'last',
      `depends_on: [first, ${Array.from({ length: 30 }, (_, at) => `step_number_${at}`).join(', ')}]`,
    );
    expect(faultsOf(planOf(composition(chat('first') + many + last)))).toEqual([]);
  });

  it('go around boxes in any graph', () => {
    const graph = fc.integer({ min: 2, max: 14 }).chain((size) =>
      fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 30 }).map((pairs) => ({
        size,
        edges: pairs.filter(([from, to]) => from < to),
      })),
    );
    fc.assert(
      fc.property(graph, ({ size, edges }) => {
        const text = Array.from({ length: size }, (_, at) => {
          const from = [
            ...new Set(
              edges.filter(([, to]) => to === at).map(([one]) => `s${one}${'x'.repeat((one * 7) % 30)}`),
            ),
          ];
          return chat(`s${at}${'x'.repeat((at * 7) % 30)}`, `depends_on: [${from.join(', ')}]`);
        }).join('');
        expect(faultsOf(planOf(composition(text)))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('go down beside all boxes where there would be too many between them', () => {
    const size = 56;
    const text = Array.from({ length: size }, (_, at) =>
      chat(`s${at}`, `depends_on: [${Array.from({ length: at }, (_one, from) => `s${from}`).join(', ')}]`),
    ).join('');
    expect(faultsOf(planOf(composition(text)))).toEqual([]);
  });

  it('make a picture of a bounded size, whatever the plan', () => {
    const size = 600;
    const text = Array.from({ length: size }, (_, at) =>
      chat(
        `s${at}`,
        at === 0
          ? ''
          : at < size - 1
            ? `depends_on: [s${at - 1}, s0]`
            : `depends_on: [${Array.from({ length: at }, (_one, from) => `s${from}`).join(', ')}]`,
      ),
    ).join('');
    expect(renderPlanSvg(planOf(composition(text))).length).toBeLessThan(3_000_000);
  });

  const folder = fileURLToPath(new URL('../../shared/compat/compositions/', import.meta.url));
  it.skipIf(skipUnless(existsSync(folder), 'the compositions at ../shared/compat are not here'))(
    'go around boxes in all public compositions',
    () => {
      const plans = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('SKILL.md'))
        .map((path) => ({ path, plan: compileSkill(readFileSync(`${folder}${path}`, 'utf8')).plan }));
      expect(plans.filter(({ plan }) => plan !== null).length).toBeGreaterThan(20);
      expect(
        plans.flatMap(({ path, plan }) =>
          plan === null ? [] : faultsOf(plan).map((fault) => `${path}: ${fault}`),
        ),
      ).toEqual([]);
    },
  );
});
