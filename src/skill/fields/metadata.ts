// metadata -> the standard's text map, and what hosts keep under their own names.
//
// Scalars become text, `version: 1.0` as "1.0"; nested values stay in the verbatim frontmatter. What vendors say adds to
// requirements, risk, capabilities and flags: a mapping of their own (`techne: {risk: low}`), or flat text, which is all that the
// standard knows (`techne.risk: low`, `techne.capabilities: shell network`). Some hosts write metadata as one JSON text; it is read
// as a mapping.
import type { Report } from '../../base/diagnostic.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import type { DeclaredLimits, Risk } from '../types.ts';
import type { YamlMap, YamlNode } from '../yaml/node.ts';
import { metadataVendors, vendorKey } from './field-table.ts';
import { describeValue, isNull, quoteHint, readBoolean, readTextList } from './read-value.ts';
import { addInstallHints, addTools, readRequires, readSystems } from './requires.ts';
import type { RequiresDraft } from './requires.ts';

export interface VendorFacts {
  readonly dialects: string[];
  requires: RequiresDraft;
  risk: Risk | null;
  limits: DeclaredLimits | null;
  capabilities: readonly string[] | null;
  always: boolean | null;
}

function nodeOf(json: Json, span: Span): YamlNode {
  if (Array.isArray(json))
    return { kind: 'seq', items: json.map((item: Json) => nodeOf(item, span)), flow: true, span };
  if (isJsonObject(json)) {
    const entries = Object.keys(json).map((key) => ({
      key,
      keySpan: span,
      value: nodeOf(json[key] as Json, span),
    }));
    return { kind: 'map', entries, flow: true, span };
  }
  const value = json as null | boolean | number | string;
  return { kind: 'scalar', value, raw: String(value), style: 'plain', span };
}

/** The mapping that `metadata` is, or that its JSON text holds. */
export function metadataMap(node: YamlNode, report: Report): YamlMap | null {
  if (node.kind === 'map') return node;
  if (isNull(node)) return null;
  if (node.kind === 'scalar' && typeof node.value === 'string' && node.value.trimStart().startsWith('{')) {
    let json: Json | null;
    try {
      json = parseJson(node.value);
    } catch {
      json = null; // Not JSON: reported below as any other text is.
    }
    if (isJsonObject(json ?? undefined)) return nodeOf(json, node.span) as YamlMap;
  }
  report(
    'FIELD_TYPE',
    node.span,
    `metadata must be a mapping, not ${describeValue(node)}`,
    'write metadata: followed by indented "key: text" lines',
  );
  return null;
}

const listKeys: ReadonlySet<string> = new Set([
  'capabilities',
  'os',
  'platforms',
  'requires_tools',
  'requires_toolsets',
]);

/** A flat key as the mapping that it stands for; lists are words. */
function flatVendor(name: string, { keySpan, value }: YamlMap['entries'][number]): YamlMap {
  const isList = listKeys.has(name) && value.kind === 'scalar';
  const words = isList ? value.raw.split(/[\s,]+/).filter((word) => word !== '') : [];
  const entry = { key: name, keySpan, value: isList ? nodeOf(words, value.span) : value };
  return { kind: 'map', entries: [entry], flow: true, span: value.span };
}

/** The text map; each vendor's mapping goes to `onVendor`. Other nested values stay in the verbatim frontmatter only. */
export function readMetadata(
  map: YamlMap,
  report: Report,
  onVendor: (vendor: string, map: YamlMap) => void,
): { [key: string]: string } {
  const texts = Object.create(null) as { [key: string]: string };
  for (const entry of map.entries) {
    const { key, value } = entry;
    if (value.kind === 'scalar') {
      const flat = vendorKey(key);
      if (flat !== null) onVendor(flat.vendor, flatVendor(flat.name, entry));
      if (typeof value.value === 'string') texts[key] = value.value;
      else {
        texts[key] = value.value === null ? '' : value.raw;
        if (value.value !== null)
          report(
            'FIELD_COERCED',
            value.span,
            `metadata.${key} is ${describeValue(value)}; it is read as text`,
            quoteHint(value.raw),
          );
      }
    } else if (value.kind === 'map' && metadataVendors.has(key)) onVendor(key, value);
    else
      report(
        'METADATA_NESTED',
        value.span,
        `metadata.${key} is ${describeValue(value)}, not text; it is ignored`,
        'write it as one text',
      );
  }
  return texts;
}

