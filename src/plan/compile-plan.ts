// A skill of an executable form -> its plan, or everything that is wrong with it.
//
//   frontmatter -> readSteps -> checkGraph -> analyseStep -> checkReferences -> checkWorld, assessRisk -> Plan
//
// All faults are reported together, and there is a plan only when none of them is an error. Taint and understated risk
// are warnings here; `strict` makes them errors, under codes of their own. A template that reads something that does
// not exist gets only that diagnostic: its taint is not checked yet.
import type { DiagnosticCode } from '../base/codes.ts';
import { severityOf } from '../base/codes.ts';
import type { Report } from '../base/diagnostic.ts';
import { printableLine } from '../base/printable.ts';
import type { Span } from '../base/span.ts';
import type { Frontmatter } from '../skill/frontmatter/read-frontmatter.ts';
import { scopeFault, scopesOf } from '../skill/tools/tool-scope.ts';
import type { SkillHead } from '../skill/types.ts';
import type { YamlMap } from '../skill/yaml/node.ts';
import { entryOf } from '../skill/yaml/node.ts';
import { vendorKey } from '../skill/fields/field-table.ts';
import type { AnalysisParts, SiteFinding, StepAnalysis } from './analyse-sites.ts';
import { analyseLoose, analyseStep } from './analyse-sites.ts';
import { assessRisk } from './assess-risk.ts';
import { checkExec } from './check-exec.ts';
import { checkCommandLines } from './check-failing.ts';
import { checkGraph } from './check-graph.ts';
import { checkInputs } from './check-inputs.ts';
import { checkReferences } from './check-references.ts';
import { checkScope, filesFault } from './check-scope.ts';
import { checkComposition } from './check-strict.ts';
import { checkSteps, settleParallel } from './check-step.ts';
import { checkNote } from './check-note.ts';
import { checkWorld, needsOf } from './check-world.ts';
import type { Site } from './draft.ts';
import type { Fix } from '../base/fix.ts';
import { byPlace, fixesFor } from './fix.ts';
import { readOutputTemplate } from './output-template.ts';
import type { Plan, PlanForm, PlanInput } from './plan.ts';
import { readOutputContract, readRequestTemplate } from './read-contract.ts';
import { readFinalText, readParallel, readSteps } from './read-steps.ts';
import type { Abstract } from './taint/abstract-value.ts';
import { atom, clean, fromAtom, record } from './taint/abstract-value.ts';
import { readEntrypoint } from './entrypoint.ts';
import { quoteTemplates } from './unquoted.ts';
import type { PlanWorld } from './world.ts';

interface PlanSource {
  readonly head: SkillHead;
  /** Of the whole SKILL.md. */
  readonly frontmatter: Frontmatter;
  readonly world: PlanWorld;
  /** Inputs that the body lists. */
  readonly bodyInputs?: readonly PlanInput[];
  readonly strict?: boolean;
  /** Whether warnings about taint, and corrections, are wanted besides the errors. Default: true. */
  readonly lints?: boolean;
}

export interface CompiledPlan {
  readonly plan: Plan | null;
  /** Mechanical corrections of SKILL.md. */
  readonly fixes: readonly Fix[];
  /** The same of other files of the skill: its output templates. */
  readonly fileFixes: readonly FileFixes[];
  /** Why a step is certain to fail; the plan is there all the same. */
  readonly failing: readonly string[];
}

interface FileFixes {
  /** In the skill's folder. */
  readonly path: string;
  readonly text: string;
  readonly fixes: readonly Fix[];
}

const nothing: CompiledPlan = { plan: null, fixes: [], fileFixes: [], failing: [] };

