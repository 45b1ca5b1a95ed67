// Reads a frontmatter that is not YAML as it was probably meant.
//
//   text[start, end) -> FrontmatterLine[] (lines.ts) -> keys (key.ts) and values -> YamlMap,
//   and a report for each value that was changed or lost
//
// The text is cut into entries by indentation. An entry that is valid by itself is parsed normally; only a broken one is
// repaired, so one bad value never affects its neighbours. A repaired value is text (text.ts), verbatim except for its
// outer quotes or block sign: `description: Use when: asked` has the value "Use when: asked". It is reported as
// YAML_REPAIRED at the value. A line that belongs to no entry is dropped; the first one is reported as YAML_SYNTAX.
// Invisible characters before a key are reported. Nothing throws, and the time is linear: an entry is parsed at most once
// per level, and levels are bounded.
import type { Report } from '../../../base/diagnostic.ts';
import type { Span } from '../../../base/span.ts';
import type { ParseFull, YamlEntry, YamlMap, YamlNode } from '../node.ts';
import { forbiddenKeys, hasNoValue, repeatedKey, yamlLimits } from '../node.ts';
import { tryPlainBlock } from '../plain/parse-plain.ts';
import type { FoundKey } from './key.ts';
import { findKey } from './key.ts';
import type { FrontmatterLine } from './lines.ts';
import {
  isListDash,
  isText,
  lastTextEnd,
  linesOf,
  mentionTabs,
  skipBlanks,
  withoutDashes,
  withoutMarkers,
} from './lines.ts';
import {
  joinFolded,
  joinLiteral,
  openList,
  reasonFor,
  textScalar,
  unquoted,
  withoutComment,
} from './text.ts';

