// A character -> the letter that a reader of a mark takes it for.
//
// Appearance decides: letters lose accents, wide and styled letters become plain (NFKD), and letters of other scripts
// become those of a mark that they resemble. The match is generous, since a whole mark must be spelt before any of it
// counts. Blanks and invisible characters count as nothing: controls, format characters, lone accents, halves of pairs.

/** Drawn alike -> the letters in the same order; only those that marks are spelt with. */
const tables: readonly (readonly [string, string])[] = [
  // Cyrillic, small and capital
  [
    '\u0430\u0441\u0435\u04bb\u043d\u04cf\u0456\u043a\u043c\u043f\u043e\u0440\u0433\u0455\u0442\u0445\u0443',
    'acehhlikmnoprstxy',
  ],
  [
    '\u0410\u0421\u0415\u04ba\u041d\u04c0\u0406\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u0423',
    'acehhlikmopstxy',
  ],
  // Greek, small and capital
  ['\u03b1\u03b5\u03b7\u03b9\u03ba\u03bf\u03c1\u03c4\u03c5\u03c7\u03b3\u03c2', 'aenikoptuxyc'],
  ['\u0391\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7', 'aehikmnoptyx'],
  // With a stroke or without a dot; small capitals; Armenian
  ['\u0127\u0131\u0142\u00f8\u0167', 'hilot'],
  [
    '\u1d00\u1d04\u1d07\u029c\u026a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u028f',
    'acehiklmnoprstuy',
  ],
  ['\u057d\u054d', 'uu'],
];
const drawnAs: ReadonlyMap<string, string> = new Map(
  tables.flatMap(([from, to]) => Array.from(from, (letter, at): [string, string] => [letter, to.charAt(at)])),
);

/** The first of 26 letters each, which have no plain form: in black circles, in black squares, of flags. */
const boxedFrom = [0x1f150, 0x1f170, 0x1f1e6];

/** The Braille pattern without a dot is a blank in all but name. */
const nothing = /^[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]$/u;
const accents = /[\s\p{C}\p{M}]/gu;
/** Low lines and ties; the double low line and the low macron are of another kind by Unicode. */
const lowLine = /^[\p{Pc}\u2017\u02cd]$/u;

/** Small letters and signs of ASCII where it looks like those, '' for what is nothing, else whatever it is. */
export function drawnLetters(character: string): string {
  if (character >= '!' && character <= '~') return character.toLowerCase();
  if (nothing.test(character)) return '';
  if (lowLine.test(character)) return '_';
  const point = character.codePointAt(0) as number;
  const boxed = boxedFrom.find((first) => point >= first && point < first + 26);
  if (boxed !== undefined) return String.fromCodePoint(0x61 + point - boxed);
  return Array.from(
    character.normalize('NFKD').replaceAll(accents, ''),
    (letter) => drawnAs.get(letter) ?? letter,
  )
    .join('')
    .toLowerCase();
}
