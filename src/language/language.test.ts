import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filters } from '../template/filters/filters.ts';
import { tests } from '../template/filters/tests.ts';
import { hostFunctionNames, hostFunctionOptions } from '../skill/host-functions.ts';
import { jsonModule } from '../starlark/lib/json.ts';
import { universe } from '../starlark/lib/universe.ts';
import { complete } from './complete.ts';
import { builtinDocs, hostFunctionDocs, hostOptionDocs, jsonDocs, methodDocs } from './docs/starlark-docs.ts';
import { filterDocs, testDocs } from './docs/template-docs.ts';
import { hover } from './hover.ts';
import type { LanguageWorld } from './language.ts';
import { methodTables } from './starlark.ts';

const world: LanguageWorld = {
  skills: [
    {
      name: 'changelog',
      description: 'Writes a changelog.',
      inputs: [{ name: 'since', description: 'A tag.' }],
    },
    { name: 'tides', description: 'Knows tides.', inputs: [] },
  ],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      inputs: [{ name: 'path', description: 'Which file.' }],
    },
  ],
  capabilities: [{ name: 'network-read', description: 'fetches' }],
};

/** `|` is the cursor. */
function at(marked: string, path = 'SKILL.md', main = ''): ReturnType<typeof complete> {
  const offset = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  return complete({ path, text, main: path === 'SKILL.md' ? text : main }, offset, world);
}

const labels = (marked: string, path?: string, main?: string): readonly string[] =>
  at(marked, path, main).items.map(({ label }) => label);

function explain(marked: string, path = 'SKILL.md', main = ''): string | null {
  const text = marked.replace('¦', '');
  const found = hover({ path, text, main: path === 'SKILL.md' ? text : main }, marked.indexOf('¦'), world);
  return found === null
    ? null
    : `${text.slice(found.span.start, found.span.end)}: ${found.title}: ${found.text}`;
}

const composition = (line: string): string => `---
name: demo
description: Shows it. Use when asked.
kind: meta
inputs:
  - topic|required|What it is about
  - {name: tone, type: string}
triggers: ["write about {place}"]
composition:
  steps:
    - id: draft
      kind: llm_chat
      with:
        task: "Write"
    - {id: check-it, kind: llm_chat, with: {task: x}}
    - id: last
      kind: agent
${line}
---
`;

/** What the text is after the item was taken. */
function taken(marked: string, label: string, folder?: string): string {
  const text = marked.replace('¦', '');
  const file = { path: 'SKILL.md', text, main: text, ...(folder === undefined ? {} : { folder }) };
  const { span, items } = complete(file, marked.indexOf('¦'), world);
  const item = items.find((one) => one.label === label);
  if (item === undefined) throw new Error(`no ${label} among ${items.map((one) => one.label).join(' ')}`);
  return `${text.slice(0, span.start)}${item.insert}¦${text.slice(span.end)}`;
}

describe('complete in a file without frontmatter', () => {
  it('offers its beginning, with the name of the folder, and an example of each form', () => {
    for (const typed of ['', '-', 'sk', '\n'])
      expect(taken(`${typed}¦`, '---', 'tides')).toBe('---\nname: tides\ndescription: ¦');
    expect(labels('¦').slice(1)).toEqual([
      'skill-instructions',
      'skill-program',
      'skill-composition',
      'skill-workflow',
      'skill-chain',
    ]);
    expect(taken('¦', 'skill-chain', 'tides')).toMatch(/^---\nname: tides\n[^]*\nchain:\n[^]*\n---\n/);
    expect(labels('Some text\n¦')).toEqual([]);
    expect(labels('a word¦')).toEqual([]);
  });
});