/** Nested entries are rescued down to here; below, a broken value is text. */
const maxLevels = 8;
/** How often unusual entries are tried with the full parser: each at most once, so all of them are one text at most. */
const maxFullTries = 200;
/** A list on one line, without quotes and brackets inside, in which a text continues with a variable. */
const bracedWords = /^\[[^[\]"'{}]*[^[\]"'{},\s][ \t]*\{[^[\]"'{}:,]*\}[^[\]"':]*\](?=\s*(?:#|$))/;
/** One pair of quotes around all of it. */
const wholeQuotes = /^(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')$/;
const blockSign = /^([|>])[-+0-9]{0,3}(?:[ \t]+|$)/;

export function repair(
  text: string,
  start: number,
  end: number,
  report: Report,
  parseFull: ParseFull | null = null,
): YamlMap {
  const lines = withoutMarkers(text, linesOf(text, start, end), report);
  mentionTabs(text, lines, report);
  const indent = Math.min(
    ...lines
      .slice(0, 2000)
      .filter((line) => isText(line))
      .map((line) => line.indent),
    1000,
  );
  const rescue = new Rescue(text, start, end, report, parseFull);
  const listed = withoutDashes(text, lines, end, indent, report);
  const fields = listed === null ? null : rescue.map(listed.lines, listed.column, 0);
  const map = fields ?? rescue.map(lines, indent === 1000 ? 0 : indent, 0);
  return map ?? { kind: 'map', entries: [], flow: false, span: { start, end: start } };
}

class Rescue {
  private readonly text: string;
  private readonly start: number;
  private readonly end: number;
  private readonly report: Report;
  private readonly parseFull: ParseFull | null;
  private fullTries = 0;
  private saidLost = false;
  private saidFull = false;
  private nodes = 0;

  constructor(text: string, start: number, end: number, report: Report, parseFull: ParseFull | null) {
    this.text = text;
    this.start = start;
    this.end = end;
    this.report = report;
    this.parseFull = parseFull;
  }

  /** The entries whose keys are in column `indent`, or `null` when no line has a key there. */
  map(lines: readonly FrontmatterLine[], indent: number, level: number): YamlMap | null {
    let entries: YamlEntry[] = [];
    const seen = new Map<string, YamlEntry>();
    const replaced = new Set<YamlEntry>();
    let at = 0;
    while (at < lines.length) {
      const line = lines[at] as FrontmatterLine;
      const key = isText(line) && line.indent <= indent ? findKey(this.text, line, level) : null;
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
      if (earlier !== undefined)
        this.report(
          'YAML_DUPLICATE_KEY',
          entry.keySpan,
          repeatedKey(entry.key, !counts),
          'remove or rename one of them',
        );
      if (!counts || !this.admits(entry.value, entry.keySpan)) continue;
      if (earlier !== undefined) replaced.add(earlier);
      seen.set(entry.key, entry);
      entries.push(entry);
    }
    if (replaced.size > 0) entries = entries.filter((entry) => !replaced.has(entry));
    const first = entries[0];
    const last = entries[entries.length - 1];
    if (first === undefined || last === undefined) return null;
    return {
      kind: 'map',
      entries,
      flow: false,
      span: { start: first.keySpan.start, end: last.value.span.end },
    };
  }

  /** The line behind the entry at `from`; a value with an open quote goes on to its closing one. */
  private entryEnd(
    key: FoundKey,
    lines: readonly FrontmatterLine[],
    from: number,
    indent: number,
    level: number,
  ): number {
    const line = lines[from] as FrontmatterLine;
    const first = this.text.charCodeAt(key.valueStart);
    const prose = takesMoreText(this.text.slice(key.valueStart, line.end));
    const quoted =
      (first === 34 || first === 39) && key.valueStart < line.end && !this.endsWithQuote(line, first);
    let loose = -1;
    for (let next = from + 1; next < lines.length; next += 1) {
      const follower = lines[next] as FrontmatterLine;
      if (this.startsEntry(follower, indent, level)) return loose < 0 ? next : loose;
      if (loose < 0 && isLoose(lines, next, indent, this.text, prose)) {
        if (!quoted) return next;
        loose = next;
      }
      if (loose >= 0 && !follower.blank && this.endsWithQuote(follower, first)) return next + 1;
    }
    return loose < 0 ? lines.length : loose;
  }

  private endsWithQuote({ end }: FrontmatterLine, quote: number): boolean {
    const isEscaped = quote === 34 && this.text.charCodeAt(end - 2) === 92;
    return this.text.charCodeAt(end - 1) === quote && !isEscaped;
  }

  private startsEntry(line: FrontmatterLine, indent: number, level: number): boolean {
    return isText(line) && line.indent <= indent && findKey(this.text, line, level) !== null;
  }

  private entry(
    key: FoundKey,
    lines: readonly FrontmatterLine[],
    from: number,
    to: number,
    level: number,
  ): YamlEntry {
    const line = lines[from] as FrontmatterLine;
    const end = this.soundEnd(lines, from, to);
    if (line.unseen >= 0) {
      const name = `U+${this.text.charCodeAt(line.unseen).toString(16).toUpperCase().padStart(4, '0')}`;
      this.report(
        'YAML_REPAIRED',
        { start: line.unseen, end: line.unseen + 1 },
        `an invisible character (${name}) stands before "${key.name}"; it was passed over`,
        'type the line again',
      );
    }
    const sound = this.parseAlone(line, end, level);
    if (sound?.kind === 'map' && sound.entries.length === 1) return sound.entries[0] as YamlEntry;
    const value = this.value(key.valueStart, lines, from, to, level);
    return { key: key.name, keySpan: key.span, value };
  }

  /** The entry or item at `line` by the regular parsers, when it is fine by itself. */
  private parseAlone(line: FrontmatterLine, end: number, level: number): YamlNode | null {
    const indent = line.start - line.lineStart;
    const plain = tryPlainBlock(this.text, line.start, end, indent, level + 1);
    if (plain === 'broken') return null;
    if (plain !== null || this.parseFull === null || level > 0 || indent > 0) return plain;
    // The full parser has refused the whole text.
    if (line.lineStart === this.start && end === this.end) return null;
    if (this.fullTries >= maxFullTries || !worthTrying(this.text, line.start, end)) return null;
    this.fullTries += 1;
    const faults: Parameters<Report>[] = [];
    const full = this.parseFull(this.text, line.start, end, (...fault) => faults.push(fault));
    if (full === null) return null;
    for (const fault of faults) this.report(...fault);
    return full;
  }

  /** The value that begins at `valueStart` on line `from` and goes on to line `to`. */
  private value(
    valueStart: number,
    lines: readonly FrontmatterLine[],
    from: number,
    to: number,
    level: number,
  ): YamlNode {
    const line = lines[from] as FrontmatterLine;
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
      this.repaired(
        span,
        first === ''
          ? 'the text under the block sign is not indented'
          : `text follows "${sign[1]}" on the same line`,
      );
      return textScalar(text, literal ? 'literal' : 'folded', span);
    }
    if (
      rest.startsWith('[') &&
      !rest.includes(']') &&
      !more.some((next) => this.text.slice(next.start, next.end).includes(']'))
    ) {
      this.report(
        'YAML_REPAIRED',
        span,
        'the "[" is never closed; what follows it was read as the items of a list',
        'close the list with "]"',
      );
      return openList(this.text, valueStart, line, more, span);
    }
    // [say hello, greet {name}]: YAML takes the brace for a mapping that begins in the middle of a text.
    const closed = more.some(isText) ? null : bracedWords.exec(rest);
    if (closed !== null) {
      const list = { start: valueStart, end: valueStart + (closed[0] as string).trimEnd().length };
      this.report(
        'YAML_REPAIRED',
        list,
        'a text with "{" in a list needs quotes; the items were read as texts',
        'put each item with "{" in quotes',
      );
      return openList(this.text, valueStart, { ...line, end: list.end - 1 }, [], list);
    }
    const joined = joinFolded(this.text, rest, more);
    if (wholeQuotes.test(joined) && more.some((next) => isText(next) && next.indent <= line.indent)) {
      this.repaired(
        span,
        'a further line of the quoted value is not indented',
        'indent each further line of the value by two spaces',
      );
      return textScalar(unquoted(joined), 'plain', span);
    }
    const text = more.some(isText) ? rest : withoutComment(rest);
    const whole = text === rest ? span : { start: valueStart, end: valueStart + text.length };
    this.repaired(whole, reasonFor(text));
    return textScalar(unquoted(text === rest ? joined : text), 'plain', whole);
  }

  /** The lines under a key or dash: a list, a map or text. */
  private block(lines: readonly FrontmatterLine[], emptyAt: number, level: number): YamlNode {
    const first = lines.find(isText);
    if (first === undefined)
      return { kind: 'scalar', value: null, raw: '', style: 'plain', span: { start: emptyAt, end: emptyAt } };
    if (level < maxLevels) {
      if (isListDash(this.text, first)) return this.seq(lines, first.indent, level + 1);
      if (findKey(this.text, first, level + 1) !== null) {
        const map = this.map(lines, first.indent, level + 1);
        if (map !== null) return map;
      }
    }
    const span = { start: first.start, end: lastTextEnd(lines, first.end) };
    this.repaired(span, 'the text could not be read as YAML');
    return textScalar(unquoted(joinFolded(this.text, '', lines)), 'plain', span);
  }

  private seq(lines: readonly FrontmatterLine[], indent: number, level: number): YamlNode {
    const items: YamlNode[] = [];
    let start = -1;
    let at = 0;
    while (at < lines.length) {
      const line = lines[at] as FrontmatterLine;
      if (!isText(line) || line.indent > indent || !isListDash(this.text, line)) {
        if (isText(line)) this.lost(line);
        at += 1;
        continue;
      }
      if (start < 0) start = line.start;
      let next = at + 1;
      while (next < lines.length && !this.startsItem(lines[next] as FrontmatterLine, indent)) next += 1;
      const item = this.item(lines, at, next, level);
      if (this.admits(item, item.span)) items.push(item);
      at = next;
    }
    const last = items[items.length - 1];
    return {
      kind: 'seq',
      items,
      flow: false,
      span: { start, end: last === undefined ? start + 1 : last.span.end },
    };
  }

  private startsItem(line: FrontmatterLine, indent: number): boolean {
    return isText(line) && line.indent <= indent && isListDash(this.text, line);
  }

  private item(lines: readonly FrontmatterLine[], from: number, to: number, level: number): YamlNode {
    const line = lines[from] as FrontmatterLine;
    const end = this.soundEnd(lines, from, to);
    const sound = this.parseAlone(line, end, level);
    if (sound?.kind === 'seq' && sound.items.length === 1) return sound.items[0] as YamlNode;
    const start = skipBlanks(this.text, line.start + 1, line.end);
    const inner: FrontmatterLine = { ...line, start, indent: line.indent + start - line.start };
    const key = start < line.end && level < maxLevels ? findKey(this.text, inner, level + 1) : null;
    // "- step one: do this" is prose more often than a map; a one-word key is a key.
    if (key !== null && !/\s/.test(key.name)) {
      const map = this.map([inner, ...lines.slice(from + 1, to)], inner.indent, level + 1);
      if (map !== null) return map;
    }
    return this.value(start, lines, from, to, level);
  }

  /** Whether the tree has room for `node`. A rescued collection counts once per level, so early rather than late. */
  private admits(node: YamlNode, at: Span): boolean {
    this.nodes += sizeOf(node);
    if (this.nodes < yamlLimits.nodes) return true;
    if (!this.saidFull)
      this.report(
        'YAML_TOO_MANY_NODES',
        at,
        `the frontmatter has more than ${yamlLimits.nodes} values; the rest was dropped`,
        'move data into a file of its own',
      );
    this.saidFull = true;
    return false;
  }

  /** Where the lines before `to` end for a parser, which must not see a marker behind the last text. */
  private soundEnd(lines: readonly FrontmatterLine[], from: number, to: number): number {
    let last = to;
    while (last > from + 1 && (lines[last - 1] as FrontmatterLine).blank) last -= 1;
    const cut = lines.slice(last, to).find((line) => line.marker);
    if (cut !== undefined) return cut.lineStart;
    return to < lines.length ? (lines[to] as FrontmatterLine).lineStart : this.endOf(lines);
  }

  private endOf(lines: readonly FrontmatterLine[]): number {
    const last = lines[lines.length - 1] as FrontmatterLine;
    const next = this.text.indexOf('\n', last.end);
    return next < 0 || next >= this.end ? this.end : next + 1;
  }

  private repaired(
    at: Span,
    why: string,
    hint = 'put the value in quotes, or write it as an indented block under "key: >-"',
  ): void {
    this.report('YAML_REPAIRED', at, `${why}; the value was read as text`, hint);
  }

  private lost(line: FrontmatterLine): void {
    if (this.saidLost) return;
    this.saidLost = true;
    this.report(
      'YAML_SYNTAX',
      { start: line.start, end: line.end },
      'this line is neither "key: value" nor part of a value; it was dropped',
      'remove the line, or indent it under the key it belongs to',
    );
  }
}

function sizeOf(node: YamlNode): number {
  let size = 1;
  if (node.kind === 'seq') for (const item of node.items) size += sizeOf(item);
  if (node.kind === 'map') for (const entry of node.entries) size += sizeOf(entry.value);
  return size;
}

/** Text that is neither indented nor right under prose belongs to no entry. */
function isLoose(
  lines: readonly FrontmatterLine[],
  at: number,
  indent: number,
  text: string,
  prose: boolean,
): boolean {
  const line = lines[at] as FrontmatterLine;
  if (!isText(line) || line.indent > indent) return false;
  return !prose || (!isText(lines[at - 1] as FrontmatterLine) && !isListDash(text, line));
}

/** Whether a value may go on in lines that are not indented: prose and open blocks do, `name: x` does not. */
function takesMoreText(rest: string): boolean {
  return !/^[\w.@/:-]{1,64}$/.test(rest);
}

/** Only an entry that uses what the plain parser leaves out can gain from the full one. */
function worthTrying(text: string, start: number, end: number): boolean {
  return /[&!\t?#\\[{|>"']/.test(text.slice(start, end));
}
