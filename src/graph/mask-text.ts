// A Markdown text with everything that is not prose replaced by spaces, so that it holds no links, headings or tasks.
//
//   code fences, code spans, `%% … %%`, `<!-- … -->`, `$$ … $$`, `$ … $`  ->  spaces; line ends stay
//
// The result is as long as the text. A fence or comment that is never closed reaches to the end, as Obsidian shows it; a code
// span, a `$` or a single `%%` that is never closed is text.

const special = /`|~~~|%%|<!--|\$/g;

export function maskText(text: string, from: number): string {
  const spans = [...spansToMask(text, from)];
  if (spans.length === 0) return text;
  let masked = '';
  let at = 0;
  for (const [start, end] of spans) {
    masked += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
  return masked + text.slice(at);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}

function* spansToMask(text: string, from: number): Iterable<readonly [number, number]> {
  const closers = new Closers(text);
  special.lastIndex = from;
  for (let hit = special.exec(text); hit !== null; hit = special.exec(text)) {
    const at = hit.index;
    const end = spanEnd(text, at, hit[0], closers);
    if (end > at) yield [at, end];
    special.lastIndex = Math.max(Math.abs(end), at + hit[0].length);
  }
}

/** Where the span that opens at `at` ends; negative: none opens, go on at its absolute value. */
function spanEnd(text: string, at: number, mark: string, closers: Closers): number {
  switch (mark) {
    case '`':
    case '~~~': {
      const run = runLength(text, at);
      if (run >= 3 && opensLine(text, at)) return fenceEnd(text, at, run);
      return mark === '~~~' ? -(at + run) : closers.codeSpan(at, run);
    }
    case '%%':
      return closers.next('%%', at + 2, -(at + 2));
    case '<!--':
      return closers.next('-->', at + 4, text.length);
    default:
      return text.startsWith('$$', at) ? closers.next('$$', at + 2, -(at + 2)) : inlineMathEnd(text, at);
  }
}

function runLength(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

/** Only blanks, quote and list marks stand before it on its line. */
function opensLine(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return at - start <= 200 && /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/.test(text.slice(start, at));
}

function fenceEnd(text: string, at: number, run: number): number {
  const mark = text[at] as string;
  for (let line = text.indexOf('\n', at); line >= 0; line = text.indexOf('\n', line + 1)) {
    let start = line + 1;
    while (text[start] === ' ' || text[start] === '\t' || text[start] === '>') start += 1;
    if (text[start] !== mark) continue;
    const length = runLength(text, start);
    if (length < run) continue;
    let rest = start + length;
    while (text[rest] === ' ' || text[rest] === '\t' || text[rest] === '\r') rest += 1;
    if (rest >= text.length || text[rest] === '\n') return start + length;
  }
  return text.length;
}

/** `$` opens math where no blank follows it, and closes it where none precedes and no digit follows: prices are no math. */
function inlineMathEnd(text: string, at: number): number {
  if (text[at - 1] === '\\' || /\s|^$/.test(text[at + 1] ?? '')) return -(at + 1);
  for (let end = at + 1; end < text.length && end - at < 1000 && text[end] !== '\n'; end += 1)
    if (
      text[end] === '$' &&
      text[end - 1] !== '\\' &&
      !/\s/.test(text[end - 1] as string) &&
      !/\d/.test(text[end + 1] ?? '')
    )
      return end + 1;
  return -(at + 1);
}

/** Looks for what closes a span. It remembers where nothing more is found, so that many openers stay cheap. */
class Closers {
  readonly #text: string;
  readonly #noneFrom = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Behind the next `mark` from `from` on, else `otherwise`. */
  next(mark: string, from: number, otherwise: number): number {
    if ((this.#noneFrom.get(mark) ?? Infinity) <= from) return otherwise;
    const at = this.#text.indexOf(mark, from);
    if (at >= 0) return at + mark.length;
    this.#noneFrom.set(mark, from);
    return otherwise;
  }

  /** A code span is closed by a run of exactly as many backticks, in the same paragraph. */
  codeSpan(at: number, run: number): number {
    const text = this.#text;
    const key = '`'.repeat(Math.min(run, 64));
    if ((this.#noneFrom.get(key) ?? Infinity) <= at) return -(at + run);
    const paragraph = text.indexOf('\n\n', at);
    const limit = paragraph < 0 ? text.length : paragraph;
    for (let next = text.indexOf('`', at + run); next >= 0 && next < limit;) {
      const length = runLength(text, next);
      if (length === run) return next + length;
      next = text.indexOf('`', next + length);
    }
    if (paragraph < 0) this.#noneFrom.set(key, at);
    return -(at + run);
  }
}
