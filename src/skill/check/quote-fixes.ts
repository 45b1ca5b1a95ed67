// Values that need quotes -> the edits that put them in quotes.
//
//   description: Use when: asked   ->   description: "Use when: asked"
//
// Only what loading reads as text anyway (YAML_REPAIRED) is quoted, and only where the text that is read stays the same: the
// corrected frontmatter is parsed and compared. Single quotes are used where double ones would need escapes.
import type { Fix } from '../../base/fix.ts';
import { applyFixes } from '../../base/fix.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import type { Frontmatter } from '../frontmatter/read-frontmatter.ts';
import { parseWholeFrontmatter } from '../frontmatter/read-frontmatter.ts';
import type { ParseFull } from '../yaml/node.ts';
import { toJson } from '../yaml/node.ts';

/** By place. */
export function quoteFixes(frontmatter: Frontmatter, parseFull: ParseFull): readonly Fix[] {
  const { source, text } = frontmatter;
  const values = frontmatter.faults.flatMap(([code, span]) =>
    code === 'YAML_REPAIRED' && span !== null && needsQuotes(text.slice(span.start, span.end)) ? [span] : [],
  );
  if (values.length === 0) return [];
  const isSound = (spans: readonly Span[]): boolean => {
    const fixed = parseWholeFrontmatter(applyFixes(source, fixesOf(text, spans)), parseFull);
    return fixed.faults.length < frontmatter.faults.length && isSame(fixed, frontmatter);
  };
  return fixesOf(text, isSound(values) ? values : values.filter((value) => isSound([value])));
}

/** Not what has quotes, brackets or a block sign already: that is another slip. */
function needsQuotes(value: string): boolean {
  return !/^["'[{|>#-]/.test(value) && (/:(?:\s|$)/.test(value) || /^[*&!%@`]/.test(value));
}

function isSame(one: Frontmatter, other: Frontmatter): boolean {
  return canonicalJson(toJson(one.map)) === canonicalJson(toJson(other.map));
}

function fixesOf(text: string, values: readonly Span[]): readonly Fix[] {
  return values.toSorted((a, b) => a.start - b.start).flatMap((value) => quoted(text, value));
}

function quoted(text: string, { start, end }: Span): readonly Fix[] {
  const value = text.slice(start, end);
  const quote = /["\\]/.test(value) ? "'" : '"';
  const why = 'a value that needs quotes';
  const fixes: Fix[] = [{ at: start, insert: quote, why }];
  for (const { 0: found, index } of value.matchAll(/'|\n(?=[^\s])/g)) {
    if (found === '\n') fixes.push({ at: start + index + 1, insert: '  ', why });
    else if (quote === "'") fixes.push({ at: start + index, insert: "'", why });
  }
  return [...fixes, { at: end, insert: quote, why }];
}