describe('complete in frontmatter', () => {
  it('adds the lines that a mapping or a list needs', () => {
    expect(taken('---\ncomp¦\n---\n', 'composition')).toBe('---\ncomposition:\n  ¦\n---\n');
    expect(taken('---\ncomposition:\n  ¦\n---\n', 'steps')).toBe(
      '---\ncomposition:\n  steps:\n    - ¦\n---\n',
    );
    expect(taken('---\ntri¦\n---\n', 'triggers')).toBe('---\ntriggers:\n  - ¦\n---\n');
    expect(taken(composition('      depends¦'), 'depends_on')).toContain(
      '\n      depends_on:\n        - ¦\n',
    );
    expect(taken(composition('      ¦').replace('      kind: agent\n', ''), 'with')).toContain(
      '\n      with:\n        ¦\n',
    );
    expect(taken('---\ncomposition:\n  steps:\n    - wi¦\n---\n', 'with')).toContain(
      '\n    - with:\n        ¦\n',
    );
    expect(taken(composition('    - {id: x, ¦'), 'depends_on')).toContain('{id: x, depends_on: ¦');
    expect(taken('---\ncomposition¦:\n', 'composition')).toBe('---\ncomposition¦:\n');
    expect(taken('---\nallow¦\n---\n', 'allowed-tools')).toBe('---\nallowed-tools: ¦\n---\n');
  });

  it('writes the dash of the first item of a list, and the blank behind a dash', () => {
    expect(taken('---\ncomposition:\n  steps:\n    ¦\n---\n', 'id')).toContain('\n    - id: ¦\n');
    expect(taken('---\ncomposition:\n  steps:\n    -¦\n---\n', 'id')).toContain('\n    - id: ¦\n');
    expect(taken(composition('      depends_on:\n        ¦'), 'draft')).toContain('\n        - draft¦\n');
    expect(taken('---\ninputs:\n  - ¦\n---\n', 'name')).toBe('---\ninputs:\n  - name: ¦\n---\n');
  });

  it('ends a frontmatter that has no end', () => {
    for (const typed of ['', '-', '--'])
      expect(taken(`---\nname: a\n${typed}¦`, '---')).toBe('---\nname: a\n---\n\n¦');
    expect(labels('---\nname: a\n-¦\n---\n')).not.toContain('---');
    expect(labels('---\ninputs:\n  ¦')).not.toContain('---');
  });

  it('offers the name of the folder, types of inputs, capabilities and parameters of tools', () => {
    expect(taken('---\nname: ¦\n---\n', 'tides', 'tides')).toBe('---\nname: tides¦\n---\n');
    for (const text of ['---\ninputs:\n  a: {type: ¦', '---\ninputs:\n  - name: a\n    type: ¦\n---\n'])
      expect(labels(text)).toContain('integer');
    expect(labels('---\nmetadata:\n  techne.capabilities: ¦\n---\n')).toEqual(['network-read']);
    expect(
      labels(
        '---\ncomposition:\n  steps:\n    - id: a\n      kind: tool_call\n      tool: read_file\n      tool_args:\n        ¦\n---\n',
      ),
    ).toEqual(['path']);
  });

  it('offers whole templates where a step is given a value', () => {
    const given = labels(composition('      with:\n        task: ¦'));
    expect(given).toEqual([
      'inputs.topic',
      'inputs.tone',
      'inputs.place',
      'inputs.user_message',
      'outputs.draft',
      "outputs['check-it']",
    ]);
    expect(taken(composition('      with:\n        task: ¦'), 'outputs.draft')).toContain(
      'task: "{{ outputs.draft | xml_escape | truncate(4000) }}"¦',
    );
    expect(labels(composition('      label: ¦'))).toEqual([]);
    expect(labels('---\ninputs:\n  a:\n    default: ¦\n---\n')).toEqual([]);
    expect(labels('---\nsteps:\n- id: a\n- id: b\n  params:\n    prompt: ¦\n---\n')).toEqual([
      'inputs.user_message',
      'a',
    ]);
  });

  it('offers the fields that are not there yet, the standard ones first', () => {
    const found = labels('---\nname: a\n¦\n---\n');
    expect(found.slice(0, 3)).toEqual(['description', 'license', 'compatibility']);
    expect(found).not.toContain('name');
    expect(found).not.toContain('licence');
  });

  it('takes the place of what is typed, and adds the colon', () => {
    const { span, items } = at('---\nname: a\ndes¦\n---\n');
    expect(span).toEqual({ start: 12, end: 15 });
    expect(items.find(({ label }) => label === 'description')).toMatchObject({
      kind: 'field',
      insert: 'description: ',
      description: expect.stringContaining('What the skill does') as string,
    });
    expect(at('---\nde¦: x\n---\n').items.find(({ label }) => label === 'description')?.insert).toBe(
      'description',
    );
  });

  it('works while the frontmatter is not closed', () => {
    expect(labels('---\nna¦')).toContain('name');
    expect(labels('---\n¦')).toContain('name');
  });

  it('offers closed sets of values', () => {
    expect(labels('---\nkind: ¦\n---\n')).toEqual(['meta', 'meta_sop', 'skill']);
    expect(labels('---\nkind: me¦\n---\n')).toEqual(['meta', 'meta_sop', 'skill']);
    expect(labels('---\nuser-invocable: ¦\n---\n')).toEqual(['true', 'false']);
    expect(labels(composition('      kind: ¦').replace('      kind: agent\n', ''))).toContain('llm_classify');
    expect(labels('---\nmetadata:\n  techne:\n    risk: ¦\n---\n')).toEqual(['low', 'medium', 'high']);
  });

  it('offers the fields of a step, without those it has', () => {
    const found = labels(composition('      ¦'));
    expect(found).toContain('depends_on');
    expect(found).not.toContain('id');
    expect(found).not.toContain('kind');
    expect(labels(composition('    - ¦'))).toContain('id');
    expect(labels(composition('    - {id: x, ¦'))).toContain('kind');
    expect(labels(composition('      clarify:\n        ¦'))).toContain('fields');
  });

  it('offers steps, skills and tools where they are named', () => {
    expect(labels(composition('      depends_on: [¦'))).toEqual(['draft', 'check-it', 'last']);
    expect(labels(composition('      depends_on: [draft, ch¦]'))).toEqual(['draft', 'check-it', 'last']);
    expect(labels(composition('      depends_on:\n        - ¦'))).toEqual(['draft', 'check-it', 'last']);
    expect(labels(composition('      on_failure: ¦'))).toEqual(['draft', 'check-it', 'last']);
    expect(labels(composition('      skill: ch¦'))).toEqual(['changelog', 'tides']);
    expect(labels('---\nskills: [¦]\n---\n')).toEqual(['changelog', 'tides']);
    expect(labels('---\nallowed-tools: Grep re¦\n---\n')).toEqual(['read_file']);
    expect(labels('---\nsteps:\n- id: a\n  tool: ¦\n---\n')).toEqual([
      'ask',
      'chat',
      'classify',
      'command',
      'skill',
      'read_file',
    ]);
    expect(labels('---\nfinal_text_mode: ¦\ncomposition:\n  steps:\n    - id: a\n---\n')).toEqual([
      'auto',
      'raw',
      'step:a',
    ]);
  });

  it('offers the inputs of the skill that a step runs', () => {
    expect(labels('---\nchain:\n  - skill: changelog\n    inputs:\n      ¦\n---\n')).toEqual(['since']);
  });

  it('offers nothing in comments, and nothing in the body', () => {
    expect(labels('---\nname: a # ki¦\n---\n')).toEqual([]);
    expect(labels('---\nname: a\n---\nki¦')).toEqual([]);
  });
});

