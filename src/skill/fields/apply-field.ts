// One frontmatter entry -> its place in the draft of a head.
//
// One switch over the canonical names, so that a field costs one lookup and an absent one nothing.
// Names that fall through are kept in the verbatim frontmatter and mean nothing to listing.
import type { Report } from '../../base/diagnostic.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import { countCodePoints, isLongerThan } from '../code-points.ts';
import type { Structure } from '../form.ts';
import { readInputs } from './inputs.ts';
import { metadataMap, readMetadata, readVendor } from './metadata.ts';
import type { VendorFacts } from './metadata.ts';
import type { RequiresDraft } from './requires.ts';
import {
  addInstallHints,
  addSkills,
  emptyRequires,
  readDependencies,
  readPrerequisites,
  readRequires,
  readSystems,
  readVariables,
  requireTools,
} from './requires.ts';
import { reportMisspeltTools, readToolList } from '../tools/tool-list.ts';
import {
  describeValue,
  isNull,
  quoteHint,
  readBoolean,
  readInteger,
  readText,
  readTextList,
  readTrimmed,
} from './read-value.ts';
import { readNoteOutput } from './note-output.ts';
import type { DeclaredLimits, InputKey, NoteOutput, Risk, SuggestedEdge, Trigger } from '../types.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../yaml/node.ts';
import { entryOf } from '../yaml/node.ts';

export const compatibilityLimit = 500;
const none: readonly never[] = [];
const noMetadata: { readonly [key: string]: string } = Object.freeze(
  Object.create(null) as { [key: string]: string },
);

export interface Draft {
  declaredName: string | null;
  nameSpan: Span | null;
  description: string | null;
  descriptionSpan: Span | null;
  whenToUse: string | null;
  license: string | null;
  compatibility: string | null;
  version: string | null;
  metadata: { readonly [key: string]: string };
  triggers: readonly Trigger[];
  inputs: readonly InputKey[] | null;
  output: string | null;
  allowedTools: readonly string[] | null;
  disallowedTools: readonly string[] | null;
  tools: readonly string[] | null;
  requires: RequiresDraft | null;
  user: boolean;
  model: boolean;
  always: boolean;
  alwaysSpan: Span | null;
  because: readonly string[];
  priority: number;
  finalTextMode: string | null;
  risk: Risk | null;
  limits: DeclaredLimits | null;
  capabilities: readonly string[] | null;
  nodeType: string | null;
  suggestedEdges: readonly SuggestedEdge[];
  note: NoteOutput | null;
  argumentHint: string | null;
  argumentNames: readonly string[];
  modelName: string | null;
  fork: boolean;
  unknownKeys: number;
  readonly dialects: string[];
  readonly structure: Structure;
  frontmatter: JsonObject | null;
}

export function newDraft(): Draft {
  return {
    declaredName: null,
    nameSpan: null,
    description: null,
    descriptionSpan: null,
    whenToUse: null,
    license: null,
    compatibility: null,
    version: null,
    metadata: noMetadata,
    triggers: none,
    inputs: null,
    output: null,
    allowedTools: null,
    disallowedTools: null,
    tools: null,
    requires: null,
    user: true,
    model: true,
    always: false,
    alwaysSpan: null,
    because: none,
    priority: 0,
    finalTextMode: null,
    risk: null,
    limits: null,
    capabilities: null,
    nodeType: null,
    suggestedEdges: none,
    note: null,
    argumentHint: null,
    argumentNames: none,
    modelName: null,
    fork: false,
    unknownKeys: 0,
    dialects: [],
    structure: { metaskill: null, language: null, kind: null, composition: null, steps: null, chain: null },
    frontmatter: null,
  };
}

export function requiresOf(draft: Draft): RequiresDraft {
  draft.requires ??= emptyRequires();
  return draft.requires;
}

