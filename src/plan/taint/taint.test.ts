// What is unsafe in a template, and what is not.
import { describe, expect, it } from 'vitest';
import { compileSkill, composition, skillWith } from '../../../test/support/plan-texts.ts';
import type { PlanWorld } from '../world.ts';
import { entrypointOf } from '../entrypoint.ts';

const steps = `- id: a
  kind: llm_chat
  with: {task: think}
- id: b
  kind: llm_chat
  with: {task: think}
- id: sort
  kind: llm_classify
  output_choices: [BUG, FEATURE]
  with: {text: think}
- id: form
  kind: user_input
  clarify:
    fields:
      - {name: topic, type: string}
      - {name: short, type: string, max_chars: 80}
      - {name: count, type: int, min: 1, max: 9}
      - {name: sure, type: bool}
      - {name: tone, type: enum, choices: [warm, cool]}
- id: data
  kind: llm_chat
  with: {task: think}
  output_schema: {type: object, properties: {score: {type: integer}, kind: {enum: [x, y]}, note: {type: string}, short: {type: string, maxLength: 90}, tags: {type: array, items: {type: string}}}}
`;

function taints(
  template: string,
  step = `- id: last\n  kind: llm_chat\n  depends_on: [a, b, sort, form, data]\n  with:\n    task: ${JSON.stringify(template)}\n`,
): readonly string[] {
  const { diagnostics, plan } = compileSkill(composition(steps + step));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ message }) => message)).toEqual([]);
  expect(plan).not.toBeNull();
  return diagnostics.filter(({ code }) => code.startsWith('TAINT_')).map(({ code }) => code);
}

