// Templates that were written without quotes, which YAML reads as something else or not at all.
//
//   task: {{ outputs.a }}           a mapping to YAML: read as the text it was meant to be, PLAN_UNQUOTED
//   when: 'A' in outputs.a          not YAML: `repair` already made it text, with a diagnostic
//
// Quotes are only inserted: double ones if the text has no double quote and no backslash, otherwise single ones,
// doubled inside. Only text on one line is quoted, because nothing else of YAML can interfere there.
import type { Report } from '../base/diagnostic.ts';
import type { Span } from '../base/span.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../skill/yaml/node.ts';
import type { Fix } from '../base/fix.ts';

interface QuotedTree {
  readonly map: YamlMap;
  readonly fixes: readonly Fix[];
  /** Whether quotes fix everything that is not YAML. */
  readonly isFixed: boolean;
}

/** `repaired`: the places that were read as text although YAML needs quotes there. */
export function quoteTemplates(
  map: YamlMap,
  text: string,
  repaired: readonly Span[],
  report: Report,
): QuotedTree {
  const fixes: Fix[] = [];
  const places = new Set(repaired.map(({ start, end }) => `${start} ${end}`));
  const fixedPlaces = new Set<string>();
  let whole = true;
  const node = (one: YamlNode): YamlNode => {
    const written = text.slice(one.span.start, one.span.end);
    if (one.kind === 'map' && one.flow && isTemplate(written)) {
      if (!isAlone(text, one.span.end)) {
        whole = false;
        report(
          'PLAN_TYPE',
          one.span,
          'a value with templates in it needs quotes here: YAML reads only a part of it',
          'put the whole value in quotes',
        );
        return one;
      }
      report(
        'PLAN_UNQUOTED',
        one.span,
        'a template without quotes is a mapping to YAML; it was read as text',
        'put it in quotes',
      );
      fixes.push(...quote(one.span, written));
      return { kind: 'scalar', value: written, raw: written, style: 'plain', span: one.span };
    }
    if (one.kind === 'scalar') {
      const known =
        one.style === 'plain' &&
        places.has(`${one.span.start} ${one.span.end}`) &&
        one.value === written &&
        !/[\r\n]/.test(written);
      if (known) fixes.push(...quote(one.span, written));
      if (known) fixedPlaces.add(`${one.span.start} ${one.span.end}`);
      return one;
    }
    return one.kind === 'seq'
      ? { ...one, items: one.items.map(node) }
      : { ...one, entries: one.entries.map(entry) };
  };
  const entry = (one: YamlEntry): YamlEntry => ({ ...one, value: node(one.value) });
  // Other fields are not part of the plan.
  const ours = new Set([
    'composition',
    'steps',
    'chain',
    'entrypoint',
    'request_template',
    'output_contract',
  ]);
  const entries = map.entries.map((one) => (ours.has(one.key) ? entry(one) : one));
  return { map: { ...map, entries }, fixes, isFixed: whole && fixedPlaces.size === places.size };
}

/** Nothing but a comment, or what ends an item inside brackets, follows on the line. */
function isAlone(text: string, end: number): boolean {
  return /^[ \t]*(?:$|\r?\n|#|[,\]}])/.test(text.slice(end, end + 200));
}

function isTemplate(written: string): boolean {
  return /^\{\{[^\r\n]*\}\}$/.test(written);
}

function quote({ start, end }: Span, written: string): readonly Fix[] {
  const why = 'a template needs quotes in YAML';
  if (!/["\\]/.test(written))
    return [
      { at: start, insert: '"', why },
      { at: end, insert: '"', why },
    ];
  const inner = [...written.matchAll(/'/g)].map(({ index }) => ({ at: start + index, insert: "'", why }));
  return [{ at: start, insert: "'", why }, ...inner, { at: end, insert: "'", why }];
}
