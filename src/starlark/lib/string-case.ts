// lower, upper, title, capitalize, and isalpha and its kin, by Unicode categories: letters are L, digits Nd, cased letters
// Lu, Ll and Lt. (Python's cases are the properties Uppercase and Lowercase, and it has more digits: see template/.)
//
// Each test looks for a character that speaks against it, a search that goes over the text once.
import { changeCase, isAscii } from '../../python/change-text.ts';
import { titleCaseOf } from '../../python/letter-case.ts';
import { spaces } from '../../python/white-space.ts';
import { fixed, type Native, type Thread } from '../value/native.ts';
import { TextBuilder } from '../value/text-builder.ts';

const notAlpha = /\P{L}/u;
const notDigit = /\P{Nd}/u;
const notAlnum = /[^\p{L}\p{Nd}]/u;
const notSpace = new RegExp(`[^${spaces}]`);
const hasLower = /\p{Ll}/u;
const hasUpper = /\p{Lu}/u;
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
    if (isLower(character) !== inWord || (!inWord && titleCaseOf(character) !== character)) return false;
    any = true;
    inWord = true;
  }
  return any;
}

const cased = /^[\p{Lu}\p{Ll}\p{Lt}]/u;
const lowerLetter = /^\p{Ll}/u;

function isCased(character: string): boolean {
  const unit = character.charCodeAt(0);
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
  return cased.test(character);
}

function isLower(character: string): boolean {
  return lowerLetter.test(character);
}

function lower(thread: Thread, self: string): string {
  return changeCase(thread.meter, self, (text) => text.toLowerCase());
}

function upper(thread: Thread, self: string): string {
  return changeCase(thread.meter, self, (text) => text.toUpperCase());
}

/** The first letter of each word in title case, the others in lower case; a word is a run of cased letters. */
function title(thread: Thread, self: string): string {
  thread.meter.work(1 + (self.length >> 1));
  if (isAscii(self)) return asciiTitle(thread, self);
  thread.meter.work(self.length * 3);
  const out = new TextBuilder(thread.meter);
  let inWord = false;
  for (const character of self) {
    if (isCased(character)) {
      out.add(inWord ? character.toLowerCase() : titleCaseOf(character));
      inWord = true;
    } else {
      out.add(character);
      inWord = false;
    }
  }
  return out.finish();
}

function asciiTitle(thread: Thread, self: string): string {
  const text = self.toLowerCase();
  const out = new TextBuilder(thread.meter);
  let from = 0;
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isLetter = unit >= 0x61 && unit <= 0x7a;
    if (isLetter && !inWord) {
      if (i > from) out.add(text.slice(from, i));
      out.add(String.fromCharCode(unit - 0x20));
      from = i + 1;
    }
    inWord = isLetter;
  }
  out.add(text.slice(from));
  return out.finish();
}

function capitalize(thread: Thread, self: string): string {
  if (self === '') return self;
  const first = String.fromCodePoint(self.codePointAt(0) as number);
  return changeCase(
    thread.meter,
    self,
    (text) => titleCaseOf(first) + text.slice(first.length).toLowerCase(),
  );
}

export const caseMethods: readonly Native[] = [
  fixed('lower', '', lower),
  fixed('upper', '', upper),
  fixed('title', '', title),
  fixed('capitalize', '', capitalize),
  tester('isalnum', (text) => text !== '' && !notAlnum.test(text)),
  tester('isalpha', (text) => text !== '' && !notAlpha.test(text)),
  tester('isdigit', (text) => text !== '' && !notDigit.test(text)),
  tester('isspace', (text) => text !== '' && !notSpace.test(text)),
  tester('islower', (text) => hasLower.test(text) && !notLower.test(text)),
  tester('isupper', (text) => hasUpper.test(text) && !notUpper.test(text)),
  tester('istitle', isTitle),
];
