// The lower layers of the plain parser: lines, columns and keys (`PlainCursor`), then scalars (`PlainScalars`): plain,
// quoted and block text, folded as YAML folds it.
//
// After every block node the cursor is on the first character of the next line with content. `end` is the start of a line
// or the end of the text, so that no scan for a line end passes it.
import type { ScalarStyle, YamlNode, YamlScalar } from '../node.ts';
import { yamlLimits } from '../node.ts';

/** The column at the end of the text. */
const atEnd = -1;
/** The column of a line that begins in a way this parser does not place; no block has it. */
const inDoubt = -2;
/** `findColon`: the line is no `key:` line, or that is unclear. */
export const noColon = -1;
export const unclearColon = -2;
/** YAML allows 1024; real keys are short. */
export const longestKey = 256;

class PlainCursor {
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
      } else if (unit === 92 && quote === 34 && text.charCodeAt(at + 1) > 31) {
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

// What single characters and escapes mean.

/** What `breaks` line ends between two lines of text become. */
function foldOf(breaks: number): string {
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

/** A letter or digit: text that cannot be an indicator. */
function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
}

export function isFlowIndicator(unit: number): boolean {
  return unit === 44 || unit === 91 || unit === 93 || unit === 123 || unit === 125;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['n', '\n'],
  [' ', ' '],
  ['t', '\t'],
  ['r', '\r'],
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['e', '\u001b'],
  ['f', '\f'],
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

/** The text of the escape whose letter is at `at`, or `null` where there is none. */
function escapeAt(text: string, at: number): string | null {
  switch (text.charCodeAt(at)) {
    case 120 /* x */: {
      const unit = hexAt(text, at + 1, 2);
      return unit < 0 ? null : String.fromCharCode(unit);
    }
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
      return escapes.get(text.charAt(at)) ?? null;
  }
}

/** How long the escape is, its backslash included. */
function escapeLength(text: string, at: number, escaped: string): number {
  const letter = text.charCodeAt(at);
  if (letter === 85) return 10;
  if (letter === 120) return 4;
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

export class PlainScalars extends PlainCursor {
  protected readPlain(start: number, parentIndent: number, depth: number): YamlNode | null {
    if (!this.admits(depth)) return null;
    if (!this.mayStartPlain(start)) {
      this.broken = this.isReserved(this.text.charCodeAt(start));
      return null;
    }
    let end = this.plainEnd(start);
    if (end < 0) {
      this.broken = this.holdsColon(start);
      return null;
    }
    let raw = this.text.slice(start, end);
    let lineEnd = this.skipSpaces(end);
    while (true) {
      const commented = this.text.charCodeAt(lineEnd) === 35;
      this.nextLine(this.lineAfter(lineEnd));
      if (this.column <= parentIndent) break;
      // A comment ends the scalar, and then nothing may continue it.
      if (commented || this.sawComment) return null;
      const lineStart = this.at;
      const blank = this.blankLines;
      end = this.plainEnd(lineStart);
      if (end < 0) return null;
      raw += foldOf(blank + 1) + this.text.slice(lineStart, end);
      lineEnd = this.skipSpaces(end);
    }
    return { kind: 'scalar', value: resolvePlain(raw), raw, style: 'plain', span: { start, end } };
  }

  /** No scalar begins with it, in any YAML. */
  protected isReserved(unit: number): boolean {
    return unit === 37 /* % */ || unit === 64 /* @ */ || unit === 96; /* ` */
  }

  /** Whether the text of this line has a ": " in it, and no other oddity before. */
  protected holdsColon(start: number): boolean {
    const colon = this.findColon(start);
    // A comment may begin behind a tab, and then the colon is in it: the library decides.
    const line = this.text.slice(start, this.lineAfter(start));
    if (line.includes('\t#')) return false;
    return colon > start || (colon === unclearColon && this.text.charCodeAt(start) !== 58);
  }

  /** Reads a quoted scalar at `start`; leaves `at` just behind the closing quote. */
  protected readQuoted(start: number, parentIndent: number, depth: number): YamlScalar | null {
    if (!this.admits(depth)) return null;
    const text = this.text;
    const limit = this.end;
    const quote = text.charCodeAt(start);
    const simple = this.simpleQuoted(start, quote);
    if (simple !== null) return simple;
    let value = '';
    let from = start + 1;
    let at = from;
    while (true) {
      if (at >= limit) return null;
      const unit = text.charCodeAt(at);
      if (unit === quote) {
        if (quote !== 39 || text.charCodeAt(at + 1) !== 39) break;
        value += text.slice(from, at + 1);
        from = at += 2;
      } else if (unit === 92 /* \ */ && quote === 34) {
        const lineEnd = text.charCodeAt(at + 1) === 13 ? at + 2 : at + 1;
        if (text.charCodeAt(lineEnd) === 10) {
          // The text continues on the next line, without its indentation.
          value += text.slice(from, at);
          if (this.skipBreaks(lineEnd, parentIndent) !== 1) return null;
          from = at = this.at;
          continue;
        }
        const escaped = escapeAt(text, at + 1);
        if (escaped === null) return null;
        value += text.slice(from, at) + escaped;
        from = at += escapeLength(text, at + 1, escaped);
      } else if (unit === 10) {
        let lineEnd = at;
        if (lineEnd > from && text.charCodeAt(lineEnd - 1) === 13) lineEnd -= 1;
        while (lineEnd > from && text.charCodeAt(lineEnd - 1) === 32) lineEnd -= 1;
        if (lineEnd > from && text.charCodeAt(lineEnd - 1) === 9) return null;
        value += text.slice(from, lineEnd);
        const breaks = this.skipBreaks(at, parentIndent);
        if (breaks === 0) return null;
        value += foldOf(breaks);
        from = at = this.at;
      } else {
        at += 1;
      }
    }
    value = value === '' ? text.slice(from, at) : value + text.slice(from, at);
    const style: ScalarStyle = quote === 39 ? 'single' : 'double';
    this.at = at + 1;
    return { kind: 'scalar', value, raw: value, style, span: { start, end: at + 1 } };
  }

  /** A quoted scalar on one line without escapes, which nearly all are; `null` for the others. */
  protected simpleQuoted(start: number, quote: number): YamlScalar | null {
    const text = this.text;
    const close = text.indexOf(quote === 39 ? "'" : '"', start + 1);
    if (close < 0 || close >= this.end) return null;
    if (quote === 39 && text.charCodeAt(close + 1) === 39) return null;
    const value = text.slice(start + 1, close);
    if ((quote === 34 && value.includes('\\')) || value.includes('\n')) return null;
    this.at = close + 1;
    return {
      kind: 'scalar',
      value,
      raw: value,
      style: quote === 39 ? 'single' : 'double',
      span: { start, end: close + 1 },
    };
  }

  /** From a line end, moves `at` to the next text; the number of line ends passed, 0 when in doubt. */
  protected skipBreaks(lineEnd: number, parentIndent: number): number {
    const text = this.text;
    let breaks = 0;
    let at = lineEnd;
    while (true) {
      breaks += 1;
      const start = at + 1;
      at = this.skipSpaces(start);
      if (at >= this.end) return 0;
      let unit = text.charCodeAt(at);
      if (unit === 13 && text.charCodeAt(at + 1) === 10) unit = text.charCodeAt((at += 1));
      if (unit === 10) continue;
      if (unit < 32 || at - start <= parentIndent) return 0;
      this.at = at;
      return breaks;
    }
  }

  /** Reads a `|` or `>` scalar whose header is at `start`, then moves to the next line. */
  protected readBlockScalar(start: number, parentIndent: number, depth: number): YamlNode | null {
    if (!this.admits(depth)) return null;
    const text = this.text;
    const limit = this.end;
    const folded = text.charCodeAt(start) === 62;
    let chomp = 0;
    let at = start + 1;
    const unit = text.charCodeAt(at);
    if (unit === 45 /* - */ || unit === 43 /* + */) {
      chomp = unit;
      at += 1;
    }
    const headerEnd = at;
    at = this.skipSpaces(at);
    if (!this.restIsEmpty(at, headerEnd)) {
      this.broken = at > headerEnd && isWordUnit(text.charCodeAt(at));
      return null;
    }
    const commented = text.charCodeAt(at) === 35;

    let lineStart = this.lineAfter(at);
    let indent = -1;
    let value = '';
    let separator = '';
    let wasDeeper = false;
    let trailing = 0;
    let lastEnd = headerEnd;
    while (lineStart < limit) {
      const first = this.skipSpaces(lineStart);
      let lineEnd = text.indexOf('\n', first);
      if (lineEnd < 0 || lineEnd > limit) lineEnd = limit;
      const next = lineEnd + 1;
      if (lineEnd > first && text.charCodeAt(lineEnd - 1) === 13) lineEnd -= 1;
      const column = first - lineStart;
      if (first >= lineEnd) {
        if (indent >= 0 && column > indent) return null;
        // Blank lines before the text may not be deeper than it; few are indented at all.
        if (indent < 0 && column > parentIndent + 1) return null;
        trailing += 1;
        lineStart = next;
        continue;
      }
      if (text.charCodeAt(first) < 32) return null;
      if (indent < 0) {
        if (column <= parentIndent) break;
        indent = column;
      }
      if (column < indent) break;
      if (folded) {
        const deeper = column > indent;
        if (lastEnd === headerEnd) {
          value = '\n'.repeat(trailing);
          if (deeper) return null;
        } else if (trailing > 0) {
          value += '\n'.repeat(trailing + (deeper || wasDeeper ? 1 : 0));
        } else {
          value += deeper || wasDeeper ? '\n' : ' ';
        }
        wasDeeper = deeper;
      } else {
        if (trailing > 0) value += '\n'.repeat(trailing);
        value += separator;
        separator = '\n';
      }
      value += text.slice(lineStart + indent, lineEnd);
      trailing = 0;
      lastEnd = lineEnd;
      lineStart = next;
    }
    if (value.includes('\r')) return null;
    if (lastEnd === headerEnd) {
      if (chomp === 43 || commented) return null;
    } else {
      if (chomp !== 45) value += '\n';
      if (chomp === 43 && trailing > 0) value += '\n'.repeat(trailing);
      while (text.charCodeAt(lastEnd - 1) === 32 || text.charCodeAt(lastEnd - 1) === 9) lastEnd -= 1;
    }
    this.nextLine(lineStart);
    return {
      kind: 'scalar',
      value,
      raw: value,
      style: folded ? 'folded' : 'literal',
      span: { start, end: lastEnd },
    };
  }

  protected keyText(start: number, colon: number): string | null {
    const first = this.text.charCodeAt(start);
    if (first !== 34 && first !== 39) return this.text.slice(start, colon);
    if (colon - start > longestKey) return null;
    const back = this.at;
    const scalar = this.readQuoted(start, 0, 1);
    this.at = back;
    this.nodes -= 1;
    return scalar === null ? null : (scalar.value as string);
  }

  protected emptyValue(at: number, depth: number): YamlScalar | null {
    if (!this.admits(depth)) return null;
    return { kind: 'scalar', value: null, raw: '', style: 'plain', span: { start: at, end: at } };
  }
}

// What a plain scalar means: YAML 1.2 core schema.
//
//   source text -> null | boolean | number | string
//
// The core schema of the `yaml` package, except that a number which JSON cannot represent exactly stays text: .nan, .inf,
// 1e999, an integer past 2^53. `-0` is 0. Almost every scalar is prose, so the first character decides before any pattern
// is tried.

const nullWord = /^(?:~|[Nn]ull|NULL)?$/;
const trueWord = /^(?:[Tt]rue|TRUE)$/;
const falseWord = /^(?:[Ff]alse|FALSE)$/;
const integer = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** A longer number could not be carried exactly anyway, and a digit run is not worth scanning. */
const longestNumber = 400;

export function resolvePlain(raw: string): null | boolean | number | string {
  if (raw.length === 0) return null;
  const first = raw.charCodeAt(0);
  if (first > 57 /* 9 */) {
    if (raw.length > 5) return raw;
    switch (first) {
      case 126 /* ~ */:
      case 110 /* n */:
      case 78 /* N */:
        return nullWord.test(raw) ? null : raw;
      case 116 /* t */:
      case 84 /* T */:
        return trueWord.test(raw) ? true : raw;
      case 102 /* f */:
      case 70 /* F */:
        return falseWord.test(raw) ? false : raw;
      default:
        return raw;
    }
  }
  const mayBeNumber =
    first >= 48 /* 0 */ || first === 45 /* - */ || first === 43 /* + */ || first === 46; /* . */
  return mayBeNumber && raw.length <= longestNumber ? resolveNumber(raw) : raw;
}

function resolveNumber(raw: string): number | string {
  if (integer.test(raw)) {
    const value = Number(raw);
    return Number.isSafeInteger(value) ? value + 0 : raw;
  }
  if (!float.test(raw)) return raw;
  const value = Number(raw);
  return Number.isFinite(value) ? value + 0 : raw;
}
