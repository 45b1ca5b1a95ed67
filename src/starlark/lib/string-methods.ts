// The methods of strings that look at letters, search, split and join. Letters are those of Unicode categories: letters are L, digits Nd,
// cased letters Lu, Ll and Lt. (Python uses the properties Uppercase and Lowercase, and has more digits: see template/.)
//
// Each test looks for a character that speaks against it, a search that goes over the text once.
import {
  changeCase,
  hasAffix,
  insertBetween,
  isAscii,
  removeAffix,
  replaceText,
  stripText,
  titleCaseOf,
  isUnicodeSpace,
  spaces,
  PART_BYTES,
  countMatches,
  joinTexts,
  partitionText,
  splitOnSpace,
  splitText,
} from '../../python/text.ts';
import { fixed, type Native, type Thread } from '../value/native.ts';
import { TextBuilder } from '../value/text-builder.ts';
import { chargeRead, chargeScan, listBytes } from '../../python/charge.ts';
import { chargeTuple } from '../value/charge.ts';
import { EvalError } from '../value/eval-error.ts';
import { indexOfText, lastIndexOfText } from '../../python/find-text.ts';
import { excerpt } from '../value/parse-number.ts';
import { Elems, List, Tuple, type Value, ELEMS_BYTES } from '../value/value.ts';
import { detachParts, clampIndex } from '../../python/slice.ts';
import { toArray } from '../value/iterate.ts';
import { typeName } from '../value/type-name.ts';

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

// Methods that look for text in a string: find, index, count, startswith, partition and their kin.

type Argument = Value | undefined;

/** The index of the first or last `sub` in `self[start:end]`, or -1. */
function search(
  thread: Thread,
  method: string,
  last: boolean,
  self: string,
  a: Argument,
  b: Argument,
  c: Argument,
): number {
  const sub = wantString(method, 'sub', a);
  const start = wantIndex(method, 'start', b, self.length, 0);
  const end = wantIndex(method, 'end', c, self.length, self.length);
  // Unlike in Python an empty text is found in an empty range, wherever that lies.
  if (start >= end) {
    thread.meter.work(1);
    return sub === '' ? start : -1;
  }
  chargeRead(thread.meter, self.length);
  if (!last && end === self.length) return indexOfText(thread.meter, self, sub, start);
  const part = self.slice(start, end);
  const found = last ? lastIndexOfText(thread.meter, part, sub) : indexOfText(thread.meter, part, sub, 0);
  return found < 0 ? -1 : found + start;
}

function finder(name: string, last: boolean, fails: boolean): Native {
  return fixed(name, 'sub, start?, end?, /', (thread, self: string, a, b, c) => {
    const found = search(thread, name, last, self, a, b, c);
    if (found < 0 && fails)
      throw new EvalError(
        'EVAL_VALUE',
        `${name}: substring not found: ${excerpt(a as string)}`,
        'find gives -1 instead of an error',
      );
    return found;
  });
}

function count(thread: Thread, self: string, a: Argument, b: Argument, c: Argument): Value {
  const sub = wantString('count', 'sub', a);
  thread.meter.work(1);
  const start = wantIndex('count', 'start', b, self.length, 0);
  const end = wantIndex('count', 'end', c, self.length, self.length);
  if (sub === '') return Math.max(0, end - start) + 1;
  chargeRead(thread.meter, self.length);
  const part = start === 0 && end === self.length ? self : self.slice(start, Math.max(start, end));
  return countMatches(thread.meter, part, sub);
}

function affix(name: 'startswith' | 'endswith', parameter: string): Native {
  const atEnd = name === 'endswith';
  return fixed(name, `${parameter}, start?, end?, /`, (thread, self: string, a, b, c) => {
    chargeRead(thread.meter, self.length);
    let part = self;
    if (b !== undefined) {
      const start = wantIndex(name, 'start', b, self.length, 0);
      const end = wantIndex(name, 'end', c, self.length, self.length);
      chargeScan(thread.meter, 0);
      part = self.slice(start, Math.max(start, end));
    }
    if (typeof a === 'string') {
      chargeScan(thread.meter, a.length);
      return hasAffix(part, a, atEnd);
    }
    if (!(a instanceof Tuple)) throw wrongArgument(name, parameter, a, 'string or tuple of strings');
    for (let i = 0; i < a.items.length; i++) {
      const item = a.items[i] as Value;
      if (typeof item !== 'string') throw wrongArgument(name, `${parameter}, element ${i}`, item, 'string');
      chargeScan(thread.meter, item.length);
      if (hasAffix(part, item, atEnd)) return true;
    }
    return false;
  });
}

function partitioner(name: 'partition' | 'rpartition'): Native {
  const last = name === 'rpartition';
  return fixed(name, 'sep, /', (thread, self: string, a) => {
    const sep = wantString(name, 'sep', a);
    if (sep === '') throw new EvalError('EVAL_VALUE', `${name}: empty separator`);
    chargeTuple(thread.meter, 3);
    return new Tuple(partitionText(thread.meter, self, sep, last));
  });
}

function remover(name: 'removeprefix' | 'removesuffix', parameter: string): Native {
  return fixed(name, `${parameter}, /`, (thread, self: string, a) => {
    const cut = wantString(name, parameter, a);
    return removeAffix(thread.meter, self, cut, name === 'removesuffix');
  });
}

export const searchMethods: readonly Native[] = [
  finder('find', false, false),
  finder('index', false, true),
  finder('rfind', true, false),
  finder('rindex', true, true),
  fixed('count', 'sub, start?, end?, /', count),
  affix('startswith', 'prefix'),
  affix('endswith', 'suffix'),
  partitioner('partition'),
  partitioner('rpartition'),
  remover('removeprefix', 'prefix'),
  remover('removesuffix', 'suffix'),
];

