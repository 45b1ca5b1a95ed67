// The examples of the guide give what it says they give.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filters } from '../../src/template/filters/filters.ts';
import { tests } from '../../src/template/filters/tests.ts';
import { compileTemplate } from '../../src/template/template.ts';

const guide = readFileSync(new URL('../../docs/guide/templates.md', import.meta.url), 'utf8');
const variables = {
  title: 'On tides',
  items: ['b', 'a', 'c'],
  user: { name: 'Ann <a@x>', age: 7 },
  rows: [
    { id: 1, tag: 'x' },
    { id: 2, tag: 'y' },
  ],
  nothing: null,
};
const examples = [...guide.matchAll(/```jinja\n([^]*?)\n--> ([^]*?)\n```/g)].map(([, source, expected]) => ({
  source: source as string,
  expected: expected as string,
}));

describe('the guide to templates', () => {
  it('has examples', () => {
    expect(examples.length).toBe(guide.match(/```jinja/g)?.length);
    expect(examples.length).toBeGreaterThan(12);
  });

  it.each(examples)('$source', ({ source, expected }) => {
    const compiled = compileTemplate(source);
    const outcome = compiled.ok ? compiled.template.render(variables) : null;
    expect(outcome).toEqual({ ok: true, value: expected });
  });

  it('names every filter and every test', () => {
    const words = new Set(guide.match(/[a-z_]+/g));
    const signs = /^[a-z_]+$/;
    const aliases = new Set(['equalto', 'lessthan', 'greaterthan']);
    expect(
      [...filters.keys(), ...tests.keys()].filter(
        (name) => signs.test(name) && !aliases.has(name) && !words.has(name),
      ),
    ).toEqual([]);
  });
});
