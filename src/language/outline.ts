// The frontmatter of a SKILL.md as an outline: which key or item stands where, also while it is being typed.
//
//   text -> entries, each with its path and places
//
// Read line by line by indentation, since a parser of YAML gives no tree for a text that is half there. It takes the place of
// one only for the question where the cursor is. Linear in the text; nesting beyond `maxDepth` belongs to its parent.
import type { Span } from '../base/span.ts';
import { splitFrontmatter, withLineFeeds } from '../skill/frontmatter/read-frontmatter.ts';

/** Keys, and the numbers of items. */
export type OutlinePath = readonly (string | number)[];

export interface OutlineEntry {
  /** With its own key or number at the end. */
  readonly path: OutlinePath;
  /** null: an item of a list. */
  readonly key: Span | null;
  /** A word without a colon, which may become a key. */
  readonly isPending: boolean;
  /** Of the value, without blanks around it; empty when there is none yet. */
  readonly value: Span;
  /** The column of the key or the dash; -1 inside of brackets. */
  readonly indent: number;
}

export interface Outline {
  readonly text: string;
  /** Of the YAML; `null`: there is no frontmatter. */
  readonly yaml: Span | null;
  readonly entries: readonly OutlineEntry[];
}

const maxDepth = 32;
const keyed = /^(?:[\w.$/-]{1,128}|"[^"\n]{0,128}"|'[^'\n]{0,128}')[ \t]*:(?=[ \t]|$)/;

export function readOutline(source: string): Outline {
  const text = withLineFeeds(source);
  const yaml = yamlSpan(text);
  if (yaml === null) return { text, yaml, entries: [] };
  return { text, yaml, entries: new Reader(text).read(yaml) };
}

function yamlSpan(text: string): Span | null {
  let isOpen = false;
  const parts = splitFrontmatter(
    text,
    (code) => {
      if (code === 'FRONTMATTER_UNCLOSED') isOpen = true;
    },
    { complete: true },
  );
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening !== null && (isOpen || parts === null || parts === 'more'))
    return { start: opening[0].length, end: text.length };
  return parts === null || parts === 'more' ? null : { start: parts.yamlStart, end: parts.yamlEnd };
}

interface Open {
  readonly indent: number;
  readonly path: OutlinePath;
  readonly isItem: boolean;
  /** How many items it has so far. */
  items: number;
}

class Reader {
  private readonly text: string;
  private readonly entries: OutlineEntry[] = [];
  private stack: Open[] = [];
  /** The column of the key whose text goes on below it. */
  private block: number | null = null;

  constructor(text: string) {
    this.text = text;
  }

  read({ start, end }: Span): readonly OutlineEntry[] {
    this.stack = [{ indent: -1, path: [], isItem: false, items: 0 }];
    for (let at = start; at < end;) {
      const feed = this.text.indexOf('\n', at);
      const lineEnd = feed < 0 || feed > end ? end : feed;
      this.readLine(at, lineEnd);
      at = lineEnd + 1;
    }
    return this.entries;
  }

  private readLine(start: number, end: number): void {
    let at = start;
    while (at < end && this.text[at] === ' ') at += 1;
    const rest = this.text.slice(at, end).trim();
    const indent = at - start;
    if (this.block !== null) {
      if (rest === '' || indent > this.block) {
        this.extend(end);
        return;
      }
      this.block = null;
    }
    if (rest === '' || rest.startsWith('#')) return;
    this.readContent(at, end, indent);
  }

  /** The text of a block belongs to the entry above it. */
  private extend(end: number): void {
    const last = this.entries.pop();
    if (last !== undefined) this.entries.push({ ...last, value: { start: last.value.start, end } });
  }