describe('text that reaches a prompt', () => {
  const unsafe: readonly string[] = [
    // What the original's three regular expressions let pass.
    "{{ inputs['user_message'] }}",
    "{{ inputs.get('user_message') }}",
    '{% set m = inputs.user_message %}{{ m }}',
    "{{ outputs['a'] }}",
    '{% set o = outputs.a %}{{ o }}',
    "{% for k in ['a'] %}{{ outputs[k] }}{% endfor %}",
    '{{ outputs.a ~ (outputs.b | truncate(1)) }}',
    '{{ outputs.a | truncate(0) }}',
    '{{ outputs.a | truncate(100000000) }}',
    '{{ inputs.collected.form.topic }}',
    "{{ inputs.get('collected', {}).get('form', {}).get('topic', '') }}",
    '{{ inputs.system_prompt }}',
    // The plain ones.
    '{{ inputs.user_message }}',
    '{{ outputs.a }}',
    '{{ inputs.user_message | truncate(100) }}',
    '{{ inputs.user_message | xml_escape }}',
    '{{ inputs.user_message | tojson }}',
    // Through aliases and containers.
    '{% set i = inputs %}{{ i.user_message }}',
    '{% set i = inputs %}{% set m = i["user_message"] %}{% set n = m %}{{ n | lower }}',
    '{% set all = [inputs.user_message, 1] %}{{ all[0] }}',
    '{% set all = {"m": inputs.user_message} %}{{ all.m }}',
    '{% set all = {"m": outputs.a} %}{{ all.get("m") }}',
    '{% set x, y = 1, outputs.a %}{{ y }}',
    '{% set key = "user_" ~ "message" %}{{ inputs[key] }}',
    '{{ outputs.get("a", "") or outputs.get("b") }}',
    '{{ [outputs.a, outputs.b] | join(", ") }}',
    '{{ [outputs.a] | first }}',
    '{{ outputs.values() | join("") }}',
    '{{ outputs }}',
    '{{ inputs | tojson }}',
    // Concatenation and formatting.
    '{{ "Say " ~ outputs.a }}',
    '{{ "Say " + outputs.a }}',
    '{{ "Say %s" % outputs.a }}',
    '{{ "Say {}".format(outputs.a) }}',
    '{{ "-".join([outputs.a]) }}',
    '{{ outputs.a * 3 }}',
    '{{ outputs.a | replace("a", "b") }}',
    '{{ (outputs.a | truncate(5)) ~ outputs.b }}',
    // Branches.
    '{{ outputs.a if outputs.b else "none" }}',
    '{{ "none" if outputs.b else outputs.a }}',
    '{% if outputs.b %}{{ outputs.a }}{% endif %}',
    '{% if outputs.b %}x{% elif outputs.a %}{{ inputs.user_message }}{% else %}y{% endif %}',
    '{% if outputs.b %}{% set m = outputs.a %}{% else %}{% set m = "" %}{% endif %}{{ m }}',
    '{{ inputs.get("nothing") | default(inputs.user_message) }}',
    '{{ outputs.a | default("") }}',
    // Loops.
    '{% for line in outputs.a.splitlines() %}{{ line }}{% endfor %}',
    '{% for c in outputs.a %}{{ c | truncate(1) }}{% endfor %}',
    '{% for c in inputs.user_message %}{{ c | xml_escape | truncate(1) }}{% endfor %}',
    '{% for k, v in outputs.items() %}{{ v }}{% endfor %}',
    '{% for o in [outputs.a, outputs.b] %}- {{ o }}{% endfor %}',
    // Captures.
    '{% set m %}{{ outputs.a }}{% endset %}{{ m }}',
    '{% macro show(x) %}{{ x }}{% endmacro %}{{ show(outputs.a) }}',
    '{% macro show(x=outputs.a) %}{{ x }}{% endmacro %}{{ show() }}',
    '{% macro show() %}{{ caller() }}{% endmacro %}{% call show() %}{{ inputs.user_message }}{% endcall %}',
    '{% filter upper %}{{ outputs.a }}{% endfilter %}',
    '{% with m = outputs.a %}{{ m }}{% endwith %}',
    // Bounds that bound nothing, escapes that are undone.
    '{{ outputs.a | truncate(-5) }}',
    '{{ outputs.a | truncate(outputs.b | length) }}',
    '{{ outputs.a | truncate(10 ** 9) }}',
    '{{ outputs.a[:-1] }}',
    '{{ outputs.a[5:] }}',
    '{{ inputs.user_message | xml_escape | truncate(90) | replace("&lt;", "<") }}',
    '{{ inputs.user_message | xml_escape | truncate(90) | striptags }}',
    '{{ inputs.user_message | truncate(90) | lower }}',
    '{{ (inputs.user_message | truncate(90)) * 1000000 }}',
    '{{ outputs.a | truncate(9, true, "", 99999999) }}',
    '{{ outputs.a | truncate(9, end=outputs.b) }}',
    '{{ inputs.user_message | safe | e | truncate(9) }}',
    '{{ (inputs.user_message | e | truncate(9)).unescape() }}',
    '{{ outputs.a | slice(5, -1) }}',
    '{{ outputs.a | upper | trim }}',
    '{{ outputs.a.strip().lower() }}',
    '{{ outputs.a.split("\\n")[0] }}',
    // Forms and data.
    '{{ inputs.collected }}',
    '{{ inputs.collected.form }}',
    '{{ inputs.collected.form.short }}',
    '{{ inputs.collected.form.additional_notes }}',
    '{{ outputs.form }}',
    '{{ outputs.data }}',
    '{{ outputs.data.note }}',
    '{% for t in outputs.data.tags %}{{ t }}{% endfor %}',
    '{{ inputs.preferences }}',
    '{{ errors.get("a") }}',
  ];
  it.each(unsafe)('is reported: %s', (template) => {
    expect(taints(template)).toContain('TAINT_PROMPT');
  });

  const safe: readonly string[] = [
    '{{ inputs.user_message | xml_escape | truncate(512) }}',
    '{{ inputs.user_message | truncate(512) | xml_escape }}',
    '{{ inputs.user_message | slugify | truncate(80) }}',
    '{{ inputs.user_message | slugify }}',
    '{{ inputs.user_message | lower | xml_escape | truncate(512) }}',
    '{{ (inputs.user_message | truncate(4000)) | tojson }}',
    '{{ inputs.user_message | e | truncate(512) }}',
    '{{ inputs.user_message[:500] | xml_escape }}',
    '{{ outputs.a | truncate(2000) }}',
    '{{ outputs.a | truncate(length=2000) }}',
    '{{ outputs.a | truncate }}',
    '{{ outputs.a | truncate(40 * 100) }}',
    '{{ outputs.a | xml_escape }}',
    '{{ outputs.a | tojson }}',
    '{{ outputs.a | slugify }}',
    '{{ outputs.a[:200] }}',
    '{{ outputs.a | slice(0, 200) }}',
    "{% if outputs.a in ['x', 'y'] %}{{ outputs.a }}{% endif %}",
    "{{ outputs.a if outputs.a == 'x' else 'y' }}",
    '{{ outputs.a[-200:] }}',
    '{{ outputs.a.strip() | truncate(9) }}',
    '{{ outputs.get("a", "") | truncate(9) }}',
    '{{ (outputs.get("a") or outputs.b) | truncate(9) }}',
    '{{ (outputs.a ~ outputs.b) | truncate(9) }}',
    '{{ outputs.a | default("none") | truncate(9) }}',
    '{{ outputs.a | truncate(9) | default("none") }}',
    '{{ outputs.a | truncate(9) | upper | trim }}',
    '{{ outputs | tojson }}',
    '{{ inputs | tojson | truncate(900) }}',
    // Nothing from outside is left.
    '{{ outputs.a | length }}',
    '{{ outputs.a | int }}',
    '{{ inputs.user_message | length }}',
    '{{ inputs.user_message | contains_cjk }}',
    '{{ inputs.user_message is defined }}',
    '{{ outputs.a == outputs.b }}',
    "{{ 'yes' in outputs.a }}",
    '{{ not outputs.a }}',
    '{{ outputs.a.startswith("x") }}',
    '{{ outputs.a.count("x") }}',
    '{{ "yes" if outputs.a else "no" }}',
    '{% if outputs.a %}yes{% else %}no{% endif %}',
    '{% for line in outputs.a.splitlines() %}{{ loop.index }}{% endfor %}',
    '{{ inputs.workspace_dir }}/{{ inputs.meta_run_id }}',
    '{{ inputs.user_language }} {{ inputs.language_instruction }}',
    '{{ inputs.get("config", {}).get("x", {}).get("y", "z") }}',
    '{{ 3 }} {{ "text" }} {{ [1, 2] | join(",") }} {{ {"a": 1}.a }}',
    // Closed sets.
    '{{ outputs.sort }}',
    'Kind: {{ outputs.sort | lower }}',
    '{{ inputs.collected.form.count }} {{ inputs.collected.form.sure }} {{ inputs.collected.form.tone }}',
    '{{ inputs.collected.form.short | xml_escape }}',
    "{{ inputs.get('collected', {}).get('form', {}).get('tone', 'warm') }}",
    '{{ outputs.data.score }} {{ outputs.data.kind }} {{ outputs.data.short }}',
    // Bounded item by item.
    '{% for line in outputs.a.splitlines() %}- {{ line | truncate(80) }}{% endfor %}',
    '{% for line in (outputs.a | truncate(900)).splitlines() %}- {{ line }}{% endfor %}',
    '{% for t in outputs.data.tags %}{{ t | truncate(20) }}{% endfor %}',
    '{% for o in [outputs.a, outputs.b] %}- {{ o | truncate(20) }}{% endfor %}',
    // Captured and bounded where it comes out.
    '{% set m %}{{ outputs.a }}{% endset %}{{ m | truncate(9) }}',
    '{% set m = outputs.a | truncate(9) %}{{ m }}',
    '{% macro show(x) %}{{ x | truncate(9) }}{% endmacro %}{{ show(outputs.a) }}',
    '{% filter truncate(9) %}{{ outputs.a }}{% endfilter %}',
    '{% set m | truncate(9) %}{{ outputs.a }}{% endset %}{{ m }}',
    '{% set m = "fixed" %}{{ m }}',
    '{% raw %}{{ inputs.user_message }}{% endraw %}',
    '{# {{ inputs.user_message }} #}fixed',
    '{% macro unused(x) %}{{ x }}{% endmacro %}fixed',
  ];
  it.each(safe)('is not reported: %s', (template) => {
    expect(taints(template)).toEqual([]);
  });
});

