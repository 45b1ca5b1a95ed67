// Templates that are out to hang, to fill the memory or to get at JavaScript: each ends as a typed failure, soon.
import { describe, expect, it } from 'vitest';
import { Meter } from '../../src/base/meter.ts';
import {
  compileExpression,
  compileTemplate,
  type Data,
  type TemplateOptions,
} from '../../src/template/template.ts';

/** The code that it ends with, when it is compiled or when it is rendered; or the text. */
function end(
  source: string,
  variables: { readonly [name: string]: Data } = {},
  options: TemplateOptions = {},
): string {
  const compiled = compileTemplate(source);
  if (!compiled.ok) return compiled.diagnostics[0]?.code as string;
  const outcome = compiled.template.render(variables, options);
  return outcome.ok ? outcome.value : outcome.diagnostic.code;
}

/** Far more than any of them takes on a slow machine, and far less than what they are made for. In CPU time: others may be busy. */
const soonMs = 15_000;
const timeoutMs = 180_000;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const many = (text: string, times: number): string => text.repeat(times);
const loops = (depth: number): string =>
  `${many("{% for x in 'abcdefghijklmnopqrstuvwxyz' %}", depth)}x${many('{% endfor %}', depth)}`;

const bombs: readonly (readonly [string, string, string])[] = [
  ['loops in loops', loops(8), 'STEP_LIMIT'],
  ['loops that write nothing', loops(8).replace('x{%', '{%'), 'STEP_LIMIT'],
  [
    'a text that doubles',
    `{% set a = 'aaaaaaaaaaaaaaaa' %}${many('{% set a = a ~ a %}', 60)}{{ a }}`,
    'MEMORY_LIMIT',
  ],
  [
    'a text that doubles, by +',
    `{% set a = 'aaaaaaaaaaaaaaaa' %}${many('{% set a = a + a %}', 60)}`,
    'MEMORY_LIMIT',
  ],
  ['a list that doubles', `{% set a = [1] %}${many('{% set a = a + a %}', 60)}`, 'STEP_LIMIT'],
  ['a text times a million million', "{{ 'a' * 10 ** 12 }}", 'MEMORY_LIMIT'],
  [
    'a long text, many times',
    "{% for x in 'aaaaaaaaaa' * 100000 %}{{ 'b' * 1000000 }}{% endfor %}",
    'OUTPUT_LIMIT',
  ],
  ['a list times a thousand million', '{{ [0] * 10 ** 9 }}', 'MEMORY_LIMIT'],
  ['a tuple times ten million', '{% for x in (1, 2, 3) * 10000000 %}{% endfor %}', 'STEP_LIMIT'],
  ['a power', '{{ 2 ** (10 ** 9) }}', 'INT_LIMIT'],
  ['a tower of powers', '{% set x = 9 ** 9 %}{{ x ** x ** x }}', 'INT_LIMIT'],
  ['factors', `{% set x = 2 ** 60000 %}${many('{% set x = x * x %}', 20)}`, 'INT_LIMIT'],
  ['a long int as text', '{{ 10 ** 5000 }}', 'EVAL_VALUE'],
  ['an int literal of 5000 digits', `{{ ${many('9', 5000)} }}`, 'TEMPLATE_NUMBER'],
  ['a width, by %', "{{ '%2000000000d' % 1 }}", 'MEMORY_LIMIT'],
  ['a precision, by %', "{{ '%.2000000000f' % 1.5 }}", 'MEMORY_LIMIT'],
  ['a width, by *', "{{ '%*d' % (2000000000, 1) }}", 'MEMORY_LIMIT'],
  ['a width, by format', "{{ '{:2000000000}'.format(1) }}", 'MEMORY_LIMIT'],
  ['a precision, by format', "{{ '{:.2000000000f}'.format(1.5) }}", 'MEMORY_LIMIT'],
  ['a width inside a width', "{{ '{:{}}'.format(1, 2000000000) }}", 'MEMORY_LIMIT'],
  ['center', "{{ 'a' | center(10 ** 10) }}", 'MEMORY_LIMIT'],
  ['ljust', "{{ 'a'.ljust(10 ** 10) }}", 'MEMORY_LIMIT'],
  ['zfill', "{{ 'a'.zfill(10 ** 10) }}", 'MEMORY_LIMIT'],
  ['expandtabs', "{{ '\\t'.expandtabs(10 ** 10) }}", 'MEMORY_LIMIT'],
  ['indent', "{{ 'a\\nb' | indent(10 ** 10) }}", 'MEMORY_LIMIT'],
  ['the indent of tojson', '{{ [1] | tojson(10 ** 10) }}', 'MEMORY_LIMIT'],
  ['replace', "{{ ('a' * 100000) | replace('a', 'b' * 100000) }}", 'MEMORY_LIMIT'],
  ['replace, of nothing', "{{ ('a' * 100000).replace('', 'b' * 100000) }}", 'MEMORY_LIMIT'],
  ['join', "{{ ('a' * 100000) | join('b' * 100000) }}", 'MEMORY_LIMIT'],
  ['batch, filled up', "{{ [1] | batch(10 ** 9, 'x') | list }}", 'MEMORY_LIMIT'],
  ['slice, into many', '{{ [1] | slice(10 ** 9) | list }}', 'STEP_LIMIT'],
  ['round', '{{ 5 | round(-(10 ** 9)) }}', 'INT_LIMIT'],
  ['round, up', "{{ 5 | round(10 ** 6, 'ceil') }}", 'INT_LIMIT'],
  ['sum of lists', '{{ ([[1, 2, 3]] * 100000) | sum(start=[]) | length }}', 'STEP_LIMIT'],
  ['sort', "{{ (('ab' * 1000000) | list | sort) | length }}", 'STEP_LIMIT'],
  ['unique', "{{ ('ab' * 20000000) | unique | list }}", 'MEMORY_LIMIT'],
  ['map', "{{ ('ab' * 1000000) | map('upper') | list | length }}", 'STEP_LIMIT'],
  ['wordwrap', "{{ ('a' * 2000000) | wordwrap(1) | length }}", 'STEP_LIMIT'],
  ['a macro that calls itself', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'DEPTH_LIMIT'],
  [
    'macros that call each other',
    '{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}',
    'DEPTH_LIMIT',
  ],
  [
    'a macro that calls itself in a deep expression',
    `{% macro m() %}{{ ${many('(', 90)}m()${many(')', 90)} }}{% endmacro %}{{ m() }}`,
    'DEPTH_LIMIT',
  ],
  ['a loop that loops over itself', '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}', 'DEPTH_LIMIT'],
  [
    'a macro that calls itself twice',
    '{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}',
    'STEP_LIMIT',
  ],
  [
    'a caller that calls',
    '{% macro m() %}{{ caller() }}{% endmacro %}{% macro n() %}{% call m() %}{{ n() }}{% endcall %}{% endmacro %}{{ n() }}',
    'DEPTH_LIMIT',
  ],
  [
    'a list in a list, two thousand deep',
    `{% set a = [] %}${many('{% set a = [a] %}', 2000)}{{ a }}`,
    'DEPTH_LIMIT',
  ],
  [
    'the same, compared',
    `{% set a = [] %}{% set b = [] %}${many('{% set a = [a] %}{% set b = [b] %}', 2000)}{{ a == b }}`,
    'DEPTH_LIMIT',
  ],
  ['the same, as JSON', `{% set a = [] %}${many('{% set a = [a] %}', 2000)}{{ a | tojson }}`, 'DEPTH_LIMIT'],
  [
    'a filter that waits for a filter, two thousand times',
    `{% set a = [1] %}${many("{% set a = a | map('string') %}", 2000)}{{ a | list }}`,
    'DEPTH_LIMIT',
  ],
  ['arguments', "{{ '{}'.format(*('a' * 100000)) }}", 'EVAL_ARGUMENTS'],
  ['brackets', `{{ ${many('(', 5000)}1${many(')', 5000)} }}`, 'TEMPLATE_TOO_DEEP'],
  ['lists', `{{ ${many('[', 5000)}${many(']', 5000)} }}`, 'TEMPLATE_TOO_DEEP'],
  ['signs', `{{ ${many('- ', 5000)}1 }}`, 'TEMPLATE_TOO_DEEP'],
  ['nots', `{{ ${many('not ', 5000)}1 }}`, 'TEMPLATE_TOO_DEEP'],
  ['sums', `{{ 1${many(' + 1', 5000)} }}`, 'TEMPLATE_TOO_DEEP'],
  [
    'sums in brackets of sums',
    `{{ ${many('(', 100)}1${many(`${many(' + 1', 100)})`, 100)} }}`,
    'TEMPLATE_TOO_DEEP',
  ],
  ['attributes', `{{ a${many('.a', 5000)} }}`, 'TEMPLATE_TOO_DEEP'],
  ['filters', `{{ 1${many('|string', 5000)} }}`, 'TEMPLATE_TOO_DEEP'],
  ['calls', `{{ a${many('()', 5000)} }}`, 'TEMPLATE_TOO_DEEP'],
  ['inline ifs', `{{ 1${many(' if 1 else 1', 5000)} }}`, 'TEMPLATE_TOO_DEEP'],
  ['blocks', `${many('{% if 1 %}', 5000)}${many('{% endif %}', 5000)}`, 'TEMPLATE_TOO_DEEP'],
  ['a target', `{% set ${many('(', 5000)}a${many(')', 5000)} = 1 %}`, 'TEMPLATE_TOO_DEEP'],
  ['tags that never close', many('{{ ', 100_000), 'TEMPLATE_UNCLOSED'],
  ['tags that never close, in all kinds', many('{{ \' {% " {# ', 50_000), 'TEMPLATE_UNCLOSED'],
  ['faults without end', many('{{ a b }}', 50_000), 'TEMPLATE_SYNTAX'],
  [
    'names without end',
    `{{ f(${Array.from({ length: 80_000 }, (_, at) => `a${at}=1`).join(',')}) }}`,
    'EVAL_UNDEFINED',
  ],
  ['a long template', many('x', 1_000_001), 'TEMPLATE_TOO_LARGE'],
];

