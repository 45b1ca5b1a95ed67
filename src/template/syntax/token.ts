// What the lexer makes of a template: text, and the words and signs inside tags.

export type TokenType =
  | 'data'
  | 'output-begin'
  | 'output-end'
  | 'block-begin'
  | 'block-end'
  | 'name'
  | 'string'
  | 'int'
  | 'float'
  | 'sign'
  | 'end';

export interface Token {
  readonly type: TokenType;
  /** What is written, for names and signs; the text itself, for data and strings. */
  readonly text: string;
  /** The value of a number. */
  readonly number: number | bigint;
  readonly start: number;
  readonly end: number;
  /** Where the tag that holds it begins. */
  readonly tag: number;
}

/** For a message. */
export function describe(token: Token): string {
  switch (token.type) {
    case 'data':
      return 'text';
    case 'output-begin':
      return '"{{"';
    case 'output-end':
      return 'the end of the tag';
    case 'block-begin':
      return '"{%"';
    case 'block-end':
      return 'the end of the tag';
    case 'string':
      return 'a string';
    case 'int':
    case 'float':
      return 'a number';
    case 'end':
      return 'the end of the template';
    case 'name':
    case 'sign':
      return `"${token.text}"`;
  }
}