/** `reportFile`: for faults in another file of the skill, such as its output template. */
export function compilePlan(
  source: PlanSource,
  report: Report,
  reportFile: (path: string) => Report = () => report,
): CompiledPlan {
  const { head, world } = source;
  if (head.form !== 'composition' && head.form !== 'workflow' && head.form !== 'chain') return nothing;
  const form: PlanForm = head.form;
  let failed = false;
  const failing: string[] = [];
  /** References to nothing: their taint is not checked yet. */
  const missing: Span[] = [];
  const counted =
    (to: Report): Report =>
    (code, at, message, hint) => {
      if (code === 'PLAN_STEP_FAILS') failing.push(message);
      else failed ||= severityOf(code) === 'error';
      if (code === 'PLAN_REFERENCE' && at !== null) missing.push(at);
      to(code, at, message, hint);
    };
  const counting = counted(report);
  const read = quotedFrontmatter(source, counting);
  if (read === null) return nothing;
  const { text, map } = read;
  const drafts = readSteps(form, map, counting);
  const graph = checkGraph(drafts, counting);
  checkSteps(form, drafts, counting);
  checkScope(scopesOf(head), drafts, world, counting);
  const lineFixes = checkCommandLines(drafts, counting);
  const inputs = inputsOf(source);
  const variables = head.triggers.flatMap((trigger) => trigger.variables);
  const note = checkNote(
    head,
    [...inputs.map(({ key }) => key), ...variables, 'user_message'],
    entryOf(map, 'x_techne_note')?.value.span ?? null,
    counting,
  );
  const loose: Site[] = [];
  const preflight = readRequestTemplate(entryOf(map, 'request_template')?.value ?? null, counting);
  const outputContract = readOutputContract(entryOf(map, 'output_contract')?.value ?? null, counting, loose);
  const final = form === 'composition' ? readFinalText(map, graph.ids, counting) : 'raw';

  const lints = source.lints ?? true;
  const parts: AnalysisParts = { form, graph, inputs, variables, text, report: counting, lints };
  const analyses: StepAnalysis[] = [
    ...drafts.map((draft) => analyseStep(draft, parts)),
    analyseLoose('output_contract', loose, parts),
  ];
  checkReferences(analyses, graph, form, [...inputs.map(({ key }) => key), ...variables], counting);
  const { output, files } = readOutputTemplate(
    form,
    head,
    world,
    parts,
    entryOf(map, 'output')?.value.span ?? null,
    (path) => counted(reportFile(path)),
  );
  const strict = source.strict === true;
  checkWorld(head.name, form, drafts, world, strict ? strictly(counting) : counting);
  if (strict && form === 'composition') checkComposition(head, map, counting);
  checkInputs(drafts, [...inputs.map(({ key }) => key), ...variables], world, counting);
  const reads = ({ span }: SiteFinding): boolean =>
    missing.some(({ start, end }) => start < span.end && end > span.start);
  const findings = [
    ...analyses.flatMap((analysis) => analysis.findings),
    ...(lints ? analyses.flatMap((analysis) => execFindings(analysis, world)) : []),
  ].filter((finding) => !reads(finding));
  for (const finding of findings)
    reportTaint(finding, ownerIn(analyses, finding), source.strict === true, counting);
  for (const { path, findings: found } of files)
    for (const finding of found)
      reportTaint(finding, 'the output template', source.strict === true, counted(reportFile(path)));

  const { ceiling, ...risk } = assessRisk(
    head,
    drafts,
    world,
    declaredAt(map),
    source.strict === true ? strictly(counting) : counting,
  );
  const fixes = read.whole ? [...fixesFor(text, findings), ...lineFixes, ...read.fixes].sort(byPlace) : [];
  const fileFixes = files
    .map(({ path, text: written, findings: found }) => ({
      path,
      text: written,
      fixes: fixesFor(written, found),
    }))
    .filter((one) => one.fixes.length > 0);
  const parallel = settleParallel(drafts, readParallel(map, counting), counting);
  if (failed) return { plan: null, fixes, fileFixes, failing };
  const plan: Plan = {
    form,
    name: head.name,
    steps: drafts.map(({ step }) => step),
    finalText: final === 'auto' || final === 'raw' ? { mode: final } : { mode: 'step', step: final.name },
    inputs,
    outputContract,
    preflight,
    output,
    ...(note === null ? {} : { note }),
    capabilities: ceiling,
    risk,
    needs: needsOf(drafts),
    parallel,
  };
  return { plan, fixes, fileFixes, failing };
}

/** The entry point of a skill of any form, checked by itself: its command must not contain anything from outside. */
export function checkEntrypoint(source: PlanSource, report: Report): void {
  const read = quotedFrontmatter(source, report);
  const node = read === null ? undefined : entryOf(read.map, 'entrypoint')?.value;
  if (read === null || node === undefined) return;
  const sites: Site[] = [];
  const entrypoint = readEntrypoint(node, report, sites);
  const scopes = scopesOf(source.head);
  const outside = scopeFault(scopes, { tool: 'command' });
  const files = outside === null ? filesFault(scopes, entrypoint) : null;
  if (outside !== null)
    report(
      'ENTRYPOINT_SCOPE',
      node.span,
      `the entry point is a command, and ${outside}`,
      'name Bash in allowed-tools (or tools), with the command as its limit',
    );
  if (files !== null)
    report(
      'ENTRYPOINT_SCOPE',
      node.span,
      files,
      'name Write in allowed-tools (or tools), with the file as its limit, or leave out assemble',
    );
  const graph = { ids: [], drafts: new Map(), before: new Map() };
  const given = record(atom('given', 'with'), (key) => fromAtom(atom('given', `with.${key}`)));
  const more = new Map<string, Abstract>([
    ['with', given],
    ['baseDir', clean],
    ['base_dir', clean],
  ]);
  const analysis = analyseLoose(
    'entrypoint',
    sites,
    { form: 'composition', graph, inputs: [], variables: [], text: read.text, report, lints: true },
    more,
  );
  for (const { kind, name, guarded, start, end } of analysis.references) {
    const [path, shown] = [
      kind === 'step' ? 'outputs' : kind === 'field' ? 'inputs.collected' : 'inputs',
      printableLine(name).slice(0, 60),
    ];
    if (!guarded)
      report(
        'PLAN_REFERENCE_DOUBTFUL',
        { start, end },
        `entrypoint: ${path}.${shown} belongs to the run that executes the skill, and may be missing`,
        `what the step gives is with.${shown}`,
      );
  }
  for (const finding of analysis.findings)
    reportTaint(finding, analysis.owner, source.strict === true, report);
}

