// Offsets of a text <-> places of the protocol: lines from 0, characters in UTF-16 code units.
import type { Position, Range } from 'vscode-languageserver/node';
import type { Span } from '../base/span.ts';
import { lineAt, placeOf } from '../base/span.ts';

export function positionOf(text: string, offset: number): Position {
  const { line, column } = placeOf(text, offset);
  return { line: line - 1, character: column - 1 };
}

/** The start of the file for a fault of all of it. */
export function rangeOf(text: string, span: Span | null): Range {
  if (span === null) return { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  return { start: positionOf(text, span.start), end: positionOf(text, span.end) };
}

/** Past the end of a line is its end, past the last line the end of the text. */
export function offsetOf(text: string, { line, character }: Position): number {
  let start = 0;
  for (let at = 0; at < line; at += 1) {
    const next = nextLine(text, start);
    if (next === null) return text.length;
    start = next;
  }
  const { end } = lineAt(text, start);
  return Math.min(start + Math.max(0, character), Math.max(start, end));
}

function nextLine(text: string, from: number): number | null {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10) return at + 1;
    if (unit === 13) return text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }
  return null;
}
