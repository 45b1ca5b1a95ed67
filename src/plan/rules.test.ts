// Every rule for a composition, one row each: the text, and what is said at which place.
import { describe, expect, it } from 'vitest';
import { chat, compileSkill, composition, faults, skillWith } from '../../test/support/plan-texts.ts';

const form = (fields: string, more = ''): string =>
  `- id: ask\n  kind: user_input\n  clarify:\n${more.replace(/^(?=.)/gm, '    ')}    fields:\n${fields.replace(/^(?=.)/gm, '      ')}`;

/** Faults of severity error, exactly. */
const rules: readonly (readonly [rule: string, text: string, expected: readonly string[]])[] = [
  ['a step is a mapping', composition('- just text'), ['PLAN_TYPE "just text"']],
  ['a step has an id', composition('- kind: llm_chat\n  with: {task: x}'), ['PLAN_FIELD_MISSING "kind"']],
  [
    'an id is not blank',
    composition('- id: ""\n  kind: llm_chat\n  with: {task: x}'),
    ['PLAN_FIELD_MISSING "id"'],
  ],
  [
    'an id is a single value',
    composition('- id: [a]\n  kind: llm_chat\n  with: {task: x}'),
    ['PLAN_TYPE "[a]"'],
  ],
  ['ids are unique', composition(chat('a') + chat('a')), ['PLAN_STEP_DUPLICATE "id: a"']],
  [
    'a kind is one of six',
    composition('- id: a\n  kind: llm_chatt\n  with: {task: x}'),
    ['PLAN_VALUE "llm_chatt"'],
  ],
  [
    'a step of an unknown kind can still be depended on',
    composition(`- id: a\n  kind: thought\n${chat('b', 'depends_on: [a]')}`),
    ['PLAN_VALUE "thought"'],
  ],
  ['an agent has a skill', composition('- id: a'), ['PLAN_FIELD_MISSING "id"']],
  ['skill_exec has a skill', composition('- id: a\n  kind: skill_exec'), ['PLAN_FIELD_MISSING "id"']],
  ['a skill is text', composition('- id: a\n  skill: [x]'), ['PLAN_TYPE "[x]"']],
  ['a skill is not blank', composition('- id: a\n  skill: " "'), ['PLAN_VALUE "\\" \\""']],
  ['depends_on is a list', composition(chat('a') + chat('b', 'depends_on: a')), ['PLAN_TYPE "a"']],
  [
    'depends_on names steps',
    composition(chat('a') + chat('b', 'depends_on: [{x: 1}]')),
    ['PLAN_TYPE "{x: 1}"'],
  ],
  [
    'depends_on names steps that exist',
    composition(chat('fetch') + chat('b', 'depends_on: [fetsh]')),
    ['PLAN_STEP_UNKNOWN "fetsh"'],
  ],
  ['a step does not wait for itself', composition(chat('a', 'depends_on: [a]')), ['PLAN_CYCLE "a"']],
  [
    'steps do not wait for each other',
    composition(chat('a', 'depends_on: [c]') + chat('b', 'depends_on: [a]') + chat('c', 'depends_on: [b]')),
    ['PLAN_CYCLE "a"'],
  ],
  [
    'with is a mapping',
    composition('- id: a\n  kind: llm_chat\n  with: [task]'),
    ['PLAN_TYPE "[task]"', 'PLAN_FIELD_MISSING "id"'].sort(),
  ],
  [
    'llm_chat has a task',
    composition('- id: a\n  kind: llm_chat\n  with: {system: x}'),
    ['PLAN_FIELD_MISSING "with"'],
  ],
  ['when is text', composition(chat('a', 'when: true')), ['PLAN_TYPE "true"']],
  ['when is not empty', composition(chat('a', 'when: ""')), ['PLAN_VALUE "\\"\\""']],
  ['when has a value', composition(chat('a', 'when:')), ['PLAN_TYPE "when"']],
  [
    'route is a list',
    composition('- id: a\n  skill: x\n  route: {when: "true", to: y}'),
    ['PLAN_TYPE "{when: \\"true\\", to: y}"'],
  ],
  ['a route is a mapping', composition('- id: a\n  skill: x\n  route: [y]'), ['PLAN_TYPE "y"']],
  [
    'a route has a condition',
    composition('- id: a\n  skill: x\n  route: [{to: y}]'),
    ['PLAN_FIELD_MISSING "to"'],
  ],
  [
    'a condition of a route is not empty',
    composition('- id: a\n  skill: x\n  route: [{when: "", to: y}]'),
    ['PLAN_VALUE "\\"\\""'],
  ],
  [
    'a route has a target',
    composition('- id: a\n  skill: x\n  route: [{when: "true"}]'),
    ['PLAN_FIELD_MISSING "when"'],
  ],
  [
    'a target of a route is text',
    composition('- id: a\n  skill: x\n  route: [{when: "true", to: 3}]'),
    ['PLAN_TYPE "3"'],
  ],
  [
    'llm_classify has choices',
    composition('- id: a\n  kind: llm_classify\n  with: {text: x}'),
    ['PLAN_FIELD_MISSING "id"'],
  ],
  [
    'choices are a list',
    composition('- id: a\n  kind: llm_classify\n  output_choices: A\n  with: {text: x}'),
    ['PLAN_TYPE "A"'],
  ],
  [
    'there is at least one choice',
    composition('- id: a\n  kind: llm_classify\n  output_choices: []\n  with: {text: x}'),
    ['PLAN_FIELD_MISSING "id"'],
  ],
  [
    'a choice is text',
    composition('- id: a\n  kind: llm_classify\n  output_choices: [A, 3]\n  with: {text: x}'),
    ['PLAN_TYPE "3"'],
  ],
  [
    'a choice is not blank',
    composition('- id: a\n  kind: llm_classify\n  output_choices: [A, " "]\n  with: {text: x}'),
    ['PLAN_VALUE "\\" \\""'],
  ],
  [
    'choices differ',
    composition('- id: a\n  kind: llm_classify\n  output_choices: [A, B, A]\n  with: {text: x}'),
    ['PLAN_VALUE "A"'],
  ],
  [
    'choices are for llm_classify',
    composition(chat('a', 'output_choices: [A]')),
    ['PLAN_FIELD_MISPLACED "output_choices"'],
  ],
  ['tool_call has a tool', composition('- id: a\n  kind: tool_call'), ['PLAN_FIELD_MISSING "id"']],
  ['a tool is text', composition('- id: a\n  kind: tool_call\n  tool: 3'), ['PLAN_TYPE "3"']],
  [
    'tool_args is a mapping',
    composition('- id: a\n  kind: tool_call\n  tool: read_file\n  tool_args: x'),
    ['PLAN_TYPE "x"'],
  ],
  ['a tool is for tool_call', composition(chat('a', 'tool: read_file')), ['PLAN_FIELD_MISPLACED "tool"']],
  [
    'tool_args are for tool_call',
    composition(chat('a', 'tool_args: {}')),
    ['PLAN_FIELD_MISPLACED "tool_args"'],
  ],
  [
    'tool_allowlist is for tool_call',
    composition(chat('a', 'tool_allowlist: [x]')),
    ['PLAN_FIELD_MISPLACED "tool_allowlist"'],
  ],
  [
    'tool_allowlist is a list',
    composition('- id: a\n  kind: tool_call\n  tool: x\n  tool_allowlist: x'),
    ['PLAN_TYPE "x"'],
  ],
  [
    'an item of tool_allowlist is text',
    composition('- id: a\n  kind: tool_call\n  tool: x\n  tool_allowlist: [x, 3]'),
    ['PLAN_TYPE "3"'],
  ],
  [
    'tool_allowlist has the tool',
    composition('- id: a\n  kind: tool_call\n  tool: x\n  tool_allowlist: [y]'),
    ['PLAN_VALUE "[y]"'],
  ],
  ['on_failure is text', composition(chat('a', 'on_failure: [b]') + chat('b')), ['PLAN_TYPE "[b]"']],
  ['on_failure is not blank', composition(chat('a', 'on_failure: ""')), ['PLAN_VALUE "\\"\\""']],
  ['on_failure is not the step itself', composition(chat('a', 'on_failure: a')), ['PLAN_SUBSTITUTE "a"']],
  ['on_failure exists', composition(chat('a', 'on_failure: bb') + chat('b')), ['PLAN_SUBSTITUTE "bb"']],
  [
    'a substitute has no substitute',
    composition(chat('a', 'on_failure: b') + chat('b', 'on_failure: c') + chat('c')),
    ['PLAN_SUBSTITUTE "b"'],
  ],
  [
    'a substitute has no dependencies',
    composition(chat('x') + chat('a', 'on_failure: b') + chat('b', 'depends_on: [x]')),
    ['PLAN_SUBSTITUTE "b"'],
  ],
  [
    'a substitute stands in for one step',
    composition(chat('a', 'on_failure: c') + chat('b', 'on_failure: c') + chat('c')),
    ['PLAN_SUBSTITUTE "c"'],
  ],
  [
    'a loop needs a list',
    composition(chat('a') + chat('b', 'depends_on: [a]\nfor_each: outputs.a')),
    ['PLAN_TYPE "outputs.a"'],
  ],
  [
    'output_schema is a schema',
    composition(chat('a', 'output_schema: {type: strin}')),
    ['PLAN_VALUE "{type: strin}"'],
  ],
  ['a chain does not run itself', skillWith('chain: [x, sample]\n'), ['PLAN_NESTED "sample"']],
  [
    'side_effect has one value',
    composition('- id: a\n  kind: skill_exec\n  skill: x\n  side_effect: paid'),
    ['PLAN_VALUE "paid"'],
  ],
  [
    'side_effect is for skill_exec',
    composition(chat('a', 'side_effect: external_paid_submit')),
    ['PLAN_FIELD_MISPLACED "side_effect"'],
  ],
  ['a label is text', composition(chat('a', 'label: 3')), ['PLAN_TYPE "3"']],
  ['progress_emits is true or false', composition(chat('a', 'progress_emits: maybe')), ['PLAN_TYPE "maybe"']],
  [
    'a misspelt key is refused',
    composition(chat('a') + chat('b', 'depend_on: [a]')),
    ['PLAN_KEY_MISSPELT "depend_on"'],
  ],

  ['clarify is for user_input', composition(chat('a', 'clarify: {}')), ['PLAN_FIELD_MISPLACED "clarify"']],
  ['user_input has clarify', composition('- id: a\n  kind: user_input'), ['PLAN_FIELD_MISSING "id"']],
  ['clarify is a mapping', composition('- id: a\n  kind: user_input\n  clarify: x'), ['PLAN_TYPE "x"']],
  [
    'a form has fields',
    composition('- id: a\n  kind: user_input\n  clarify: {mode: form}'),
    ['PLAN_FIELD_MISSING "mode"'],
  ],
  [
    'fields are a list',
    composition('- id: a\n  kind: user_input\n  clarify: {fields: x}'),
    ['PLAN_TYPE "x"'],
  ],
  [
    'there is at least one field',
    composition('- id: a\n  kind: user_input\n  clarify: {fields: []}'),
    ['PLAN_FIELD_MISSING "fields"'],
  ],
  ['a mode is form or chat', composition(form('- name: x\n', 'mode: talk\n')), ['PLAN_VALUE "talk"']],
  ['a field is a mapping', composition(form('- x')), ['PLAN_TYPE "x"']],
  ['a field has a name', composition(form('- type: string')), ['PLAN_FIELD_MISSING "type"']],
  ['a name is lower-case', composition(form('- name: Topic')), ['PLAN_VALUE "Topic"']],
  [
    'a name is at most 32 long',
    composition(form(`- name: ${'a'.repeat(33)}`)),
    [`PLAN_VALUE "${'a'.repeat(33)}"`],
  ],
  ['names differ', composition(form('- name: x\n- name: x')), ['PLAN_VALUE "name: x"']],
  ['a type is one of four', composition(form('- name: x\n  type: date')), ['PLAN_VALUE "date"']],
  ['required is true or false', composition(form('- name: x\n  required: "yes"')), ['PLAN_TYPE "\\"yes\\""']],
  [
    'a required field has no default',
    composition(form('- name: x\n  required: true\n  default: y')),
    ['PLAN_VALUE "default"'],
  ],
  ['an enum has choices', composition(form('- name: x\n  type: enum')), ['PLAN_FIELD_MISSING "name"']],
  [
    'choices are for enums',
    composition(form('- name: x\n  type: string\n  choices: [a]')),
    ['PLAN_FIELD_MISPLACED "choices"'],
  ],
  [
    'choices of an enum differ',
    composition(form('- name: x\n  type: enum\n  choices: [a, a]')),
    ['PLAN_VALUE "a"'],
  ],
  [
    'choices of an enum are text',
    composition(form('- name: x\n  type: enum\n  choices: [a, 1]')),
    ['PLAN_TYPE "1"'],
  ],
  ['min is for int', composition(form('- name: x\n  min: 1')), ['PLAN_FIELD_MISPLACED "min"']],
  ['max is a whole number', composition(form('- name: x\n  type: int\n  max: 1.5')), ['PLAN_TYPE "1.5"']],
  [
    'min is not over max',
    composition(form('- name: x\n  type: int\n  min: 5\n  max: 1')),
    ['PLAN_VALUE "5"'],
  ],
  [
    'max_chars is for strings',
    composition(form('- name: x\n  type: int\n  max_chars: 5')),
    ['PLAN_FIELD_MISPLACED "max_chars"'],
  ],
  ['max_chars is at least 1', composition(form('- name: x\n  max_chars: 0')), ['PLAN_VALUE "0"']],
  ['max_chars is at most 4000', composition(form('- name: x\n  max_chars: 4001')), ['PLAN_VALUE "4001"']],
  [
    'a default of an int is one',
    composition(form('- name: x\n  type: int\n  default: true')),
    ['PLAN_TYPE "true"'],
  ],
  [
    'a default is within its range',
    composition(form('- name: x\n  type: int\n  max: 3\n  default: 4')),
    ['PLAN_VALUE "4"'],
  ],
  [
    'a default is one of the choices',
    composition(form('- name: x\n  type: enum\n  choices: [a]\n  default: b')),
    ['PLAN_VALUE "b"'],
  ],
  [
    'a default is not too long',
    composition(form('- name: x\n  max_chars: 2\n  default: abc')),
    ['PLAN_VALUE "abc"'],
  ],
  [
    'a default of a bool is one',
    composition(form('- name: x\n  type: bool\n  default: "no"')),
    ['PLAN_TYPE "\\"no\\""'],
  ],
  ['a default of a string is one', composition(form('- name: x\n  default: 3')), ['PLAN_TYPE "3"']],
  [
    'a form has at most 13 fields',
    composition(form(Array.from({ length: 13 }, (_, n) => `- name: f${n}\n`).join(''))),
    ['PLAN_VALUE "- name: f0"'],
  ],
  [
    'a chat has at most 5 fields',
    composition(form(Array.from({ length: 5 }, (_, n) => `- name: f${n}\n`).join(''), 'mode: chat\n')),
    ['PLAN_VALUE "- name: f0"'],
  ],
  ['skip_if is text', composition(form('- name: x', 'skip_if: 3\n')), ['PLAN_TYPE "3"']],
  [
    'cancel_keywords is a list',
    composition(form('- name: x', 'cancel_keywords: stop\n')),
    ['PLAN_TYPE "stop"'],
  ],
  [
    'a cancel keyword is not blank',
    composition(form('- name: x', 'cancel_keywords: [""]\n')),
    ['PLAN_VALUE "\\"\\""'],
  ],
  ['timeout_hours is at least 1', composition(form('- name: x', 'timeout_hours: 0\n')), ['PLAN_VALUE "0"']],
  [
    'timeout_hours is at most 168',
    composition(form('- name: x', 'timeout_hours: 169\n')),
    ['PLAN_VALUE "169"'],
  ],
  [
    'timeout_hours is a number',
    composition(form('- name: x', 'timeout_hours: soon\n')),
    ['PLAN_TYPE "soon"'],
  ],
  ['intro is text', composition(form('- name: x', 'intro: [a]\n')), ['PLAN_TYPE "[a]"']],
  [
    'nl_extract is true or false',
    composition(form('- name: x', 'nl_extract: sometimes\n')),
    ['PLAN_TYPE "sometimes"'],
  ],

  ['final_text_mode is known', composition(chat('a'), 'final_text_mode: last\n'), ['PLAN_VALUE "last"']],
  [
    'final_text_mode names a step that exists',
    composition(chat('review'), 'final_text_mode: "step:reviw"\n'),
    ['PLAN_STEP_UNKNOWN "\\"step:reviw\\""'],
  ],
  ['request_template is a mapping', composition(chat('a'), 'request_template: [x]\n'), ['PLAN_TYPE "[x]"']],
  ['output_contract is a mapping', composition(chat('a'), 'output_contract: x\n'), ['PLAN_TYPE "x"']],
  [
    'an artifact has a name',
    composition(chat('a'), 'output_contract: {artifacts: [{required: true}]}\n'),
    ['PLAN_FIELD_MISSING "required"'],
  ],
  ['a composition does not run itself', composition('- id: a\n  skill: sample'), ['PLAN_NESTED "sample"']],

  ['timeout is a time', composition(chat('a', 'timeout: soon')), ['PLAN_TYPE "soon"']],
  ['timeout is more than nothing', composition(chat('a', 'timeout: 0')), ['PLAN_VALUE "0"']],
  ['retry is a mapping', composition(chat('a', 'retry: often')), ['PLAN_TYPE "often"']],
  ['retry is bounded', composition(chat('a', 'retry: {max_attempts: 100}')), ['PLAN_VALUE "100"']],
  ['for_each has items', composition(chat('a', 'for_each: {as: x}')), ['PLAN_FIELD_MISSING "as"']],
  [
    'an item has a name that can be written',
    composition(chat('a', 'for_each: {items: [1], as: inputs}')),
    ['PLAN_VALUE "inputs"'],
  ],
  [
    'merge is one of four',
    composition(chat('a', 'for_each: {items: [1], merge: zip}')),
    ['PLAN_VALUE "zip"'],
  ],
  [
    'concurrency belongs to for_each',
    composition(chat('a', 'concurrency: 3')),
    ['PLAN_FIELD_MISPLACED "concurrency"'],
  ],
  ['output_schema is a mapping', composition(chat('a', 'output_schema: object')), ['PLAN_TYPE "object"']],
  ['tools are for agents', composition(chat('a', 'tools: [x]')), ['PLAN_FIELD_MISPLACED "tools"']],

  ['a step of a workflow has a tool', skillWith('steps:\n  - id: a\n'), ['PLAN_FIELD_MISSING "id"']],
  [
    'a step of a workflow has an id',
    skillWith('steps:\n  - tool: read_file\n'),
    ['PLAN_FIELD_MISSING "tool"'],
  ],
  ['params is a mapping', skillWith('steps:\n  - {id: a, tool: x, params: 3}\n'), ['PLAN_TYPE "3"']],
  ['chat has a prompt', skillWith('steps:\n  - {id: a, tool: chat}\n'), ['PLAN_FIELD_MISSING "id"']],
  [
    'classify has choices',
    skillWith('steps:\n  - {id: a, tool: classify, params: {text: x}}\n'),
    ['PLAN_FIELD_MISSING "id"'],
  ],
  [
    'a command is a list',
    skillWith('steps:\n  - {id: a, tool: command, params: {argv: git log}}\n'),
    ['PLAN_TYPE "git log"'],
  ],
  [
    'a command sets no variable that changes what is started',
    skillWith('steps:\n  - {id: a, tool: command, params: {argv: [ls], env: {PATH: /x, MODE: a}}}\n'),
    ['PLAN_VALUE "PATH"'],
  ],
  [
    'a command is not empty',
    skillWith('steps:\n  - {id: a, tool: command, params: {argv: []}}\n'),
    ['PLAN_VALUE "[]"'],
  ],
  [
    'a step has a tool or a skill',
    skillWith('steps:\n  - {id: a, tool: read_file, skill: x}\n'),
    ['PLAN_FIELD_MISPLACED "skill"'],
  ],
  [
    'the skill of a step is named',
    skillWith('steps:\n  - {id: a, tool: skill}\n'),
    ['PLAN_FIELD_MISSING "id"'],
  ],
  [
    'a misspelt param is refused',
    skillWith('steps:\n  - {id: a, tool: classify, params: {text: x, choises: [A], choices: [A]}}\n'),
    ['PLAN_KEY_MISSPELT "choises"'],
  ],
  ['a step of a chain has a skill', skillWith('chain:\n  - {id: a}\n'), ['PLAN_FIELD_MISSING "id"']],
  ['inputs of a chain are a mapping', skillWith('chain:\n  - {skill: a, inputs: x}\n'), ['PLAN_TYPE "x"']],
];

