// The value tree of a frontmatter, with the place of every key and value.
//
//   parse-plain.ts  text -> YamlMap, for the common subset, fast       \  equal wherever the
//   parse-full.ts   text -> YamlMap, by the `yaml` package, lazily     /  first one answers
//
// Both parsers give the same tree, spans included (property test). One function resolves scalars, `resolvePlain` (core
// schema); a number that JSON or a double cannot represent exactly (.nan, .inf, an integer past 2^53) stays text. No tree
// is deeper than `yamlLimits.depth` or larger than `yamlLimits.nodes`.
import type { Report } from '../../base/diagnostic.ts';
import type { Json } from '../../base/json.ts';
import { emptyObject } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';

export const yamlLimits = { bytes: 256 * 1024, depth: 48, nodes: 10_000 } as const;

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

export interface YamlScalar {
  readonly kind: 'scalar';
  readonly value: null | boolean | number | string;
  /** The source text of a plain scalar (`1.0` stays `1.0`); for the other styles the value. */
  readonly raw: string;
  readonly style: ScalarStyle;
  readonly span: Span;
}

export interface YamlSeq {
  readonly kind: 'seq';
  readonly items: readonly YamlNode[];
  /** Written inline, as `[a, b]`. */
  readonly flow: boolean;
  readonly span: Span;
}

export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}

export interface YamlMap {
  readonly kind: 'map';
  readonly entries: readonly YamlEntry[];
  readonly flow: boolean;
  readonly span: Span;
}

export type YamlNode = YamlScalar | YamlSeq | YamlMap;

/** Keys that would reach an object's prototype in careless code; no tree holds them. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function entryOf(map: YamlMap, key: string): YamlEntry | undefined {
  for (const entry of map.entries) if (entry.key === key) return entry;
  return undefined;
}

/** `key:` with nothing behind it, or nothing but blanks. */
export function hasNoValue({ value }: YamlEntry): boolean {
  return (
    value.kind === 'scalar' &&
    (value.value === null || (typeof value.value === 'string' && value.value.trim() === ''))
  );
}

export function repeatedKey(key: string, firstCounts: boolean): string {
  return `"${key}" is given twice; ${firstCounts ? 'the first one counts' : 'the first one is empty, so the second counts'}`;
}

export function toJson(node: YamlNode): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'seq':
      return node.items.map(toJson);
    case 'map': {
      const object = emptyObject();
      for (const entry of node.entries) object[entry.key] = toJson(entry.value);
      return object;
    }
  }
}

/** The signature of `parseFull`, so that the pure core can be handed the parser once it is loaded. */
export type ParseFull = (text: string, start: number, end: number, report: Report) => YamlMap | null;
