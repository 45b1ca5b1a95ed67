// Real skills whose frontmatter was written again by a YAML printer, in the styles that printers have: each is the same
// skill, and a composition has the same plan. Skipped where the files are not at hand.
import { describe, expect, it } from 'vitest';
import type { DocumentOptions, SchemaOptions, ToStringOptions } from 'yaml';
import { stringify } from 'yaml';
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto } from '../../src/base/diagnostic.ts';
import type { Json } from '../../src/base/json.ts';
import { nodeFrontmatter } from '../../src/node/yaml.ts';
import { compilePlan } from '../../src/plan/compile-plan.ts';
import { emptyWorld } from '../../src/plan/world.ts';
import { headOfFrontmatter } from '../../src/skill/parse-head.ts';
import type { SkillHead } from '../../src/skill/types.ts';
import { toJson } from '../../src/skill/yaml/node.ts';
import { compatRoot, readCompatTexts } from '../fuzz/compat-texts.ts';
import { skipUnless } from '../support/skip-unless.ts';

type Options = DocumentOptions & SchemaOptions & ToStringOptions;
const print = (value: Json, options: Options): string =>
  stringify(value, { aliasDuplicateObjects: false, version: '1.2', ...options });

const styles: { readonly [style: string]: (value: Json) => string } = {
  block: (value) => print(value, { indentSeq: false }),
  'wide block': (value) => print(value, { lineWidth: 0, indent: 4 }),
  flow: (value) => print(value, { collectionStyle: 'flow' }),
  'flow on one line': (value) =>
    print(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }),
  JSON: (value) => `${JSON.stringify(value)}\n`,
  'indented JSON': (value) => `${JSON.stringify(value, null, 2)}\n`,
  'double quotes': (value) =>
    print(value, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' }),
  'single quotes': (value) => print(value, { singleQuote: true, defaultStringType: 'QUOTE_SINGLE' }),
  'narrow quotes': (value) =>
    print(value, { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 40, doubleQuotedMinMultiLineLength: 10 }),
};

interface Reading {
  readonly head: SkillHead;
  readonly data: Json;
  readonly codes: readonly string[];
  readonly plan: Json;
}

function read(text: string): Reading {
  const diagnostics: Diagnostic[] = [];
  const frontmatter = nodeFrontmatter(text);
  const head = headOfFrontmatter(
    frontmatter,
    { folderName: 'tides', entries: [], fileBytes: 1 },
    collectInto(diagnostics, 'SKILL.md'),
  );
  const { plan } = compilePlan({ head, frontmatter, world: emptyWorld, lints: false }, () => undefined);
  return {
    head,
    data: toJson(frontmatter.map),
    codes: [...new Set(diagnostics.map(({ code }) => code))].sort(),
    plan: JSON.parse(
      JSON.stringify(plan, (key, value: unknown) => (key === 'span' ? undefined : value)),
    ) as Json,
  };
}

const texts = readCompatTexts(compatRoot).filter((text) => nodeFrontmatter(text).parts !== null);

describe.skipIf(skipUnless(texts.length > 0, '../shared/compat is absent'))(
  'a frontmatter written again',
  () => {
    const originals = texts.map((text) => {
      const { parts } = nodeFrontmatter(text);
      const body = parts === null ? '' : text.slice(parts.bodyStart);
      const { data, plan, head } = read(text);
      // A printer loses how a number was written (1.0 is 1), and only that.
      const printed = read(`---\n${JSON.stringify(data)}\n---\n${body}`).head;
      return { name: head.declaredName ?? '?', data, plan, body, head: printed };
    });

    it.each(Object.entries(styles))('in %s is the same skill with the same plan', (_style, write) => {
      const different: string[] = [];
      for (const { name, data, plan, body, head } of originals) {
        const again = read(`---\n${write(data)}---\n${body}`);
        if (again.codes.some((code) => code.startsWith('YAML_')))
          different.push(`${name}: ${again.codes.join()}`);
        if (JSON.stringify(again.data) !== JSON.stringify(data)) different.push(`${name}: data`);
        if (JSON.stringify(again.plan) !== JSON.stringify(plan)) different.push(`${name}: plan`);
        if (JSON.stringify(again.head) !== JSON.stringify(head)) different.push(`${name}: head`);
      }
      expect(different).toEqual([]);
    });

    it('is read from compositions, too', () => {
      expect(originals.filter(({ plan }) => plan !== null).length).toBeGreaterThanOrEqual(20);
    });
  },
);
