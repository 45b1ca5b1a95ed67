// `output` of a workflow or chain -> the template of its result, and its variants.
//
// A variant of assets/template.md is a file beside it: assets/template-short.md is the variant `short`. With `refine:
// true` (or metadata: techne.refine) a model revises the result by the guidelines and the checklist.
import type { Report } from '../base/diagnostic.ts';
import { isJsonObject } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { isSafeRelativePath } from '../skill/resources.ts';
import type { SkillHead } from '../skill/types.ts';
import type { AnalysisParts, SiteFinding } from './analyse-sites.ts';
import { analyseLoose } from './analyse-sites.ts';
import { checkReferences } from './check-references.ts';
import type { Sink, Site } from './draft.ts';
import type { OutputTemplate, PlanForm } from './plan.ts';
import type { PlanWorld } from './world.ts';

interface ReadTemplate {
  readonly output: OutputTemplate | null;
  /** What is unsafe in the template and in its variants, file by file. */
  readonly files: readonly {
    readonly path: string;
    readonly text: string;
    readonly findings: readonly SiteFinding[];
  }[];
}

const none: ReadTemplate = { output: null, files: [] };

export function readOutputTemplate(
  form: PlanForm,
  head: SkillHead,
  world: PlanWorld,
  parts: AnalysisParts,
  at: Span | null,
  reportIn: (path: string) => Report,
): ReadTemplate {
  const path = head.output?.replace(/^(?:\.\/)+/, '') ?? null;
  if (form === 'composition' || path === null || !/^[\w./-]+\.\w+$/.test(path)) return none;
  if (!isSafeRelativePath(path)) {
    parts.report(
      'PLAN_VALUE',
      at,
      `the output template "${path}" is absolute or leaves the skill folder`,
      'use a path inside the folder, such as assets/template.md',
    );
    return none;
  }
  const output: OutputTemplate = { path, variants: variantsOf(path, world.paths()), refine: refines(head) };
  if (world.file(path) === null)
    parts.report(
      'PLAN_OUTPUT_MISSING',
      at,
      `the output template "${path}" does not exist`,
      'add the file, or correct the path',
    );
  const files = [path, ...Object.values(output.variants)].flatMap((file) => {
    const text = world.file(file);
    return text === null || text === undefined
      ? []
      : [
          {
            path: file,
            text,
            findings: findingsIn(file, text, output.refine ? 'prompt' : 'none', parts, reportIn(file)),
          },
        ];
  });
  return { output, files };
}

function refines({ frontmatter }: SkillHead): boolean {
  const metadata = frontmatter['metadata'];
  const { techne, 'techne.refine': flat } = isJsonObject(metadata) ? metadata : {};
  const own = isJsonObject(techne) ? techne['refine'] : flat;
  return (
    frontmatter['refine'] === true ||
    frontmatter['x_techne_refine'] === true ||
    own === true ||
    own === 'true'
  );
}

function variantsOf(path: string, paths: readonly string[]): { readonly [name: string]: string } {
  const dot = path.lastIndexOf('.');
  const [stem, extension] = [path.slice(0, dot), path.slice(dot)];
  const variants = Object.create(null) as { [name: string]: string };
  for (const other of [...paths].sort()) {
    if (!other.startsWith(stem) || !other.endsWith(extension) || other === path) continue;
    const middle = other.slice(stem.length, other.length - extension.length);
    if (/^[-._][\w-]+$/.test(middle)) variants[middle.slice(1)] = other;
  }
  return variants;
}

/** The template sees every step: it is rendered when all are done. */
function findingsIn(
  path: string,
  text: string,
  sink: Sink,
  parts: AnalysisParts,
  report: Report,
): readonly SiteFinding[] {
  const site: Site = {
    kind: 'template',
    label: path,
    node: { kind: 'scalar', value: text, raw: text, style: 'plain', span: { start: 0, end: text.length } },
    text,
    offset: 0,
    sink,
    inLoop: false,
    isFile: true,
  };
  const analysis = analyseLoose('the output template', [site], { ...parts, text, report });
  checkReferences(
    [analysis],
    parts.graph,
    parts.form,
    [...parts.inputs.map(({ key }) => key), ...parts.variables],
    report,
  );
  return analysis.findings.map((finding) => ({ ...finding, named: true }));
}
