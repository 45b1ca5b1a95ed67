// Places in a text.
//
//   offset -> line and column
//
// Offsets count UTF-16 code units, as JavaScript strings do. Lines and columns are 1-based; a column counts UTF-16 code
// units too, as editors and SARIF (`columnKind: utf16CodeUnits`) expect.

/** A half-open range of offsets into one text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A line and a column, for people. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where the lines of a text start: `\r\n`, `\n` and a lone `\r` end a line. */
interface LineTable {
  readonly text: string;
  readonly starts: readonly number[];
}

// Faults come by the hundred for one file, one file after the other, so the table of the last text is kept:
// a place then costs a binary search and not a pass over the file.
let lastTable: LineTable = { text: '', starts: [0] };

function linesOf(text: string): LineTable {
  if (lastTable.text === text) return lastTable;
  const starts = [0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  lastTable = { text, starts };
  return lastTable;
}

/** The index of the line that holds `offset`. */
function lineIndexOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line and column of `offset`; an offset past the end is the end. */
export function placeOf(text: string, offset: number): Place {
  const at = Math.min(Math.max(offset, 0), text.length);
  const { starts } = linesOf(text);
  const index = lineIndexOf(starts, at);
  return { line: index + 1, column: at - (starts[index] as number) + 1 };
}

/** The span of the line that holds `offset`, without its line end. */
export function lineAt(text: string, offset: number): Span {
  const { starts } = linesOf(text);
  const index = lineIndexOf(starts, Math.min(Math.max(offset, 0), text.length));
  const start = starts[index] as number;
  let end = starts[index + 1] ?? text.length;
  while (end > start && isLineEnd(text.charCodeAt(end - 1))) end -= 1;
  return { start, end };
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13;
}
