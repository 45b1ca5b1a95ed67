// The field table -> a JSON Schema (2020-12) for the frontmatter, so that editors complete and check it.
//
// The schema is the author's view: it asks for the documented spelling and shape, where loading also
// accepts what real files hold. Aliases are there as deprecated properties; unknown fields are allowed.
import type { Json, JsonObject } from '../../base/json.ts';
import type { FrontmatterField } from './field-table.ts';
import { frontmatterFields } from './field-table.ts';
import { conditional, schemaDefinitions } from './schema-definitions.ts';

function propertyOf(field: FrontmatterField): JsonObject {
  const only = field.forms === 'any' ? '' : ` (${field.forms.join(', ')})`;
  return { ...field.schema, description: `${field.description}${only}` };
}

/** The JSON Schema of frontmatter, for editors. */
export function frontmatterSchema(): JsonObject {
  const properties: { [key: string]: Json } = {};
  for (const field of frontmatterFields) {
    properties[field.name] = propertyOf(field);
    for (const alias of field.aliases)
      properties[alias] = { ...field.schema, description: `Write ${field.name}.`, deprecated: true };
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'SKILL.md frontmatter',
    description:
      'The YAML between the "---" lines of a SKILL.md: instructions, program, composition, workflow or chain.',
    type: 'object',
    required: ['name', 'description'],
    properties,
    patternProperties: { '^x[-_]': { description: 'An extension field of your own.' } },
    additionalProperties: true,
    allOf: [
      conditional(
        { properties: { kind: { const: 'meta' } }, required: ['kind'] },
        { required: ['composition'] },
      ),
      conditional(
        { required: ['composition'] },
        { properties: { kind: { const: 'meta' } }, required: ['kind'] },
      ),
    ],
    $defs: schemaDefinitions,
    examples: [
      {
        name: 'release-notes',
        description: 'Writes release notes from merged changes. Use when the user prepares a release.',
      },
    ],
  };
}
