// An offset into the value of a YAML scalar -> the offset in the file it was read from.
//
// Offsets are exact for every style: quotes, escapes, folding and the indentation of block scalars are accounted for.
// A value that does not follow from its source text (a repaired one) has a single place, that of the scalar.
import type { Span } from '../base/span.ts';
import type { YamlScalar } from '../skill/yaml/node.ts';

/** Value units `[from, from + length)` are at `at` and following. */
interface Run {
  readonly from: number;
  readonly length: number;
  readonly at: number;
}

export interface Places {
  /** The place in the file of the unit at `offset` of the value. */
  readonly at: (offset: number) => number;
  readonly span: (span: Span) => Span;
  /** Whether each unit has its own place, or all have that of the scalar. */
  readonly exact: boolean;
}

/** Worked out when the first place is asked for: most scalars have nothing to report. */
export function placesOf(text: string, node: YamlScalar): Places {
  let known: Places | null = null;
  const places = (): Places => (known ??= findPlaces(text, node));
  return {
    at: (offset) => places().at(offset),
    span: (span) => places().span(span),
    get exact() {
      return places().exact;
    },
  };
}

function findPlaces(text: string, node: YamlScalar): Places {
  const value = typeof node.value === 'string' ? node.value : node.raw;
  const runs =
    node.style === 'literal' || node.style === 'folded'
      ? blockRuns(text, node, value)
      : flowRuns(text, node, value);
  if (runs === null) return { at: () => node.span.start, span: () => node.span, exact: false };
  const at = (offset: number): number => lookUp(runs, offset, node.span.start);
  return {
    at,
    exact: true,
    span: ({ start, end }) => ({ start: at(start), end: end > start ? at(end - 1) + 1 : at(start) }),
  };
}

function lookUp(runs: readonly Run[], offset: number, fallback: number): number {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((runs[middle] as Run).from <= offset) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  if (run === undefined) return fallback;
  // After the run comes the text that was folded away.
  return run.at + Math.max(0, Math.min(offset - run.from, run.length));
}

const simpleEscapes: { readonly [letter: string]: string } = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const hexLength: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };
const lineBreaks = /[ \t]*(?:\r?\n[ \t]*)+/y;

/** Plain and quoted scalars, over one or several lines. */
function flowRuns(text: string, { span, style }: YamlScalar, value: string): readonly Run[] | null {
  const quote = style === 'plain' ? 0 : 1;
  const end = span.end - quote;
  const runs: Run[] = [];
  let made = 0;
  let at = span.start + quote;
  const put = (units: string, from: number): boolean => {
    if (!value.startsWith(units, made)) return false;
    runs.push({ from: made, length: units.length === 0 ? 0 : 1, at: from });
    made += units.length;
    return true;
  };
  while (at < end) {
    lineBreaks.lastIndex = at;
    const folded = lineBreaks.exec(text)?.[0];
    if (folded !== undefined && at + folded.length <= end) {
      const lines = folded.split('\n').length - 1;
      if (!put(lines === 1 ? ' ' : '\n'.repeat(lines - 1), at)) return null;
      at += folded.length;
      continue;
    }
    const unit = text.charAt(at);
    if (style === 'single' && unit === "'") {
      if (text.charAt(at + 1) !== "'" || !put("'", at)) return null;
      at += 2;
    } else if (style === 'double' && unit === '\\') {
      const escape = readEscape(text, at);
      if (escape === null || !put(escape.units, at)) return null;
      at += escape.length;
    } else {
      const last = runs[runs.length - 1];
      if (!value.startsWith(unit, made)) return null;
      if (last !== undefined && last.from + last.length === made && last.at + last.length === at)
        runs[runs.length - 1] = { ...last, length: last.length + 1 };
      else runs.push({ from: made, length: 1, at });
      made += 1;
      at += 1;
    }
  }
  return made === value.length ? runs : null;
}

function readEscape(text: string, at: number): { readonly units: string; readonly length: number } | null {
  const letter = text.charAt(at + 1);
  const continued = /\\\r?\n[ \t]*/y;
  continued.lastIndex = at;
  const skipped = continued.exec(text)?.[0];
  if (skipped !== undefined) return { units: '', length: skipped.length };
  const digits = hexLength[letter];
  if (digits !== undefined) {
    const code = Number.parseInt(text.slice(at + 2, at + 2 + digits), 16);
    return Number.isNaN(code) || code > 0x10ffff
      ? null
      : { units: String.fromCodePoint(code), length: 2 + digits };
  }
  const units = simpleEscapes[letter];
  return units === undefined ? null : { units, length: 2 };
}

interface Line {
  readonly start: number;
  /** Without its line end. */
  readonly text: string;
}

function* linesBehind(text: string, from: number): Generator<Line> {
  for (let start = from; start < text.length;) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    yield { start, text: text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end) };
    start = end + 1;
  }
}

/** `|` and `>`: line by line, each without the indentation. */
function blockRuns(text: string, { span, style }: YamlScalar, value: string): readonly Run[] | null {
  const header = text.indexOf('\n', span.start);
  if (header === -1) return value === '' ? [] : null;
  return style === 'literal' ? literalRuns(text, header + 1, value) : foldedRuns(text, header + 1, value);
}

function leadingBlanks(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

/** Each line of the value is a line of the file. */
function literalRuns(text: string, from: number, value: string): readonly Run[] | null {
  const runs: Run[] = [];
  const lines = linesBehind(text, from);
  let made = 0;
  let indent = -1;
  for (const content of value.split('\n')) {
    const next = lines.next();
    if (next.done === true) return content === '' ? runs : null;
    const line = next.value;
    if (content !== '') {
      if (!line.text.endsWith(content)) return null;
      const own = line.text.length - content.length;
      if (indent !== -1 && own !== indent) return null;
      indent = own;
    }
    const shift = content === '' ? Math.min(Math.max(indent, 0), line.text.length) : indent;
    // The line end, too.
    runs.push({ from: made, length: content.length + 1, at: line.start + shift });
    made += content.length + 1;
  }
  return runs;
}

/** Line ends became blanks, except around blank and deeper lines. */
function foldedRuns(text: string, from: number, value: string): readonly Run[] | null {
  const runs: Run[] = [];
  let indent = -1;
  let made = 0;
  for (const line of linesBehind(text, from)) {
    if (made >= value.length) break;
    if (line.text.trim() === '') continue;
    if (indent === -1) indent = leadingBlanks(line.text) - leadingBlanks(value.replace(/^\n+/, ''));
    if (indent < 0 || leadingBlanks(line.text) < indent) return null;
    const content = line.text.slice(indent);
    const at = value.indexOf(content, made);
    if (at === -1 || value.slice(made, at).trim() !== '') return null;
    // Text between two lines of the value belongs to the end of the first.
    if (at > made) runs.push({ from: made, length: 1, at: line.start - 1 });
    runs.push({ from: at, length: content.length, at: line.start + indent });
    made = at + content.length;
  }
  return value.slice(made).trim() === '' ? runs : null;
}
