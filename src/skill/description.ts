// The description, or the paragraph that replaces it.
//
//   text -> text without HTML comments, trimmed
//   body -> its first paragraph: not a heading, comment, fence, picture, table, rule or bare markup
//
// A description over 1024 characters is kept whole; a paragraph is cut there. A body without a paragraph gives its first
// list item, else its first heading. If the text ends before the paragraph does, the result is 'more'. Linear in the
// text: no pattern here can match in two ways, and ends are trimmed by index.
import { cutCodePoints } from './code-points.ts';

export const descriptionLimit = 1024;

/** `text` without complete HTML comments, trimmed. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text.trim();
  let kept = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<!--', at);
    const close = open === -1 ? -1 : text.indexOf('-->', open + 4);
    if (close === -1) return (kept + text.slice(at)).trim();
    kept += text.slice(at, open);
    at = close + 3;
  }
}

const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const table = /^ {0,3}\|/;
const markup = /^\s*(?:<\/?[A-Za-z][^>]*>\s*)+$/;
const pictures = /^(?:\s*(?:\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?|<img[^>]*>))+\s*$/i;

/** What the body offers; `text` is `null` when it offers nothing. */
interface Paragraph {
  readonly text: string | null;
}

/** The first paragraph of `text` from `start`; 'more' when `text` is a head that ends too early. */
export function firstParagraph(text: string, start: number, complete: boolean): Paragraph | 'more' {
  let paragraph = '';
  let item: string | null = null;
  let title: string | null = null;
  let closing: string | null = null;
  let at = start;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd === -1 ? text.length : lineEnd;
    if (lineEnd === -1 && !complete) return 'more';
    const line = text.slice(at, end).trimEnd();
    const lineStart = at;
    at = end + 1;
    if (closing !== null) {
      if (line.trim().startsWith(closing) && line.trim().replaceAll(closing[0] as string, '') === '')
        closing = null;
      continue;
    }
    if (paragraph !== '') {
      if (underline.test(line)) {
        title ??= paragraph;
        paragraph = '';
        continue;
      }
      if (line.trim() === '' || heading.test(line) || fence.test(line) || listItem.test(line))
        return { text: cutCodePoints(paragraph, descriptionLimit) };
      paragraph = `${paragraph} ${line.replace(/^[\s>]+/, '')}`;
      if (paragraph.length > 2 * descriptionLimit)
        return { text: cutCodePoints(paragraph, descriptionLimit) };
      continue;
    }
    const opened = fence.exec(line);
    if (opened !== null) {
      closing = opened[1] as string;
    } else if (line.trimStart().startsWith('<!--')) {
      const close = text.indexOf('-->', lineStart);
      if (close === -1 && !complete) return 'more';
      if (close === -1) break;
      at = close + 3;
    } else if (heading.test(line)) {
      title ??= headingText(line);
    } else if (listItem.test(line)) {
      item ??= line.replace(listItem, '').trim();
    } else if (
      line.trim() !== '' &&
      !rule.test(line) &&
      !table.test(line) &&
      !markup.test(line) &&
      !pictures.test(line)
    ) {
      paragraph = withoutComments(line.replace(/^[\s>]+/, ''));
    }
  }
  if (!complete) return 'more';
  const found = [paragraph, item, title].find((candidate) => candidate !== null && candidate !== '') ?? null;
  return { text: found === null ? null : cutCodePoints(found, descriptionLimit) };
}

function headingText(line: string): string {
  const isMark = (at: number): boolean => line[at] === '#' || /\s/.test(line[at] as string);
  let start = 0;
  let end = line.length;
  while (start < end && isMark(start)) start += 1;
  while (end > start && isMark(end - 1)) end -= 1;
  return line.slice(start, end);
}
