// Encoded parts of a text, decoded.
//
//   text -> parts { text, way, start, end }
//
// Base64 (also wrapped, and of URLs), base32, hex, lists of character codes, and gzip or zlib inside of them. A part counts only if it decodes to
// text. Every character is looked at a bounded number of times. Nothing is executed, and nothing is decoded that is not
// shown to be text by its first bytes.
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Inflate } from '../classify/classify.ts';
import { isReadable } from './invisible.ts';

export interface DecodedText {
  readonly text: string;
  /** Outermost first. */
  readonly ways: readonly string[];
  readonly start: number;
  readonly end: number;
}

const leastRun = 16;

/** 1 for the characters of base64, which has those of hex and base32. */
const classes = new Uint8Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  classes[letter.charCodeAt(0)] = 1;

export function* decodedParts(text: string, inflate: Inflate, maxBytes: number): Generator<DecodedText> {
  yield* decodedRuns(text, inflate, maxBytes);
  yield* characterCodes(text);
  yield* escapedRuns(text);
}

const escapes = /(?:\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\[0-7]{3}|%[0-9a-f]{2}){6,20000}/gi;
const oneEscape = /\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\([0-7]{3})|%([0-9a-f]{2})/gi;

/** Runs of escapes: bytes of UTF-8, or characters. */
function* escapedRuns(text: string): Generator<DecodedText> {
  for (const match of text.matchAll(escapes)) {
    const codes = Array.from(match[0].matchAll(oneEscape), ([, hex, unicode, wide, octal, percent]) =>
      octal === undefined
        ? Number.parseInt((hex ?? unicode ?? wide ?? percent) as string, 16)
        : Number.parseInt(octal, 8),
    );
    const decoded = codes.every((code) => code < 256)
      ? decodeUtf8(Uint8Array.from(codes)).text
      : codes.map((code) => (code <= 0x10ffff ? String.fromCodePoint(code) : '')).join('');
    if (isReadable(decoded))
      yield { text: decoded, ways: ['escapes'], start: match.index, end: match.index + match[0].length };
  }
}

/** Runs of the alphabets, over line ends where a line is long and the next goes on. */
function* decodedRuns(text: string, inflate: Inflate, maxBytes: number): Generator<DecodedText> {
  const length = text.length;
  for (let at = 0; at < length;) {
    const unit = text.charCodeAt(at);
    if (unit > 127 || classes[unit] === 0) {
      at += 1;
      continue;
    }
    const start = at;
    let lineStart = at;
    /** Where the run could end as well: after its first and before its last line. */
    const stops: number[] = [];
    for (; at < length; at += 1) {
      const next = text.charCodeAt(at);
      if (next <= 127 && classes[next] !== 0) continue;
      if (at - lineStart < 40) break;
      const goesOn = lineContinues(text, at);
      if (goesOn === 0) break;
      if (stops.length < 2) stops.push(at);
      else stops[1] = at;
      at = goesOn - 1;
      lineStart = goesOn;
    }
    let end = at;
    while (end < length && text[end] === '=' && end - at < 6) end += 1;
    // The line after an encoded one may be plain text that looks the same.
    for (const stop of [at, ...stops.toReversed()]) {
      if (stop - start < leastRun) break;
      const found = decodeRun(text.slice(start, stop).replace(/[^A-Za-z0-9+/_-]+/g, ''), inflate, maxBytes);
      if (found === null) continue;
      yield { ...found, start, end: stop === at ? end : stop };
      if (stop !== at) end = stop;
      break;
    }
    at = Math.max(end, start + 1);
  }
}

/** Where the run goes on after a line end at `at` (with blanks, quotes or comment marks around it); 0 where it does not. */
function lineContinues(text: string, at: number): number {
  let next = at;
  let sawEnd = false;
  while (next < text.length && next - at < 24) {
    const unit = text.charCodeAt(next);
    if (unit === 10) {
      // An empty line ends every encoding.
      if (sawEnd) return 0;
      sawEnd = true;
    } else if (
      !(
        unit === 13 ||
        unit === 32 ||
        unit === 9 ||
        unit === 34 ||
        unit === 39 ||
        unit === 92 ||
        unit === 35 ||
        unit === 62
      )
    )
      break;
    next += 1;
  }
  const unit = text.charCodeAt(next);
  return sawEnd && unit < 128 && (classes[unit] as number) !== 0 ? next : 0;
}

function decodeRun(
  run: string,
  inflate: Inflate,
  maxBytes: number,
): Pick<DecodedText, 'text' | 'ways'> | null {
  const tries: readonly (readonly [string, boolean, () => Uint8Array])[] = [
    ['hex', run.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(run), () => hexBytes(run)],
    ['base32', run.length >= 24 && /^[A-Z2-7]+$/.test(run), () => packBits(run, base32Value, 5)],
    ['base64', run.length % 4 !== 1, () => packBits(run, base64Value, 6)],
  ];
  for (const [way, fits, decode] of tries) {
    if (!fits || !looksLikeText(way, run)) continue;
    const found = textOf(decode(), inflate, maxBytes);
    if (found !== null) return { text: found.text, ways: [way, ...found.ways] };
  }
  return null;
}