describe('the rules for steps and forms', () => {
  it.each(rules)('%s', (_rule, text, expected) => {
    const compiled = compileSkill(text);
    expect([...faults(compiled)].sort()).toEqual([...expected].sort());
    expect(compiled.plan).toBeNull();
  });

  it('reports all faults together', () => {
    const { found } = compileSkill(
      composition(
        `${chat('a', 'when: 3\nretry: x')}- id: b\n  kind: nonsense\n${chat('a', 'depends_on: [zz]')}`,
      ),
    );
    expect(found).toEqual([
      'PLAN_TYPE "3"',
      'PLAN_TYPE "x"',
      'PLAN_VALUE "nonsense"',
      'PLAN_STEP_DUPLICATE "id: a"',
      'PLAN_STEP_UNKNOWN "zz"',
    ]);
  });

  it('names every step of a cycle, from its first', () => {
    const { diagnostics } = compileSkill(
      composition(chat('a', 'depends_on: [c]') + chat('b', 'depends_on: [a]') + chat('c', 'depends_on: [b]')),
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'steps wait for each other: "a" needs "c" needs "b" needs "a"',
    ]);
  });

  it('suggests the key, kind, step or filter that was meant', () => {
    const { diagnostics } = compileSkill(
      composition(
        `${chat('fetch')}- id: b\n  kind: tool_cal\n${chat('c', 'depend_on: [x]\ndepends_on: [fetsh]')}- id: d\n  kind: llm_chat\n  with: {task: "{{ outputs.fetch | trucate(3) | truncate(9) }}"}\n  depends_on: [fetch]\n`,
      ),
    );
    expect(diagnostics.map(({ code, hint }) => `${code}: ${hint}`)).toEqual([
      'PLAN_VALUE: did you mean "tool_call"?',
      'PLAN_KEY_MISSPELT: did you mean "depends_on"?',
      'PLAN_STEP_UNKNOWN: did you mean "fetch"?',
      'TEMPLATE_FILTER: did you mean "truncate"?',
    ]);
  });
});

