// A diagnostic as people read it.
//
//   Diagnostic + the text of its file -> `path:line:col: severity CODE: message`
//                                        the line, carets under the span, the hint
//
// Control and bidi characters of the file are written as escapes. The carets are under the span, whatever is before it
// (tabs, wide characters, escapes). A line longer than `width` cells is cut around the span. A span over several lines
// is marked to the end of its first line.
import type { Severity } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import { displayWidth, takeEnd, takeStart } from './cut-text.ts';
import { printable, printableLine } from './printable.ts';
import type { Span } from './span.ts';
import { lineAt, placeOf } from './span.ts';

/** How a diagnostic is shown. */
export interface RenderOptions {
  /** Adds terminal colours. Default `false`. */
  readonly colour?: boolean;
  /** The most cells an excerpt may take. Default 100. */
  readonly width?: number;
}

const severityColours: Record<Severity, string> = { error: '31', warning: '33', info: '36' };
const tabCells = 4;

/** `text` is the file the diagnostic is about; without it there is neither place nor excerpt. */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  text: string | null,
  options: RenderOptions = {},
): string {
  const paint =
    options.colour === true
      ? (code: string, part: string) => `\u001B[${code}m${part}\u001B[0m`
      : (_: string, part: string) => part;
  const severity = paint(severityColours[diagnostic.severity], diagnostic.severity);
  const at = diagnostic.span;
  let place = printableLine(diagnostic.path);
  if (at !== null && text !== null) {
    const { line, column } = placeOf(text, at.start);
    place += `:${line}:${column}`;
  }
  const lines = [
    `${paint('1', place)}: ${severity} ${diagnostic.code}: ${printableLine(diagnostic.message)}`,
  ];
  if (at !== null && text !== null) {
    const [excerpt, carets] = renderExcerpt(text, at, options.width ?? 100);
    if (excerpt.trim() !== '')
      lines.push(`  ${excerpt}`, `  ${paint(severityColours[diagnostic.severity], carets)}`.trimEnd());
  }
  if (diagnostic.hint !== null) lines.push(`  ${paint('2', 'hint:')} ${printableLine(diagnostic.hint)}`);
  return lines.join('\n');
}

/** The line that `at` starts on and the carets under it. */
function renderExcerpt(text: string, at: Span, width: number): readonly [string, string] {
  const line = lineAt(text, at.start);
  const start = Math.min(at.start, line.end);
  const end = Math.min(Math.max(at.end, start), line.end);
  // More than `width` units on either side can never be shown, so a line of megabytes costs no more than a short one.
  let before = show(sliceEnd(text, line.start, start, width + 1), 0);
  let inside = show(sliceStart(text, start, end, width + 1), displayWidth(before));
  let after = show(sliceStart(text, end, line.end, width + 1), displayWidth(before) + displayWidth(inside));
  if (displayWidth(before) + displayWidth(inside) + displayWidth(after) > width) {
    // The span first, then what is before it up to a third, then what is after it.
    inside = cut(inside, width - 2, 'end');
    const room = width - displayWidth(inside);
    const wanted = Math.max(Math.floor(room / 3), room - displayWidth(after));
    before = cut(before, wanted, 'start');
    after = cut(after, room - displayWidth(before), 'end');
  }
  const carets = '^'.repeat(Math.max(1, displayWidth(inside)));
  return [(before + inside + after).trimEnd(), ' '.repeat(displayWidth(before)) + carets];
}

/** Escapes what must not be printed and turns tabs into spaces up to the next stop. */
function show(part: string, column: number): string {
  const safe = printable(part);
  if (!safe.includes('\t')) return safe;
  let shown = '';
  for (const [at, piece] of safe.split('\t').entries()) {
    if (at > 0) shown += ' '.repeat(tabCells - ((column + displayWidth(shown)) % tabCells));
    shown += piece;
  }
  return shown;
}

function cut(part: string, cells: number, side: 'start' | 'end'): string {
  if (displayWidth(part) <= cells) return part;
  if (cells <= 0) return '';
  return side === 'start' ? `…${takeEnd(part, cells - 1)}` : `${takeStart(part, cells - 1)}…`;
}

// Half a surrogate pair at a cut would be shown as an escape, so the cut moves by one.
function sliceStart(text: string, start: number, end: number, units: number): string {
  let stop = Math.min(end, start + units);
  if (stop < end && isHighSurrogate(text.charCodeAt(stop - 1))) stop -= 1;
  return text.slice(start, stop);
}

function sliceEnd(text: string, start: number, end: number, units: number): string {
  let from = Math.max(start, end - units);
  if (from > start && isHighSurrogate(text.charCodeAt(from - 1))) from += 1;
  return text.slice(from, end);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