interface QuotedFrontmatter {
  readonly text: string;
  readonly map: YamlMap;
  readonly fixes: readonly Fix[];
  /** It is YAML, or quotes make it so: then it may be corrected. */
  readonly whole: boolean;
}

/** Faults of the YAML were reported when the head was read. */
const breaking: ReadonlySet<DiagnosticCode> = new Set([
  'YAML_SYNTAX',
  'YAML_TOO_DEEP',
  'YAML_TOO_MANY_NODES',
  'YAML_ALIAS',
]);

function quotedFrontmatter({ frontmatter }: PlanSource, report: Report): QuotedFrontmatter | null {
  const { text, parts, map, faults } = frontmatter;
  if (parts === null) return null;
  const repaired = faults.flatMap(([code, at]) => (code === 'YAML_REPAIRED' && at !== null ? [at] : []));
  const whole = !faults.some(([code]) => breaking.has(code));
  const quoted = quoteTemplates(map, text, repaired, report);
  return { text, map: quoted.map, fixes: quoted.fixes, whole: whole && quoted.isFixed };
}

function inputsOf({ head, bodyInputs }: PlanSource): readonly PlanInput[] {
  const declared = head.inputs ?? [];
  return [...declared, ...(bodyInputs ?? []).filter(({ key }) => !declared.some((one) => one.key === key))];
}

function execFindings(analysis: StepAnalysis, world: PlanWorld): readonly SiteFinding[] {
  const step = analysis.draft?.step;
  if (step?.kind !== 'exec') return [];
  return [...new Set([step.skill, ...step.route.map(({ to }) => to)])].flatMap((name) => {
    const facts = name === null ? null : world.skill(name);
    return name === null || facts === null || facts === 'unknown' || facts.entrypoint === null
      ? []
      : checkExec(analysis, name, facts.entrypoint);
  });
}

function ownerIn(analyses: readonly StepAnalysis[], { site }: SiteFinding): string {
  return analyses.find(({ sites }) => sites.some(({ parsed }) => parsed.site === site.site))?.owner ?? '';
}

function reportTaint(finding: SiteFinding, owner: string, strict: boolean, report: Report): void {
  const message =
    finding.named === true
      ? `${owner}: ${finding.message}`
      : `${owner}: ${finding.site.site.label}: ${finding.message}`;
  report(finding.code, finding.span, message, finding.hint);
  if (strict) report('STRICT_TAINT', finding.span, message, finding.hint);
}

function strictly(report: Report): Report {
  return (code, at, message, hint) => {
    report(code, at, message, hint);
    if (code === 'PLAN_SKILL_MISSING') report('STRICT_PLAN', at, message, hint);
    if (code === 'RISK_UNDERSTATED' || code === 'CAPABILITY_UNDECLARED' || code === 'CAPABILITY_UNKNOWN')
      report('STRICT_RISK', at, message, hint);
  };
}

/** Where risk and capabilities are declared, or would be. */
function declaredAt(map: YamlMap): { readonly risk: Span | null; readonly capabilities: Span | null } {
  const metadata = entryOf(map, 'metadata');
  const found: { risk: Span | null; capabilities: Span | null } = { risk: null, capabilities: null };
  for (const vendor of metadata?.value.kind === 'map' ? metadata.value.entries : []) {
    const flat = vendorKey(vendor.key);
    const entries =
      vendor.value.kind === 'map'
        ? vendor.value.entries
        : flat === null
          ? []
          : [{ key: flat.name, value: vendor.value }];
    for (const { key, value } of entries) {
      if (key === 'risk' || key === 'risk_level' || key === 'riskLevel') found.risk ??= value.span;
      if (key === 'capabilities') found.capabilities ??= value.span;
    }
  }
  return {
    risk: found.risk ?? metadata?.keySpan ?? null,
    capabilities: found.capabilities ?? metadata?.keySpan ?? null,
  };
}
