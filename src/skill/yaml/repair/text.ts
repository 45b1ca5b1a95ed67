// A value that is not YAML, as the text it was probably meant to be.
//
//   the text after a key, and the lines below it -> text, list of texts
//
// Verbatim except for its outer quotes: `description: Use when: asked` has the value "Use when: asked". A comment after a
// template on one line is not part of it.
import type { Span } from '../../../base/span.ts';
import type { ScalarStyle, YamlNode, YamlScalar } from '../node.ts';
import { yamlLimits } from '../node.ts';
import type { FrontmatterLine } from './lines.ts';
import { isText, skipBlanks } from './lines.ts';
import { resolvePlain } from '../plain/scalars.ts';

export function textScalar(value: string, style: ScalarStyle, span: Span): YamlScalar {
  return { kind: 'scalar', value, raw: value, style, span };
}

/** Lines as one text: a line end is a space, a blank line a line end. */
export function joinFolded(text: string, first: string, more: readonly FrontmatterLine[]): string {
  const parts = [first];
  let breaks = 0;
  for (const line of more) {
    if (line.blank) {
      breaks += 1;
      continue;
    }
    const empty = parts.length === 1 && first === '';
    parts.push(empty ? '' : breaks === 0 ? ' ' : '\n'.repeat(breaks), text.slice(line.start, line.end));
    breaks = 0;
  }
  return parts.join('');
}

/** Lines kept apart, without the indentation they share. */
export function joinLiteral(text: string, first: string, more: readonly FrontmatterLine[]): string {
  let shared = Infinity;
  for (const line of more) if (!line.blank) shared = Math.min(shared, line.start - line.lineStart);
  const rows = more.map((line) => (line.blank ? '' : text.slice(line.lineStart + shared, line.end)));
  while (rows.length > 0 && rows[rows.length - 1] === '') rows.pop();
  if (first !== '') rows.unshift(first);
  return rows.length === 0 ? '' : `${rows.join('\n')}\n`;
}

/**
 * A template, or what begins with a quote, without the comment behind it. In any other text "#" may be meant: in sound
 * YAML it would have been a comment, but the author did not mean one.
 */
export function withoutComment(value: string): string {
  const quote = /^["']/.test(value) ? value.charAt(0) : null;
  if (quote === null && !/\{[{%]/.test(value)) return value;
  let close: string | null = null;
  let inQuotes = false;
  for (let at = 0; at < value.length; at += 1) {
    if (close !== null) {
      if (value.startsWith(close, at)) close = null;
    } else if (!inQuotes && (value.startsWith('{{', at) || value.startsWith('{%', at)))
      close = value[at + 1] === '{' ? '}}' : '%}';
    else if (value[at] === quote) inQuotes = !inQuotes;
    else if (!inQuotes && value[at] === '#' && at > 0 && (value[at - 1] === ' ' || value[at - 1] === '\t'))
      return value.slice(0, at).trimEnd();
  }
  return value;
}

/** `value` without quotes around it, or without one that is never closed. */
export function unquoted(value: string): string {
  const quote = value.charAt(0);
  if (quote !== '"' && quote !== "'") return value;
  const inner = value.slice(1, value.length > 1 && value.endsWith(quote) ? -1 : undefined);
  const open = quote === '"' ? /(?<!\\)"/ : /'/;
  if (value.length > 1 && value.endsWith(quote)) {
    // "a" and "b": the outer quotes are not a pair.
    const pairs = inner.split(quote).length - 1;
    if (pairs >= 2 && pairs % 2 === 0 && /^[^"']*["'][,.;:)\s]/.test(inner)) return value;
    return quote === '"' ? inner.replace(/\\(["\\/])/g, '$1') : inner.replace(/''/g, "'");
  }
  return open.test(inner) ? value : inner;
}

/** The items of a `[` that is never closed. */
export function openList(
  text: string,
  start: number,
  line: FrontmatterLine,
  more: readonly FrontmatterLine[],
  span: Span,
): YamlNode {
  const items: YamlNode[] = [];
  for (const [from, to] of [
    [start + 1, line.end] as const,
    ...more.filter(isText).map((next) => [next.start, next.end] as const),
  ]) {
    let at = from;
    while (at < to && items.length < yamlLimits.nodes) {
      const comma = text.indexOf(',', at);
      const end = comma < 0 || comma > to ? to : comma;
      const itemStart = skipBlanks(text, at, end);
      const raw = text.slice(itemStart, end).trimEnd();
      if (raw !== '') {
        const value = unquoted(raw);
        items.push({
          kind: 'scalar',
          value: value === raw ? resolvePlain(raw) : value,
          raw: value,
          style: 'plain',
          span: { start: itemStart, end: itemStart + raw.length },
        });
      }
      at = end + 1;
    }
  }
  return { kind: 'seq', items, flow: true, span };
}

export function reasonFor(rest: string): string {
  const first = rest.charAt(0);
  if (/[*&!%@`]/.test(first)) return `a value cannot begin with "${first}"`;
  if (first === '"' || first === "'") return 'the quotes do not enclose the whole value';
  if (first === '[' || first === '{') return 'the brackets do not enclose the whole value';
  if (/:(?:\s|$)/.test(rest)) return 'a value that contains ": " needs quotes';
  return 'the value is not valid YAML';
}
