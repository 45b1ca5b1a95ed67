// Lines that end in CR alone, as on old Macs.
//
// The first line end of a file decides, so that the head of a file and the whole file agree. The result is as long as the
// text, so offsets are the same in both.

/** Whether lines end in CR alone. */
export function hasLoneReturns(text: string): boolean {
  const at = text.indexOf('\r');
  if (at === -1 || at + 1 >= text.length || text.charCodeAt(at + 1) === 10) return false;
  const newline = text.indexOf('\n');
  return newline === -1 || newline > at;
}

/** `text` with line feeds where it has lone returns for line ends; most often the same text. */
export function withLineFeeds(text: string): string {
  return hasLoneReturns(text) ? text.replace(/\r(?!\n)/g, '\n') : text;
}
