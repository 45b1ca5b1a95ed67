// The steps of a plan on the command line: while it runs, when it has ended in one way or another, and afterwards.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composition } from '../../../test/support/plan-texts.ts';
import type { Ran, RunOptions, World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

const steps = `- {id: sort, kind: llm_classify, output_choices: [A, B], with: {text: "{{ inputs.user_message | xml_escape | truncate(99) }}"}}
- {id: slow, kind: tool_call, tool: memory_save, tool_args: {path: memory/a.md, content: x}, retry: {max_attempts: 2, backoff_ms: 10}, on_failure: quick}
- {id: quick, kind: tool_call, tool: emit_text, tool_args: {text: instead}}
- {id: each, kind: llm_chat, for_each: [x, y, z], with: {task: "Part {{ item }}"}, depends_on: [sort]}
- {id: never, kind: llm_chat, when: "outputs.sort == 'B'", with: {task: never}, depends_on: [sort]}
`;
const last =
  '- {id: end, kind: llm_chat, label: Make an end, with: {task: end}, depends_on: [slow, each, never]}\n';
const failing =
  '- {id: bad, kind: llm_chat, with: {task: bad}}\n- {id: after, kind: llm_chat, with: {task: after}, depends_on: [bad]}\n';
const form =
  '- id: details\n  kind: user_input\n  clarify: {fields: [{name: who, type: string, required: true}]}\n- {id: other, kind: user_input, clarify: {fields: [{name: count, type: int, required: true}]}}\n- {id: end, kind: llm_chat, with: {task: end}, depends_on: [details, other]}\n';
const script = `answers:
  - {match: true, purpose: sort, answer: A}
  - {match: true, purpose: end, answer: The end.}
  - {match: true, purpose: bad, error: the model is busy}
  - {match: true, contains: "", answer: part}
tools: [{tool: memory_save, error: disk is full}, {tool: memory_save, error: disk is full}]
`;

let world: World;
beforeEach(() => {
  const skill = (
    name: string,
    text: string,
    more = 'final_text_mode: raw\n',
  ): { readonly [path: string]: string } => ({
    [`work/.techne/skills/${name}/SKILL.md`]: composition(text, more).replace(
      'name: sample',
      `name: ${name}`,
    ),
  });
  world = createWorld({
    ...skill('big', steps + last),
    ...skill('part', steps + last + failing, 'final_text_mode: step:end\n'),
    ...skill(
      'fails',
      `${steps}${failing}`
        .replaceAll('- {id: each', '- {id: each, when: "false"')
        .replace('depends_on: [bad]', 'depends_on: [bad, each, never, slow]'),
    ),
    ...skill('asks', form),
    'work/a.yaml': script,
    'home/.techne/config.json': '',
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
});
afterEach(() => world.remove());

const run = (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => world.run(argv, options);
const go = (name: string, options: RunOptions = {}): Promise<Ran> =>
  run(['run', name, 'user_message=hi', '--answer', 'script:a.yaml'], options);
/** Times and ids are what they are. */
const plain = (text: string): string =>
  text
    .replaceAll(/\d+(?:\.\d+)? m?s\b/g, 'T')
    .replaceAll(/01[0-9A-Z]{24}/g, 'RUN')
    .replaceAll(/^\[[\d.]+s\] /gm, '');

const rows = [
  '  sort  classify  T  ok',
  '  slow  tool memory_save  T  failed after 2 tries: TOOL_FAILED; quick was used instead: memory_save: disk is full',
  '  quick  tool emit_text  T  ok',
  '  each  chat  T  ok, 3 items',
  "  never  chat  skipped: outputs.sort == 'B' does not hold",
  '  end  chat: Make an end  T  ok',
];

describe('techne run of a plan', () => {
  it('shows the answer, then one row a step, and no JSON', async () => {
    const { code, out } = await go('big');
    expect([code, plain(out)]).toEqual([
      0,
      [
        'The end.',
        '',
        'status    ok',
        'steps     4 ok, 1 skipped, 1 substituted',
        '',
        ...rows,
        '',
        'run       RUN  5 asks, 3 tool calls, T',
        'journal   ~/.techne/runs/RUN',
        '',
      ].join('\n'),
    ]);
    const again = (await run(['runs', 'show', 'last'])).out;
    expect(plain(again)).toContain(
      `\n\n${rows.join('\n')}\n\nThe end.\n\nstatus    ok\nsteps     4 ok, 1 skipped, 1 substituted\n`,
    );
    expect(again).toContain(' of 30 min');
    expect(plain((await run(['runs', 'show', 'last', '--effects'])).out)).toContain('slow#2~wait  sleep');
    expect((await run(['runs', 'tail', 'last'])).out).not.toMatch(/\$|~wait/);
    expect((await run(['runs', 'list'])).out).toContain('5 asks, 3 tool calls');
  });

  it('fits a terminal of 80 columns', async () => {
    const { out } = await go('big', { columns: 80 });
    const lines = out.split('\n').filter((line) => /^ {2}\S* ?\S*[✓✗-]/.test(line));
    expect([lines.length, lines.every((line) => line.replaceAll(/\u001B\[\d+m/g, '').length <= 80)]).toEqual([
      6,
      true,
    ]);
  });

  it('tells a step once while it runs, with how many there are', async () => {
    const { err } = await go('big');
    expect(plain(err).split('\n').slice(2).sort()).toEqual(
      [
        '',
        'each  chat  ok, 3 items, T (N of 6)',
        'end  chat: Make an end  ok, T (N of 6)',
        "never  skipped: outputs.sort == 'B' does not hold (N of 6)",
        'quick  tool emit_text  ok, T (N of 6)',
        'slow  tool memory_save  failed after 2 tries: TOOL_FAILED, T (N of 6)',
        'sort  classify  ok, T (N of 6)',
      ].map(
        (line) =>
          expect.stringMatching(
            new RegExp(`^${line.replaceAll(/[.()]/g, '\\$&').replace('N', '\\d')}$`),
          ) as string,
      ),
    );
    expect(err).not.toMatch(/\$|#2|~wait/);
  });

  it('counts steps at a terminal, and no budgets that nobody set', async () => {
    const { err } = await go('big', { talk: [] });
    expect(err).toMatch(/. 6 of 6 steps · asks 5 · tool calls 3 · /);
    const few = await run(
      ['run', 'big', 'user_message=hi', '--answer', 'script:a.yaml', '--max-asks', '40'],
      { talk: [] },
    );
    expect(few.err).toMatch(/asks 5\/40 · tool calls 3 · /);
  });

  it('names all that failed in a partial result', async () => {
    const { code, out } = await go('part');
    expect([code, plain(out)]).toEqual([
      1,
      expect.stringContaining(
        [
          'The end.',
          '',
          'status    partial',
          'error     ASK_FAILED: step "bad" failed: ask failed: the model is busy',
          'steps     4 ok, 1 skipped, 1 failed, 1 substituted, 1 blocked',
          '',
          ...rows,
          '  bad  chat  T  failed: ASK_FAILED: ask failed: the model is busy',
          '  after  chat  blocked by bad',
          '',
        ].join('\n'),
      ),
    ]);
    expect(plain((await run(['runs', 'show', 'last'])).out)).toContain(
      '\nThe end.\n\nstatus    partial\nerror     ASK_FAILED: step "bad"',
    );
  });

  it('shows the steps of a failed run, too', async () => {
    const { code, out, err } = await go('fails');
    expect([code, out, plain(err)]).toEqual([
      1,
      '',
      expect.stringContaining(
        'techne: fails failed: step "bad" failed: ask failed: the model is busy; done: sort, quick; blocked: after (ASK_FAILED)\n',
      ),
    ]);
    expect(plain(err)).toContain(
      '\nsteps     2 ok, 2 skipped, 1 failed, 1 substituted, 1 blocked\n\n  sort  classify  T  ok\n',
    );
    expect(plain(err)).toContain(
      '\n  bad  chat  T  failed: ASK_FAILED: ask failed: the model is busy\n  after  chat  blocked by bad\n\nrun       RUN',
    );
  });
});

describe('a plan that waits', () => {
  const asks = (): Promise<Ran> => run(['run', 'asks', 'user_message=hi', '--answer', 'script:a.yaml']);
  const answer = (...words: string[]): Promise<Ran> =>
    run(['answer', 'last', '--as', 'person', '--no-resume', ...words]);

  it('says so of its steps, and how each of its forms is answered', async () => {
    const { code, out } = await asks();
    expect([code, plain(out)]).toEqual([
      5,
      expect.stringContaining('\nsteps     2 wait for an answer, 1 not started\n'),
    ]);
    expect(plain(out)).toContain(
      'To answer details and resume (a person answers, at a terminal; in a script: --as person):\n  techne answer RUN --question details --set who=…\n',
    );
    expect(out).toContain('  who               text; required\n');
    expect(plain((await run(['runs', 'show', 'last'])).out)).toContain(
      '\n  details  ask a person  waits for an answer\n  other  ask a person  waits for an answer\n  end  chat  not started yet\n',
    );
    await run(['runs', 'cancel', 'last']);
    expect(plain((await run(['runs', 'show', 'last'])).out)).toContain(
      '\n  details  ask a person  stopped\n  other  ask a person  stopped\n  end  chat  never started\n',
    );
    expect((await run(['runs', 'show', 'last', '--effects'])).out).not.toContain('under way');
  });

  it('takes an answer by the step, or by the fields that it has', async () => {
    await asks();
    expect((await answer('--question', 'details', '--set', 'who=Ann')).code).toBe(0);
    expect(await answer('--question', 'details', '--set', 'who=Ann')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /question "details" of run 01\w+ is already answered\n {2}hint: techne runs show 01\w+ has the answer; techne runs fork 01\w+ --from 'details' starts again before it\n/,
      ) as string,
    });
    await asks();
    expect((await answer('--set', 'count=3')).code).toBe(0);
    expect((await answer('--set', 'who=Ann')).code).toBe(0);
    await asks();
    expect(await answer('--question', 'nope', '--set', 'who=Ann')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/open questions: details \(01\w+, for the person\), other \(/) as string,
    });
    expect(await answer('--text', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('waits for 2 answers') as string,
    });
  });

  it('says that a value does not fit before it says who may answer', async () => {
    await asks();
    expect(await run(['answer', 'last', '--set', 'count=abc'])).toMatchObject({
      code: 2,
      err: 'techne: count must be a whole number, not "abc"\n',
    });
  });

  it('says of a run that was cancelled that it cannot go on', async () => {
    await asks();
    await run(['runs', 'cancel', 'last']);
    const { code, err } = await run(['runs', 'resume', 'last']);
    expect([code, plain(err)]).toEqual([
      130,
      expect.stringContaining(
        'techne: run RUN was cancelled and cannot be resumed\n  hint: to start a new run from there: techne runs fork RUN\n',
      ),
    ]);
  });
});

describe('a word without a key', () => {
  it('is the message of a composition, and a second one is told with the input it is likely for', async () => {
    expect(await run(['run', 'big', 'write it up', 'twice'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        '"twice" is not an input: it has no key\n  hint: write user_message="twice"; an input is',
      ) as string,
    });
  });

  it('is forked from a step that is done for each item: all of them are done anew', async () => {
    await go('big');
    world.write({ 'work/b.yaml': script.replace('answer: part', 'answer: another') });
    const { code, out } = await run([
      'runs',
      'fork',
      'last',
      '--from',
      'each',
      '--json',
      '--answer',
      'script:b.yaml',
    ]);
    expect(code).toBe(0);
    const { run: forked } = JSON.parse(out) as { readonly run: string };
    const view = JSON.parse((await run(['runs', 'show', forked, '--json'])).out) as {
      readonly effects: readonly { readonly key: string; readonly result: { readonly answer?: string } }[];
    };
    expect(
      view.effects.filter(({ key }) => key.startsWith('each')).map(({ key, result }) => [key, result.answer]),
    ).toEqual(['each[0]', 'each[1]', 'each[2]'].map((key) => [key, 'another']));
  });
});
