// The fields of a form -> the schema that a client shows; and the answer of the client -> values of the form.
//
// A form is untrusted text: the shown texts have no hidden or direction-changing characters. Each shown name and choice stands for
// exactly one of the form; a choice that would look like another is omitted, and the description says so. A default that cannot be
// shown unchanged is omitted too, but still applies to an empty answer.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { hasHiddenCharacters, printable, printableLine } from '../base/printable.ts';

/** By the shown name. */
type Shown = ReadonlyMap<string, string>;

/** The protocol has only flat objects, like forms, and no further properties. */
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

/** `shown`: the answer, by the names of `shownForm`. */
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
          `(${left === 1 ? 'One choice is' : `${left} choices are`} omitted, to avoid choices that look the same.)`,
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

/** In order; names that are shown unchanged take precedence. */
function shownAs(texts: readonly string[]): Shown {
  const plain = new Set(texts.filter((text) => printableLine(text) === text));
  const shown = new Map<string, string>();
  for (const text of texts) {
    const line = printableLine(text);
    if (plain.has(text) || (!plain.has(line) && !shown.has(line))) shown.set(line, text);
  }
  return shown;
}