/** By its first bytes, so that names, paths and pictures cost nothing. */
function looksLikeText(way: string, run: string): boolean {
  const head = run.slice(0, 32);
  const bytes =
    way === 'hex'
      ? hexBytes(head)
      : way === 'base32'
        ? packBits(head, base32Value, 5)
        : packBits(head, base64Value, 6);
  return isDeflated(bytes) || isTextHead(bytes);
}

function isTextHead(bytes: Uint8Array): boolean {
  let bad = 0;
  let zeros = 0;
  for (const byte of bytes) {
    if (byte === 0) zeros += 1;
    else if (byte < 32 ? byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27 : byte === 127) bad += 1;
    else if (byte >= 0x80) bad += 0.5;
  }
  return zeros === 0 ? bad <= bytes.length / 4 : bad === 0 && zeros >= bytes.length / 3;
}

function isDeflated(bytes: Uint8Array): boolean {
  return (
    (bytes[0] === 0x1f && bytes[1] === 0x8b) ||
    (bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] as number))
  );
}

/** UTF-8, UTF-16 (as PowerShell encodes commands), or either of them compressed. */
function textOf(
  bytes: Uint8Array,
  inflate: Inflate,
  maxBytes: number,
): { readonly text: string; readonly ways: readonly string[] } | null {
  if (isDeflated(bytes)) {
    const inside = inflate(bytes, maxBytes);
    const text = inside === null ? null : plainText(inside);
    return text === null ? null : { text, ways: ['compressed'] };
  }
  const text = plainText(bytes);
  return text === null ? null : { text, ways: [] };
}

function plainText(bytes: Uint8Array): string | null {
  if (bytes.length >= 8 && bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0) {
    let text = '';
    for (let at = 0; at + 1 < bytes.length; at += 2)
      text += String.fromCharCode((bytes[at] as number) | ((bytes[at + 1] as number) << 8));
    return isReadable(text) ? text : null;
  }
  const { text, valid } = decodeUtf8(bytes);
  if (valid) return isReadable(text) && text.length >= 6 ? text : null;
  // The last character may be cut off.
  const cut = text.replace(/\uFFFD{1,3}$/, '');
  return cut.length >= 12 && !cut.includes('\uFFFD') && isReadable(cut) ? cut : null;
}

function hexBytes(run: string): Uint8Array {
  const bytes = new Uint8Array(run.length >> 1);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = (hexValue(run.charCodeAt(2 * at)) << 4) | hexValue(run.charCodeAt(2 * at + 1));
  return bytes;
}

function hexValue(unit: number): number {
  return unit <= 57 ? unit - 48 : (unit | 32) - 87;
}

function base64Value(unit: number): number {
  if (unit >= 97) return unit - 71;
  if (unit === 95) return 63;
  if (unit >= 65) return unit - 65;
  if (unit >= 48) return unit + 4;
  return unit === 43 || unit === 45 ? 62 : 63;
}

function base32Value(unit: number): number {
  return unit >= 65 ? unit - 65 : unit - 24;
}

function packBits(run: string, valueOf: (unit: number) => number, width: number): Uint8Array {
  const bytes = new Uint8Array((run.length * width) >> 3);
  let bits = 0;
  let held = 0;
  let out = 0;
  for (let at = 0; at < run.length; at += 1) {
    held = ((held << width) | valueOf(run.charCodeAt(at))) & 0xffff;
    bits += width;
    if (bits >= 8) {
      bits -= 8;
      bytes[out] = (held >> bits) & 0xff;
      out += 1;
    }
  }
  return bytes;
}

/** A number with whatever stands before the next one: `99, 117`, `0x63,0x75`, `chr(99)+chr(117)`, `[char]99`, `&#`. */
const code =
  /(?<![\w.])(?:(?:chr|char|fromcharcode|string\.fromcharcode|ord)\s{0,2}\(|\[char\]|\\)?\s{0,2}(0x[0-9a-f]{2}|\d{2,3})\s{0,2}\)?/gi;
const leastCodes = 8;

function* characterCodes(text: string): Generator<DecodedText> {
  let start = 0;
  let end = -1;
  let codes: number[] = [];
  const flush = function* (): Generator<DecodedText> {
    if (
      codes.length >= leastCodes &&
      codes.every((value) => value === 9 || value === 10 || value === 13 || (value >= 32 && value < 127))
    ) {
      const decoded = codes.map((value) => String.fromCharCode(value)).join('');
      if (/[A-Za-z]{3}/.test(decoded)) yield { text: decoded, ways: ['character-codes'], start, end };
    }
  };
  for (const match of text.matchAll(code)) {
    const between = end === -1 ? null : text.slice(end, Math.min(match.index, end + 12));
    const joins = between !== null && match.index - end <= 8 && /^[\s,;+.&|'"]{1,8}$/.test(between);
    if (!joins) {
      yield* flush();
      codes = [];
      start = match.index;
    }
    codes.push(Number(match[1]));
    end = match.index + match[0].length;
  }
  yield* flush();
}
