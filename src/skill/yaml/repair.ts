// What a person meant by a frontmatter that is not YAML.
//
//   text[start, end) -> YamlMap, and a report for each value that was changed or lost
//
// P1. The text is cut into entries by indentation. An entry that is fine by itself is parsed
//     normally; only a broken one is rescued, so one bad value never touches its neighbours.
// P2. A rescued value is text, verbatim but for its outer quotes or block sign: `description: Use
//     when: asked` has the value "Use when: asked". Reported as YAML_REPAIRED at the value.
// P3. A line that belongs to no entry is dropped; the first one is reported as YAML_SYNTAX.
// P4. Never throws, and linear: an entry is parsed at most once per level, and levels are bounded.
// P5. What nobody can see does not change what a line is: characters without width before a key are
//     passed over and reported.
// P6. A document marker (`...`, dashes alone, a directive) counts as a blank line and is reported; a list of
//     pairs (`- name: x`) counts as the pairs.
// P7. A comment behind a template on one line is no part of it.
import type { Report } from '../../base/diagnostic.ts';
import type { Span } from '../../base/span.ts';
import type { ParseFull, ScalarStyle, YamlEntry, YamlMap, YamlNode, YamlScalar } from './node.ts';
import { forbiddenKeys, hasNoValue, repeatedKey, yamlLimits } from './node.ts';
import { tryPlainBlock } from './parse-plain.ts';
import { resolvePlain } from './resolve-plain.ts';

/** Nested entries are rescued down to here; below, a broken value is text. */
const maxLevels = 8;
/** How often, and on how much text in all, unusual entries are tried with the full parser. */
const maxFullTries = 4;
const maxFullLength = 8192;
const tabWidth = 2;
/** "Use this whenever someone asks: …" is a sentence, not a key. */
const maxKeyWords = 3;

const keyPattern = /(?:"((?:[^"\\\n]|\\.){1,200})"|'([^'\n]{1,200})'|([^\s"'#&*!|>%@`[\]{},:?-][^\n:]{0,120}?|-?[A-Za-z_][\w.-]{0,80}))[ \t]{0,40}:(?=[ \t\r\n]|$)/y;
/** `name:x`, which YAML reads as one word, and `name：x`; only for what looks like a field's name. */
const tightKeyPattern = /([a-z][a-z0-9_-]{1,40})(?::(?=[^\s:/])|：)/y;
/** Seen by nobody at the start of a line. */
const unseen: ReadonlySet<number> = new Set([0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0x3000, 0xfeff]);
const marker = /^(?:\.{3}|-{3,}|%[A-Z]+ .*)$/;
/** A frontmatter written as a list of its fields. */
const listedField = /^[ \t]*-[ \t]+(?:name|description)[ \t]*:/m;
const blockSign = /^([|>])[-+0-9]{0,3}(?:[ \t]+|$)/;

interface Line {
  /** The first character that is not indentation. */
  readonly start: number;
  readonly end: number;
  readonly lineStart: number;
  readonly indent: number;
  readonly blank: boolean;
  readonly comment: boolean;
  /** A document marker; such a line counts as blank (P6). */
  readonly marker: boolean;
  /** Offset of the first unseen character before the text, or -1. */
  readonly unseen: number;
}

interface Key {
  readonly name: string;
  readonly span: Span;
  readonly valueStart: number;
}

export function repair(text: string, start: number, end: number, report: Report, parseFull: ParseFull | null = null): YamlMap {
  const rescue = new Rescue(text, end, report, parseFull);
  const lines = rescue.withoutMarkers(linesOf(text, start, end));
  rescue.mentionTabs(lines);
  const indent = Math.min(...lines.slice(0, 2000).filter((line) => isText(line)).map((line) => line.indent), 1000);
  const map = rescue.fieldList(lines, indent) ?? rescue.map(lines, indent === 1000 ? 0 : indent, 0);
  return map ?? { kind: 'map', entries: [], flow: false, span: { start, end: start } };
}

class Rescue {
  private readonly text: string;
  private readonly end: number;
  private readonly report: Report;
  private readonly parseFull: ParseFull | null;
  private fullTries = 0;
  private fullLength = 0;
  private saidLost = false;
  private saidFull = false;
  private nodes = 0;

