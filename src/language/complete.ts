// A file of a skill and an offset -> what could stand there.
import type { Span } from '../base/span.ts';
import { closingFence, completeKey, keysOfItem } from './complete-key.ts';
import type { Declared } from './declared.ts';
import { declaredIn } from './declared.ts';
import { givenTexts, isGiven } from './given-texts.ts';
import type { Completion, Completions, LanguageFile, LanguageWorld } from './language.ts';
import { completion, unique, wordAround } from './language.ts';
import type { Outline, OutlinePath, OutlinePlace } from './outline.ts';
import { placeIn, readOutline } from './outline.ts';
import { valuesAt } from './schema-at.ts';
import { completeStarlark } from './starlark.ts';
import { completeStart } from './start.ts';
import { completeTemplate, expressionAt } from './template.ts';

const none = (offset: number): Completions => ({ span: { start: offset, end: offset }, items: [] });

/** Never throws; see `language.ts`. */
export function complete(file: LanguageFile, at: number, world: LanguageWorld): Completions {
  const offset = Math.min(Math.max(0, Math.trunc(at)), file.text.length);
  const isMain = file.path === 'SKILL.md';
  const outline = readOutline(isMain ? file.text : file.main);
  const start = isMain && outline.yaml === null ? completeStart(file, offset) : null;
  if (start !== null) return start;
  const declared = declaredIn(outline);
  if (file.path.endsWith('.star')) return completeStarlark(file.text, offset, declared);
  const fence = isMain && file.text.charAt(offset - 1) === '-' ? closingFence(outline, offset) : null;
  if (fence !== null) return fence;
  const place = isMain ? placeIn(outline, offset) : null;
  const from = place?.kind === 'value' ? place.span.start : 0;
  const expression = expressionAt(file.text, offset, from);
  if (expression !== null) return completeTemplate(file.text, offset, expression, declared);
  if (place === null) return none(offset);
  const named = (path: OutlinePath): readonly Completion[] => valuesOf(file, path, declared, world);
  if (place.kind === 'key') return completeKey(outline, offset, place, world, named);
  return isExpression(place.path)
    ? completeTemplate(file.text, offset, expressionStart(file.text, place.span), declared)
    : completeValue(outline, offset, place, declared, named);
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
  if (key === 'techne.capabilities' || key === 'capabilities')
    items.push(...world.capabilities.map((one) => completion('value', one.name, one.description)));
  if (key === 'final_text_mode') {
    items.push(completion('value', 'auto', 'A model sums up the outputs.'));
    items.push(completion('value', 'raw', 'The output of the last step.'));
    items.push(
      ...declared.steps.map(({ name, description }) => completion('step', `step:${name}`, description)),
    );
  }
  return items;
}

/** The closed set of values at `path`, and what it may name. */
function valuesOf(
  { folder }: LanguageFile,
  path: OutlinePath,
  declared: Declared,
  world: LanguageWorld,
): readonly Completion[] {
  const own = path.length === 1 && path[0] === 'name' && folder !== undefined ? [folder] : [];
  return [
    ...own.map((name) => completion('value', name, 'The name of the folder.')),
    ...valuesAt(path).map((value) => completion('value', value, '')),
    ...namesAt(path, declared, world),
  ];
}

function completeValue(
  outline: Outline,
  offset: number,
  { path, span }: Extract<OutlinePlace, { kind: 'value' }>,
  declared: Declared,
  named: (path: OutlinePath) => readonly Completion[],
): Completions {
  const { text } = outline;
  const isQuoted = /["']/.test(text.charAt(span.start));
  const start = isQuoted || /[[{]/.test(text.charAt(span.start)) ? span.start + 1 : span.start;
  const word = wordAround(text, offset, /[\w.:*-]/, Math.min(start, offset), offset);
  const given = !isQuoted && isGiven(path) ? givenTexts(declared, path) : [];
  const items = [...named(path), ...keysOfItem(outline, path, span), ...given];
  // Right behind a dash, which makes an item only with a blank.
  const isTight = /^[ -]*-$/.test(text.slice(text.lastIndexOf('\n', word.start - 1) + 1, word.start));
  return {
    span: word,
    items: unique(isTight ? items.map((one) => ({ ...one, insert: ` ${one.insert}` })) : items),
  };
}
