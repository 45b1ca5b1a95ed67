// A file of a skill and an offset -> what could stand there.
import type { Span } from '../base/span.ts';
import { frontmatterFields } from '../skill/fields/field-table.ts';
import type { Declared } from './declared.ts';
import { declaredIn, pathKey, valueOf } from './declared.ts';
import type { Completion, Completions, LanguageFile, LanguageWorld } from './language.ts';
import { completion, unique, wordAround } from './language.ts';
import type { Outline, OutlinePath, OutlinePlace } from './outline.ts';
import { placeIn, readOutline } from './outline.ts';
import { keysAt, typeText, valuesAt } from './schema-at.ts';
import { completeStarlark } from './starlark.ts';
import { stepValues } from './step-values.ts';
import { completeTemplate, expressionAt } from './template.ts';

const none = (offset: number): Completions => ({ span: { start: offset, end: offset }, items: [] });

/** Never throws; see `language.ts`. */
export function complete(file: LanguageFile, at: number, world: LanguageWorld): Completions {
  const offset = Math.min(Math.max(0, Math.trunc(at)), file.text.length);
  const isMain = file.path === 'SKILL.md';
  const outline = readOutline(isMain ? file.text : file.main);
  const declared = declaredIn(outline);
  if (file.path.endsWith('.star')) return completeStarlark(file.text, offset, declared);
  const place = isMain ? placeIn(outline, offset) : null;
  const from = place?.kind === 'value' ? place.span.start : 0;
  const expression = expressionAt(file.text, offset, from);
  if (expression !== null) return completeTemplate(file.text, offset, expression, declared);
  if (place === null) return none(offset);
  if (place.kind === 'key') return completeKey(outline, offset, place, world);
  return isExpression(place.path)
    ? completeTemplate(file.text, offset, expressionStart(file.text, place.span), declared)
    : completeValue(outline, offset, place, declared, world);
}

/** Fields that hold an expression without braces. */
export function isExpression(path: OutlinePath): boolean {
  const last = path.at(-1);
  return (
    path.length > 1 &&
    (last === 'when' ||
      last === 'condition' ||
      last === 'skip_if' ||
      last === 'for_each' ||
      (last === 'items' && path.at(-2) === 'for_each'))
  );
}

