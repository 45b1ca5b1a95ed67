// lower, upper, title and capitalize.
import { chargeString } from '../value/charge.ts';
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
  thread.meter.work(text.length >> 2);
  const grows = text.length > SMALL_UNITS && notAscii.test(text);
  if (!grows) {
    const result = change(text);
    if (result.length > text.length) thread.meter.allocate((result.length - text.length) * 2);
    return result;
  }
  thread.meter.work(text.length >> 2);
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
  thread.meter.work(1 + (self.length >> 1));
  if (!notAscii.test(self)) return asciiTitle(thread, self);
  thread.meter.work(self.length * 3);
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
  return changed(thread, self, (text) => titleOf(first) + text.slice(first.length).toLowerCase());
}

export const caseMethods: readonly Native[] = [
  fixed('lower', '', lower),
  fixed('upper', '', upper),
  fixed('title', '', title),
  fixed('capitalize', '', capitalize),
];