describe('what is reported but stops nothing', () => {
  const told: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
    ['an unknown key', composition(chat('a', 'colour: blue')), ['PLAN_KEY_UNKNOWN "colour"']],
    ['a key that begins with x_ is ignored', composition(chat('a', 'x_note: blue')), []],
    [
      'keys that other hosts write in vain',
      composition(chat('a', 'read_only: true\nnetwork_access: false')),
      ['PLAN_KEY_INERT "read_only"', 'PLAN_KEY_INERT "network_access"'],
    ],
    [
      'aliases of other dialects',
      composition(chat('a', 'timeout_seconds: 3\ncontinueOnError: true')),
      ['PLAN_ALIAS "timeout_seconds"', 'PLAN_ALIAS "continueOnError"'],
    ],
    [
      'fan_out',
      composition(
        chat(
          'a',
          'fan_out: {iterable: "[1, 2]", fan_out_max_concurrency: 2, fan_out_merge_mode: json_array, fan_out_template: x}',
        ),
      ),
      [
        'PLAN_ALIAS "fan_out"',
        'PLAN_ALIAS "iterable"',
        'PLAN_ALIAS "fan_out_max_concurrency"',
        'PLAN_ALIAS "fan_out_merge_mode"',
        'PLAN_KEY_INERT "fan_out_template"',
      ],
    ],
    [
      'with.continue_on_error',
      composition('- id: a\n  kind: llm_chat\n  with: {task: x, continue_on_error: true}'),
      ['PLAN_ALIAS "continue_on_error"'],
    ],
    [
      'with.input and with.system_prompt',
      composition('- id: a\n  kind: llm_chat\n  with: {input: x, system_prompt: y}'),
      ['PLAN_ALIAS "input"', 'PLAN_ALIAS "system_prompt"'],
    ],
    [
      'a route where it has no effect',
      composition(chat('a', 'route: [{when: "true", to: x}]')),
      ['PLAN_UNREACHABLE "route"'],
    ],
    [
      'with on a tool',
      composition('- id: a\n  kind: tool_call\n  tool: read_file\n  with: {path: x}'),
      ['PLAN_KEY_UNKNOWN "with"'],
    ],
    [
      'braces around a condition',
      composition(chat('a', 'when: "{{ inputs.user_message is defined }}"')),
      ['PLAN_ALIAS "\\"{{ inputs.user_message is defined }}\\""'],
    ],
    ['a loop over nothing', composition(chat('a', 'for_each: []')), ['PLAN_UNREACHABLE "[]"']],
    [
      'types of another dialect',
      composition(
        form(
          '- name: x\n  type: boolean\n- name: y\n  type: integer\n- name: z\n  type: enum\n  options: [a]\n- name: w\n  max_length: 5',
          'cancel_words: [no]\nextract_natural_language: true\ntimeout_seconds: 7200\n',
        ),
      ),
      [
        'PLAN_ALIAS "cancel_words"',
        'PLAN_ALIAS "extract_natural_language"',
        'PLAN_ALIAS "7200"',
        'PLAN_ALIAS "boolean"',
        'PLAN_ALIAS "integer"',
        'PLAN_ALIAS "options"',
        'PLAN_ALIAS "max_length"',
      ],
    ],
    [
      'continueOnError of a workflow is its own spelling',
      skillWith(
        'metadata: {techne: {risk: low}}\nsteps:\n  - {id: a, tool: memory_search, params: {query: x}, continueOnError: true}\n',
      ),
      [],
    ],
    [
      'a classification of nothing',
      composition('- {id: a, kind: llm_classify, output_choices: [A]}'),
      ['PLAN_INPUT_MISSING "kind"'],
    ],
    [
      'an id that is not a name',
      composition(chat('"i j"') + chat('b-c') + chat('Ü')),
      ['PLAN_STEP_NAME "\\"i j\\""', 'PLAN_STEP_NAME "b-c"'],
    ],
    [
      'more turns than there are',
      composition('- {id: a, skill: x, max_turns: 500}', 'metadata: {techne: {risk: high}}\n'),
      ['PLAN_LIMIT "{id: a, skill: x, max_turns: 500}"'],
    ],
    [
      'an optional input without a default',
      composition(
        '- id: a\n  kind: llm_chat\n  when: "inputs.tone"\n  with: {task: "{{ inputs.tone | slugify }} {{ inputs.size | slugify }} {{ inputs.get(\'tone\') | slugify }} {{ inputs.user_message | slugify }}"}',
        'inputs: {tone: {type: string}, size: {type: string, default: small}, user_message: {type: string}}\n',
      ),
      ['PLAN_REFERENCE_OPTIONAL "inputs.tone"'],
    ],
    [
      'an optional input that is asked about first',
      composition(
        '- id: a\n  kind: llm_chat\n  with: {task: "{% if inputs.tone is defined %}{{ inputs.tone | slugify }}{% endif %}{{ inputs.tone | default(1) | slugify }}"}',
        'inputs: [tone]\n',
      ),
      [],
    ],
    [
      'a list that is read once',
      composition('- id: a\n  kind: llm_chat\n  for_each: "inputs.lst"\n  with: {task: h}'),
      ['PLAN_REFERENCE_DOUBTFUL "inputs.lst"'],
    ],
    [
      'a list may be looped over',
      composition(
        chat('a', 'output_schema: {type: array}') +
          chat('b', 'depends_on: [a]\nfor_each: outputs.a') +
          chat('c', 'depends_on: [b]\nfor_each: outputs.b'),
      ),
      [],
    ],
    [
      'final_text_mode of another dialect',
      composition(chat('a'), 'final_text_mode: structured\n'),
      ['PLAN_ALIAS "structured"'],
    ],
  ];
  it.each(told)('%s', (_what, text, expected) => {
    const { plan, found } = compileSkill(text);
    expect(found).toEqual(expected);
    expect(plan).not.toBeNull();
  });
});

