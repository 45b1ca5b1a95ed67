// A SKILL.md in the playground -> its plan as text and as a picture, or everything that is wrong with it. Loads when it is asked for.
import { severityOf } from '../../src/base/codes.ts';
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../src/base/diagnostic.ts';
import { renderDiagnostic } from '../../src/base/render-diagnostic.ts';
import { compilePlan } from '../../src/plan/compile-plan.ts';
import { renderPlanSvg } from '../../src/plan/render-svg.ts';
import { renderPlanText } from '../../src/plan/render-text.ts';
import { emptyWorld } from '../../src/plan/world.ts';
import { parseWholeFrontmatter } from '../../src/skill/frontmatter/read-frontmatter.ts';
import { parseHead } from '../../src/skill/parse-head.ts';
import { parseFull } from '../../src/skill/yaml/bundled-parser.ts';
import type { Outcome } from './evaluate.ts';
import { failed } from './evaluate.ts';

export function evaluatePlan(source: string): Outcome {
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, 'SKILL.md');
  const name = /^name:\s*["']?([\w-]+)/m.exec(source)?.[1] ?? 'playground';
  const context = { folderName: name, entries: [], complete: true, fileBytes: source.length, parseFull };
  const head = parseHead(source, context, report);
  if (head === 'more') return failed('the text is not whole');
  const frontmatter = parseWholeFrontmatter(source, parseFull);
  const { plan } = compilePlan({ head, frontmatter, world: emptyWorld }, report);
  diagnostics.sort(compareDiagnostics);
  const shown = diagnostics.map((one) => renderDiagnostic(one, source));
  const message = diagnostics.find(({ code }) => severityOf(code) === 'error')?.message ?? null;
  if (plan === null) {
    const isPlan = head.form === 'composition' || head.form === 'workflow' || head.form === 'chain';
    const text = isPlan ? 'There is no plan.' : `This skill has the form "${head.form}", which has no plan.`;
    return { ...failed(text), diagnostics: shown, message: message ?? text };
  }
  return {
    ok: message === null,
    text: renderPlanText(plan),
    diagnostics: shown,
    message,
    steps: 0,
    memoryBytes: 0,
    svg: renderPlanSvg(plan),
  };
}
