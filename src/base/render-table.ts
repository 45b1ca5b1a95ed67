// Rows of cells -> aligned columns of text. Colour codes take no cell; a cell that is cut inside a colour ends the colour.
import { cutToWidth, displayWidth, takeStart } from './cut-text.ts';

const reset = '\u001B[0m';
// eslint-disable-next-line no-control-regex
const colourCode = /\u001B\[[0-9;]*m/g;

/** One long name must not push everything else off the screen. */
const maxColumn = 40;

/** With less room than this for the last column it goes to a line of its own. */
const leastLast = 16;

/**
 * Rows of cells, aligned, two spaces apart. No line is wider than `columns`: the last column is cut or, where it
 * would hardly be seen, put below the others. `null` cuts nothing.
 */
export function renderTable(rows: readonly (readonly string[])[], columns: number | null): string {
  return renderTableRows(rows, columns).join('');
}

/** The same row by row, each with its line end. */
export function renderTableRows(
  rows: readonly (readonly string[])[],
  columns: number | null,
): readonly string[] {
  let count = 0;
  for (const row of rows) count = Math.max(count, row.length);
  const widths: number[] = [];
  for (let at = 0; at < count - 1; at += 1) {
    let widest = 0;
    for (const row of rows) widest = Math.max(widest, cellWidth(row[at] ?? ''));
    widths.push(columns === null ? widest : Math.min(widest, maxColumn));
  }
  const before = widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), 0);
  let widestLast = 0;
  for (const row of rows) widestLast = Math.max(widestLast, cellWidth(row[count - 1] ?? ''));
  const stacked = columns !== null && columns - before < Math.min(leastLast, widestLast);
  return rows.map((row) => {
    let line = '';
    for (const [at, width] of widths.entries()) {
      // A column in which nothing is written takes no room.
      if (width === 0) continue;
      line += `${pad(cut(row[at] ?? '', width), width)}  `;
    }
    const last = row[count - 1] ?? '';
    if (stacked)
      return `${cut(line.trimEnd(), columns)}\n${last === '' ? '' : `  ${cut(last, columns - 2)}\n`}`;
    return `${(line + (columns === null ? last : cut(last, columns - before))).trimEnd()}\n`;
  });
}

/** Rows of figures, line by line: the first column to the left, the others to the right. Nothing is cut. */
export function renderFigures(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    rows.reduce((widest, row) => Math.max(widest, cellWidth(row[at] ?? '')), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return at === 0 ? pad(cell, width) : ' '.repeat(Math.max(0, width - cellWidth(cell))) + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}

function cellWidth(text: string): number {
  return displayWidth(text.includes('\u001B') ? text.replaceAll(colourCode, '') : text);
}

function pad(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - cellWidth(text)));
}

function cut(text: string, cells: number): string {
  if (!text.includes('\u001B')) return cutToWidth(text, cells);
  if (cellWidth(text) <= cells) return text;
  let left = cells - 1;
  let kept = '';
  for (const part of text.split(/(\u001B\[[0-9;]*m)/)) {
    if (part.startsWith('\u001B')) {
      kept += part;
      continue;
    }
    const taken = takeStart(part, left);
    kept += taken;
    left -= displayWidth(taken);
    if (taken !== part) break;
  }
  return `${kept}…${reset}`;
}

/** `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