describe('a form that may be skipped', () => {
  const steps = (more: string, task: string, reader = ''): string =>
    composition(`${chat('first')}- id: ask
  kind: user_input
  depends_on: [first]
${more.replace(/^(?=.)/gm, '  ')}  clarify:
${reader.startsWith('skip') ? '    skip_if: "1 > 2"\n' : ''}    fields: [{name: colour, required: true}, {name: size}, {name: shape, default: round}]
- id: use
  kind: llm_chat
  depends_on: [ask]
${reader.startsWith('when') ? `  ${reader}\n` : ''}  with: {task: ${JSON.stringify(task)}}`);
  const told = (text: string): readonly string[] =>
    compileSkill(text).found.filter((one) => one.startsWith('PLAN_REFERENCE'));
  const colour = '{{ inputs.collected.ask.colour | slugify }}';

  it('is reported where it is read as if it never were', () => {
    expect(told(steps(`when: "'x' in outputs.first"\n`, colour))).toEqual([
      'PLAN_REFERENCE_OPTIONAL "inputs.collected.ask.colour"',
    ]);
    expect(told(steps('', colour, 'skip'))).toEqual([
      'PLAN_REFERENCE_OPTIONAL "inputs.collected.ask.colour"',
    ]);
    expect(told(steps('', colour))).toEqual([]);
  });

  it('is not reported where the step looks first, or has the same condition', () => {
    expect(
      told(
        steps(
          `when: "'x' in outputs.first"\n`,
          "{{ inputs.collected.get('ask', {}).get('colour', '') | slugify }}",
        ),
      ),
    ).toEqual([]);
    expect(
      told(
        steps(`when: "'x' in outputs.first"\n`, colour, `when: "'x' in outputs.first"`).replace(
          'depends_on: [ask]',
          'depends_on: [first, ask]',
        ),
      ),
    ).toEqual([]);
    expect(told(steps(`when: "'x' in outputs.first"\n`, colour, 'when: "outputs.ask"'))).toEqual([]);
  });

  it('has fields that need not be answered', () => {
    expect(
      told(steps('', '{{ inputs.collected.ask.size | slugify }} {{ inputs.collected.ask.shape | slugify }}')),
    ).toEqual(['PLAN_REFERENCE_OPTIONAL "inputs.collected.ask.size"']);
  });
});

