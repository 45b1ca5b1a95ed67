// The fields of a form -> what a client shows of them; and what it gives back -> values of the form.
//
// S1. A form is a text of others: no character in what a client shows of it is hidden, or moves those beside it.
// S2. What is shown can be answered: each name and each choice stands for one of the form. One that would look like another
//     is left out, and the description says so. A default that cannot be shown as it is, is left out too; it still counts
//     where nothing is said.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { hasHiddenCharacters, printable, printableLine } from '../base/printable.ts';

/** By what is shown of it. */
type Shown = ReadonlyMap<string, string>;

/** The protocol knows flat objects only, which forms are; it has no word for further properties. */
export function shownForm(question: Json): JsonObject {
  const { properties, required } = fieldsOf(question);
  const names = shownAs(Object.keys(properties));
  const isNeeded = (name: string): boolean =>
    Array.isArray(required) && (required as readonly Json[]).includes(name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      [...names].map(([shown, name]) => [shown, shownField(properties[name] ?? {})]),
    ),
    required: [...names].filter(([, name]) => isNeeded(name)).map(([shown]) => shown),
  };
}

/** `shown`: what was said, by the names that `shownForm` gave. */
export function realValues(question: Json, shown: JsonObject): JsonObject {
  const { properties } = fieldsOf(question);
  const names = shownAs(Object.keys(properties));
  return Object.fromEntries(
    Object.entries(shown).map(([given, value]) => {
      const name = names.get(given) ?? given;
      const field = Object.hasOwn(properties, name) ? properties[name] : null;
      const choices = isJsonObject(field) ? choicesOf(field) : null;
      return [name, typeof value === 'string' ? (choices?.get(value) ?? value) : value];
    }),
  );
}

function fieldsOf(question: Json): { readonly properties: JsonObject; readonly required: Json } {
  const { schema = {} } = isJsonObject(question) ? question : {};
  const { properties = {}, required = [] } = isJsonObject(schema) ? schema : {};
  return { properties: isJsonObject(properties) ? properties : {}, required };
}

function shownField(field: Json): JsonObject {
  if (!isJsonObject(field)) return {};
  const choices = choicesOf(field);
  const { title, description, default: usual, enum: all, ...rest } = field;
  const left = choices === null ? 0 : (all as readonly Json[]).length - choices.size;
  const said = [
    ...(typeof description === 'string' ? [printable(description)] : []),
    ...(left === 0
      ? []
      : [
          `(${left === 1 ? 'One choice is' : `${left} choices are`} left out, which would look like another one.)`,
        ]),
  ].join(' ');
  const shownUsual = choices === null ? usual : [...choices].find(([, choice]) => choice === usual)?.[0];
  return {
    ...Object.fromEntries(
      Object.entries(rest).filter(([, value]) => typeof value !== 'string' || !hasHiddenCharacters(value)),
    ),
    ...(typeof title === 'string' ? { title: printableLine(title) } : {}),
    ...(said === '' ? {} : { description: said }),
    ...(choices === null ? {} : { enum: [...choices.keys()] }),
    ...(shownUsual === undefined || (typeof shownUsual === 'string' && hasHiddenCharacters(shownUsual))
      ? {}
      : { default: shownUsual }),
  };
}

function choicesOf({ enum: choices }: JsonObject): Shown | null {
  return Array.isArray(choices)
    ? shownAs((choices as readonly Json[]).filter((choice) => typeof choice === 'string'))
    : null;
}

/** In their order. What looks as it is comes before what is only shown that way (S2). */
function shownAs(texts: readonly string[]): Shown {
  const plain = new Set(texts.filter((text) => printableLine(text) === text));
  const shown = new Map<string, string>();
  for (const text of texts) {
    const line = printableLine(text);
    if (plain.has(text) || (!plain.has(line) && !shown.has(line))) shown.set(line, text);
  }
  return shown;
}
