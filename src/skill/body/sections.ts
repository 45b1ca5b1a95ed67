// The named sections of a body (S3): Purpose, When to Use, Output Template, Guidelines, Quality Checklist, Variants.
//
// A section starts at a heading of level two or deeper with its name, in any case, and ends at the next
// heading of the same or a higher level. The first one of a name counts. Headings in code blocks are code.
//
// Linear in the body: ends are trimmed by index, since a pattern that may begin anywhere in a long run of
// blanks tries them all.
import { markdownLines } from './markdown-lines.ts';
import type { Sections } from '../types.ts';

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
