// Forms and tools of runs on the command line: shown, filled in at a terminal, answered by options, and from a script.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composition } from '../../../test/support/plan-texts.ts';
import type { Ran, RunOptions, World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

const form = composition(
  `- id: collect
  kind: user_input
  clarify:
    intro: A few things about the text.
    cancel_keywords: [stop]
    fields:
      - {name: topic, type: string, required: true, prompt: Topic, max_chars: 20}
      - {name: pages, type: int, min: 1, max: 9}
      - {name: tone, type: enum, choices: [kind, plain], default: kind}
- id: say
  kind: tool_call
  tool: emit_text
  depends_on: [collect]
  tool_args: {text: "{{ outputs.collect | xml_escape | truncate(500) }}"}
`,
  'final_text_mode: raw\n',
).replace('name: sample', 'name: form');
const save = composition(
  `- id: save
  kind: tool_call
  tool: memory_save
  tool_args: {path: memory/a.md, content: a note}
`,
  'final_text_mode: raw\n',
).replace('name: sample', 'name: save');

let world: World;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/form/SKILL.md': form,
    'work/.techne/skills/save/SKILL.md': save,
  });
  configure({});
});
afterEach(() => world.remove());

function configure(config: object): void {
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      ...config,
    }),
  });
}

const run = (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => world.run(argv, options);
const go = ['run', 'form', 'user_message=go'];
const filled = '- topic: tides (from user)\n- pages: 3 (from user)\n- tone: kind (from default)';

describe('a form on the command line', () => {
  it('is shown with its fields, by run and by runs show, and as JSON with a schema', async () => {
    const { code, out } = await run(go);
    const shown = [
      'A person is asked to fill in a form (collect):',
      '',
      '  A few things about the text.',
      '',
      '  topic             text of at most 20 characters; required. Topic',
      '  pages             a whole number from 1 to 9',
      '  tone              one of kind, plain; default: kind',
      '  additional_notes  text of at most 2000 characters. Anything else to consider?',
    ];
    expect([code, out]).toEqual([5, expect.stringContaining(shown.join('\n'))]);
    expect(out).toMatch(/techne answer 01\w+ --set topic=…\n/);
    expect((await run(['runs', 'show', 'last'])).out).toContain(shown.join('\n'));
    const { questions } = JSON.parse((await run(['runs', 'show', 'last', '--json'])).out) as {
      questions: { audience: string; question: { schema: { required: string[] } } }[];
    };
    expect(questions).toMatchObject([
      { audience: 'person', question: { type: 'form', schema: { type: 'object', required: ['topic'] } } },
    ]);
  });

  it('is answered with --set, --json or --text, by a person', async () => {
    await run(go);
    expect((await run(['answer', 'last', '--set', 'topic=tides'])).err).toContain('is for the person');
    const person = ['answer', 'last', '--as', 'person', '-q'];
    expect(await run(['answer', 'last', '--as', 'person', '--set', 'tpic=tides'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean "topic"?') as string,
    });
    expect(await run([...person, '--set', 'topic'])).toMatchObject({ code: 2 });
    expect(await run([...person, '--set', 'topic=a', '--text', 'b'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('contradict') as string,
    });
    expect(await run([...person, '--set', 'topic=tides', '--set', 'pages=99'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('pages must be from 1 to 9, not 99') as string,
    });
    expect(await run([...person, '--set', 'topic=tides', '--set', 'pages=3'])).toMatchObject({
      code: 0,
      out: `${filled}\n`,
    });
    await run(go);
    expect(await run([...person, '--value', '{"topic": "tides", "pages": 3}'])).toMatchObject({
      code: 0,
      out: `${filled}\n`,
    });
    await run(go);
    expect(await run([...person, '--text', 'topic: tides\npages: 3'])).toMatchObject({
      code: 0,
      out: `${filled}\n`,
    });
    await run(go);
    expect(await run([...person, '--text', 'stop'])).toMatchObject({ code: 130 });
  });

  it('shows a suggested text in brackets, and a suggested choice or yes only in the list: Enter gives neither', async () => {
    const fields = [
      '{name: topic, type: string, required: true}',
      '{name: urgent, type: bool, required: true}',
      '{name: tone, type: enum, choices: [kind, plain], default: kind}',
    ]
      .map((field) => `\n      - ${field}`)
      .join('');
    world.write({
      'work/.techne/skills/form/SKILL.md': composition(
        `- id: page\n  kind: tool_call\n  tool: emit_text\n  tool_args: {text: "topic: tides\\nurgent: yes\\ntone: plain"}\n- id: collect\n  kind: user_input\n  depends_on: [page]\n  clarify:\n    fields:${fields}\n`,
        'final_text_mode: raw\n',
      ).replace('name: sample', 'name: form'),
    });
    const { code, out, err } = await run([...go, '-q'], {
      talk: [
        ['topic [tides] > ', '\n'],
        ['urgent (yes/no) > ', '\n'],
        ['urgent (yes/no) > ', 'no\n'],
        ['tone (kind/plain) [kind] > ', '\n'],
        ['(optional) > ', '\n'],
      ],
    });
    expect([code, out]).toEqual([
      0,
      '- topic: tides (from user, suggested by page)\n- urgent: false (from user)\n- tone: kind (from default)\n',
    ]);
    expect(err).toContain('one of kind, plain; default: kind; plain is suggested by "page"');
    expect(err).toContain('urgent is required');
  });

  it('is asked field by field at a terminal, and again for what does not fit', async () => {
    const talk: RunOptions['talk'] = [
      ['topic: Topic > ', '\n'],
      ['topic: Topic > ', 'x'.repeat(30) + '\n'],
      ['topic: Topic > ', 'tides\n'],
      ['pages (optional) > ', '12\n'],
      ['pages (optional) > ', '3\n'],
      ['[kind] > ', 'rude\n'],
      ['[kind] > ', '\n'],
      ['(optional) > ', '\n'],
    ];
    const { code, out, err } = await run([...go, '-q'], { talk });
    expect([code, out]).toEqual([0, `${filled}\n`]);
    for (const fault of [
      'topic is required',
      'topic has 30 characters, over 20',
      'pages must be from 1 to 9, not 12',
      'tone must be one of kind, plain, not "rude"',
    ])
      expect(err).toContain(fault);
  });

  it('is cancelled by its word at any field, and left for later by Ctrl-D', async () => {
    expect(
      (
        await run(go, {
          talk: [
            ['topic: Topic > ', 'tides\n'],
            ['pages (optional) > ', 'Stop\n'],
          ],
        })
      ).code,
    ).toBe(130);
    expect(
      (
        await run(go, {
          talk: [
            ['topic: Topic > ', 'tides\n'],
            ['pages (optional) > ', '\u0004'],
          ],
        })
      ).code,
    ).toBe(5);
    expect((await run(['runs', 'show', 'last'])).out).toContain(
      'A person is asked to fill in a form (collect)',
    );
  });

  it('is filled in from a script, and a reply that does not fit is told', async () => {
    world.write({
      'work/a.yaml': 'inputs: {collect: {topic: tides, pages: 3}}\n',
      'work/b.yaml': 'inputs: [{values: {topic: tides, pages: 99}}]\n',
    });
    expect(await run([...go, '-q', '--answer', 'script:a.yaml'])).toMatchObject({
      code: 0,
      out: `${filled}\n`,
    });
    expect(await run([...go, '-q', '--answer', 'script:b.yaml'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'a form refused the reply of the script: pages must be from 1 to 9, not 99',
      ) as string,
    });
  });
});

describe('a tool on the command line', () => {
  const go2 = ['run', 'save', 'user_message=go', '-q'];
  const note = (): string => readFileSync(join(world.workspace, 'memory/a.md'), 'utf8');

  it('is asked about, and done after an approval at the terminal', async () => {
    const paused = await run(go2.slice(0, 3));
    expect([paused.code, paused.out.includes('memory_save')]).toEqual([5, true]);
    expect(() => note()).toThrow('ENOENT');
    const { code, err } = await run(go2, { talk: [['later: ', 'o\n']] });
    expect([code, err.includes('A tool needs an approval'), note()]).toEqual([0, true, 'a note\n']);
  });

  it('is done where tools.allow names it, and never where tools.deny does', async () => {
    configure({ tools: { allow: ['memory_*'] } });
    expect(await run(go2)).toMatchObject({ code: 0, out: 'saved 6 characters to memory/a.md\n' });
    configure({ tools: { allow: ['*'], deny: ['memory_save'] } });
    expect(await run(go2)).toMatchObject({
      code: 1,
      err: expect.stringContaining('tools.deny has "memory_save"') as string,
    });
  });

  it('gives what a script says, and nothing is done', async () => {
    world.write({ 'work/a.yaml': 'tools: [{tool: memory_save, args: {content: a note}, result: kept}]\n' });
    expect(await run([...go2, '--answer', 'script:a.yaml'])).toMatchObject({ code: 0, out: 'kept\n' });
    expect(() => note()).toThrow('ENOENT');
  });
});

describe('an entry point on the command line', () => {
  const skills = {
    'work/.techne/skills/count/SKILL.md':
      '---\nname: count\ndescription: Counts the words of a text. Use it in plans.\nentrypoint:\n  command: sh {baseDir}/count.sh\n  args: ["{{ with.label }}"]\n  assemble: [{into: "build/{{ with.label | slugify }}.txt", from_template: "{{ with.text }}"}]\n  parse: json\n---\n\nCount.\n',
    'work/.techne/skills/count/count.sh':
      'printf \'{"label": "%s", "words": %s}\\n\' "$1" "$(cat build/*.txt | wc -w)"\n',
    'work/.techne/skills/use/SKILL.md': composition(
      `- id: ask
  kind: user_input
  clarify: {fields: [{name: label, type: string, required: true}]}
- id: count
  kind: skill_exec
  skill: count
  depends_on: [ask]
  with: {label: "{{ inputs.collected.ask.label | slugify | truncate(40) }}", text: one two three}
- id: say
  kind: tool_call
  tool: emit_text
  depends_on: [count]
  tool_args: {text: "{{ outputs.count | xml_escape | truncate(300) }}"}
`,
      'final_text_mode: raw\n',
    ).replace('name: sample', 'name: use'),
  };
  const person = ['answer', 'last', '--as', 'person', '-q', '--set', 'label=A b; rm'];

  beforeEach(() => {
    world.write(skills);
    configure({ sandbox: { mode: 'off' }, commands: { allow: ['sh ...'] } });
  });

  // A pattern covers a plain command; this one has a file written first.
  const approve = (): Promise<Ran> => run(['answer', 'last', '--approve', 'once', '-q'], { talk: [] });

  it('runs the program of the skill with its files after a person has seen them, and reads what it prints', async () => {
    expect((await run(['run', 'use', 'user_message=go', '-q'])).code).toBe(5);
    const asked = await run(person);
    expect([asked.code, asked.err]).toMatchObject([
      5,
      expect.stringContaining(
        'after writing the file build/a-b-rm.txt:\n  | one two three\nreason: "sh ..." of commands.allow covers the plain command, and this one has the file "build/a-b-rm.txt" written first.',
      ) as string,
    ]);
    const { code, out, err } = await approve();
    expect([code, out, err]).toMatchObject([0, expect.stringContaining('words') as string, '']);
    expect(out).toContain('a-b-rm');
    expect(readFileSync(join(world.workspace, 'build/a-b-rm.txt'), 'utf8')).toBe('one two three');
  });

  it('does not run what was changed after the run began', async () => {
    await run(['run', 'use', 'user_message=go', '-q']);
    world.write({ 'work/.techne/skills/count/count.sh': 'touch build/evil\n' });
    await run(person);
    const { code, err } = await approve();
    expect([code, err]).toMatchObject([
      1,
      expect.stringContaining('does not hold what was checked when the run began') as string,
    ]);
    expect(() => readFileSync(join(world.workspace, 'build/evil'))).toThrow('ENOENT');
  });
});