  private readContent(from: number, end: number, column: number): void {
    let at = from;
    let indent = column;
    while (/^-(?=[ \t]|$)/.test(this.text.slice(at, Math.min(end, at + 2)))) {
      this.close(indent, true);
      const top = this.top();
      const path = [...top.path, top.items];
      top.items += 1;
      let next = at + 1;
      while (next < end && (this.text[next] === ' ' || this.text[next] === '\t')) next += 1;
      const isKeyed = keyed.test(this.text.slice(next, Math.min(end, next + 140)));
      const value = isKeyed ? { start: next, end: next } : this.valueSpan(next, end);
      this.entries.push({ path, key: null, isPending: false, value, indent });
      if (!this.push({ indent, path, isItem: true, items: 0 })) return;
      indent += next - at;
      at = next;
      if (!isKeyed && !this.text.startsWith('- ', at)) {
        this.readValue(path, value, indent - (next - from));
        return;
      }
    }
    this.close(indent, false);
    const parent = this.top();
    const match = keyed.exec(this.text.slice(at, Math.min(end, at + 140)));
    if (match === null) {
      const value = this.valueSpan(at, end);
      const word = this.text.slice(value.start, value.end);
      if (!/^[\w.$/-]{1,128}$/.test(word)) {
        if (/^[[{]/.test(word)) this.readFlow(value, parent.path);
        return;
      }
      this.entries.push({
        path: [...parent.path, word],
        key: value,
        isPending: true,
        value: { start: value.end, end: value.end },
        indent,
      });
      return;
    }
    const name = match[0].slice(0, -1).trimEnd();
    const path = [...parent.path, name.replace(/^["']|["']$/g, '')];
    const value = this.valueSpan(at + match[0].length, end);
    this.entries.push({ path, key: { start: at, end: at + name.length }, isPending: false, value, indent });
    this.push({ indent, path, isItem: false, items: 0 });
    this.readValue(path, value, indent);
  }

  private readValue(path: OutlinePath, value: Span, indent: number): void {
    const first = this.text.charAt(value.start);
    if (first === '[' || first === '{') this.readFlow(value, path);
    else if (/^[|>][-+0-9]{0,2}$/.test(this.text.slice(value.start, Math.min(value.end, value.start + 4))))
      this.block = indent;
  }

  /** Without blanks and a comment behind it. */
  private valueSpan(from: number, to: number): Span {
    let start = from;
    while (start < to && (this.text[start] === ' ' || this.text[start] === '\t')) start += 1;
    let end = to;
    const first = this.text.charAt(start);
    if (first !== '"' && first !== "'") {
      const comment = this.text.slice(start, to).search(/(?:^|[ \t])#/);
      if (comment >= 0) end = start + comment;
    }
    while (end > start && this.text.charCodeAt(end - 1) <= 32) end -= 1;
    return { start, end: Math.max(start, end) };
  }

  /** Entries of `[a, b]` and `{a: b}`, as far as they are there. */
  private readFlow({ start, end }: Span, path: OutlinePath): void {
    interface Frame {
      readonly isMap: boolean;
      readonly path: OutlinePath;
      key: Span | null;
      from: number;
      items: number;
    }
    const frames: Frame[] = [];
    const childPath = (frame: Frame): OutlinePath =>
      frame.isMap
        ? [...frame.path, frame.key === null ? '' : this.text.slice(frame.key.start, frame.key.end)]
        : [...frame.path, frame.items];
    const finish = (frame: Frame, to: number, isClosed: boolean): void => {
      const piece = this.valueSpan(frame.from, to);
      const isEmpty = piece.start === piece.end;
      if (!frame.isMap) {
        if (!isEmpty || !isClosed)
          this.entries.push({
            path: childPath(frame),
            key: null,
            isPending: false,
            value: piece,
            indent: -1,
          });
      } else if (frame.key !== null) {
        this.entries.push({
          path: childPath(frame),
          key: frame.key,
          isPending: false,
          value: piece,
          indent: -1,
        });
      } else if (!isEmpty || !isClosed) {
        const word = this.text.slice(piece.start, piece.end);
        this.entries.push({
          path: [...frame.path, word],
          key: piece,
          isPending: true,
          value: { start: piece.end, end: piece.end },
          indent: -1,
        });
      }
      frame.items += 1;
      frame.key = null;
    };
    for (let at = start; at < end; at += 1) {
      const unit = this.text.charAt(at);
      const frame = frames.at(-1);
      if (unit === '"' || unit === "'") {
        const close = this.text.indexOf(unit, at + 1);
        if (close < 0 || close >= end) break;
        at = close;
      } else if (unit === '[' || unit === '{') {
        if (frames.length >= maxDepth) return;
        const inner = frame === undefined ? path : childPath(frame);
        frames.push({ isMap: unit === '{', path: inner, key: null, from: at + 1, items: 0 });
      } else if (frame === undefined) {
        return;
      } else if (unit === ',') {
        finish(frame, at, true);
        frame.from = at + 1;
      } else if (unit === ']' || unit === '}') {
        finish(frame, at, true);
        frames.pop();
      } else if (
        unit === ':' &&
        frame.isMap &&
        frame.key === null &&
        /^[\s]?$/.test(this.text.charAt(at + 1))
      ) {
        frame.key = this.valueSpan(frame.from, at);
        frame.from = at + 1;
      }
    }
    const last = frames.at(-1);
    if (last !== undefined) finish(last, end, false);
  }

  private top(): Open {
    return this.stack.at(-1) as Open;
  }

  private push(open: Open): boolean {
    if (this.stack.length >= maxDepth) return false;
    this.stack.push(open);
    return true;
  }

  /** Leaves what a line at `indent` is not inside of. A dash may stand below the key of its list. */
  private close(indent: number, isDash: boolean): void {
    while (this.stack.length > 1) {
      const top = this.top();
      const stays = isDash
        ? top.indent < indent || (top.indent === indent && !top.isItem)
        : top.indent < indent;
      if (stays) return;
      this.stack.pop();
    }
  }
}

/** Where an offset is: on a key of `parent`, or in the value of `path`. */
export type OutlinePlace =
  | { readonly kind: 'key'; readonly parent: OutlinePath; readonly span: Span }
  | { readonly kind: 'value'; readonly path: OutlinePath; readonly span: Span };

/** `null`: not in the frontmatter, or in a comment. */
export function placeIn(outline: Outline, offset: number): OutlinePlace | null {
  const { text, yaml, entries } = outline;
  if (yaml === null || offset < yaml.start || offset > yaml.end) return null;
  let value: OutlineEntry | null = null;
  for (const entry of entries) {
    if (entry.key !== null && offset >= entry.key.start && offset <= entry.key.end)
      return { kind: 'key', parent: entry.path.slice(0, -1), span: entry.key };
    const isEmpty = entry.value.start === entry.value.end;
    // The innermost comes last.
    if (offset >= entry.value.start && offset <= entry.value.end && !(entry.isPending && isEmpty))
      value = entry;
  }
  if (value !== null) return { kind: 'value', path: value.path, span: value.value };
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  if (/^[ \t]*#|[ \t]#/.test(before)) return null;
  const here: Span = { start: offset, end: offset };
  const onLine = entries.findLast(
    ({ key, value: { end }, indent }) =>
      indent >= 0 && end >= lineStart && end <= offset && (key?.start ?? end) >= lineStart,
  );
  if (onLine !== undefined) {
    if (onLine.isPending) return null;
    // Behind a bracket, comma or colon and blanks: inside of what is open there.
    const trimmed = lineStart + before.trimEnd().length;
    if (trimmed < offset && /[[{,:]/.test(text.charAt(trimmed - 1))) {
      const inner = placeIn(outline, trimmed);
      if (inner !== null) return { ...inner, span: here };
    }
    return {
      kind: 'value',
      path: onLine.path,
      span: { start: Math.min(onLine.value.start, offset), end: offset },
    };
  }
  if (before.trim() !== '') return null;
  return { kind: 'key', parent: parentAt(entries, lineStart, before.length), span: here };
}

/** What a new key in `column` belongs to. */
function parentAt(entries: readonly OutlineEntry[], lineStart: number, column: number): OutlinePath {
  let limit = column;
  for (let index = entries.length - 1; index >= 0 && limit > 0; index -= 1) {
    const { path, key, value, indent } = entries[index] as OutlineEntry;
    if (indent < 0 || indent >= limit || (key ?? value).start >= lineStart) continue;
    if (key === null || value.start === value.end) return path;
    limit = indent;
  }
  return [];
}
