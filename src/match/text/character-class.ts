// A code point -> its class for reading words.
//
// Scripts without spaces between words are `unspaced`: their runs are read in pairs of characters. The basic plane is
// looked up in a table that fills as it is used; beyond it patterns decide each time.
import { unfold } from './unfold.ts';

const separator = 1;
export const letter = 2;
export const digit = 3;
/** Between two words it makes one compound of them: `fine-tune`, `snake_case`, `plugins.toml`. */
const joiner = 4;
export const unspaced = 5;

const isUnspaced = new RegExp(
  unfold`[
    \p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}
    \p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc
  ]`,
  'u',
);
const isWord = /[\p{L}\p{M}]/u;
const isDigit = /\p{N}/u;

/** By code unit; 0 when it is not known yet, or half of a pair: then `classAt` decides. */
export const classes = new Uint8Array(0x1_0000);
for (let code = 0; code < 128; code += 1) {
  const upper = code & ~0x20;
  if (upper >= 65 && upper <= 90) classes[code] = letter;
  else if (code >= 48 && code <= 57) classes[code] = digit;
  else classes[code] = code === 45 || code === 46 || code === 95 ? joiner : separator;
}

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (isUnspaced.test(character)) return unspaced;
  if (isWord.test(character)) return letter;
  return isDigit.test(character) ? digit : separator;
}

/** The class of the character that starts at a place; a lone half of a pair is not a character. */
export function classAt(units: Uint16Array, at: number, to: number): number {
  const unit = units[at] as number;
  const known = classes[unit] as number;
  if (known !== 0) return known;
  if (unit < 0xd800 || unit > 0xdfff) return (classes[unit] = classify(unit));
  return isPair(units, at, to)
    ? classify(((unit - 0xd800) << 10) + ((units[at + 1] as number) - 0xdc00) + 0x1_0000)
    : separator;
}

/** Whether two code units make the character at a place. */
export function isPair(units: Uint16Array, at: number, to: number): boolean {
  const unit = units[at] as number;
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= to) return false;
  const next = units[at + 1] as number;
  return next >= 0xdc00 && next <= 0xdfff;
}