describe('a template that is out to hang or to fill the memory', () => {
  it.each(bombs)(
    '%s',
    (_name, source, code) => {
      const began = cpuMs();
      const before = process.memoryUsage().rss;
      expect(end(source)).toBe(code);
      expect(cpuMs() - began).toBeLessThan(soonMs);
      expect(process.memoryUsage().rss - before).toBeLessThan(1_500_000_000);
    },
    timeoutMs,
  );

  it(
    'has many ifs and many names, and is compiled soon',
    () => {
      const began = cpuMs();
      const sets = Array.from({ length: 10_000 }, (_, at) => `{% set a${at} = 1 %}`).join('');
      expect(end(`${sets}${many('{% if x is defined %}{% endif %}', 15_000)}ok`)).toBe('ok');
      expect(cpuMs() - began).toBeLessThan(soonMs);
    },
    timeoutMs,
  );

  it(
    'looks for a long text in a long text in time that grows with their lengths',
    () => {
      const began = cpuMs();
      const variables = { text: many('a', 400_000), sought: `b${many('a', 200_000)}` };
      expect(
        end(
          '{{ sought in text }}{{ text.find(sought) }}{{ text.rfind(sought) }}{{ text.count(sought) }}{{ (text | replace(sought, "")) == text }}{{ text.split(sought) | length }}',
          variables,
        ),
      ).toBe('False-1-10True1');
      expect(cpuMs() - began).toBeLessThan(soonMs);
    },
    timeoutMs,
  );

  it.each([
    ['slugify', many('-', 300_000), ''],
    ['slugify', `a${many('-', 300_000)}b`, `a${many('-', 127)}`],
    ['extract_path', many('=', 300_000), ''],
    ['extract_path', many('.', 300_000), ''],
    ['striptags | length', many('<', 300_000), '300000'],
    ['float', `${many('1', 300_000)}x`, '0.0'],
    ['int', many('9', 300_000), '0'],
    ['date', many('2', 300_000), 'EVAL_VALUE'],
    ['wordcount', many('a-', 150_000), '150000'],
    ['title | length', many('-(', 150_000), '300000'],
    ['wordwrap(50) | length', many('a--', 100_000), '306060'],
  ])(
    'passes a long text through %s in time',
    (filter, text, expected) => {
      const began = cpuMs();
      expect(end(`{{ text | ${filter} }}`, { text })).toBe(expected);
      expect(cpuMs() - began).toBeLessThan(soonMs);
    },
    timeoutMs,
  );
});

