// Changes of a text as splices: what no splice covers stays as it was, byte by byte.

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** They must not overlap; those at one place are applied in the order given. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: added } of splices.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + added;
    at = end;
  }
  return result + text.slice(at);
}

/** The line end that a text uses. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}
