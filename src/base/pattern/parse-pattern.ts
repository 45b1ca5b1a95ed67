// The text of a pattern -> a tree.
//
//   choice = sequence {"|" sequence}      sequence = {term [quantifier]}
//   term   = character | class | "(" … ")" | "^" | "$" | "\b" | "\B"
//
// The dialect is that of ECMAScript with the flag `u`, as JSON Schema asks. RegExp judges the syntax first, so this
// reader meets valid patterns only. What one character may be stays text: match-pattern.ts asks RegExp about it.

export type PatternNode =
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'place'; readonly place: PatternPlace }
  | LookNode;

export interface LookNode {
  readonly kind: 'look';
  readonly body: PatternNode;
  readonly ahead: boolean;
  readonly negative: boolean;
}

export type PatternPlace = 'start' | 'end' | 'boundary' | 'no-boundary';

/** What the text uses and no linear search can do. */
export type Unsupported = 'reference' | 'flags';

class UnsupportedError extends Error {
  readonly what: Unsupported;

  constructor(what: Unsupported) {
    super(what);
    this.what = what;
  }
}

/** `source` must be a valid pattern with the flag `u`. */
export function parsePattern(source: string): PatternNode | Unsupported {
  try {
    return new Reader(source).choice();
  } catch (error) {
    if (error instanceof UnsupportedError) return error.what;
    throw error;
  }
}

const quantifier = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const group = /\((?:\?(?:(:)|(<?)([=!])|<[^>]*>|([a-z-])))?/y;
/** One character: a class, an escape of one or of a pair of surrogates, or itself. */
const one =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)|[^]/uy;

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): PatternNode {
    const branches = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      branches.push(this.#sequence());
    }
    return branches.length === 1 ? (branches[0] as PatternNode) : { kind: 'choice', branches };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string))
      parts.push(this.#quantified(this.#term()));
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts };
  }

  #quantified(body: PatternNode): PatternNode {
    const found = this.#take(quantifier);
    if (found === null) return body;
    const [written, least, comma, most] = found;
    if (least === undefined)
      return {
        kind: 'repeat',
        body,
        min: written.startsWith('+') ? 1 : 0,
        max: written.startsWith('?') ? 1 : Infinity,
      };
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? Infinity : Number(most);
    return { kind: 'repeat', body, min, max };
  }

  #term(): PatternNode {
    const opened = this.#take(group);
    if (opened !== null) return this.#group(opened);
    const source = this.#take(one)?.[0] as string;
    switch (source) {
      case '^':
        return { kind: 'place', place: 'start' };
      case '$':
        return { kind: 'place', place: 'end' };
      case '\\b':
        return { kind: 'place', place: 'boundary' };
      case '\\B':
        return { kind: 'place', place: 'no-boundary' };
      default:
        if (/^\\[1-9k]/.test(source)) throw new UnsupportedError('reference');
        return { kind: 'one', source };
    }
  }

  #group([, , behind, look, flags]: RegExpExecArray): PatternNode {
    if (flags !== undefined) throw new UnsupportedError('flags');
    const body = this.choice();
    this.#at += 1; // the closing parenthesis
    return look === undefined ? body : { kind: 'look', body, ahead: behind === '', negative: look === '!' };
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}