// Methods that cut a string up or put one together: split, rsplit, splitlines, strip, join, replace, elems.

function splitter(name: 'split' | 'rsplit'): Native {
  const fromRight = name === 'rsplit';
  return fixed(name, 'sep?, maxsplit?, /', (thread, self: string, a, b) => {
    const most = b === undefined || b === null ? -1 : wantCount(name, 'maxsplit', b);
    if (a === undefined || a === null)
      return new List(splitOnSpace(thread.meter, self, most, fromRight, isUnicodeSpace));
    const sep = wantString(name, 'sep', a);
    if (sep === '')
      throw new EvalError(
        'EVAL_VALUE',
        `${name}: empty separator`,
        name === 'split' ? 'list(s.elems()) gives the characters' : null,
      );
    return new List(splitText(thread.meter, self, sep, most, fromRight));
  });
}

/** Lines end with CR, LF or both: Python knows seven more line ends. */
function splitlines(thread: Thread, self: string, a: Value | undefined): Value {
  if (a !== undefined && a !== null && typeof a !== 'boolean')
    throw wrongArgument('splitlines', 'keepends', a, 'bool');
  chargeScan(thread.meter, self.length);
  const parts: string[] = [];
  const length = self.length;
  // Searched anew only once passed, so that each is found once.
  let cr = self.indexOf('\r');
  let lf = self.indexOf('\n');
  let from = 0;
  while (cr >= 0 || lf >= 0) {
    const crFirst = cr >= 0 && (lf < 0 || cr < lf);
    const at = crFirst ? cr : lf;
    const end = crFirst && lf === cr + 1 ? at + 2 : at + 1;
    parts.push(self.slice(from, a === true ? end : at));
    if ((parts.length & 0xff) === 0) thread.meter.allocate(0x100 * PART_BYTES);
    from = end;
    if (cr >= 0 && cr < end) cr = self.indexOf('\r', end);
    if (lf >= 0 && lf < end) lf = self.indexOf('\n', end);
  }
  if (from < length) parts.push(self.slice(from));
  thread.meter.work(parts.length * 3);
  thread.meter.allocate(listBytes(0) + (parts.length & 0xff) * PART_BYTES + length * 2);
  detachParts(self, parts);
  return new List(parts);
}

function stripper(name: string, left: boolean, right: boolean): Native {
  return fixed(name, 'cutset?, /', (thread, self: string, a) => {
    const cutset = a === undefined || a === null ? null : wantString(name, 'cutset', a);
    return stripText(thread.meter, self, cutset, left, right, isUnicodeSpace);
  });
}

function join(thread: Thread, self: string, a: Value | undefined): Value {
  const items = a instanceof List || a instanceof Tuple ? a.items : toArray(thread, a as Value, 'join');
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Value;
    if (typeof item !== 'string') {
      throw new EvalError(
        'EVAL_TYPE',
        `join: in ${typeName(a as Value)}, want string, got ${typeName(item)} at index ${i}`,
        'make strings first: ", ".join([str(x) for x in xs])',
      );
    }
  }
  return joinTexts(thread.meter, self, items as string[]);
}

function replace(
  thread: Thread,
  self: string,
  a: Value | undefined,
  b: Value | undefined,
  c: Value | undefined,
): Value {
  const before = wantString('replace', 'old', a);
  const after = wantString('replace', 'new', b);
  const most = c === undefined ? -1 : wantCount('replace', 'count', c);
  return before === ''
    ? insertBetween(thread.meter, self, unitsOf, after, most)
    : replaceText(thread.meter, self, before, after, most);
}

/** A character of a Starlark string is a UTF-16 unit. */
function unitsOf(text: string): readonly string[] {
  return text.split('');
}

function elems(thread: Thread, self: string): Value {
  thread.meter.work(1);
  thread.meter.allocate(ELEMS_BYTES);
  return new Elems(self);
}

export const splitMethods: readonly Native[] = [
  splitter('split'),
  splitter('rsplit'),
  fixed('splitlines', 'keepends?, /', splitlines),
  stripper('strip', true, true),
  stripper('lstrip', true, false),
  stripper('rstrip', false, true),
  fixed('join', 'iterable, /', join),
  fixed('replace', 'old, new, count?, /', replace),
  fixed('elems', '', elems),
];

// Checks of what the methods of strings are given.

export function wantString(method: string, parameter: string, value: Value | undefined): string {
  if (typeof value === 'string') return value;
  throw wrongArgument(method, parameter, value, 'string');
}

/** The number of a count argument; a bigint is taken as an endless one of its sign. */
function wantCount(method: string, parameter: string, value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return value < 0n ? -Infinity : Infinity;
  throw wrongArgument(method, parameter, value, 'int');
}

/** Where a `start` or `end` argument points in a text of `length`; undefined and None mean `whole`. */
function wantIndex(
  method: string,
  parameter: string,
  value: Value | undefined,
  length: number,
  whole: number,
): number {
  if (value === undefined || value === null) return whole;
  return clampIndex(wantCount(method, parameter, value), length, 0, length);
}

function wrongArgument(method: string, parameter: string, value: Value | undefined, want: string): EvalError {
  const got = value === undefined ? 'nothing' : typeName(value);
  const hint =
    want === 'string' && (typeof value === 'number' || typeof value === 'bigint')
      ? 'use str(x) to make a string of a number'
      : null;
  return new EvalError('EVAL_TYPE', `${method}: for parameter ${parameter}, got ${got}, want ${want}`, hint);
}
