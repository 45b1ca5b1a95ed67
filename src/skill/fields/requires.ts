// What a skill requires, from every field that declares it, `metadata` included.
//
//   requires, prerequisites, platforms, os, skills, dependencies, required_environment_variables, the skills of a chain,
//   metadata.<vendor>.{requires, os, install, requires_tools, requires_toolsets}  ->  Requires
//
// Declarations add up; a value named twice is kept once. Operating systems become Node's names; an unknown one is
// FIELD_VALUE and requires nothing. An unknown kind of requirement is reported: otherwise it would count as met. Prose is
// read where it is plain (requirement.ts); otherwise it is reported, and demands nothing.
import type { Report } from '../../base/diagnostic.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import {
  describeValue,
  isNull,
  quoteHint,
  readBoolean,
  readText,
  readTextList,
  readTrimmed,
} from './read-value.ts';
import type { RequirementKind } from './requirement.ts';
import { isOptional, readDemand } from './requirement.ts';
import { guessLimit } from './spelling.ts';
import type { DeclaredLimits, Requires, Risk } from '../types.ts';
import type { YamlNode, YamlMap } from '../yaml/node.ts';
import { entryOf } from '../yaml/node.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import { metadataVendors, vendorKey } from './field-table.ts';

/** Collects a `Requires`; `null` at the end when nothing was declared. */
export interface RequiresDraft {
  readonly bins: string[];
  readonly anyBins: string[][];
  readonly env: string[];
  readonly anyEnv: string[][];
  readonly config: string[];
  readonly os: string[];
  readonly tools: string[];
  readonly skills: string[];
  readonly installHints: string[];
}

export function emptyRequires(): RequiresDraft {
  return {
    bins: [],
    anyBins: [],
    env: [],
    anyEnv: [],
    config: [],
    os: [],
    tools: [],
    skills: [],
    installHints: [],
  };
}

export function finishRequires(draft: RequiresDraft): Requires | null {
  return Object.values(draft).some((list: readonly unknown[]) => list.length > 0) ? draft : null;
}

const systems: ReadonlyMap<string, readonly string[]> = new Map([
  ['linux', ['linux']],
  ['macos', ['darwin']],
  ['mac', ['darwin']],
  ['osx', ['darwin']],
  ['mac os', ['darwin']],
  ['darwin', ['darwin']],
  ['windows', ['win32']],
  ['win', ['win32']],
  ['win32', ['win32']],
  ['win64', ['win32']],
  ['unix', ['linux', 'darwin']],
  ['posix', ['linux', 'darwin']],
  ['freebsd', ['freebsd']],
  ['openbsd', ['openbsd']],
  ['android', ['android']],
]);
/** No systems: any of them, or hosts, whose own skills say so. */
const everySystem: ReadonlySet<string> = new Set(
  'any all * cross-platform cursor claude claude-code codex copilot gemini gemini-cli opencode windsurf cline vscode openclaw hermes'.split(
    ' ',
  ),
);
/** Kinds of requirements that are for readers. */
const untold: ReadonlySet<string> = new Set(['mcp', 'mcpServers', 'mcp_servers', 'mcp-servers']);

function addAll(into: string[], values: readonly string[] | null): void {
  if (values === null || values.length === 0) return;
  const seen = new Set(into);
  for (const value of values) {
    if (seen.has(value)) continue;
    seen.add(value);
    into.push(value);
  }
}

export function readSystems(label: string, node: YamlNode, draft: RequiresDraft, report: Report): void {
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    for (const value of readTextList(label, item, report) ?? []) {
      const names = systems.get(value.toLowerCase());
      if (names !== undefined) addAll(draft.os, names);
      else if (!everySystem.has(value.toLowerCase())) {
        report(
          'FIELD_VALUE',
          item.span,
          `"${value}" in ${label} is not an operating system techne knows, so nothing is required`,
          'use linux, macos or windows',
        );
      }
    }
  }
}

/** One group of alternatives, or a list of groups. A group with an alternative that is optional or not clear demands nothing. */
function readGroups(
  label: string,
  kind: RequirementKind,
  node: YamlNode,
  into: string[][],
  report: Report,
): void {
  const nested = node.kind === 'seq' && node.items.some((item) => item.kind === 'seq');
  for (const group of nested ? node.items : [node]) {
    const demands = (readTextList(label, group, report) ?? []).map((text) =>
      demandOf(label, kind, text, group.span, report),
    );
    const names = demands.flatMap((oneOf) => oneOf);
    if (names.length > 0 && demands.every((oneOf) => oneOf.length > 0)) into.push([...new Set(names)]);
  }
}

/** What `text` demands: any one of these. What is not clear is reported, and demands nothing. */
function demandOf(
  label: string,
  kind: RequirementKind,
  text: string,
  span: Span,
  report: Report,
): readonly string[] {
  const demand = readDemand(kind, text);
  if (demand === null) {
    report(
      'REQUIREMENT_UNCLEAR',
      span,
      `"${printableLine(text)}" in ${label} is not the name of a ${kindNames[kind]}; it is not checked`,
      'write the name alone, and what else is needed in compatibility',
    );
    return [];
  }
  if (demand.version !== null)
    report(
      'REQUIREMENT_VERSION',
      span,
      `${label}: only ${demand.oneOf.map((name) => `"${name}"`).join(' or ')} is looked for; the version "${demand.version}" is not checked`,
    );
  return demand.oneOf;
}

