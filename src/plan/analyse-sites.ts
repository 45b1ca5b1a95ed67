// Every template and expression of a plan -> what it reads, what is wrong with it, and what is unsafe about it.
//
// Nothing is evaluated: the tree is walked with what is known of each value (taint/abstract-value.ts). The templates
// of a step see only what that step will see when it runs.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { Span } from '../base/span.ts';
import type { Site, StepDraft } from './draft.ts';
import { failingCode } from './draft.ts';
import type { ParsedSite } from './parse-site.ts';
import { parseSite } from './parse-site.ts';
import type { Abstract } from './taint/abstract-value.ts';
import { clean } from './taint/abstract-value.ts';
import type { Names, Watcher } from './taint/evaluate.ts';
import { evaluateAbstract } from './taint/evaluate.ts';
import { join } from './taint/join-values.ts';
import type { TaintFinding } from './taint/judge.ts';
import { judgeTaint } from './taint/judge.ts';
import type { Piece } from './taint/written-piece.ts';
import { textOfPieces } from './taint/written-piece.ts';
import { runTemplate } from './taint/run-template.ts';
import { itemOf } from './taint/sequence.ts';
import type { StepReference, ScopeParts } from './taint/step-scope.ts';
import { stepScope } from './taint/step-scope.ts';

export interface SiteFinding extends TaintFinding {
  /** In the file. */
  readonly span: Span;
  readonly site: ParsedSite;
  /** Whether the message names the place itself. */
  readonly named?: true;
}

interface AnalysedSite {
  readonly parsed: ParsedSite;
  readonly pieces: readonly Piece[];
  /** What is known of the value it gives. */
  readonly value: Abstract;
}

export interface StepAnalysis {
  readonly owner: string;
  readonly draft: StepDraft | null;
  /** At their places in the file. */
  readonly references: readonly StepReference[];
  readonly sites: readonly AnalysedSite[];
  readonly findings: readonly SiteFinding[];
}

export interface AnalysisParts extends Omit<ScopeParts, 'note'> {
  readonly text: string;
  readonly report: Report;
  /** Whether what is unsafe is looked for, besides what is wrong. */
  readonly lints: boolean;
}

export function ownerOf(draft: StepDraft): string {
  return `step "${printableLine(draft.step.id).slice(0, 60)}"`;
}

export function analyseStep(draft: StepDraft, parts: AnalysisParts): StepAnalysis {
  return analyse(ownerOf(draft), draft, draft.sites, parts, (names) => loopNames(draft, names, parts));
}

/** Sites that belong to no step: the output template, the paths of artifacts. */
export function analyseLoose(
  owner: string,
  sites: readonly Site[],
  parts: AnalysisParts,
  more: ReadonlyMap<string, Abstract> = new Map(),
): StepAnalysis {
  return analyse(owner, null, sites, parts, (names) => ({
    look: (name, access) => more.get(name) ?? names.look(name, access),
  }));
}

function analyse(
  owner: string,
  draft: StepDraft | null,
  sites: readonly Site[],
  parts: AnalysisParts,
  seenBy: (names: Names, site: Site) => Names,
): StepAnalysis {
  const references: StepReference[] = [];
  const analysed: AnalysedSite[] = [];
  const findings: SiteFinding[] = [];
  // One scope for all sites of the step: what is read is noted where it is read.
  let note: (reference: StepReference) => void = () => undefined;
  const scope = stepScope({ ...parts, note: (reference) => note(reference) }, draft);
  for (const site of sites) {
    const parsed = parseSite(parts.text, owner, site, parts.report);
    if (parsed === null) continue;
    const place = placeIn(parsed);
    const guards = guardsIn(parsed);
    note = (reference) => {
      const path = [containers[reference.kind], reference.name];
      references.push({
        ...reference,
        ...place(reference),
        guarded: reference.guarded || guards.has(path.join('.')) || isWholeCondition(parsed, reference),
      });
    };
    const names = seenBy(scope, site);
    const watch = watcherFor(owner, parsed, guards, parts, draft);
    const pieces = piecesOf(parsed, names, watch);
    analysed.push({ parsed, pieces, value: valueOf(pieces) });
    checkConstant(owner, parsed, pieces, parts.report);
    if (!parts.lints) continue;
    for (const finding of judgeTaint(pieces, site.sink, site.guarded === true))
      findings.push({ ...finding, span: place(finding), site: parsed });
  }
  return { owner, draft, references, sites: analysed, findings };
}

