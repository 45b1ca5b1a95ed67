// Random graphs: what a plan says of order is true, and a cycle is never missed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSkill, composition } from '../../test/support/plan-texts.ts';
import { ancestorsOf } from './check-graph.ts';
import { levelsOf } from './levels.ts';
import type { PlanStep } from './plan.ts';

interface Edge {
  readonly from: number;
  readonly to: number;
}

const graph = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    edges: fc.array(fc.record({ from: fc.nat(size - 1), to: fc.nat(size - 1) }), { maxLength: 20 }),
  }),
);

function textOf(size: number, edges: readonly Edge[]): string {
  return composition(
    Array.from({ length: size }, (_, index) => {
      const deps = [...new Set(edges.filter(({ to }) => to === index).map(({ from }) => `s${from}`))];
      return `- id: s${index}\n  kind: llm_chat\n  depends_on: [${deps.join(', ')}]\n  with: {task: x}\n`;
    }).join(''),
  );
}

/** Whether the edges form a cycle, by taking away what waits for nothing. */
function hasCycle(size: number, edges: readonly Edge[]): boolean {
  let left = new Set(Array.from({ length: size }, (_, index) => index));
  for (;;) {
    const free = [...left].filter((node) => !edges.some(({ from, to }) => to === node && left.has(from)));
    if (free.length === 0) return left.size > 0;
    left = new Set([...left].filter((node) => !free.includes(node)));
  }
}

describe('the graph of a plan', () => {
  it('has a plan exactly when it has no cycle', () => {
    fc.assert(
      fc.property(graph, ({ size, edges }) => {
        const { plan, diagnostics } = compileSkill(textOf(size, edges));
        const cycles = diagnostics.filter(({ code }) => code === 'PLAN_CYCLE');
        expect(plan === null).toBe(hasCycle(size, edges));
        expect(cycles.length > 0).toBe(hasCycle(size, edges));
      }),
      { numRuns: 150 },
    );
  });

  it('puts every step below all that it waits for, and no lower than it must be', () => {
    fc.assert(
      fc.property(graph, ({ size, edges }) => {
        const forward = edges.filter(({ from, to }) => from < to);
        const { plan } = compileSkill(textOf(size, forward));
        const levels = levelsOf(plan as { steps: readonly PlanStep[] });
        const level = new Map(levels.flatMap((steps, index) => steps.map(({ id }) => [id, index] as const)));
        expect(level.size).toBe(size);
        for (const step of plan?.steps ?? []) {
          const above = step.dependsOn.map((id) => level.get(id) as number);
          expect(level.get(step.id)).toBe(above.length === 0 ? 0 : Math.max(...above) + 1);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('knows ancestors by every path', () => {
    fc.assert(
      fc.property(graph, ({ size, edges }) => {
        const before = new Map(
          Array.from({ length: size }, (_, index) => [
            `${index}`,
            new Set(edges.filter(({ to }) => to === index).map(({ from }) => `${from}`)),
          ]),
        );
        const found = ancestorsOf('0', before);
        for (const id of found)
          for (const further of before.get(id) ?? []) expect(found.has(further)).toBe(true);
        for (const id of before.get('0') ?? []) expect(found.has(id)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('takes a chain of a thousand', () => {
    const { plan } = compileSkill(
      composition(
        Array.from(
          { length: 1000 },
          (_, index) =>
            `- {id: s${index}, kind: llm_chat, depends_on: [${index === 0 ? '' : `s${index - 1}`}], with: {task: x}}\n`,
        ).join(''),
      ),
    );
    expect(levelsOf(plan as { steps: readonly PlanStep[] })).toHaveLength(1000);
  });
});
