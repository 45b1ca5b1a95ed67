import { describe, expect, it } from 'vitest';
import { chat, compileSkill, composition, headOf, skillWith } from '../../test/support/plan-texts.ts';
import { collectInto } from '../base/diagnostic.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { nodeFrontmatter } from '../node/yaml.ts';
import { checkEntrypoint } from './compile-plan.ts';
import type { Plan, PlanStep } from './plan.ts';
import { emptyWorld } from './world.ts';

function planOf(text: string): Plan {
  const { plan, diagnostics } = compileSkill(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return plan as Plan;
}

function stepOf(text: string, id: string): PlanStep {
  return planOf(text).steps.find((step) => step.id === id) as PlanStep;
}

describe('compilePlan, for a composition', () => {
  it('gives defaults to everything that is left out', () => {
    const plan = planOf(composition('- id: read_it\n  skill: reader\n'));
    expect(plan).toMatchObject({
      form: 'composition',
      name: 'sample',
      finalText: { mode: 'auto' },
      inputs: [],
      outputContract: null,
      preflight: null,
      output: null,
      capabilities: null,
      parallel: 4,
      needs: { skills: ['reader'], tools: [], models: [] },
    });
    expect(plan.steps[0]).toMatchObject({
      id: 'read_it',
      kind: 'agent',
      label: 'Read It',
      dependsOn: [],
      when: null,
      route: [],
      skill: 'reader',
      values: {},
      onFailure: null,
      timeoutMs: null,
      retry: { maxAttempts: 1, backoffMs: 0 },
      forEach: null,
      continueOnError: false,
      outputSchema: null,
      model: null,
      tools: null,
      idempotent: false,
      sideEffect: null,
      progress: true,
    });
  });

  it('lets 1 to 100 steps run in parallel', () => {
    const withParallel = (count: number): string =>
      composition(chat('a')).replace('composition:\n', `composition:\n  parallel: ${count}\n`);
    expect([1, 100].map((count) => planOf(withParallel(count)).parallel)).toEqual([1, 100]);
    expect([0, 101].flatMap((count) => compileSkill(withParallel(count)).found)).toEqual([
      'PLAN_VALUE "0"',
      'PLAN_VALUE "101"',
    ]);
  });

  it.each([
    ['', 'concurrency: 12', 12, 12, []],
    ['', '', 4, 4, []],
    ['parallel: 2', '', 2, 2, []],
    ['parallel: 20', 'concurrency: 12', 20, 12, []],
    ['parallel: 3', 'concurrency: 12', 3, 3, ['PLAN_LIMIT "id: a"']],
    ['max_parallelism: 7', 'concurrency: 12', 7, 7, ['PLAN_ALIAS "max_parallelism"', 'PLAN_LIMIT "id: a"']],
  ])('lets as many items run at once as it says: %j, %j', (plan, loop, parallel, concurrency, found) => {
    const text = composition(chat('a', `for_each: {items: [x, y]${loop === '' ? '' : `, ${loop}`}}`)).replace(
      'composition:\n',
      plan === '' ? 'composition:\n' : `composition:\n  ${plan}\n`,
    );
    const compiled = compileSkill(text);
    expect([compiled.plan?.parallel, compiled.plan?.steps[0]?.forEach?.concurrency, compiled.found]).toEqual([
      parallel,
      concurrency,
      found,
    ]);
  });

  it('reads every key of a step', () => {
    const text = composition(`${chat('first')}- id: z
  skill: a
  depends_on: [first]
  label: Do it
  label_zh: 做
  when: "outputs.first"
  route: [{when: "'x' in outputs.first", to: b}]
  on_failure: other
  timeout: 1m
  retry: {max_attempts: 3, backoff_ms: 500}
  for_each: {items: "outputs.first.splitlines()", as: line, concurrency: 2, merge: concat}
  continue_on_error: true
  output_schema: {type: object}
  model: fast
  tools: [read_file, "Bash(git *)"]
  max_turns: 4
  idempotent: true
  progress_emits: false
  with: {task: "{{ line | truncate(9) }}", n: 3, deep: {list: [true, "x"]}}
${chat('other')}`);
    expect(stepOf(text, 'z')).toMatchObject({
      label: 'Do it',
      labels: { zh: '做', en: null },
      dependsOn: ['first'],
      when: { text: 'outputs.first' },
      route: [{ when: { text: "'x' in outputs.first" }, to: 'b' }],
      onFailure: 'other',
      timeoutMs: 60_000,
      retry: { maxAttempts: 3, backoffMs: 500 },
      forEach: {
        items: { text: 'outputs.first.splitlines()' },
        list: null,
        as: 'line',
        concurrency: 2,
        merge: 'concat',
      },
      continueOnError: true,
      outputSchema: { type: 'object' },
      model: 'fast',
      tools: ['read_file', 'Bash(git *)'],
      maxTurns: 4,
      idempotent: true,
      progress: false,
      values: { task: '{{ line | truncate(9) }}', n: 3, deep: { list: [true, 'x'] } },
    });
    expect(stepOf(text, 'other')).toMatchObject({ substituteOf: 'z', dependsOn: [] });
  });

  it('reads choices that YAML 1.1 would take for truth values as text', () => {
    expect(
      stepOf(
        composition('- id: a\n  kind: llm_classify\n  output_choices: [YES, NO, on]\n  with: {text: x}'),
        'a',
      ).choices,
    ).toEqual(['YES', 'NO', 'on']);
  });

  it('adds additional_notes to a form that has none', () => {
    const { clarify } = stepOf(
      composition(
        '- id: a\n  kind: user_input\n  clarify:\n    cancel_keywords: [STOP, Never Mind]\n    nl_extract: true\n    nl_extract_tier: fast\n    timeout_hours: 2\n    fields: [{name: n, type: int, min: 1, max: 5, default: 2, prompt: How many?}]',
      ),
      'a',
    );
    expect(clarify).toMatchObject({
      mode: 'form',
      cancelWords: ['stop', 'never mind'],
      timeoutHours: 2,
      extract: true,
      extractModel: 'fast',
      skipIf: null,
    });
    expect(
      clarify?.fields.map(({ name, type, maxChars, hasDefault }) => ({ name, type, maxChars, hasDefault })),
    ).toEqual([
      { name: 'n', type: 'int', maxChars: null, hasDefault: true },
      { name: 'additional_notes', type: 'string', maxChars: 2000, hasDefault: false },
    ]);
  });

  it('drops the tier of nl_extract where there is no nl_extract', () => {
    expect(
      stepOf(
        composition('- id: a\n  kind: user_input\n  clarify: {nl_extract_tier: fast, fields: [{name: x}]}'),
        'a',
      ).clarify,
    ).toMatchObject({ extract: false, extractModel: null, timeoutHours: 24 });
  });

  it('reads the card and its gate, and the contract', () => {
    const plan = planOf(
      composition(
        chat('a'),
        'final_text_mode: "step:a"\nrequest_template:\n  outcome: {zh: 稿, en: A draft}\n  mode: confirm\n  assumptions: [short]\n  fields: [{name: topic, label_en: Topic, required: true}]\noutput_contract:\n  required_sections: [Summary]\n  do_not: [lorem]\n  must_not_include: [ipsum]\n  artifacts: [{title: pdf, path: "out/{{ inputs.meta_run_id }}.pdf", required: false}]\n  append_to_final_text: false\n',
      ),
    );
    expect(plan.preflight).toMatchObject({
      confirm: true,
      outcome: 'A draft',
      assumptions: ['short'],
      fields: [{ name: 'topic', label: 'Topic', required: true, default: null }],
    });
    expect(plan.outputContract).toEqual({
      requiredSections: ['Summary'],
      forbiddenTerms: ['lorem', 'ipsum'],
      artifacts: [{ name: 'pdf', path: 'out/{{ inputs.meta_run_id }}.pdf', required: false }],
      assumptions: [],
      unverified: [],
      appendToFinalText: false,
    });
    expect(plan.finalText).toEqual({ mode: 'step', step: 'a' });
  });
});

describe('compilePlan, for workflows and chains', () => {
  it('runs the steps of a workflow one after the other', () => {
    const plan = planOf(
      skillWith(
        'inputs: ["path|required"]\nsteps:\n  - {id: source, tool: read_file, params: {path: "{{ inputs.path | truncate(99) }}"}}\n  - {id: sum, tool: chat, params: {prompt: "{{ source | truncate(99) }}"}, condition: "source"}\n  - {id: sort, tool: classify, params: {text: "{{ sum | truncate(99) }}", choices: [A, B]}}\n  - {id: log, tool: command, params: {command: [git, log]}}\n  - {id: next, skill: other, params: {x: 1}}\n  - {id: free, tool: ask, params: {prompt: hi}, depends_on: [source], tools: []}\n',
      ),
    );
    expect(
      plan.steps.map(({ id, kind, dependsOn, skill, tool, choices }) => ({
        id,
        kind,
        dependsOn,
        skill,
        tool,
        choices,
      })),
    ).toEqual([
      { id: 'source', kind: 'tool', dependsOn: [], skill: null, tool: 'read_file', choices: null },
      { id: 'sum', kind: 'chat', dependsOn: ['source'], skill: null, tool: null, choices: null },
      { id: 'sort', kind: 'classify', dependsOn: ['sum'], skill: null, tool: null, choices: ['A', 'B'] },
      { id: 'log', kind: 'command', dependsOn: ['sort'], skill: null, tool: null, choices: null },
      { id: 'next', kind: 'skill', dependsOn: ['log'], skill: 'other', tool: null, choices: null },
      { id: 'free', kind: 'agent', dependsOn: ['source'], skill: null, tool: null, choices: null },
    ]);
    expect(plan.steps[3]?.values).toEqual({ argv: ['git', 'log'] });
    expect(plan.inputs).toEqual([{ key: 'path', required: true, description: null, schema: null }]);
  });

  it('knows the variables of triggers as inputs', () => {
    const { found } = compileSkill(
      skillWith(
        'triggers: ["note on {topic}", x]\nsteps:\n  - {id: a, tool: memory_search, params: {query: "{{ inputs.topic | truncate(9) }} {{ inputs.topik | truncate(9) }}"}}\n',
      ),
    );
    expect(found).toEqual(['PLAN_REFERENCE_DOUBTFUL "inputs.topik"']);
  });

  it('names the steps of a chain by their skills', () => {
    const plan = planOf(
      skillWith(
        'chain:\n  - one\n  - {skill: two, inputs: {text: "{{ one }}"}, condition: "one", continueOnError: true}\n  - two\n',
      ),
    );
    expect(
      plan.steps.map(({ id, kind, skill, dependsOn, continueOnError }) => ({
        id,
        kind,
        skill,
        dependsOn,
        continueOnError,
      })),
    ).toEqual([
      { id: 'one', kind: 'skill', skill: 'one', dependsOn: [], continueOnError: false },
      { id: 'two', kind: 'skill', skill: 'two', dependsOn: ['one'], continueOnError: true },
      { id: 'two_2', kind: 'skill', skill: 'two', dependsOn: ['two'], continueOnError: false },
    ]);
  });

  it('finds the output template, its variants and what is wrong in it', () => {
    const files = new Map([
      ['assets/template.md', '# {{ inputs.title }}\n{{ sum }}\n'],
      ['assets/template-short.md', '{{ summ }}'],
      ['assets/other.md', ''],
    ]);
    const world = { file: (path: string) => files.get(path) ?? null, paths: () => [...files.keys()] };
    const text = skillWith(
      'inputs: ["title|required"]\noutput: assets/template.md\nrefine: true\nsteps:\n  - {id: sum, tool: chat, params: {prompt: hi}}\n',
    );
    const { diagnostics } = compileSkill(text, world);
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toContain(
      'PLAN_REFERENCE the output template: assets/template-short.md: nothing is named "summ"',
    );
    files.set('assets/template-short.md', '{{ sum | truncate(9) }}');
    expect(compileSkill(text, world).plan?.output).toEqual({
      path: 'assets/template.md',
      variants: { short: 'assets/template-short.md' },
      refine: true,
    });
  });

  it('refuses an output template that is not there', () => {
    expect(
      compileSkill(
        skillWith('output: assets/template.md\nsteps:\n  - {id: a, tool: chat, params: {prompt: hi}}\n'),
        { file: () => null },
      ).found,
    ).toContain('PLAN_OUTPUT_MISSING "assets/template.md"');
  });
});

describe('references', () => {
  const step = (id: string, template: string, more = ''): string =>
    `- id: ${id}\n  kind: llm_chat\n  with: {task: ${JSON.stringify(template)}}\n${more.replace(/^(?=.)/gm, '  ')}${more === '' ? '' : '\n'}`;

  it('makes a step wait for what it reads, and says so', () => {
    const { plan, found } = compileSkill(composition(chat('a') + step('b', '{{ outputs.a | truncate(9) }}')));
    expect(found).toEqual(['PLAN_REFERENCE_ORDER "outputs.a"']);
    expect(plan?.steps[1]).toMatchObject({ dependsOn: ['a'], implied: ['a'] });
  });

  it.each<readonly [what: string, text: string, expected: readonly string[]]>([
    [
      'a step that does not exist',
      composition(chat('fetch') + step('b', '{{ outputs.fetsh | truncate(9) }}', 'depends_on: [fetch]')),
      ['PLAN_REFERENCE "outputs.fetsh"'],
    ],
    [
      'the same, where it need not exist',
      composition(step('b', "{{ outputs.get('x', '') | truncate(9) }}")),
      ["PLAN_REFERENCE_DOUBTFUL \"outputs.get('x', '')\""],
    ],
    [
      'the same, where it is asked for',
      composition(step('b', '{% if outputs.x is defined %}{{ outputs.x | truncate(9) }}{% endif %}')),
      ['PLAN_REFERENCE_DOUBTFUL "outputs.x"', 'PLAN_REFERENCE_DOUBTFUL "outputs.x"'],
    ],
    [
      'names that belong to the host',
      composition(step('b', "{{ outputs.get('__host__', '') | truncate(9) }}")),
      [],
    ],
    [
      'its own output',
      composition(step('b', '{{ outputs.b | truncate(9) }}')),
      ['PLAN_REFERENCE "outputs.b"'],
    ],
    [
      'a later step',
      composition(step('a', '{{ outputs.b | truncate(9) }}') + step('b', 'x', 'depends_on: [a]')),
      ['PLAN_REFERENCE "outputs.b"'],
    ],
    [
      'each other',
      composition(step('a', '{{ outputs.b | truncate(9) }}') + step('b', '{{ outputs.a | truncate(9) }}')),
      ['PLAN_REFERENCE_ORDER "outputs.b"', 'PLAN_REFERENCE "outputs.a"'],
    ],
    ['an undefined variable', composition(step('a', '{{ topic }}')), ['PLAN_REFERENCE "topic"']],
    ['a variable that is only tried', composition(step('a', "{{ topic | default('x') }}")), []],
    [
      'the dialect that writes steps',
      composition(step('a', '{{ steps.x.output }}')),
      ['PLAN_REFERENCE "steps"'],
    ],
    [
      'an undeclared input',
      composition(step('a', '{{ inputs.topc | xml_escape | truncate(9) }}'), 'inputs: ["topic|required"]\n'),
      ['PLAN_REFERENCE_DOUBTFUL "inputs.topc"'],
    ],
    [
      'in a condition',
      composition(step('a', 'x', `when: "'A' in outputs.zz"`)),
      ['PLAN_REFERENCE "outputs.zz"'],
    ],
    [
      'in a route',
      composition(
        `- id: a\n  skill: x\n  route: [{when: "outputs.zz", to: y}]`,
        'metadata: {techne: {risk: high}}\n',
      ),
      ['PLAN_REFERENCE "outputs.zz"'],
    ],
    [
      'in skip_if',
      composition('- id: a\n  kind: user_input\n  clarify: {skip_if: "outputs.zz", fields: [{name: x}]}'),
      ['PLAN_REFERENCE "outputs.zz"'],
    ],
    [
      'a form that does not exist',
      composition(step('a', '{{ inputs.collected.form.x | xml_escape | truncate(9) }}')),
      ['PLAN_REFERENCE "inputs.collected.form"'],
    ],
    [
      'a field that the form does not have',
      composition(
        `- id: form\n  kind: user_input\n  clarify: {fields: [{name: topic}]}\n${step('a', '{{ inputs.collected.form.topik | xml_escape | truncate(9) }}', 'depends_on: [form]')}`,
      ),
      ['PLAN_REFERENCE "inputs.collected.form.topik"'],
    ],
    [
      'what only a substitute has',
      composition(step('a', '{{ error | truncate(9) }}')),
      ['PLAN_REFERENCE "error"'],
    ],
    [
      'the choices of a classification',
      composition(
        `- id: k\n  kind: llm_classify\n  output_choices: [BUG, DOCS]\n  with: {text: x}\n${step('a', 'x', 'depends_on: [k]\nwhen: "outputs.k == \'DOC\'"')}`,
      ),
      ['PLAN_UNREACHABLE "\'DOC\'"'],
    ],
    [
      'a condition that never holds',
      composition(step('a', 'x', 'when: "false"')),
      ['PLAN_UNREACHABLE "\\"false\\""'],
    ],
  ])('%s', (_what, text, expected) => {
    expect(compileSkill(text).found).toEqual(expected);
  });

  it('lets a substitute read what the step it stands in for can read', () => {
    expect(
      compileSkill(
        composition(
          chat('a') +
            chat('b', 'depends_on: [a]\non_failure: c') +
            step('c', '{{ outputs.a | truncate(9) }} {{ error | truncate(9) }}'),
        ),
      ).found,
    ).toEqual([]);
  });

  it('points at the place inside a block scalar', () => {
    const { diagnostics, text } = compileSkill(
      composition(
        '- id: a\n  kind: llm_chat\n  with:\n    task: |\n      First line.\n      {{ outputs.nope | truncate(9) }}\n',
      ),
    );
    expect(diagnostics.map(({ span }) => text.slice(span?.start, span?.end))).toEqual(['outputs.nope']);
  });

  it.each([
    ['{{ outputs.a | truncate(9 }}', 'TEMPLATE_BRACKET'],
    ['{% if x %}', 'TEMPLATE_UNCLOSED'],
    ['{% include "x" %}', 'TEMPLATE_HERMETIC'],
    ['{{ outputs.a | truncat(9) }}', 'TEMPLATE_FILTER'],
  ])('tells of broken templates: %s', (template, code) => {
    const { diagnostics, plan } = compileSkill(
      composition(chat('a') + step('b', template, 'depends_on: [a]')),
    );
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
    expect(plan).toBeNull();
  });

  it('tells of broken conditions', () => {
    expect(
      compileSkill(composition(chat('a', 'when: "inputs.user_message ="'))).found.map(
        (one) => one.split(' ')[0],
      ),
    ).toEqual(['TEMPLATE_SYNTAX']);
  });

  it("only warns of a filter that may be another host's", () => {
    const { plan, found } = compileSkill(
      composition(
        chat('a') + step('b', "{{ outputs.a | screenplay_section('X') | truncate(9) }}", 'depends_on: [a]'),
      ),
    );
    expect(found).toEqual(['PLAN_FILTER_UNKNOWN "screenplay_section"']);
    expect(plan).not.toBeNull();
  });
});

describe('templates without quotes', () => {
  it('are read as the text that was meant', () => {
    const { plan, found, fixes } = compileSkill(
      composition(
        '- id: a\n  kind: llm_chat\n  with:\n    task: {{ inputs.user_message | xml_escape | truncate(9) }}\n',
      ),
    );
    expect(found).toEqual(['PLAN_UNQUOTED "{{ inputs.user_message | xml_escape | truncate(9) }}"']);
    expect(plan?.steps[0]?.values).toEqual({ task: '{{ inputs.user_message | xml_escape | truncate(9) }}' });
    expect(fixes.map(({ insert }) => insert)).toEqual(['"', '"']);
  });
});

describe('compilePlan, strictly', () => {
  it('makes errors of taint and of risk that is not owned up to', () => {
    const text = composition(
      '- id: a\n  kind: tool_call\n  tool: write_file\n  tool_allowlist: [write_file]\n  tool_args: {text: "{{ inputs.user_message }}"}',
      'metadata: {techne: {risk: low, capabilities: []}}\n',
    );
    expect(compileSkill(text).plan).not.toBeNull();
    const strict = compileSkill(text, {}, true);
    expect(strict.plan).toBeNull();
    expect(strict.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(
      ['STRICT_RISK', 'STRICT_RISK', 'STRICT_TAINT'],
    );
  });
});

describe('checkEntrypoint', () => {
  const told = (lines: string): readonly string[] => {
    const found: Diagnostic[] = [];
    const text = skillWith(`entrypoint:\n${lines.replace(/^(?=.)/gm, '  ')}`);
    checkEntrypoint(
      { head: headOf(text), frontmatter: nodeFrontmatter(text), world: emptyWorld },
      collectInto(found, 'SKILL.md'),
    );
    return found.map(({ code, span }) => `${code} ${text.slice(span?.start, span?.end)}`);
  };

  it.each<readonly [string, readonly string[]]>([
    [
      'command: python {baseDir}/x.py\nargs: [--q, "{{ with.q }}"]\nenv: {A: "{{ with.q }}"}\nstdin: "{{ with.payload | tojson }}"\ncwd: "{{ inputs.workspace_dir }}"\nparse: json\ntimeout: 5',
      [],
    ],
    ['command: python {{ with.script }}', ['TAINT_COMMAND {{ with.script }}']],
    [
      'command: python x.py\nargs: ["{{ inputs.user_message }}"]',
      ['TAINT_ARGUMENT {{ inputs.user_message }}'],
    ],
    ['args: [x]', ['PLAN_FIELD_MISSING args']],
    ['command: "python \'x"', ['PLAN_VALUE "python \'x"']],
    [
      'command: x\nparse: xml\ntimeout: 0\nargs: [[a]]\nenv: {"a b": x}\nassemble: [{into: x}]',
      ['PLAN_TYPE [a]', 'PLAN_VALUE "a b"', 'PLAN_FIELD_MISSING into', 'PLAN_VALUE xml', 'PLAN_TYPE 0'],
    ],
    ['command: x\nargs: ["{{ wth.q }}"]', ['PLAN_REFERENCE wth']],
    ['comand: x', ['PLAN_KEY_MISSPELT comand', 'PLAN_FIELD_MISSING comand']],
  ])('%s', (lines, expected) => {
    expect(told(lines)).toEqual(expected);
  });
});
