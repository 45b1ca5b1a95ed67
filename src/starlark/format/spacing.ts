// Tokens -> how each is written, and the blank between two of them on one line.
import type { TokenKind } from '../syntax/token.ts';

export interface SpacingToken {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** Of its first character, as the lexer counts it. */
  readonly column: number;
  readonly written: string;
  /** A sign with one operand, or a star before arguments. */
  readonly isPrefix: boolean;
  /** A bracket behind what is called or indexed. */
  readonly isSuffix: boolean;
  /** `=` of an argument or a default, `:` of a slice. */
  readonly isTight: boolean;
  /** The `:` of a header whose block is on lines of its own. */
  readonly endsHeader: boolean;
}

const openers: ReadonlySet<TokenKind> = new Set(['(', '[', '{']);
const closers: ReadonlySet<TokenKind> = new Set([')', ']', '}']);
/** What a value may end with. */
const operandEnds: ReadonlySet<TokenKind> = new Set([
  'identifier',
  'int literal',
  'float literal',
  'string literal',
  'bytes literal',
  'load',
  ')',
  ']',
  '}',
]);

export function readSpacing(
  text: string,
  kinds: readonly TokenKind[],
  starts: readonly number[],
  ends: readonly number[],
): readonly SpacingToken[] {
  const tokens: SpacingToken[] = [];
  /** Open brackets and lambdas: what a ":" and "=" belong to. */
  const open: ('call' | 'index' | 'group' | 'lambda')[] = [];
  let previous: TokenKind | null = null;
  for (const [at, kind] of kinds.entries()) {
    const [start, end] = [starts[at] as number, ends[at] as number];
    const isOperand = previous !== null && operandEnds.has(previous);
    let isTight = false;
    if (kind === 'lambda') open.push('lambda');
    else if (openers.has(kind))
      open.push(kind === '[' && isOperand ? 'index' : kind === '(' && isCalled(tokens) ? 'call' : 'group');
    else if (closers.has(kind)) {
      while (open.at(-1) === 'lambda') open.pop();
      open.pop();
    } else if (kind === '=') isTight = open.length > 0;
    else if (kind === ':') {
      if (open.at(-1) === 'lambda') open.pop();
      else isTight = open.at(-1) === 'index';
    }
    tokens.push({
      kind,
      start,
      end,
      column: columnOf(text, start),
      written: writtenAs(kind, text.slice(start, end)),
      isPrefix: !isOperand && ['+', '-', '~', '*', '**'].includes(kind),
      isSuffix: isOperand && (kind === '(' || kind === '['),
      isTight,
      endsHeader: kind === ':' && open.length === 0 && kinds[at + 1] === 'newline',
    });
    previous = kind;
  }
  return tokens;
}

function isCalled(tokens: readonly SpacingToken[]): boolean {
  const last = tokens.at(-1);
  return last !== undefined && operandEnds.has(last.kind);
}

function columnOf(text: string, at: number): number {
  let column = 0;
  const lineStart = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
  for (let i = lineStart; i < at; i += 1) column += text.charAt(i) === '\t' ? 8 - (column % 8) : 1;
  return column;
}

function writtenAs(kind: TokenKind, written: string): string {
  if (kind !== 'string literal') return written;
  const plain = /^(r?)'([^'"\\\r\n]*)'$/.exec(written);
  return plain === null ? written : `${plain[1] ?? ''}"${plain[2] ?? ''}"`;
}

export function gapBetween(left: SpacingToken, right: SpacingToken): '' | ' ' {
  if (openers.has(left.kind) || closers.has(right.kind)) return '';
  if (right.kind === ',' || right.kind === ';') return '';
  if (right.kind === ':') return '';
  if (left.kind === ':') return left.isTight ? '' : ' ';
  // "1 .a" is no float.
  if (right.kind === '.') return left.kind === 'int literal' || left.kind === 'float literal' ? ' ' : '';
  if (left.kind === '.') return '';
  if (left.isTight || right.isTight) return '';
  if (left.isPrefix) return right.isPrefix && right.kind === left.kind ? ' ' : '';
  if (right.isSuffix) return '';
  return ' ';
}
