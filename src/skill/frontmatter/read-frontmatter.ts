// SKILL.md text -> its frontmatter as a tree, whatever its condition.
//
//   withLineFeeds -> splitFrontmatter -> parsePlain -> parseFull -> repair
//
// A text is read once, and all who look at its frontmatter share the result: the head, lint, the strict rules, plans.
// The tree is always a map, perhaps an empty one; nothing throws. `parseFull` is called only when the plain parser is
// in doubt, since it may load a library. A fault is reported once: what `repair` repairs is reported as repaired, and the
// syntax error behind it is not repeated. What a parser reads is never repaired, whatever its size; a text over the limits
// is read entry by entry, as far as they reach. After `maxFaults` faults of one file the rest are not reported. Invisible characters change
// a key for YAML, but not for its author: after the colon of a field they count as blanks, and a text with one before a
// key goes to `repair`, even where a parser would accept it. Both are reported.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Report } from '../../base/diagnostic.ts';
import { lineAt } from '../../base/span.ts';
import type { ParseFull, YamlMap } from '../yaml/node.ts';
import { yamlLimits } from '../yaml/node.ts';
import { tryPlain } from '../yaml/plain/parse-plain.ts';
import { repair } from '../yaml/repair/repair.ts';

type Fault = Parameters<Report>;

const maxFaults = 100;

/** Faults that a complete repair makes moot. */
const mootOnceRepaired: ReadonlySet<DiagnosticCode> = new Set(['YAML_SYNTAX', 'FRONTMATTER_NOT_A_MAP']);

const unseen = String.raw`\u00a0\u00ad\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff`;
const holdsUnseen = new RegExp(`[${unseen}]`);
// In the first column, where no text of a value can stand.
const unseenBefore = new RegExp(`(?:^|\\n)[${unseen}]{1,8}[A-Za-z_"'][^:\\n]{0,60}:`);
const unseenBehind = new RegExp(`(^|\\n)([\\w-]{1,60}[ \\t]{0,8}:)([ \\t]*[${unseen}]+)`, 'g');

/** The frontmatter of one text, with what is wrong with it. */
export interface Frontmatter {
  /** The text as it was given. */
  readonly source: string;
  /** The same with LF line ends: as long, so that places hold for both. */
  readonly text: string;
  /** `null` when there is no frontmatter. */
  readonly parts: SkillParts | null;
  /** Empty when there is no frontmatter. */
  readonly map: YamlMap;
  /** Of its fences and its YAML. */
  readonly faults: readonly Fault[];
}

/** `'more'` when the text is a head that ends too early. */
export function parseFrontmatter(
  source: string,
  parseFull: ParseFull,
  options: SplitOptions,
): Frontmatter | 'more' {
  const text = withLineFeeds(source);
  const faults: Fault[] = [];
  const report: Report = (...fault) => {
    faults.push(fault);
  };
  const parts = splitFrontmatter(text, report, options);
  if (parts === 'more') return 'more';
  const map = parts === null ? emptyMap(0) : readFrontmatter(text, parts, parseFull, report);
  return { source, text, parts, map, faults };
}

/** The frontmatter of a whole file. */
export function parseWholeFrontmatter(source: string, parseFull: ParseFull): Frontmatter {
  const read = parseFrontmatter(source, parseFull, { complete: true });
  if (read === 'more') throw new Error('a whole file was taken for the head of one');
  return read;
}

export function readFrontmatter(
  source: string,
  parts: SkillParts,
  parseFull: ParseFull,
  report: Report,
): YamlMap {
  const { yamlStart, yamlEnd } = parts;
  const yaml = source.slice(yamlStart, yamlEnd);
  if (!holdsUnseen.test(yaml)) return readText(source, parts, parseFull, report);
  const faults: Fault[] = [];
  const seen = withBlanks(yaml, yamlStart, (...fault) => faults.push(fault));
  // As long as before, so that every place holds for the source too.
  const text = seen === yaml ? source : source.slice(0, yamlStart) + seen + source.slice(yamlEnd);
  const read = unseenBefore.test(seen) ? readBroken : readText;
  const map = read(text, parts, parseFull, (...fault) => faults.push(fault));
  pass(faults, report);
  return map;
}

