// `clarify` of a user_input step -> the questions of its form.
//
// A field `additional_notes` is added when there is none, as the original does, and counts in the limits. A default
// must itself be a valid answer.
import { printableLine } from '../base/printable.ts';
import type { YamlNode } from '../skill/yaml/node.ts';
import type { Site } from './draft.ts';
import { templateSite } from './draft.ts';
import type { Clarify, ClarifyField } from './plan.ts';
import { planDefaults } from './plan.ts';
import { readClarifyField } from './read-clarify-field.ts';
import { readExpression } from './read-expression.ts';
import { Fields } from './read-fields.ts';

const keys = {
  known: [
    'mode',
    'fields',
    'skip_if',
    'cancel_keywords',
    'timeout_hours',
    'intro',
    'intro_zh',
    'intro_en',
    'nl_extract',
    'nl_extract_tier',
  ],
  aliases: {
    cancel_words: 'cancel_keywords',
    cancelWords: 'cancel_keywords',
    extract_natural_language: 'nl_extract',
    skipIf: 'skip_if',
  },
};

const clarifyLimits = { form: 13, chat: 5, notesChars: 2000 } as const;

const notes: ClarifyField = {
  name: 'additional_notes',
  type: 'string',
  required: false,
  prompt: 'Anything else to consider?',
  prompts: { zh: null, en: null },
  choices: null,
  min: null,
  max: null,
  minChars: null,
  maxChars: clarifyLimits.notesChars,
  hasDefault: false,
  default: null,
};

export function readClarify(step: Fields, sites: Site[]): Clarify | null {
  if (step.get('clarify') === null)
    return step.missing(
      'user_input needs clarify, a mapping with fields',
      'write clarify: and fields: below it',
    );
  const map = step.mapping('clarify');
  if (map === null) return null;
  const seconds = map.entries.find(({ key }) => key === 'timeout_seconds');
  const fields = new Fields(
    `clarify of ${step.owner}`,
    { ...map, entries: map.entries.filter((entry) => entry !== seconds) },
    keys,
    step.report,
  );
  const mode = readMode(fields);
  const asked = readClarifyFields(fields, mode);
  const skipIf = readExpression(fields, 'skip_if');
  if (skipIf !== null) sites.push({ ...skipIf.site, label: 'clarify.skip_if' });
  for (const key of ['intro', 'intro_zh', 'intro_en']) {
    const node = fields.get(key);
    if (node?.kind === 'scalar' && typeof node.value === 'string')
      sites.push(templateSite(`clarify.${key}`, node, 'person'));
  }
  const extract = fields.flag('nl_extract') ?? false;
  const tier = fields.anyText('nl_extract_tier');
  return {
    mode,
    intro: fields.anyText('intro') ?? '',
    intros: { zh: fields.anyText('intro_zh'), en: fields.anyText('intro_en') },
    fields: asked,
    skipIf: skipIf?.expression ?? null,
    cancelWords: (fields.texts('cancel_keywords') ?? []).map((word) => word.trim().toLowerCase()),
    timeoutHours:
      hoursOf(fields, seconds?.value ?? null) ??
      fields.integer('timeout_hours', 1, 168) ??
      planDefaults.timeoutHours,
    extract,
    extractModel: extract ? tier : null,
  };
}

/** `timeout_seconds` of another dialect, in whole hours. */
function hoursOf(fields: Fields, node: YamlNode | null): number | null {
  if (node === null || fields.has('timeout_hours')) return null;
  if (node.kind !== 'scalar' || typeof node.value !== 'number' || node.value <= 0)
    return fields.wrong('timeout_seconds', node, 'a number of seconds', 'write timeout_hours: from 1 to 168');
  const hours = Math.min(168, Math.max(1, Math.ceil(node.value / 3600)));
  fields.report(
    'PLAN_ALIAS',
    node.span,
    `${fields.owner}: timeout_seconds is read as timeout_hours: ${hours}`,
    `write timeout_hours: ${hours}`,
  );
  return hours;
}

function readMode(fields: Fields): Clarify['mode'] {
  const node = fields.get('mode');
  const word = node?.kind === 'scalar' ? node.value : 'form';
  if (node === null || word === 'form') return 'form';
  if (word === 'chat') return 'chat';
  fields.refuse(
    node,
    `mode is ${printableLine(node.kind === 'scalar' ? node.raw : 'not a text').slice(0, 40)}; it can be form or chat`,
  );
  return 'form';
}

function readClarifyFields(fields: Fields, mode: Clarify['mode']): readonly ClarifyField[] {
  const list = fields.list('fields');
  if (list === null || list.items.length === 0) {
    if (fields.get('fields') === null || list !== null)
      fields.missing('fields must be a list with at least one field', 'write fields: followed by - name: …');
    return [];
  }
  const found: ClarifyField[] = [];
  const names = new Set<string>();
  list.items.forEach((item, index) => {
    const field = readClarifyField(fields, item, index);
    if (field === null) return;
    if (names.has(field.name))
      fields.refuse(item, `two fields have the name "${field.name}"`, 'rename one of them');
    names.add(field.name);
    found.push(field);
  });
  if (!names.has(notes.name)) found.push(notes);
  const most = clarifyLimits[mode];
  if (found.length > most) {
    fields.refuse(
      list,
      `there are ${found.length} fields${names.has(notes.name) ? '' : ', with additional_notes, which is added'}; a ${mode} has at most ${most}`,
      mode === 'chat' ? 'ask less, or write mode: form' : 'ask in two steps',
    );
  }
  return found;
}
