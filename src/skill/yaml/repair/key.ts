// The key that a broken entry was probably meant to have.
//
//   text at the start of a FrontmatterLine -> FoundKey, or `null` when the line has none
//
// A sentence with a colon is not a key: an unquoted key has at most three words. At the top level, what looks like the
// name of a field is a key also without a blank after its colon, and with a wide colon.
import type { Span } from '../../../base/span.ts';
import type { FrontmatterLine } from './lines.ts';
import { skipBlanks } from './lines.ts';

/** "Use this whenever someone asks: …" is a sentence, not a key. */
const maxKeyWords = 3;
const keyPattern =
  /(?:"((?:[^"\\\n]|\\.){1,200})"|'([^'\n]{1,200})'|([^\s"'#&*!|>%@`[\]{},:?-][^\n:]{0,120}?|-?[A-Za-z_][\w.-]{0,80}))[ \t]{0,40}:(?=[ \t\r\n]|$)/y;
/** `name:x`, which YAML reads as one word, and `name：x`; only for what looks like a field's name. */
const tightKeyPattern = /([a-z][a-z0-9_-]{1,40})(?::(?=[^\s:/])|：)/y;

export interface FoundKey {
  readonly name: string;
  readonly span: Span;
  readonly valueStart: number;
}

export function findKey(text: string, line: FrontmatterLine, level: number): FoundKey | null {
  keyPattern.lastIndex = line.start;
  let match = keyPattern.exec(text);
  if (match === null && level === 0) {
    tightKeyPattern.lastIndex = line.start;
    match = tightKeyPattern.exec(text);
  }
  if (match === null || line.start + match[0].length > line.end) return null;
  const name = match[1] ?? match[2] ?? match[3] ?? '';
  if (match[3] !== undefined && wordCount(name) > maxKeyWords) return null;
  const quotes = match[3] === undefined && !tightMatch(match) ? 2 : 0;
  const valueStart = skipBlanks(text, line.start + match[0].length, line.end);
  return {
    name: name.trim(),
    span: { start: line.start, end: line.start + name.length + quotes },
    valueStart,
  };
}

function wordCount(name: string): number {
  return name.trim().split(/\s+/).length;
}

function tightMatch(match: RegExpExecArray): boolean {
  return match.length === 2;
}
