// A file of a skill and an offset -> what the word there means.
import { fieldOf } from '../skill/fields/field-table.ts';
import { expressionStart, isExpression, namesAt } from './complete.ts';
import { declaredIn } from './declared.ts';
import type { Hover, LanguageFile, LanguageWorld } from './language.ts';
import { wordAround } from './language.ts';
import type { Outline, OutlinePath, OutlinePlace } from './outline.ts';
import { placeIn, readOutline } from './outline.ts';
import { descriptionAt, schemasAt, typeText } from './schema-at.ts';
import { hoverStarlark } from './starlark.ts';
import { stepValues } from './step-values.ts';
import { expressionAt, hoverTemplate } from './template.ts';

/** `null`: nothing is known about it. Never throws; see `language.ts`. */
export function hover(file: LanguageFile, at: number, world: LanguageWorld): Hover | null {
  const offset = Math.min(Math.max(0, Math.trunc(at)), file.text.length);
  const isMain = file.path === 'SKILL.md';
  const outline = readOutline(isMain ? file.text : file.main);
  const declared = declaredIn(outline);
  if (file.path.endsWith('.star')) return hoverStarlark(file.text, offset, declared);
  const place = isMain ? placeIn(outline, offset) : null;
  const from = place?.kind === 'value' ? place.span.start : 0;
  const expression = expressionAt(file.text, offset, from);
  if (expression !== null) return hoverTemplate(file.text, offset, expression, declared);
  if (place === null) return null;
  if (place.kind === 'key') return hoverKey(outline, place);
  if (isExpression(place.path))
    return hoverTemplate(file.text, offset, expressionStart(file.text, place.span), declared);
  const word = wordAround(outline.text, offset, /[\w.:*-]/, place.span.start, place.span.end);
  const name = outline.text.slice(word.start, word.end);
  const found = namesAt(place.path, declared, world).find(({ label }) => label === name);
  return found === undefined || found.description === ''
    ? null
    : { span: word, title: `${found.kind} ${name}`, text: found.description };
}

function hoverKey(outline: Outline, { parent, span }: Extract<OutlinePlace, { kind: 'key' }>): Hover | null {
  const key = outline.text.slice(span.start, span.end).replace(/^["']|["']$/g, '');
  const given = stepValues(outline, parent).find(({ name }) => name === key);
  const found =
    describeKey(parent, key) ?? (given === undefined ? null : { title: key, text: given.description });
  return found === null ? null : { span, ...found };
}

/** What a key of the frontmatter means, below these keys; `null`: it is not one that is known. */
export function describeKey(
  parent: OutlinePath,
  key: string,
): { readonly title: string; readonly text: string } | null {
  if (key === '') return null;
  const field = parent.length === 0 ? fieldOf(key) : undefined;
  const name = field?.name ?? key;
  const path = [...parent, name];
  const text = field?.description ?? descriptionAt(path);
  const [schema] = schemasAt(path);
  if (text === '' || schema === undefined) return null;
  const lines = [
    text,
    typeText({ anyOf: [...schemasAt(path)] }),
    field === undefined ? '' : `Defined by: ${field.dialect}`,
    field !== undefined && field.forms !== 'any' ? `For: ${field.forms.join(', ')}` : '',
    name === key ? '' : `Another spelling of ${name}.`,
  ];
  return { title: name, text: lines.filter((line) => line !== '').join('\n') };
}
