// Columns of text.
import { cutToWidth, displayWidth, padToWidth } from '../base/display-width.ts';

/** One long name must not push everything else off the screen. */
const maxColumn = 40;

/** With less room than this for the last column it goes to a line of its own. */
const leastLast = 16;

/**
 * Rows of cells, aligned, two spaces apart. No line is wider than `columns`: the last column is cut or, where it
 * would hardly be seen, put below the others. `null` cuts nothing.
 */
export function renderTable(rows: readonly (readonly string[])[], columns: number | null): string {
  let count = 0;
  for (const row of rows) count = Math.max(count, row.length);
  const widths: number[] = [];
  for (let at = 0; at < count - 1; at += 1) {
    let widest = 0;
    for (const row of rows) widest = Math.max(widest, displayWidth(row[at] ?? ''));
    widths.push(columns === null ? widest : Math.min(widest, maxColumn));
  }
  const before = widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), 0);
  let widestLast = 0;
  for (const row of rows) widestLast = Math.max(widestLast, displayWidth(row[count - 1] ?? ''));
  const stacked = columns !== null && columns - before < Math.min(leastLast, widestLast);
  let text = '';
  for (const row of rows) {
    let line = '';
    for (const [at, width] of widths.entries()) {
      // A column in which nothing is written takes no room.
      if (width === 0) continue;
      line += `${padToWidth(cutToWidth(row[at] ?? '', width), width)}  `;
    }
    const last = row[count - 1] ?? '';
    if (stacked) text += `${cutToWidth(line.trimEnd(), columns)}\n${last === '' ? '' : `  ${cutToWidth(last, columns - 2)}\n`}`;
    else text += `${(line + (columns === null ? last : cutToWidth(last, columns - before))).trimEnd()}\n`;
  }
  return text;
}

/** `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
