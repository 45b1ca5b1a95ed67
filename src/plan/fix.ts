// Findings that can be fixed mechanically -> edits of the file.
//
// A fixed file has nothing left to fix. A finding is skipped when its place in the file
// is not exact, or when its tag does not look as it was read. The work is linear in the length of the file and the
// number of findings.
import type { Fix } from '../base/fix.ts';
import type { Statement } from '../template/syntax/ast.ts';
import { partsOf } from '../template/syntax/walk.ts';
import type { SiteFinding } from './analyse-sites.ts';

/** Filters bind tighter than these. */
const loose: ReadonlySet<string> = new Set([
  'binary',
  'logic',
  'comparison',
  'concat',
  'conditional',
  'unary',
]);

export function fixesFor(text: string, findings: readonly SiteFinding[]): readonly Fix[] {
  const fixes: Fix[] = [];
  const seen = new Set<number>();
  for (const finding of findings) {
    const { filters, site } = finding;
    if (filters === null || !site.places.exact) continue;
    const tag = site.site.text.slice(finding.start, finding.end);
    const [, open, inside, close] = /^(\{\{[-+]?\s*)([\s\S]*?)(\s*[-+]?\}\})$/.exec(tag) ?? [];
    if (open === undefined || inside === undefined || close === undefined || inside === '') continue;
    const offset = site.site.offset + finding.start;
    const start = site.places.at(offset + open.length);
    const end = site.places.at(offset + open.length + inside.length - 1) + 1;
    // The text must be what was read, or the edit would be in the wrong place.
    if (
      text.slice(start, start + 1) !== inside.slice(0, 1) ||
      text.slice(end - 1, end) !== inside.slice(-1) ||
      seen.has(end)
    )
      continue;
    seen.add(end);
    const statement = outputsOf(site).get(finding.start);
    const why = `${site.site.label}: ${finding.message}`;
    if (statement !== undefined && loose.has(statement.value.kind)) {
      fixes.push({ at: start, insert: '(', why }, { at: end, insert: `) | ${filters}`, why });
    } else fixes.push({ at: end, insert: ` | ${filters}`, why });
  }
  return fixes.sort(byPlace);
}

/** At the same place, the end of an inner edit comes before the end of an outer one. */
export function byPlace(a: Fix, b: Fix): number {
  return a.at - b.at || rank(a) - rank(b);
}

function rank({ insert }: Fix): number {
  return insert.startsWith(' ') || insert.startsWith(')') ? 0 : 1;
}

type Output = Extract<Statement, { kind: 'output' }>;

const known = new WeakMap<SiteFinding['site'], ReadonlyMap<number, Output>>();

/** Gathered once for a site, however many findings it has, to stay linear. */
function outputsOf(site: SiteFinding['site']): ReadonlyMap<number, Output> {
  let outputs = known.get(site);
  if (outputs === undefined) {
    const found = new Map<number, Output>();
    for (const statement of site.body ?? []) gather(statement, found);
    known.set(site, (outputs = found));
  }
  return outputs;
}

function gather(statement: Statement, found: Map<number, Output>): void {
  if (statement.kind === 'output') found.set(statement.start, statement);
  else for (const part of partsOf(statement)) if ('runs' in part) gather(part.runs, found);
}