  constructor(text: string, end: number, report: Report, parseFull: ParseFull | null) {
    this.text = text;
    this.end = end;
    this.report = report;
    this.parseFull = parseFull;
  }

  mentionTabs(lines: readonly Line[]): void {
    for (const line of lines) {
      if (line.blank) continue;
      const tab = this.text.slice(line.lineStart, line.start).indexOf('\t');
      if (tab < 0) continue;
      this.report('YAML_TABS', { start: line.lineStart + tab, end: line.lineStart + tab + 1 }, 'a tab is used as indentation', 'indent with spaces');
      return;
    }
  }

  /** `lines` with document markers blanked; the first is reported (P6). */
  withoutMarkers(lines: readonly Line[]): readonly Line[] {
    const isMarker = (line: Line): boolean => isText(line) && line.start === line.lineStart && marker.test(this.text.slice(line.start, Math.min(line.end, line.start + 200)));
    const first = lines.find(isMarker);
    if (first === undefined) return lines;
    this.report('YAML_REPAIRED', { start: first.start, end: first.end }, 'a document marker or directive stands inside the frontmatter; it was passed over', 'remove the line');
    return lines.map((line) => (isMarker(line) ? { ...line, blank: true, marker: true } : line));
  }

  /** The pairs of a frontmatter that is a list of them, or `null` when it is not (P6). */
  fieldList(lines: readonly Line[], indent: number): YamlMap | null {
    const first = lines.find(isText);
    if (first === undefined || first.indent !== indent || !isDash(this.text, first) || !listedField.test(this.text.slice(first.lineStart, this.end))) return null;
    let column = Infinity;
    const inner = lines.map((line) => {
      if (!isText(line) || line.indent > indent || !isDash(this.text, line)) return line;
      const start = skipBlanks(this.text, line.start + 1, line.end);
      column = Math.min(column, line.indent + start - line.start);
      return { ...line, start, indent: line.indent + start - line.start, blank: start >= line.end };
    });
    this.report('YAML_REPAIRED', { start: first.start, end: first.start + 1 }, 'the fields are written as a list; they were read as fields', 'remove the "- " before each field');
    return this.map(inner, column, 0);
  }

  /** The entries whose keys are in column `indent`, or `null` when no line has a key there. */
  map(lines: readonly Line[], indent: number, level: number): YamlMap | null {
    let entries: YamlEntry[] = [];
    const seen = new Map<string, YamlEntry>();
    const replaced = new Set<YamlEntry>();
    let at = 0;
    while (at < lines.length) {
      const line = lines[at] as Line;
      const key = isText(line) && line.indent <= indent ? this.keyOf(line, level) : null;
      if (key === null) {
        if (isText(line)) this.lost(line);
        at += 1;
        continue;
      }
      const next = this.entryEnd(key, lines, at, indent, level);
      if (forbiddenKeys.has(key.name)) {
        this.report('YAML_FORBIDDEN_KEY', key.span, `the key "${key.name}" was dropped`, 'use another name');
        at = next;
        continue;
      }
      const entry = this.entry(key, lines, at, next, level);
      at = next;
      const earlier = seen.get(entry.key);
      const counts = earlier === undefined || (hasNoValue(earlier) && !hasNoValue(entry));
      if (earlier !== undefined) this.report('YAML_DUPLICATE_KEY', entry.keySpan, repeatedKey(entry.key, !counts), 'remove or rename one of them');
      if (!counts || !this.admits(entry.value, entry.keySpan)) continue;
      if (earlier !== undefined) replaced.add(earlier);
      seen.set(entry.key, entry);
      entries.push(entry);
    }
    if (replaced.size > 0) entries = entries.filter((entry) => !replaced.has(entry));
    const first = entries[0];
    const last = entries[entries.length - 1];
    if (first === undefined || last === undefined) return null;
    return { kind: 'map', entries, flow: false, span: { start: first.keySpan.start, end: last.value.span.end } };
  }

