// A place in the tokens, with what the parser asks of it.
//
// A fault inside a tag is thrown as `SyntaxFault` once it is reported, and caught where the tag is parsed: the parser
// continues after that tag. It never leaves this folder. Nesting of brackets, blocks and operators is counted by
// `deeper` and `nestOne`, so no source can exhaust the stack.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Span } from '../../base/span.ts';
import type { Expression } from './ast.ts';
import type { Faults } from './faults.ts';
import { describe, type Token, type TokenType } from './token.ts';

export class SyntaxFault extends Error {
  /** The rest of the template cannot be parsed. */
  readonly isFinal: boolean;
  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** The parsers of parts of an expression are given that of whole ones. */
export type ParseExpression = (c: Cursor) => Expression;

/** Operators that lean left are as deep as their chain is long. */
export interface Nest {
  depth: number;
}

export class Cursor {
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;
  private readonly maxDepth: number;
  readonly faults: Faults;

  constructor(tokens: readonly Token[], maxDepth: number, faults: Faults) {
    this.tokens = tokens;
    this.maxDepth = maxDepth;
    this.faults = faults;
  }

  get token(): Token {
    return this.tokens[this.at] as Token;
  }

  get ahead(): Token {
    return this.tokens[Math.min(this.at + 1, this.tokens.length - 1)] as Token;
  }

  /** Where the last token that was taken ends. */
  get end(): number {
    return this.at === 0 ? 0 : (this.tokens[this.at - 1] as Token).end;
  }

  take(): Token {
    const { token } = this;
    if (token.type !== 'end') this.at += 1;
    return token;
  }

  is(type: TokenType): boolean {
    return this.token.type === type;
  }

  isSign(sign: string): boolean {
    const { token } = this;
    return token.type === 'sign' && token.text === sign;
  }

  isName(name: string): boolean {
    const { token } = this;
    return token.type === 'name' && token.text === name;
  }

  /** Takes the sign if it is next. */
  skipSign(sign: string): boolean {
    const found = this.isSign(sign);
    if (found) this.at += 1;
    return found;
  }

  skipName(name: string): boolean {
    const found = this.isName(name);
    if (found) this.at += 1;
    return found;
  }

  expectSign(sign: string): void {
    if (!this.skipSign(sign)) this.unexpected(`"${sign}"`);
  }

  expectWord(name: string): void {
    if (!this.skipName(name)) this.unexpected(`"${name}"`);
  }

  expectName(what: string): Token {
    if (!this.is('name')) this.unexpected(what);
    return this.take();
  }

  expect(type: TokenType, what: string): void {
    if (!this.is(type)) this.unexpected(what);
    this.take();
  }

  unexpected(expected: string, hint?: string): never {
    this.fail('TEMPLATE_SYNTAX', this.token, `expected ${expected}, found ${describe(this.token)}`, hint);
  }

  fail(code: DiagnosticCode, at: Span, message: string, hint?: string): never {
    this.faults.addIn(this.tagHere(), code, at, message, hint);
    throw new SyntaxFault(message, code === 'TEMPLATE_TOO_DEEP');
  }

  private tagHere(): number {
    const { token } = this;
    // At the end of the template the fault belongs to the tag that was being read.
    return token.type === 'end' && this.at > 0 ? (this.tokens[this.at - 1] as Token).tag : token.tag;
  }

  /** Parses something that is nested in what is being parsed. */
  deeper<T>(parse: () => T): T {
    this.depth += 1;
    try {
      this.bound(this.depth);
      return parse();
    } finally {
      this.depth -= 1;
    }
  }

  bound(depth: number): void {
    if (depth > this.maxDepth)
      this.fail(
        'TEMPLATE_TOO_DEEP',
        this.token,
        `nested more than ${this.maxDepth} deep`,
        'give a part of it a name with {% set %}',
      );
  }

  nestOne(nest: Nest): void {
    nest.depth += 1;
    this.bound(nest.depth);
  }

  /** Behind the end of the tag that begins at `tag`. */
  leaveTag(tag: number): void {
    while (this.token.tag === tag && this.token.type !== 'end' && this.token.type !== 'data') {
      const { type } = this.take();
      if (type === 'output-end' || type === 'block-end') return;
    }
  }
}