const risks: ReadonlySet<string> = new Set(['low', 'medium', 'high']);
const order: readonly Risk[] = ['low', 'medium', 'high'];

function readRisk(label: string, node: YamlNode, report: Report): Risk | null {
  const value = node.kind === 'scalar' ? node.raw.trim().toLowerCase() : '';
  if (risks.has(value)) return value as Risk;
  if (!isNull(node))
    report('FIELD_VALUE', node.span, `${label} must be low, medium or high, not ${describeValue(node)}`);
  return null;
}

/** `{asks: 20, commands: 40, time: 10m}`. */
function readLimits(label: string, node: YamlNode, report: Report): DeclaredLimits {
  if (isNull(node)) return {};
  if (node.kind !== 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `${label} must be a mapping, not ${describeValue(node)}`,
      'write limits: {asks: 20, commands: 40, time: 10m}',
    );
    return {};
  }
  return Object.assign(
    {},
    ...node.entries.map(({ key, value }) => readLimit(`${label}.${key}`, key, value, report)),
  ) as DeclaredLimits;
}

const unitMs: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };

function readLimit(label: string, name: string, node: YamlNode, report: Report): DeclaredLimits {
  const raw = node.kind === 'scalar' ? node.raw.trim() : '';
  const wrong = (what: string): DeclaredLimits => {
    report('FIELD_VALUE', node.span, `${label} must be ${what}, not ${describeValue(node)}`);
    return {};
  };
  if (name === 'time') {
    const [, amount, unit = 's'] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(ms|s|m|min|h)?$/.exec(raw) ?? [];
    const wallMs = Math.round(Number(amount) * (unitMs[unit] as number));
    return amount === undefined || wallMs < 1
      ? wrong('seconds, or a text such as 90s, 10m or 1h')
      : { wallMs };
  }
  if (name !== 'asks' && name !== 'commands') {
    report(
      'FIELD_VALUE',
      node.span,
      `${label} is not a limit that a skill can declare`,
      'use asks, commands and time',
    );
    return {};
  }
  const count = /^\d{1,6}$/.test(raw) ? Number(raw) : -1;
  return count < (name === 'asks' ? 1 : 0) ? wrong('a number of calls') : { [name]: count };
}

/** Reads `metadata.<vendor>` into `facts`; of several risks the highest counts. */
export function readVendor(vendor: string, map: YamlMap, facts: VendorFacts, report: Report): void {
  const dialect = metadataVendors.get(vendor) ?? vendor;
  if (!facts.dialects.includes(dialect)) facts.dialects.push(dialect);
  for (const { key, value } of map.entries) {
    const label = `metadata.${vendor}.${key}`;
    switch (key) {
      case 'requires':
        readRequires(label, value, facts.requires, report);
        break;
      case 'os':
      case 'platforms':
        readSystems(label, value, facts.requires, report);
        break;
      case 'requires_tools':
      case 'requires_toolsets':
        addTools(label, value, facts.requires, report);
        break;
      case 'install':
        addInstallHints(value, facts.requires);
        break;
      case 'always':
        facts.always = readBoolean(label, value, report) ?? facts.always;
        break;
      case 'risk':
      case 'risk_level':
      case 'riskLevel': {
        const risk = readRisk(label, value, report);
        if (risk !== null && (facts.risk === null || order.indexOf(risk) > order.indexOf(facts.risk)))
          facts.risk = risk;
        break;
      }
      case 'limits':
        facts.limits = { ...facts.limits, ...readLimits(label, value, report) };
        break;
      case 'limits.asks':
      case 'limits.commands':
      case 'limits.time':
        facts.limits = { ...facts.limits, ...readLimit(label, key.slice('limits.'.length), value, report) };
        break;
      case 'capabilities':
        facts.capabilities = [
          ...new Set([...(facts.capabilities ?? []), ...(readTextList(label, value, report) ?? [])]),
        ];
        break;
    }
  }
}
