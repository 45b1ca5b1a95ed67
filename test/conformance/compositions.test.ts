// Real compositions that nobody here wrote: every one has a plan, the same each time, and what is told of it is known.
// Skipped where the files are not at hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { DiagnosticCode } from '../../src/base/codes.ts';
import { severityOf } from '../../src/base/codes.ts';
import { nodeFrontmatter } from '../../src/node/yaml.ts';
import { compilePlan } from '../../src/plan/compile-plan.ts';
import type { CompiledPlan } from '../../src/plan/compile-plan.ts';
import { entrypointOf } from '../../src/plan/entrypoint.ts';
import { applyFixes } from '../../src/base/fix.ts';
import { levelsOf } from '../../src/plan/levels.ts';
import { renderPlanMermaid } from '../../src/plan/render-mermaid.ts';
import { renderPlanSvg } from '../../src/plan/render-svg.ts';
import { renderPlanText } from '../../src/plan/render-text.ts';
import type { PlanWorld } from '../../src/plan/world.ts';
import { emptyWorld } from '../../src/plan/world.ts';
import type { SkillHead } from '../../src/skill/types.ts';
import { headOf } from '../support/plan-texts.ts';
import { skipUnless } from '../support/skip-unless.ts';

const folder = fileURLToPath(new URL('../../../shared/compat/compositions/', import.meta.url));
const skip = skipUnless(existsSync(folder), 'the compositions at ../shared/compat are not here');

interface Found {
  readonly head: SkillHead;
  readonly text: string;
}

const skills = new Map<string, Found>();
if (!skip) {
  for (const group of ['bundled', 'exp']) {
    for (const name of readdirSync(`${folder}${group}`)) {
      const file = `${folder}${group}/${name}/SKILL.md`;
      if (!existsSync(file)) continue;
      const text = readFileSync(file, 'utf8');
      skills.set(name, { text, head: headOf(text, name) });
    }
  }
}

const world: PlanWorld = {
  ...emptyWorld,
  skillNames: () => skills.keys(),
  skill: (name) => {
    const found = skills.get(name);
    return found === undefined
      ? null
      : {
          form: found.head.form,
          entrypoint: entrypointOf(found.head.frontmatter['entrypoint']),
          risk: found.head.risk,
          capabilities: found.head.capabilities,
          builtin: false,
        };
  },
};

function compile(name: string, text: string): CompiledPlan & { readonly codes: readonly DiagnosticCode[] } {
  const codes: DiagnosticCode[] = [];
  const compiled = compilePlan(
    { head: headOf(text, name), frontmatter: nodeFrontmatter(text), world },
    (code) => codes.push(code),
  );
  return { ...compiled, codes };
}

const compositions = [...skills].filter(([, { head }]) => head.form === 'composition');

describe.skipIf(skip)('the public compositions', () => {
  it('are the 29 that are known', () => {
    expect(compositions).toHaveLength(29);
  });

  it.each(compositions)('%s has a plan and can be drawn', (name, { text }) => {
    const { plan, codes } = compile(name, text);
    expect(codes.filter((code) => severityOf(code) === 'error')).toEqual([]);
    if (plan === null) throw new Error('there is no plan');
    expect(levelsOf(plan).flat()).toHaveLength(plan.steps.length);
    for (const render of [renderPlanText, renderPlanMermaid, renderPlanSvg])
      expect(render(plan)).toBe(render(plan));
    expect(JSON.parse(JSON.stringify(plan))).toEqual(JSON.parse(JSON.stringify(compile(name, text).plan)));
  });

  it.each(compositions)('%s can be corrected once, and then has no such finding', (name, { text }) => {
    const { fixes } = compile(name, text);
    const after = applyFixes(text, fixes);
    const again = compile(name, after);
    expect(again.plan).not.toBeNull();
    expect(again.fixes).toEqual([]);
    expect(after.length - text.length).toBe(fixes.reduce((sum, { insert }) => sum + insert.length, 0));
  });

  it('have these findings', () => {
    const count: { [code: string]: number } = {};
    let tainted = 0;
    for (const [name, { text }] of compositions) {
      const { codes } = compile(name, text);
      for (const code of codes) count[code] = (count[code] ?? 0) + 1;
      if (codes.some((code) => code.startsWith('TAINT_'))) tainted += 1;
    }
    expect(tainted).toBe(18);
    expect(Object.fromEntries(Object.entries(count).sort(([a], [b]) => (a < b ? -1 : 1)))).toEqual({
      CAPABILITY_UNDECLARED: 2,
      PLAN_ENTRYPOINT_MISSING: 7,
      PLAN_FILTER_UNKNOWN: 71,
      PLAN_REFERENCE_ORDER: 1,
      RISK_UNDECLARED: 15,
      RISK_UNDERSTATED: 7,
      TAINT_PROMPT: 73,
      TAINT_TOOL: 59,
    });
  });
});