  /** The line behind the entry at `from`; a value with an open quote goes on to its closing one. */
  private entryEnd(key: Key, lines: readonly Line[], from: number, indent: number, level: number): number {
    const line = lines[from] as Line;
    const first = this.text.charCodeAt(key.valueStart);
    const prose = takesMoreText(this.text.slice(key.valueStart, line.end));
    const quoted = (first === 34 || first === 39) && key.valueStart < line.end && this.text.charCodeAt(line.end - 1) !== first;
    let loose = -1;
    for (let next = from + 1; next < lines.length; next += 1) {
      const follower = lines[next] as Line;
      if (this.startsEntry(follower, indent, level)) return loose < 0 ? next : loose;
      if (loose < 0 && isLoose(lines, next, indent, this.text, prose)) {
        if (!quoted) return next;
        loose = next;
      }
      if (loose >= 0 && !follower.blank && this.text.charCodeAt(follower.end - 1) === first) return next + 1;
    }
    return loose < 0 ? lines.length : loose;
  }

  private startsEntry(line: Line, indent: number, level: number): boolean {
    return isText(line) && line.indent <= indent && this.keyOf(line, level) !== null;
  }

  private entry(key: Key, lines: readonly Line[], from: number, to: number, level: number): YamlEntry {
    const line = lines[from] as Line;
    const end = this.soundEnd(lines, from, to);
    if (line.unseen >= 0) {
      const name = `U+${this.text.charCodeAt(line.unseen).toString(16).toUpperCase().padStart(4, '0')}`;
      this.report('YAML_REPAIRED', { start: line.unseen, end: line.unseen + 1 }, `an invisible character (${name}) stands before "${key.name}"; it was passed over`, 'type the line again');
    }
    const sound = this.parseAlone(line, end, level);
    if (sound?.kind === 'map' && sound.entries.length === 1) return sound.entries[0] as YamlEntry;
    const value = this.value(key.valueStart, lines, from, to, level);
    return { key: key.name, keySpan: key.span, value };
  }

  /** The entry or item at `line` by the regular parsers, when it is fine by itself. */
  private parseAlone(line: Line, end: number, level: number): YamlNode | null {
    const indent = line.start - line.lineStart;
    const plain = tryPlainBlock(this.text, line.start, end, indent, level + 1);
    if (plain === 'broken') return null;
    if (plain !== null || this.parseFull === null || level > 0 || indent > 0) return plain;
    if (this.fullTries >= maxFullTries || !worthTrying(this.text, line.start, end)) return null;
    this.fullLength += end - line.start;
    if (this.fullLength > maxFullLength) return null;
    this.fullTries += 1;
    const faults: Parameters<Report>[] = [];
    const full = this.parseFull(this.text, line.start, end, (...fault) => faults.push(fault));
    if (full === null) return null;
    for (const fault of faults) this.report(...fault);
    return full;
  }