describe('a template that is out to get at JavaScript', () => {
  const variables = {
    text: 'a',
    number: 1,
    list: [1],
    record: { key: 'value' },
    bare: Object.assign(Object.create(null) as { [key: string]: Data }, { key: 1 }),
  };

  it.each([
    '{{ constructor }}',
    '{{ text.constructor }}',
    "{{ text['constructor'] }}",
    '{{ list.constructor }}',
    '{{ record.constructor }}',
    "{{ record['constructor'] }}",
    "{{ record['__proto__'] }}",
    '{{ bare.constructor }}',
    '{{ number.constructor }}',
    "{{ record | attr('constructor') }}",
    "{{ [record] | map(attribute='constructor') | join }}",
    "{{ [text] | map(attribute='constructor.constructor') | join }}",
    "{{ '{0.constructor}'.format(text) }}",
    "{{ '{0[constructor]}'.format(record) }}",
    '{{ text.length }}',
    '{{ list.length }}',
    '{{ list.map }}',
    '{{ record.hasOwnProperty }}',
    '{{ record.toString }}',
    '{{ text.toUpperCase() }}',
    '{{ process }}',
    '{{ globalThis }}',
    '{{ require }}',
    '{{ this }}',
    '{{ toString }}',
    '{{ valueOf }}',
    '{{ hasOwnProperty }}',
    '{{ text.upper.constructor }}',
    '{% for x in list %}{{ loop.constructor }}{% endfor %}',
    '{% macro m() %}{% endmacro %}{{ m.constructor }}',
    '{{ (list | map("string")).next }}',
    '{{ record.items().dict }}',
    '{{ self }}',
    '{{ record.get.self }}',
    '{{ (text | e).text }}',
    '{{ 1.5.value }}',
    "{{ [1, 2] | groupby(0) | map(attribute='fields') | join }}",
  ])('%s is undefined', (source) => {
    expect(end(source, variables)).toBe('EVAL_UNDEFINED');
  });

  it.each([
    '{{ text.__class__ }}',
    "{{ text['__class__'] }}",
    "{{ text | attr('__class__') }}",
    '{{ list.append(1) }}',
    '{{ record.update({}) }}',
    '{{ list.pop() }}',
    '{{ list.clear() }}',
    "{{ '{0.__class__}'.format(1) }}",
    "{{ ('{0.__class__}' | safe).format(1) }}",
    "{{ '{a.__init__}'.format_map({'a': 1}) }}",
    "{% set f = text.format %}{{ '{0.__class__}'.format(f) }}",
  ])('%s is refused', (source) => {
    expect(end(source, variables)).toBe('EVAL_UNSAFE');
  });

  it('may have keys that JavaScript knows, which are only keys', () => {
    const source =
      "{% set d = {'__proto__': 1, 'constructor': 2, 'toString': 3} %}{{ d }}{{ d['__proto__'] }}{{ d.constructor }}{{ d.toString }}{{ d | length }}{{ d | tojson }}";
    expect(end(source)).toBe(
      '{\'__proto__\': 1, \'constructor\': 2, \'toString\': 3}1233{"__proto__": 1, "constructor": 2, "toString": 3}',
    );
    const compiled = compileTemplate("{{ {'__proto__': {'polluted': true}, 'a': {'constructor': 1}} }}");
    const outcome = compiled.ok ? compiled.template.evaluate({}) : null;
    const value = outcome?.ok === true ? (outcome.value as { readonly [key: string]: unknown }) : {};
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(null);
    expect(({} as { readonly polluted?: boolean }).polluted).toBe(undefined);
  });

  it('reads a key named __proto__ of its variables, and no prototype', () => {
    const given = JSON.parse('{"d": {"__proto__": "own"}, "__proto__": "top"}') as {
      readonly [name: string]: Data;
    };
    expect(end("{{ d['__proto__'] }}{{ d | length }}{{ __proto__ }}", given)).toBe('own1top');
    expect(
      end('{{ d.polluted }}', { d: Object.create({ polluted: 1 }) as { readonly [key: string]: Data } }),
    ).toBe('EVAL_UNDEFINED');
  });

  it('leaves Object.prototype alone', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const [, source] of bombs.slice(0, 3)) end(source, {}, { maxSteps: 1000 });
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });
});

