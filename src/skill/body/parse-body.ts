// SKILL.md text -> SkillBody: the Markdown after the frontmatter, its sections, input keys and references.
//
// The body starts after the closing fence, without leading line ends (S2), so that its version does not depend on blank
// lines there. Without frontmatter the whole text is the body. The text is verbatim, whatever its line ends are.
import { estimateTokens } from '../code-points.ts';
import { withLineFeeds, splitFrontmatter } from '../frontmatter/read-frontmatter.ts';
import type { InputKey, Sections, SkillBody } from '../types.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { Span } from '../../base/span.ts';

/** The offset at which the body of a whole SKILL.md starts. */
function bodyStartOf(source: string): number {
  const text = withLineFeeds(source);
  const parts = splitFrontmatter(text, () => undefined, { complete: true });
  let at =
    typeof parts === 'object' && parts !== null ? parts.bodyStart : text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length && (text[at] === '\n' || text[at] === '\r')) at += 1;
  return at;
}

export function parseBody(text: string): SkillBody {
  const verbatim = text.slice(bodyStartOf(text));
  const body = withLineFeeds(text).slice(text.length - verbatim.length);
  return {
    text: verbatim,
    sections: parseSections(body),
    inputKeys: parseInputKeys(body),
    estimatedTokens: estimateTokens(body),
    references: [...new Set(findReferences(body).map((reference) => reference.path))],
  };
}

/** The first 16 hex digits of the SHA-256 of `body`. */
export function bodyVersion(body: string, sha256: Sha256): string {
  return sha256(body).slice(0, 16);
}

// The named sections of a body (S3): Purpose, When to Use, Output Template, Guidelines, Quality Checklist, Variants.
//
// A section starts at a heading of level two or deeper with its name, in any case, and ends at the next
// heading of the same or a higher level. The first one of a name counts. Headings in code blocks are code.
//
// Linear in the body: ends are trimmed by index, since a pattern that may begin anywhere in a long run of
// blanks tries them all.

