// What SARIF 2.1.0 demands of a log, written from the text of the standard: a strict schema for the objects that we write (§3), and what a
// schema cannot say. Objects may have no other properties than the standard gives them; those that we never write are left out, so
// that writing one of them fails until it is added here.
import type { Json, JsonObject } from '../../src/base/json.ts';
import { checkSchema } from '../../src/base/schema/check-value.ts';

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: [...required],
});
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const text: JsonObject = { type: 'string', minLength: 1 };
const place: JsonObject = { type: 'integer', minimum: 1 };
/** RFC 3986: unreserved, reserved and percent-encoded characters. */
const uri: JsonObject = {
  type: 'string',
  minLength: 1,
  pattern: "^(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=\\[\\]-]|%[0-9A-Fa-f]{2})*$",
};
const absoluteUri: JsonObject = { allOf: [uri, { pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' }] };
const level: JsonObject = { enum: ['none', 'note', 'warning', 'error'] };
/** §3.11, §3.12 */
const message = object({ text }, ['text']);
/** §3.4 */
const artifactLocation = object({ uri, uriBaseId: text }, ['uri']);
/** §3.30; a place without a line says nothing. */
const region = object(
  {
    startLine: place,
    startColumn: place,
    endLine: place,
    endColumn: place,
    snippet: object({ text: { type: 'string' } }),
  },
  ['startLine'],
);

const schema = object(
  {
    $schema: absoluteUri,
    version: { const: '2.1.0' },
    runs: {
      ...listOf(
        // §3.14
        object(
          {
            tool: object(
              {
                // §3.19
                driver: object(
                  {
                    name: text,
                    version: text,
                    // §3.49
                    rules: listOf(
                      object(
                        {
                          id: text,
                          shortDescription: message,
                          help: message,
                          defaultConfiguration: object({ level }, ['level']),
                        },
                        ['id'],
                      ),
                    ),
                  },
                  ['name'],
                ),
              },
              ['driver'],
            ),
            columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
            originalUriBaseIds: {
              type: 'object',
              additionalProperties: object({ uri: { allOf: [absoluteUri, { pattern: '/$' }] } }),
            },
            // §3.27
            results: listOf(
              object(
                {
                  ruleId: text,
                  ruleIndex: { type: 'integer', minimum: 0 },
                  level,
                  message,
                  locations: listOf(
                    object({ physicalLocation: object({ artifactLocation, region }, ['artifactLocation']) }),
                  ),
                  partialFingerprints: { type: 'object', additionalProperties: text },
                  // §3.35
                  suppressions: {
                    ...listOf(
                      object(
                        { kind: { enum: ['inSource', 'external'] }, justification: { type: 'string' } },
                        ['kind'],
                      ),
                    ),
                    uniqueItems: true,
                  },
                },
                ['message', 'ruleId', 'ruleIndex', 'locations'],
              ),
            ),
          },
          ['tool', 'results'],
        ),
      ),
      minItems: 1,
    },
  },
  ['version', 'runs', '$schema'],
);

export interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly originalUriBaseIds: { readonly [id: string]: unknown };
  readonly results: readonly {
    readonly ruleId: string;
    readonly ruleIndex: number;
    readonly message: { readonly text: string };
    readonly suppressions?: readonly unknown[];
    readonly locations: readonly {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
      };
    }[];
  }[];
}

export function runsOf(log: Json): readonly SarifRun[] {
  return (log as unknown as { readonly runs: readonly SarifRun[] }).runs;
}

/** Empty: the log is valid. */
export function sarifFaults(log: Json): readonly string[] {
  const faults = [...checkSchema(schema, log, 'the log')];
  if (faults.length > 0) return faults;
  for (const { tool, results, originalUriBaseIds } of runsOf(log)) {
    const ids = tool.driver.rules.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) faults.push('a rule is there twice');
    for (const { ruleId, ruleIndex, locations } of results) {
      if (ids[ruleIndex] !== ruleId) faults.push(`the rule ${ruleIndex} is not ${ruleId}`);
      for (const { physicalLocation } of locations) {
        const { uri: at, uriBaseId } = physicalLocation.artifactLocation;
        const isAbsolute = /^[A-Za-z][A-Za-z0-9+.-]*:/.test(at);
        if (uriBaseId === undefined ? !isAbsolute : isAbsolute || !(uriBaseId in originalUriBaseIds))
          faults.push(`"${at}" with the base ${uriBaseId ?? 'none'} is no place`);
      }
    }
  }
  return faults;
}