/** `yaml`, which begins at `start`, with blanks for what is unseen behind the colon of a field. */
function withBlanks(yaml: string, start: number, report: Report): string {
  return yaml.replace(unseenBehind, (_all, lineEnd: string, key: string, gap: string, offset: number) => {
    const from = start + offset + lineEnd.length + key.length;
    report(
      'YAML_REPAIRED',
      { start: from, end: from + gap.length },
      'an invisible character follows the colon; it was read as a space',
      'type a space instead',
    );
    return lineEnd + key + ' '.repeat(gap.length);
  });
}

function readText(text: string, parts: SkillParts, parseFull: ParseFull, report: Report): YamlMap {
  const { yamlStart, yamlEnd } = parts;
  const plain = tryPlain(text, yamlStart, yamlEnd);
  if (plain === 'broken') return readBroken(text, parts, parseFull, report);
  if (plain !== null) return plain;
  if (isBlank(text, yamlStart, yamlEnd)) {
    report(
      'FRONTMATTER_EMPTY',
      { start: yamlStart, end: yamlStart },
      'there is nothing between the "---" lines',
      'write "name: …" and "description: …"',
    );
    return emptyMap(yamlStart);
  }
  const before: Fault[] = [];
  const full = parseFull(text, yamlStart, yamlEnd, (...fault) => before.push(fault));
  if (full !== null) {
    pass(before, report);
    return full;
  }
  const during: Fault[] = [];
  const repaired = repair(text, yamlStart, yamlEnd, (...fault) => during.push(fault), parseFull);
  pass(mergeFaults(before, during), report);
  return repaired;
}

function emptyMap(at: number): YamlMap {
  return { kind: 'map', entries: [], flow: false, span: { start: at, end: at } };
}

function pass(faults: readonly Fault[], report: Report): void {
  for (const fault of faults.slice(0, maxFaults)) report(...fault);
}

/** The library would only say that it is broken; it is needed when another entry is unusual. */
function readBroken(text: string, parts: SkillParts, parseFull: ParseFull, report: Report): YamlMap {
  const faults: Fault[] = [];
  const repaired = repair(text, parts.yamlStart, parts.yamlEnd, (...fault) => faults.push(fault), parseFull);
  pass(faults, report);
  return repaired;
}

/** The syntax error is kept when something was dropped, or when nothing else reports a fault. */
function mergeFaults(before: readonly Fault[], during: readonly Fault[]): readonly Fault[] {
  const lost = during.some(([code]) => code === 'YAML_SYNTAX');
  const rest = during.filter(([code]) => code !== 'YAML_SYNTAX');
  const explained = !lost && rest.length > 0;
  const repeated = new Set(rest.map(([code]) => code));
  const kept = before.filter(
    ([code]) =>
      !(explained && mootOnceRepaired.has(code)) && !(code === 'YAML_TOO_MANY_NODES' && repeated.has(code)),
  );
  return kept.length === 0 && lost ? during : [...kept, ...rest];
}

/** Whether the range holds only blank lines and comments. */
function isBlank(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (unit === 35 /* # */) {
      const lineEnd = text.indexOf('\n', at);
      at = lineEnd < 0 || lineEnd >= end ? end : lineEnd + 1;
    } else if (unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xfeff) {
      at += 1;
    } else {
      return false;
    }
  }
  return true;
}

// Where the YAML and the body of a SKILL.md are.
//
//   file  = [BOM] fence yaml fence body         fence = "---" [ \t]* EOL, in column 0
//
// Only a line that is exactly a fence closes the frontmatter: not a rule further down in the body, not `a---b`, not an
// indented `---` in a value. `yamlEnd` is the start of a line, or the end of the text. Real files have blank lines, a
// comment, a heading or a code fence before the first "---", omit it, or never close it. Where the lines are clearly
// `key: value`, they are still read and the deviation is reported. A directive (`%YAML 1.2`) may be before the fence or
// between two of them. Four or more dashes, `...` and indented dashes are fences (FRONTMATTER_FENCE) where a person would
// see one: a field follows the first, and neither a field nor a fence follows the last. Otherwise a body that begins
// there would be taken for YAML up to its next rule. `'more'` reports nothing: the caller calls again with more text.

interface SkillParts {
  readonly yamlStart: number;
  readonly yamlEnd: number;
  readonly bodyStart: number;
}

interface SplitOptions {
  /** `text` is the whole file, not just its head. */
  readonly complete: boolean;
}