/** How a template names what it asks for with `is defined`. */
const containers = {
  step: 'outputs',
  field: 'collected',
  input: 'inputs',
  optional: 'inputs',
  error: 'errors',
};

const conditions = /(?:^|\.)(?:when|condition|skip_if)$/;

/** A value that does not exist counts as false if it is the whole condition. */
function isWholeCondition({ site, expression }: ParsedSite, { kind, start, end }: StepReference): boolean {
  return (
    kind !== 'step' &&
    expression !== null &&
    conditions.test(site.label) &&
    expression.start === start &&
    expression.end === end
  );
}

/** A condition that does not depend on anything. */
function checkConstant(
  owner: string,
  { site, expression }: ParsedSite,
  [piece]: readonly Piece[],
  report: Report,
): void {
  if (expression === null || piece?.value.constant === undefined || !conditions.test(site.label)) return;
  const holds = Boolean(piece.value.constant);
  if (site.label.endsWith('skip_if')) {
    if (holds)
      report(
        'PLAN_UNREACHABLE',
        site.node.span,
        `${owner}: ${site.label} is always true, so nothing is ever asked`,
      );
  } else if (!holds)
    report('PLAN_UNREACHABLE', site.node.span, `${owner}: ${site.label} is never true, so it has no effect`);
}

function placeIn({ site, places }: ParsedSite): (at: Span) => Span {
  return ({ start, end }) => places.span({ start: start + site.offset, end: end + site.offset });
}

function piecesOf({ body, expression }: ParsedSite, names: Names, watch: Watcher): readonly Piece[] {
  if (body !== null) return runTemplate(body, names, watch);
  if (expression === null) return [];
  return [
    {
      value: evaluateAbstract(expression, names, watch),
      start: expression.start,
      end: expression.end,
      isOutput: false,
      certain: true,
      repeated: false,
      lone: true,
    },
  ];
}

/** A lone `{{ … }}` gives the value itself, anything else a text. */
function valueOf(pieces: readonly Piece[]): Abstract {
  const [only] = pieces;
  return only?.lone === true ? only.value : textOfPieces(pieces);
}

/** The item of for_each, by its name, and `loop`. */
function loopNames(draft: StepDraft, names: Names, parts: AnalysisParts): Names {
  const {
    step: { forEach },
    sites,
  } = draft;
  if (forEach === null) return names;
  // What the list itself reads is recorded at the list, not where its items are read.
  const unnoted = stepScope({ ...parts, note: () => undefined }, draft);
  const item =
    forEach.items === null ? itemOfList(sites, unnoted, parts) : itemOfExpression(sites, unnoted, parts);
  return {
    look: (name, access) => (name === forEach.as ? item : name === 'loop' ? clean : names.look(name, access)),
  };
}

const quiet: Watcher = {
  unknownName: () => undefined,
  neverEqual: () => undefined,
  noMember: () => undefined,
};

function itemOfExpression(sites: readonly Site[], names: Names, { text }: AnalysisParts): Abstract {
  const site = sites.find(
    ({ kind, label }) => kind === 'expression' && (label === 'for_each' || label === 'items'),
  );
  const expression =
    site === undefined ? null : (parseSite(text, '', site, () => undefined)?.expression ?? null);
  if (expression === null) return clean;
  // A text is not iterated character by character here: for_each refuses it.
  return itemOf(evaluateAbstract(expression, names, quiet));
}

function itemOfList(sites: readonly Site[], names: Names, { text }: AnalysisParts): Abstract {
  const values = sites
    .filter(({ kind, label }) => kind === 'template' && /^(?:for_each|items)\b/.test(label))
    .map((site) => parseSite(text, '', site, () => undefined))
    .map((parsed) => (parsed === null ? clean : valueOf(piecesOf(parsed, names, quiet))));
  return join(values);
}

/** Paths that the template itself asks for with `is defined` or `in`, as `outputs.a`. */
function guardsIn({ body, expression }: ParsedSite): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(walk);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const one = node as {
      readonly kind?: string;
      readonly name?: string;
      readonly input?: unknown;
      readonly first?: unknown;
      readonly rest?: readonly { readonly operator: string; readonly operand: unknown }[];
    };
    if (one.kind === 'test' && (one.name === 'defined' || one.name === 'undefined'))
      addPath(one.input, found);
    if (one.kind === 'comparison' && one.rest?.[0]?.operator === 'in') {
      const key = (one.first as { readonly value?: unknown }).value;
      const path = pathOf(one.rest[0].operand);
      if (typeof key === 'string' && path !== null) found.add([...path.slice(-1), key].join('.'));
    }
    Object.values(node).forEach(walk);
  };
  walk(body ?? expression);
  return found;
}

