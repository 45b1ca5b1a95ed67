// A new text, section by section -> into a note that exists.
//
//   each section with something to say -> behind the text of the same heading, before the next heading
//
// Nothing of the note is removed or written again: these are splices. A heading that the note lacks, or has twice, is a fault:
// where else the text should go is not guessed. Paragraphs and list items that the section has already are not added a
// second time, whatever the state of a task. A section that holds only comments has nothing to say.
import { maskText } from '../mask-text.ts';
import { nameKey } from '../note.ts';
import { headingsOf, splitNote } from '../read-note.ts';
import type { Splice } from './splice.ts';
import { lineEndOf } from './splice.ts';

export type MergedSections =
  | { readonly ok: true; readonly splices: readonly Splice[] }
  | { readonly ok: false; readonly message: string };

interface Section {
  /** Keys of the headings around it and its own, without the title of the note; null: before the first heading. */
  readonly key: string | null;
  readonly shown: string;
  /** Behind the heading line. */
  readonly start: number;
  readonly end: number;
}

const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

export function mergeSections(note: string, added: string): MergedSections {
  const there = sectionsOf(note);
  const eol = lineEndOf(note);
  const splices: Splice[] = [];
  const missing: string[] = [];
  const doubled: string[] = [];
  for (const section of sectionsOf(added)) {
    const units = unitsOf(added.slice(section.start, section.end));
    if (units.length === 0) continue;
    const fitting = there.filter(({ key }) => key === section.key);
    const [place] = fitting;
    // Two sections of one name that hold the text already need no choice.
    const fresh = units.filter((unit) => !fitting.some((one) => holds(note.slice(one.start, one.end), unit)));
    if (fresh.length === 0) continue;
    if (place === undefined) missing.push(section.shown);
    else if (fitting.length > 1) doubled.push(section.shown);
    else splices.push(insertion(note, place, fresh, eol));
  }
  if (missing.length > 0)
    return {
      ok: false,
      message: `it has no heading ${missing.map((one) => JSON.stringify(one)).join(', ')}, below which the new text belongs`,
    };
  if (doubled.length > 0)
    return {
      ok: false,
      message: `it has more than one heading ${doubled.map((one) => JSON.stringify(one)).join(', ')}`,
    };
  return { ok: true, splices };
}

function sectionsOf(text: string): readonly Section[] {
  const { bodyStart } = splitNote(text);
  const headings = headingsOf(text);
  const sections: Section[] = [
    { key: null, shown: 'at the beginning', start: bodyStart, end: headings[0]?.start ?? text.length },
  ];
  const path: { readonly level: number; readonly key: string }[] = [];
  headings.forEach(({ level, text: title, end }, at) => {
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ level, key: nameKey(title.replace(/\s+/g, ' ')) });
    // A title is the name of the note, which may be written differently; the text directly below it is not.
    const named = path.filter((one) => one.level > 1);
    sections.push({
      key: named.length === 0 ? `# ${path.at(-1)?.key ?? ''}` : named.map((one) => one.key).join('\n'),
      shown: title,
      start: Math.min(end + 1, text.length),
      end: headings[at + 1]?.start ?? text.length,
    });
  });
  return sections;
}

/** Paragraphs, and each item of a list with what is indented below it. */
function unitsOf(text: string): readonly string[] {
  const masked = maskText(text, 0);
  const units: string[][] = [];
  let isOpen = false;
  let inFence = false;
  const maskedLines = masked.split(/\r?\n/);
  text.split(/\r?\n/).forEach((line, at) => {
    const isCode = (maskedLines[at] ?? '').trim() === '' && line.trim() !== '';
    if (/^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    if (line.trim() === '' && !inFence) {
      isOpen = false;
      return;
    }
    const startsItem = listItem.test(line) && !/^\s/.test(line) && !isCode;
    if (!isOpen || startsItem) units.push([line]);
    else (units.at(-1) as string[]).push(line);
    isOpen = true;
  });
  return units.map((lines) => lines.join('\n').trimEnd()).filter(saysSomething);
}

/** More than comments. */
function saysSomething(unit: string): boolean {
  return unit.replace(/<!--[^]*?-->|%%[^]*?%%/g, '').trim() !== '';
}

function holds(section: string, unit: string): boolean {
  const plain = (text: string): string =>
    text
      .split(/\r?\n/)
      .map((line) => line.trimEnd().replace(/^(\s*(?:[-*+]|\d{1,9}[.)])\s+)\[.\]/, '$1[ ]'))
      .join('\n');
  return `\n${plain(section)}\n`.includes(`\n${plain(unit)}\n`);
}

function insertion(note: string, { start, end }: Section, units: readonly string[], eol: string): Splice {
  const own = note.slice(start, end);
  const content = own.trimEnd();
  const at = content === '' ? start : start + content.length;
  const last = content.split(/\r?\n/).at(-1) ?? '';
  let text = '';
  let isList = content !== '' && listItem.test(last);
  let isFirst = true;
  for (const unit of units) {
    const isItem = listItem.test(unit);
    // Items of one list stay together; everything else is a paragraph of its own.
    const gap = isFirst && content === '' ? eol : isItem && isList ? eol : eol + eol;
    text += gap + unit.split('\n').join(eol);
    isList = isItem;
    isFirst = false;
  }
  if (content === '') {
    // Directly behind the heading line, which may be the last one and without an end.
    const isLineStart = start === 0 || note[start - 1] === '\n';
    const rest = end < note.length ? eol : '';
    return { start, end, text: `${isLineStart ? '' : eol}${text}${eol}${rest}` };
  }
  const rest = note.slice(at, end);
  const tail = end >= note.length ? (rest === '' ? eol : '') : /\n\s*\n/.test(rest) ? '' : eol;
  return { start: at, end: at, text: text + tail };
}
