// A file of a skill -> its outline for people: fields, steps, inputs, headings, functions; and what can be folded.
import type { Span } from '../base/span.ts';
import type { Statement } from '../starlark/syntax/ast.ts';
import type { LanguageFile } from './language.ts';
import { isStep } from './names.ts';
import type { Outline, OutlineEntry } from './outline.ts';
import { readOutline } from './outline.ts';
import { valueOf } from './declared.ts';
import { parseProgram } from './starlark-names.ts';

export interface LanguageSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'field' | 'step' | 'input' | 'heading' | 'function' | 'variable';
  readonly span: Span;
  /** Of the name, within `span`. */
  readonly selection: Span;
  readonly children: readonly LanguageSymbol[];
}

export interface Fold {
  readonly span: Span;
  readonly kind: 'region' | 'comment';
}

export function symbolsIn({ path, text }: LanguageFile): readonly LanguageSymbol[] {
  if (path.endsWith('.star')) return programSymbols(text);
  const outline = readOutline(text);
  const { yaml } = outline;
  const body = yaml === null ? 0 : yaml.end;
  return [...(yaml === null ? [] : fieldSymbols(outline)), ...headingSymbols(outline.text, body)];
}

function fieldSymbols(outline: Outline): readonly LanguageSymbol[] {
  const { entries } = outline;
  return entries
    .map((entry, at) => ({ entry, at }))
    .filter(({ entry: { path, key, isPending } }) => path.length === 1 && key !== null && !isPending)
    .map(({ entry, at }) => {
      const inside = entriesBelow(entries, at);
      const key = entry.key as Span;
      return {
        name: String(entry.path[0]),
        detail: shortValue(outline, entry),
        kind: 'field' as const,
        span: { start: key.start, end: Math.max(key.end, endOf(entry, inside)) },
        selection: key,
        children: [...stepsIn(outline, inside), ...inputsIn(outline, inside)],
      };
    });
}

function entriesBelow(entries: readonly OutlineEntry[], at: number): readonly OutlineEntry[] {
  const { path } = entries[at] as OutlineEntry;
  let end = at + 1;
  while (end < entries.length && (entries[end] as OutlineEntry).path.length > path.length) end += 1;
  return entries.slice(at + 1, end);
}

function endOf({ value }: OutlineEntry, inside: readonly OutlineEntry[]): number {
  return inside.reduce((end, one) => Math.max(end, one.value.end, one.key?.end ?? 0), value.end);
}

function shortValue(outline: Outline, entry: OutlineEntry): string {
  const text = valueOf(outline, entry);
  return /^[|>]/.test(text) || text.includes('\n') ? '' : text.slice(0, 80);
}

function stepsIn(outline: Outline, inside: readonly OutlineEntry[]): readonly LanguageSymbol[] {
  return inside.flatMap((entry, at): readonly LanguageSymbol[] => {
    if (!isStep(entry.path)) return [];
    const below = entriesBelow(inside, at);
    const fieldOf = (name: string): OutlineEntry | undefined =>
      below.find(({ path }) => path.length === entry.path.length + 1 && path.at(-1) === name);
    const id = fieldOf('id');
    const start = below.reduce(
      (least, { key, value }) => Math.min(least, (key ?? value).start),
      entry.value.start,
    );
    const end = endOf(entry, below);
    const named = id !== undefined && id.value.end > id.value.start ? id : undefined;
    const what = ['kind', 'tool', 'skill'].flatMap((name) => {
      const found = fieldOf(name);
      return found === undefined ? [] : [valueOf(outline, found)];
    });
    return [
      {
        name: named === undefined ? `step ${Number(entry.path.at(-1)) + 1}` : valueOf(outline, named),
        detail: what[0] ?? '',
        kind: 'step',
        span: { start, end: Math.max(start, end) },
        selection: named?.value ?? { start, end: start },
        children: [],
      },
    ];
  });
}

function inputsIn(outline: Outline, inside: readonly OutlineEntry[]): readonly LanguageSymbol[] {
  return inside.flatMap((entry, at): readonly LanguageSymbol[] => {
    if (entry.path[0] !== 'inputs') return [];
    const isKey = entry.path.length === 2 && entry.key !== null;
    const isName = entry.path.length === 3 && entry.path.at(-1) === 'name';
    if (!isKey && !isName) return [];
    const selection = isKey ? (entry.key as Span) : entry.value;
    const name = isKey ? String(entry.path[1]) : valueOf(outline, entry);
    if (name === '') return [];
    const end = isKey ? endOf(entry, entriesBelow(inside, at)) : entry.value.end;
    return [
      {
        name,
        detail: '',
        kind: 'input',
        span: { start: selection.start, end: Math.max(end, selection.end) },
        selection,
        children: [],
      },
    ];
  });
}

interface Heading {
  readonly level: number;
  readonly name: string;
  readonly start: number;
  readonly selection: Span;
}

