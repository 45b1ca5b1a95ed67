import { describe, expect, it } from 'vitest';
import type { AskRequest } from '../../ports/answerer.ts';
import { chat, composition } from '../../../test/support/plan-texts.ts';
import type { PlanHost } from '../../../test/support/plan-host.ts';
import { planHost, resultOf, statusesOf } from '../../../test/support/plan-host.ts';
import { turns } from '../../../test/support/fake-run-host.ts';
import type { RunResult } from '../result/result.ts';
import { AbortSource } from '../../base/abort.ts';
import { DetachSignal } from '../effect/effect-context.ts';

const raw = 'final_text_mode: raw\n';

/** Answers by the step that asks. */
function answers(
  host: PlanHost,
  byStep: { readonly [step: string]: string | Error | ((request: AskRequest) => string | Promise<string>) },
): void {
  host.answerer.onAsk = (request) => {
    const answer = byStep[request.purpose ?? ''];
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request) : (answer ?? `${request.purpose} said`);
  };
}

async function run(
  steps: string,
  byStep: Parameters<typeof answers>[1] = {},
  more = raw,
  tools: readonly string[] = [],
): Promise<{ readonly host: PlanHost; readonly result: RunResult }> {
  const host = planHost({ sample: composition(steps, more) }, { tools });
  answers(host, byStep);
  const result = await host.start('sample');
  expect(result.run === null ? [] : (await host.runner.replay(result.run)).divergences).toEqual([]);
  return { host, result };
}

const asked = ({ answerer }: PlanHost): readonly (string | null)[] =>
  answerer.asked.map(({ purpose }) => purpose);

