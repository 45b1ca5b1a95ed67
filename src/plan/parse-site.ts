// The text of a site -> its tree, with places in the file.
import type { Report } from '../base/diagnostic.ts';
import type { Expression, Statement } from '../template/syntax/ast.ts';
import { Faults } from '../template/syntax/faults.ts';
import { parseExpressionSource, parseTemplate } from '../template/syntax/parse.ts';
import type { Site } from './draft.ts';
import type { Places } from './scalar-places.ts';
import { placesOf } from './scalar-places.ts';

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

const limits = { maxDepth: 100, maxSourceUnits: 256 * 1024 } as const;

/** A template that is told about elsewhere: `null` when it cannot be parsed. */
export function parseText(text: string): readonly Statement[] | null {
  return parseTemplate(text, limits, new Faults(''))?.body ?? null;
}

/** `null` after telling what is wrong with it. */
export function parseSite(text: string, owner: string, site: Site, report: Report): ParsedSite | null {
  const places = site.isFile === true ? samePlaces : placesOf(text, site.node);
  const faults = new Faults('');
  const body = site.kind === 'template' ? (parseTemplate(site.text, limits, faults)?.body ?? null) : null;
  const expression = site.kind === 'expression' ? parseExpressionSource(site.text, limits, faults) : null;
  if (body !== null || expression !== null) return { site, places, body, expression };
  for (const { code, span, message, hint } of faults.tell()) {
    const at = span === null ? site.node.span : places.span({ start: span.start + site.offset, end: span.end + site.offset });
    report(code, at, `${owner}: ${site.label}: ${message}`, hint ?? undefined);
  }
  return null;
}
