// Properties -> the frontmatter of a note, in which everything else stays as it is written.
//
//   text + [{key, value | links}] -> splices: new keys at the end, new items behind the last one of their list
//
// A value that the note has already is kept, unless it may be updated. Frontmatter that is not plain YAML is not touched.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import type { Json } from '../../base/json.ts';
import type { ParseFull, YamlEntry, YamlNode, YamlSeq } from '../../skill/yaml/node.ts';
import { hasNoValue, toJson } from '../../skill/yaml/node.ts';
import { edgeName, nameKey } from '../note.ts';
import { splitNote } from '../read-note.ts';
import type { Splice } from './splice.ts';
import { lineEndOf } from './splice.ts';
import { yamlLink, yamlValue } from './yaml-value.ts';

export type WantedProperty =
  | { readonly key: string; readonly value: Json; readonly mayUpdate: boolean }
  /** Names of notes. */
  | { readonly key: string; readonly links: readonly string[] };

export type MergedProperties =
  | { readonly ok: true; readonly splices: readonly Splice[]; readonly kept: readonly string[] }
  | { readonly ok: false; readonly message: string };

export function mergeProperties(
  text: string,
  wanted: readonly WantedProperty[],
  parseFull: ParseFull,
): MergedProperties {
  const eol = lineEndOf(text);
  const { yaml, bodyStart } = splitNote(text);
  if (yaml === null) {
    const lines = wanted.flatMap(newLine);
    const block = lines.length === 0 ? '' : ['---', ...lines, '---', '', ''].join(eol);
    return { ok: true, splices: [{ start: bodyStart, end: bodyStart, text: block }], kept: [] };
  }
  const diagnostics: Diagnostic[] = [];
  const isEmpty = text.slice(yaml.start, yaml.end).trim() === '';
  const map = isEmpty ? null : parseFull(text, yaml.start, yaml.end, collectInto(diagnostics, 'note'));
  if (!isEmpty && (map === null || diagnostics.length > 0))
    return {
      ok: false,
      message: `its frontmatter cannot be read${diagnostics[0] === undefined ? '' : `: ${diagnostics[0].message}`}`,
    };
  const splices: Splice[] = [];
  const kept: string[] = [];
  const lines: string[] = [];
  for (const one of wanted) {
    const entry = map?.entries.find(({ key }) => sameKey(key, one));
    if (entry === undefined) lines.push(...newLine(one));
    else if ('links' in one) addLinks(text, entry, one.links, eol, splices, kept);
    else setValue(text, entry, one, splices, kept);
  }
  if (lines.length > 0) splices.push({ start: yaml.end, end: yaml.end, text: `${lines.join(eol)}${eol}` });
  return { ok: true, splices, kept };
}

function sameKey(key: string, wanted: WantedProperty): boolean {
  return 'links' in wanted ? edgeName(key) === edgeName(wanted.key) : nameKey(key) === nameKey(wanted.key);
}

function newLine(wanted: WantedProperty): readonly string[] {
  const value =
    'links' in wanted
      ? wanted.links.length === 0
        ? null
        : `[${wanted.links.map(yamlLink).join(', ')}]`
      : yamlValue(wanted.value);
  return value === null ? [] : [`${wanted.key}: ${value}`];
}

function setValue(
  text: string,
  entry: YamlEntry,
  { key, value, mayUpdate }: Extract<WantedProperty, { value: Json }>,
  splices: Splice[],
  kept: string[],
): void {
  const written = yamlValue(value);
  if (written === null) return;
  if (hasNoValue(entry)) {
    splices.push(fill(text, entry, written));
    return;
  }
  if (same(toJson(entry.value), value)) return;
  const { start, end } = entry.value.span;
  const isOneLine = entry.value.kind === 'scalar' && !text.slice(start, end).includes('\n');
  if (mayUpdate && isOneLine) splices.push({ start, end, text: written });
  else kept.push(key);
}

function same(a: Json, b: Json): boolean {
  const plain = (value: Json): string => (typeof value === 'string' ? value.trim() : JSON.stringify(value));
  return plain(a) === plain(b);
}

/** Behind the colon of a key that has no value. */
function fill(text: string, { keySpan }: YamlEntry, written: string): Splice {
  const at = text.indexOf(':', keySpan.end) + 1;
  return { start: at, end: at, text: ` ${written}` };
}

function addLinks(
  text: string,
  entry: YamlEntry,
  links: readonly string[],
  eol: string,
  splices: Splice[],
  kept: string[],
): void {
  const { value } = entry;
  const known = new Set(linkNames(text.slice(value.span.start, value.span.end)));
  const missing = links.filter((link) => !known.has(linkKey(link))).map(yamlLink);
  if (missing.length === 0) return;
  if (hasNoValue(entry)) splices.push(fill(text, entry, `[${missing.join(', ')}]`));
  else if (value.kind === 'seq' && value.items.every(isText))
    splices.push(intoList(text, value, missing, eol));
  else if (
    isText(value) &&
    value.style !== 'plain' &&
    !text.slice(value.span.start, value.span.end).includes('\n')
  ) {
    splices.push({ start: value.span.start, end: value.span.start, text: '[' });
    splices.push({ start: value.span.end, end: value.span.end, text: `, ${missing.join(', ')}]` });
  } else kept.push(entry.key);
}

function isText(node: YamlNode): node is Extract<YamlNode, { kind: 'scalar' }> {
  return node.kind === 'scalar' && typeof node.value === 'string';
}

function intoList(text: string, list: YamlSeq, items: readonly string[], eol: string): Splice {
  const last = list.items.at(-1);
  if (list.flow || last === undefined) {
    const at = last === undefined ? text.indexOf('[', list.span.start) + 1 : last.span.end;
    return { start: at, end: at, text: `${last === undefined ? '' : ', '}${items.join(', ')}` };
  }
  const lineStart = text.lastIndexOf('\n', last.span.start) + 1;
  const [indent = ''] = /^[ \t]*/.exec(text.slice(lineStart, last.span.start)) ?? [];
  const lineEnd = text.indexOf('\n', last.span.end);
  const at = lineEnd < 0 ? text.length : lineEnd + 1;
  return { start: at, end: at, text: items.map((item) => `${indent}- ${item}${eol}`).join('') };
}

function linkNames(source: string): readonly string[] {
  return [...source.matchAll(/\[\[([^\]|#]*)[^\]]*\]\]/g)].map(([, name]) => linkKey(name as string));
}

/** Two links are one where they name one note, with or without its folder. */
function linkKey(target: string): string {
  const path = target.split(/[|#]/, 1)[0] as string;
  return nameKey(
    path
      .slice(path.lastIndexOf('/') + 1)
      .replace(/\.md$/i, '')
      .trim(),
  );
}
