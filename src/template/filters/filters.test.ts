// What Jinja cannot be asked about: the filters that compositions and workflows bring. The others are compared with it.
import { describe, expect, it } from 'vitest';
import { compileTemplate, type Data, type TemplateOptions } from '../template.ts';

function render(
  source: string,
  variables: { readonly [name: string]: Data } = {},
  options: TemplateOptions = {},
): string {
  const compiled = compileTemplate(source);
  if (!compiled.ok) return compiled.diagnostics.map(({ code }) => code).join();
  const outcome = compiled.template.render(variables, options);
  return outcome.ok ? outcome.value : `${outcome.diagnostic.code}: ${outcome.diagnostic.message}`;
}

describe('truncate', () => {
  it.each([
    ["{{ 'abcdef' | truncate(3) }}", 'abc'],
    ["{{ 'abc' | truncate(3) }}", 'abc'],
    ["{{ 'abc' | truncate(0) }}{{ 'abc' | truncate(-1) }}", 'abcabc'],
    ["{{ ('a' * 2000) | truncate | length }}", '1024'],
    ["{{ '😀😀😀' | truncate(2) }}", '😀😀'],
    ['{{ 12345 | truncate(length=2) }}', '12'],
    ["{{ 'abcdef' | truncate(4, end='…') }}", 'abc…'],
    ["{{ 'foo bar baz qux' | truncate(9, false, '...') }}", 'foo...'],
    ["{{ 'foo bar baz qux' | truncate(13, true, '...', 5) }}", 'foo bar baz qux'],
    ["{{ 'abc' | truncate('x') }}", "EVAL_TYPE: '<=' not supported between instances of 'str' and 'int'"],
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });
});

describe('slice', () => {
  it.each([
    ['{{ [1, 2, 3, 4, 5] | slice(0, 3) }}', '[1, 2, 3]'],
    ["{{ 'abcdef' | slice(2, 4) }}", 'cd'],
    ['{{ [1, 2, 3] | slice(-2, 9) }}', '[2, 3]'],
    ["{{ [1, 2, 3] | map('string') | slice(1, 2) }}", "['2']"],
    ['{{ [1, 2, 3] | slice(2) | list }}', '[[1, 2], [3]]'],
    ['{{ [1, 2, 3] | slice(2, fill_with=0) | list }}', '[[1, 2], [3, 0]]'],
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });
});

describe('extract_path', () => {
  it.each([
    ["{{ 'see /tmp/a.csv and b.md' | extract_path }}", '/tmp/a.csv'],
    ["{{ 'see /tmp/a.csv and b.md' | extract_path('md') }}", 'b.md'],
    ["{{ 'see /tmp/a.csv and b.md' | extract_path('.MD') }}", 'b.md'],
    ["{{ 'read notes/plan.v2.MD, please' | extract_path('md') }}", 'notes/plan.v2.MD'],
    ["{{ '`data/x.xlsx`。' | extract_path }}", 'data/x.xlsx'],
    ["{{ 'a.mdx b.json5' | extract_path }}", ''],
    ["{{ 'nothing here' | extract_path }}|{{ 5 | extract_path }}", '|'],
    ["{{ '报告.md' | extract_path }}", '报告.md'],
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });
});

describe('int', () => {
  it('reads other bases when the whole text is one', () => {
    expect(
      render(
        "{{ '0x1f' | int(0, 16) }} {{ '101' | int(base=2) }} {{ 'zz' | int(-1, 16) }} {{ '0b11' | int(0, 0) }}",
      ),
    ).toBe('31 5 -1 3');
  });
});

describe('date', () => {
  const startedAtMs = Date.UTC(2026, 2, 1, 9, 5, 7, 42);
  it.each([
    ["{{ 'now' | date }}", '2026-03-01'],
    ["{{ 'today' | date('dddd, D MMMM YYYY') }}", 'Sunday, 1 March 2026'],
    ["{{ 'now' | date('YYYY-MM-DD HH:mm:ss.SSS Z') }}", '2026-03-01 09:05:07.042 +00:00'],
    ["{{ 'now' | date('YY/M/D h:mm A, ddd MMM Do [week] W') }}", '26/3/1 9:05 AM, Sun Mar 1st week 9'],
    [
      "{{ 'now' | date('%Y-%m-%dT%H:%M:%S%z %j %A %B %p %V %%') }}",
      '2026-03-01T09:05:07+0000 060 Sunday March AM 09 %',
    ],
    ["{{ 'now' | date('%-d.%-m.') }}", '1.3.'],
    ["{{ '2024-02-29' | date('DD.MM.YYYY') }}", '29.02.2024'],
    ["{{ '2024-12-31T23:30:00-05:00' | date('YYYY-MM-DD HH:mm ZZ') }}", '2024-12-31 23:30 -0500'],
    ["{{ '20240102T030405Z' | date('D/M HH:mm:ss') }}", '2/1 03:04:05'],
    ["{{ '2024-01-02 03:04' | date('HH:mm') }}", '03:04'],
    [
      '{{ 1700000000 | date }} {{ 1700000000000 | date }} {{ 0.5 | date("SSS") }} {{ -86400 | date }}',
      '2023-11-14 2023-11-14 500 1969-12-31',
    ],
    ["{{ '2024-02-30' | date }}", "EVAL_VALUE: '2024-02-30' is not a date that can be read"],
    ["{{ 'tomorrow' | date }}", "EVAL_VALUE: 'tomorrow' is not a date that can be read"],
    ["{{ '' | date }}", "EVAL_VALUE: '' is not a date that can be read"],
    ['{{ none | date }}', 'EVAL_TYPE: date needs a date or a time, not NoneType'],
    ["{{ 'now' | date('%Q') }}", 'EVAL_VALUE: "%Q" is not part of a date format'],
    ["{{ 'now' | date(5) }}", 'EVAL_TYPE: the format of a date must be text, not int'],
  ])('%s', (source, expected) => {
    expect(render(source, {}, { startedAtMs })).toBe(expected);
  });

  it('does not know when a run began unless it is given', () => {
    // The local time of where it began.
    const options = { startedAtMs: Date.UTC(2026, 2, 1, 23, 30), startedOffsetMinutes: 60 };
    expect(render("{{ 'now' | date('YYYY-MM-DD HH:mm Z') }}", {}, options)).toBe('2026-03-02 00:30 +01:00');
    expect(render("{{ 'now' | date }}")).toBe('EVAL_VALUE: it is not known here when the run began');
  });
});

describe('items and methods of a dict', () => {
  const variables = { d: { items: 'mine', get: 1, values: [2] } };
  it('are told apart: a point is the item, a call the method', () => {
    expect(
      render(
        "{{ d.items }} {{ d['items'] }} {{ d.values[0] }} {{ d.items() | list | length }} {{ d.get('get') }} {{ d.keys() | list }}",
        variables,
      ),
    ).toBe("mine mine 2 3 1 ['items', 'get', 'values']");
  });
});

describe('tojson', () => {
  it('sorts keys by characters, not by units', () => {
    expect(render("{{ {'😀': 1, '\\ue000': 2} | tojson }}")).toBe('{"\\ue000": 2, "\\ud83d\\ude00": 1}');
  });
});
