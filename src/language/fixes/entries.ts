// Entries of a frontmatter -> the changes that add one or take one out.
import type { Span } from '../../base/span.ts';
import { lineAt } from '../../base/span.ts';
import type { Outline, OutlineEntry, OutlinePath } from '../outline.ts';
import { readOutline } from '../outline.ts';
import type { TextChange } from './candidates.ts';

/** The entry whose key or value is at `offset`. */
export function ownerAt(text: string, offset: number): OutlineEntry | null {
  const { entries } = readOutline(text);
  const at = entries.find(({ key }) => key !== null && key.start <= offset && offset < key.end);
  return (
    at ??
    entries.findLast(({ value }) => value.start <= offset && offset < Math.max(value.end, value.start + 1)) ??
    null
  );
}

function below({ entries }: Outline, path: OutlinePath): readonly OutlineEntry[] {
  return entries.filter(
    (one) => one.path.length > path.length && path.every((step, at) => one.path[at] === step),
  );
}

function lastEnd({ value }: OutlineEntry, inner: readonly OutlineEntry[]): number {
  return inner.reduce((end, one) => Math.max(end, one.value.end, one.key?.end ?? 0), value.end);
}

/** The entry around `span` with what is below it: its lines, or its part of a list in brackets. */
export function removeEntry(text: string, span: Span): TextChange {
  const outline = readOutline(text);
  const owner = ownerAt(text, span.start);
  if (owner === null) return { ...span, text: '' };
  const inner = below(outline, owner.path);
  const start = (owner.key ?? owner.value).start;
  const end = Math.max(owner.value.end, ...inner.map(({ value, key }) => Math.max(value.end, key?.end ?? 0)));
  if (owner.indent < 0) return withComma(text, { start, end });
  const first = lineAt(text, start);
  const isFirstOfItem = /^[ \t]*-[ \t]+$/.test(text.slice(first.start, start)) && owner.key !== null;
  const last = lineAt(text, end);
  const next = text.startsWith('\r\n', last.end) ? last.end + 2 : Math.min(text.length, last.end + 1);
  if (!isFirstOfItem) return { start: first.start, end: next, text: '' };
  // The dash goes to the key behind it.
  const gap = /^[ \t]*/.exec(text.slice(next))?.[0].length ?? 0;
  return { start, end: next + gap, text: '' };
}

function withComma(text: string, { start, end }: Span): TextChange {
  const behind = /^[ \t]*,[ \t]*/.exec(text.slice(end));
  if (behind !== null) return { start, end: end + behind[0].length, text: '' };
  const before = /,[ \t]*$/.exec(text.slice(0, start));
  return { start: before === null ? start : before.index, end, text: '' };
}

/** `key: value` in the mapping at `path`, in place of what the key has there. `null`: there is no such mapping. */
export function addKey(
  text: string,
  path: OutlinePath,
  key: string,
  value: string,
  near: Span | null,
): readonly TextChange[] | null {
  const outline = readOutline(text);
  if (outline.yaml === null) return null;
  const feed = text.includes('\r\n') ? '\r\n' : '\n';
  const siblings = below(outline, path).filter((one) => one.path.length === path.length + 1);
  const there = siblings.find((one) => one.path.at(-1) === key && one.key !== null);
  if (there?.key !== undefined && there.key !== null) {
    const inner = below(outline, there.path);
    const end = lastEnd(there, inner);
    return [{ start: there.key.start, end, text: `${key}: ${value}` }];
  }
  if (path.length === 0) {
    const at =
      near !== null && siblings.some((one) => one.key?.start === near.start)
        ? lineAt(text, near.start).start
        : outline.yaml.start;
    return [{ start: at, end: at, text: `${key}: ${value}${feed}` }];
  }
  const first = siblings.find((one) => one.indent >= 0 && one.key !== null);
  if (first === undefined || first.key === null) {
    const flow = siblings[0];
    return flow === undefined
      ? null
      : [
          {
            start: (flow.key ?? flow.value).start,
            end: (flow.key ?? flow.value).start,
            text: `${key}: ${value}, `,
          },
        ];
  }
  const inner = below(outline, first.path);
  const { end } = lineAt(text, lastEnd(first, inner));
  return [{ start: end, end, text: `${feed}${' '.repeat(first.indent)}${key}: ${value}` }];
}
