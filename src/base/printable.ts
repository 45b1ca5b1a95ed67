// Text that is safe to show in a terminal.
//
// P1. What a skill says reaches the screen as characters, never as commands to the
//     terminal: C0, C1, bidi controls, zero-width and tag characters are shown as escapes.
// P2. Emoji that need a joiner or a selector keep it.

/** Ranges of code points that a terminal hides or obeys; tab and newline are not among them. */
const hiddenRanges: readonly (readonly [number, number])[] = [
  [0x00, 0x08], // C0 controls
  [0x0b, 0x1f],
  [0x7f, 0x9f], // DEL and C1 controls
  [0xad, 0xad], // soft hyphen
  [0x61c, 0x61c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels
  [0x180b, 0x180f], // Mongolian selectors
  [0x200b, 0x200f], // zero width and direction marks
  [0x2028, 0x202e], // separators, embeddings and overrides
  [0x2060, 0x206f], // word joiner, invisible operators, isolates
  [0x3164, 0x3164], // Hangul filler
  [0xd800, 0xdfff], // half of a surrogate pair
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb], // interlinear annotation
  [0xe0000, 0xe0fff], // tags and supplementary selectors
];
const hiddenClass = hiddenRanges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('');
const hidden = new RegExp(`[${hiddenClass}]`, 'u');
const hiddenEverywhere = new RegExp(hidden.source, 'gu');
const joinedEmoji = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;

/** `text` with every invisible or controlling character written as an escape; newlines and tabs stay. */
export function printable(text: string): string {
  if (!hidden.test(text)) return text;
  const joiners = new Set<number>();
  for (const match of text.matchAll(joinedEmoji)) joiners.add(match.index);
  return text.replace(hiddenEverywhere, (found, at: number) => (joiners.has(at) ? found : escapeOf(found)));
}

/** `printable`, on one line: line ends and tabs become single spaces. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\r\n\t\u2028\u2029]+/g, ' '));
}

export function hasHiddenCharacters(text: string): boolean {
  return printable(text) !== text;
}

function escapeOf(character: string): string {
  const point = character.codePointAt(0) as number;
  return `\\u{${point.toString(16).toUpperCase()}}`;
}
