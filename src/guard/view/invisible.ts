// Characters that a person does not see, and what they say.
//
//   text -> the places of invisible characters, which of them are usual, and what runs of them spell
//
// Not findings: a byte order mark at the start; joiners and selectors of emoji; flags made of tags; joiners in scripts that need
// them (Arabic, Persian, Indic …); direction marks in lines with right-to-left letters; a single variation selector after a
// character that can have one; a zero-width space between characters of scripts without spaces.
import { decodeUtf8 } from '../../base/utf8.ts';

export type InvisibleWay = 'tags' | 'variation-selector' | 'zero-width' | 'bidi' | 'soft-hyphen';

/** Consecutive invisible characters. */
export interface InvisibleRun {
  readonly start: number;
  readonly end: number;
  readonly ways: ReadonlySet<InvisibleWay>;
  /** They are where they belong. */
  readonly usual: boolean;
  /** What they spell: tags as letters, selectors and zero-width characters as bytes. '' where they spell nothing. */
  readonly spelled: string;
}

/** Ranges in hexadecimal. */
const ranges =
  'ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 2800 3164 fe00-fe0f feff ffa0 fff9-fffb 1d173-1d17a e0000-e0fff';
const invisible = new RegExp(
  `[${ranges.replaceAll(/[\da-f]+/g, (hex) => `\\u{${hex}}`).replaceAll(' ', '')}]+`,
  'gu',
);

function wayOf(point: number): InvisibleWay {
  if (point >= 0xe0000 && point <= 0xe007f) return 'tags';
  if ((point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef))
    return 'variation-selector';
  if (point === 0xad) return 'soft-hyphen';
  if (
    point === 0x200e ||
    point === 0x200f ||
    point === 0x61c ||
    (point >= 0x202a && point <= 0x202e) ||
    (point >= 0x2066 && point <= 0x2069)
  )
    return 'bidi';
  return 'zero-width';
}

export function* invisibleRuns(text: string): Generator<InvisibleRun> {
  invisible.lastIndex = 0;
  for (const match of text.matchAll(invisible)) {
    const start = match.index;
    const points = Array.from(match[0], (character) => character.codePointAt(0) as number);
    yield {
      start,
      end: start + match[0].length,
      ways: new Set(points.map(wayOf)),
      usual: isUsual(text, start, match[0], points),
      spelled: spelledBy(points),
    };
  }
}

const flagTags = new Set(['gbeng', 'gbsct', 'gbwls']);

function isUsual(text: string, start: number, run: string, points: readonly number[]): boolean {
  const before = pointBefore(text, start);
  const after = text.codePointAt(start + run.length) ?? 0;
  const [first] = points;
  if (start === 0 && run === '\uFEFF') return true;
  // A flag: a black flag, letters, the end mark.
  if (first !== undefined && wayOf(first) === 'tags')
    return before === 0x1f3f4 && points.at(-1) === 0xe007f && flagTags.has(tagLetters(points.slice(0, -1)));
  const rest = points[0] === 0xfe0f || points[0] === 0xfe0e ? points.slice(1) : points;
  if (rest.length < points.length && !isPictograph(before) && !isKeycap(before, after))
    return before > 0x7f && points.length === 1;
  if (rest.length === 0) return true;
  if (rest.length > 1)
    return rest.every((point) => wayOf(point) === 'bidi' && !isOverride(point)) && isRightToLeft(text, start);
  const point = rest[0] as number;
  switch (wayOf(point)) {
    case 'tags':
      return false;
    case 'variation-selector':
      return before > 0x7f;
    case 'soft-hyphen':
      return false;
    case 'bidi':
      return !isOverride(point) && isRightToLeft(text, start);
    case 'zero-width':
      if (point === 0x200d && isPictograph(after))
        return isPictograph(before) || (before >= 0x1f3fb && before <= 0x1f3ff) || before === 0xfe0f;
      if (point === 0x200c || point === 0x200d)
        return needsJoiners(before) && (needsJoiners(after) || after <= 0x7f);
      if (point === 0x200b || point === 0x2060 || point === 0xfeff)
        return hasNoSpaces(before) || hasNoSpaces(after);
      // Fillers, Mongolian and Khmer signs belong to their scripts; blank Braille to Braille.
      return (
        before > 0x7f &&
        (point === 0x2800 ? before >= 0x2800 && before <= 0x28ff : point < 0x2000 || point === 0x3164)
      );
  }
}

