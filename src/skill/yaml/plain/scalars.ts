// The scalars of the plain parser: plain, quoted and block text, folded as YAML folds it.
import type { ScalarStyle, YamlNode, YamlScalar } from '../node.ts';
import { PlainCursor, escapeAt, escapeLength, foldOf, longestKey, unclearColon } from './cursor.ts';

export class PlainScalars extends PlainCursor {
  protected readPlain(start: number, parentIndent: number, depth: number): YamlNode | null {
    if (!this.admits(depth)) return null;
    if (!this.mayStartPlain(start)) {
      const first = this.text.charCodeAt(start);
      this.broken = first === 37 /* % */ || first === 64 /* @ */ || first === 96; /* ` */
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

  /** Whether the text of this line has a ": " in it, and no other oddity before. */
  protected holdsColon(start: number): boolean {
    const colon = this.findColon(start);
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
    if (!this.restIsEmpty(at, headerEnd)) return null;
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
