// SKILL.md text -> SkillBody: the Markdown after the frontmatter, its sections, input keys and references.
//
// The body starts after the closing fence, without leading line ends (S2), so that its version does not depend on blank
// lines there. Without frontmatter the whole text is the body. The text is verbatim, whatever its line ends are.
import { estimateTokens } from './estimate-tokens.ts';
import { findReferences } from './find-references.ts';
import { withLineFeeds, splitFrontmatter } from '../frontmatter/read-frontmatter.ts';
import type { InputKey, Sections, SkillBody } from '../types.ts';
import type { Sha256 } from '../../ports/environment.ts';
import { markdownLines } from './markdown-lines.ts';

/** The offset at which the body of a whole SKILL.md starts. */
export function bodyStartOf(source: string): number {
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
//   - `tone` (optional): How it should sound.      -> optional
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
  readonly required: boolean;
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
      const required = !/\boptional\b/i.test(item.remark) && !/^\(?optional\b/i.test(item.description);
      if (!seen.has(item.key)) keys.push({ key: item.key, required, description: [item.description] });
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
  return keys.map(({ key, required, description }) => ({
    key,
    required,
    description: description.join(' ').trim() || null,
    schema: null,
  }));
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