describe('every place a template can stand', () => {
  const unsafe = '{{ inputs.user_message }}';
  const places: readonly (readonly [place: string, step: string, code: string])[] = [
    ['with of an agent', `- id: z\n  skill: x\n  with: {q: {deep: ["${unsafe}"]}}`, 'TAINT_PROMPT'],
    [
      'with of llm_classify',
      `- id: z\n  kind: llm_classify\n  output_choices: [A]\n  with: {text: "${unsafe}"}`,
      'TAINT_PROMPT',
    ],
    ['with of skill_exec', `- id: z\n  kind: skill_exec\n  skill: x\n  with: {q: "${unsafe}"}`, 'TAINT_TOOL'],
    [
      'tool_args',
      `- id: z\n  kind: tool_call\n  tool: memory_save\n  tool_args: {text: "${unsafe}"}`,
      'TAINT_TOOL',
    ],
    [
      'the command of a tool',
      `- id: z\n  kind: tool_call\n  tool: exec_command\n  tool_args: {command: "ls {{ inputs.user_message | xml_escape | truncate(9) }}"}`,
      'TAINT_COMMAND',
    ],
    [
      'the intro of a form',
      `- id: z\n  kind: user_input\n  clarify: {intro: "${unsafe}", fields: [{name: x}]}`,
      'TAINT_PROMPT',
    ],
    [
      'an item of for_each',
      '- id: z\n  kind: llm_chat\n  depends_on: [a]\n  for_each: "outputs.a.splitlines()"\n  with: {task: "{{ item }}"}',
      'TAINT_PROMPT',
    ],
    [
      'a named item of for_each',
      '- id: z\n  kind: llm_chat\n  depends_on: [a]\n  for_each: {items: "outputs.a.splitlines()", as: line}\n  with: {task: "{{ line }}"}',
      'TAINT_PROMPT',
    ],
    [
      'the error of a substitute',
      '- id: z\n  kind: llm_chat\n  with: {task: x}\n  on_failure: y\n- id: y\n  kind: llm_chat\n  with: {task: "{{ error }}"}',
      'TAINT_PROMPT',
    ],
  ];
  it.each(places)('%s', (_place, step, code) => {
    expect(taints('', step)).toEqual([code]);
  });

  it.each([
    [
      'a slug in a command',
      '- id: z\n  kind: tool_call\n  tool: exec_command\n  tool_args: {command: "mkdir {{ inputs.user_message | slugify }}"}',
    ],
    [
      'a constant item of for_each',
      '- id: z\n  kind: llm_chat\n  for_each: [one, two]\n  with: {task: "{{ item }} {{ loop.index }}"}',
    ],
    [
      'conditions decide, they do not flow',
      `- id: z\n  kind: llm_chat\n  depends_on: [a]\n  when: "'x' in outputs.a and inputs.user_message"\n  with: {task: x}`,
    ],
    [
      'a bounded item',
      '- id: z\n  kind: llm_chat\n  depends_on: [a]\n  for_each: "outputs.a.splitlines()"\n  with: {task: "{{ item | truncate(80) }}"}',
    ],
    [
      'a bounded item of what may be a list',
      '- id: z\n  kind: llm_chat\n  for_each: "inputs.get(\'list\', [])"\n  with: {task: "{{ item | xml_escape | truncate(80) }}"}',
    ],
    [
      'a bounded error',
      '- id: z\n  kind: llm_chat\n  with: {task: x}\n  on_failure: y\n- id: y\n  kind: llm_chat\n  with: {task: "{{ error | truncate(80) }}"}',
    ],
  ])('%s is fine', (_what, step) => {
    expect(taints('', step)).toEqual([]);
  });
});

