import { describe, expect, it } from 'vitest';
import { schemaFaults } from '../../../test/support/check-schema.ts';
import { entriesOf, readFields, readHead } from '../../../test/support/skill-texts.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { frontmatterFields } from './field-table.ts';
import { frontmatterSchema } from './json-schema.ts';
import { scaffold } from '../scaffold/scaffold.ts';
import { forms } from '../types.ts';

const schema = frontmatterSchema();
const properties = schema['properties'] as JsonObject;

describe('frontmatterSchema', () => {
  it('has every field and every alias, described', () => {
    for (const field of frontmatterFields) {
      expect(properties[field.name]).toMatchObject({
        description: expect.stringContaining(field.description),
      });
      for (const alias of field.aliases) expect(properties[alias]).toMatchObject({ deprecated: true });
    }
  });

  it('resolves every reference', () => {
    const definitions = schema['$defs'] as JsonObject;
    const references = [...JSON.stringify(schema).matchAll(/#\/\$defs\/(\w+)/g)].map(
      (match) => match[1] as string,
    );
    expect(references.filter((name) => definitions[name] === undefined)).toEqual([]);
    expect(Object.keys(definitions).filter((name) => !references.includes(name))).toEqual([]);
  });

  it.each(forms)('accepts the scaffold of a %s', (form) => {
    const files = scaffold('tides', form);
    const { head } = readHead(files.get('SKILL.md') as string, {
      entries: entriesOf('SKILL.md', ...(form === 'program' ? ['SKILL.star'] : [])),
    });
    expect(schemaFaults(head.frontmatter, schema, schema)).toEqual([]);
  });

  it('accepts the examples it gives', () => {
    const faultsOf = (node: Json): readonly string[] => {
      if (Array.isArray(node)) return node.flatMap(faultsOf);
      if (node === null || typeof node !== 'object') return [];
      const one = node as JsonObject;
      const examples = (Array.isArray(one['examples']) ? one['examples'] : []) as readonly Json[];
      const below = Object.keys(one)
        .filter((key) => key !== 'examples' || examples.length === 0)
        .flatMap((key) => faultsOf(one[key] as Json));
      return [...examples.flatMap((example) => schemaFaults(example, one, schema)), ...below];
    };
    expect(faultsOf(schema)).toEqual([]);
  });

  it.each([
    ['name: Tides', '$.name: pattern'],
    ['kind: meta', '$: required'],
    ['composition:\n  steps: []', '$.composition.steps: minItems'],
    ['kind: meta\ncomposition:\n  steps:\n    - id: a', '$.composition.steps[0]: required'],
    [
      'kind: meta\ncomposition:\n  steps:\n    - {id: a, kind: llm_classify}',
      '$.composition.steps[0]: required',
    ],
    ['kind: meta\ncomposition:\n  steps:\n    - {id: a, kind: guess}', '$.composition.steps[0].kind: enum'],
    ['steps:\n  - id: a', '$.steps[0]: anyOf'],
    ['chain: []', '$.chain: anyOf'],
    ['user-invocable: perhaps', '$.user-invocable: type'],
    ['metaskill_language: lua', '$.metaskill_language: const'],
    ['final_text_mode: loud', '$.final_text_mode: pattern'],
    ['entrypoint: {parse: xml}', '$.entrypoint: required'],
    ['inputs: ["a|perhaps"]', '$.inputs: anyOf'],
  ])('refuses %j', (lines, fault) => {
    const text = lines.startsWith('name:')
      ? readHead(`---\n${lines}\ndescription: d\n---\n`).head
      : readFields(lines).head;
    expect(schemaFaults(text.frontmatter, schema, schema)).toContain(fault);
  });
});