  /** The value that begins at `valueStart` on line `from` and goes on to line `to`. */
  private value(valueStart: number, lines: readonly Line[], from: number, to: number, level: number): YamlNode {
    const line = lines[from] as Line;
    const rest = this.text.slice(valueStart, line.end);
    const more = lines.slice(from + 1, to);
    const bare = rest === '' || rest.startsWith('#');
    if (bare) return this.block(more, valueStart, level);
    const sign = blockSign.exec(rest);
    const span = { start: valueStart, end: lastTextEnd(more, line.end) };
    if (sign !== null) {
      const literal = sign[1] === '|';
      const first = rest.slice(sign[0].length).replace(/^#.*$/, '');
      const text = literal ? joinLiteral(this.text, first, more) : joinFolded(this.text, first, more);
      this.repaired(span, first === '' ? 'the text under the block sign is not indented' : `text follows "${sign[1]}" on the same line`);
      return textScalar(text, literal ? 'literal' : 'folded', span);
    }
    if (rest.startsWith('[') && !rest.includes(']') && !more.some((next) => this.text.slice(next.start, next.end).includes(']'))) {
      this.report('YAML_REPAIRED', span, 'the "[" is never closed; what follows it was read as the items of a list', 'close the list with "]"');
      return this.openList(valueStart, line, more, span);
    }
    const text = more.some(isText) ? rest : withoutComment(rest);
    const whole = text === rest ? span : { start: valueStart, end: valueStart + text.length };
    this.repaired(whole, reasonFor(text));
    return textScalar(unquoted(text === rest ? joinFolded(this.text, rest, more) : text), 'plain', whole);
  }

  /** What stands in the lines under a key or dash: a list, a map or text. */
  private block(lines: readonly Line[], emptyAt: number, level: number): YamlNode {
    const first = lines.find(isText);
    if (first === undefined) return { kind: 'scalar', value: null, raw: '', style: 'plain', span: { start: emptyAt, end: emptyAt } };
    if (level < maxLevels) {
      if (isDash(this.text, first)) return this.seq(lines, first.indent, level + 1);
      if (this.keyOf(first, level + 1) !== null) {
        const map = this.map(lines, first.indent, level + 1);
        if (map !== null) return map;
      }
    }
    const span = { start: first.start, end: lastTextEnd(lines, first.end) };
    this.repaired(span, 'the text could not be read as YAML');
    return textScalar(unquoted(joinFolded(this.text, '', lines)), 'plain', span);
  }

  private seq(lines: readonly Line[], indent: number, level: number): YamlNode {
    const items: YamlNode[] = [];
    let start = -1;
    let at = 0;
    while (at < lines.length) {
      const line = lines[at] as Line;
      if (!isText(line) || line.indent > indent || !isDash(this.text, line)) {
        if (isText(line)) this.lost(line);
        at += 1;
        continue;
      }
      if (start < 0) start = line.start;
      let next = at + 1;
      while (next < lines.length && !this.startsItem(lines[next] as Line, indent)) next += 1;
      const item = this.item(lines, at, next, level);
      if (this.admits(item, item.span)) items.push(item);
      at = next;
    }
    const last = items[items.length - 1];
    return { kind: 'seq', items, flow: false, span: { start, end: last === undefined ? start + 1 : last.span.end } };
  }

  private startsItem(line: Line, indent: number): boolean {
    return isText(line) && line.indent <= indent && isDash(this.text, line);
  }

  private item(lines: readonly Line[], from: number, to: number, level: number): YamlNode {
    const line = lines[from] as Line;
    const end = this.soundEnd(lines, from, to);
    const sound = this.parseAlone(line, end, level);
    if (sound?.kind === 'seq' && sound.items.length === 1) return sound.items[0] as YamlNode;
    const start = skipBlanks(this.text, line.start + 1, line.end);
    const inner: Line = { ...line, start, indent: line.indent + start - line.start };
    const key = start < line.end && level < maxLevels ? this.keyOf(inner, level + 1) : null;
    // "- step one: do this" is prose more often than a map; a one-word key is a key.
    if (key !== null && !/\s/.test(key.name)) {
      const map = this.map([inner, ...lines.slice(from + 1, to)], inner.indent, level + 1);
      if (map !== null) return map;
    }
    return this.value(start, lines, from, to, level);
  }

  /** The items of a `[` that is never closed. */
  private openList(start: number, line: Line, more: readonly Line[], span: Span): YamlNode {
    const items: YamlNode[] = [];
    for (const [from, to] of [[start + 1, line.end] as const, ...more.filter(isText).map((next) => [next.start, next.end] as const)]) {
      let at = from;
      while (at < to && items.length < yamlLimits.nodes) {
        const comma = this.text.indexOf(',', at);
        const end = comma < 0 || comma > to ? to : comma;
        const itemStart = skipBlanks(this.text, at, end);
        const raw = this.text.slice(itemStart, end).trimEnd();
        if (raw !== '') {
          const value = unquoted(raw);
          items.push({ kind: 'scalar', value: value === raw ? resolvePlain(raw) : value, raw: value, style: 'plain', span: { start: itemStart, end: itemStart + raw.length } });
        }
        at = end + 1;
      }
    }
    return { kind: 'seq', items, flow: true, span };
  }

  private keyOf(line: Line, level: number): Key | null {
    keyPattern.lastIndex = line.start;
    let match = keyPattern.exec(this.text);
    if (match === null && level === 0) {
      tightKeyPattern.lastIndex = line.start;
      match = tightKeyPattern.exec(this.text);
    }
    if (match === null || line.start + match[0].length > line.end) return null;
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    if (match[3] !== undefined && wordCount(name) > maxKeyWords) return null;
    const quotes = match[3] === undefined && !tightMatch(match) ? 2 : 0;
    const valueStart = skipBlanks(this.text, line.start + match[0].length, line.end);
    return { name: name.trim(), span: { start: line.start, end: line.start + name.length + quotes }, valueStart };
  }

  /** Whether the tree has room for `node` (Y3). A rescued collection counts once per level, so early rather than late. */
  private admits(node: YamlNode, at: Span): boolean {
    this.nodes += sizeOf(node);
    if (this.nodes < yamlLimits.nodes) return true;
    if (!this.saidFull) this.report('YAML_TOO_MANY_NODES', at, `the frontmatter has more than ${yamlLimits.nodes} values; the rest was dropped`, 'move data into a file of its own');
    this.saidFull = true;
    return false;
  }

  /** Where the lines before `to` end for a parser, which must not see a marker behind the last text. */
  private soundEnd(lines: readonly Line[], from: number, to: number): number {
    let last = to;
    while (last > from + 1 && (lines[last - 1] as Line).blank) last -= 1;
    const cut = lines.slice(last, to).find((line) => line.marker);
    if (cut !== undefined) return cut.lineStart;
    return to < lines.length ? (lines[to] as Line).lineStart : this.endOf(lines);
  }

  private endOf(lines: readonly Line[]): number {
    const last = lines[lines.length - 1] as Line;
    const next = this.text.indexOf('\n', last.end);
    return next < 0 || next >= this.end ? this.end : next + 1;
  }

  private repaired(at: Span, why: string): void {
    this.report('YAML_REPAIRED', at, `${why}; the value was read as text`, 'put the value in quotes, or write it as an indented block under "key: >-"');
  }

  private lost(line: Line): void {
    if (this.saidLost) return;
    this.saidLost = true;
    this.report('YAML_SYNTAX', { start: line.start, end: line.end }, 'this line is neither "key: value" nor part of a value; it was dropped', 'remove the line, or indent it under the key it belongs to');
  }
}

function sizeOf(node: YamlNode): number {
  let size = 1;
  if (node.kind === 'seq') for (const item of node.items) size += sizeOf(item);
  if (node.kind === 'map') for (const entry of node.entries) size += sizeOf(entry.value);
  return size;
}

function wordCount(name: string): number {
  return name.trim().split(/\s+/).length;
}

function tightMatch(match: RegExpExecArray): boolean {
  return match.length === 2;
}

function linesOf(text: string, start: number, end: number): Line[] {
  const lines: Line[] = [];
  let at = start;
  while (at < end) {
    let newline = text.indexOf('\n', at);
    if (newline < 0 || newline > end) newline = end;
    let indent = 0;
    let hidden = -1;
    let first = at;
    for (; first < newline; first += 1) {
      const unit = text.charCodeAt(first);
      if (unit === 32) indent += 1;
      else if (unit === 9) indent += tabWidth;
      else if (!unseen.has(unit)) break;
      else if (hidden < 0) hidden = first;
    }
    let last = newline;
    while (last > first && text.charCodeAt(last - 1) <= 32) last -= 1;
    lines.push({ start: first, end: last, lineStart: at, indent, blank: last <= first, comment: text.charCodeAt(first) === 35, marker: false, unseen: hidden });
    at = newline + 1;
  }
  return lines;
}

function isText(line: Line): boolean {
  return !line.blank && !line.comment;
}

/** Text that is neither indented nor right under prose belongs to no entry. */
function isLoose(lines: readonly Line[], at: number, indent: number, text: string, prose: boolean): boolean {
  const line = lines[at] as Line;
  if (!isText(line) || line.indent > indent) return false;
  return !prose || (!isText(lines[at - 1] as Line) && !isDash(text, line));
}

/** Whether a value may go on in lines that are not indented: prose and open blocks do, `name: x` does not. */
function takesMoreText(rest: string): boolean {
  return !/^[\w.@/:-]{1,64}$/.test(rest);
}

function isDash(text: string, line: Line): boolean {
  return text.charCodeAt(line.start) === 45 && (line.start + 1 === line.end || text.charCodeAt(line.start + 1) <= 32);
}

function skipBlanks(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

function lastTextEnd(lines: readonly Line[], fallback: number): number {
  for (let at = lines.length - 1; at >= 0; at -= 1) if (!(lines[at] as Line).blank) return (lines[at] as Line).end;
  return fallback;
}

/** Lines as one text: a line end is a space, a blank line a line end. */
function joinFolded(text: string, first: string, more: readonly Line[]): string {
  const parts = [first];
  let breaks = 0;
  for (const line of more) {
    if (line.blank) {
      breaks += 1;
      continue;
    }
    const empty = parts.length === 1 && first === '';
    parts.push(empty ? '' : breaks === 0 ? ' ' : '\n'.repeat(breaks), text.slice(line.start, line.end));
    breaks = 0;
  }
  return parts.join('');
}

/** Lines kept apart, without the indentation they share. */
function joinLiteral(text: string, first: string, more: readonly Line[]): string {
  let shared = Infinity;
  for (const line of more) if (!line.blank) shared = Math.min(shared, line.start - line.lineStart);
  const rows = more.map((line) => (line.blank ? '' : text.slice(line.lineStart + shared, line.end)));
  while (rows.length > 0 && rows[rows.length - 1] === '') rows.pop();
  if (first !== '') rows.unshift(first);
  return rows.length === 0 ? '' : `${rows.join('\n')}\n`;
}

/**
 * P7: a template, or what begins with a quote, without the comment behind it. In any other text "#" may be meant: in sound
 * YAML it would have been a comment, but nobody wrote that.
 */
function withoutComment(value: string): string {
  const quote = /^["']/.test(value) ? value.charAt(0) : null;
  if (quote === null && !/\{[{%]/.test(value)) return value;
  let close: string | null = null;
  let inQuotes = false;
  for (let at = 0; at < value.length; at += 1) {
    if (close !== null) {
      if (value.startsWith(close, at)) close = null;
    } else if (!inQuotes && (value.startsWith('{{', at) || value.startsWith('{%', at))) close = value[at + 1] === '{' ? '}}' : '%}';
    else if (value[at] === quote) inQuotes = !inQuotes;
    else if (!inQuotes && value[at] === '#' && at > 0 && (value[at - 1] === ' ' || value[at - 1] === '\t')) return value.slice(0, at).trimEnd();
  }
  return value;
}

/** `value` without quotes around it, or without one that is never closed. */
function unquoted(value: string): string {
  const quote = value.charAt(0);
  if (quote !== '"' && quote !== "'") return value;
  const inner = value.slice(1, value.length > 1 && value.endsWith(quote) ? -1 : undefined);
  const open = quote === '"' ? /(?<!\\)"/ : /'/;
  if (value.length > 1 && value.endsWith(quote)) {
    // "a" and "b": the outer quotes are not a pair.
    const pairs = inner.split(quote).length - 1;
    if (pairs >= 2 && pairs % 2 === 0 && /^[^"']*["'][,.;:)\s]/.test(inner)) return value;
    return quote === '"' ? inner.replace(/\\(["\\/])/g, '$1') : inner.replace(/''/g, "'");
  }
  return open.test(inner) ? value : inner;
}

function reasonFor(rest: string): string {
  const first = rest.charAt(0);
  if (/[*&!%@`]/.test(first)) return `a value cannot begin with "${first}"`;
  if (first === '"' || first === "'") return 'the quotes do not enclose the whole value';
  if (first === '[' || first === '{') return 'the brackets do not enclose the whole value';
  if (/:(?:\s|$)/.test(rest)) return 'a value that contains ": " needs quotes';
  return 'the value is not valid YAML';
}

/** Only an entry that uses what the plain parser leaves out can gain from the full one. */
function worthTrying(text: string, start: number, end: number): boolean {
  return end - start <= maxFullLength && /[&!\t?#\\[{|>"']/.test(text.slice(start, end));
}

function textScalar(value: string, style: ScalarStyle, span: Span): YamlScalar {
  return { kind: 'scalar', value, raw: value, style, span };
}
