// Ways by which text from outside was once let through, and correct templates that were once told of.
import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../test/fuzz/taint/oracle.ts';
import { compileSkill, composition, skillWith } from '../../../test/support/plan-texts.ts';

const steps = `- id: a
  kind: llm_chat
  with: {task: think}
- id: t
  kind: tool_call
  tool: memory_save
  tool_args: {text: x}
- id: data
  kind: llm_chat
  with: {task: think}
  output_schema: {type: object, properties: {tags: {type: array, items: {type: string}}, c: {type: array, maxItems: 5, items: {type: string, maxLength: 40}}, rows: {type: array, items: {type: object, properties: {name: {type: string}}}}}}
- id: form
  kind: user_input
  clarify: {fields: [{name: topic, type: string}]}
`;
const um = 'inputs.user_message';

function taints(template: string): readonly string[] {
  const { diagnostics } = compileSkill(
    composition(
      `${steps}- id: last\n  kind: llm_chat\n  depends_on: [a, t, data, form]\n  with:\n    task: ${JSON.stringify(template)}\n`,
    ),
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual(
    [],
  );
  return diagnostics.filter(({ code }) => code.startsWith('TAINT_')).map(({ code }) => code);
}

describe('text that comes out of', () => {
  const chain = `{% macro m0() %}{{ ${um} }}{% endmacro %}${Array.from({ length: 15 }, (_, n) => `{% macro m${n + 1}() %}{{ m${n}() }}{% endmacro %}`).join('')}{{ m15() }}`;
  const burnt = `{% macro z() %}{{ ${um} }}{% endmacro %}{% macro c0() %}x{% endmacro %}${Array.from({ length: 10 }, (_, n) => `{% macro c${n + 1}() %}{{ c${n}() }}{{ c${n}() }}{% endmacro %}`).join('')}{{ c10() }}{{ z() }}`;
  const macro = `{% macro m() %}{{ ${um} }}{% endmacro %}{% macro n() %}x{% endmacro %}`;
  const shown = '{% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}';
  it.each([
    // Lists of which not everything is known.
    "{% for t in inputs.history | default(['none']) %}{{ t }}{% endfor %}",
    "{{ (inputs.history | default(['none']))[0] }}",
    "{% for t in inputs.history + ['x'] %}{{ t }}{% endfor %}",
    "{% for t in inputs.get('history', ['x']) %}{{ t }}{% endfor %}",
    "{% for t in outputs.t or ['x'] %}{{ t }}{% endfor %}",
    `{{ ['a', ${um}][1:][0] }}`,
    `{{ (['a', ${um}] | reverse | list)[0] }}`,
    `{{ (['a', ${um}] | reject('equalto', 'a') | list)[0] }}`,
    `{{ (['a'] if false else [${um}])[0] }}`,
    `{{ ([{'x': ${um}}] | groupby('x') if outputs.a else [[1, 2]])[0].grouper }}`,
    "{{ (outputs.data.tags + ['x'])[1] }}",
    `{% set a, b = {${um}: 1, 'x': 2} %}{{ a }}`,
    `{{ {'1': ${um}, 1: 'x'}['1'] }}`,
    // Arguments of filters.
    `{{ 'x' | int(${um}) }}`,
    `{{ 'x' | float(default=${um}) }}`,
    `{{ '2020-01-01' | date(${um}) }}`,
    `{{ [1] | batch(3, ${um}) | list }}`,
    `{{ [1, 2] | slice(3, ${um}) | list }}`,
    `{{ [1, 2] | slice(3, fill_with=${um}) | list }}`,
    `{{ [1, 2] | tojson(indent=${um}) }}`,
    `{{ ('a\\nb' | safe | indent(${um})) | e | truncate(90) }}`,
    // Sets and bytes.
    `{{ {${um}: 1}.keys() - ['x'] }}`,
    `{{ ${um} - {'x': 1}.keys() }}`,
    `{{ ({'a': ${um}}.items() - []) | first }}`,
    `{{ ({'x': 1}.keys() - []).union([${um}]) | join }}`,
    `{{ ${um}.encode() }}`,
    `{{ ${um}.encode().decode() }}`,
    // Spreads.
    `${shown}{{ m(*['x', ${um}]) }}`,
    `${shown}{{ m('x', **{'b': ${um}}) }}`,
    `{% macro m(a) %}{{ a }}{% endmacro %}{% call m(*[${um}]) %}{% endcall %}`,
    `{{ 'x' | replace(*['x', ${um}]) }}`,
    "{{ outputs.a | truncate(10, **{'leeway': 10000000}) }}",
    `{{ 'aaaa' | truncate(1, **{'end': ${um}}) }}`,
    // What a condition says, after the name was bound again.
    `{% set x = 'a' %}{% if x == 'a' %}{% set x = ${um} %}{{ x }}{% endif %}`,
    `{% set k = 'a' %}{% if k == 'a' %}{% for k in [${um}] %}{{ k }}{% endfor %}{% endif %}`,
    "{% if inputs.get('collected.form.topic', 'x') == 'x' %}{{ inputs.collected.form.topic }}{% endif %}",
    `{% set x = 'a' %}{% macro m() %}{{ x }}{% endmacro %}{% if true %}{% set x = ${um} %}{{ m() }}{% endif %}`,
    // What can be called.
    `{% for i in [1] %}{{ loop['cycle'](${um}) }}{% endfor %}`,
    `{% for i in [1] %}{% set c = loop.cycle %}{{ c(${um}) }}{% endfor %}`,
    `{% for i in [1] recursive %}{{ i }}{% if loop.depth < 2 %}{{ loop([${um}]) }}{% endif %}{% endfor %}`,
    `${macro}{{ (m if true else n)() }}`,
    `${macro}{{ (m or 1)() }}`,
    `${macro}{{ (m | default(''))() }}`,
    `${macro}{{ {'f': m}.f() }}`,
    `{{ (${um} | e | attr('unescape'))() | truncate(90) }}`,
    `{% for i in [${um}, 1] %}{{ '{0.nextitem}'.format(loop) if loop.last else (loop | attr('previtem')) | default('') }}{% endfor %}`,
    `{% macro m() %}{{ caller(${um}) }}{% endmacro %}{% call m() %}{{ varargs | first }}{% endcall %}`,
    // Where the check would have to go far.
    chain,
    burnt,
    // Many short pieces, and escapes that are undone piece by piece.
    `{% for w in ${um}.split('E') %}{{ w | xml_escape | truncate(99999) }}{% endfor %}`,
    `{% for c in ${um} %}{{ ${um}[loop.index0] | xml_escape }}{% endfor %}`,
    `{{ (${um} | xml_escape | truncate(90)).split('&lt;') | join('<') }}`,
  ])('%s is told of', (template) => {
    expect(taints(template)).toContain('TAINT_PROMPT');
  });

  const list: readonly string[] = [
    `{{ ['a', ${um}][1:][0] }}`,
    `{{ 'n' | int(${um}) }}`,
    `${macro}{{ (m or 1)() }}`,
    chain,
    `{% for w in ${um}.split(',') %}{{ w | xml_escape | truncate(20) }}{% endfor %}`,
  ];
  it.each(list)('%s really comes out', (template) => {
    expect(verdictOf(template)).toEqual({ missed: null, told: true, leaks: true, rendered: true });
  });
});

describe('correct templates', () => {
  it.each([
    '{{ (inputs.user_message | xml_escape)[:200] }}',
    '{{ outputs.a | truncate(200 if outputs.t else 100) }}',
    '{% set n = 200 if outputs.t else 100 %}{{ outputs.a | truncate(n) }}',
    "{% for k, v in {'x': outputs.a}.items() %}{{ k }}: {{ v | truncate(5) }}{% endfor %}",
    '{{ outputs.a | first }}',
    '{{ outputs.a | trim | first | truncate(3) }}',
    "{{ outputs.data.c | join(', ') }}",
    "{{ '%.20s' | format(outputs.a) }}",
    "{{ outputs.data.tags | map('truncate', 20) | join(', ') }}",
    "{% for t in (inputs.history | default(['none'])) %}{{ t | xml_escape | truncate(50) }}{% endfor %}",
    "{% for w in inputs.user_message.split(',')[:5] %}{{ w | xml_escape | truncate(50) }}{% endfor %}",
    "{% for w in (inputs.user_message | truncate(500)).split(',') %}{{ w | xml_escape }}{% endfor %}",
    '{% for k, v in outputs.items() %}{{ k }}: {{ v | truncate(9) }}{% endfor %}',
    "{% for r in outputs.data.rows | groupby('name') %}{{ r.grouper | truncate(9) }}: {% for one in r.list %}{{ one.name | truncate(9) }}{% endfor %}{% endfor %}",
    '{% for r in outputs.data.rows recursive %}{{ r.name | truncate(9) }}{{ loop(r.children) if r.children else "" }}{% endfor %}',
    '{% macro m(x, n) %}{{ x | truncate(9) }}{% if n > 0 %}{{ m(x, n - 1) }}{% endif %}{% endmacro %}{{ m(outputs.a, 3) }}',
    "{% macro card(t) %}<b>{{ t | truncate(9) }}</b>{{ caller() }}{% endmacro %}{% call card(outputs.a) %}{% call card('x') %}y{% endcall %}{% endcall %}",
    "{% for t in outputs.data.tags if t in ['x', 'y'] %}{{ t }}{% endfor %}",
    '{% set m %}{% for c in outputs.a %}{{ c }}{% endfor %}{% endset %}{{ m | truncate(90) }}',
  ])('%s are not told of', (template) => {
    expect(taints(template)).toEqual([]);
  });
});

describe('an argument that may begin with a dash', () => {
  const told = (word: string): readonly string[] =>
    compileSkill(
      skillWith(
        `metadata: {techne: {risk: high}}\ninputs: ["ref|required"]\nsteps:\n  - {id: s, tool: command, params: {argv: [rm, ${JSON.stringify(word)}]}}\n`,
      ),
    ).found.filter((one) => one.startsWith('TAINT'));
  const q = 'inputs.ref';
  it.each([
    `{{ (${q}.lstrip('-') | truncate(50))[1:] }}`,
    `{{ (${q} | slugify)[1:] }}`,
    `{{ ${q} | slugify | replace('a', '') }}`,
    `{{ ${q} | tojson | truncate(50) | trim('"') }}`,
    `{{ ${q} | truncate(50) | replace('-', '', 1) }}`,
    `{{ ${q} | truncate(50) | replace('-', '', 0) }}`,
    `{{ ('x/' ~ ${q} | truncate(5)).split('/')[1] }}`,
    `{{ (' ' ~ ${q} | truncate(5)) | trim }}`,
    `{% set x %}{% if false %}a{% endif %}{{ ${q} | truncate(5) }}{% endset %}{{ x }}`,
  ])('%s is told of', (word) => {
    expect(told(word)).toHaveLength(1);
  });

  it.each([
    `{{ ${q} | slugify }}`,
    `{{ ${q} | slugify | trim }}`,
    `{{ ${q} | truncate(50) | replace('-', '_') }}`,
    `{{ ${q}.lstrip('-') | truncate(50) }}`,
    `./{{ ${q} | truncate(50) }}`,
    `{{ 'x/' ~ (${q} | truncate(5)) }}`,
    `{% set x %}a{{ ${q} | truncate(5) }}{% endset %}{{ x }}`,
  ])('%s is fine', (word) => {
    expect(told(word)).toEqual([]);
  });
});

describe('inputs that the starter of a run can give', () => {
  const told = (form: 'workflow' | 'composition', key: string): readonly string[] => {
    const step =
      form === 'workflow'
        ? skillWith(
            `metadata: {techne: {risk: high}}\nsteps:\n  - {id: s, tool: chat, params: {prompt: "{{ inputs.${key} }}"}}\n`,
          )
        : composition(`- id: z\n  kind: llm_chat\n  with: {task: "{{ inputs.${key} }}"}\n`);
    return compileSkill(step)
      .diagnostics.filter(({ code }) => code.startsWith('TAINT'))
      .map(({ code }) => code);
  };
  it.each(['workspace_dir', 'run_id', 'meta_run_id', 'config', 'language_instruction', 'user_language'])(
    '%s: only the engine sets it in a composition, anybody in a workflow',
    (key) => {
      expect(told('composition', key)).toEqual([]);
      expect(told('workflow', key)).toEqual(['TAINT_PROMPT']);
    },
  );
});

describe('the check of many findings', () => {
  it('takes no longer for each the more there are', () => {
    const time = (count: number): number => {
      const text = composition(
        `- id: a\n  kind: llm_chat\n  with: {task: x}\n- id: z\n  kind: llm_chat\n  depends_on: [a]\n  with: {task: "${'{{ outputs.a }} '.repeat(count)}"}\n`,
      );
      const begun = performance.now();
      expect(compileSkill(text).fixes).toHaveLength(count);
      return performance.now() - begun;
    };
    time(200);
    const few = Math.max(time(500), 5);
    // Sixteen times as many; quadratic would be 256 times as long.
    expect(time(8000) / few).toBeLessThan(80);
  }, 60_000);
});

describe('which skill, tool or model a step of a workflow uses', () => {
  const told = (step: string): readonly string[] =>
    compileSkill(
      skillWith(
        `metadata: {techne: {risk: high}}\ninputs: {t: {type: string, required: true}, kind: {enum: [one, two], required: true}}\nsteps:\n  - ${step}\n`,
      ),
    ).found.filter((one) => one.startsWith('TAINT'));
  const t = '{{ inputs.t | xml_escape | truncate(60) }}';
  it.each([
    `{id: s, tool: skill, params: {skill: "${t}"}}`,
    `{id: s, tool: skill, params: {name: "${t}"}}`,
    `{id: s, skill: "${t}"}`,
    `{id: s, tool: ask, params: {prompt: x, tools: ["${t}"]}}`,
    `{id: s, tool: ask, params: {prompt: x, skill: "${t}"}}`,
    `{id: s, tool: chat, params: {prompt: x, model: "${t}"}}`,
  ])('%s is not for others to choose', (step) => {
    expect(told(step)).toEqual([`TAINT_COMMAND "${t}"`]);
  });

  it.each([
    '{id: s, tool: skill, params: {skill: "{{ inputs.kind }}"}}',
    "{id: s, skill: \"{{ 'one' if inputs.t else 'two' }}\"}",
    `{id: s, skill: one, params: {name: "${t}", skill: "${t}"}}`,
  ])('%s is a choice among what is written down', (step) => {
    expect(told(step)).toEqual([]);
  });
});

describe('the output of a step that runs for each of several items', () => {
  const found = (merge: string, template: string): readonly string[] => {
    const { diagnostics } = compileSkill(
      composition(
        `${steps}- id: e\n  kind: llm_chat\n  for_each: {items: "['x', 'y']", merge: ${merge}}\n  with: {task: think}\n- id: last\n  kind: llm_chat\n  depends_on: [e]\n  with:\n    task: ${JSON.stringify(template)}\n`,
      ),
    );
    return diagnostics.filter(({ code }) => code.startsWith('TAINT_')).map(({ code }) => code);
  };

  it('is one text, a list, or one of them', () => {
    const whole = '{{ outputs.e }}';
    const cut = '{{ outputs.e | truncate(100) }}';
    const each = '{% for one in outputs.e %}{{ one | truncate(100) }}{% endfor %}';
    // Iterating over a text of any length gives any number of pieces; over a list, its items.
    expect(
      ['concat', 'list', 'first', 'last'].map((merge) => [
        merge,
        ...[whole, cut, each].map((template) => found(merge, template).join()),
      ]),
    ).toEqual([
      ['concat', 'TAINT_PROMPT', '', 'TAINT_PROMPT'],
      ['list', 'TAINT_PROMPT', '', ''],
      ['first', 'TAINT_PROMPT', '', 'TAINT_PROMPT'],
      ['last', 'TAINT_PROMPT', '', 'TAINT_PROMPT'],
    ]);
  });
});
