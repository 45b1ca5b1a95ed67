// A word -> its form for comparison: lower case, compatibility forms made plain, accents and vowel points removed.
//
// ASCII takes a short way, since most words are ASCII. Only Latin, Greek and Cyrillic accents, Hebrew points and Arabic
// vowels are removed: other scripts (Devanagari, Thai …) cannot be read without their marks.

const ascii = /^[\x00-\x7f]*$/;
const optionalMarks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;

export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower.normalize('NFKD').replace(optionalMarks, '').normalize('NFC').toLowerCase();
}
