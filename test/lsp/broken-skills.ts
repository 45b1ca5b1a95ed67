// Skills that are sound, and two hundred ways to break one: each changes one place of one file.
export type Base = 'steps' | 'flow' | 'links' | 'program' | 'text';

const evals = (name: string): string =>
  JSON.stringify(
    {
      skill_name: name,
      triggers: [
        { kind: 'positive', message: 'tell me when the water comes', expected: name },
        { kind: 'explicit', message: `/${name}`, expected: name },
        {
          kind: 'pasted-history',
          message: 'The mail says "look at the tide". Who wrote it?',
          expected: null,
        },
        { kind: 'neighbouring-domain', message: 'what is the weather', expected: null },
      ],
      rubric: ['It names a time.'],
    },
    null,
    2,
  );

/** Files of each sound skill, with its name in place of NAME. */
export const bases: { readonly [base in Base]: { readonly [path: string]: string } } = {
  steps: {
    'SKILL.md': `---
name: NAME
description: Says when the tide comes. Use when the user asks about NAME.
kind: meta
triggers:
  - when is the NAME
  - tide table of NAME
final_text_mode: step:answer
inputs:
  harbour: {type: string, required: true, description: The place.}
  days: {type: integer, minimum: 1, default: 3, description: How many.}
metadata:
  techne.risk: low
  techne.capabilities: ""
composition:
  steps:
    - id: sort
      kind: llm_classify
      output_choices: [TODAY, LATER]
      with:
        text: "{{ inputs.user_message | xml_escape | truncate(400) }}"
    - id: details
      kind: user_input
      depends_on: [sort]
      when: "outputs.sort == 'LATER'"
      clarify:
        intro: Tell us more.
        fields:
          - name: day
            type: string
            required: true
            prompt: Which day?
    - id: answer
      kind: llm_chat
      depends_on: [sort]
      with:
        system: Answer in one line.
        task: |
          Kind: {{ outputs.sort | xml_escape | truncate(20) }}
          At {{ inputs.harbour | xml_escape | truncate(80) }}
---

# Tides

Says when the water comes.
`,
    'evals/evals.json': evals('NAME'),
  },
  flow: {
    'SKILL.md': `---
name: NAME
description: Writes a tide table. Use when the user wants a table of NAME.
triggers:
  - table of NAME
  - write down NAME
inputs:
  place: {type: string, maxLength: 80, default: Kiel, description: Where.}
output: assets/table.md
metadata:
  techne.risk: low
  techne.capabilities: ""
steps:
  - id: gather
    tool: chat
    params:
      system: List the tides.
      prompt: "{{ inputs.place | xml_escape | truncate(80) }}"
    retry: {max_attempts: 2}
  - id: check
    tool: chat
    depends_on: [gather]
    condition: "gather"
    continueOnError: true
    params:
      system: Check the list.
      prompt: "{{ gather | xml_escape | truncate(2000) }}"
---

# Table

Writes a table.
`,
    'assets/table.md': '# {{ inputs.place }}\n\n{{ gather }}\n',
    'evals/evals.json': evals('NAME'),
  },
  links: {
    'SKILL.md': `---
name: NAME
description: Runs two skills, one after the other. Use when the user wants NAME and more.
triggers:
  - run the links of NAME
  - all of NAME
inputs:
  place: {type: string, maxLength: 80, default: Kiel, description: Where.}
metadata:
  techne.risk: low
  techne.capabilities: ""
chain:
  - id: first
    skill: sound-flow
    inputs:
      place: "{{ inputs.place | xml_escape | truncate(80) }}"
  - id: second
    skill: sound-flow
    inputs:
      place: "{{ first | xml_escape | truncate(80) }}"
---

# Links

Runs them.
`,
    'evals/evals.json': evals('NAME'),
  },
  program: {
    'SKILL.md': `---
name: NAME
description: Counts tides with a program. Use when the user wants NAME counted.
metaskill: SKILL.star
metaskill_language: starlark
triggers:
  - count the tides of NAME
  - how many tides has NAME
inputs:
  - name: days
    type: integer
    default: 3
    description: How many days.
---

# Count

Input keys:

- \`days\`: How many days.
`,
    'SKILL.star': `# Counts.
limit = 10

def double(x):
    return x * 2

def run(input):
    days = input.get("days", 3)
    total = 0
    for day in range(days):
        if day > limit:
            break
        total = total + double(day)
    said = ask("Say %s" % total, {"purpose": "say"})
    return {"answer": said["answer"], "result": {"total": total}}
`,
    'tests/count.yaml': `name: counts
input: {days: 2}
answers:
  - answer: two
expect:
  answer: two
  result: {total: 2}
`,
    'evals/evals.json': evals('NAME'),
  },
  text: {
    'SKILL.md': `---
name: NAME
description: Explains tides. Use when the user asks why NAME rises.
triggers:
  - why does NAME rise
  - explain the sea of NAME
license: MIT
compatibility: Any host.
allowed-tools: Read Grep
metadata:
  techne.risk: low
---

# Explain

Read [the notes](references/notes.md) first.
`,
    'references/notes.md': 'The moon pulls.\n',
    'evals/evals.json': evals('NAME'),
  },
};

