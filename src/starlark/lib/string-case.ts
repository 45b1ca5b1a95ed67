// lower, upper, title and capitalize.
import { chargeScan, chargeString } from '../value/charge.ts';
import { fixed, type Native, type Thread } from '../value/native.ts';
import { TextBuilder } from '../value/text-builder.ts';
import { isCased, titleOf } from './letter-case.ts';

/** Texts up to this length are changed first, and what they grew is charged then. */
const SMALL_UNITS = 4096;
const MOST_GROWTH = 3;
const notAscii = /[^\0-\x7f]/;

/** Runs `change`, whose result is at most three times as long, charged before. */
function changed(thread: Thread, text: string, change: (text: string) => string): string {
  chargeString(thread.meter, text.length);
  const grows = text.length > SMALL_UNITS && notAscii.test(text);
  if (!grows) {
    const result = change(text);
    if (result.length > text.length) thread.meter.allocate((result.length - text.length) * 2);
    return result;
  }
  const reserve = text.length * (MOST_GROWTH - 1) * 2;
  thread.meter.allocate(reserve);
  const result = change(text);
  thread.meter.memory -= reserve - Math.max(0, result.length - text.length) * 2;
  return result;
}

function lower(thread: Thread, self: string): string {
  return changed(thread, self, (text) => text.toLowerCase());
}

function upper(thread: Thread, self: string): string {
  return changed(thread, self, (text) => text.toUpperCase());
}

/** The first letter of each word in title case, the others in lower case; a word is a run of cased letters. */
function title(thread: Thread, self: string): string {
  chargeScan(thread.meter, self.length * 8);
  if (self.length <= SMALL_UNITS && !notAscii.test(self)) return asciiTitle(thread, self);
  const out = new TextBuilder(thread.meter);
  let inWord = false;
  for (const character of self) {
    if (isCased(character)) {
      out.add(inWord ? character.toLowerCase() : titleOf(character));
      inWord = true;
    } else {
      out.add(character);
      inWord = false;
    }
  }
  return out.finish();
}

function asciiTitle(thread: Thread, self: string): string {
  chargeString(thread.meter, self.length);
  const text = self.toLowerCase();
  let out = '';
  let from = 0;
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isLetter = unit >= 0x61 && unit <= 0x7a;
    if (isLetter && !inWord) {
      out += text.slice(from, i);
      out += String.fromCharCode(unit - 0x20);
      from = i + 1;
    }
    inWord = isLetter;
  }
  return out + text.slice(from);
}

function capitalize(thread: Thread, self: string): string {
  if (self === '') return self;
  const first = String.fromCodePoint(self.codePointAt(0) as number);
  return changed(thread, self, (text) => titleOf(first) + text.slice(first.length).toLowerCase());
}

export const caseMethods: readonly Native[] = [
  fixed('lower', '', lower),
  fixed('upper', '', upper),
  fixed('title', '', title),
  fixed('capitalize', '', capitalize),
];