function addPath(node: unknown, found: Set<string>): void {
  const path = pathOf(node);
  if (path === null) return;
  found.add(path.join('.'));
  if (path.length >= 2) found.add(path.slice(-2).join('.'));
}

function pathOf(node: unknown): readonly string[] | null {
  const one = node as {
    readonly kind?: string;
    readonly name?: string;
    readonly object?: unknown;
    readonly index?: { readonly value?: unknown };
  };
  if (one.kind === 'name') return [one.name as string];
  const inner = one.kind === 'attribute' || one.kind === 'item' ? pathOf(one.object) : null;
  if (inner === null) return null;
  if (one.kind === 'attribute') return [...inner, one.name as string];
  return typeof one.index?.value === 'string' ? [...inner, one.index.value] : null;
}

/** What an author may have taken for one name: `helper-a` is a subtraction to a template. */
function wordAround(text: string, start: number, end: number): Span & { readonly text: string } {
  let [from, to] = [start, end];
  while (from > 0 && /[\w-]/.test(text.charAt(from - 1))) from -= 1;
  while (to < text.length && /[\w-]/.test(text.charAt(to))) to += 1;
  return { start: from, end: to, text: text.slice(from, to) };
}

function watcherFor(
  owner: string,
  parsed: ParsedSite,
  guards: ReadonlySet<string>,
  { report, graph, inputs, variables, form }: AnalysisParts,
  draft: StepDraft | null,
): Watcher {
  const place = placeIn(parsed);
  const { label } = parsed.site;
  const said = new Set<string>();
  return {
    unknownName: (name, start, end, guarded) => {
      const word = wordAround(parsed.site.text, start, end);
      const isStep = word.text !== name && graph.drafts.has(word.text);
      const [key, at] = isStep ? [word.text, word.start] : [name, start];
      if (guarded || guards.has(name) || said.has(`${at} ${key}`)) return;
      said.add(`${at} ${key}`);
      if (isStep)
        report(
          'PLAN_REFERENCE',
          place({ start: word.start, end: word.end }),
          `${owner}: ${label}: "${printableLine(key)}" is a subtraction here, not the name of a step`,
          `write outputs['${printableLine(key)}'], or give the step an id without "-"`,
        );
      else
        report(
          'PLAN_REFERENCE',
          place({ start, end }),
          `${owner}: ${label}: nothing is named "${printableLine(name)}"`,
          hintFor(name),
        );
    },
    neverEqual: (choices, text, start, end) => {
      const near = nearest(text, choices);
      report(
        'PLAN_UNREACHABLE',
        place({ start, end }),
        `${owner}: ${label}: "${printableLine(text).slice(0, 60)}" is never the answer: the choices are ${choices.map(printableLine).join(', ')}`,
        near === null ? undefined : `did you mean "${near}"?`,
      );
    },
    noMember: (name, start, end, guarded) => {
      const { expression, site } = parsed;
      // As a whole condition it counts as false.
      const isWhole = expression !== null && expression.start === start && expression.end === end;
      if (guarded || isWhole || said.has(`${start} .${name}`)) return;
      said.add(`${start} .${name}`);
      const isChoice = /\{%|\b(?:if|and|or)\b/.test(site.text);
      report(
        isChoice ? 'PLAN_STEP_MAY_FAIL' : failingCode(draft?.step ?? null),
        place({ start, end }),
        `${owner}: ${label}: "${printableLine(site.text.slice(start, end)).slice(0, 80)}" is read, but the value before ".${printableLine(name).slice(0, 40)}" is a text`,
        'give the step that makes it an output_schema; its output is then data',
      );
    },
  };

  function hintFor(name: string): string {
    if (owner === 'entrypoint') return `write with.${name}`;
    if (graph.drafts.has(name)) return `write outputs.${name}`;
    if (inputs.some(({ key }) => key === name) || variables.includes(name) || name === 'user_message')
      return `write inputs.${name}`;
    if (name === 'input') return form === 'composition' ? 'write inputs.user_message' : 'write inputs.<key>';
    if (name === 'steps') return 'write outputs.<id>';
    if (name === 'error') return 'only a substitute has an error; another step can read errors.<id>';
    const near = nearest(name, ['inputs', 'outputs', ...graph.ids]);
    if (near !== null) return `did you mean "${near}"?`;
    return 'templates see inputs and outputs';
  }
}
