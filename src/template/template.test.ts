import { describe, expect, it } from 'vitest';
import { jsonText, parseJson } from '../base/json.ts';
import { Meter } from '../base/meter.ts';
import {
  compileExpression,
  compileTemplate,
  type CompileOptions,
  type Data,
  Float,
  type TemplateOptions,
  templateProfile,
} from './template.ts';

interface Shown {
  readonly code: string;
  readonly message: string;
  readonly at: string;
  readonly hint: string | null;
}

type Variables = { readonly [name: string]: Data };

function compiled(
  source: string,
  options: CompileOptions = {},
): Extract<ReturnType<typeof compileTemplate>, { ok: true }>['template'] {
  const result = compileTemplate(source, options);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.template;
}

function condition(
  source: string,
): Extract<ReturnType<typeof compileExpression>, { ok: true }>['expression'] {
  const result = compileExpression(source);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.expression;
}

/** The text, or what went wrong and where. */
function render(source: string, variables: Variables = {}, options: TemplateOptions = {}): string | Shown {
  const outcome = compiled(source).render(variables, options);
  if (outcome.ok) return outcome.value;
  const { code, span, message, hint } = outcome.diagnostic;
  return { code, message, at: span === null ? '' : source.slice(span.start, span.end), hint };
}

function evaluate(source: string, variables: Variables = {}): unknown {
  const outcome = compiled(source).evaluate(variables);
  return outcome.ok ? outcome.value : outcome.diagnostic.code;
}

describe('render', () => {
  it('puts variables into a text', () => {
    expect(render('Hello {{ name }}!', { name: 'Ann' })).toBe('Hello Ann!');
  });

  it('can be called again, with other variables', () => {
    const template = compiled('{% for x in xs %}{{ x }}{% endfor %}{% set a = 1 %}{{ a }}');
    expect([[1, 2], [3]].map((xs) => template.render({ xs }))).toEqual([
      { ok: true, value: '121' },
      { ok: true, value: '31' },
    ]);
  });

  it('points at what is undefined, and says what could be meant', () => {
    expect(render('a {{ outputs.serach | upper }} b', { outputs: { search: 'x' } })).toEqual({
      code: 'EVAL_UNDEFINED',
      message: "'dict object' has no attribute 'serach'",
      at: 'outputs.serach',
      hint: 'did you mean "search"?',
    });
    expect(render('{% set alias = output %}{{ alias }}', { outputs: {} })).toEqual({
      code: 'EVAL_UNDEFINED',
      message: "'output' is undefined",
      at: 'output',
      hint: 'did you mean "outputs"?',
    });
    expect(render('{% for i in range(3) %}{% endfor %}')).toEqual({
      code: 'EVAL_UNDEFINED',
      message: "'range' is undefined",
      at: 'range',
      hint: 'templates have no global functions',
    });
  });

  it('takes tuples as keys, but none that grows beyond reason', () => {
    expect(render("{{ {(1, ('a', none)): 'x'}[(1.0, ('a', none))] }}")).toBe('x');
    for (const n of [12, 40, 500])
      expect(
        render(`{% set x = (1,) %}${'{% set x = (x, x) %}'.repeat(n)}{{ {x: 1} | length }}`),
      ).toMatchObject({ code: 'EVAL_UNHASHABLE' });
    expect(render('{{ {(s, 1): 1} | length }}', { s: 'a'.repeat(1_000_000) })).toMatchObject({
      code: 'EVAL_UNHASHABLE',
    });
    expect(render('{{ {s: 1} | length }}', { s: 'a'.repeat(1_000_000) })).toBe('1');
  });

  it('takes lists of more items than a call takes arguments', () => {
    const xs = Array.from({ length: 200_000 }, () => 0);
    expect(render('{{ (xs * 2) | length }}', { xs })).toBe('400000');
  });

  it('points at the operation that fails', () => {
    expect(render('x{{ 1 + (2 + "a") }}')).toMatchObject({ code: 'EVAL_TYPE', at: '2 + "a"' });
    expect(render('{% for a, b in pairs %}{% endfor %}', { pairs: [[1]] })).toMatchObject({
      code: 'EVAL_VALUE',
      at: 'a, b',
    });
    expect(render('{{ (items | join(",")).x }}', { items: [] })).toMatchObject({
      code: 'EVAL_UNDEFINED',
      at: '(items | join(",")).x',
    });
  });

  it('gives the same place in a source with other line ends', () => {
    const source = 'one\r\ntwo {{ nope }}\rthree\r\n';
    const outcome = compiled(source).render({});
    expect(outcome.ok ? null : outcome.diagnostic.span).toEqual({
      start: source.indexOf('nope'),
      end: source.indexOf('nope') + 4,
    });
    expect(render('a\r\nb\rc\r\n')).toBe('a\nb\nc');
  });

  it('names the path of its template', () => {
    const outcome = compiled('{{ x }}', { path: 'SKILL.md' }).render({});
    expect(outcome).toMatchObject({ ok: false, diagnostic: { path: 'SKILL.md', severity: 'error' } });
  });

  it('stops at a limit of its own', () => {
    expect(
      render("{% for x in 'abc' %}{% for y in 'abc' %}{% endfor %}{% endfor %}", {}, { maxSteps: 10 }),
    ).toMatchObject({ code: 'STEP_LIMIT' });
    expect(render("{{ 'a' * 1000 }}", {}, { maxMemoryBytes: 1000 })).toMatchObject({ code: 'MEMORY_LIMIT' });
    expect(render("{{ 'a' * 1000 }}", {}, { maxOutputUnits: 999 })).toMatchObject({ code: 'OUTPUT_LIMIT' });
    expect(render('{{ 2 ** 200 }}', {}, { maxIntBits: 128 })).toMatchObject({ code: 'INT_LIMIT' });
    expect(render('{{ [[[[1]]]] }}', {}, { maxCallDepth: 3 })).toMatchObject({ code: 'DEPTH_LIMIT' });
    expect(render("{{ 'a' }}", {}, { meter: new Meter(0, 100) })).toMatchObject({ code: 'STEP_LIMIT' });
  });
});

