// One input key that several skills declare -> one schema that fits what any of them takes.
//
// Equal schemas stay as they are. Otherwise the type stays, with those constraints that all of them have, since others would
// refuse what one skill takes; different types are alternatives, and without a type in one of them there is none. What skills say
// about the key is kept with their names, up to a limit: the run checks its input by the schema of its own skill.
import { cutText } from '../../base/cut-text.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { canonicalJson } from '../../base/json.ts';

/** A key of one skill, as it is shown. */
export interface DeclaredKey {
  readonly skill: string;
  readonly schema: JsonObject;
}

const maxDescriptionUnits = 1_000;

/** Constraints that mean the same without the others beside them. */
const alone = [
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'items',
  'default',
];

export function mergeKey(declared: readonly DeclaredKey[]): JsonObject {
  const groups = groupBy(
    declared,
    ({ schema: { title: _title, description: _description, ...rest } }) => rest,
  );
  const [first] = groups;
  if (first === undefined) return {};
  const only = groupBy(declared, ({ schema }) => schema);
  if (only.length === 1) return (only[0] as Group).value;
  if (groups.length === 1) return { ...first.value, ...described(declared) };
  const types = groupBy(declared, ({ schema }) => ('type' in schema ? { type: schema['type'] as Json } : {}));
  if (types.some(({ value }) => !('type' in value))) return described(declared);
  if (types.length === 1) {
    const shared = alone.filter((word) =>
      groups.every(
        ({ value }) =>
          value[word] !== undefined &&
          canonicalJson(value[word]) === canonicalJson(first.value[word] as Json),
      ),
    );
    return {
      type: first.value['type'] as Json,
      ...Object.fromEntries(shared.map((word) => [word, first.value[word] as Json])),
      ...described(declared),
    };
  }
  // Some hosts take `anyOf` only without a word beside it.
  return { anyOf: types.map(({ value, members }) => ({ ...value, ...described(members, true) })) };
}

interface Group {
  readonly value: JsonObject;
  readonly members: DeclaredKey[];
}

/** In the order of the first of each. */
function groupBy(
  declared: readonly DeclaredKey[],
  valueOf: (key: DeclaredKey) => JsonObject,
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const key of declared) {
    const value = valueOf(key);
    const name = canonicalJson(value);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, { value, members: [key] });
    else known.members.push(key);
  }
  return [...groups.values()];
}

function described(declared: readonly DeclaredKey[], isNamed = false): JsonObject {
  const told = declared.flatMap(({ skill, schema: { description } }) =>
    typeof description === 'string' ? [{ skill, description }] : [],
  );
  const [first] = told;
  if (first === undefined) return {};
  const isSame =
    !isNamed &&
    told.length === declared.length &&
    told.every(({ description }) => description === first.description);
  const text = isSame
    ? first.description
    : told.map(({ skill, description }) => `${skill}: ${description}`).join('\n');
  const { text: cut, truncated } = cutText(text, maxDescriptionUnits - 2);
  return { description: truncated ? `${cut} …` : text };
}