describe('the words of exec_command', () => {
  const told = (words: string, tool = 'exec_command', key = 'command'): readonly string[] =>
    taints(
      '',
      `- id: z\n  kind: tool_call\n  tool: ${tool}\n  depends_on: [a]\n  tool_args: {${key}: ${words}}`,
    );
  const user = '{{ inputs.user_message | xml_escape | truncate(9) }}';
  const output = '{{ outputs.a | truncate(9) }}';

  it.each([
    ['an argument behind --', `[echo, --, "${output}"]`],
    ['user text that is escaped and bounded', `[echo, --, "${user}"]`],
    ['an argument behind its option', `[git, log, --author, "${output}"]`],
    ['--name=…', `[git, log, "--author=${output}"]`],
    ['JSON', `[tool, --data, "{{ outputs.a | tojson }}"]`],
    ['a slug anywhere', `[mkdir, "{{ inputs.user_message | slugify }}"]`],
    ['a slug in code', `[sh, -c, "ls {{ outputs.a | slugify }}"]`],
    ['constants', `[sh, -c, "ls | wc -l"]`],
    ['arguments of a script', `[sh, -c, 'cat "$1"', sh, "./${output}"]`],
  ])('are content with %s', (_what, words) => {
    expect(told(words)).toEqual([]);
  });

  it.each([
    ['what may begin with a dash', `[echo, "${output}"]`, 'TAINT_ARGUMENT'],
    ['an option that has its value already', `[git, --depth=1, "${output}"]`, 'TAINT_ARGUMENT'],
    ['output without a bound', '[echo, --, "{{ outputs.a }}"]', 'TAINT_ARGUMENT'],
    [
      'user text that is not escaped',
      '[echo, --, "{{ inputs.user_message | truncate(9) }}"]',
      'TAINT_ARGUMENT',
    ],
    ['user text without a bound', '[echo, --, "{{ inputs.user_message | xml_escape }}"]', 'TAINT_ARGUMENT'],
    ['the program itself', `["{{ outputs.a | slugify }}", --, x]`, 'TAINT_COMMAND'],
    ['code for a shell', `[bash, -lc, "ls ${output}"]`, 'TAINT_COMMAND'],
    ['code for an interpreter', `[python3, -c, "print('${output}')"]`, 'TAINT_COMMAND'],
    ['a command on another machine', `[ssh, host, --, "${output}"]`, 'TAINT_COMMAND'],
    ['a list that is one text', `"{{ ['echo', outputs.a | truncate(9)] }}"`, 'TAINT_COMMAND'],
  ])('are told of %s', (_what, words, code) => {
    expect(told(words)).toEqual([code]);
  });

  it('stay a command line where another tool gets them', () => {
    expect(told(`[echo, --, "${output}"]`, 'bash')).toEqual(['TAINT_COMMAND']);
    expect(told(`[--, "${output}"]`, 'run_command', 'args')).toEqual([]);
    expect(told('[--, "{{ inputs.user_message | truncate(9) }}"]', 'run_command', 'args')).toEqual([
      'TAINT_ARGUMENT',
    ]);
  });
});

