// The common subset of YAML, in one pass.
//
//   text[start, end) -> YamlMap | null
//
//   map    = (key ":" value)+                       all keys in one column
//   seq    = ("-" item)+                            all dashes in one column
//   value  = inline | EOL map | EOL seq | EOL       a seq may stand in its key's column
//   item   = inline | map | seq | EOL
//   inline = plain | 'single' | "double" | "|" text | ">" text | "[" … "]" | "{" … "}"
//
// F1. `null` means doubt, never an error: `parseFull` decides then. Anchors, aliases, tags, complex
//     keys, tabs as indentation, markers, repeated or forbidden keys and every limit are doubt.
// F2. Where it answers, the tree equals that of `parseFull`, spans included (property test).
// F3. Linear: each character is looked at a bounded number of times; no pattern matching.
// F4. `end` is the start of a line or the end of the text.
//
// This runs in a cold process over thousands of heads, so it is one class with number fields,
// loops over character codes, and no closures.
import type { ScalarStyle, YamlEntry, YamlMap, YamlNode, YamlScalar } from './node.ts';
import { forbiddenKeys, yamlLimits } from './node.ts';
import { resolvePlain } from './resolve-plain.ts';

/** The column at the end of the text. */
const atEnd = -1;
/** The column of a line that begins in a way this parser does not place; no block has it. */
const inDoubt = -2;
/** `findColon`: the line is no `key:` line, or nobody can tell. */
const noColon = -1;
const unclearColon = -2;
/** YAML allows 1024; real keys are short. */
const longestKey = 256;
/** From here on a set is cheaper than comparing with every earlier key. */
const manyEntries = 12;

/**
 * `'broken'`: no YAML parser would take it, because a value holds ": ", begins with a reserved
 * character or goes on behind its closing quote or bracket. Saves loading the library to be told so.
 */
export type PlainResult<Tree> = Tree | 'broken' | null;

/** The tree of a frontmatter within the subset, or `null` when in doubt. */
export function parsePlain(text: string, start: number, end: number): YamlMap | null {
  const result = tryPlain(text, start, end);
  return result === 'broken' ? null : result;
}

export function tryPlain(text: string, start: number, end: number): PlainResult<YamlMap> {
  if (end < text.length && end > start && text.charCodeAt(end - 1) !== 10) return null;
  const reader = new Reader(text, end);
  reader.nextLine(start);
  if (reader.column !== 0) return null;
  const map = reader.readMap(0, 1);
  if (map === null) return reader.broken ? 'broken' : null;
  return reader.at === end ? map : null;
}

/** The map or sequence at `depth` whose first line has its text at `start`, in column `indent`; for `repair`. */
export function tryPlainBlock(text: string, start: number, end: number, indent: number, depth: number): PlainResult<YamlNode> {
  const reader = new Reader(text, end);
  reader.at = start;
  reader.column = indent;
  const block = reader.readBlock(indent, depth);
  if (block === null) return reader.broken ? 'broken' : null;
  return reader.at === end ? block : null;
}

