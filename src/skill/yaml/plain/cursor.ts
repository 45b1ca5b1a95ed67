// Lines, columns and keys: the lowest layer of the plain parser.
//
// After every block node the cursor is on the first character of the next line with content. `end` is the start of a line
// or the end of the text, so that no scan for a line end passes it.
import { yamlLimits } from '../node.ts';

/** The column at the end of the text. */
const atEnd = -1;
/** The column of a line that begins in a way this parser does not place; no block has it. */
const inDoubt = -2;
/** `findColon`: the line is no `key:` line, or nobody can tell. */
export const noColon = -1;
export const unclearColon = -2;
/** YAML allows 1024; real keys are short. */
export const longestKey = 256;

export class PlainCursor {
  /** After every block node: the first character of the next line with content. */
  at = 0;
  /** The column of `at` on that line, `atEnd` or `inDoubt`. */
  column = atEnd;
  /** Set when the reason for giving up is certainly an error. */
  broken = false;
  protected readonly text: string;
  protected readonly end: number;
  protected nodes = 0;
  protected blankLines = 0;
  protected sawComment = false;

  constructor(text: string, end: number) {
    this.text = text;
    this.end = end;
  }

  /** Moves to the first line from `lineStart` on that is neither blank nor a comment. */
  nextLine(lineStart: number): void {
    const text = this.text;
    const end = this.end;
    this.blankLines = 0;
    this.sawComment = false;
    let start = lineStart;
    while (start < end) {
      let at = start;
      let unit = text.charCodeAt(at);
      while (unit === 32) unit = text.charCodeAt((at += 1));
      if (at >= end) break;
      if (unit === 10) {
        this.blankLines += 1;
        start = at + 1;
      } else if (unit === 13 && text.charCodeAt(at + 1) === 10) {
        this.blankLines += 1;
        start = at + 2;
      } else if (unit === 35 /* # */) {
        this.sawComment = true;
        start = this.lineAfter(at);
      } else {
        this.at = at;
        this.column =
          unit < 32 || unit === 0xfeff || (at === start && this.isMarker(at)) ? inDoubt : at - start;
        return;
      }
    }
    this.at = end;
    this.column = atEnd;
  }

  /** A line that begins with `---` or `...` ends the document, whatever follows on it. */
  private isMarker(at: number): boolean {
    const unit = this.text.charCodeAt(at);
    return (
      (unit === 45 || unit === 46) &&
      this.text.charCodeAt(at + 1) === unit &&
      this.text.charCodeAt(at + 2) === unit
    );
  }

  protected mayStartPlain(at: number): boolean {
    const unit = this.text.charCodeAt(at);
    if (unit >= 97 /* a */ && unit <= 122 /* z */) return true;
    switch (unit) {
      case 45 /* - */:
      case 63 /* ? */:
      case 58 /* : */: {
        const next = this.text.charCodeAt(at + 1);
        return at + 1 < this.end && next > 32;
      }
      case 33 /* ! */:
      case 34 /* " */:
      case 35 /* # */:
      case 37 /* % */:
      case 38 /* & */:
      case 39 /* ' */:
      case 42 /* * */:
      case 44 /* , */:
      case 62 /* > */:
      case 64 /* @ */:
      case 91 /* [ */:
      case 93 /* ] */:
      case 96 /* ` */:
      case 123 /* { */:
      case 124 /* | */:
      case 125 /* } */:
        return false;
      default:
        return unit > 32;
    }
  }

  /** The end of the plain text on the line, or -1 when something in it needs a closer look. */
  protected plainEnd(start: number): number {
    const text = this.text;
    let end = text.indexOf('\n', start);
    if (end < 0 || end > this.end) end = this.end;
    if (text.charCodeAt(end - 1) === 13) end -= 1;
    while (end > start && text.charCodeAt(end - 1) === 32) end -= 1;
    // Native searches: in a cold process they beat a loop over the characters several times over.
    let line = text.slice(start, end);
    const comment = line.indexOf(' #');
    if (comment >= 0) {
      end = start + comment;
      while (end > start && text.charCodeAt(end - 1) === 32) end -= 1;
      line = text.slice(start, end);
    }
    if (text.charCodeAt(end - 1) === 58 || line.includes(': ') || line.includes('\t') || line.includes('\r'))
      return -1;
    return end;
  }

  /** The colon that ends the key at `start` in a block, `noColon` or `unclearColon`. */
  protected findColon(start: number): number {
    const text = this.text;
    const limit = this.end;
    const first = text.charCodeAt(start);
    if (first === 34 || first === 39) {
      const close = this.quoteEnd(start);
      if (close < 0 || text.charCodeAt(close + 1) !== 58) return noColon;
      return this.isKeyColon(close + 1) ? close + 1 : unclearColon;
    }
    if (!this.mayStartPlain(start)) return noColon;
    let end = text.indexOf('\n', start);
    if (end < 0 || end > limit) end = limit;
    if (text.charCodeAt(end - 1) === 13) end -= 1;
    const line = text.slice(start, end);
    let length = line.indexOf(': ');
    if (length < 0) {
      if (line.includes(':\t')) return unclearColon;
      if (text.charCodeAt(end - 1) !== 58) return noColon;
      length = line.length - 1;
    }
    const comment = line.indexOf(' #');
    if (comment >= 0 && comment < length) return noColon;
    if (length === 0 || length > longestKey || text.charCodeAt(start + length - 1) === 32)
      return unclearColon;
    const key = line.slice(0, length);
    return key.includes('\t') || key.includes('\r') ? unclearColon : start + length;
  }

