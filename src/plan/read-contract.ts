// `request_template` and `output_contract` -> what is shown before a composition runs, and what its result must
// contain.
//
// Texts in other languages are declared as `_zh` and `_en`, or as a mapping {zh, en, default}; all of them are kept.
import type { Report } from '../base/diagnostic.ts';
import type { JsonObject } from '../base/json.ts';
import { isNull } from '../skill/fields/read-value.ts';
import type { YamlMap, YamlNode } from '../skill/yaml/node.ts';
import { entryOf, toJson } from '../skill/yaml/node.ts';
import type { Site } from './draft.ts';
import { templateSite } from './draft.ts';
import type { Artifact, OutputContract, Preflight, PreflightField } from './plan.ts';
import { Fields } from './read-fields.ts';

const localised = (...keys: readonly string[]): string[] =>
  keys.flatMap((key) => [key, `${key}_zh`, `${key}_en`]);
const requestKeys = {
  known: [
    ...localised('outcome', 'deliverable', 'title', 'intro', 'assumptions'),
    'fields',
    'preflight_required',
    'requires_confirmation',
    'mode',
  ],
};
const fieldKeys = {
  known: [
    ...localised('label', 'title', 'prompt', 'description', 'help', 'hint', 'default'),
    'name',
    'required',
    'type',
    'choices',
  ],
};
const hardModes: readonly string[] = ['confirm', 'confirmation', 'required'];
const softModes: readonly string[] = ['preview', 'soft', 'advisory', 'informational'];

export function readRequestTemplate(node: YamlNode | null, report: Report): Preflight | null {
  if (node === null || isNull(node)) return null;
  if (node.kind !== 'map') {
    report('PLAN_TYPE', node.span, 'request_template must be a mapping');
    return null;
  }
  if (node.entries.length === 0) return null;
  const fields = new Fields('request_template', node, requestKeys, report);
  return {
    confirm: readGate(fields),
    title: shown(fields, 'title'),
    outcome: shown(fields, 'outcome'),
    deliverable: shown(fields, 'deliverable'),
    intro: shown(fields, 'intro'),
    assumptions: listed(fields, 'assumptions'),
    fields: readRequestFields(fields),
    card: toJson(node) as JsonObject,
  };
}

function readGate(fields: Fields): boolean {
  const required = fields.flag('preflight_required') ?? false;
  const confirmation = fields.flag('requires_confirmation') ?? false;
  const word = fields.text('mode', 'confirm or preview')?.trim().toLowerCase() ?? null;
  if (word !== null && !hardModes.includes(word) && !softModes.includes(word)) {
    fields.refuse(fields.get('mode') as YamlNode, `mode is "${word}"; it can be confirm or preview`);
  }
  if (word !== null && softModes.includes(word)) return false;
  return required || confirmation || (word !== null && hardModes.includes(word));
}

/** A text, or the one of {default, en, zh}. */
function shown(fields: Fields, key: string): string | null {
  const node = fields.get(key) ?? fields.get(`${key}_en`);
  if (node === null) return null;
  return textOf(node) ?? fields.wrong(key, node, 'text, or a mapping of language to text');
}

function textOf(node: YamlNode): string | null {
  if (node.kind === 'scalar') return node.value === null ? null : node.raw;
  if (node.kind !== 'map') return null;
  for (const language of ['default', 'en', 'zh']) {
    const value = entryOf(node, language)?.value;
    if (value?.kind === 'scalar' && value.value !== null) return value.raw;
  }
  return null;
}

/** A list of texts, or one text. */
function listed(fields: Fields, key: string): readonly string[] {
  const node = fields.get(key);
  if (node === null) return [];
  if (node.kind === 'scalar') return [node.raw];
  const list =
    node.kind === 'map'
      ? (entryOf(node, 'default') ?? entryOf(node, 'en') ?? entryOf(node, 'zh'))?.value
      : node;
  if (list?.kind === 'scalar') return [list.raw];
  if (list?.kind !== 'seq') {
    fields.wrong(key, node, 'a list of texts');
    return [];
  }
  return list.items.flatMap(
    (item, index) => textOf(item) ?? fields.wrong(`${key}[${index}]`, item, 'text') ?? [],
  );
}