/** Reads `entry`, known as the field `name`, into `draft`. `text` is the file, for values shown as written. */
export function applyField(draft: Draft, name: string, entry: YamlEntry, text: string, report: Report): void {
  const node = entry.value;
  switch (name) {
    case 'name':
      draft.nameSpan = node.span;
      draft.declaredName = readTrimmed(name, node, report);
      break;
    case 'description':
      draft.descriptionSpan = node.span;
      draft.description = readText(name, node, report);
      break;
    case 'license':
      draft.license = readTrimmed(name, node, report);
      break;
    case 'compatibility':
      draft.compatibility = readTrimmed(name, node, report);
      if (draft.compatibility !== null && isLongerThan(draft.compatibility, compatibilityLimit)) {
        report(
          'FIELD_TOO_LONG',
          node.span,
          `compatibility has ${countCodePoints(draft.compatibility)} characters, over ${compatibilityLimit}`,
          'move detail into the body',
        );
      }
      break;
    case 'metadata':
      applyMetadata(draft, node, report);
      break;
    case 'allowed-tools':
      draft.allowedTools = readToolList(name, node, report);
      reportMisspeltTools(name, node, text, report);
      break;
    case 'disallowed-tools':
      draft.disallowedTools = readToolList(name, node, report);
      reportMisspeltTools(name, node, text, report);
      break;
    case 'tools':
      draft.tools = readToolList(name, node, report);
      if (draft.tools !== null && draft.tools.length > 0) requireTools(draft.tools, requiresOf(draft));
      break;
    case 'version':
      draft.version =
        node.kind === 'scalar' && node.value !== null
          ? node.raw.trim() || null
          : readTrimmed(name, node, report);
      break;
    case 'triggers':
      draft.triggers = readTriggers(node, report);
      break;
    case 'inputs':
      draft.inputs = readInputs(node, report);
      break;
    case 'output':
      draft.output = readTrimmed(name, node, report);
      break;
    case 'platforms':
    case 'os':
      readSystems(name, node, requiresOf(draft), report);
      break;
    case 'requires':
      readRequires(name, node, requiresOf(draft), report);
      break;
    case 'prerequisites':
      readPrerequisites(node, requiresOf(draft), report);
      break;
    case 'skills':
      addSkills(name, node, requiresOf(draft), report);
      break;
    case 'dependencies':
      readDependencies(node, requiresOf(draft), report);
      break;
    case 'install':
      addInstallHints(node, requiresOf(draft));
      break;
    case 'required_environment_variables':
      readVariables(name, node, requiresOf(draft), report);
      break;
    case 'user-invocable':
      if (readBoolean(name, node, report) === false) {
        draft.user = false;
        draft.because = [...draft.because, name];
      }
      break;
    case 'disable-model-invocation':
    case 'agent_ready':
      if (readBoolean(name, node, report) === (name === 'disable-model-invocation')) {
        draft.model = false;
        draft.because = [...draft.because, name];
      }
      break;
    case 'always':
      draft.always = readBoolean(name, node, report) ?? draft.always;
      draft.alwaysSpan = node.span;
      break;
    case 'metaskill':
      draft.structure.metaskill = entry;
      break;
    case 'metaskill_language':
      draft.structure.language = entry;
      break;
    case 'kind':
    case 'composition':
    case 'steps':
    case 'chain':
      draft.structure[name] = entry;
      break;
    case 'meta_priority':
      draft.priority = readInteger(name, node, report) ?? 0;
      break;
    case 'final_text_mode':
      draft.finalTextMode = readFinalTextMode(node, report);
      break;
    case 'node_type':
      draft.nodeType = readTrimmed(name, node, report);
      break;
    case 'suggested_edges':
      draft.suggestedEdges = readEdges(node, report);
      break;
    case 'x_techne_note':
      draft.note = readNoteOutput(node, report);
      break;
    case 'when_to_use':
      draft.whenToUse =
        node.kind === 'seq'
          ? readTextList(name, node, report)?.join('; ') || null
          : readTrimmed(name, node, report);
      break;
    case 'argument-hint':
      draft.argumentHint = readHint(node, text, report);
      break;
    case 'arguments':
      draft.argumentNames = readToolList(name, node, report) ?? none;
      break;
    case 'model':
      draft.modelName = readTrimmed(name, node, report);
      break;
    case 'context':
      draft.fork = node.kind === 'scalar' && node.value === 'fork';
      if (!draft.fork && !isNull(node))
        report(
          'FIELD_VALUE',
          node.span,
          `context is ${describeValue(node)}, but only fork is known`,
          'write context: fork, or leave it out',
        );
      break;
  }
}

function applyMetadata(draft: Draft, node: YamlNode, report: Report): void {
  const map = metadataMap(node, report);
  if (map === null) return;
  draft.metadata = readMetadata(map, report, (vendor, vendorMap) => {
    const facts: VendorFacts = {
      dialects: draft.dialects,
      requires: requiresOf(draft),
      risk: draft.risk,
      limits: draft.limits,
      capabilities: draft.capabilities,
      always: null,
    };
    readVendor(vendor, vendorMap, facts, report);
    draft.risk = facts.risk;
    // What could not be read declares nothing.
    draft.limits = Object.keys(facts.limits ?? {}).length === 0 ? null : facts.limits;
    draft.capabilities = facts.capabilities;
    if (facts.always !== null) {
      draft.always = facts.always;
      draft.alwaysSpan = vendorMap.span;
    }
  });
}

function readFinalTextMode(node: YamlNode, report: Report): string | null {
  const mode = readTrimmed('final_text_mode', node, report);
  if (mode === null || mode === 'auto' || mode === 'raw' || /^step:.+$/.test(mode)) return mode;
  report(
    'FIELD_VALUE',
    node.span,
    `final_text_mode is "${mode}", not auto, raw or step:<id>`,
    'write final_text_mode: auto',
  );
  return null;
}

