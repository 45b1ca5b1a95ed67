import { describe, expect, it } from 'vitest';
import { chat, compileSkill, composition } from '../../test/support/plan-texts.ts';
import { layoutPlan } from './layout.ts';
import type { Plan } from './plan.ts';
import { renderPlanText } from './render-text.ts';

const planOf = (steps: string, more = ''): Plan =>
  compileSkill(composition(steps, `metadata: {techne: {risk: high}}\n${more}`)).plan as Plan;
const many = (count: number): Plan =>
  planOf(Array.from({ length: count }, (_, index) => chat(`step_number_${index}`)).join(''));

describe('renderPlanText', () => {
  it('says how many steps run beside each other, without their substitutes', () => {
    expect(
      renderPlanText(planOf(chat('a', 'on_failure: c') + chat('b', 'depends_on: [a]') + chat('c'))),
    ).not.toContain('parallel');
    expect(renderPlanText(many(4))).toContain('1  (4 in parallel)');
    expect(renderPlanText(many(30))).toContain('1  (30 steps, 4 at a time)');
  });

  it('shows what each route depends on', () => {
    const text = renderPlanText(
      planOf(
        `${chat('sort')}- {id: act, skill: helper-b, depends_on: [sort], route: [{when: "'A' in outputs.sort", to: helper-a}, {when: "'B' in outputs.sort", to: helper-b}]}`,
      ),
    );
    expect(
      text
        .slice(text.indexOf('   act'))
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      'act   agent helper-a or helper-b',
      'after sort',
      "helper-a when 'A' in outputs.sort",
      "helper-b when 'B' in outputs.sort",
      'otherwise helper-b',
      '',
    ]);
  });
});

describe('layoutPlan', () => {
  it('continues on the next line where a row would be too wide', () => {
    const { width, boxes } = layoutPlan(many(30));
    expect(width).toBeLessThanOrEqual(1640);
    expect(new Set(boxes.map(({ y }) => y)).size).toBeGreaterThan(1);
    const overlap = boxes.some((one, index) =>
      boxes.some(
        (other, at) =>
          at > index &&
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
    );
    expect(overlap).toBe(false);
  });
});
