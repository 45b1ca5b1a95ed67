// Text and JSON that are safe to show in a terminal.
//
// Text from a skill reaches the screen as characters, never as commands to the terminal: what a reader does not see or a
// terminal obeys is shown as an escape. Emoji keep the joiner or selector that they need. JSON keeps its value: there the
// escape is `\uXXXX`, which every JSON reader decodes.

/** `text` with every invisible or controlling character written as an escape; newlines and tabs stay. */
export function printable(text: string): string {
  return escapeHidden(text, escapeOf);
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

/** JSON that is safe to show, of the same value. `indent` as of JSON.stringify. */
export function renderJson(value: unknown, indent = 0): string {
  return escapeUnsafe(JSON.stringify(value, null, indent));
}

/** Most JSON is plain ASCII, and that is quickly seen. */
const plain = /^[\n -~]*$/;

/** The same for text that is JSON already. */
export function escapeUnsafe(json: string): string {
  return plain.test(json) ? json : escapeHidden(json, escapeUnits);
}

function escapeUnits(found: string): string {
  let escaped = '';
  for (let at = 0; at < found.length; at += 1)
    escaped += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}

// The table of characters that a reader does not see or a terminal obeys.
//
// Controls, format characters, halves of surrogate pairs, line and paragraph separators, and everything that Unicode
// calls Default_Ignorable_Code_Point (tested against the engine's own data). It is a table because looking up Unicode
// properties costs more at start-up than all other patterns together. Tab and newline are not in it: code that shows
// one line removes them first. A selector, joiner or tag that belongs to an emoji is kept.

const ranges: readonly (readonly [number, number])[] = [
  [0x00, 0x08], // C0 controls
  [0x0b, 0x1f],
  [0x7f, 0x9f], // DEL and C1 controls
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // combining grapheme joiner
  [0x600, 0x605], // Arabic number signs
  [0x61c, 0x61c], // Arabic letter mark
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels
  [0x180b, 0x180f], // Mongolian selectors
  [0x200b, 0x200f], // zero width and direction marks
  [0x2028, 0x202e], // separators, embeddings and overrides
  [0x2060, 0x206f], // word joiner, invisible operators, isolates
  [0x3164, 0x3164], // Hangul filler
  [0xd800, 0xdfff], // half of a surrogate pair
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb], // interlinear annotation
  [0x110bd, 0x110bd], // Kaithi number signs
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f], // Egyptian format controls
  [0x1bca0, 0x1bca3], // shorthand format controls
  [0x1d173, 0x1d17a], // musical format controls
  [0xe0000, 0xe0fff], // tags and supplementary selectors
];
const hiddenClass = `[${ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('')}]`;
const hidden = new RegExp(hiddenClass, 'u');
const hiddenEverywhere = new RegExp(hiddenClass, 'gu');

const tagWord = (letters: string): string =>
  Array.from(letters, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) as number))).join('');
const flags = ['gbeng', 'gbsct', 'gbwls'].map(tagWord).join('|');
let emojiParts: RegExp | null = null;

/** Made when the first hidden character is met: most runs never need it. */
function partsOfEmoji(): RegExp {
  emojiParts ??= new RegExp(
    [
      String.raw`(?<=\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})`,
      String.raw`(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]`,
      String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
      String.raw`(?<=\u{1F3F4})(?:${flags})\u{E007F}`,
    ].join('|'),
    'gu',
  );
  return emojiParts;
}

/** `text` with every hidden character replaced by what `escape` makes of it; those of emoji stay. */
export function escapeHidden(text: string, escape: (character: string) => string): string {
  if (!hidden.test(text)) return text;
  const kept = new Set<number>();
  for (const match of text.matchAll(partsOfEmoji())) {
    for (let at = match.index; at < match.index + match[0].length; at += 1) kept.add(at);
  }
  return text.replace(hiddenEverywhere, (found, at: number) => (kept.has(at) ? found : escape(found)));
}
