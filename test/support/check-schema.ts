// A small JSON Schema checker: the keywords our own schema uses, and an error for any other.
import type { Json, JsonObject } from '../../src/base/json.ts';
import { isJsonObject } from '../../src/base/json.ts';
import { countCodePoints } from '../../src/skill/code-points.ts';

const annotations = new Set([
  '$schema',
  '$defs',
  'title',
  'description',
  'examples',
  'deprecated',
  'default',
]);

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function fitsType(value: Json, type: Json): boolean {
  if (Array.isArray(type)) return type.some((one: Json) => fitsType(value, one));
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

/** The faults of `value` under `schema`, as "path: keyword". `root` resolves `#/$defs/…`. */
export function schemaFaults(
  value: Json,
  schema: JsonObject,
  root: JsonObject,
  path = '$',
): readonly string[] {
  const faults: string[] = [];
  const fits = (one: Json, at: Json = value): boolean =>
    schemaFaults(at, one as JsonObject, root, path).length === 0;
  const object = isJsonObject(value) ? value : null;
  for (const [keyword, want] of Object.entries(schema)) {
    if (annotations.has(keyword)) continue;
    let good: boolean;
    switch (keyword) {
      case '$ref': {
        const target = (root['$defs'] as JsonObject)[(want as string).replace('#/$defs/', '')];
        if (target === undefined) throw new Error(`no definition for ${want as string}`);
        faults.push(...schemaFaults(value, target as JsonObject, root, path));
        continue;
      }
      case 'properties':
        for (const [key, inner] of Object.entries(want as JsonObject)) {
          const member = object?.[key];
          if (member !== undefined)
            faults.push(...schemaFaults(member, inner as JsonObject, root, `${path}.${key}`));
        }
        continue;
      case 'patternProperties':
        continue;
      case 'additionalProperties': {
        const known = new Set(Object.keys((schema['properties'] ?? {}) as JsonObject));
        for (const [key, member] of Object.entries(object ?? {})) {
          if (known.has(key) || want === true) continue;
          if (want === false) faults.push(`${path}.${key}: additionalProperties`);
          else faults.push(...schemaFaults(member, want as JsonObject, root, `${path}.${key}`));
        }
        continue;
      }
      case 'items':
        if (Array.isArray(value))
          value.forEach((item: Json, at) =>
            faults.push(...schemaFaults(item, want as JsonObject, root, `${path}[${at}]`)),
          );
        continue;
      case 'allOf':
        for (const one of want as readonly Json[])
          faults.push(...schemaFaults(value, one as JsonObject, root, path));
        continue;
      case 'if': {
        const branch = fits(want) ? schema['then'] : schema['else'];
        if (branch !== undefined) faults.push(...schemaFaults(value, branch as JsonObject, root, path));
        continue;
      }
      case 'then':
      case 'else':
        continue;
      case 'anyOf':
        good = (want as readonly Json[]).some((one) => fits(one));
        break;
      case 'not':
        good = !fits(want);
        break;
      case 'type':
        good = fitsType(value, want);
        break;
      case 'const':
        good = value === want;
        break;
      case 'enum':
        good = (want as readonly Json[]).includes(value);
        break;
      case 'required':
        good = object === null || (want as readonly string[]).every((key) => object[key] !== undefined);
        break;
      case 'pattern':
        good = typeof value !== 'string' || new RegExp(want as string, 'u').test(value);
        break;
      case 'minLength':
        good = typeof value !== 'string' || countCodePoints(value) >= (want as number);
        break;
      case 'maxLength':
        good = typeof value !== 'string' || countCodePoints(value) <= (want as number);
        break;
      case 'minItems':
        good = !Array.isArray(value) || value.length >= (want as number);
        break;
      case 'uniqueItems':
        good = !Array.isArray(value) || new Set(value).size === value.length;
        break;
      case 'minimum':
        good = typeof value !== 'number' || value >= (want as number);
        break;
      case 'maximum':
        good = typeof value !== 'number' || value <= (want as number);
        break;
      default:
        throw new Error(`the checker does not know ${keyword}`);
    }
    if (!good) faults.push(`${path}: ${keyword}`);
  }
  return faults;
}
