// The lines of a broken frontmatter, as a person sees them.
//
//   text[start, end) -> FrontmatterLine[], with oddities reported
//
// Invisible characters before the text of a line are skipped; the reader of the line reports them. A document marker
// (`...`, dashes alone, a directive) counts as a blank line and is reported; a list of pairs (`- name: x`) counts as the
// pairs.
import type { Report } from '../../../base/diagnostic.ts';

const tabWidth = 2;
/** Invisible at the start of a line. */
const unseen: ReadonlySet<number> = new Set([
  0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0x3000, 0xfeff,
]);
const marker = /^(?:\.{3}|-{3,}|%[A-Z]+ .*)$/;
/** A frontmatter written as a list of its fields. */
const listedField = /^[ \t]*-[ \t]+(?:name|description)[ \t]*:/m;

export interface FrontmatterLine {
  /** The first character that is not indentation. */
  readonly start: number;
  readonly end: number;
  readonly lineStart: number;
  readonly indent: number;
  readonly blank: boolean;
  readonly comment: boolean;
  /** A document marker; such a line counts as blank. */
  readonly marker: boolean;
  /** Offset of the first unseen character before the text, or -1. */
  readonly unseen: number;
}

export function linesOf(text: string, start: number, end: number): FrontmatterLine[] {
  const lines: FrontmatterLine[] = [];
  let at = start;
  while (at < end) {
    let newline = text.indexOf('\n', at);
    if (newline < 0 || newline > end) newline = end;
    let indent = 0;
    let hidden = -1;
    let first = at;
    for (; first < newline; first += 1) {
      const unit = text.charCodeAt(first);
      if (unit === 32) indent += 1;
      else if (unit === 9) indent += tabWidth;
      else if (!unseen.has(unit)) break;
      else if (hidden < 0) hidden = first;
    }
    let last = newline;
    while (last > first && text.charCodeAt(last - 1) <= 32) last -= 1;
    lines.push({
      start: first,
      end: last,
      lineStart: at,
      indent,
      blank: last <= first,
      comment: text.charCodeAt(first) === 35,
      marker: false,
      unseen: hidden,
    });
    at = newline + 1;
  }
  return lines;
}

/** `lines` with document markers blanked; the first is reported. */
export function withoutMarkers(
  text: string,
  lines: readonly FrontmatterLine[],
  report: Report,
): readonly FrontmatterLine[] {
  const isMarker = (line: FrontmatterLine): boolean =>
    isText(line) &&
    line.start === line.lineStart &&
    marker.test(text.slice(line.start, Math.min(line.end, line.start + 200)));
  const first = lines.find(isMarker);
  if (first === undefined) return lines;
  report(
    'YAML_REPAIRED',
    { start: first.start, end: first.end },
    'a document marker or directive is inside the frontmatter; it was ignored',
    'remove the line',
  );
  return lines.map((line) => (isMarker(line) ? { ...line, blank: true, marker: true } : line));
}

export function mentionTabs(text: string, lines: readonly FrontmatterLine[], report: Report): void {
  for (const line of lines) {
    if (line.blank) continue;
    const tab = text.slice(line.lineStart, line.start).indexOf('\t');
    if (tab < 0) continue;
    report(
      'YAML_TABS',
      { start: line.lineStart + tab, end: line.lineStart + tab + 1 },
      'a tab is used as indentation',
      'indent with spaces',
    );
    return;
  }
}

/** The lines of a frontmatter that is a list of pairs, without their dashes, and the column of the keys; `null` when it is none. */
export function withoutDashes(
  text: string,
  lines: readonly FrontmatterLine[],
  end: number,
  indent: number,
  report: Report,
): { readonly lines: readonly FrontmatterLine[]; readonly column: number } | null {
  const first = lines.find(isText);
  if (
    first === undefined ||
    first.indent !== indent ||
    !isListDash(text, first) ||
    !listedField.test(text.slice(first.lineStart, end))
  )
    return null;
  let column = Infinity;
  const inner = lines.map((line) => {
    if (!isText(line) || line.indent > indent || !isListDash(text, line)) return line;
    const start = skipBlanks(text, line.start + 1, line.end);
    column = Math.min(column, line.indent + start - line.start);
    return { ...line, start, indent: line.indent + start - line.start, blank: start >= line.end };
  });
  report(
    'YAML_REPAIRED',
    { start: first.start, end: first.start + 1 },
    'the fields are written as a list; they were read as fields',
    'remove the "- " before each field',
  );
  return { lines: inner, column };
}

export function isText(line: FrontmatterLine): boolean {
  return !line.blank && !line.comment;
}

export function isListDash(text: string, line: FrontmatterLine): boolean {
  return (
    text.charCodeAt(line.start) === 45 &&
    (line.start + 1 === line.end || text.charCodeAt(line.start + 1) <= 32)
  );
}

export function skipBlanks(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

export function lastTextEnd(lines: readonly FrontmatterLine[], fallback: number): number {
  for (let at = lines.length - 1; at >= 0; at -= 1)
    if (!(lines[at] as FrontmatterLine).blank) return (lines[at] as FrontmatterLine).end;
  return fallback;
}