const kindNames: Record<RequirementKind, string> = {
  program: 'program',
  variable: 'variable',
  setting: 'setting or the path of a file',
};

/** Adds what the texts of a list demand; alternatives go to `groups`. */
function addDemands(
  label: string,
  kind: RequirementKind,
  node: YamlNode,
  into: string[],
  groups: string[][] | null,
  report: Report,
): void {
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    const texts =
      node.kind === 'seq'
        ? [readTrimmed(`an item of ${label}`, item, report)]
        : readTextList(label, item, report);
    for (const text of texts ?? []) {
      if (text === null) continue;
      const oneOf = demandOf(label, kind, text, item.span, report);
      if (oneOf.length > 1 && groups !== null) groups.push([...oneOf]);
      else addAll(into, oneOf.slice(0, 1));
    }
  }
}

/** The names of a list, without those that say that they are optional. */
function addNames(label: string, node: YamlNode, into: string[], report: Report): void {
  addAll(into, readTextList(label, node, report)?.filter((name) => !isOptional(name)) ?? null);
}

const requirementKeys = [
  'bins',
  'anyBins',
  'env',
  'anyEnv',
  'config',
  'os',
  'tools',
  'toolsets',
  'skills',
  'install',
] as const;
type RequirementKey = (typeof requirementKeys)[number];
const requirementAliases: ReadonlyMap<string, RequirementKey> = new Map([
  ...requirementKeys.map((key): [string, RequirementKey] => [key, key]),
  ['commands', 'bins'],
  ['binaries', 'bins'],
  ['bin', 'bins'],
  ['programs', 'bins'],
  ['any_bins', 'anyBins'],
  ['any-bins', 'anyBins'],
  ['binsAny', 'anyBins'],
  ['bins_any', 'anyBins'],
  ['env_vars', 'env'],
  ['envVars', 'env'],
  ['environment', 'env'],
  ['envs', 'env'],
  ['envAny', 'anyEnv'],
  ['env_any', 'anyEnv'],
  ['any_env', 'anyEnv'],
  ['any-env', 'anyEnv'],
  ['platforms', 'os'],
  ['platform', 'os'],
  ['requires_tools', 'tools'],
  ['requires_toolsets', 'toolsets'],
  ['dependencies', 'skills'],
]);

/** Reads one `requires`-shaped mapping; `label` is the path of keys that leads to it. */
export function readRequires(label: string, node: YamlNode, draft: RequiresDraft, report: Report): void {
  if (isNull(node)) return;
  if (node.kind !== 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `${label} must be a mapping, not ${describeValue(node)}, so nothing is required`,
      `write ${label}: with keys such as bins, env, os, tools`,
    );
    return;
  }
  let guesses = 0;
  for (const { key, keySpan, value } of node.entries) {
    const path = `${label}.${key}`;
    const known = requirementAliases.get(key);
    if (untold.has(key)) continue;
    if (known === undefined) {
      guesses += 1;
      const near = guesses > guessLimit ? null : nearest(key, requirementAliases.keys());
      if (near === null)
        report(
          'FIELD_UNKNOWN',
          keySpan,
          `${path} is not a requirement techne knows; it is not checked`,
          `known: ${requirementKeys.join(', ')}`,
        );
      else
        report(
          'FIELD_MISSPELT',
          keySpan,
          `${path} is not a requirement techne knows; it is not checked`,
          `did you mean "${near}"?`,
        );
      continue;
    }
    readRequirement(known, path, value, draft, report);
  }
}

function readRequirement(
  key: RequirementKey,
  label: string,
  value: YamlNode,
  draft: RequiresDraft,
  report: Report,
): void {
  switch (key) {
    case 'bins':
      return addDemands(label, 'program', value, draft.bins, draft.anyBins, report);
    case 'anyBins':
      return readGroups(label, 'program', value, draft.anyBins, report);
    case 'env':
      return readVariables(label, value, draft, report);
    case 'anyEnv':
      return readGroups(label, 'variable', value, draft.anyEnv, report);
    case 'config':
      return addDemands(label, 'setting', named(value, ['key', 'name']), draft.config, null, report);
    case 'os':
      return readSystems(label, value, draft, report);
    case 'tools':
    case 'toolsets':
      return addNames(label, value, draft.tools, report);
    case 'skills':
      return addNames(label, value, draft.skills, report);
    case 'install':
      return addAll(draft.installHints, readInstallHints(value));
  }
}

/** `node` with the name for each mapping in it, which is under one of `keys`. */
function named(node: YamlNode, keys: readonly string[]): YamlNode {
  if (node.kind !== 'seq') return node;
  const items = node.items.map((item) => {
    if (item.kind !== 'map') return item;
    return keys.map((key) => entryOf(item, key)).find((entry) => entry !== undefined)?.value ?? item;
  });
  return { ...node, items };
}