describe('the dicts of variables', () => {
  const variables = parseJson('{"d": {"b": 1, "10": 2, "9": {"2": 3, "1": 4}}}') as Variables;

  it('have their keys in the order of their document, also those that look like integers', () => {
    const template = compiled('{{ d }} {{ d.keys() | first }} {% for k in d["9"] %}{{ k }}{% endfor %}');
    expect(template.render(variables)).toEqual({
      ok: true,
      value: "{'b': 1, '10': 2, '9': {'2': 3, '1': 4}} b 21",
    });
  });

  it('keep it when they are passed on', () => {
    const passed = (source: string): string => {
      const outcome = compiled(source).evaluate(variables);
      return outcome.ok ? jsonText(outcome.value) : outcome.diagnostic.message;
    };
    expect(passed('{{ d }}')).toBe('{"b":1,"10":2,"9":{"2":3,"1":4}}');
    expect(passed("{{ {'3': 1, 2: d['9']} }}")).toBe('{"3":1,"2":{"2":3,"1":4}}');
  });
});

describe('the numbers of variables', () => {
  it('are ints when they are whole, and floats otherwise', () => {
    expect(render('{{ a }} {{ b }} {{ c }} {{ d }}', { a: 1, b: 1.5, c: -0, d: 1e300 })).toBe(
      '1 1.5 0 1e+300',
    );
    expect(render('{{ a is integer }}{{ b is float }}', { a: 3, b: 0.5 })).toBe('TrueTrue');
  });

  it('are floats that are whole when they say so, and ints beyond 2^53 as bigints', () => {
    expect(render('{{ a }} {{ b + 1 }} {{ a == 1 }}', { a: new Float(1), b: 9_007_199_254_740_993n })).toBe(
      '1.0 9007199254740994 True',
    );
  });
});

