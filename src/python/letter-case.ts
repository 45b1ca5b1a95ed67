// The title case of a character, after the Unicode tables that JavaScript includes, without a locale.
//
// JavaScript has no title case. It is upper case except where SpecialCasing.txt and UnicodeData.txt differ:
// the digraphs such as ǆ, Greek letters with a subscript iota, Georgian letters, and letters that become several.

/** `character` is one code point. */
export function titleCaseOf(character: string): string {
  const point = character.codePointAt(0) as number;
  if (point < 0x80) return character.toUpperCase();
  // Ǆ ǅ ǆ Ǉ ǈ ǉ Ǌ ǋ ǌ and Ǳ ǲ ǳ: the middle one of three.
  if (point >= 0x1c4 && point <= 0x1cc) return String.fromCharCode(point - ((point - 0x1c4) % 3) + 1);
  if (point >= 0x1f1 && point <= 0x1f3) return '\u01f2';
  if (point >= 0x10d0 && point <= 0x10ff) return character;
  if (point >= 0x1f80 && point <= 0x1fff) return greekTitle(character, point);
  const upper = character.toUpperCase();
  if (upper.length <= character.length || point === 0x149) return upper;
  // ß to Ss, ﬁ to Fi: only the first of the letters that it becomes. In ŉ the first one is an apostrophe.
  const first = String.fromCodePoint(upper.codePointAt(0) as number);
  return first + upper.slice(first.length).toLowerCase();
}

function greekTitle(character: string, point: number): string {
  // ᾀ to ᾈ; the letters from ᾈ are in title case.
  if (point <= 0x1faf) return String.fromCharCode(point | 8);
  if (point === 0x1fb3 || point === 0x1fc3 || point === 0x1ff3) return String.fromCharCode(point + 9);
  if (point === 0x1fbc || point === 0x1fcc || point === 0x1ffc) return character;
  // The iota goes below the letter again.
  return point === 0x1fbe ? '\u0399' : character.toUpperCase().replace(/\u0399$/, '\u0345');
}
