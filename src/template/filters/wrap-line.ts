// One line -> lines of at most some width, as Python's `textwrap.wrap` with white space kept as it is.
//
// A line is cut into chunks: runs of white space, words, parts of words behind a hyphen, dashes. Chunks are put on a
// line while they fit; white space at the ends of a line is dropped.
import { isBlank } from '../syntax/characters.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { valueError } from '../value/template-error.ts';
import { lengthOf, slicePoints } from '../value/text.ts';

interface WrapOptions {
  readonly width: number;
  /** Whether words behind hyphens are chunks of their own. */
  readonly splitsHyphens: boolean;
  /** Asked only when a word is longer than a line. */
  readonly breaksLong: () => boolean;
  readonly breaksAtHyphens: () => boolean;
}

const space = '\\t\\n\\v\\f\\r ';
const punctuated = '[\\p{L}\\p{N}_!"\'&.,?]';
const letter = '[\\p{L}_]';
const dash = '-{2,}(?=[\\p{L}\\p{N}_])';
/** Behind a hyphen between letters, as in "well-known", but not in "-x". */
const afterHyphen = `-(?:(?<=${letter}{2}-)|(?<=${letter}-${punctuated}-))(?=${letter}-?${letter})`;
const beforeDash = `(?<=${punctuated})(?=-{2,}[\\p{L}\\p{N}_])`;
const wordEnd = `(?:${afterHyphen}|(?=[${space}]|$)|${beforeDash})`;
const hyphenated = new RegExp(`[${space}]+|(?<=${punctuated})${dash}|[^${space}]+?${wordEnd}`, 'gu');
const plain = new RegExp(`[${space}]+|[^${space}]+`, 'gu');

export function wrapLine(e: Evaluation, line: string, options: WrapOptions): readonly string[] {
  const { width } = options;
  if (width <= 0) return valueError(`invalid width ${width} (must be > 0)`);
  e.work(1 + line.length);
  e.meter.allocate(32 * line.length);
  // The last chunk is taken first.
  const chunks = (line.match(options.splitsHyphens ? hyphenated : plain) ?? []).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    e.makeItems(1, 32);
    if (lines.length > 0 && isBlank(chunks.at(-1) as string)) chunks.pop();
    const current = takeLine(e, chunks, options);
    if (current.length > 0 && isBlank(current.at(-1) as string)) current.pop();
    if (current.length > 0) lines.push(current.join(''));
  }
  return lines;
}

function takeLine(
  e: Evaluation,
  chunks: string[],
  { width, breaksLong, breaksAtHyphens }: WrapOptions,
): string[] {
  const current: string[] = [];
  let used = 0;
  while (chunks.length > 0) {
    const length = lengthOf(chunks.at(-1) as string);
    if (used + length > width) break;
    current.push(chunks.pop() as string);
    used += length;
  }
  const next = chunks.at(-1);
  if (next === undefined || lengthOf(next) <= width) return current;
  e.work(1 + (next.length >> 3));
  const left = width < 1 ? 1 : width - used;
  if (!breaksLong()) {
    if (current.length === 0) current.push(chunks.pop() as string);
    return current;
  }
  const end = breaksAtHyphens() ? breakPlace(next, left) : left;
  current.push(slicePoints(next, 0, end));
  chunks[chunks.length - 1] = slicePoints(next, end, lengthOf(next));
  return current;
}

/** Behind a hyphen, where one fits that is not all that is before it. */
function breakPlace(chunk: string, left: number): number {
  const head = Array.from(slicePoints(chunk, 0, Math.min(left, lengthOf(chunk))));
  const hyphen = head.lastIndexOf('-');
  return hyphen > 0 && head.slice(0, hyphen).some((point) => point !== '-') ? hyphen + 1 : left;
}
