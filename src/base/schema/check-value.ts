// Checks a value against a JSON Schema: the part of JSON Schema that people write for inputs and answers.
//
//   type enum const properties required additionalProperties items minItems maxItems uniqueItems minLength maxLength
//   pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf anyOf oneOf allOf not $defs/definitions/$ref
//
// Keywords that only describe (title, description, format …) are ignored. `schemaFaults` (schema.ts) reports
// unknown keywords that would change what is valid. Depth, the number of faults and the work of one check are bounded: the
// author of a skill writes the schema, and anybody the value. What is too much to check is a fault, and not valid. A
// pattern that cannot be used (pattern.ts says which) is not checked.
import { canonicalJson, isJsonObject, textOf } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { nearest } from '../nearest.ts';
import { compilePattern, isPatternFault } from '../pattern/pattern.ts';
import type { Pattern, PatternWork } from '../pattern/pattern.ts';
import { describeJson as describe, valueExcerpt as excerpt, renderPath, isOfJsonType } from './schema.ts';

const maxFaults = 10;
const maxDepth = 60;
/** Steps of patterns: about half a second. */
const maxSteps = 20_000_000;
/** What it costs to check a value against one schema, in steps of a pattern. */
const stepsPerSchema = 20;

/** What is wrong with `value`, each with its path; empty when it is valid. */
export function checkSchema(schema: Json, value: Json, what: string): readonly string[] {
  const work = { steps: maxSteps };
  const check = new SchemaCheck({ root: schema, work, patterns: new Map() }, what);
  check.check(schema, value, [], 0);
  // Given up within `not` or an alternative, which leaves no fault.
  return work.steps < 0 && check.faults.length === 0 ? [`${what} takes too long to check`] : check.faults;
}

/** What the check of a value shares with those of its alternatives. */
interface SharedCheck {
  readonly root: Json;
  readonly work: PatternWork;
  /** `null`: not usable. */
  readonly patterns: Map<string, Pattern | null>;
}

class SchemaCheck {
  readonly faults: string[] = [];
  readonly #shared: SharedCheck;
  readonly #what: string;

  constructor(shared: SharedCheck, what: string) {
    this.#shared = shared;
    this.#what = what;
  }