/** `argument-hint: [file]` is a list to YAML, but its author meant the text, however a printer wrote the list since. */
function readHint(node: YamlNode, text: string, report: Report): string | null {
  if (node.kind === 'scalar' || (node.kind === 'map' && !node.flow))
    return readTrimmed('argument-hint', node, report);
  const items =
    node.kind === 'seq' ? node.items.flatMap((item) => (item.kind === 'scalar' ? item.raw : [])) : [];
  const hint =
    node.kind === 'seq' && items.length === node.items.length
      ? `[${items.join(', ')}]`
      : text.slice(node.span.start, node.span.end).trim();
  report(
    'FIELD_COERCED',
    node.span,
    'YAML reads argument-hint as a list; techne uses it as text',
    quoteHint(hint),
  );
  return hint;
}

// suggested_edges -> edges.
//
//   [prerequisite, leads_to]                        types
//   [{ type: part_of, target: project }]            types with a target
//   { part_of: project, similar_to: [concept] }     type -> targets

function fromMap(map: YamlMap, report: Report): SuggestedEdge[] {
  const type =
    entryOf(map, 'type') ?? entryOf(map, 'edge') ?? entryOf(map, 'relation') ?? entryOf(map, 'edge_type');
  if (type !== undefined) {
    const name = readTrimmed('type of a suggested edge', type.value, report);
    const target =
      entryOf(map, 'target') ??
      entryOf(map, 'to') ??
      entryOf(map, 'target_type') ??
      entryOf(map, 'node_type');
    return name === null
      ? []
      : [
          {
            type: name,
            target:
              target === undefined ? null : readTrimmed('target of a suggested edge', target.value, report),
          },
        ];
  }
  return map.entries.flatMap(({ key, value }): SuggestedEdge[] => {
    const targets = readTextList(`suggested_edges.${key}`, value, report) ?? [];
    return targets.length === 0
      ? [{ type: key, target: null }]
      : targets.map((target) => ({ type: key, target }));
  });
}

function readEdges(node: YamlNode, report: Report): readonly SuggestedEdge[] {
  if (node.kind === 'map') return fromMap(node, report);
  if (node.kind === 'scalar')
    return (readTextList('suggested_edges', node, report) ?? []).map((type) => ({ type, target: null }));
  return node.items.flatMap((item) => {
    if (item.kind === 'map') return fromMap(item, report);
    if (item.kind === 'seq') {
      report(
        'FIELD_TYPE',
        item.span,
        `a suggested edge must be a type or a mapping, not ${describeValue(item)}`,
      );
      return [];
    }
    const type = readTrimmed('a suggested edge', item, report);
    return type === null ? [] : [{ type, target: null }];
  });
}

// triggers -> phrases with their variables.
//
//   "explain {concept}" -> { phrase, variables: ["concept"] }
//
// One scalar is one phrase; a block scalar is one phrase per line. In a list each item is a phrase, or a mapping with the
// phrase under `phrase`, `pattern`, `trigger` or `text`. The name of a variable has letters of any script, digits, "_"
// and "-", and does not begin with a digit or "-", as the keys of inputs that it fills. Code that reads phrases uses
// `triggerVariable`: with another pattern a name could be a variable here and a literal there.

const variable = /\{([^{}]*)\}/g;

function parseTrigger(phrase: string, node: YamlNode, report: Report): Trigger {
  if (!phrase.includes('{')) return { phrase, variables: [] };
  const variables = new Set<string>();
  for (const [, inner] of phrase.matchAll(variable)) {
    const name = (inner as string).trim();
    if (!isVariableName(name)) {
      report(
        'FIELD_VALUE',
        node.span,
        `{${name}} in a trigger is not a variable name`,
        'use letters, digits, "_" or "-", as in {topic}',
      );
    } else if (variables.has(name)) {
      report('FIELD_VALUE', node.span, `{${name}} is captured twice in one trigger`);
    } else variables.add(name);
  }
  return { phrase, variables: [...variables] };
}

function phraseOf(node: YamlNode, report: Report): string | null {
  if (node.kind !== 'map') return readText('a trigger', node, report);
  for (const key of ['phrase', 'pattern', 'trigger', 'text']) {
    const entry = entryOf(node, key);
    if (entry !== undefined) return readText(`${key} of a trigger`, entry.value, report);
  }
  report(
    'FIELD_TYPE',
    node.span,
    'a trigger must be a phrase, not a mapping',
    'write the phrase itself: - review my changes',
  );
  return null;
}

function readTriggers(node: YamlNode, report: Report): readonly Trigger[] {
  if (node.kind === 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `triggers must be a list of phrases, not ${describeValue(node)}`,
      'write triggers: followed by lines "- phrase"',
    );
    return [];
  }
  const triggers: Trigger[] = [];
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    const text = phraseOf(item, report);
    if (text === null) continue;
    for (const line of text.split('\n')) {
      const phrase = line.trim();
      if (phrase !== '') triggers.push(parseTrigger(phrase, item, report));
    }
  }
  return triggers;
}

/** With blanks around the name, which is the first group. */
export const triggerVariable = /\{\s*([\p{L}_][\p{L}\p{M}\p{N}_-]*)\s*\}/gu;

function isVariableName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(text);
}