describe('evaluate', () => {
  it('gives the value of a lone expression', () => {
    const variables = { n: 3, list: [1, { a: null }], text: 'x', yes: true };
    expect(
      [
        '{{ n }}',
        '{{ n / 2 }}',
        '{{ list }}',
        '{{ yes }}',
        '{{ none }}',
        "{{ {'a': (1, 2)} }}",
        '{{ list | map("string") }}',
        "{{ {'b': 1}.items() }}",
        '{{ text }}\n',
      ].map((source) => evaluate(source, variables)),
    ).toEqual([3, 1.5, [1, { a: null }], true, null, { a: [1, 2] }, ['1', "{'a': None}"], [['b', 1]], 'x']);
  });

  it('gives text for anything else', () => {
    expect(
      ['{{ n }} ', ' {{ n }}', '{{ n }}{{ n }}', '{% if n %}{{ n }}{% endif %}', '3'].map((source) =>
        evaluate(source, { n: 3 }),
      ),
    ).toEqual(['3 ', ' 3', '33', '3', '3']);
    expect([compiled('{{ n }}').isValue, compiled('{{ n }}!').isValue]).toEqual([true, false]);
  });

  it('fails for what JSON cannot hold', () => {
    expect(
      [
        '{{ 10 ** 30 }}',
        '{{ 1e308 * 10 }}',
        "{{ 'a'.upper }}",
        '{{ missing }}',
        '{{ [missing] }}',
        '{{ {(1, 2): 3} }}',
      ].map((source) => evaluate(source)),
    ).toEqual(['EVAL_VALUE', 'EVAL_VALUE', 'EVAL_TYPE', 'EVAL_UNDEFINED', 'EVAL_UNDEFINED', 'EVAL_TYPE']);
    expect(evaluate('{{ 2 ** 60 }}')).toBe(2 ** 60);
  });

  it('gives copies, so that the variables cannot be changed', () => {
    const list = [{ a: 1 }];
    const value = evaluate('{{ list }}', { list }) as { a: number }[];
    expect([value[0] !== list[0], Object.getPrototypeOf(value[0])]).toEqual([true, null]);
  });

  it('writes keys that are no text as JSON does', () => {
    expect(evaluate('{{ {1: "a", none: "b", true2: "c", 1.5: "d", false: "e"} }}', { true2: 'x' })).toEqual({
      1: 'a',
      null: 'b',
      x: 'c',
      '1.5': 'd',
      false: 'e',
    });
  });
});

describe('compileExpression', () => {
  it('tests whether a value counts as true', () => {
    const variables = { outputs: { intake: 'KEY: yes' }, zero: 0 };
    expect(
      [
        "'KEY: yes' in outputs.intake",
        'zero',
        'missing',
        'outputs',
        'none',
        "''",
        "missing is defined or outputs.intake == 'KEY: yes'",
      ].map((source) => condition(source).test(variables)),
    ).toEqual([true, false, false, true, false, false, true].map((value) => ({ ok: true, value })));
  });

  it('fails when something is done with what does not exist', () => {
    expect(condition("missing == 'x'").test({})).toMatchObject({
      ok: false,
      diagnostic: { code: 'EVAL_UNDEFINED', message: "'missing' is undefined" },
    });
    expect(condition('outputs.a.b').test({ outputs: {} })).toMatchObject({
      ok: false,
      diagnostic: { code: 'EVAL_UNDEFINED' },
    });
  });

  it('gives its value', () => {
    expect([
      condition('[1, missing2]').evaluate({ missing2: 2 }),
      condition('missing').evaluate({}),
      condition('1').evaluate({}),
    ]).toEqual([
      { ok: true, value: [1, 2] },
      { ok: true, value: null },
      { ok: true, value: 1 },
    ]);
  });

  it.each([
    ['{{ x }}', 'an expression is written without "{{ }}"'],
    ['a b', 'expected the end of the expression, found "b"'],
    ['a = 1', 'expected the end of the expression, found "="'],
    ['', 'expected a value, found the end of the template'],
    ['a }} b', 'expected the end of the expression, found the end of the tag'],
    ['(a', 'expected ")", found the end of the template'],
  ])('refuses %s', (source, message) => {
    const result = compileExpression(source);
    expect(result.ok ? [] : result.diagnostics.map((diagnostic) => diagnostic.message)).toEqual([message]);
  });
});