  protected isKeyColon(colon: number): boolean {
    if (colon + 1 >= this.end) return true;
    const next = this.text.charCodeAt(colon + 1);
    return next === 32 || next === 10 || (next === 13 && this.text.charCodeAt(colon + 2) === 10);
  }

  /** The closing quote on the same line, or -1. */
  protected quoteEnd(start: number): number {
    const text = this.text;
    const quote = text.charCodeAt(start);
    for (let at = start + 1; at < this.end; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === quote) {
        if (quote === 34 || text.charCodeAt(at + 1) !== 39) return at;
        at += 1;
      } else if (unit === 92 && quote === 34) {
        at += 1;
      } else if (unit === 10) {
        return -1;
      }
    }
    return -1;
  }

  protected admits(depth: number): boolean {
    this.nodes += 1;
    return depth <= yamlLimits.depth && this.nodes <= yamlLimits.nodes;
  }

  /** After a closing quote or bracket: whether the line ends there; moves to the next one. */
  protected endLine(): boolean {
    const from = this.at;
    const at = this.skipSpaces(from);
    if (!this.restIsEmpty(at, from)) {
      const unit = this.text.charCodeAt(at);
      this.broken = at > from && isWordUnit(unit);
      return false;
    }
    this.nextLine(this.lineAfter(at));
    return true;
  }

  /** Whether the line has nothing from `at` on but a comment, which needs a space before it. */
  protected restIsEmpty(at: number, from: number): boolean {
    if (at >= this.end) return true;
    const unit = this.text.charCodeAt(at);
    if (unit === 10) return true;
    if (unit === 35) return at > from;
    return unit === 13 && this.text.charCodeAt(at + 1) === 10;
  }

  protected isDash(at: number): boolean {
    if (this.text.charCodeAt(at) !== 45) return false;
    if (at + 1 >= this.end) return true;
    const next = this.text.charCodeAt(at + 1);
    return next === 32 || next === 10 || (next === 13 && this.text.charCodeAt(at + 2) === 10);
  }

  protected skipSpaces(start: number): number {
    let at = start;
    while (this.text.charCodeAt(at) === 32) at += 1;
    return at < this.end ? at : this.end;
  }

  protected lineAfter(at: number): number {
    const lineEnd = this.text.indexOf('\n', at);
    return lineEnd < 0 || lineEnd >= this.end ? this.end : lineEnd + 1;
  }
}

// What single characters and escapes mean to the plain parser.

/** What `breaks` line ends between two lines of text become. */
export function foldOf(breaks: number): string {
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

/** A letter or digit: text that cannot be an indicator. */
export function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
}

export function isFlowIndicator(unit: number): boolean {
  return unit === 44 || unit === 91 || unit === 93 || unit === 123 || unit === 125;
}

/** The text of the escape whose letter is at `at`, or `null` for the rare ones. */
export function escapeAt(text: string, at: number): string | null {
  switch (text.charCodeAt(at)) {
    case 34:
      return '"';
    case 92:
      return '\\';
    case 47:
      return '/';
    case 110:
      return '\n';
    case 114:
      return '\r';
    case 116:
      return '\t';
    case 85 /* U */: {
      const point = hexAt(text, at + 1, 8);
      return point < 0 || point > 0x10ffff || isSurrogate(point) ? null : String.fromCodePoint(point);
    }
    case 117 /* u */: {
      const unit = hexAt(text, at + 1, 4);
      if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return null;
      if (!isSurrogate(unit)) return String.fromCharCode(unit);
      if (text.charCodeAt(at + 5) !== 92 || text.charCodeAt(at + 6) !== 117) return null;
      const low = hexAt(text, at + 7, 4);
      return low >= 0xdc00 && low <= 0xdfff ? String.fromCharCode(unit, low) : null;
    }
    default:
      return null;
  }
}

/** How long the escape is, its backslash included. */
export function escapeLength(text: string, at: number, escaped: string): number {
  const letter = text.charCodeAt(at);
  if (letter === 85) return 10;
  return letter === 117 ? 6 * escaped.length : 2;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The value of `digits` hexadecimal digits, or -1. */
function hexAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let digit = at; digit < at + digits; digit += 1) {
    const next = hexValue(text.charCodeAt(digit));
    if (next < 0) return -1;
    value = value * 16 + next;
  }
  return value;
}

function hexValue(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  if (unit >= 97 && unit <= 102) return unit - 87;
  return unit >= 65 && unit <= 70 ? unit - 55 : -1;
}