describe('variables that are odd', () => {
  it('may hold themselves: walking them ends', () => {
    const loop: { [key: string]: Data } = { name: 'x' };
    loop['self'] = loop;
    const list: Data[] = [];
    list.push(list);
    expect(end('{{ loop.self.self.name }}', { loop })).toBe('x');
    expect(end('{{ loop }}', { loop })).toBe('DEPTH_LIMIT');
    expect(end('{{ list | tojson }}', { list })).toBe('DEPTH_LIMIT');
    expect(end('{{ list == [list] }}', { list })).toBe('DEPTH_LIMIT');
  });

  it('may be deep', () => {
    let deep: Data = 'bottom';
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(end('{{ deep[0][0] is iterable }}', { deep })).toBe('True');
    expect(end('{{ deep }}', { deep })).toBe('DEPTH_LIMIT');
  });

  it('cost nothing until they are used', () => {
    const large = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`key${at}`, { value: at }]));
    const meter = new Meter(100, 10_000);
    expect(end('{{ small }}', { small: 1, large }, { meter })).toBe('1');
    expect(meter.steps).toBeLessThan(10);
  });
});

describe('the meter', () => {
  it('is charged the same for the same, and given back what was only made on the way', () => {
    const compiled = compileTemplate(
      "{% for x in list %}{{ ('a' * 100) | upper | truncate(3) }}{% endfor %}",
    );
    const used = [0, 1].map(() => {
      const meter = new Meter(1_000_000, 1_000_000);
      const outcome = compiled.ok ? compiled.template.render({ list: [1, 2, 3] }, { meter }) : null;
      return [outcome, meter.steps, meter.memory];
    });
    expect(used[0]).toEqual(used[1]);
    expect(used[0]?.[0]).toEqual({ ok: true, value: 'AAAAAAAAA' });
    expect(used[0]?.[2]).toBe(18);
  });

  it('is shared: what one template used is gone for the next', () => {
    const compiled = compileExpression("'a' in 'abc'");
    if (!compiled.ok) throw new Error('it compiles');
    const meter = new Meter(20, 1000);
    const outcomes = Array.from({ length: 10 }, () => compiled.expression.test({}, { meter }));
    expect(outcomes[0]).toEqual({ ok: true, value: true });
    expect(outcomes.at(-1)).toMatchObject({ ok: false, diagnostic: { code: 'STEP_LIMIT' } });
  });
});