/** Behind the quote of a value. */
export function expressionStart(
  text: string,
  { start }: Span,
): { readonly start: number; readonly isTag: boolean } {
  return { start: /["']/.test(text.charAt(start)) ? start + 1 : start, isTag: false };
}

function completeKey(
  outline: Outline,
  offset: number,
  { parent, span }: Extract<OutlinePlace, { kind: 'key' }>,
  world: LanguageWorld,
): Completions {
  const used = new Set(
    outline.entries
      .filter(({ path, key }) => key !== null && !(key.start === span.start) && isChild(path, parent))
      .map(({ path }) => String(path.at(-1))),
  );
  const isTyped = /^[^\n]*:/.test(outline.text.slice(span.end, span.end + 40));
  const behind = isTyped ? '' : ': ';
  const known = keysAt(parent).map(({ name, schema, description }) =>
    completion('field', name, description, {
      detail: typeText(schema),
      insert: `${name}${behind}`,
    }),
  );
  const items = [
    ...(parent.length === 0 ? known.toSorted(byDialect) : known),
    ...stepValues(outline, parent).map((one) =>
      completion('field', one.name, one.description, { insert: `${one.name}${behind}` }),
    ),
    ...inputsOf(outline, parent, world).map((one) => ({ ...one, insert: `${one.label}${behind}` })),
  ].filter(({ label }) => !used.has(label));
  return { span: { start: span.start, end: Math.max(offset, span.start) }, items: unique(items) };
}

function isChild(path: OutlinePath, parent: OutlinePath): boolean {
  return path.length === parent.length + 1 && parent.every((step, index) => path[index] === step);
}

const rank: ReadonlyMap<string, number> = new Map(
  frontmatterFields.map(({ name, dialect }, index) => [
    name,
    index +
      (dialect === 'standard' ? 0 : dialect === 'techne' ? 1_000 : dialect === 'common' ? 9_000 : 2_000),
  ]),
);

/** The fields of the standard first, then ours; descriptions that no host acts on last. */
function byDialect(a: Completion, b: Completion): number {
  return (rank.get(a.label) ?? 9_999) - (rank.get(b.label) ?? 9_999);
}

/** The inputs of the skill that a step names. */
function inputsOf(outline: Outline, parent: OutlinePath, world: LanguageWorld): readonly Completion[] {
  const last = parent.at(-1);
  if (parent.length < 2 || (last !== 'inputs' && last !== 'with' && last !== 'params')) return [];
  const wanted = pathKey([...parent.slice(0, -1), 'skill']);
  const entry = outline.entries.find(({ path }) => pathKey(path) === wanted);
  const name = entry === undefined ? '' : valueOf(outline, entry);
  const skill = world.skills.find((one) => one.name === name);
  return (skill?.inputs ?? []).map((input) =>
    completion('input', input.name, input.description, { detail: `input of ${name}` }),
  );
}

const skillKeys: ReadonlySet<unknown> = new Set(['skill', 'to', 'skills', 'depends_on', 'depends-on']);
const toolKeys: ReadonlySet<unknown> = new Set([
  'tool',
  'tools',
  'tool_allowlist',
  'allowed-tools',
  'disallowed-tools',
  'command-tool',
]);
/** Of workflows; they are no tools of the host. */
const workflowTools: readonly (readonly [string, string])[] = [
  ['ask', 'An agent: prompt, system.'],
  ['chat', 'One model call: prompt, system.'],
  ['classify', 'One of several choices: text, choices.'],
  ['command', 'A program without a shell: argv.'],
  ['skill', 'A skill: skill, and its inputs.'],
];

/** What a value at `path` may name. */
export function namesAt(path: OutlinePath, declared: Declared, world: LanguageWorld): readonly Completion[] {
  const key = path.findLast((step) => typeof step === 'string');
  const isInStep = path.length > 1 && path.some((step) => typeof step === 'number') && path[0] !== 'inputs';
  const items: Completion[] = [];
  if (isInStep && (key === 'depends_on' || key === 'on_failure'))
    items.push(...declared.steps.map((step) => completion('step', step.name, step.description)));
  else if (skillKeys.has(key) || (key === 'chain' && path.length === 2))
    items.push(...world.skills.map((skill) => completion('skill', skill.name, skill.description)));
  if (toolKeys.has(key)) {
    if (key === 'tool' && path[0] === 'steps')
      items.push(...workflowTools.map(([name, text]) => completion('tool', name, text)));
    items.push(...world.tools.map((tool) => completion('tool', tool.name, tool.description)));
  }
  if (key === 'final_text_mode') {
    items.push(completion('value', 'auto', 'A model sums up the outputs.'));
    items.push(completion('value', 'raw', 'The output of the last step.'));
    items.push(
      ...declared.steps.map(({ name, description }) => completion('step', `step:${name}`, description)),
    );
  }
  return items;
}

function completeValue(
  { text, entries }: Outline,
  offset: number,
  { path, span }: Extract<OutlinePlace, { kind: 'value' }>,
  declared: Declared,
  world: LanguageWorld,
): Completions {
  const start = /["'[{]/.test(text.charAt(span.start)) ? span.start + 1 : span.start;
  const word = wordAround(text, offset, /[\w.:*-]/, Math.min(start, offset), offset);
  const values = valuesAt(path).map((value) => completion('value', value, ''));
  // An item that is empty or one word may become a mapping.
  const isItem = typeof path.at(-1) === 'number' && /^\w*$/.test(text.slice(span.start, span.end));
  const keys =
    isItem && !entries.some((entry) => isChild(entry.path, path))
      ? keysAt(path).map(({ name, schema, description }) =>
          completion('field', name, description, {
            detail: typeText(schema),
            insert: `${name}: `,
          }),
        )
      : [];
  return { span: word, items: unique([...values, ...namesAt(path, declared, world), ...keys]) };
}
