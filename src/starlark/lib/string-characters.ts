// isalpha and its kin, by Unicode categories: letters are L, digits Nd, cased letters Lu, Ll and Lt.
//
// Each test looks for a character that speaks against it, a search that goes over the text once.
import { fixed, type Native } from '../value/native.ts';
import { isCased, isLower, titleOf } from './letter-case.ts';

const notAlpha = /\P{L}/u;
const notDigit = /\P{Nd}/u;
const notAlnum = /[^\p{L}\p{Nd}]/u;
// White_Space, as in white-space.ts.
const notSpace = /[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const lower = /\p{Ll}/u;
const upper = /\p{Lu}/u;
const notLower = /[\p{Lu}\p{Lt}]/u;
const notUpper = /[\p{Ll}\p{Lt}]/u;

/** A category is looked up in 10 to 20 ns, except that of a Latin letter. */
function tester(name: string, test: (text: string) => boolean): Native {
  return fixed(name, '', (thread, self: string) => {
    thread.meter.work(1 + self.length);
    return test(self);
  });
}

/** Whether there is a cased letter, each first one of a word is in title case and each later one in lower case. */
function isTitle(text: string): boolean {
  let any = false;
  let inWord = false;
  for (const character of text) {
    if (!isCased(character)) {
      inWord = false;
      continue;
    }
    if (isLower(character) !== inWord || (!inWord && titleOf(character) !== character)) return false;
    any = true;
    inWord = true;
  }
  return any;
}

export const characterMethods: readonly Native[] = [
  tester('isalnum', (text) => text !== '' && !notAlnum.test(text)),
  tester('isalpha', (text) => text !== '' && !notAlpha.test(text)),
  tester('isdigit', (text) => text !== '' && !notDigit.test(text)),
  tester('isspace', (text) => text !== '' && !notSpace.test(text)),
  tester('islower', (text) => lower.test(text) && !notLower.test(text)),
  tester('isupper', (text) => upper.test(text) && !notUpper.test(text)),
  tester('istitle', isTitle),
];