  check(schema: Json, value: Json, path: readonly (string | number)[], depth: number): void {
    if (this.faults.length >= maxFaults) return;
    if (schema === true || schema === null) return;
    if (schema === false) return this.#fault(path, 'is not allowed');
    if (!isJsonObject(schema)) return;
    if (depth > maxDepth) return this.#fault(path, 'is nested too deeply to be checked');
    this.#shared.work.steps -= stepsPerSchema;
    if (this.#shared.work.steps < 0) return this.#fault(path, 'takes too long to check');
    if (typeof schema['$ref'] === 'string') this.check(this.#resolve(schema['$ref']), value, path, depth + 1);
    if (!this.#checkType(schema, value, path)) return;
    this.#checkChoice(schema, value, path);
    if (typeof value === 'string') this.#checkText(schema, value, path);
    else if (typeof value === 'number') this.#checkNumber(schema, value, path);
    else if (Array.isArray(value)) this.#checkArray(schema, value as readonly Json[], path, depth);
    else if (isJsonObject(value)) this.#checkObject(schema, value, path, depth);
    this.#checkCombined(schema, value, path, depth);
  }

  #checkType(schema: JsonObject, value: Json, path: readonly (string | number)[]): boolean {
    const { type } = schema;
    if (type === undefined) return true;
    if (value === null && schema['nullable'] === true) return true;
    const wanted = (Array.isArray(type) ? type : [type]) as readonly Json[];
    if (wanted.some((one) => isOfJsonType(one, value))) return true;
    this.#fault(
      path,
      `must be ${wanted.map((one) => withArticle(textOf(one))).join(' or ')}, not ${describe(value)}`,
    );
    return false;
  }

  #checkChoice(schema: JsonObject, value: Json, path: readonly (string | number)[]): void {
    const { enum: choices } = schema;
    if (Array.isArray(choices) && !(choices as readonly Json[]).some((choice) => same(choice, value))) {
      const close =
        typeof value === 'string'
          ? nearest(
              value,
              (choices as readonly Json[]).filter((choice) => typeof choice === 'string'),
            )
          : null;
      this.#fault(
        path,
        `must be one of ${excerpt(choices)}, not ${excerpt(value)}${close === null ? '' : ` (did you mean ${JSON.stringify(close)}?)`}`,
      );
    }
    if (schema['const'] !== undefined && !same(schema['const'], value))
      this.#fault(path, `must be ${excerpt(schema['const'])}, not ${excerpt(value)}`);
  }

  #checkText(schema: JsonObject, value: string, path: readonly (string | number)[]): void {
    const { minLength, maxLength, pattern } = schema;
    const bounded = typeof minLength === 'number' || typeof maxLength === 'number';
    // Characters, as JSON Schema counts.
    const length = bounded ? countCharacters(value) : 0;
    if (typeof minLength === 'number' && length < minLength)
      this.#fault(path, `must have at least ${minLength} characters, not ${length}`);
    if (typeof maxLength === 'number' && length > maxLength)
      this.#fault(path, `must have at most ${maxLength} characters, not ${length}`);
    if (typeof pattern !== 'string') return;
    const found = this.#patternOf(pattern)?.test(value, this.#shared.work);
    if (found === null)
      this.#fault(path, `is too long to be matched with the pattern ${JSON.stringify(pattern)}`);
    else if (found === false) this.#fault(path, `must match the pattern ${JSON.stringify(pattern)}`);
  }

  #patternOf(source: string): Pattern | null {
    const { patterns } = this.#shared;
    let pattern = patterns.get(source);
    if (pattern === undefined) {
      const compiled = compilePattern(source);
      pattern = compiled === null || isPatternFault(compiled) ? null : compiled;
      patterns.set(source, pattern);
    }
    return pattern;
  }

  #checkNumber(schema: JsonObject, value: number, path: readonly (string | number)[]): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    if (typeof minimum === 'number' && value < minimum)
      this.#fault(path, `must be at least ${minimum}, not ${value}`);
    if (typeof maximum === 'number' && value > maximum)
      this.#fault(path, `must be at most ${maximum}, not ${value}`);
    if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
      this.#fault(path, `must be more than ${exclusiveMinimum}, not ${value}`);
    if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
      this.#fault(path, `must be less than ${exclusiveMaximum}, not ${value}`);
    if (
      typeof multipleOf === 'number' &&
      multipleOf > 0 &&
      !Number.isInteger(Number((value / multipleOf).toPrecision(12)))
    )
      this.#fault(path, `must be a multiple of ${multipleOf}, not ${value}`);
  }

  #checkArray(
    schema: JsonObject,
    value: readonly Json[],
    path: readonly (string | number)[],
    depth: number,
  ): void {
    const { minItems, maxItems, items, uniqueItems } = schema;
    if (typeof minItems === 'number' && value.length < minItems)
      this.#fault(path, `must have at least ${minItems} items, not ${value.length}`);
    if (typeof maxItems === 'number' && value.length > maxItems)
      this.#fault(path, `must have at most ${maxItems} items, not ${value.length}`);
    if (uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length)
      this.#fault(path, 'must not have the same item twice');
    if (items === undefined || Array.isArray(items)) return;
    for (const [index, item] of value.entries()) this.check(items as Json, item, [...path, index], depth + 1);
  }

  #checkObject(
    schema: JsonObject,
    value: JsonObject,
    path: readonly (string | number)[],
    depth: number,
  ): void {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const { required, additionalProperties, minProperties, maxProperties } = schema;
    const keys = Object.keys(value);
    if (typeof minProperties === 'number' && keys.length < minProperties)
      this.#fault(path, `must have at least ${minProperties} keys, not ${keys.length}`);
    if (typeof maxProperties === 'number' && keys.length > maxProperties)
      this.#fault(path, `must have at most ${maxProperties} keys, not ${keys.length}`);
    if (Array.isArray(required)) {
      for (const key of required as readonly Json[]) {
        if (typeof key !== 'string' || Object.hasOwn(value, key)) continue;
        const close = nearest(
          key,
          keys.filter((one) => !Object.hasOwn(properties, one)),
        );
        this.#fault(
          path,
          `lacks the key ${JSON.stringify(key)}${close === null ? '' : ` (is it ${JSON.stringify(close)}?)`}`,
        );
      }
    }
    for (const key of keys) {
      if (Object.hasOwn(properties, key))
        this.check(properties[key] as Json, value[key] as Json, [...path, key], depth + 1);
      else if (additionalProperties === false)
        this.#fault(
          path,
          `has the key ${JSON.stringify(key)}, which is not allowed${suggest(key, properties)}`,
        );
      else if (isJsonObject(additionalProperties))
        this.check(additionalProperties, value[key] as Json, [...path, key], depth + 1);
    }
  }

  #checkCombined(schema: JsonObject, value: Json, path: readonly (string | number)[], depth: number): void {
    const { allOf, anyOf, oneOf, not } = schema;
    if (Array.isArray(allOf))
      for (const one of allOf as readonly Json[]) this.check(one, value, path, depth + 1);
    if (Array.isArray(anyOf)) {
      const { fitting, faults } = this.#tryEach(anyOf as readonly Json[], value, depth, 1);
      if (fitting === 0) this.#fault(path, noneFits(faults));
    }
    if (Array.isArray(oneOf)) {
      const { fitting, faults } = this.#tryEach(oneOf as readonly Json[], value, depth, oneOf.length);
      if (fitting === 0) this.#fault(path, noneFits(faults));
      else if (fitting > 1) this.#fault(path, `fits ${fitting} of the alternatives where it must fit one`);
    }
    if (not !== undefined && this.#faultsOf(not, value, depth).length === 0)
      this.#fault(path, 'fits what it must not be');
  }

  /** How many alternatives fit, up to `enough`, and the first fault of each of the others. */
  #tryEach(
    alternatives: readonly Json[],
    value: Json,
    depth: number,
    enough: number,
  ): { readonly fitting: number; readonly faults: readonly string[] } {
    const faults: string[] = [];
    let fitting = 0;
    for (const alternative of alternatives) {
      const [fault] = this.#faultsOf(alternative, value, depth);
      if (fault === undefined) fitting += 1;
      else faults.push(fault);
      if (fitting === enough) break;
    }
    return { fitting, faults };
  }

  #faultsOf(schema: Json, value: Json, depth: number): readonly string[] {
    const inner = new SchemaCheck(this.#shared, 'it');
    inner.check(schema, value, [], depth + 1);
    return inner.faults;
  }

  #resolve(reference: string): Json {
    if (reference === '#') return this.#shared.root;
    let at: Json | undefined = reference.startsWith('#/') ? this.#shared.root : undefined;
    for (const part of reference.slice(2).split('/')) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    // What leads nowhere is told by `schemaFaults`; here nothing may pass through it.
    return at === undefined ? false : at;
  }

  #fault(path: readonly (string | number)[], message: string): void {
    if (this.faults.length < maxFaults) this.faults.push(`${this.#what}${renderPath(path)} ${message}`);
  }
}

function noneFits(faults: readonly string[]): string {
  return `fits none of the alternatives: ${faults.slice(0, 3).join('; ')}`;
}

function same(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function withArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function suggest(key: string, properties: JsonObject): string {
  const names = Object.keys(properties);
  const longer = names.filter((name) => key !== '' && name.startsWith(key.toLowerCase()));
  const close = nearest(key, names) ?? (longer.length === 1 ? longer[0] : null) ?? null;
  return close === null ? '' : ` (did you mean ${JSON.stringify(close)}?)`;
}