const names: ReadonlyMap<string, keyof Sections> = new Map([
  ['purpose', 'purpose'],
  ['when to use', 'whenToUse'],
  ['when to use this skill', 'whenToUse'],
  ['output template', 'outputTemplate'],
  ['guidelines', 'guidelines'],
  ['quality checklist', 'qualityChecklist'],
  ['variants', 'variants'],
]);
const heading = /^ {0,3}(#{1,6})(?=[ \t])/;
/** With its marks; no name of a section is longer. */
const longestTitle = 80;

interface Open {
  readonly key: keyof Sections;
  readonly level: number;
  readonly from: number;
}

export function parseSections(body: string): Sections {
  const found: { -readonly [key in keyof Sections]: string | null } = {
    purpose: null,
    whenToUse: null,
    outputTemplate: null,
    guidelines: null,
    qualityChecklist: null,
    variants: null,
  };
  if (!body.includes('##')) return found;
  let open: Open[] = [];
  const close = (level: number, at: number): void => {
    open = open.filter((section) => {
      if (section.level < level) return true;
      found[section.key] ??= body.slice(section.from, at).trim();
      return false;
    });
  };
  for (const line of markdownLines(body)) {
    const match = line.code ? null : heading.exec(line.text);
    if (match === null) continue;
    const level = (match[1] as string).length;
    close(level, line.start);
    const key = level >= 2 ? names.get(titleOf(line.text.slice(match[0].length).trim())) : undefined;
    if (key !== undefined && found[key] === null)
      open.push({ key, level, from: Math.min(body.length, line.start + line.text.length + 1) });
  }
  close(0, body.length);
  return found;
}

/** The words of a heading, without its closing `#`, emphasis and colon; nothing when it is too long to be a name. */
function titleOf(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end -= 1;
  const closed = end < text.length && (end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t');
  const words = (closed ? text.slice(0, end) : text).trimEnd();
  return words.length > longestTitle
    ? ''
    : words
        .replace(/[*_`]/g, '')
        .replace(/[\s:：]{1,20}$/, '')
        .toLowerCase();
}

// The "Input keys:" list of a body (S0 §3).
//
//   Input keys:
//   - `task`: The writing task description.        -> required
//   - `tone` (optional): How it should sound.      -> optional, as is one with a default
//
// The line may be a heading, bold or plain; the list ends at the first line that is neither an item,
// the continuation of one, nor blank.

// Linear in the body: each pattern is tried at one place, and no two repeats in it can share a character.
const titleStart = /^#{1,6}\s+|^/;
const titleWords = /^[*_]*input keys?(?:\s*\([^)]*\))?$/i;
const itemStart = /^\s*(?:[-*+]|\d{1,9}[.)])\s+[*_]*`?/;
const itemKey = /[\p{L}_][\p{L}\p{M}\p{N}_.-]*/uy;
const itemRemark = /`?[*_]*\s*(?:\(([^)]*)\)\s*)?/y;
const separators = ':：–—-';

interface Item {
  readonly key: string;
  readonly remark: string;
  readonly description: string;
}

interface OpenKey {
  readonly key: string;
  readonly remark: string;
  readonly description: string[];
}

export function parseInputKeys(body: string): readonly InputKey[] {
  if (!/input keys?/i.test(body)) return [];
  const keys: OpenKey[] = [];
  const seen = new Set<string>();
  let inside = false;
  for (const line of markdownLines(body)) {
    if (!inside) {
      inside = !line.code && isTitle(line.text);
      continue;
    }
    if (line.text.trim() === '') continue;
    const item = line.code ? null : parseItem(line.text);
    const last = keys.at(-1);
    if (item !== null) {
      if (!seen.has(item.key))
        keys.push({ key: item.key, remark: item.remark, description: [item.description] });
      seen.add(item.key);
    } else if (
      last !== undefined &&
      !line.code &&
      /^\s{2}/.test(line.text) &&
      !/^\s*[-*+]\s/.test(line.text)
    ) {
      last.description.push(line.text.trim());
    } else if (keys.length > 0 || !/^\s/.test(line.text)) break;
  }
  return keys.map(({ key, remark, description }) => {
    const told = description.join(' ').trim();
    return { key, required: !isOptional(remark, told), description: told || null, schema: null };
  });
}

/** In the remark behind the key, or as a remark of the description: "Optional.", "(optional)", "defaults to 5". */
function isOptional(remark: string, description: string): boolean {
  return (
    /\b(?:optional|defaults?)\b/i.test(remark) ||
    /^optional\b|[(.;,] ?optional\b|\bdefaults to\b|\bdefault(?: is|:| =)/i.test(description)
  );
}

function isTitle(line: string): boolean {
  const text = line.trim();
  let end = text.length;
  while (end > 0 && /[*_:\s]/.test(text[end - 1] as string)) end -= 1;
  return titleWords.test(text.slice((titleStart.exec(text)?.[0] ?? '').length, end));
}

function parseItem(line: string): Item | null {
  const start = itemStart.exec(line);
  if (start === null) return null;
  itemKey.lastIndex = start[0].length;
  let key = itemKey.exec(line)?.[0] ?? '';
  // A dash at the end is the one before the description: "task- What to do".
  while (key.endsWith('-')) key = key.slice(0, -1);
  if (key === '') return null;
  itemRemark.lastIndex = start[0].length + key.length;
  const remark = itemRemark.exec(line)?.[1] ?? '';
  const rest = line.slice(itemRemark.lastIndex);
  if (rest !== '' && !separators.includes(rest[0] as string)) return null;
  return { key, remark, description: rest.slice(1).trim() };
}

// The files of its folder that a body refers to.
//
//   [guide](references/guide.md#setup)   `scripts/run.py`   {baseDir}/assets/logo.svg
//
// Markdown links to relative targets, and paths in backticks that start with a resource folder or `./`. Code blocks,
// URLs, anchors and anything with a placeholder do not count. Linear in the text; a path has at most `longestPath`
// characters.

interface Reference {
  /** As written, without fragment, query and base-folder placeholder. */
  readonly path: string;
  /** Offsets into the text that was searched. */
  readonly span: Span;
}

const link =
  /\]\(\s*(?:<([^<>\n]{0,400})>|([^\s()]{1,400}(?:\([^\s()]{0,400}\)[^\s()]{0,400})?))(?:\s+["'][^"'\n]*["'])?\s*\)/g;
const longestPath = 400;
const resourcePath = /^(?:\.{1,2}\/)*(?:scripts|references|assets|templates)\/[^\s]+$/;
const baseFolder = /^(?:\{base_?dir\}|\$\{?(?:CLAUDE_SKILL_DIR|HERMES_SKILL_DIR|SKILL_DIR)\}?)\//i;

function cleaned(target: string): string | null {
  let path = target.replace(baseFolder, '').replace(/[#?].*$/, '');
  if (path.includes('%')) {
    try {
      path = decodeURIComponent(path);
    } catch {
      return null; // A stray percent sign: not a path anyone can open.
    }
  }
  path = path.replace(/^(?:\.\/)+/, '');
  while (path.endsWith('/')) path = path.slice(0, -1);
  if (path === '' || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path) || path.startsWith('//')) return null;
  return /[{}<>*$|\0]|\.\.\.|…/.test(path) ? null : path;
}

export function findReferences(text: string, from = 0): readonly Reference[] {
  const found: Reference[] = [];
  const add = (target: string, start: number): void => {
    const path = cleaned(target);
    if (path !== null) found.push({ path, span: { start, end: start + target.length } });
  };
  for (const line of markdownLines(text, from)) {
    if (line.code) continue;
    let prose = line.text;
    if (prose.includes('`')) {
      const kept: string[] = [];
      let copied = 0;
      for (const { start, end } of codeSpans(prose)) {
        const inner = prose.slice(start, end);
        const target = inner.trim();
        if (target.length <= longestPath && resourcePath.test(target.replace(baseFolder, '')))
          add(target, line.start + start + inner.indexOf(target));
        // A link shown as code is an example; a link around code is a link.
        if (!inner.includes('](')) continue;
        kept.push(prose.slice(copied, start), ' '.repeat(inner.length));
        copied = end;
      }
      prose = kept.join('') + prose.slice(copied);
    }
    if (!prose.includes('](')) continue;
    for (const match of prose.matchAll(link)) {
      const target = match[1] ?? (match[2] as string);
      add(target, line.start + match.index + match[0].indexOf(target));
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** The text between two runs of backticks of equal length, as CommonMark pairs them. */
function codeSpans(line: string): readonly Span[] {
  const runs: Span[] = [];
  for (let at = line.indexOf('`'); at !== -1;) {
    let end = at + 1;
    while (line[end] === '`') end += 1;
    runs.push({ start: at, end });
    at = line.indexOf('`', end);
  }
  // The next run of the same length, for each run: found from the end in one pass.
  const partner: (number | undefined)[] = [];
  const nextOf = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const { start, end } = runs[index] as Span;
    partner[index] = nextOf.get(end - start);
    nextOf.set(end - start, index);
  }
  const spans: Span[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const closing = partner[index];
    if (closing === undefined) continue;
    spans.push({ start: (runs[index] as Span).end, end: (runs[closing] as Span).start });
    index = closing;
  }
  return spans;
}

// The lines of a Markdown text, each marked as code or prose.
//
// A fence of three or more ` or ~ opens a code block; a line of the same character, at least as long and nothing else,
// closes it. A block that is never closed runs to the end, as in CommonMark.

interface MarkdownLine {
  readonly text: string;
  /** Offset of the line's first character. */
  readonly start: number;
  /** Inside a code block, or one of its fences. */
  readonly code: boolean;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

function* markdownLines(text: string, from = 0): Generator<MarkdownLine> {
  let open: string | null = null;
  let start = from;
  while (start < text.length) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, text.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end);
    const marks = fence.exec(line);
    let code = open !== null;
    if (marks !== null) {
      const run = marks[1] as string;
      const rest = line.slice(marks[0].length);
      if (open === null) {
        // An info string with a backtick is inline code, not a fence.
        if (run[0] === '~' || !rest.includes('`')) {
          open = run;
          code = true;
        }
      } else if (run[0] === open[0] && run.length >= open.length && rest.trim() === '') open = null;
    }
    yield { text: line, start, code };
    start = end + 1;
  }
}