describe('entry points of skills that a step executes', () => {
  const world = (entrypoint: { readonly [key: string]: unknown }): Partial<PlanWorld> => ({
    skill: (name) =>
      name === 'x'
        ? {
            form: 'instructions',
            entrypoint: entrypointOf(entrypoint as never),
            risk: 'low',
            capabilities: [],
            builtin: false,
          }
        : null,
  });
  const step = (value: string): string =>
    composition(
      `- id: a\n  kind: llm_chat\n  with: {task: think}\n- id: z\n  kind: skill_exec\n  skill: x\n  depends_on: [a]\n  with: {q: "${value}"}`,
    );
  const told = (value: string, entrypoint: { readonly [key: string]: unknown }): readonly string[] =>
    compileSkill(step(value), world(entrypoint))
      .diagnostics.filter(({ code }) => code.startsWith('TAINT_'))
      .map(({ code, message }) => `${code} ${message}`);

  it('tells of an argument that may begin with a dash', () => {
    expect(told('{{ outputs.a | truncate(9) }}', { command: 'python x.py', args: ['{{ with.q }}'] })).toEqual(
      [
        'TAINT_ARGUMENT step "z": with.q becomes an argument that may begin with "-" and be read as an option of the skill "x"',
      ],
    );
  });

  it('tells of an argument of any length', () => {
    expect(
      told('{{ outputs.a | tojson }}', { command: 'python x.py', args: ['--q', '{{ with.q }}'] }),
    ).toEqual(['TAINT_ARGUMENT step "z": with.q becomes an argument of any length of the skill "x"']);
  });

  it('tells of what becomes part of the command', () => {
    expect(told('{{ outputs.a | slugify }}', { command: 'python {{ with.q }}.py' })).toEqual([
      'TAINT_COMMAND step "z": with.q becomes part of the command of the skill "x"',
    ]);
  });

  it.each([
    ['behind its option', ['--q', '{{ with.q }}']],
    ['behind --', ['--', '{{ with.q }}']],
    ['as --q=…', ['--q={{ with.q }}']],
    ['with something before it', ['./{{ with.q }}']],
  ])('is content with an argument %s', (_how, args) => {
    expect(told('{{ outputs.a | truncate(9) }}', { command: 'python x.py', args })).toEqual([]);
  });

  it('tells of what an interpreter would run', () => {
    expect(told('{{ outputs.a | truncate(9) }}', { command: 'bash -c', args: ['ls {{ with.q }}'] })).toEqual([
      'TAINT_COMMAND step "z": with.q becomes part of the command of the skill "x"',
    ]);
    expect(told('{{ outputs.a | slugify }}', { command: 'bash -c', args: ['ls {{ with.q }}'] })).toEqual([]);
  });

  it('is content with standard input, and with slugs as arguments', () => {
    expect(told('{{ outputs.a | tojson }}', { command: 'python x.py', stdin: '{{ with.q }}' })).toEqual([]);
    expect(told('{{ outputs.a | slugify }}', { command: 'python x.py', args: ['{{ with.q }}'] })).toEqual([]);
  });
});