describe('hints', () => {
  const hints = (text: string): readonly (string | null)[] =>
    compileSkill(text)
      .diagnostics.filter(({ code }) => code.startsWith('PLAN_'))
      .map(({ hint }) => hint);

  it.each([
    ['a type', composition(form('- {name: x, type: strng}')), 'did you mean "string"?'],
    [
      'the key of a task',
      composition('- {id: a, kind: llm_chat, with: {tsk: x}}'),
      'did you mean "task" where "tsk" is written?',
    ],
    [
      'the key of a prompt',
      skillWith('steps:\n  - {id: a, tool: chat, params: {promt: x}}\n'),
      'did you mean "prompt" where "promt" is written?',
    ],
    [
      'the fallback of a route',
      composition('- {id: a, route: [{when: "1 > 0", to: x}]}'),
      'write skill: too, for when no route holds',
    ],
    ['a letter', composition(chat('a') + chat('b', 'depends_on: [z]')), 'the steps are a, b'],
    [
      'every key there is',
      composition(chat('a'), 'output_contract: {colour: x}\n'),
      'it can have required_sections, forbidden_terms, assumptions, unverified, artifacts, append_to_final_text',
    ],
  ])('name %s', (_what, text, hint) => {
    expect(hints(text)).toEqual([hint]);
  });

  it('say how the output of a step with a dash is read, once', () => {
    const text = (template: string): string =>
      skillWith(
        `metadata: {techne: {risk: high}}\nchain:\n  - helper-a\n  - {skill: x, inputs: {task: "${template}"}}\n`,
      );
    expect(
      compileSkill(text('{{ helper-a }}')).diagnostics.map(({ message, hint }) => `${message} (${hint})`),
    ).toEqual([
      `step "x": inputs.task: "helper-a" is a subtraction here, not the name of a step (write outputs['helper-a'], or give the step an id without "-")`,
    ]);
    expect(hints(text('{{ outputs.helper-a }}'))[0]).toBe(
      `write outputs['helper-a'] for the step "helper-a"`,
    );
    expect(hints(text("{{ outputs['helper-a'] }}"))).toEqual([]);
  });
});