/** How many lines may stand before a fence that is not on the first line. */
const maxPreambleLines = 40;
const keyLine = /^(?:[A-Za-z_][\w.$/-]{0,80}|"[^"\n]{1,80}"|'[^'\n]{1,80}')[ \t]*:(?:[ \t\r]|$)/;
const identityLine = /^(?:name|description)[ \t]*:/m;
/** What people write instead of a closing "---". */
const oddFence = new RegExp(`^[ \\t]*(?:-{2,}|\\.{3}|—+|\`{3}|\\*{3}|_{3})[ \\t\\r${unseen}]*$`);
/** An opening fence as people also write it. */
const oddOpening = new RegExp(`^[ \\t]{0,8}-{3,}[ \\t${unseen}]{0,80}\\r?$`);
const oddClosing = new RegExp(`\\n([ \\t]{0,8})(?:-{3,}|\\.{3})[ \\t\\r${unseen}]{0,80}(?=\\n|$)`, 'g');
const directives = /^(?:[ \t\r]*\n|#[^\n]*\n)*%[A-Z]+ [^\n]*\n(?:[ \t\r]*\n|[#%][^\n]*\n)*$/;
const longestDirectives = 1000;

/** The parts of `text`; `'more'` when the closing fence is not in this head; `null` after reporting why there are none. */
export function splitFrontmatter(
  text: string,
  report: Report,
  options: SplitOptions,
): SkillParts | 'more' | null {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const open = fenceEnd(text, start, options.complete);
  if (open === 'more') return 'more';
  if (open !== null) return splitFrom(text, start, open, report, options);
  const odd = oddOpeningEnd(text, start, options.complete);
  if (odd === 'more') return 'more';
  if (odd !== null) {
    const parts = splitFrom(text, start, odd, () => undefined, options);
    if (parts === 'more') return 'more';
    if (parts !== null) {
      reportFence(text, start, report);
      return splitFrom(text, start, odd, report, options);
    }
  }
  return splitLate(text, start, report, options);
}

/** The offset behind an opening fence that is indented or too long, when a field follows it. */
function oddOpeningEnd(text: string, start: number, complete: boolean): number | 'more' | null {
  const end = lineEndOf(text, start);
  if (end - start > 200 || !oddOpening.test(text.slice(start, end))) return null;
  const next = skipBlank(text, end + 1);
  if (!complete && lineEndOf(text, next) >= text.length) return 'more';
  return isFieldLine(text, next) ? Math.min(end + 1, text.length) : null;
}

function reportFence(text: string, at: number, report: Report): void {
  const line = lineAt(text, at);
  const found = holdsUnseen.exec(text.slice(line.start, line.end));
  if (found !== null) {
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    report(
      'FRONTMATTER_FENCE',
      line,
      `an invisible character (U+${code}) follows the fence; the fence was accepted`,
      'type the line "---" again',
    );
    return;
  }
  const written = text.slice(line.start, Math.min(line.end, line.start + 20)).trim();
  report(
    'FRONTMATTER_FENCE',
    line,
    written === '---'
      ? 'the fence is indented; it was accepted'
      : `the fence is written "${written}"; it was accepted`,
    'write a line "---" without blanks before it',
  );
}

function splitFrom(
  text: string,
  fence: number,
  yamlStart: number,
  report: Report,
  options: SplitOptions,
): SkillParts | 'more' | null {
  const closed = findClose(text, yamlStart, options.complete);
  if (closed === 'more' && text.length - yamlStart <= yamlLimits.bytes) return 'more';
  if (
    closed !== null &&
    closed !== 'more' &&
    closed.yamlEnd - yamlStart <= longestDirectives &&
    directives.test(text.slice(yamlStart, closed.yamlEnd))
  ) {
    const parts = splitOpened(text, closed.bodyStart, options);
    if (parts === 'more') return 'more';
    if (parts !== null) {
      report(
        'FRONTMATTER_FENCE',
        lineAt(text, yamlStart),
        'a YAML directive stands before the fields; it was passed over',
        'remove it and the "---" below it',
      );
      return parts;
    }
  }
  const odd = findOddClose(
    text,
    fence,
    yamlStart,
    closed === null || closed === 'more' ? text.length : closed.yamlEnd,
  );
  if (odd !== null && odd.yamlEnd - yamlStart <= yamlLimits.bytes) {
    reportFence(text, odd.yamlEnd, report);
    return odd;
  }
  if (closed === 'more') return tooLarge(text.length - yamlStart, fence, report);
  if (closed !== null) {
    const length = closed.yamlEnd - yamlStart;
    return length > yamlLimits.bytes ? tooLarge(length, fence, report) : closed;
  }
  const run = keyLineRun(text, yamlStart);
  report(
    'FRONTMATTER_UNCLOSED',
    lineAt(text, fence),
    'the "---" opened here is never closed',
    'add a line "---" after the last field',
  );
  return run === null ? null : { yamlStart, ...run };
}

/** A fence that is not written as one, in front of `limit`. */
function findOddClose(text: string, fence: number, yamlStart: number, limit: number): SkillParts | null {
  const indented = text.charCodeAt(fence) === 32 || text.charCodeAt(fence) === 9;
  const range = text.slice(yamlStart - 1, Math.min(limit, yamlStart + yamlLimits.bytes));
  for (const match of range.matchAll(oddClosing)) {
    const yamlEnd = yamlStart + match.index;
    const bodyStart = lineAfter(text, yamlEnd);
    const next = skipBlank(text, bodyStart);
    if (
      next < text.length &&
      (isFieldLine(text, next) || isOddFence(text, next) || fenceEnd(text, next, true) !== null)
    )
      continue;
    // Dashes that are indented may belong to the text of a value, which is indented too.
    if (
      match[1] !== '' &&
      !indented &&
      (isIndented(text, next) || holdsOpenText(text, lastLineBefore(text, yamlStart, yamlEnd), yamlEnd))
    )
      continue;
    return { yamlStart, yamlEnd, bodyStart };
  }
  return null;
}

function isIndented(text: string, at: number): boolean {
  return text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9;
}

/** Whether the line at `start` is indented, or says that an indented value follows. */
function holdsOpenText(text: string, start: number, end: number): boolean {
  return isIndented(text, start) || /(?:^|[ \t])[|>][-+0-9]{0,3}$|:$/.test(text.slice(start, end).trimEnd());
}

/** The start of the last line before `end` that is not blank, or `start`. */
function lastLineBefore(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) <= 32) at -= 1;
  return at <= start ? start : Math.max(start, text.lastIndexOf('\n', at - 1) + 1);
}

