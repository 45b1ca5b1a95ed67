// Links in a masked text, with the edge that their place gives them.
//
//   [[Note]] [[Folder/Note#Heading|shown]] ![[Note#^block]]     [shown](Note.md) [shown](<a b.md>) ![](image.png)
//   edge:: [[Note]]     [edge:: [[Note]]]     (edge:: [[Note]])     - edge [[Note]], [[Other]]
//
// The last form counts only for edges that are known, since "- read [[Book]]" is also plain prose. `\|` in a table is `|`. A link never
// spans lines. A link to an address (`https:`, `mailto:`) leads out of the notes and is none.
import type { NoteLink } from './note.ts';
import { edgeName } from './note.ts';

interface FindOptions {
  /** Known edges, in snake case. */
  readonly edges: ReadonlySet<string>;
  readonly lineAt: (offset: number) => number;
  readonly found: (link: NoteLink) => void;
}

const maxLine = 100_000;
/** Of an inline field, and how many of them a line has at most. */
const maxField = 2000;
const maxFields = 200;
const key = String.raw`[\p{L}\p{N}_*][\p{L}\p{N}_* /-]{0,60}`;
const fieldLine = new RegExp(
  `^[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+(?:\\[.\\][ \\t]+)?)?(${key})::[ \\t]`,
  'u',
);
const fieldInside = new RegExp(`[\\[(](${key})::[ \\t]`, 'gu');
const listEdge = /^[ \t>]*[-*+][ \t]+([\p{L}_][\p{L}\p{N}_-]{0,60})[ \t]+(?=\[\[)/u;
const onlyLinks = /^(?:\[\[[^\][\n]{1,500}\]\][ \t]*(?:,[ \t]*)?){1,500}$/;
const scheme = /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/\/)/;

/** `text` is masked; links are looked for from `from` on. */
export function findLinks(text: string, from: number, { edges, lineAt, found }: FindOptions): void {
  for (let at = nextLink(text, from); at >= 0;) {
    const start = text.lastIndexOf('\n', at) + 1;
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    if (end - start <= maxLine)
      linksOfLine(text.slice(Math.max(start, from), end), Math.max(start, from), lineAt(at), edges, found);
    at = nextLink(text, end);
  }
}

function nextLink(text: string, from: number): number {
  const wiki = text.indexOf('[[', from);
  const markdown = text.indexOf('](', from);
  return wiki < 0 ? markdown : markdown < 0 ? wiki : Math.min(wiki, markdown);
}

function linksOfLine(
  line: string,
  offset: number,
  number: number,
  edges: ReadonlySet<string>,
  found: (link: NoteLink) => void,
): void {
  const fields = line.includes('::') || listEdge.test(line) ? fieldsOf(line, edges) : noFields;
  const place: Place = { line: number, offset, edgeAt: fields.length === 0 ? noEdge : edgeIn(fields) };
  const links: NoteLink[] = [];
  wikiLinks(line, place, links);
  const wikis = links.length;
  if (line.includes('](')) markdownLinks(line, place, links);
  if (wikis > 0 && links.length > wikis) links.sort((a, b) => a.start - b.start);
  for (const link of links) found(link);
}

/** Of a line: what its links have in common. */
interface Place {
  readonly line: number;
  readonly offset: number;
  readonly edgeAt: (at: number) => string | null;
}

const noFields: readonly Field[] = [];
const noEdge = (): string | null => null;

function edgeIn(fields: readonly Field[]): Place['edgeAt'] {
  return (at) => fields.findLast(({ start, end }) => start <= at && at < end)?.edge ?? null;
}

interface Field {
  readonly edge: string;
  readonly start: number;
  readonly end: number;
}

function fieldsOf(line: string, edges: ReadonlySet<string>): readonly Field[] {
  const fields: Field[] = [];
  const whole = line.includes('::') ? fieldLine.exec(line) : null;
  if (whole !== null)
    fields.push({ edge: edgeName(whole[1] as string), start: whole[0].length, end: line.length });
  if (line.includes('::'))
    for (const hit of line.matchAll(fieldInside)) {
      if (fields.length >= maxFields) break;
      const start = hit.index + hit[0].length;
      fields.push({
        edge: edgeName(hit[1] as string),
        start,
        end: closeOf(line, start, line[hit.index] === '[' ? ']' : ')'),
      });
    }
  const list = listEdge.exec(line);
  if (
    list !== null &&
    edges.has(edgeName(list[1] as string)) &&
    onlyLinks.test(line.slice(list[0].length).trimEnd())
  )
    fields.push({ edge: edgeName(list[1] as string), start: list[0].length, end: line.length });
  return fields;
}

/** The end of an inline field: its bracket, not one of a link inside it. */
function closeOf(line: string, from: number, bracket: ']' | ')'): number {
  const limit = Math.min(line.length, from + maxField);
  for (let at = from; at < limit; at += 1) {
    if (line.startsWith('[[', at)) {
      const close = line.indexOf(']]', at + 2);
      if (close < 0) return limit;
      at = close + 1;
    } else if (line[at] === bracket) return at;
  }
  return limit;
}

function wikiLinks(line: string, place: Place, into: NoteLink[]): void {
  for (let open = line.indexOf('[['); open >= 0;) {
    const close = line.indexOf(']]', open + 2);
    if (close < 0) return;
    // `[[[a]]` opens at its last pair of brackets.
    const inner = line.lastIndexOf('[[', close);
    const start = line[inner + 2] === '[' ? inner + 1 : inner;
    const written = line.slice(start + 2, close);
    if (line[start - 1] !== '\\' && written.length <= 1000 && written.trim() !== '') {
      const embed = line[start - 1] === '!';
      const bar = written.indexOf('|');
      // A table escapes the bar.
      const end = bar < 0 ? written.length : written[bar - 1] === '\\' ? bar - 1 : bar;
      const shown = bar < 0 ? null : written.slice(bar + 1).trim();
      into.push(
        makeLink(
          place,
          written.slice(0, end).trim(),
          shown,
          embed,
          'wiki',
          embed ? start - 1 : start,
          close + 2,
        ),
      );
    }
    open = line.indexOf('[[', close + 2);
  }
}

function markdownLinks(line: string, place: Place, into: NoteLink[]): void {
  for (let middle = line.indexOf(']('); middle >= 0; middle = line.indexOf('](', middle + 2)) {
    const open = openOf(line, middle);
    if (open < 0 || line[open - 1] === '\\') continue;
    const read = destinationAt(line, middle + 2);
    if (read === null || scheme.test(read.text)) continue;
    const embed = line[open - 1] === '!';
    const shown = line.slice(open + 1, middle);
    into.push(
      makeLink(place, decoded(read.text), shown, embed, 'markdown', embed ? open - 1 : open, read.end),
    );
  }
}

/** `path#heading` or `path#^block`; `start` and `end` are of its line. */
function makeLink(
  { line, offset, edgeAt }: Place,
  path: string,
  shown: string | null,
  embed: boolean,
  form: 'wiki' | 'markdown',
  start: number,
  end: number,
): NoteLink {
  const hash = path.indexOf('#');
  const rest = hash < 0 ? '' : path.slice(hash + 1);
  const block = rest === '' ? null : /(?:^|#)\^([A-Za-z0-9-]+)[ \t]*$/.exec(rest);
  const heading = block === null ? rest.trim() : '';
  return {
    target: hash < 0 ? path : path.slice(0, hash).trim(),
    heading: heading === '' ? null : heading,
    block: block === null ? null : (block[1] as string).toLowerCase(),
    shown,
    embed,
    form,
    edge: embed ? null : edgeAt(start),
    start: offset + start,
    end: offset + end,
    line,
  };
}

/** The bracket that the one at `close` closes. */
function openOf(line: string, close: number): number {
  let depth = 0;
  for (let at = close; at >= 0 && close - at <= 2000; at -= 1) {
    if (line[at] === ']') depth += 1;
    else if (line[at] === '[') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** The destination of a Markdown link, and where its `)` ends. A title behind it is skipped. */
function destinationAt(line: string, from: number): { readonly text: string; readonly end: number } | null {
  const rest = line.slice(from, from + 2000);
  const hit =
    /^[ \t]{0,20}(?:<([^<>]{0,1000})>|([^\s()<>]{1,1000}))(?:[ \t]{1,20}(?:"[^"]{0,500}"|'[^']{0,500}'))?[ \t]{0,20}\)/.exec(
      rest,
    );
  if (hit === null) return null;
  const text = hit[1] ?? hit[2] ?? '';
  return text === '' ? null : { text, end: from + hit[0].length };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // `100%.md` is a name, not an encoding.
    if (error instanceof URIError) return text;
    throw error;
  }
}