function isOverride(point: number): boolean {
  return point === 0x202d || point === 0x202e;
}

function isKeycap(before: number, after: number): boolean {
  return after === 0x20e3 && ((before >= 48 && before <= 57) || before === 35 || before === 42);
}

const pictograph = /^\p{Extended_Pictographic}$/u;

function isPictograph(point: number): boolean {
  if (point < 0xa9) return false;
  return (point >= 0x1f3fb && point <= 0x1f3ff) || pictograph.test(String.fromCodePoint(point));
}

/** Arabic, Syriac, Thaana, N'Ko, Indic scripts, Thai to Myanmar, Khmer, Mongolian. */
function needsJoiners(point: number): boolean {
  return (
    (point >= 0x600 && point <= 0x10ff) ||
    (point >= 0x1780 && point <= 0x18af) ||
    (point >= 0xfb50 && point <= 0xfdff) ||
    (point >= 0xfe70 && point <= 0xfefe)
  );
}

/** Thai, Lao, Tibetan, Myanmar, Khmer, Chinese, Japanese. */
function hasNoSpaces(point: number): boolean {
  return (
    (point >= 0xe00 && point <= 0x109f) ||
    (point >= 0x1780 && point <= 0x17ff) ||
    (point >= 0x2e80 && point <= 0x9fff) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0xff00 && point <= 0xffef)
  );
}

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

function isRightToLeft(text: string, at: number): boolean {
  return rightToLeft.test(text.slice(Math.max(0, at - 120), at + 120));
}

function pointBefore(text: string, at: number): number {
  if (at === 0) return 0;
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 1 ? (text.codePointAt(at - 2) as number) : unit;
}

/** More than a text that is read can hold. */
const maxSpelled = 1024 * 1024;

function spelledBy(points: readonly number[]): string {
  const letters = tagLetters(points);
  if (letters.length >= 2) return letters;
  const selectors = points.filter((point) => wayOf(point) === 'variation-selector');
  if (selectors.length >= 2) {
    const bytes = selectors
      .slice(0, maxSpelled)
      .map((point) => (point < 0xe0100 ? point - 0xfe00 : point - 0xe0100 + 16));
    const { text, valid } = decodeUtf8(Uint8Array.from(bytes));
    return valid && isReadable(text) ? text : '';
  }
  return bitsOf(points);
}

function tagLetters(points: readonly number[]): string {
  let letters = '';
  for (const point of points)
    if (point >= 0xe0020 && point <= 0xe007e && letters.length < maxSpelled)
      letters += String.fromCharCode(point - 0xe0000);
  return letters;
}

/** Zero-width characters of two kinds as bits, most significant first, in both senses. */
function bitsOf(points: readonly number[]): string {
  const kinds = [...new Set(points)];
  if (points.length < 16 || kinds.length > 3) return '';
  for (const [zero, one] of [
    [0x200b, 0x200c],
    [0x200c, 0x200b],
    [0x200b, 0x200d],
    [0x200d, 0x200b],
    [0x200c, 0x200d],
    [0x200d, 0x200c],
    [kinds[0], kinds[1]],
    [kinds[1], kinds[0]],
  ]) {
    const bits = points
      .filter((point) => point === zero || point === one)
      .map((point) => (point === one ? 1 : 0));
    const bytes = new Uint8Array(Math.min(bits.length >> 3, maxSpelled));
    for (let at = 0; at < bytes.length * 8; at += 1)
      bytes[at >> 3] = ((bytes[at >> 3] as number) << 1) | (bits[at] as number);
    const { text, valid } = decodeUtf8(bytes);
    if (valid && text.length > 1 && isReadable(text)) return text;
  }
  return '';
}

/** Text and not data: almost no controls, and hardly anything but letters, digits and usual signs. */
export function isReadable(text: string): boolean {
  let bad = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (
      unit < 32
        ? unit !== 9 && unit !== 10 && unit !== 13
        : unit === 127 || unit === 0xfffd || (unit > 127 && unit < 160)
    )
      bad += 1;
  }
  return text.length > 0 && bad * 50 <= text.length;
}