/** A field, also one that is indented or an item of a list. */
function isFieldLine(text: string, at: number): boolean {
  let start = at;
  while (start < at + 8 && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9)) start += 1;
  if (text.startsWith('- ', start)) start += 2;
  return isKeyLine(text, start);
}

function tooLarge(length: number, fence: number, report: Report): null {
  report(
    'FRONTMATTER_TOO_LARGE',
    { start: fence, end: fence + 3 },
    `the frontmatter has ${length} characters; the limit is ${yamlLimits.bytes}`,
    'move data into a file of its own',
  );
  return null;
}

/** The offset behind the fence line at `at`, or `null` when there is none. */
function fenceEnd(text: string, at: number, complete: boolean): number | 'more' | null {
  if (!text.startsWith('---', at)) return !complete && '---'.startsWith(text.slice(at)) ? 'more' : null;
  let end = at + 3;
  let unit = text.charCodeAt(end);
  while (unit === 32 || unit === 9) unit = text.charCodeAt((end += 1));
  if (unit === 10) return end + 1;
  if (unit === 13 && text.charCodeAt(end + 1) === 10) return end + 2;
  const cut = end >= text.length || (unit === 13 && end + 1 >= text.length);
  if (!cut) return null;
  return complete ? text.length : 'more';
}

function findClose(text: string, yamlStart: number, complete: boolean): SkillParts | 'more' | null {
  let at = yamlStart;
  while (true) {
    const bodyStart = fenceEnd(text, at, complete);
    if (bodyStart === 'more') return 'more';
    if (bodyStart !== null) return { yamlStart, yamlEnd: at, bodyStart };
    const next = text.indexOf('\n---', at);
    if (next < 0) return complete ? null : 'more';
    at = next + 1;
  }
}

/** The frontmatter of a file whose first line is not a fence. */
function splitLate(
  text: string,
  start: number,
  report: Report,
  options: SplitOptions,
): SkillParts | 'more' | null {
  const first = afterPreamble(text, start);
  if (first >= text.length && !options.complete) return 'more';
  const open = first < text.length ? fenceEnd(text, first, options.complete) : null;
  if (open === 'more') return 'more';
  const parts = open === null ? splitUnopened(text, first, options) : splitOpened(text, open, options);
  if (parts === 'more') return 'more';
  const at = lineAt(text, start);
  const hint = 'begin the file with a line "---", then "name: …" and "description: …", then "---"';
  if (parts === null) report('FRONTMATTER_MISSING', at, 'the file does not begin with a "---" line', hint);
  else if (open === null)
    report(
      'FRONTMATTER_MISSING',
      at,
      'the "---" before the fields is missing; they were read all the same',
      hint,
    );
  else
    report(
      'FRONTMATTER_MISSING',
      at,
      'the "---" line is not the first line; the fields were read all the same',
      'remove the text before it',
    );
  return parts;
}

