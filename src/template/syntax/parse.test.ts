import { describe, expect, it } from 'vitest';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import { compileTemplate } from '../template.ts';

/** Faulty templates: what is said of each is in the golden file. */
const faulty: readonly string[] = [
  'Hello {{ name',
  'Hello {{ name }',
  '{{ a b }} and {{ c. }} and {{ d | }}\n{% if %}x{% endif %}\n{{ (1 }}',
  "{{ 'never closed }} text {{ ok }}",
  "{{ '\\x4' }}{{ '\\N{BULLET}' }}",
  '{{ a & b }}{{ !a }}{{ a ? b : c }}',
  '{{ [1, 2) }}{{ 1] }}',
  '{% if a %}{% for x in xs %}{% endif %}',
  '{% for x in xs %}\n  {% if x %}\n{% endfor %}\n',
  '{% endif %}{% else %}',
  '{% fro x in xs %}{% endfor %}',
  '{% elseif x %}{% do x %}{% break %}{% while x %}',
  '{% include "other.md" %}{% extends "base" %}{% import "m" as m %}{% from "m" import x %}',
  '{% block head %}x{% endblock %}{% autoescape true %}y{% endautoescape %}{{ z',
  '{{ text | upcase }}{{ text | random }}{{ x is stirng }}{{ text | zzzzzz }}',
  '{% set 1 = 2 %}{% set a.b = 1 %}{% set true = 1 %}{% for loop in x %}{% endfor %}',
  '{% set x 1 %}{% set %}',
  '{% macro m(a, a) %}{% endmacro %}{% macro n(a=1, b) %}{% endmacro %}{% macro o(caller) %}{{ caller() }}{% endmacro %}',
  '{{ f(a=1, 2) }}{{ f(a=1, a=2) }}{{ f(**a, *b) }}',
  '{{ a is b is c }}{{ x[1:2, 3] }}{{ 1 = 2 }}',
  '{# never closed',
  '{% raw %}never closed',
  `{{ ${'('.repeat(300)} }}`,
  'é {{ nö-pe + }} ü\r\n{{ ( }}\r\n',
];

describe('compileTemplate', () => {
  it('reports all faults together, each with its place and what to do', async () => {
    const text = faulty
      .map((source) => {
        const result = compileTemplate(source, { path: 'faulty.txt' });
        const told = result.ok
          ? ['(no fault)']
          : result.diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, source));
        return `${JSON.stringify(source.length > 200 ? `${source.slice(0, 60)}…` : source)}\n\n${told.join('\n')}\n`;
      })
      .join('\n---\n\n');
    await expect(text).toMatchFileSnapshot('../../../test/golden/template/faults.txt');
  });

  it('lists at most fifty', () => {
    const result = compileTemplate('{{ a b }}'.repeat(60));
    expect(result.ok ? [] : [result.diagnostics.length, result.diagnostics.at(-1)?.code]).toEqual([
      51,
      'TEMPLATE_MORE',
    ]);
  });

  it('gives every node the place that it was read from', () => {
    const source =
      'a{{ (x.y | f(1) if not z else [1, "b"])[0] }}{% for k, v in d.items() %}{{ k ~ v }}{% endfor %}';
    const result = compileTemplate(source, { filters: { f: (value) => value } });
    const places: string[] = [];
    const walk = (node: unknown): void => {
      if (Array.isArray(node)) return node.forEach(walk);
      if (typeof node !== 'object' || node === null) return;
      const { kind, start, end } = node as { kind?: string; start?: number; end?: number };
      if (kind !== undefined && start !== undefined) places.push(`${kind} ${source.slice(start, end)}`);
      Object.values(node).forEach(walk);
    };
    walk(result.ok ? result.template.tree.body : null);
    expect(places).toEqual([
      'text a',
      'output {{ (x.y | f(1) if not z else [1, "b"])[0] }}',
      'item (x.y | f(1) if not z else [1, "b"])[0]',
      'conditional x.y | f(1) if not z else [1, "b"]',
      'unary not z',
      'name z',
      'filter x.y | f(1)',
      'attribute x.y',
      'name x',
      'literal 1',
      'list [1, "b"]',
      'literal 1',
      'literal "b"',
      'literal 0',
      'for {% for k, v in d.items() %}{{ k ~ v }}{% endfor %}',
      'tuple-target k, v',
      'name-target k',
      'name-target v',
      'call d.items()',
      'attribute d.items',
      'name d',
      'output {{ k ~ v }}',
      'concat k ~ v',
      'name k',
      'name v',
    ]);
  });
});
