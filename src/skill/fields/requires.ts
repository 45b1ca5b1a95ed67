// What a skill requires, from every field that declares it; metadata.ts adds what vendors declare.
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
import { describeValue, isNull, readBoolean, readText, readTextList, readTrimmed } from './read-value.ts';
import type { RequirementKind } from './requirement.ts';
import { isOptional, readDemand } from './requirement.ts';
import { guessLimit } from './spelling.ts';
import type { Requires } from '../types.ts';
import type { YamlNode, YamlMap } from '../yaml/node.ts';
import { entryOf } from '../yaml/node.ts';
import type { Span } from '../../base/span.ts';

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

export function addTools(label: string, node: YamlNode, draft: RequiresDraft, report: Report): void {
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
