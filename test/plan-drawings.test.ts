// Plans as people see them: golden files of every drawing, and of everything that is wrong with a faulty one.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { renderDiagnostic } from '../src/base/render-diagnostic.ts';
import type { Box } from '../src/plan/layout.ts';
import { layoutPlan } from '../src/plan/layout.ts';
import type { Plan } from '../src/plan/plan.ts';
import { renderPlanMermaid } from '../src/plan/render-mermaid.ts';
import { renderPlanSvg } from '../src/plan/render-svg.ts';
import { renderPlanText } from '../src/plan/render-text.ts';
import { compilePlan } from '../src/plan/compile-plan.ts';
import { nodeFrontmatter } from '../src/node/yaml.ts';
import { collectInto, compareDiagnostics } from '../src/base/diagnostic.ts';
import type { Diagnostic } from '../src/base/diagnostic.ts';
import type { PlanWorld, SkillFacts } from '../src/plan/world.ts';
import { emptyWorld } from '../src/plan/world.ts';
import { chat, compileSkill, composition, headOf } from './support/plan-texts.ts';

const folder = fileURLToPath(new URL('fixtures/plans/', import.meta.url));
const facts: SkillFacts = {
  form: 'workflow',
  entrypoint: null,
  risk: 'medium',
  capabilities: ['filesystem-write'],
  builtin: false,
};

function compile(name: string): {
  readonly plan: Plan | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string;
} {
  const text = readFileSync(`${folder}${name}/SKILL.md`, 'utf8');
  const template = (path: string): string => readFileSync(`${folder}${name}/${path}`, 'utf8');
  const world: PlanWorld = {
    ...emptyWorld,
    skill: (skill) => (skill === 'changelog' || skill === 'reading-note' ? facts : null),
    skillNames: () => ['changelog', 'reading-note'],
    ...(name === 'reading-note' ? { file: template, paths: () => ['assets/template.md'] } : {}),
  };
  const diagnostics: Diagnostic[] = [];
  const { plan } = compilePlan(
    { head: headOf(text, name), frontmatter: nodeFrontmatter(text), world },
    collectInto(diagnostics, `${name}/SKILL.md`),
  );
  return { plan, diagnostics: diagnostics.sort(compareDiagnostics), text };
}

describe.each(['incident-brief', 'reading-note', 'release-chain'])('the plan of %s', (name) => {
  const { plan, diagnostics } = compile(name);

  it('has no fault', () => {
    expect(diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => message)).toEqual(
      [],
    );
  });

  it('is drawn as text, as Mermaid, as a picture and as data', async () => {
    await expect(renderPlanText(plan as Plan)).toMatchFileSnapshot(`golden/plan/${name}.txt`);
    await expect(renderPlanMermaid(plan as Plan)).toMatchFileSnapshot(`golden/plan/${name}.mmd`);
    await expect(renderPlanSvg(plan as Plan)).toMatchFileSnapshot(`golden/plan/${name}.svg`);
    await expect(`${JSON.stringify(plan, null, 2)}\n`).toMatchFileSnapshot(`golden/plan/${name}.json`);
  });
});

describe('a faulty plan', () => {
  it('is told about whole, each fault at its place', async () => {
    const { plan, diagnostics, text } = compile('faulty');
    expect(plan).toBeNull();
    await expect(
      diagnostics.map((one) => `${renderDiagnostic(one, text, { colour: false, width: 120 })}\n`).join(''),
    ).toMatchFileSnapshot('golden/plan/faulty.txt');
  });
});

describe('drawings', () => {
  const nasty = compileSkill(
    composition(
      chat(
        'a<b>&"\'',
        'label: "</text><script>alert(1)</script>"\nwhen: "\'<img>\' in inputs.user_message"',
      ) + chat('"; end\u0007'),
    ),
  ).plan as Plan;

  it('hold nothing of a skill that a reader would act on', () => {
    const svg = renderPlanSvg(nasty);
    expect(svg).not.toMatch(/<script|<img|onload/);
    expect(svg.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
    // oxlint-disable-next-line no-control-regex -- that none is there is the point
    expect(svg + renderPlanMermaid(nasty) + renderPlanText(nasty)).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f]/,
    );
    expect(renderPlanMermaid(nasty)).not.toMatch(/<img|<script|"; end/);
  });

  it('put no box on another, and none outside the picture', () => {
    for (const name of ['incident-brief', 'reading-note', 'release-chain']) {
      const { boxes, width, height } = layoutPlan(compile(name).plan as Plan);
      const apart = (a: Box, b: Box): boolean =>
        a === b ||
        a.x + a.width <= b.x ||
        b.x + b.width <= a.x ||
        a.y + a.height <= b.y ||
        b.y + b.height <= a.y;
      expect(
        boxes.filter(
          (box) =>
            box.x < 0 ||
            box.y < 0 ||
            box.x + box.width > width ||
            box.y + box.height > height ||
            !boxes.every((other) => apart(box, other)),
        ),
      ).toEqual([]);
    }
  });

  it('are well formed', () => {
    const open: string[] = [];
    const closed: [string | undefined, string][] = [];
    for (const [, slash, name, selfClosing] of renderPlanSvg(nasty).matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
      if (slash === '/') closed.push([open.pop(), name as string]);
      else if (selfClosing === '') open.push(name as string);
    }
    expect(closed.filter(([opened, ended]) => opened !== ended)).toEqual([]);
    expect([closed.length > 5, open]).toEqual([true, []]);
  });
});