describe('workflows and chains', () => {
  const told = (lines: string): readonly string[] =>
    compileSkill(skillWith(`metadata: {techne: {risk: high}}\n${lines}`)).found.filter(
      (one) => !one.startsWith('RISK'),
    );

  it('bounds user text on its way to a tool, and hands outputs over whole', () => {
    expect(
      told(
        'inputs: ["path|required"]\nsteps:\n  - {id: s, tool: read_file, params: {path: "{{ inputs.path }}"}}\n  - {id: t, tool: write_note, params: {body: "{{ s }}", title: "On {{ s }}"}}\n',
      ),
    ).toEqual(['TAINT_TOOL "{{ inputs.path }}"', 'TAINT_TOOL "{{ s }}"']);
  });

  it('escapes user text on its way to a model', () => {
    expect(
      told(
        'inputs: ["q|required"]\nsteps:\n  - {id: s, tool: chat, params: {prompt: "{{ inputs.q | truncate(9) }}"}}\n  - {id: t, tool: ask, params: {prompt: "{{ s }}"}, tools: []}\n',
      ),
    ).toEqual(['TAINT_PROMPT "{{ inputs.q | truncate(9) }}"', 'TAINT_PROMPT "{{ s }}"']);
  });

  it('keeps options out of arguments, and everything out of the program', () => {
    expect(
      told(
        'inputs: ["ref|required"]\nsteps:\n  - {id: s, tool: command, params: {argv: ["{{ inputs.ref }}", "{{ inputs.ref | truncate(9) }}"]}}\n',
      ),
    ).toEqual(['TAINT_COMMAND "{{ inputs.ref }}"', 'TAINT_ARGUMENT "{{ inputs.ref | truncate(9) }}"']);
    expect(
      told(
        'inputs: ["ref|required"]\nsteps:\n  - {id: s, tool: command, params: {argv: [git, log, --, "{{ inputs.ref | truncate(9) }}"]}}\n',
      ),
    ).toEqual([]);
  });

  it('keeps everything but slugs out of what an interpreter runs', () => {
    expect(
      told(
        'inputs: ["ref|required"]\nsteps:\n  - {id: s, tool: command, params: {argv: [sh, -c, "{{ inputs.ref | truncate(9) }}"]}}\n  - {id: t, tool: exec_command, params: {command: [git, show, --, "{{ inputs.ref | truncate(9) }}"]}}\n',
      ),
    ).toEqual(['TAINT_COMMAND "{{ inputs.ref | truncate(9) }}"']);
  });

  it('knows inputs by their schema', () => {
    expect(
      told(
        'inputs: {n: {type: integer, required: true}, tone: {enum: [warm, cool], required: true}, q: {type: string, maxLength: 80, required: true}}\nsteps:\n  - {id: s, tool: chat, params: {prompt: "{{ inputs.n }} {{ inputs.tone }} {{ inputs.q | xml_escape }}"}}\n',
      ),
    ).toEqual([]);
  });

  it('bounds outputs in a text that a chain hands on', () => {
    expect(
      told(
        'chain:\n  - {id: one, skill: x}\n  - {id: two, skill: y, inputs: {task: "Sum up: {{ one }}", all: "{{ one }}", last: "{{ previous }}"}}\n',
      ),
    ).toEqual(['TAINT_TOOL "{{ one }}"']);
  });
});

