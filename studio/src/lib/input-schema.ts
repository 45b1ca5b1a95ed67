// What a skill takes as input, as one JSON schema of an object: from its declared inputs, or the keys that its text names.
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { isJsonObject } from '../../../src/base/json.ts';
import type { OperationOutput } from '../../../src/api/operation.ts';
import type { Operations } from '../../../src/api/operations.ts';

type Skill = OperationOutput<Operations['showSkill']>;

export function schemaOfSkill({ head, inputKeys, form }: Skill, plan: JsonObject | null): JsonObject {
  const declared = isJsonObject(head['inputs'] ?? null) ? (head['inputs'] as JsonObject) : null;
  if (declared !== null && isJsonObject(declared['properties'] ?? null)) return declared;
  const properties: { [name: string]: JsonObject } = {};
  const required: string[] = [];
  // Declared ones first; else those that the text of the skill names.
  const inputs: readonly unknown[] =
    [plan?.['inputs'], head['inputs'], inputKeys].find(
      (one): one is readonly Json[] => Array.isArray(one) && one.length > 0,
    ) ?? [];
  for (const one of inputs) {
    if (typeof one === 'string') properties[one] = { type: 'string' };
    if (!isJsonObject(one as Json)) continue;
    const { key, name, description, schema, required: isRequired, default: value } = one as JsonObject;
    const named = typeof key === 'string' ? key : name;
    if (typeof named !== 'string') continue;
    properties[named] = {
      ...(isJsonObject(schema ?? null) ? (schema as JsonObject) : { type: 'string' }),
      ...(typeof description === 'string' ? { description } : {}),
      ...(value === undefined || value === null ? {} : { default: value }),
    };
    if (isRequired === true) required.push(named);
  }
  if (form === 'composition')
    properties['user_message'] = {
      type: 'string',
      format: 'multiline',
      description: 'What you want, in your words',
    };
  return { type: 'object', properties, required };
}
