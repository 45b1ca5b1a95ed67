// The common subset of YAML, in one pass.
//
//   text[start, end) -> YamlMap | null
//
//   map    = (key ":" value)+                       all keys in one column
//   seq    = ("-" item)+                            all dashes in one column
//   value  = inline | EOL map | EOL seq | EOL       a seq may be in its key's column
//   item   = inline | map | seq | EOL
//   inline = plain | 'single' | "double" | "|" text | ">" text | "[" … "]" | "{" … "}"
//
// `null` means doubt, never an error: then `parseFull` decides. Anchors, aliases, tags, complex keys, tabs as
// indentation, markers, repeated or forbidden keys and every limit are doubt; so are a byte order mark before a line and
// a text that ends in a blank or a lone CR. Otherwise the tree equals that of `parseFull`, spans included (property
// test). Linear: each character is read a bounded number of times, without backtracking. `end` is the start of a line or
// the end of the text.
//
// This runs in a cold process over thousands of heads, so it is one object (cursor, scalars, then the collections here)
// with number fields, native searches along a line, and no closures.
import type { YamlEntry, YamlMap, YamlNode } from '../node.ts';
import { forbiddenKeys } from '../node.ts';
import { isFlowIndicator, longestKey, noColon, unclearColon, PlainScalars, resolvePlain } from './scalars.ts';

/** From here on a set is cheaper than comparing with every earlier key. */
const manyEntries = 12;

/**
 * `'broken'`: no YAML parser would take it, because a value holds ": ", begins with a reserved
 * character or goes on behind its closing quote or bracket. Saves loading the library to be told so.
 */
type PlainResult<Tree> = Tree | 'broken' | null;

/** The tree of a frontmatter within the subset, or `null` when in doubt. */
export function parsePlain(text: string, start: number, end: number): YamlMap | null {
  const result = tryPlain(text, start, end);
  return result === 'broken' ? null : result;
}

export function tryPlain(text: string, start: number, end: number): PlainResult<YamlMap> {
  if (end < text.length && end > start && text.charCodeAt(end - 1) !== 10) return null;
  if (endsOddly(text, end)) return null;
  const reader = new Reader(text, end);
  reader.nextLine(start);
  if (reader.column !== 0) return null;
  const map = reader.readMap(0, 1);
  if (map === null) return reader.broken ? 'broken' : null;
  return reader.at === end ? map : null;
}

/** The map or sequence at `depth` whose first line has its text at `start`, in column `indent`; for `repair`. */
export function tryPlainBlock(
  text: string,
  start: number,
  end: number,
  indent: number,
  depth: number,
): PlainResult<YamlNode> {
  if (endsOddly(text, end)) return null;
  const reader = new Reader(text, end);
  reader.at = start;
  reader.column = indent;
  const block = reader.readBlock(indent, depth);
  if (block === null) return reader.broken ? 'broken' : null;
  return reader.at === end ? block : null;
}

/** Without a line end behind it, a CR or blank counts for more than its line to the library. */
function endsOddly(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  return last === 13 || last === 32 || last === 9;
}

class Reader extends PlainScalars {
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
    if (!this.admits(depth)) return null;
    if (!this.mayStartFlowPlain(start)) {
      this.broken = this.isReserved(first) || (first === 45 && this.text.charCodeAt(start + 1) === 32);
      return null;
    }
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
    return (
      (unit !== 45 && unit !== 63 && unit !== 58) ||
      (unit === 45 && !isFlowIndicator(this.text.charCodeAt(at + 1)))
    );
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
}

/** Repeated keys and forbidden ones are for `parseFull` to report. */
function isUnwelcome(key: string, entries: readonly YamlEntry[], seen: Set<string> | null): boolean {
  if (forbiddenKeys.has(key)) return true;
  if (seen !== null) return seen.has(key);
  for (const entry of entries) if (entry.key === key) return true;
  return false;
}