describe('templates made to keep the check busy', () => {
  const times = (count: number, part: string): string => part.repeat(count);
  it.each([
    [
      'lists of lists',
      `{% set x = [outputs.a] %}${times(60, '{% set x = [x, x] %}')}{{ x | first | lower }}`,
    ],
    ['joins of joins', `{% set x = outputs.a %}${times(60, '{% set x = x | join(x) %}')}{{ x }}`],
    [
      'choices of choices',
      `{% set x = inputs %}{% set y = outputs %}{% set z = inputs %}${times(40, '{% set x = y or z %}{% set y = z or x %}{% set z = x or y %}')}{{ x.user_message }}`,
    ],
    [
      'dicts of dicts',
      `{% set x = {"a": outputs.a} %}${times(60, '{% set x = {"a": x, "b": x} %}')}{{ x.values() | list }}`,
    ],
    [
      'macros of macros',
      `{% macro m0(x) %}{{ x }}{% endmacro %}${Array.from({ length: 30 }, (_, n) => `{% macro m${n + 1}(x) %}{{ m${n}(x) }}{{ m${n}(x) }}{% endmacro %}`).join('')}{{ m30(outputs.a) }}`,
    ],
    [
      'a macro that calls itself',
      '{% macro m(x) %}{{ x }}{{ m(x) }}{{ m(x) }}{% endmacro %}{{ m(outputs.a) }}',
    ],
    ['formats of formats', `{% set x = outputs.a %}${times(60, '{% set x = "%s%s" % (x, x) %}')}{{ x }}`],
  ])(
    '%s are told in time',
    (_what, template) => {
      expect(taints(template)).toContain('TAINT_PROMPT');
    },
    5000,
  );
});
