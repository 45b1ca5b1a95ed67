// A word as it is compared: lower case, compatibility forms made plain, accents and vowel points gone.
//
// - ASCII takes a short way: most words are.
// - Marks of scripts that cannot be read without them stay (Devanagari, Thai …): only Latin, Greek and Cyrillic
//   accents, Hebrew points and Arabic vowels go.

const ascii = /^[\x00-\x7f]*$/;
const optionalMarks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;

export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower.normalize('NFKD').replace(optionalMarks, '').normalize('NFC').toLowerCase();
}