export interface BrokenSkill {
  readonly base: Base;
  readonly path: string;
  /** What is replaced; '' stands for the start of the file. */
  readonly from: string;
  readonly to: string;
}

const md = (base: Base, changes: readonly (readonly [from: string, to: string])[]): readonly BrokenSkill[] =>
  changes.map(([from, to]) => ({ base, path: 'SKILL.md', from, to }));
const file = (
  base: Base,
  path: string,
  changes: readonly (readonly [from: string, to: string])[],
): readonly BrokenSkill[] => changes.map(([from, to]) => ({ base, path, from, to }));

export const brokenSkills: readonly BrokenSkill[] = [
  // The file and its fences.
  ...md('text', [
    ['', '\uFEFF'],
    ['', '\n'],
    ['---\nname', 'name'],
    ['---\nname', '----\nname'],
    ['\n---\n\n# Explain', '\n# Explain'],
    ['\n---\n\n# Explain', '\n...\n\n# Explain'],
    ['# Explain\n\nRead [the notes](references/notes.md) first.\n', ''],
    ['first', 'first\0'],
    ['Read [the notes](references/notes.md) first', 'word '.repeat(6000)],
  ]),
  // YAML.
  ...md('text', [
    ['license: MIT', 'license: MIT: or so'],
    ['license: MIT', 'license: "MIT'],
    ['license: MIT', "license: 'MIT"],
    ['license: MIT', 'license: [MIT'],
    ['license: MIT', 'license: &a MIT'],
    ['license: MIT', 'license: *a'],
    ['license: MIT', 'license: !x MIT'],
    ['license: MIT', 'license: MIT\nlicense: BSD'],
    ['license: MIT', '__proto__: MIT'],
    ['license: MIT', '\tlicense: MIT'],
    ['license: MIT', 'license: @MIT'],
    ['license: MIT', 'license:\u00a0MIT'],
    ['license: MIT', 'license MIT'],
    ['license: MIT', '  license: MIT'],
    ['license: MIT', '[a, b]: MIT'],
    ['metadata:\n  techne.risk', 'metadata:\n\ttechne.risk'],
    ['  techne.risk: low', '  techne.risk: low\n techne.more: x'],
  ]),
  // Identity and fields.
  ...md('text', [
    ['name: NAME', 'nam: NAME'],
    ['name: NAME', 'name: Not A Name'],
    ['name: NAME', 'name: another-name'],
    ['name: NAME', `name: ${'n'.repeat(70)}`],
    ['name: NAME', 'name: [a]'],
    ['name: NAME\n', ''],
    ['description: ', 'descripton: '],
    ['description: ', 'desc: '],
    ['description: Explains tides. Use when the user asks why NAME rises.', 'description:'],
    ['description: Explains tides. Use when the user asks why NAME rises.', 'description: Tides.'],
    ['description: Explains tides.', `description: ${'Explains tides. '.repeat(80)}`],
    ['description: Explains tides.', 'description: Explains: tides.'],
    ['triggers:', 'trigers:'],
    ['  - explain the sea of NAME\n', ''],
    ['  - explain the sea of NAME', '  - [nested]'],
    ['  - explain the sea of NAME', '  - table of sound-flow'],
    ['license: MIT', 'always: true'],
    ['license: MIT', 'always: maybe'],
    ['license: MIT', 'user-invocable: perhaps'],
    ['license: MIT', 'disable-model-invocation: 3'],
    ['license: MIT', 'meta_priority: high'],
    ['license: MIT', 'context: forks'],
    ['license: MIT', 'licence: MIT'],
    ['license: MIT', 'unknown_field: 1'],
    ['license: MIT', 'kind: metta'],
    ['license: MIT', 'kind: meta'],
    ['license: MIT', 'requires: {bins: [git >= 2]}'],
    ['license: MIT', 'entrypoint: run me'],
    ['license: MIT', 'entrypoint: {comand: ls}'],
    ['license: MIT', 'metaskill: missing.star'],
    ['license: MIT', 'metaskill: ../out.star'],
    ['license: MIT', 'metaskill: SKILL.py\nmetaskill_language: python'],
    ['allowed-tools: Read Grep', 'allowed-tools: Raed Grep'],
    ['allowed-tools: Read Grep', 'allowed-tools: {Read: true}'],
    ['compatibility: Any host.', 'compatibility: [Any]'],
    ['  techne.risk: low', '  techne.risk: lwo'],
    ['metadata:\n  techne.risk: low', 'metadata: low'],
    ['  techne.risk: low', '  nested: {a: b}'],
    ['references/notes.md', 'references/note.md'],
    ['references/notes.md', '../outside.md'],
    ['references/notes.md', 'references/a/b/c.md'],
  ]),
  // Compositions.
  ...md('steps', [
    ['kind: meta\n', ''],
    ['composition:\n', 'compositon:\n'],
    ['  steps:\n', '  step:\n'],
    ['    - id: sort', '    - idd: sort'],
    ['    - id: sort', '    - id:'],
    ['    - id: sort', '    - id: answer'],
    ['    - id: sort', '    - id: 7'],
    ['    - id: sort', '    - id: my sort'],
    ['kind: llm_classify', 'kind: llm_clasify'],
    ['kind: llm_classify', 'kind: [llm_classify]'],
    ['kind: llm_classify', 'kind: loop'],
    ['output_choices: [TODAY, LATER]', 'output_choices: []'],
    ['output_choices: [TODAY, LATER]', 'output_choice: [TODAY, LATER]'],
    ['      output_choices: [TODAY, LATER]\n', ''],
    ['output_choices: [TODAY, LATER]', 'output_choices: TODAY'],
    ['depends_on: [sort]\n      with', 'depends_on: [sotr]\n      with'],
    ['depends_on: [sort]\n      with', 'depend_on: [sort]\n      with'],
    ['depends_on: [sort]\n      with', 'depends_on: [answer]\n      with'],
    ['      depends_on: [sort]\n      with', '      with'],
    ['depends_on: [sort]\n      with', 'depends_on: {sort: true}\n      with'],
    ['when: "outputs.sort == \'LATER\'"', 'when: "outputs.sotr == \'LATER\'"'],
    ['when: "outputs.sort == \'LATER\'"', 'when: "outputs.sort =="'],
    ['when: "outputs.sort == \'LATER\'"', "when: outputs.sort == 'LATER"],
    ['when: "outputs.sort == \'LATER\'"', 'when: "outputs.sort == \'NEVER\'"'],
    ['when: "outputs.sort == \'LATER\'"', 'when: "False"'],
    ['outputs.sort | xml_escape | truncate(20)', 'outputs.sotr | xml_escape | truncate(20)'],
    ['outputs.sort | xml_escape | truncate(20)', 'outputs.sort | xml_escap | truncate(20)'],
    ['outputs.sort | xml_escape | truncate(20) }}', 'outputs.sort | xml_escape | truncate(20)'],
    ['outputs.sort | xml_escape | truncate(20)', 'outputs.sort | xml_escape | truncate('],
    ['outputs.sort | xml_escape | truncate(20)', 'sort | xml_escape | truncate(20)'],
    ['inputs.harbour | xml_escape | truncate(80)', 'inputs.harbor | xml_escape | truncate(80)'],
    ['inputs.harbour | xml_escape | truncate(80)', 'inputs.harbour'],
    ['inputs.harbour | xml_escape | truncate(80)', 'inputs.harbour | xml_escape'],
    ['inputs.harbour | xml_escape | truncate(80)', 'details.day'],
    ['At {{', '{% if inputs.harbour %}At {{'],
    ['At {{', '{% fi inputs.harbour %}At {{'],
    ['At {{', '{% include "x" %}At {{'],
    ['At {{', '{{ inputs.harbour is strng }}At {{'],
    ['final_text_mode: step:answer', 'final_text_mode: step:answr'],
    ['final_text_mode: step:answer', 'final_text_mode: rwa'],
    ['  techne.capabilities: ""', '  techne.capabilities: netwrk-read'],
    ['harbour: {type: string, required: true', 'harbour: {type: strng, required: true'],
    ['harbour: {type: string, required: true', 'harbour: {tpye: string, required: true'],
    ['days: {type: integer, minimum: 1, default: 3', 'days: {type: integer, minimum: one, default: 3'],
    ['            type: string\n', '            type: strng\n'],
    ['          - name: day', '          - nam: day'],
    ['          - name: day', '          - name: Day Of'],
    ['        fields:', '        feilds:'],
    ['            required: true', '            required: true\n            default: Monday'],
    ['      clarify:\n        intro: Tell us more.', '      claryfy:\n        intro: Tell us more.'],
    ['        task: |', '        tsk: |'],
    ['kind: llm_chat', 'kind: llm_chat\n      tool: read_file'],
    ['kind: llm_chat', 'kind: llm_chat\n      on_failure: sotr'],
    ['kind: llm_chat', 'kind: llm_chat\n      on_failure: answer'],
    ['kind: llm_chat', 'kind: llm_chat\n      timeout_seconds: -1'],
    ['kind: llm_chat', 'kind: llm_chat\n      nonsense: 1'],
    ['kind: llm_chat', 'kind: tool_call\n      tool: raed_file'],
    ['kind: llm_chat', 'kind: agent\n      skill: no-such-skill'],
    ['    - id: details\n', '    - text\n    - id: details\n'],
    [
      'text: "{{ inputs.user_message | xml_escape | truncate(400) }}"',
      'text: {{ inputs.user_message | xml_escape | truncate(400) }}',
    ],
    [
      'text: "{{ inputs.user_message | xml_escape | truncate(400) }}"',
      'text: "{{ inputs.user_mesage | xml_escape | truncate(400) }}"',
    ],
  ]),
  // Workflows and chains.
  ...md('flow', [
    ['tool: chat\n    params:\n      system: List', 'tool: caht\n    params:\n      system: List'],
    ['    tool: chat\n    depends_on', '    depends_on'],
    ['depends_on: [gather]', 'depends_on: [gathr]'],
    ['condition: "gather"', 'condition: "gathr"'],
    ['condition: "gather"', 'conditon: "gather"'],
    ['continueOnError: true', 'continueOnError: often'],
    ['retry: {max_attempts: 2}', 'retry: {max_attempt: 2}'],
    ['retry: {max_attempts: 2}', 'retry: {max_attempts: 200}'],
    ['retry: {max_attempts: 2}', 'retry: twice'],
    ['output: assets/table.md', 'output: assets/tabel.md'],
    ['output: assets/table.md', 'output: ../table.md'],
    ['prompt: "{{ gather | xml_escape | truncate(2000) }}"', 'prompt: "{{ gather }}"'],
    [
      'prompt: "{{ gather | xml_escape | truncate(2000) }}"',
      'prompt: "{{ gahter | xml_escape | truncate(2000) }}"',
    ],
    ['maxLength: 80, default: Kiel', 'maxLenght: 80, default: Kiel'],
    ['output: assets/table.md', 'output: assets/table.md\nx_techne_note: {path: x.md}'],
  ]),
  ...file('flow', 'assets/table.md', [
    ['{{ gather }}', '{{ gathr }}'],
    ['{{ gather }}', '{{ gather'],
    ['{{ inputs.place }}', '{{ inputs.plcae }}'],
    ['{{ gather }}', '{{ gather | uper }}'],
  ]),
  ...md('links', [
    [
      'skill: sound-flow\n    inputs:\n      place: "{{ inputs',
      'skill: sond-flow\n    params:\n      place: "{{ inputs',
    ],
    [
      'skill: sound-flow\n    inputs:\n      place: "{{ inputs',
      'skill: NAME\n    params:\n      place: "{{ inputs',
    ],
    ['      place: "{{ first', '      plaec: "{{ first'],
    ['{{ first | xml_escape', '{{ frist | xml_escape'],
    ['  - id: second', '  - id: first'],
    ['chain:\n  - id: first', 'chain: {}\nrest:\n  - id: first'],
  ]),
  // Programs.
  ...md('program', [
    ['metaskill: SKILL.star', 'metaskill: SKILL.sta'],
    ['metaskill_language: starlark', 'metaskill_language: starlrk'],
    ['    type: integer\n', '    type: interger\n'],
    ['    default: 3', '    default: three'],
    ['  - name: days', '  - nmae: days'],
  ]),
  ...file('program', 'SKILL.star', [
    ['def run(input):', 'def runn(input):'],
    ['def run(input):', 'def run():'],
    ['def run(input):', 'def run(input: dict):'],
    ['def run(input):', 'def run(input)'],
    ['def run(input):', '@once\ndef run(input):'],
    ['def run(input):', 'async def run(input):'],
    ['    days = input', '\tdays = input'],
    ['    days = input', '      days = input'],
    ['    days = input', '    import os\n    days = input'],
    ['    total = 0', '    total = 0_0'],
    ['    total = 0', '    total = 0777'],
    ['    total = 0', '    total := 0'],
    ['    total = 0', '    total = 2 ** 3'],
    ['    total = 0', '    total = "open'],
    ['    total = 0', '    total = f"{days}"'],
    ['    total = 0', "    total = '\\q'"],
    ['    total = 0', '    total = {1, 2}'],
    ['    total = 0', '    total = 1 < days < 3'],
    ['    total = 0', '    total = days is None'],
    ['    total = 0', '    total = "a" "b"'],
    ['    total = 0', '    total = (1'],
    ['    total = 0', '    total = 1)'],
    ['    total = 0', '    total = 1 if days'],
    ['    total = 0', '    1 = total'],
    ['    total = 0', '    total = lenght([])'],
    ['    total = 0', '    total = 0\n    total++'],
    ['    total = 0', '    total = sum(x for x in [])'],
    ['    total = 0', '    class = 0\n    total = 0'],
    ['    total = 0', '    total = 0 && 1'],
    ['    total = 0', '    total = 0\n    print "x"'],
    ['    total = 0', '    total = “0”'],
    ['    for day in range(days):', '    while True:'],
    ['    for day in range(days):', '    try:'],
    ['    for day in range(days):', '    with days:'],
    ['        if day > limit:', '        if day > limt:'],
    ['        if day > limit:', '        if day > limit'],
    ['            break', '            raise day'],
    ['            break', '            yield day'],
    ['            break', '            del day'],
    ['            break', '            global day'],
    ['            break', '            assert day'],
    ['limit = 10', 'limit = 10\nlimit = 11'],
    ['limit = 10', 'limit = ask("x")'],
    ['limit = 10', 'break'],
    ['limit = 10', 'return 3'],
    ['limit = 10', 'load("a.star")'],
    ['limit = 10', 'for x in []:\n    pass\nlimit = 10'],
    ['def double(x):', 'def double(x, x):'],
    ['def double(x):', 'def double(x=1, y):'],
    ['double(day)', 'double(x=1, day)'],
    ['{"purpose": "say"}', '{"purpos": "say"}'],
    ['"Say %s" % total', '"Say %5d" % total'],
    ['        total = total + double(day)', '        else if day:\n            pass'],
  ]),
  // Tests and test prompts.
  ...file('program', 'tests/count.yaml', [
    ['input: {days: 2}', 'inptu: {days: 2}'],
    ['input: {days: 2}', 'input: [days'],
    ['expect:', 'expects:'],
    ['  answer: two\n', '  anwser: two\n'],
    ['answers:\n  - answer: two', 'answers: two'],
    ['name: counts', 'limits: {aks: 2}'],
  ]),
  ...file('program', 'evals/evals.json', [
    ['"triggers"', '"trigger"'],
    ['{', '['],
    ['"positive"', '"postive"'],
  ]),
];

/** A name for the folder of each, as short as unique. */
export function nameOf(index: number): string {
  return `broken-${String(index).padStart(3, '0')}`;
}

export function filesOf({ base, path, from, to }: BrokenSkill, name: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [at, sound] of Object.entries(bases[base])) {
    const text = at === path ? replaced(sound, from, to) : sound;
    files.set(at, text.replaceAll('NAME', name));
  }
  return files;
}

function replaced(text: string, from: string, to: string): string {
  if (from === '') return to + text;
  const at = text.indexOf(from);
  if (at < 0) throw new Error(`there is no ${JSON.stringify(from)} to be replaced`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}

export function soundFiles(base: Base, name: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(bases[base]).map(([path, text]) => [path, text.replaceAll('NAME', name)]));
}
