// Names, outlines, folds and words of templates: of whole files, of half of them, and of texts that are made to be slow.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { occurrencesIn } from './names.ts';
import { starlarkNamesAt } from './starlark-names.ts';
import { foldsIn, symbolsIn } from './symbols.ts';
import { templateTokens } from './template-tokens.ts';

const skills = fileURLToPath(new URL('../../skills', import.meta.url));

function all(
  path: string,
  text: string,
  main: string,
): readonly { readonly start: number; readonly end: number }[] {
  const file = { path, text, main };
  return [
    ...occurrencesIn(file),
    ...symbolsIn(file).map(({ span }) => span),
    ...foldsIn(file).map(({ span }) => span),
    ...templateTokens(file),
    ...(path.endsWith('.star') ? starlarkNamesAt(text, text.length >> 1) : []),
  ];
}

describe('what is found in a file', () => {
  it('lies inside of it, at every prefix of every shipped skill', () => {
    let found = 0;
    const files = readdirSync(skills, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:md|star|yaml)$/.test(name),
    );
    for (const [index, name] of files.entries()) {
      const whole = readFileSync(join(skills, name), 'utf8');
      const [skill = '', ...rest] = name.split('/');
      const path = rest.join('/');
      const main = readFileSync(join(skills, skill, 'SKILL.md'), 'utf8');
      for (let end = index % 11; end <= whole.length; end += 97) {
        const text = whole.slice(0, end);
        for (const one of all(path, text, path === 'SKILL.md' ? text : main)) {
          found += 1;
          if (one.start < 0 || one.end > end || one.start > one.end)
            throw new Error(`${name} ${end}: ${JSON.stringify(one)}`);
        }
      }
    }
    expect(found).toBeGreaterThan(10_000);
  });

  it('is found in linear time in what is long or deep', () => {
    for (const text of [
      '- '.repeat(50_000),
      '[{'.repeat(50_000),
      '{{ '.repeat(50_000),
      '{{ a" }}\n'.repeat(20_000),
      "{{ it's }}\n".repeat(20_000),
      'a: b\n'.repeat(20_000),
      '  - id: b\n'.repeat(20_000),
      '((('.repeat(50_000),
      '"'.repeat(100_000),
      '# h\n'.repeat(20_000),
    ])
      for (const path of ['SKILL.md', 'SKILL.star', 'assets/a.md', 'tests/a.yaml']) {
        const whole = path === 'SKILL.md' ? `---\nsteps:\n${text}\n---\n${text}` : text;
        expect(all(path, whole, whole).filter(({ start, end }) => end < start)).toEqual([]);
      }
  });
});

describe('occurrencesIn', () => {
  const names = (text: string, path = 'SKILL.md', main = ''): readonly string[] =>
    occurrencesIn({ path, text, main: path === 'SKILL.md' ? text : main }).map(
      ({ kind, name, isDefinition }) => `${isDefinition ? 'def ' : ''}${kind} ${name}`,
    );
  const flow =
    '---\ninputs: {a: {type: string}}\nsteps:\n  - id: one\n    tool: chat\n  - id: two\n    tool: chat\n';

  it('reads templates by their words: texts, filters, arguments and bound names are none', () => {
    expect(
      names(
        `${flow}    params:\n      prompt: "{{ one | join('one') }} {{ inputs['a'] }} {{ x.one }} {{ f(one=2) }}"\n---\n`,
      ),
    ).toEqual(['def input a', 'def step one', 'def step two', 'step one', 'input a']);
    expect(names(`${flow}    condition: "one and inputs.get('a')"\n---\n`).slice(3)).toEqual([
      'step one',
      'input a',
    ]);
    expect(
      names('{% for one in two %}{{ one }}{{ two }}{% endfor %}', 'assets/t.md', `${flow}---\n`),
    ).toEqual(['step two', 'step two']);
  });

  it('reads the steps that a test answers', () => {
    expect(names('inputs:\n  one: {x: 1}\n  other: {}\n', 'tests/t.yaml', `${flow}---\n`)).toEqual([
      'step one',
    ]);
    expect(names('inputs:\n  - step: two\n    values: {}\n', 'tests/t.yaml', `${flow}---\n`)).toEqual([
      'step two',
    ]);
  });
});
