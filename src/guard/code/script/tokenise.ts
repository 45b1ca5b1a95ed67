// Text of a script language -> tokens, the same for Python, JavaScript, PowerShell, Ruby, Perl and PHP as far as a scan needs them.
//
//   names with their dots (`os.environ`), texts with the names put into them, numbers, marks, ends of lines; comments are left out
//
// T1. Every character is read once. T2. Nothing fails: a text that is never closed ends at the end of its line or of the script.
import type { Language, Work } from '../../detector.ts';

export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'mark' | 'line';
  /** Of a text: without its quotes, with its escapes resolved. */
  readonly text: string;
  /** Of a text: the names between its braces. */
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Of a line: how far the next one is indented. */
  readonly indent: number;
}

const none: readonly string[] = [];
export const maxTokens = 600_000;
const tokensBetweenCharges = 64;
const chargeForTokens = 64 * 12;
const longestPattern = 500;
const name = /[A-Za-z_$@\u0080-\uffff][\w$\u0080-\uffff]*/y;
const number = /0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d+)?/y;

/** Marks of two characters, and what can be the second of them. */
const marks = new Set(['=>', '==', '!=', '<=', '>=', '+=', '->', '::', '?.', '.=', ':=', '&&', '||', '**']);
const seconds = '=>:.&|*';

export function tokenise(text: string, language: Language, work: Work): readonly Token[] {
  work.charge(text.length * 3);
  const tokens: Token[] = [];
  const hash = language !== 'javascript';
  const slashes = language === 'javascript' || language === 'php';
  const push = (
    kind: Token['kind'],
    start: number,
    end: number,
    value: string,
    names = none,
    indent = 0,
  ): void => {
    tokens.push({ kind, text: value, names, start, end, indent });
  };
  let looked = 0;
  for (let at = 0; at < text.length && tokens.length < maxTokens;) {
    // Often enough for the deadline to be seen in the middle of a long text.
    if (tokens.length - looked > tokensBetweenCharges) {
      looked = tokens.length;
      work.charge(chargeForTokens);
    }
    const character = text[at] as string;
    if (character === '\n') {
      let indent = 0;
      while (text[at + 1 + indent] === ' ' || text[at + 1 + indent] === '\t') indent += 1;
      push('line', at, at + 1, '\n', none, indent);
      at += 1 + indent;
    } else if (character === ' ' || character === '\t' || character === '\r') at += 1;
    else if (character === '\\' && text[at + 1] === '\n') at += 2;
    else if (character === '`' && language === 'powershell') at += 1;
    else if (hash && character === '#') at = lineEnd(text, at);
    else if (slashes && character === '/' && text[at + 1] === '/') at = lineEnd(text, at);
    else if (slashes && character === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      at = end === -1 ? text.length : end + 2;
    } else if (language === 'javascript' && character === '/' && startsPattern(tokens)) {
      const end = patternEnd(text, at);
      push('mark', at, end, '/');
      at = end;
    } else if (character === '"' || character === "'" || (character === '`' && language === 'javascript')) {
      const read = readText(text, at, language, prefixOf(tokens));
      if (read.prefixed) tokens.pop();
      push('text', at, read.end, read.value, read.names);
      at = read.end;
    } else {
      // `test` and a slice: there are hundreds of thousands of them, and each match would be an object.
      name.lastIndex = at;
      number.lastIndex = at;
      if (name.test(text)) {
        push('name', at, name.lastIndex, text.slice(at, name.lastIndex));
        at = name.lastIndex;
      } else if (number.test(text)) {
        push('number', at, number.lastIndex, text.slice(at, number.lastIndex));
        at = number.lastIndex;
      } else {
        const next = text[at + 1];
        const mark =
          next !== undefined && seconds.includes(next) && marks.has(character + next)
            ? character + next
            : character;
        push('mark', at, at + mark.length, mark);
        at += mark.length;
      }
    }
  }
  if (tokens.length >= maxTokens) work.leaveOut?.('it has more code than is followed');
  return tokens;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** A `/` here begins a pattern, not a division. */
function startsPattern(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  return (
    last === undefined ||
    last.kind === 'line' ||
    (last.kind === 'mark' && !')]}'.includes(last.text)) ||
    last.text === 'return'
  );
}

function patternEnd(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < Math.min(text.length, start + longestPattern); at += 1) {
    const character = text[at];
    if (character === '\n') return start + 1;
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return at + 1;
  }
  return start + 1;
}

/** `f`, `b`, `r` before a text of Python. */
function prefixOf(tokens: readonly Token[]): string {
  const last = tokens.at(-1);
  return last?.kind === 'name' && /^(?:[rbfu]|rb|br|fr|rf)$/i.test(last.text) ? last.text.toLowerCase() : '';
}

function readText(
  text: string,
  start: number,
  language: Language,
  prefix: string,
): { value: string; names: string[]; end: number; prefixed: boolean } {
  const quote = text[start] as string;
  const triple = language === 'python' && text.startsWith(quote.repeat(3), start);
  const close = triple ? quote.repeat(3) : quote;
  const prefixed = prefix !== '' && language === 'python';
  const raw = (prefixed && prefix.includes('r')) || (language === 'powershell' && quote === "'");
  const filled =
    quote === '`' ||
    (prefixed && prefix.includes('f')) ||
    (language !== 'python' && language !== 'javascript' && quote === '"');
  const escape = language === 'powershell' ? '`' : '\\';
  const names: string[] = [];
  let value = '';
  let at = start + close.length;
  for (; at < text.length; at += 1) {
    const character = text[at] as string;
    if (text.startsWith(close, at)) {
      at += close.length;
      break;
    }
    if (
      character === '\n' &&
      !triple &&
      quote !== '`' &&
      language !== 'powershell' &&
      language !== 'php' &&
      language !== 'perl' &&
      language !== 'ruby'
    )
      break;
    if (character === escape && !raw) {
      const [resolved, length] = resolveEscape(text, at);
      value += resolved;
      at += length - 1;
      continue;
    }
    if (filled && (character === '{' || character === '$')) {
      const inner = /^(?:\$?\{|\$\(?)\s{0,4}([A-Za-z_][\w.$]{0,80})/.exec(text.slice(at, at + 100));
      if (inner !== null) names.push(inner[1] as string);
    }
    value += character;
  }
  return { value, names, end: Math.min(at, text.length), prefixed };
}

function resolveEscape(text: string, at: number): readonly [string, number] {
  const match = /^\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{4,6})\}?|([0-7]{3})|([\s\S]))/.exec(
    text.slice(at, at + 10),
  );
  if (match === null) return ['', 2];
  const code = match[1] ?? match[2];
  if (code !== undefined) return [characterOf(parseInt(code, 16)), match[0].length];
  if (match[3] !== undefined) return [characterOf(parseInt(match[3], 8)), match[0].length];
  const other = match[4] as string;
  return [other === 'n' ? '\n' : other === 't' ? '\t' : other === '\n' ? '' : other, match[0].length];
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The index of each bracket -> that of the one that closes it; -1: it is no bracket, or never closed. */
export function closingsOf(tokens: readonly Token[]): Int32Array {
  const closings = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] as Token;
    if (kind !== 'mark') continue;
    if (text === '(' || text === '[' || text === '{') open.push(at);
    else if (text === ')' || text === ']' || text === '}') {
      const start = open.pop();
      if (start !== undefined) closings[start] = at;
    }
  }
  return closings;
}