describe('a plan', () => {
  it('runs a composition from end to end', async () => {
    const host = planHost({
      sample: composition(
        `- id: sort
  kind: llm_classify
  output_choices: [BUG, FEATURE]
  with: {text: "{{ inputs.user_message | xml_escape | truncate(100) }}"}
- id: write
  kind: llm_chat
  depends_on: [sort]
  with: {system: Be brief., task: "About {{ outputs.sort }}: {{ inputs.user_message | xml_escape | truncate(100) }}", tone: kind}
`,
        raw,
      ),
    });
    answers(host, { sort: 'bug.', write: ({ prompt }) => prompt });
    const result = await host.start('sample', { user_message: 'it <breaks>' });
    expect([result.status, result.text.split('\n')[0]]).toEqual([
      'completed',
      '[Metaskill: sample completed]',
    ]);
    expect(resultOf(result)).toMatchObject({
      status: 'ok',
      answer: 'Be brief.\n\nAbout BUG: it &lt;breaks&gt;\n\nContext:\ntone:\nkind',
    });
    expect(resultOf(result)['steps']).toMatchObject({ sort: { status: 'ok', output: 'BUG' } });
    expect(await host.runner.replay(result.run as string)).toMatchObject({ same: true });
    expect(
      (await host.runner.inspect(result.run as string)).steps?.map(({ id, status }) => [id, status]),
    ).toEqual([
      ['sort', 'ok'],
      ['write', 'ok'],
    ]);
  });

  it('starts everything that can start, in the order of the document, within the cap', async () => {
    const steps = ['d', 'b', 'a', 'c'].map((id) => chat(id)).join('');
    const host = planHost({ sample: composition(steps, raw) });
    let underWay = 0;
    let most = 0;
    host.answerer.onAsk = async ({ purpose }) => {
      most = Math.max(most, (underWay += 1));
      await turns(3);
      underWay -= 1;
      return String(purpose);
    };
    await host.runner.start({ skill: 'sample', input: { user_message: 'x' }, limits: { parallel: 2 } });
    expect([asked(host), most]).toEqual([['d', 'b', 'a', 'c'], 2]);
  });

  it('has the cap of the plan', async () => {
    const host = planHost({
      sample: composition(['a', 'b', 'c'].map((id) => chat(id)).join(''), raw).replace(
        'composition:\n',
        'composition:\n  parallel: 1\n',
      ),
    });
    let underWay = 0;
    host.answerer.onAsk = async () => {
      expect((underWay += 1)).toBe(1);
      await turns(2);
      underWay -= 1;
      return 'x';
    };
    expect((await host.start('sample')).status).toBe('completed');
  });

  it('skips a step whose when is not true, reports it, and continues with an empty output', async () => {
    const { host, result } = await run(
      `${chat('a', 'when: "1 == 2"')}- id: b
  kind: llm_chat
  depends_on: [a]
  with: {task: "[{{ outputs.a }}]"}
`,
      { b: ({ prompt }) => prompt.slice(-2) },
    );
    expect([result.status, statusesOf(result), resultOf(result)['answer']]).toEqual([
      'completed',
      { a: 'skipped', b: 'ok' },
      '[]',
    ]);
    expect(result.envelope?.['trace']).toContainEqual({
      kind: 'step.skipped',
      data: { step: 'a', reason: 'when is not true: 1 == 2' },
    });
    expect((await host.runner.inspect(result.run as string)).steps?.[0]).toMatchObject({
      id: 'a',
      status: 'skipped',
      reason: 'when is not true: 1 == 2',
    });
  });

  it('routes to the first skill whose condition holds', async () => {
    const skill = (name: string): string =>
      `---\nname: ${name}\ndescription: Does ${name}. Use when needed.\n---\n\nI am ${name} in {baseDir}.\n`;
    const host = planHost({
      sample: composition(
        `- id: sort
  kind: llm_classify
  output_choices: [DOCS, BUG]
  with: {text: x}
- id: handle
  skill: one
  depends_on: [sort]
  route:
    - {when: "outputs.sort == 'BUG'", to: two}
    - {when: "true", to: one}
  with: {request: "{{ inputs.user_message | xml_escape | truncate(20) }}"}
`,
        raw,
      ),
      one: skill('one'),
      two: skill('two'),
    });
    answers(host, { sort: 'BUG', handle: ({ prompt, kind }) => `${kind}: ${prompt}` });
    expect(resultOf(await host.start('sample'))['answer']).toBe(
      'ask: I am two in /skills/two.\n\n---\n\nInvoke the two skill above with the following arguments:\n- request: do it',
    );
  });

  it.each([
    [
      'with.task',
      `- id: a\n  kind: llm_chat\n  with: {task: "x {{ inputs.nothing }}"}\n`,
      'EVAL_UNDEFINED',
      /step "a" failed: SKILL\.md:\d+: with\.task: /,
    ],
    [
      'when',
      `- id: a\n  kind: llm_chat\n  when: "inputs.nothing > 1"\n  with: {task: x}\n`,
      'EVAL_UNDEFINED',
      /step "a" failed: SKILL\.md:\d+: when: /,
    ],
  ])('fails a step whose %s fails, with its place', async (_, steps, code, message) => {
    const { result } = await run(steps);
    expect([result.status, result.error?.code]).toEqual(['failed', code]);
    expect(result.error?.message).toMatch(message);
    expect(result.text).toMatch(/^error: metaskill 'sample': step "a" failed/);
  });

  it('bounds what a template may compute', async () => {
    const { result } = await run(
      `- id: a\n  kind: llm_chat\n  with: {task: "{% for a in 'x' * 3000 %}{% for b in 'x' * 3000 %}{{ a ~ b }}{% endfor %}{% endfor %}"}\n`,
    );
    expect([result.status, result.error?.code]).toEqual(['failed', 'STEP_LIMIT']);
  });

  it('lets independent branches finish, blocks what depends on the failure, and is partial', async () => {
    const { host, result } = await run(
      `${chat('a')}${chat('b', 'depends_on: [a]')}${chat('c', 'depends_on: [b]')}${chat('x')}${chat('y', 'depends_on: [x]')}`,
      { a: new Error('no luck') },
    );
    expect([result.status, result.error?.code, result.text.split('\n')[0]]).toEqual([
      'partial',
      'ASK_FAILED',
      '[Metaskill: sample partial]',
    ]);
    expect(statusesOf(result)).toEqual({ a: 'failed', b: 'blocked', c: 'blocked', x: 'ok', y: 'ok' });
    expect(resultOf(result)).toMatchObject({
      status: 'partial',
      answer: 'y said',
      error: { code: 'ASK_FAILED', message: 'step "a" failed: ask failed: no luck' },
    });
    expect(resultOf(result)['steps']).toMatchObject({
      b: { status: 'blocked', reason: '"a" failed' },
      c: { reason: '"b" was blocked' },
    });
    expect(asked(host)).toEqual(['a', 'x', 'y']);
    expect(await host.runner.resume(result.run as string)).toEqual(result);
  });

  it('has failed when no branch gave anything', async () => {
    const { result } = await run(`${chat('a')}${chat('b', 'depends_on: [a]')}`, { b: new Error('no luck') });
    expect([result.status, result.error?.message]).toEqual([
      'failed',
      'step "b" failed: ask failed: no luck; done: a',
    ]);
  });

  it('continues after a tolerated failure, and shows its text', async () => {
    const { result } = await run(
      `${chat('a', 'continue_on_error: true')}- id: b
  kind: llm_chat
  depends_on: [a]
  with: {task: "[{{ outputs.a }}] {{ errors.a | truncate(50) }}"}
`,
      { a: new Error('no luck'), b: ({ prompt }) => prompt.split('\n').at(-1) as string },
    );
    expect([result.status, statusesOf(result), resultOf(result)['answer']]).toEqual([
      'completed',
      { a: 'failed', b: 'ok' },
      '[] ask failed: no luck',
    ]);
  });

  describe('with a substitute', () => {
    const steps = `${chat('first', 'on_failure: second')}- id: second
  kind: llm_chat
  with: {task: "instead of first: {{ error | truncate(50) }}; {{ errors.first | truncate(50) }}"}
- id: last
  kind: llm_chat
  depends_on: [first]
  with: {task: "{{ outputs.first | truncate(200) }} = {{ outputs.second | truncate(200) }}"}
- id: after
  kind: llm_chat
  depends_on: [second]
  with: {task: "<{{ outputs.second | truncate(20) }}>"}
`;
    const said =
      (step: string) =>
      ({ prompt }: AskRequest): string =>
        `${step}:${prompt.split('\n').at(-1) as string}`;

    it('gives its output under both ids, and tells it the error', async () => {
      const { result } = await run(steps, {
        first: new Error('no luck'),
        second: said('2'),
        last: said('3'),
      });
      expect([result.status, statusesOf(result)]).toEqual([
        'completed',
        { first: 'substituted', second: 'ok', last: 'ok', after: 'ok' },
      ]);
      const output = '2:instead of first: ask failed: no luck; ask failed: no luck';
      expect(resultOf(result)['steps']).toMatchObject({
        last: { output: `3:${output} = ${output}` },
        first: { substituted_by: 'second', error: { code: 'ASK_FAILED' } },
      });
    });

    it('skips it when it is not needed, and continues with what waits for it', async () => {
      const { host, result } = await run(steps, { after: said('4') });
      expect([result.status, statusesOf(result)]).toEqual([
        'completed',
        { first: 'ok', second: 'skipped', last: 'ok', after: 'ok' },
      ]);
      expect(asked(host)).not.toContain('second');
      expect(resultOf(result)['answer']).toBe('4:<>');
    });

    it('has failed when it fails too', async () => {
      const { result } = await run(steps, { first: new Error('no luck'), second: new Error('nor here') });
      expect([result.status, statusesOf(result)]).toEqual(['failed', {}]);
      expect(result.error?.message).toBe(
        'step "first" failed: ask failed: no luck; step "second" failed: ask failed: nor here; blocked: last, after',
      );
    });

    it('is blocked with the step it stands in for', async () => {
      const { result } = await run(
        `${chat('x')}${chat('ok')}${chat('first', 'depends_on: [x]\non_failure: second')}${chat('second')}${chat('after', 'depends_on: [second]')}`,
        { x: new Error('no') },
      );
      expect(statusesOf(result)).toEqual({
        x: 'failed',
        ok: 'ok',
        first: 'blocked',
        second: 'blocked',
        after: 'blocked',
      });
    });
  });

  describe('that retries', () => {
    it('tries again immediately, under another key', async () => {
      let tries = 0;
      const { host, result } = await run(chat('a', 'retry: {max_attempts: 3}'), {
        a: () => ((tries += 1) < 3 ? '' : 'well'),
      });
      expect([result.status, resultOf(result)['answer'], tries]).toEqual(['completed', 'well', 3]);
      expect(
        (await host.runner.inspect(result.run as string)).effects.map(({ key, state }) => [key, state]),
      ).toEqual([
        ['a', 'ok'],
        ['a#2', 'ok'],
        ['a#3', 'ok'],
      ]);
      expect(resultOf(result)['steps']).toMatchObject({ a: { attempts: 3 } });
    });

    it('waits before it does, longer each time', async () => {
      const host = planHost({
        sample: composition(chat('a', 'retry: {max_attempts: 3, backoff_ms: 1000}'), raw),
      });
      let tries = 0;
      answers(host, {
        a: () => {
          tries += 1;
          throw new Error('no');
        },
      });
      const running = host.start('sample');
      const seen: (readonly [number, number])[] = [];
      for (const ms of [999, 1, 1999, 1]) {
        await turns(10);
        host.clock.pass(ms);
        await turns(10);
        seen.push([ms, tries]);
      }
      expect(seen).toEqual([
        [999, 1],
        [1, 2],
        [1999, 2],
        [1, 3],
      ]);
      const result = await running;
      expect([result.status, tries]).toEqual(['failed', 3]);
      expect(
        (await host.runner.inspect(result.run as string)).effects.map(({ key, kind }) => `${key} ${kind}`),
      ).toEqual(['a chat', 'a#2~wait sleep', 'a#2 chat', 'a#3~wait sleep', 'a#3 chat']);
    });

    it('keeps no drain waiting', async () => {
      const host = planHost({
        sample: composition(chat('a', 'retry: {max_attempts: 2, backoff_ms: 60000}'), raw),
      });
      answers(host, { a: new Error('no') });
      const drain = new AbortSource();
      const running = host.runner.start({ skill: 'sample', input: {}, drain: drain.signal });
      await turns(10);
      drain.abort(null);
      await expect(running).rejects.toBeInstanceOf(DetachSignal);
      expect(host.runner.active).toEqual([]);
    });

    it('stops waiting when it is cancelled', async () => {
      const host = planHost({
        sample: composition(chat('a', 'retry: {max_attempts: 2, backoff_ms: 60000}'), raw),
      });
      answers(host, { a: new Error('no') });
      const running = host.start('sample');
      await turns(10);
      await host.runner.cancel(host.runner.active[0] as string, 'enough');
      const result = await running;
      expect(result.status).toBe('cancelled');
      expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
    });

    it('does not repeat what cannot end otherwise', async () => {
      const { host, result } = await run(chat('a', 'retry: {max_attempts: 5}'), {}, raw);
      expect(result.status).toBe('completed');
      const refused = await host.runner.start({
        skill: 'sample',
        input: { user_message: 'x' },
        limits: { tokens: 0 },
      });
      expect([refused.status, refused.error?.code, host.answerer.asked.length]).toEqual([
        'failed',
        'TOKEN_BUDGET',
        1,
      ]);
    });
  });

  it('stops a step that takes too long, for each attempt anew', async () => {
    const host = planHost({ sample: composition(chat('a', 'timeout: 5s\nretry: {max_attempts: 2}'), raw) });
    const stopped: boolean[] = [];
    host.answerer.onAsk = (_request, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          stopped.push(true);
          reject(new Error('aborted'));
        }),
      );
    const running = host.start('sample');
    for (let round = 0; round < 2; round += 1) {
      await turns(10);
      host.clock.pass(5_000);
    }
    const result = await running;
    expect([result.status, result.error, stopped.length]).toEqual([
      'failed',
      { code: 'STEP_TIMEOUT', message: 'step "a" failed: it took longer than 5 s', hint: null },
      2,
    ]);
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  describe('with for_each', () => {
    const steps = (more: string): string => `- id: a
  kind: llm_chat
  for_each: "['x', 'y', 'z']"
  with: {task: "{{ loop.index }} {{ item }}"}
${more}`;
    const last = ({ prompt }: AskRequest): string => prompt.split('\n').at(-1) as string;

    it('gives a list by default, in the order of the items', async () => {
      const { result, host } = await run(
        `${steps('')}- id: b\n  kind: llm_chat\n  depends_on: [a]\n  with: {task: "{{ outputs.a | join('+') }}"}\n`,
        { a: last, b: last },
      );
      expect(resultOf(result)['answer']).toBe('1 x+2 y+3 z');
      expect((await host.runner.inspect(result.run as string)).effects.map(({ key }) => key)).toEqual([
        'a[0]',
        'a[1]',
        'a[2]',
        'b',
      ]);
    });

    it.each([
      ['concat', '1 x\n\n2 y\n\n3 z'],
      ['first', '1 x'],
      ['last', '3 z'],
    ])('merges with %s', async (merge, answer) => {
      expect(resultOf((await run(steps(`  merge: ${merge}\n`), { a: last })).result)['answer']).toBe(answer);
    });

    it('runs so many in parallel', async () => {
      let underWay = 0;
      let most = 0;
      await run(steps('  concurrency: 2\n'), {
        a: async (request) => {
          most = Math.max(most, (underWay += 1));
          await turns(2);
          underWay -= 1;
          return last(request);
        },
      });
      expect(most).toBe(2);
    });

    it('runs as many in parallel as the loop asks for, where the plan declares nothing', async () => {
      let underWay = 0;
      let most = 0;
      await run(
        '- {id: a, kind: llm_chat, for_each: [1, 2, 3, 4, 5, 6, 7, 8], concurrency: 7, with: {task: "{{ item }}"}}\n',
        {
          a: async () => {
            most = Math.max(most, (underWay += 1));
            await turns(4);
            underWay -= 1;
            return 'ok';
          },
        },
      );
      expect(most).toBe(7);
    });

    it('tries every item, and fails with the first that failed', async () => {
      const { result, host } = await run(steps('  concurrency: 1\n'), {
        a: (request) => {
          if (last(request) === '1 x') throw new Error('no');
          return 'ok';
        },
      });
      expect([result.status, result.error?.message]).toEqual([
        'failed',
        'step "a" failed: 1 of 3 items failed; item 1: ask failed: no',
      ]);
      expect(host.answerer.asked).toHaveLength(3);
    });

    it('does nothing for no items, and fails for what is not a list', async () => {
      const none = await run(
        `- id: a\n  kind: llm_chat\n  for_each: "inputs.get('list', [])"\n  with: {task: x}\n`,
      );
      expect([none.result.status, none.host.answerer.asked]).toEqual(['completed', []]);
      const wrong = await run(
        `- id: a\n  kind: llm_chat\n  for_each: "inputs.user_message"\n  with: {task: x}\n`,
      );
      expect(wrong.result.error).toMatchObject({
        code: 'STEP_INVALID',
        message: 'step "a" failed: for_each must give a list, not a string',
      });
    });
  });

  it('holds output_schema, and asks a model again', async () => {
    let tries = 0;
    const { result, host } = await run(
      `- id: a
  kind: llm_chat
  output_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
  with: {task: count}
- id: b
  kind: llm_chat
  depends_on: [a]
  with: {task: "n is {{ outputs.a.n }}"}
`,
      {
        a: () => ((tries += 1) === 1 ? 'no json' : '{"n": 3}'),
        b: ({ prompt }) => prompt.split('\n').at(-1) as string,
      },
    );
    expect([result.status, resultOf(result)['answer'], host.answerer.asked.length]).toEqual([
      'completed',
      'n is 3',
      3,
    ]);
  });

  it.each([
    ['small', 'x'],
    ['too large for the journal', 'x'.repeat(9_000)],
  ])(
    'keeps the order of keys that look like integers, in the run and in its replay: %s',
    async (_, filling) => {
      const { result } = await run(
        `- id: a
  kind: llm_chat
  output_schema: {type: object}
  with: {task: x}
- id: b
  kind: llm_chat
  depends_on: [a]
  with: {task: "{% for key in outputs.a %}{{ key | truncate(9) }} {% endfor %}"}
`,
        {
          a: JSON.stringify({ k: filling }).replace('{', '{"10":1,"9":{"2":1,"1":1},'),
          b: ({ prompt }) => prompt,
        },
      );
      expect((resultOf(result)['answer'] as string).split('\n').at(-1)).toBe('10 9 k ');
    },
  );

  it('holds the output of tools to output_schema too', async () => {
    const host = planHost(
      {
        sample: composition(
          `- id: a\n  kind: tool_call\n  tool: lookup\n  output_schema: {type: object, required: [n]}\n`,
          raw,
        ),
      },
      { tools: ['lookup'] },
    );
    host.tools.onTool = () => ({ m: 1 });
    expect((await host.start('sample')).error).toMatchObject({ code: 'OUTPUT_INVALID' });
  });

  it('passes the model of a step on', async () => {
    const { host } = await run(chat('a', 'model: fast'));
    expect(host.answerer.asked[0]?.model).toBe('fast');
  });

  it('fences an agent to the tools of the step and of its skill', async () => {
    const host = planHost({
      sample: composition(
        `- id: a\n  skill: worker\n  tools: [read_file, write_file, command]\n  max_turns: 4\n  with: {x: y}\n`,
        raw,
      ),
      worker:
        '---\nname: worker\ndescription: Works. Use when needed.\nallowed-tools: [read_file, command]\n---\n\nWork.\n',
    });
    await host.start('sample');
    expect(host.answerer.asked[0]).toMatchObject({
      kind: 'ask',
      tools: ['read_file', 'command'],
      maxTurns: 4,
    });
  });

  describe('says at the end', () => {
    it('raw: the last step of the document that gave something and is not a substitute', async () => {
      const { result } = await run(
        `${chat('a')}${chat('b', 'depends_on: [a, c]')}${chat('c')}${chat('d', 'when: "false"')}${chat('e', 'on_failure: f')}${chat('f')}`,
      );
      expect(resultOf(result)['answer']).toBe('e said');
    });

    it('step:<id>: what that step gave', async () => {
      expect(
        resultOf((await run(`${chat('a')}${chat('b')}`, {}, 'final_text_mode: step:a\n')).result)['answer'],
      ).toBe('a said');
    });

    it('step:<id>: nothing where that step was skipped, and never what another gave', async () => {
      const { result } = await run(
        `${chat('a')}${chat('b', 'when: "outputs.a == 1"\ndepends_on: [a]')}`,
        {},
        'final_text_mode: step:b\noutput_contract: {required_sections: [Summary]}\n',
      );
      // The contract is about what that step delivers.
      expect([result.status, resultOf(result)['answer']]).toEqual(['completed', '']);
    });

    it('auto: one chat over what the steps gave', async () => {
      const { result, host } = await run(
        `${chat('a')}${chat('b')}`,
        {
          'final answer': ({ prompt }) =>
            prompt.includes('<output step="a">\na said\n</output>') ? 'All is well.' : 'what?',
        },
        '',
      );
      expect([result.status, resultOf(result)['answer'], asked(host)]).toEqual([
        'completed',
        'All is well.',
        ['a', 'b', 'final answer'],
      ]);
    });

    it.each([
      ['fails', new Error('no')],
      ['gives nothing', '  '],
    ])('auto: raw when the chat %s', async (_, answer) => {
      const { result } = await run(`${chat('a')}${chat('b')}`, { 'final answer': answer }, '');
      expect([result.status, resultOf(result)['answer']]).toEqual(['completed', 'b said']);
    });

    it('auto: raw when the budget has ended', async () => {
      const host = planHost({ sample: composition(chat('a')) });
      const result = await host.runner.start({
        skill: 'sample',
        input: { user_message: 'x' },
        limits: { asks: 1 },
      });
      expect([result.status, resultOf(result)['answer'], host.answerer.asked.length]).toEqual([
        'completed',
        'answer',
        1,
      ]);
    });
  });

  describe('with an output contract', () => {
    const contract = `${raw}output_contract:\n  required_sections: [Summary]\n  forbidden_terms: [guarantee]\n  append_to_final_text: false\n`;
    it.each([
      ['keeps it', '# summary\nfine', 'completed', null],
      [
        'misses a section',
        'fine',
        'partial',
        'the output contract is not kept: the section "Summary" is missing',
      ],
      [
        'says what it must not',
        'Summary: I GUARANTEE it',
        'partial',
        'the output contract is not kept: it contains "guarantee", which it must not',
      ],
    ])('%s', async (_, answer, status, message) => {
      const { result } = await run(chat('a'), { a: answer }, contract);
      expect([
        result.status,
        result.error?.message ?? null,
        result.error?.code ?? null,
        resultOf(result)['answer'],
      ]).toEqual([status, message, message === null ? null : 'OUTPUT_CONTRACT', answer]);
    });

    it('looks for artifacts in the workspace, and says what it assumed', async () => {
      const more = `${raw}output_contract:\n  assumptions: [the sun shines]\n  artifacts:\n    - {name: report, path: "out/{{ inputs.meta_run_id }}.md"}\n    - {name: extra, path: extra.md, required: false}\n`;
      const host = planHost({ sample: composition(chat('a'), more) });
      const missing = await host.start('sample');
      expect([missing.status, missing.error?.message]).toEqual([
        'partial',
        `the output contract is not kept: the artifact "report" (out/${missing.run}.md) does not exist`,
      ]);
      expect(resultOf(missing)['answer']).toBe(
        `answer\n\n---\n\n**Output contract**\n\n- Assumption: the sun shines\n- Artifact: report (out/${missing.run}.md, missing)\n- Artifact: extra (extra.md, missing)`,
      );
      host.artifacts.add(`out/01${'0'.repeat(23)}2.md`);
      const made = await host.start('sample');
      expect([made.status, made.run]).toEqual(['completed', `01${'0'.repeat(23)}2`]);
      expect((await host.runner.replay(made.run as string)).same).toBe(true);
    });
  });
});