describe('filters of the embedder', () => {
  const filters = {
    shout: (value: unknown, args: readonly unknown[], named: { readonly [name: string]: unknown }): string =>
      `${String(value)}${args.join('')}${JSON.stringify(named)}!`,
  };

  it('get JSON and give data', () => {
    const outcome = compiled('{{ list | shout(1, [2], key=none) }}|{{ ["a"] | map("shout") | join }}', {
      filters,
    }).render({ list: [1] });
    expect(outcome).toEqual({ ok: true, value: '112{"key":null}!|a{}!' });
  });

  it('may give more than text', () => {
    const give = { rows: (): Data => [{ n: 1 }, { n: new Float(2) }] };
    expect(compiled('{{ 1 | rows | map(attribute="n") | join(",") }}', { filters: give }).render({})).toEqual(
      { ok: true, value: '1,2.0' },
    );
  });

  it('fail the template with what they throw', () => {
    const broken = {
      broken: (): Data => {
        throw new Error('no luck');
      },
    };
    expect(compiled('{{ 1 | broken }}', { filters: broken }).render({})).toMatchObject({
      ok: false,
      diagnostic: {
        code: 'EVAL_HOST',
        message: 'the filter "broken" failed: no luck',
        span: { start: 3, end: 13 },
      },
    });
  });
});

describe('references', () => {
  const shown = (source: string): string[] =>
    compiled(source).references.map(
      ({ name, path, isOptional, start, end }) =>
        `${[name, ...path].join('.')}${isOptional ? '?' : ''} ${source.slice(start, end)}`,
    );

  it('are what is read of the variables, with the path that is known', () => {
    expect(shown("{{ outputs.search['hits'][0].title | upper }} {{ inputs }}")).toEqual([
      "outputs.search.hits.0.title outputs.search['hits'][0].title",
      'inputs inputs',
    ]);
  });

  it('end where the path depends on something else, which is read too', () => {
    expect(
      shown(
        '{{ outputs[which].text }}{{ outputs.a[1:n] }}{{ outputs.a.upper() }}{{ outputs.a.split(sep)[0] }}',
      ),
    ).toEqual([
      'outputs outputs',
      'which which',
      'outputs.a outputs.a',
      'n n',
      'outputs.a outputs.a',
      'outputs.a outputs.a',
      'sep sep',
    ]);
  });

  it('know what may be missing', () => {
    expect(
      shown("{{ inputs.get('a', {}).get('b', other) }}{{ x.y is defined }}{{ z.q | default(w) }}{{ m }}"),
    ).toEqual([
      "inputs.a.b? inputs.get('a', {}).get('b', other)",
      'other other',
      'x.y? x.y',
      'z.q? z.q',
      'w w',
      'm m',
    ]);
  });

  it('leave out what the template binds itself', () => {
    expect(
      shown(
        '{% set a = b %}{{ a }}{% for x in xs %}{{ x }}{{ loop.index }}{{ y }}{% endfor %}{% macro m(p) %}{{ p }}{{ q }}{% endmacro %}{% with w = v %}{{ w }}{% endwith %}',
      ),
    ).toEqual(['b b', 'xs xs', 'y y', 'q q', 'v v']);
  });

  it('are there for expressions', () => {
    expect(condition("outputs.a == 'x' and b").references.map(({ name, path }) => [name, ...path])).toEqual([
      ['outputs', 'a'],
      ['b'],
    ]);
  });
});

describe('the profile', () => {
  it('is pinned by journals', () => {
    expect(templateProfile).toBe('jinja-1');
  });
});