class Reader {
  /** After every block node: the first character of the next line with content. */
  at = 0;
  /** The column of `at` on that line, `atEnd` or `inDoubt`. */
  column = atEnd;
  /** Set when the reason for giving up is certainly an error. */
  broken = false;
  private readonly text: string;
  private readonly end: number;
  private nodes = 0;
  private blankLines = 0;
  private sawComment = false;

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
        this.column = unit < 32 ? inDoubt : at - start;
        return;
      }
    }
    this.at = end;
    this.column = atEnd;
  }

  readBlock(indent: number, depth: number): YamlNode | null {
    return this.isDash(this.at) ? this.readSeq(indent, depth) : this.readMap(indent, depth);
  }

  /** Reads the map whose first key is at `at`, in column `indent`. */
  readMap(indent: number, depth: number): YamlMap | null {
    if (!this.admits(depth)) return null;
    const entries: YamlEntry[] = [];
    const start = this.at;
    let seen: Set<string> | null = null;
    do {
      const keyStart = this.at;
      const colon = this.findColon(keyStart);
      if (colon < 0) return null;
      const key = this.keyText(keyStart, colon);
      if (key === null) return null;
      if (entries.length === manyEntries) seen = new Set(entries.map((entry) => entry.key));
      if (isUnwelcome(key, entries, seen)) return null;
      if (seen !== null) seen.add(key);
      const value = this.readMapValue(indent, colon + 1, depth + 1);
      if (value === null) return null;
      entries.push({ key, keySpan: { start: keyStart, end: colon }, value });
    } while (this.column === indent);
    const last = entries[entries.length - 1] as YamlEntry;
    return { kind: 'map', entries, flow: false, span: { start, end: last.value.span.end } };
  }

  private readMapValue(indent: number, afterColon: number, depth: number): YamlNode | null {
    const at = this.skipSpaces(afterColon);
    if (!this.restIsEmpty(at, afterColon)) return this.readInline(at, indent, depth);
    this.nextLine(this.lineAfter(at));
    if (this.column > indent) return this.readOwnLine(indent, depth);
    if (this.column === indent && this.isDash(this.at)) return this.readSeq(indent, depth);
    return this.emptyValue(afterColon, depth);
  }

  /** Reads the sequence whose first dash is at `at`, in column `indent`. */
  private readSeq(indent: number, depth: number): YamlNode | null {
    if (!this.admits(depth)) return null;
    const items: YamlNode[] = [];
    const start = this.at;
    do {
      const item = this.readItem(indent, this.at, depth + 1);
      if (item === null) return null;
      items.push(item);
    } while (this.column === indent && this.isDash(this.at));
    const last = items[items.length - 1] as YamlNode;
    return { kind: 'seq', items, flow: false, span: { start, end: last.span.end } };
  }

  private readItem(indent: number, dash: number, depth: number): YamlNode | null {
    const at = this.skipSpaces(dash + 1);
    if (this.restIsEmpty(at, dash + 1)) {
      this.nextLine(this.lineAfter(at));
      return this.column > indent ? this.readOwnLine(indent, depth) : this.emptyValue(dash + 1, depth);
    }
    const column = indent + at - dash;
    this.at = at;
    if (this.isDash(at)) return this.readSeq(column, depth);
    const colon = this.findColon(at);
    if (colon === unclearColon) return null;
    return colon === noColon ? this.readInline(at, indent, depth) : this.readMap(column, depth);
  }

  /** Reads a node that begins on a line of its own, deeper than `parentIndent`. */
  private readOwnLine(parentIndent: number, depth: number): YamlNode | null {
    const at = this.at;
    if (this.isDash(at)) return this.readSeq(this.column, depth);
    const colon = this.findColon(at);
    if (colon === unclearColon) return null;
    if (colon !== noColon) return this.readMap(this.column, depth);
    const first = this.text.charCodeAt(at);
    if (first === 124 /* | */ || first === 62 /* > */) return null;
    return this.readInline(at, parentIndent, depth);
  }

  /** Reads a scalar or flow collection at `at`, then moves to the next line. */
  private readInline(at: number, parentIndent: number, depth: number): YamlNode | null {
    switch (this.text.charCodeAt(at)) {
      case 34 /* " */:
      case 39 /* ' */: {
        const scalar = this.readQuoted(at, parentIndent, depth);
        return scalar !== null && this.endLine() ? scalar : null;
      }
      case 91 /* [ */:
      case 123 /* { */: {
        const collection = this.readFlow(at, parentIndent, depth, 1);
        return collection !== null && this.endLine() ? collection : null;
      }
      case 124 /* | */:
      case 62 /* > */:
        return this.readBlockScalar(at, parentIndent, depth);
      default:
        return this.readPlain(at, parentIndent, depth);
    }
  }

  private readPlain(start: number, parentIndent: number, depth: number): YamlNode | null {
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

  /** The end of the plain text on the line, or -1 when something in it needs a closer look. */
  private plainEnd(start: number): number {
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
    if (text.charCodeAt(end - 1) === 58 || line.includes(': ') || line.includes('\t') || line.includes('\r')) return -1;
    return end;
  }

  /** Whether the text of this line has a ": " in it, and no other oddity before. */
  private holdsColon(start: number): boolean {
    const colon = this.findColon(start);
    return colon > start || (colon === unclearColon && this.text.charCodeAt(start) !== 58);
  }

  private mayStartPlain(at: number): boolean {
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

  /** Reads a quoted scalar at `start`; leaves `at` just behind the closing quote. */
  private readQuoted(start: number, parentIndent: number, depth: number): YamlScalar | null {
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
  private simpleQuoted(start: number, quote: number): YamlScalar | null {
    const text = this.text;
    const close = text.indexOf(quote === 39 ? "'" : '"', start + 1);
    if (close < 0 || close >= this.end) return null;
    if (quote === 39 && text.charCodeAt(close + 1) === 39) return null;
    const value = text.slice(start + 1, close);
    if ((quote === 34 && value.includes('\\')) || value.includes('\n')) return null;
    this.at = close + 1;
    return { kind: 'scalar', value, raw: value, style: quote === 39 ? 'single' : 'double', span: { start, end: close + 1 } };
  }

  /** From a line end, moves `at` to the next text; the number of line ends passed, 0 when in doubt. */
  private skipBreaks(lineEnd: number, parentIndent: number): number {
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

  /** Reads `[…]` or `{…}` at `start`; leaves `at` just behind the closing bracket. */
  private readFlow(start: number, parentIndent: number, depth: number, level: number): YamlNode | null {
    if (!this.admits(depth)) return null;
    const isMap = this.text.charCodeAt(start) === 123;
    const close = isMap ? 125 : 93;
    const items: YamlNode[] = [];
    const entries: YamlEntry[] = [];
    let seen: Set<string> | null = null;
    this.at = start + 1;
    while (true) {
      if (!this.skipFlowSpace(parentIndent, level, close)) return null;
      if (this.text.charCodeAt(this.at) === close) break;
      if (isMap) {
        if (entries.length === manyEntries) seen = new Set(entries.map((entry) => entry.key));
        const entry = this.readFlowEntry(parentIndent, depth + 1, level);
        if (entry === null || isUnwelcome(entry.key, entries, seen)) return null;
        if (seen !== null) seen.add(entry.key);
        entries.push(entry);
      } else {
        const item = this.readFlowValue(parentIndent, depth + 1, level);
        if (item === null) return null;
        items.push(item);
      }
      if (!this.skipFlowSpace(parentIndent, level, close)) return null;
      const unit = this.text.charCodeAt(this.at);
      if (unit === close) break;
      if (unit !== 44 /* , */) return null;
      this.at += 1;
    }
    this.at += 1;
    const span = { start, end: this.at };
    return isMap ? { kind: 'map', entries, flow: true, span } : { kind: 'seq', items, flow: true, span };
  }

  private readFlowEntry(parentIndent: number, depth: number, level: number): YamlEntry | null {
    const start = this.at;
    const colon = this.findFlowColon(start);
    if (colon < 0) return null;
    const key = this.keyText(start, colon);
    if (key === null) return null;
    this.at = colon + 1;
    if (!this.skipFlowSpace(parentIndent, level, 0)) return null;
    const value = this.readFlowValue(parentIndent, depth, level);
    return value === null ? null : { key, keySpan: { start, end: colon }, value };
  }

  private readFlowValue(parentIndent: number, depth: number, level: number): YamlNode | null {
    const start = this.at;
    const first = this.text.charCodeAt(start);
    if (first === 34 || first === 39) return this.readQuoted(start, parentIndent, depth);
    if (first === 91 || first === 123) return this.readFlow(start, parentIndent, depth, level + 1);
    if (!this.admits(depth) || !this.mayStartFlowPlain(start)) return null;
    const end = this.flowPlainEnd(start);
    if (end <= start) return null;
    this.at = end;
    const raw = this.text.slice(start, end);
    return { kind: 'scalar', value: resolvePlain(raw), raw, style: 'plain', span: { start, end } };
  }

  /** The end of a plain text inside brackets, or -1 when in doubt; it must end on its own line. */
  private flowPlainEnd(start: number): number {
    const text = this.text;
    let at = start;
    for (; ; at += 1) {
      if (at >= this.end) return -1;
      const unit = text.charCodeAt(at);
      if (unit === 44 || unit === 93 || unit === 125 || unit === 10) break;
      if (unit === 91 || unit === 123) return -1;
      if (unit === 58) {
        const next = text.charCodeAt(at + 1);
        if (next <= 32 || isFlowIndicator(next)) return -1;
      } else if (unit === 35) {
        if (text.charCodeAt(at - 1) === 32) return -1;
      } else if (unit < 32) {
        if (unit === 13 && text.charCodeAt(at + 1) === 10) break;
        return -1;
      }
    }
    while (at > start && text.charCodeAt(at - 1) === 32) at -= 1;
    return at;
  }

  private mayStartFlowPlain(at: number): boolean {
    if (!this.mayStartPlain(at)) return false;
    const unit = this.text.charCodeAt(at);
    return (unit !== 45 && unit !== 63 && unit !== 58) || (unit === 45 && !isFlowIndicator(this.text.charCodeAt(at + 1)));
  }

  /** Skips spaces and line ends inside brackets; a closing bracket may stand in its parent's column. */
  private skipFlowSpace(parentIndent: number, level: number, close: number): boolean {
    const text = this.text;
    let at = this.at;
    let lineStart = -1;
    while (true) {
      at = this.skipSpaces(at);
      if (at >= this.end) return false;
      const unit = text.charCodeAt(at);
      if (unit === 10) lineStart = at += 1;
      else if (unit === 13 && text.charCodeAt(at + 1) === 10) lineStart = at += 2;
      else break;
    }
    this.at = at;
    const unit = text.charCodeAt(at);
    if (unit < 32 || unit === 35) return false;
    if (lineStart < 0 || at - lineStart > parentIndent) return true;
    return at - lineStart === parentIndent && level === 1 && close !== 0 && unit === close;
  }

  /** Reads a `|` or `>` scalar whose header is at `start`, then moves to the next line. */
  private readBlockScalar(start: number, parentIndent: number, depth: number): YamlNode | null {
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
    if (lastEnd === headerEnd) {
      if (chomp === 43 || commented) return null;
    } else {
      if (chomp !== 45) value += '\n';
      if (chomp === 43 && trailing > 0) value += '\n'.repeat(trailing);
      while (text.charCodeAt(lastEnd - 1) === 32 || text.charCodeAt(lastEnd - 1) === 9) lastEnd -= 1;
    }
    this.nextLine(lineStart);
    return { kind: 'scalar', value, raw: value, style: folded ? 'folded' : 'literal', span: { start, end: lastEnd } };
  }

  /** The colon that ends the key at `start` in a block, `noColon` or `unclearColon`. */
  private findColon(start: number): number {
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
    if (length === 0 || length > longestKey || text.charCodeAt(start + length - 1) === 32) return unclearColon;
    const key = line.slice(0, length);
    return key.includes('\t') || key.includes('\r') ? unclearColon : start + length;
  }

  /** The colon behind a key inside braces, or -1. */
  private findFlowColon(start: number): number {
    const text = this.text;
    const first = text.charCodeAt(start);
    if (first === 34 || first === 39) {
      const close = this.quoteEnd(start);
      return close >= 0 && text.charCodeAt(close + 1) === 58 ? close + 1 : -1;
    }
    if (!this.mayStartFlowPlain(start)) return -1;
    for (let at = start; at < this.end; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < 32 || unit === 35 || isFlowIndicator(unit)) return -1;
      if (unit === 58 && text.charCodeAt(at + 1) <= 32) {
        return text.charCodeAt(at - 1) === 32 || at - start > longestKey || !this.isKeyColon(at) ? -1 : at;
      }
      if (unit === 58 && isFlowIndicator(text.charCodeAt(at + 1))) return -1;
    }
    return -1;
  }

  private isKeyColon(colon: number): boolean {
    if (colon + 1 >= this.end) return true;
    const next = this.text.charCodeAt(colon + 1);
    return next === 32 || next === 10 || (next === 13 && this.text.charCodeAt(colon + 2) === 10);
  }

  /** The closing quote on the same line, or -1. */
  private quoteEnd(start: number): number {
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

  private keyText(start: number, colon: number): string | null {
    const first = this.text.charCodeAt(start);
    if (first !== 34 && first !== 39) return this.text.slice(start, colon);
    if (colon - start > longestKey) return null;
    const back = this.at;
    const scalar = this.readQuoted(start, 0, 1);
    this.at = back;
    this.nodes -= 1;
    return scalar === null ? null : (scalar.value as string);
  }

  private emptyValue(at: number, depth: number): YamlScalar | null {
    if (!this.admits(depth)) return null;
    return { kind: 'scalar', value: null, raw: '', style: 'plain', span: { start: at, end: at } };
  }

  private admits(depth: number): boolean {
    this.nodes += 1;
    return depth <= yamlLimits.depth && this.nodes <= yamlLimits.nodes;
  }

  /** After a closing quote or bracket: whether the line ends there; moves to the next one. */
  private endLine(): boolean {
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
  private restIsEmpty(at: number, from: number): boolean {
    if (at >= this.end) return true;
    const unit = this.text.charCodeAt(at);
    if (unit === 10) return true;
    if (unit === 35) return at > from;
    return unit === 13 && this.text.charCodeAt(at + 1) === 10;
  }

  private isDash(at: number): boolean {
    if (this.text.charCodeAt(at) !== 45) return false;
    if (at + 1 >= this.end) return true;
    const next = this.text.charCodeAt(at + 1);
    return next === 32 || next === 10 || (next === 13 && this.text.charCodeAt(at + 2) === 10);
  }

  private skipSpaces(start: number): number {
    let at = start;
    while (this.text.charCodeAt(at) === 32) at += 1;
    return at < this.end ? at : this.end;
  }

  private lineAfter(at: number): number {
    const lineEnd = this.text.indexOf('\n', at);
    return lineEnd < 0 || lineEnd >= this.end ? this.end : lineEnd + 1;
  }
}

/** What `breaks` line ends between two lines of text become. */
function foldOf(breaks: number): string {
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

/** A letter or digit: text that nobody could take for an indicator. */
function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
}

function isFlowIndicator(unit: number): boolean {
  return unit === 44 || unit === 91 || unit === 93 || unit === 123 || unit === 125;
}

/** Repeated keys and forbidden ones are for `parseFull` to report. */
function isUnwelcome(key: string, entries: readonly YamlEntry[], seen: Set<string> | null): boolean {
  if (forbiddenKeys.has(key)) return true;
  if (seen !== null) return seen.has(key);
  for (const entry of entries) if (entry.key === key) return true;
  return false;
}

/** The text of the escape whose letter is at `at`, or `null` for the rare ones. */
function escapeAt(text: string, at: number): string | null {
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
function escapeLength(text: string, at: number, escaped: string): number {
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