function headingsIn(text: string, from: number): readonly Heading[] {
  const found: Heading[] = [];
  const line = /^(?:(#{1,6})[ \t]+(.+?)[ \t#]*|(```|~~~).*)$/gm;
  line.lastIndex = from;
  let fence: string | null = null;
  for (let match = line.exec(text); match !== null; match = line.exec(text)) {
    const [whole, signs, name, opened] = match;
    if (opened !== undefined) fence = fence === null ? opened : fence === opened ? null : fence;
    else if (fence === null && signs !== undefined && name !== undefined)
      found.push({
        level: signs.length,
        name,
        start: match.index,
        selection: { start: match.index, end: match.index + whole.length },
      });
  }
  return found;
}

function headingSymbols(text: string, from: number): readonly LanguageSymbol[] {
  const headings = headingsIn(text, from);
  const build = (first: number, last: number): readonly LanguageSymbol[] => {
    const symbols: LanguageSymbol[] = [];
    for (let at = first; at < last;) {
      const { level, name, start, selection } = headings[at] as Heading;
      let next = at + 1;
      while (next < last && (headings[next] as Heading).level > level) next += 1;
      const end = headings[next]?.start ?? text.length;
      symbols.push({
        name,
        detail: '',
        kind: 'heading',
        span: { start, end: Math.max(selection.end, trimmedEnd(text, end)) },
        selection,
        children: build(at + 1, next),
      });
      at = next;
    }
    return symbols;
  };
  return build(0, headings.length);
}

function trimmedEnd(text: string, end: number): number {
  let at = end;
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at -= 1;
  return at;
}

function programSymbols(text: string): readonly LanguageSymbol[] {
  const parsed = parseProgram(text);
  if (parsed === null) return [];
  const { module, shift } = parsed;
  const shifted = ({ start, end }: Span): Span => ({ start: start + shift, end: end + shift });
  const symbolsOf = (statements: readonly Statement[], isTop: boolean): readonly LanguageSymbol[] =>
    statements.flatMap((statement): readonly LanguageSymbol[] => {
      if (statement.kind === 'def')
        return [
          {
            name: statement.name.name,
            detail: `(${statement.parameters.map(({ name }) => name?.name ?? '*').join(', ')})`,
            kind: 'function',
            span: shifted(statement),
            selection: shifted(statement.name),
            children: symbolsOf(statement.body, false),
          },
        ];
      if (!isTop || statement.kind !== 'assign' || statement.target.kind !== 'identifier') return [];
      return [
        {
          name: statement.target.name,
          detail: '',
          kind: 'variable',
          span: shifted(statement),
          selection: shifted(statement.target),
          children: [],
        },
      ];
    });
  return symbolsOf(module.body, true);
}

/** Blocks of several lines; the first line stays in view. */
export function foldsIn(file: LanguageFile): readonly Fold[] {
  const { path, text } = file;
  if (path.endsWith('.star')) return [...programFolds(text), ...commentFolds(text)];
  const outline = readOutline(text);
  const folds: Fold[] = [];
  if (outline.yaml !== null) {
    folds.push({ kind: 'region', span: { start: 0, end: Math.max(0, outline.yaml.end) } });
    for (const [at, entry] of outline.entries.entries()) {
      const start = (entry.key ?? entry.value).start;
      folds.push({ kind: 'region', span: { start, end: endOf(entry, entriesBelow(outline.entries, at)) } });
    }
  }
  const walk = (symbols: readonly LanguageSymbol[]): void => {
    for (const { kind, span, children } of symbols) {
      if (kind === 'heading') folds.push({ kind: 'region', span });
      walk(children);
    }
  };
  walk(headingSymbols(outline.text, outline.yaml?.end ?? 0));
  return folds.filter(({ span }) => text.slice(span.start, span.end).includes('\n'));
}

function programFolds(text: string): readonly Fold[] {
  const parsed = parseProgram(text);
  if (parsed === null) return [];
  const folds: Fold[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one);
      return;
    }
    if (typeof node !== 'object' || node === null || node instanceof Uint8Array) return;
    const { kind, start, end } = node as {
      readonly kind?: string;
      readonly start?: number;
      readonly end?: number;
    };
    if (
      start !== undefined &&
      end !== undefined &&
      ['def', 'if', 'for', 'list', 'dict', 'call', 'comprehension', 'string'].includes(kind ?? '') &&
      text.slice(start + parsed.shift, end + parsed.shift).includes('\n')
    )
      folds.push({ kind: 'region', span: { start: start + parsed.shift, end: end + parsed.shift } });
    for (const [key, one] of Object.entries(node)) if (key !== 'scope' && key !== 'binding') walk(one);
  };
  walk(parsed.module.body);
  return folds;
}

function commentFolds(text: string): readonly Fold[] {
  return [...text.matchAll(/(?:^[ \t]*#.*(?:\r?\n|$)){2,}/gm)].map((match) => ({
    kind: 'comment' as const,
    span: { start: match.index, end: match.index + match[0].trimEnd().length },
  }));
}
