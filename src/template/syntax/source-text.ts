// A source as it was given -> the text that is lexed, and the way back.
//
// Line ends are made one ("\r\n" and "\r" are "\n"), and one line end at the very end is dropped, as Jinja does.
// Offsets into the text are turned into offsets into the source by `original`.

export interface SourceText {
  readonly text: string;
  readonly original: (offset: number) => number;
}

const same = (offset: number): number => offset;

export function readSource(source: string): SourceText {
  if (!source.includes('\r')) return { text: withoutLastLineEnd(source), original: same };
  // Where, in the text, a unit of the source went missing just before.
  const dropped: number[] = [];
  const text = source.replace(/\r\n?/g, (end: string, at: number) => {
    if (end.length === 2) dropped.push(at + 1 - dropped.length);
    return '\n';
  });
  return { text: withoutLastLineEnd(text), original: (offset) => offset + countUpTo(dropped, offset) };
}

function withoutLastLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
