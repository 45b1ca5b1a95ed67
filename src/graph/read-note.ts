// The text of a note -> Note.
//
// Frontmatter stands between `---` on the very first line and the next `---`. In the body, code, comments (`%%` and HTML) and
// math are masked first, as long as they were, so that nothing in them is a link, a heading or a task and every offset holds.
// One pass over the lines finds the rest. Takes time in proportion to the text.
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import { emptyObject } from '../base/json.ts';
import { readFrontmatter } from '../skill/frontmatter/read-frontmatter.ts';
import type { ParseFull, YamlEntry, YamlMap } from '../skill/yaml/node.ts';
import { toJson } from '../skill/yaml/node.ts';
import { findLinks } from './find-links.ts';
import { maskText } from './mask-text.ts';
import type { Note, NoteHeading, NoteLink, NoteTask } from './note.ts';
import { edgeName } from './note.ts';

const fence = /^---[ \t]*\r?\n/;
const closing = /^---[ \t]*$/;
const headingLine = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const taskLine = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\][ \t]+(.*)$/u;
const blockEnd = /(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$/;
const bodyTag = /(?:^|[\s([{,;])#([\p{L}\p{N}_/-]{1,200})/gu;
const day = /^\d{4}-\d{2}-\d{2}(?:T.*)?$/;
/** Properties that Obsidian reads itself: they name the note, they are no edges. */
const ownProperties: ReadonlySet<string> = new Set(['aliases', 'alias', 'tags', 'tag', 'cssclasses', 'type']);

export interface ReadNoteOptions {
  readonly parseFull: ParseFull;
  /** Edges that may be written as the first word of a list item: `- depends_on [[X]]`. */
  readonly edges: ReadonlySet<string>;
}

/** `path` is for diagnostics. Must not throw. */
export function readNote(path: string, text: string, { parseFull, edges }: ReadNoteOptions): Note {
  const diagnostics: Diagnostic[] = [];
  const { yaml, bodyStart } = splitNote(text);
  const map: YamlMap | null =
    yaml === null
      ? null
      : readFrontmatter(
          text,
          { yamlStart: yaml.start, yamlEnd: yaml.end, bodyStart },
          parseFull,
          collectInto(diagnostics, path),
        );
  const lines = new LineCounter(text);
  const properties = emptyObject();
  const links: NoteLink[] = [];
  for (const entry of map?.entries ?? []) {
    properties[entry.key] = toJson(entry.value);
    if (!ownProperties.has(entry.key.toLowerCase())) linksOfProperty(text, entry, lines, links);
  }
  const body = maskText(text, bodyStart);
  const read = readLines(body, bodyStart);
  findLinks(body, bodyStart, {
    edges,
    lineAt: (offset) => lines.at(offset),
    found: (link) => links.push(link),
  });
  return {
    type: firstText(properties['type']),
    title: read.headings.find(({ level }) => level === 1)?.text ?? null,
    properties,
    aliases: textsOf(properties['aliases'] ?? properties['alias']),
    tags: unique([
      ...textsOf(properties['tags'] ?? properties['tag']).flatMap((one) => one.split(/[\s,]+/)),
      ...read.tags,
    ]),
    headings: read.headings,
    blocks: read.blocks,
    links,
    tasks: read.tasks,
    diagnostics,
  };
}

/** The headings of a note, outside of code, comments and math. */
export function headingsOf(text: string): readonly NoteHeading[] {
  const { bodyStart } = splitNote(text);
  return readLines(maskText(text, bodyStart), bodyStart).headings;
}

/** Where the frontmatter and the body of a note are. A fence that is never closed is text. */
export function splitNote(text: string): {
  readonly yaml: { readonly start: number; readonly end: number } | null;
  readonly bodyStart: number;
} {
  const first = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const opened = fence.exec(text.slice(first, first + 200));
  if (opened === null) return { yaml: null, bodyStart: first };
  const start = first + opened[0].length;
  for (let at = start; at < text.length;) {
    const end = lineEnd(text, at);
    if (closing.test(text.slice(at, Math.min(end, at + 100)).replace(/\r$/, '')))
      return { yaml: { start, end: at }, bodyStart: Math.min(end + 1, text.length) };
    at = end + 1;
  }
  return { yaml: null, bodyStart: first };
}

/** The links of one property. Its name is the edge. `up: [[X]]` without quotes is a list in YAML, and meant as a link. */
function linksOfProperty(
  text: string,
  { key, value }: YamlEntry,
  lines: LineCounter,
  into: NoteLink[],
): void {
  const edge = edgeName(key);
  if (value.kind === 'scalar' && typeof value.value === 'string' && day.test(value.value)) {
    const { start, end } = value.span;
    const target = value.value.slice(0, 10);
    into.push({
      target,
      heading: null,
      block: null,
      shown: null,
      embed: false,
      form: 'date',
      edge,
      start,
      end,
      line: lines.at(start),
    });
    return;
  }
  const source = text.slice(value.span.start, value.span.end);
  if (!source.includes('[[')) return;
  findLinks(source, 0, {
    edges: new Set(),
    lineAt: (offset) => lines.at(value.span.start + offset),
    found: (link) => {
      // A list of lists is no link.
      if (link.form !== 'wiki' || /["',[\]]/.test(link.target)) return;
      into.push({ ...link, edge, start: link.start + value.span.start, end: link.end + value.span.start });
    },
  });
}

interface BodyFacts {
  readonly headings: NoteHeading[];
  readonly blocks: string[];
  readonly tags: string[];
  readonly tasks: NoteTask[];
}

/** `body` is the masked text, which begins at `from`. */
function readLines(body: string, from: number): BodyFacts {
  const facts: BodyFacts = { headings: [], blocks: [], tags: [], tasks: [] };
  let line = countLines(body, 0, from) + 1;
  for (let at = from; at <= body.length; line += 1) {
    const end = lineEnd(body, at);
    readLine(body.slice(at, end).replace(/\r$/, ''), at, end, line, facts);
    at = end + 1;
  }
  return facts;
}

function readLine(text: string, start: number, end: number, line: number, facts: BodyFacts): void {
  if (text.length > 100_000) return;
  const heading = text.includes('#') ? headingLine.exec(text) : null;
  if (heading !== null)
    facts.headings.push({
      level: (heading[1] as string).length,
      text: (heading[2] as string).trim(),
      start,
      end,
    });
  if (text.includes('^')) {
    const block = blockEnd.exec(text);
    if (block !== null) facts.blocks.push((block[1] as string).toLowerCase());
  }
  if (text.includes('[')) {
    const task = taskLine.exec(text);
    if (task !== null) facts.tasks.push({ state: task[1] as string, text: (task[2] as string).trim(), line });
  }
  if (heading === null && text.includes('#'))
    for (const [, tag] of text.matchAll(bodyTag))
      if (/[^\d/]/.test(tag as string)) facts.tags.push(tag as string);
}

/** Counts lines up to rising offsets in one pass; starts again for one before the last. */
class LineCounter {
  readonly #text: string;
  #offset = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): number {
    if (offset < this.#offset) {
      this.#offset = 0;
      this.#line = 1;
    }
    this.#line += countLines(this.#text, this.#offset, offset);
    this.#offset = offset;
    return this.#line;
  }
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

function firstText(value: Json | undefined): string | null {
  return textsOf(value)[0] ?? null;
}

function textsOf(value: Json | undefined): readonly string[] {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value ?? null];
  return items.flatMap((item) =>
    typeof item === 'string' && item.trim() !== ''
      ? [item.trim()]
      : typeof item === 'number'
        ? [String(item)]
        : [],
  );
}

function unique(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.map((tag) => tag.replace(/^#/, '').toLowerCase()).filter((tag) => tag !== ''))];
}
