// metadata -> the standard's text map, and what hosts keep under their own names.
//
// Scalars become text, `version: 1.0` as "1.0"; nested values stay in the verbatim frontmatter. Mappings of any vendor
// add to requirements, risk, capabilities and flags. Some hosts write metadata as one JSON text; it is read as a mapping.
import type { Report } from '../../base/diagnostic.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import { metadataVendors } from './field-table.ts';
import { describeValue, isNull, readBoolean, readTextList } from './read-value.ts';
import type { RequiresDraft } from './requires.ts';
import { addInstallHints, addTools, readRequires, readSystems } from './requires.ts';
import type { Risk } from '../types.ts';
import type { YamlMap, YamlNode } from '../yaml/node.ts';

export interface VendorFacts {
  readonly dialects: string[];
  requires: RequiresDraft;
  risk: Risk | null;
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

/** The text map; each vendor's mapping goes to `onVendor`. */
export function readMetadata(
  map: YamlMap,
  report: Report,
  onVendor: (vendor: string, map: YamlMap) => void,
): { [key: string]: string } {
  const texts = Object.create(null) as { [key: string]: string };
  for (const { key, value } of map.entries) {
    if (value.kind === 'scalar') {
      if (typeof value.value === 'string') texts[key] = value.value;
      else {
        texts[key] = value.value === null ? '' : value.raw;
        if (value.value !== null)
          report(
            'FIELD_COERCED',
            value.span,
            `metadata.${key} is ${describeValue(value)}; it is read as text`,
            `quote it: "${value.raw}"`,
          );
      }
    } else if (value.kind === 'map' && metadataVendors.has(key)) onVendor(key, value);
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
      case 'capabilities':
        facts.capabilities = [
          ...new Set([...(facts.capabilities ?? []), ...(readTextList(label, value, report) ?? [])]),
        ];
        break;
    }
  }
}