describe('complete in templates', () => {
  it('offers inputs and variables of triggers', () => {
    for (const line of [
      '        task: "{{ inputs.¦ }}"',
      '        task: "{{ inputs.to¦',
      '        task: |\n          On {{ inputs.¦',
    ])
      expect(labels(composition(`      with:\n${line}`))).toEqual(['topic', 'tone', 'place', 'user_message']);
    expect(labels('On {{ inputs.¦ }}', 'assets/template.md', composition(''))).toContain('topic');
  });

  it('offers outputs, those with a dash only in brackets', () => {
    expect(labels(composition('      when: "outputs.¦"'))).toEqual(['draft', 'last']);
    expect(labels(composition('      when: "outputs[\'¦\']"'))).toEqual(['draft', 'check-it', 'last']);
  });

  it('offers filters, tests, tags and variables', () => {
    expect(labels(composition('      with: {task: "{{ inputs.topic | xml¦"}'))).toEqual([...filters.keys()]);
    expect(labels(composition('      when: outputs.draft is ¦'))).toContain('defined');
    expect(labels(composition('      with: {task: "{% ¦"}'))).toContain('endfor');
    expect(labels(composition('      with: {task: "{{ ¦"}'))).toEqual(
      expect.arrayContaining(['inputs', 'outputs']),
    );
    expect(labels('---\nsteps:\n- id: source\n  tool: chat\n  params: {prompt: "{{ ¦"}\n---\n')).toContain(
      'source',
    );
    expect(labels(composition('      with: {task: "{{ \'in a text ¦'))).toEqual([]);
  });
});

describe('complete in programs', () => {
  const star = (text: string): readonly string[] => labels(text, 'SKILL.star', composition(''));

  it('offers functions of the host, of the language and of the program', () => {
    const found = star('def words(text, most = 3):\n    count = 1\n    return ¦');
    expect(found).toEqual(
      expect.arrayContaining(['ask', 'command', 'len', 'sorted', 'words', 'text', 'most', 'count', 'json']),
    );
  });

  it('offers methods behind a dot, and the members of json', () => {
    expect(star('"a".¦')).toEqual(expect.arrayContaining(['split', 'append', 'get']));
    expect(star('json.¦')).toEqual(
      ['decode', 'encode', 'encode_indent', 'indent'].filter((name) => jsonModule.members.has(name)),
    );
    expect(star('x = 1.¦')).toEqual([]);
  });

  it('offers options of host functions and keys of the input', () => {
    expect(star('ask("x", {"¦')).toEqual([...hostFunctionOptions.ask]);
    expect(star('command(["ls"], {"cwd": ".", "¦"})')).toEqual([...hostFunctionOptions.command]);
    expect(star('input["¦"]')).toEqual(['topic', 'tone', 'place']);
    expect(star('input.get("t¦")')).toEqual(['topic', 'tone', 'place']);
    expect(star('x = "a ¦"')).toEqual([]);
    expect(star('ask("x", {"purpose": "¦"})')).toEqual([]);
    expect(star('# le¦')).toEqual([]);
  });
});

