// A text -> its letters, in one case and width, and the places of its lines in them (trace-texts.ts).
//
// Text is folded piece by piece, since one sign may become eighteen: only letters are held in memory. A piece ends with
// a line, or in a very long one where folding both sides gives the same as folding the whole. The limit counts folded
// letters; nothing is read beyond `maxLetters` and one piece.

export interface Letters {
  /** In UTF-8. */
  readonly all: Uint8Array;
  /** Without lines that import something; the same array where there are none. */
  readonly running: Uint8Array;
  /** Those of `minLineLetters` and more. */
  readonly lines: readonly LetterLine[];
  /** What the text came to, to be held against `maxLetters`. */
  readonly count: number;
  readonly isWhole: boolean;
}

/** A part of `all`. */
export interface LetterLine {
  readonly begin: number;
  readonly end: number;
  readonly words: number;
  /** Where its text begins after `file:` and `file:7:`, which search programs put before it. */
  readonly parts: readonly number[];
}

export const minLineLetters = 8;
const maxParts = 3;
const pieceUnits = 4096;

export function readLetters(text: string, maxLetters = Number.POSITIVE_INFINITY): Letters {
  const reader = new LetterReader(Math.min(text.length, maxLetters));
  let units = 0;
  let at = 0;
  while (at < text.length && Math.max(units, reader.length) <= maxLetters) {
    const end = cutAfter(text, at);
    const folded = fold(text.slice(at, end));
    reader.read(folded);
    units += Math.max(folded.length, end - at);
    at = end;
  }
  const count = Math.max(units, reader.length);
  return { ...reader.end(), count, isWhole: at >= text.length && count <= maxLetters };
}

/** More marks on one sign than any writing has: putting them in order takes the square of their number. */
const surplusMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

function fold(text: string): string {
  return text.replaceAll(surplusMarks, '$1').normalize('NFKC').toLowerCase();
}

function cutAfter(text: string, from: number): number {
  const most = from + pieceUnits;
  if (most >= text.length) return text.length;
  for (let at = most; at > from; at -= 1)
    if (
      isLineEnd(text.charCodeAt(at - 1)) ||
      (text[at - 1] === 'n' && text[at - 2] === '\\' && at - 2 >= from)
    )
      return at;
  for (let at = most; at > most - 64; at -= 1) if (isCut(text, at)) return at;
  return most;
}

function isCut(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const [before, after] = [text.slice(at - 8, at), text.slice(at, at + 8)];
  return (
    (unit < 0xdc00 || unit > 0xdfff) &&
    !before.endsWith('\\') &&
    fold(before + after) === fold(before) + fold(after)
  );
}

function isLineEnd(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029;
}

const imports =
  /^[ \t]*(?:import [\w.]+(?: as \w+)?|from [\w.]+ import \w+(?:, ?\w+)*|import (?:\w+|\{[^}\n]*\}|\* as \w+) from ["'][^"'\n]*["'];?|#include [<"][\w./]+[>"])[ \t]*$/;

class LetterReader {
  length = 0;
  #bytes: Uint8Array;
  readonly #lines: LetterLine[] = [];
  /** Begin and end of lines that import something. */
  readonly #gaps: (readonly [number, number])[] = [];
  #begin = 0;
  #words = 0;
  #inWord = false;
  #parts: number[] = [];
  /** Whether the line began in an earlier piece. */
  #isLong = false;
  /** The line that no line end has followed yet, where it lies in the last piece alone. */
  #last: string | null = null;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room + 3 * pieceUnits);
  }

  read(folded: string): void {
    this.#makeRoom(folded.length * 3);
    let start = 0;
    for (let at = 0; at < folded.length; at += 1) {
      const unit = folded.charCodeAt(at);
      // Also as it stands in JSON.
      const isEscape = unit === 0x5c && folded.charCodeAt(at + 1) === 0x6e;
      if (isEscape || isLineEnd(unit)) {
        this.#endLine(this.#isLong ? null : folded.slice(start, at));
        if (isEscape) at += 1;
        start = at + 1;
      } else if (unit < 0x80) {
        if (unit >= 0x61 && unit <= 0x7a) {
          this.#bytes[this.length++] = unit;
          this.#countWord();
        } else if (unit === 0x20 || (unit >= 0x09 && unit <= 0x0c)) {
          this.#inWord = false;
        } else if (unit === 0x3a && this.#parts.length < maxParts) {
          this.#parts.push(this.length);
        }
      } else {
        const point = folded.codePointAt(at) as number;
        if (point > 0xffff) at += 1;
        if (isLetter(point)) {
          this.#put(point);
          this.#countWord();
        }
      }
    }
    this.#last = start < folded.length && !this.#isLong ? folded.slice(start) : null;
    this.#isLong = this.#isLong || start < folded.length;
  }

  end(): Pick<Letters, 'all' | 'running' | 'lines'> {
    this.#endLine(this.#last);
    const all = this.#bytes.slice(0, this.length);
    return { all, running: this.#gaps.length === 0 ? all : without(all, this.#gaps), lines: this.#lines };
  }

  #endLine(line: string | null): void {
    const [begin, end] = [this.#begin, this.length];
    if (line !== null && end > begin && imports.test(line)) this.#gaps.push([begin, end]);
    if (end - begin >= minLineLetters)
      this.#lines.push({
        begin,
        end,
        words: this.#words,
        parts: this.#parts.filter((part) => end - part >= minLineLetters && part > begin),
      });
    this.#begin = end;
    this.#words = 0;
    this.#inWord = false;
    if (this.#parts.length > 0) this.#parts = [];
    this.#isLong = false;
  }

  #countWord(): void {
    if (!this.#inWord) this.#words += 1;
    this.#inWord = true;
  }

  #put(point: number): void {
    const bytes = this.#bytes;
    if (point < 0x800) {
      bytes[this.length++] = 0xc0 | (point >> 6);
    } else {
      if (point < 0x10000) {
        bytes[this.length++] = 0xe0 | (point >> 12);
      } else {
        bytes[this.length++] = 0xf0 | (point >> 18);
        bytes[this.length++] = 0x80 | ((point >> 12) & 0x3f);
      }
      bytes[this.length++] = 0x80 | ((point >> 6) & 0x3f);
    }
    bytes[this.length++] = 0x80 | (point & 0x3f);
  }

  #makeRoom(bytes: number): void {
    if (this.length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.length + bytes, Math.ceil(this.#bytes.length * 1.5)));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

function without(all: Uint8Array, gaps: readonly (readonly [number, number])[]): Uint8Array {
  const rest = new Uint8Array(all.length);
  let length = 0;
  let from = 0;
  for (const [begin, end] of [...gaps, [all.length, all.length] as const]) {
    rest.set(all.subarray(from, begin), length);
    length += begin - from;
    from = end;
  }
  return rest.slice(0, length);
}

const letter = /^\p{L}$/u;
/** Of the first 64 Ki signs: 1 for a letter, 2 for none, 0 when it was not looked at. A pattern for each sign takes long. */
const looked = new Uint8Array(0x10000);

function isLetter(point: number): boolean {
  if (point > 0xffff) return letter.test(String.fromCodePoint(point));
  if (looked[point] === 0) looked[point] = letter.test(String.fromCharCode(point)) ? 1 : 2;
  return looked[point] === 1;
}
