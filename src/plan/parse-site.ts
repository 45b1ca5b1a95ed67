// The text of a site -> its tree, with places in the file.
//
// Everything that the compiler would refuse is reported here, before a run. A filter that a host may define itself
// (`isMistaken`) is a warning, and the rest of the text is still checked.
import type { Diagnostic, Report } from '../base/diagnostic.ts';
import type { Expression, Statement } from '../template/syntax/ast.ts';
import { Faults } from '../template/syntax/faults.ts';
import { parseExpressionSource, parseTemplate } from '../template/syntax/parse.ts';
import type { HostFilter } from '../template/template.ts';
import { compileExpression, compileTemplate } from '../template/template.ts';
import type { Site } from './draft.ts';
import type { Places } from './scalar-places.ts';
import { placesOf } from './scalar-places.ts';
import { nearest } from '../base/nearest.ts';
import { filters, refusedFilters } from '../template/filters/filters.ts';

export interface ParsedSite {
  readonly site: Site;
  readonly places: Places;
  /** Of a template. */
  readonly body: readonly Statement[] | null;
  /** Of an expression. */
  readonly expression: Expression | null;
}

/** Of a file that is a template as a whole. */
const samePlaces: Places = { at: (offset) => offset, span: (span) => span, exact: true };
const limits = { maxDepth: 200, maxSourceUnits: 1_000_000 } as const;
const stub: HostFilter = (value) => value;

/** A template whose faults are reported elsewhere: `null` when it cannot be parsed. */
export function parseText(text: string): readonly Statement[] | null {
  return parseTemplate(text, limits, new Faults(''))?.body ?? null;
}

/** `null` after telling what is wrong with it. */
export function parseSite(text: string, owner: string, site: Site, report: Report): ParsedSite | null {
  const places = site.isFile === true ? samePlaces : placesOf(text, site.node);
  const placed = (start: number, end: number): { start: number; end: number } =>
    places.span({ start: start + site.offset, end: end + site.offset });
  const plainly = compiledTree(site, {});
  if (plainly.ok) return { site, places, body: plainly.body, expression: plainly.expression };
  const faults = new Faults('');
  const body = site.kind === 'template' ? (parseTemplate(site.text, limits, faults)?.body ?? null) : null;
  const expression = site.kind === 'expression' ? parseExpressionSource(site.text, limits, faults) : null;
  const strange = strangeFilters(body ?? expression);
  for (const { name, start, end } of strange)
    report(
      'PLAN_FILTER_UNKNOWN',
      placed(start, end),
      `${owner}: ${site.label}: there is no filter "${name}"`,
      'the step fails unless the host of the run gives its templates this filter',
    );
  const given = Object.fromEntries(strange.map(({ name }) => [name, stub]));
  const compiled = strange.length === 0 ? plainly : compiledTree(site, given);
  if (compiled.ok) return { site, places, body, expression };
  for (const { code, span, message, hint } of compiled.diagnostics) {
    report(
      code,
      span === null ? site.node.span : placed(span.start, span.end),
      `${owner}: ${site.label}: ${message}`,
      hint ?? undefined,
    );
  }
  return null;
}

type Trees = Pick<ParsedSite, 'body' | 'expression'>;

function compiledTree(
  { kind, text }: Site,
  given: { readonly [name: string]: HostFilter },
): ({ readonly ok: true } & Trees) | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] } {
  if (kind === 'template') {
    const compiled = compileTemplate(text, { ...limits, filters: given });
    return compiled.ok ? { ok: true, body: compiled.template.tree.body, expression: null } : compiled;
  }
  const compiled = compileExpression(text, { ...limits, filters: given });
  return compiled.ok ? { ok: true, body: null, expression: compiled.expression.tree } : compiled;
}

function strangeFilters(
  tree: unknown,
): readonly { readonly name: string; readonly start: number; readonly end: number }[] {
  const found: { name: string; start: number; end: number }[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(walk);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const one = node as {
      readonly kind?: string;
      readonly name?: string;
      readonly nameSpan?: { readonly start: number; readonly end: number };
    };
    if (
      one.kind === 'filter' &&
      typeof one.name === 'string' &&
      one.nameSpan !== undefined &&
      !isKnownFilter(one.name) &&
      !isMistaken(one.name)
    )
      found.push({ name: one.name, start: one.nameSpan.start, end: one.nameSpan.end });
    Object.values(node).forEach(walk);
  };
  walk(tree);
  return found;
}

function isKnownFilter(name: string): boolean {
  return filters.has(name);
}

/** The plans of one host use the same few filters in hundreds of places. */
const mistaken = new Map<string, boolean>();
const mistakenLimit = 200;

/** A filter of Jinja that is not here, or one that looks like one that is. */
function isMistaken(name: string): boolean {
  let known = mistaken.get(name);
  if (known === undefined) {
    known = refusedFilters.has(name) || nearest(name, filters.keys()) !== null;
    if (mistaken.size >= mistakenLimit) mistaken.clear();
    mistaken.set(name, known);
  }
  return known;
}