describe('hover', () => {
  it('says what a field is, also one that is spelt otherwise', () => {
    expect(explain('---\nlic¦ence: MIT\n---\n')).toBe(
      'licence: license: A license name, or the license file in the folder.\ntext\nDefined by: standard\nAnother spelling of license.',
    );
    expect(explain(composition('      depends¦_on: [draft]'))).toContain(
      'Steps that must be finished before.',
    );
    expect(explain('---\nnothing¦: x\n---\n')).toBeNull();
  });

  it('says what a name stands for', () => {
    expect(explain(composition('      skill: tid¦es'))).toBe('tides: skill tides: Knows tides.');
    expect(explain(composition('      on_failure: dra¦ft'))).toBe('draft: step draft: llm_chat');
    expect(explain(composition('      with: {task: "{{ inputs.top¦ic | trim }}"}'))).toContain(
      'What it is about',
    );
    expect(explain(composition('      with: {task: "{{ inputs.topic | tr¦im }}"}'))).toBe(
      'trim: filter trim: Without white space at both ends.',
    );
  });

  it('says what a function does', () => {
    expect(explain('x = so¦rted([1])', 'SKILL.star')).toContain('sorted: sorted(');
    expect(explain('a¦sk("x")', 'SKILL.star')).toContain('ask(prompt, opts = None)');
    expect(explain('"a".spl¦it()', 'SKILL.star')).toBe(
      'split: string.split([sep], [maxsplit]): A list of its parts between separators, or between white space.',
    );
    expect(explain('x = "so¦rted"', 'SKILL.star')).toBeNull();
  });
});

describe('the sentences', () => {
  const keys = (docs: object): string[] => Object.keys(docs).sort();

  it('are there for every name of the engine, and for no other', () => {
    expect(keys(filterDocs)).toEqual([...filters.keys()].sort());
    const words = [...tests.keys()].filter((name) => /^\w+$/.test(name));
    expect(keys(testDocs).filter((name) => !words.includes(name))).toEqual([]);
    expect(keys(builtinDocs)).toEqual([...universe.keys()].sort());
    expect(keys(jsonDocs)).toEqual([...jsonModule.members.keys()].sort());
    expect(keys(hostFunctionDocs)).toEqual([...hostFunctionNames].sort());
    expect(keys(hostOptionDocs)).toEqual([...new Set(Object.values(hostFunctionOptions).flat())].sort());
    for (const [type, table] of methodTables)
      expect(keys(methodDocs[type] ?? {})).toEqual([...table.keys()].sort());
  });
});

describe('any prefix of any shipped file', () => {
  const skills = fileURLToPath(new URL('../../skills', import.meta.url));
  const files = readdirSync(skills, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:md|star)$/.test(name),
  );

  it('has completions and hovers inside of it, and raises nothing', () => {
    let asked = 0;
    let answered = 0;
    for (const [index, name] of files.entries()) {
      const whole = readFileSync(join(skills, name), 'utf8');
      const [skill = '', ...rest] = name.split('/');
      const main = readFileSync(join(skills, skill, 'SKILL.md'), 'utf8');
      // A prime step, with another start for each file: every kind of place is met over all files.
      for (let end = index % 7; end <= whole.length; end += 41) {
        const text = whole.slice(0, end);
        const file = { path: rest.join('/'), text, main: rest.join('/') === 'SKILL.md' ? text : main };
        for (const offset of [end, Math.floor(end / 2), -1, end + 5]) {
          const { span, items } = complete(file, offset, world);
          if (span.start < 0 || span.end > end || span.start > span.end)
            throw new Error(`${name} ${end} ${offset}`);
          asked += 1;
          if (items.length > 0) answered += 1;
          const shown = hover(file, offset, world);
          if (shown !== null && (shown.text === '' || shown.span.end > end))
            throw new Error(`${name} ${end} ${offset}`);
        }
      }
    }
    expect(asked).toBeGreaterThan(10_000);
    expect(answered).toBeGreaterThan(500);
  });

  it('is answered in linear time for what is long or deep', () => {
    for (const text of [
      '- '.repeat(50_000),
      '[{'.repeat(50_000),
      '{{ '.repeat(50_000),
      'a: '.repeat(50_000),
      '((('.repeat(50_000),
      '"'.repeat(100_000),
    ])
      for (const path of ['SKILL.md', 'SKILL.star']) {
        const whole = path === 'SKILL.md' ? `---\nx: ${text}\n---\n${text}` : text;
        expect(complete({ path, text: whole, main: whole }, whole.length, world).span.end).toBe(whole.length);
        hover({ path, text: whole, main: whole }, 20, world);
      }
  });
});