/** Environment variables: texts, or `{ name, optional, required }`; optional ones demand nothing. */
export function readVariables(label: string, node: YamlNode, draft: RequiresDraft, report: Report): void {
  if (node.kind !== 'seq') return addDemands(label, 'variable', node, draft.env, draft.anyEnv, report);
  const kept = node.items.filter((item) => {
    if (item.kind !== 'map') return true;
    const optional = entryOf(item, 'optional');
    const required = entryOf(item, 'required');
    if (optional !== undefined && readBoolean(`${label}.optional`, optional.value, report) === true)
      return false;
    return required === undefined || readBoolean(`${label}.required`, required.value, report) !== false;
  });
  const texts = named({ ...node, items: kept }, ['name', 'key', 'variable']);
  addDemands(label, 'variable', texts, draft.env, draft.anyEnv, report);
}

/** `dependencies`: packages for readers, except what is marked as a skill. */
export function readDependencies(node: YamlNode, draft: RequiresDraft, report: Report): void {
  if (node.kind === 'map') {
    const skills = entryOf(node, 'skills');
    if (skills !== undefined) addAll(draft.skills, readTextList('dependencies.skills', skills.value, report));
    return;
  }
  const names: string[] = [];
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    if (item.kind === 'scalar') {
      const text = typeof item.value === 'string' ? item.value : '';
      for (const part of text.split(','))
        if (part.trim().startsWith('skill:')) names.push(part.trim().slice('skill:'.length).trim());
    } else if (item.kind === 'map') {
      const skill = entryOf(item, 'skill');
      const name = skill === undefined ? null : readText('dependencies.skill', skill.value, report);
      if (name !== null) names.push(name.trim());
    }
  }
  addAll(draft.skills, names);
}

/** `prerequisites`: a mapping is read like `requires`; prose is kept for readers. */
export function readPrerequisites(node: YamlNode, draft: RequiresDraft, report: Report): void {
  if (node.kind === 'map') readRequires('prerequisites', node, draft, report);
}

export function addSkills(label: string, node: YamlNode, draft: RequiresDraft, report: Report): void {
  addNames(label, node, draft.skills, report);
}

export function requireSkills(names: readonly string[], draft: RequiresDraft): void {
  addAll(draft.skills, names);
}

function addTools(label: string, node: YamlNode, draft: RequiresDraft, report: Report): void {
  addNames(label, node, draft.tools, report);
}

/** Names of a tool list; a pattern in parentheses narrows a tool, it is not part of its name. */
export function requireTools(names: readonly string[], draft: RequiresDraft): void {
  addAll(
    draft.tools,
    names.map((name) => name.replace(/\(.*$/s, '').trim()).filter((name) => name !== ''),
  );
}

export function addInstallHints(node: YamlNode, draft: RequiresDraft): void {
  addAll(draft.installHints, readInstallHints(node));
}

function textAt(map: YamlMap, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const node = entryOf(map, key)?.value;
    if (node?.kind === 'scalar' && node.value !== null && node.raw.trim() !== '') return node.raw.trim();
  }
  return null;
}

function commandOf(map: YamlMap): string | null {
  const what = textAt(map, 'formula', 'cask', 'package', 'module', 'url', 'name');
  const command = textAt(map, 'command', 'run');
  if (command !== null) return command;
  if (what === null) return null;
  switch (textAt(map, 'kind', 'type') ?? '') {
    case 'brew':
      return textAt(map, 'cask') === null ? `brew install ${what}` : `brew install --cask ${what}`;
    case 'node':
    case 'npm':
      return `npm install --global ${what}`;
    case 'go':
      return `go install ${what}`;
    case 'uv':
      return `uv tool install ${what}`;
    case 'pip':
      return `pip install ${what}`;
    case 'apt':
      return `apt install ${what}`;
    case 'cargo':
      return `cargo install ${what}`;
    case 'download':
      return `download ${what}`;
    default:
      return what;
  }
}

function readInstallHints(node: YamlNode): readonly string[] {
  if (node.kind === 'seq') return node.items.flatMap(readInstallHints);
  if (node.kind === 'scalar') return node.value === null || node.raw.trim() === '' ? [] : [node.raw.trim()];
  const command = commandOf(node);
  const label = textAt(node, 'label', 'description');
  if (command === null && label === null)
    return node.entries.flatMap((entry) =>
      readInstallHints(entry.value).map((hint) => `${entry.key}: ${hint}`),
    );
  return [label === null ? (command as string) : command === null ? label : `${label}: ${command}`];
}

// metadata -> the standard's text map, and what hosts keep under their own names.
//
// Scalars become text, `version: 1.0` as "1.0"; nested values stay in the verbatim frontmatter. What vendors say adds to
// requirements, risk, capabilities and flags: a mapping of their own (`techne: {risk: low}`), or flat text, which is all that the
// standard knows (`techne.risk: low`, `techne.capabilities: shell network`). Some hosts write metadata as one JSON text; it is read
// as a mapping.

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
        `metadata.${key} is ${describeValue(value)}, not text; it counts for nothing`,
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