function readRequestFields(fields: Fields): readonly PreflightField[] {
  const list = fields.list('fields');
  return (list?.items ?? []).flatMap((item, index): readonly PreflightField[] => {
    if (item.kind !== 'map') {
      fields.wrong(`fields[${index}]`, item, 'a mapping', 'write - name: …');
      return [];
    }
    const inner = new Fields(`field ${index + 1} of request_template`, item, fieldKeys, fields.report);
    const name = inner.text('name');
    if (name === null) {
      if (inner.get('name') === null) inner.missing('name is missing', 'write name: followed by a name');
      return [];
    }
    const label = ['label', 'title', 'prompt'].map((key) => shown(inner, key)).find((text) => text !== null);
    const given = inner.get('default') ?? inner.get('default_en');
    return [
      {
        name,
        label: label ?? name,
        required: inner.flag('required') ?? false,
        default: given === null ? null : toJson(given),
      },
    ];
  });
}

const contractKeys = {
  known: [
    'required_sections',
    'forbidden_terms',
    'assumptions',
    'unverified',
    'artifacts',
    'append_to_final_text',
  ],
  aliases: { do_not: 'forbidden_terms', must_not_include: 'forbidden_terms', sections: 'required_sections' },
};

export function readOutputContract(
  node: YamlNode | null,
  report: Report,
  sites: Site[],
): OutputContract | null {
  if (node === null || isNull(node)) return null;
  if (node.kind !== 'map') {
    report('PLAN_TYPE', node.span, 'output_contract must be a mapping');
    return null;
  }
  if (node.entries.length === 0) return null;
  const fields = new Fields('output_contract', withForbidden(node), contractKeys, (code, ...rest) => {
    // The three names for forbidden terms are the original's own.
    if (code !== 'PLAN_ALIAS') report(code, ...rest);
  });
  return {
    requiredSections: listed(fields, 'required_sections'),
    forbiddenTerms: listed(fields, 'forbidden_terms'),
    artifacts: readArtifacts(fields, sites),
    assumptions: listed(fields, 'assumptions'),
    unverified: listed(fields, 'unverified'),
    appendToFinalText: fields.flag('append_to_final_text') ?? true,
  };
}

/** All terms under one key, whichever of the three the author used. */
function withForbidden(map: YamlMap): YamlMap {
  const names = ['forbidden_terms', 'do_not', 'must_not_include'];
  const given = map.entries.filter(({ key }) => names.includes(key));
  const first = given[0];
  if (first === undefined || given.length === 1) return map;
  const items = given.flatMap(({ value }) =>
    value.kind === 'seq' ? value.items : isNull(value) ? [] : [value],
  );
  return {
    ...map,
    entries: [
      ...map.entries.filter((entry) => !given.includes(entry)),
      {
        ...first,
        key: 'forbidden_terms',
        value: { kind: 'seq', items, flow: false, span: first.value.span },
      },
    ],
  };
}

/** A file name with an extension, a path, or a template that gives one; not a description. */
const looksLikePath = /^(?:[^\s/]+\.\w{1,10}|\S*\/\S*|.*\{\{.*)$/s;

function readArtifacts(fields: Fields, sites: Site[]): readonly Artifact[] {
  const list = fields.list('artifacts');
  return (list?.items ?? []).flatMap((item, index): readonly Artifact[] => {
    if (item.kind === 'scalar' && typeof item.value === 'string') {
      const isPath = looksLikePath.test(item.value);
      if (isPath) sites.push(templateSite(`artifacts[${index}]`, item, 'data', false));
      else
        fields.report(
          'PLAN_UNREACHABLE',
          item.span,
          `the artifact ${JSON.stringify(item.value.slice(0, 60))} of output_contract is not a path, so it is not checked`,
          'write - {name: …, path: …}',
        );
      return [{ name: item.value, path: isPath ? item.value : null, required: true }];
    }
    if (item.kind !== 'map') {
      fields.wrong(`artifacts[${index}]`, item, 'a path or a mapping', 'write - {name: …, path: …}');
      return [];
    }
    const inner = new Fields(
      `artifact ${index + 1} of output_contract`,
      item,
      { known: ['name', 'path', 'required', 'description'], aliases: { title: 'name' } },
      (code, ...rest) => {
        if (code !== 'PLAN_ALIAS') fields.report(code, ...rest);
      },
    );
    const path = inner.text('path');
    const node = inner.get('path');
    if (node?.kind === 'scalar' && path !== null)
      sites.push(templateSite(`artifacts[${index}].path`, node, 'data', false));
    const name = inner.text('name') ?? path;
    if (name === null) {
      inner.missing('name is missing', 'write name: or path:');
      return [];
    }
    return [{ name, path, required: inner.flag('required') ?? true }];
  });
}
