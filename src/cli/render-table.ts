// Columns of text.
import { cutToWidth, displayWidth, padToWidth } from '../base/display-width.ts';

/** One long name must not push everything else off the screen. */
const maxColumn = 40;

/** Rows of cells, aligned, two spaces apart; the last column is cut so that a line fits `columns`. `null` cuts nothing. */
export function renderTable(rows: readonly (readonly string[])[], columns: number | null): string {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths: number[] = [];
  for (let at = 0; at < count - 1; at += 1) {
    let widest = 0;
    for (const row of rows) widest = Math.max(widest, displayWidth(row[at] ?? ''));
    widths.push(columns === null ? widest : Math.min(widest, maxColumn));
  }
  let text = '';
  for (const row of rows) {
    let line = '';
    let used = 0;
    for (const [at, width] of widths.entries()) {
      // A column in which nothing is written takes no room.
      if (width === 0) continue;
      line += `${padToWidth(cutToWidth(row[at] ?? '', width), width)}  `;
      used += width + 2;
    }
    const last = row[count - 1] ?? '';
    line += columns === null ? last : cutToWidth(last, Math.max(8, columns - used));
    text += `${line.trimEnd()}\n`;
  }
  return text;
}

/** `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
