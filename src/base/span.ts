// Places in a text.
//
//   offset -> line and column
//
// Offsets count UTF-16 code units, as JavaScript strings do. Lines and columns
// are 1-based; a column counts UTF-16 code units too, which is what editors and
// SARIF (`columnKind: utf16CodeUnits`) expect.

/** A half-open range of offsets into one text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

export function span(start: number, end: number): Span {
  return { start, end };
}

/** The line and column of `offset`; an offset past the end is the end. `\r\n`, `\n` and a lone `\r` end a line. */
export function placeOf(text: string, offset: number): Place {
  const limit = Math.min(Math.max(offset, 0), text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) {
      line += 1;
      lineStart = at + 1;
    }
  }
  return { line, column: limit - lineStart + 1 };
}

/** The span of the line that holds `offset`, without its line end. */
export function lineAt(text: string, offset: number): Span {
  const at = Math.min(Math.max(offset, 0), text.length);
  let start = at;
  while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) start -= 1;
  let end = at;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end += 1;
  return { start, end };
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13;
}
