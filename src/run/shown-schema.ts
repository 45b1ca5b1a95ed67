// A schema that a skill wrote -> what a model, and a person who looks at its tools, is shown of it.
//
// It contains no hidden characters: titles and descriptions show them as escapes. Texts that must be given back
// exactly (keys, choices, constants, defaults) are left out if they contain such a character, because they cannot be
// typed; the description reports it, and the run checks its input by the whole schema. What is shown becomes part of
// one schema for all skills, which a validator refuses for a single fault. So everything that is not JSON Schema is
// left out, and everything that has a meaning only at the root of its own schema: references and their targets.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { hasHiddenCharacters, printable } from '../base/printable.ts';
import { isSchemaWord, schemaWordFault } from '../base/schema/schema.ts';

/** Words of JSON Schema whose members are named by the author, each of them a schema. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Words whose value is a list to choose or to read from. */
const lists: ReadonlySet<string> = new Set(['enum', 'examples', 'required']);
const prose: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

/** Keywords that have a meaning only at the root of their own schema. */
const ofOwnRoot: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$ref',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$defs',
  'definitions',
]);

const leftOut = '(What has hidden characters in it is left out.)';

export function shownSchema(schema: JsonObject): JsonObject {
  let left = false;
  const shown: { [word: string]: Json } = {};
  for (const [word, value] of Object.entries(schema)) {
    if (!hasHiddenCharacters(word) && !isShown(word, value)) continue;
    const kept = hasHiddenCharacters(word) ? null : keptValue(word, value);
    left ||= kept === null || kept.left;
    if (kept !== null && kept.value !== undefined) shown[word] = kept.value;
  }
  if (!left) return shown;
  const { description } = shown;
  return { ...shown, description: typeof description === 'string' ? `${description} ${leftOut}` : leftOut };
}

function isShown(word: string, value: Json): boolean {
  return isSchemaWord(word) && !ofOwnRoot.has(word) && schemaWordFault(word, value) === null;
}

interface Kept {
  /** undefined: the word is left out. */
  readonly value: Json | undefined;
  readonly left: boolean;
}

function keptValue(word: string, value: Json): Kept {
  if (prose.has(word))
    return { value: typeof value === 'string' ? printable(value) : undefined, left: false };
  if (lists.has(word) && Array.isArray(value)) {
    const items = (value as readonly Json[]).filter((item) => !hidesAnything(item));
    // A list of nothing would let nothing through.
    return {
      value: items.length === 0 && value.length > 0 ? undefined : items,
      left: items.length < value.length,
    };
  }
  if (named.has(word) && isJsonObject(value)) {
    const members = Object.entries(value).filter(([name]) => !hasHiddenCharacters(name));
    return {
      value: Object.fromEntries(members.map(([name, member]) => [name, shownPart(member)])),
      left: members.length < Object.keys(value).length,
    };
  }
  if (word !== 'default' && word !== 'const' && value !== null && typeof value === 'object')
    return { value: shownPart(value), left: false };
  return hidesAnything(value) ? { value: undefined, left: true } : { value, left: false };
}

/** A schema, or a list of them. */
function shownPart(value: Json): Json {
  if (Array.isArray(value))
    return (value as readonly Json[])
      .filter((item) => isJsonObject(item) || !hidesAnything(item))
      .map(shownPart);
  return isJsonObject(value) ? shownSchema(value) : value;
}

function hidesAnything(value: Json): boolean {
  if (typeof value === 'string') return hasHiddenCharacters(value);
  if (Array.isArray(value)) return (value as readonly Json[]).some(hidesAnything);
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([key, inner]) => hasHiddenCharacters(key) || hidesAnything(inner))
  );
}
