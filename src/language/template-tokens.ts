// The tags of templates in a text, and the words in them, also while they are typed.
//
//   text -> regions `{{ … }}`, `{% … %}`, `{# … #}` -> tokens with a role
//
// A tag that is never closed ends with its line. Linear in the text.
import type { Span } from '../base/span.ts';
import { filters } from '../template/filters/filters.ts';
import { isExpression } from './complete.ts';
import { expressionWords, tagDocs } from './docs/template-docs.ts';
import type { LanguageFile } from './language.ts';
import { readOutline } from './outline.ts';

export type TemplateRole =
  | 'comment'
  | 'delimiter'
  | 'keyword'
  | 'variable'
  | 'property'
  | 'filter'
  | 'test'
  | 'string'
  | 'number'
  | 'operator';

export interface TemplateToken extends Span {
  readonly role: TemplateRole;
  readonly text: string;
}

export interface TemplateRegion extends Span {
  readonly kind: 'output' | 'tag' | 'comment';
  readonly tokens: readonly TemplateToken[];
}

const mostRegions = 10_000;
const closers = { '{{': '}}', '{%': '%}', '{#': '#}' } as const;

export function templateRegions(text: string, from = 0, to = text.length): readonly TemplateRegion[] {
  const regions: TemplateRegion[] = [];
  const opening = /\{[{%#]/g;
  opening.lastIndex = from;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index;
    if (start >= to || regions.length >= mostRegions) break;
    const open = match[0] as keyof typeof closers;
    const close = text.indexOf(closers[open], start + 2);
    const feed = text.indexOf('\n', start);
    const isClosed = close >= 0 && close + 2 <= to;
    const inner = isClosed ? close : Math.min(to, feed < 0 ? to : feed);
    const end = isClosed ? close + 2 : inner;
    regions.push(regionAt(text, open, { start, end }, inner, isClosed));
    opening.lastIndex = Math.max(end, start + 2);
  }
  return regions;
}

function regionAt(
  text: string,
  open: keyof typeof closers,
  { start, end }: Span,
  inner: number,
  isClosed: boolean,
): TemplateRegion {
  if (open === '{#')
    return {
      kind: 'comment',
      start,
      end,
      tokens: [{ role: 'comment', start, end, text: text.slice(start, end) }],
    };
  const from = start + 2 + (/[-+]/.test(text.charAt(start + 2)) ? 1 : 0);
  const to = isClosed && from < inner && /[-+]/.test(text.charAt(inner - 1)) ? inner - 1 : inner;
  const isTag = open === '{%';
  return {
    kind: isTag ? 'tag' : 'output',
    start,
    end,
    tokens: [
      { role: 'delimiter', start, end: from, text: text.slice(start, from) },
      ...expressionTokens(text, from, Math.max(from, to), isTag),
      ...(isClosed ? [{ role: 'delimiter' as const, start: to, end, text: text.slice(to, end) }] : []),
    ],
  };
}

const words: ReadonlySet<string> = new Set([
  ...expressionWords,
  ...Object.keys(tagDocs),
  'recursive',
  'ignore',
  'missing',
  'True',
  'False',
  'None',
]);

/** The words of an expression. A quote may have the backslash of YAML before it. */
export function expressionTokens(
  text: string,
  from: number,
  to: number,
  isTag: boolean,
): readonly TemplateToken[] {
  const tokens: TemplateToken[] = [];
  const pattern = /\\?"(?:[^"\\]|\\[^"])*\\?"|'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|\d+(?:\.\d+)?|[^\s\w]/g;
  // Not past the end of the tag, whatever is open in it.
  for (const { 0: written, index } of text.slice(from, to).matchAll(pattern)) {
    const start = from + index;
    const end = start + written.length;
    tokens.push({ role: roleOf(written, tokens, isTag), start, end, text: written });
  }
  return tokens;
}

function roleOf(written: string, before: readonly TemplateToken[], isTag: boolean): TemplateRole {
  const last = before.at(-1);
  if (/^(?:\\?"|')/.test(written)) return written.length > 1 ? 'string' : 'operator';
  if (/^\d/.test(written)) return 'number';
  if (!/^[A-Za-z_]/.test(written)) return 'operator';
  if (last?.text === '.') return 'property';
  if (last?.text === '|') return 'filter';
  if (last?.text === 'is' || (last?.text === 'not' && before.at(-2)?.text === 'is')) return 'test';
  if (isTag && before.length === 0) return 'keyword';
  if (isTag && before.length === 1 && last?.text === 'filter' && filters.has(written)) return 'filter';
  return words.has(written) && !(written in tagDocs && !['if', 'else'].includes(written))
    ? 'keyword'
    : 'variable';
}

/** Of a whole file: tags, and values of a SKILL.md that are expressions without braces. Not of programs and data. */
export function templateTokens({ path, text }: LanguageFile): readonly TemplateToken[] {
  if (path !== 'SKILL.md')
    return /\.(?:md|txt|html?|tmpl|j2|jinja)$/.test(path)
      ? templateRegions(text).flatMap(({ tokens }) => tokens)
      : [];
  const { yaml, entries } = readOutline(text);
  if (yaml === null) return [];
  const tags = templateRegions(text, yaml.start, yaml.end).flatMap(({ tokens }) => tokens);
  const values = entries.flatMap(({ path: at, value }) => {
    const written = text.slice(value.start, value.end);
    if (!isExpression(at) || written.includes('{{')) return [];
    const quoted = /^["']/.test(written) && written.length > 1;
    return expressionTokens(text, value.start + (quoted ? 1 : 0), value.end - (quoted ? 1 : 0), false);
  });
  return [...tags, ...values].toSorted((a, b) => a.start - b.start);
}

/** What a template binds itself: by `set`, `for`, `macro`, `with` and their parameters. */
export function namesBoundIn(regions: readonly TemplateRegion[]): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const { kind, tokens } of regions) {
    if (kind !== 'tag') continue;
    const [, tag, ...rest] = tokens;
    if (tag === undefined || !['set', 'for', 'macro', 'with', 'call'].includes(tag.text)) continue;
    const ends = tag.text === 'for' ? ['in'] : tag.text === 'set' ? ['='] : [];
    for (const token of rest) {
      if (ends.includes(token.text)) break;
      if (token.role === 'variable') bound.add(token.text);
    }
  }
  return bound;
}