/** A fence further down counts only when a field follows it; otherwise it is a rule of the body. */
function splitOpened(text: string, yamlStart: number, options: SplitOptions): SkillParts | 'more' | null {
  if (yamlStart >= text.length) return options.complete ? null : 'more';
  if (!isKeyLine(text, skipBlank(text, yamlStart))) return null;
  const parts = findClose(text, yamlStart, options.complete);
  if (parts === null || parts === 'more') return parts;
  return parts.yamlEnd - yamlStart > yamlLimits.bytes ? null : parts;
}

/** Fields without an opening fence count when they name the skill or describe it. */
function splitUnopened(text: string, first: number, options: SplitOptions): SkillParts | 'more' | null {
  if (!isKeyLine(text, first)) return null;
  const run = keyLineRun(text, first);
  if (run === null || !identityLine.test(text.slice(first, run.yamlEnd))) return null;
  if (run.bodyStart >= text.length && !options.complete)
    return text.length <= yamlLimits.bytes ? 'more' : null;
  return { yamlStart: first, ...run };
}

/** The lines from `start` on that read as fields, their indented values and lists. */
function keyLineRun(text: string, start: number): { yamlEnd: number; bodyStart: number } | null {
  let end = start;
  let at = start;
  let afterBlank = false;
  while (at < text.length && at - start <= yamlLimits.bytes) {
    const next = lineAfter(text, at);
    const unit = text.charCodeAt(at);
    if (unit === 10 || unit === 13) {
      afterBlank = true;
    } else if (isOddFence(text, at)) {
      return end > start ? { yamlEnd: at, bodyStart: next } : null;
    } else if (isKeyLine(text, at) || (end > start && isContinuation(text, at, afterBlank))) {
      afterBlank = false;
      end = next;
    } else {
      break;
    }
    at = next;
  }
  return end > start ? { yamlEnd: end, bodyStart: end } : null;
}

function isContinuation(text: string, at: number, afterBlank: boolean): boolean {
  const unit = text.charCodeAt(at);
  if (unit === 32 || unit === 9) return true;
  return !afterBlank && unit === 45 && text.charCodeAt(at + 1) === 32;
}

/** Past blank lines, `#` lines, HTML comments, a directive and an opening code fence. */
function afterPreamble(text: string, start: number): number {
  let at = start;
  for (let lines = 0; lines < maxPreambleLines && at < text.length; lines += 1) {
    const content = skipBlank(text, at);
    if (text.startsWith('<!--', content)) {
      const close = text.indexOf('-->', content);
      if (close < 0) return content;
      at = lineAfter(text, close);
    } else if (
      text.charCodeAt(content) === 35 /* # */ ||
      text.startsWith('```', content) ||
      text.startsWith('%YAML ', content)
    ) {
      at = lineAfter(text, content);
    } else {
      return content;
    }
  }
  return at;
}

function skipBlank(text: string, start: number): number {
  let lineStart = start;
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === 10) lineStart = at + 1;
    else if (unit !== 32 && unit !== 9 && unit !== 13 && unit !== 0xfeff) return lineStart;
    at += 1;
  }
  return text.length;
}

function isKeyLine(text: string, at: number): boolean {
  return keyLine.test(text.slice(at, Math.min(at + 200, lineEndOf(text, at))));
}

function isOddFence(text: string, at: number): boolean {
  return oddFence.test(text.slice(at, Math.min(at + 200, lineEndOf(text, at))));
}

function lineEndOf(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function lineAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

// Lines that end in CR alone, as on old Macs.
//
// The first line end of a file decides, so that the head of a file and the whole file agree. The result is as long as the
// text, so offsets are the same in both.

/** Whether lines end in CR alone. */
export function hasLoneReturns(text: string): boolean {
  const at = text.indexOf('\r');
  if (at === -1 || at + 1 >= text.length || text.charCodeAt(at + 1) === 10) return false;
  const newline = text.indexOf('\n');
  return newline === -1 || newline > at;
}

/** `text` with line feeds where it has lone returns for line ends; most often the same text. */
export function withLineFeeds(text: string): string {
  return hasLoneReturns(text) ? text.replace(/\r(?!\n)/g, '\n') : text;
}
