import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import type { Facts, TestClient, TestService } from '../../test/support/mcp-service.ts';
import { openTestService, programSkill } from '../../test/support/mcp-service.ts';

/** Every part of it is different, so that a cut shows. */
const longText = (units: number): string =>
  Array.from({ length: units / 10 }, (_, at) => `${String(at).padStart(8, '0')},\n`).join('');

let opened: TestService;
let client: TestClient;

beforeAll(async () => {
  const asking = (prompt: string): string => `    return {"answer": ask(${prompt})["answer"]}\n`;
  opened = await openTestService(
    {
      ...programSkill('think', asking('"Why?"')),
      ...programSkill('long', asking('input["text"]')),
      ...programSkill(
        'twice',
        '    a = ask("One?")\n    return {"answer": a["answer"] + ask("Two?")["answer"]}\n',
      ),
      ...programSkill(
        'both',
        '    return {"answer": ", ".join([a["answer"] for a in ask_all(["One?", "Two?", "Three?"])])}\n',
      ),
      'work/.techne/skills/chain/SKILL.md':
        '---\nname: chain\ndescription: Thinks twice.\nsteps:\n  - {id: a, tool: skill, params: {skill: think}}\n  - {id: b, tool: skill, params: {skill: think, after: "{{ a }}"}}\n---\n\nDo it.\n',
      ...programSkill('nap', '    command(["sleep", "0.2"])\n    return {"answer": "slept"}\n'),
    },
    { config: { commands: { allow: ['sleep ...'] } }, maxRuns: 4 },
  );
  client = await opened.connect();
});
afterAll(() => opened.close());

const begin = (name: string, input = {}): Promise<Facts> => client.facts('run_metaskill', { name, input });

describe('meta_invoke', () => {
  it('is another name of run_metaskill', async () => {
    expect(await client.facts('meta_invoke', { name: 'think' })).toMatchObject({
      status: 'paused',
      skill: 'think',
    });
    expect(await client.text('meta_invoke', { name: 'thnk' })).toMatch(/^error: unknown metaskill: 'thnk'/);
  });
});

describe('a long question', () => {
  it('is whole in the text and in the data of a result', async () => {
    const text = longText(36_000);
    const { run, questions } = await begin('long', { text });
    expect(questions[0]?.question['prompt']).toBe(text);
    expect(await client.text('run_status', { run })).toContain(JSON.stringify(text));
  });

  it('is cut with a mark if it is longer than a result may be, and can be read on to its end', async () => {
    const whole = longText(150_000);
    const started = await client.call('run_metaskill', { name: 'long', input: { text: whole } });
    const { run, questions } = started.structuredContent as unknown as Facts;
    const shown = questions[0]?.question['prompt'] as string;
    const mark = /\n\[cut here: (\d+) of 150000 characters; read on with run_status (\{.*\})\]$/;
    let [, end, next] = mark.exec(shown) ?? [];
    let read = shown.replace(mark, '');
    expect(read).toHaveLength(Number(end));
    expect(JSON.stringify(started.content)).toContain(`read on with run_status`);
    expect(JSON.stringify(started).length).toBeLessThan(100_000);
    const calls: string[] = [];
    while (next !== undefined) {
      calls.push(next);
      const page = await client.text('run_status', JSON.parse(next) as { run: string });
      expect(page.length).toBeLessThan(45_000);
      [, end, next] =
        /\n\[cut here: (\d+) of \d+ characters; read on with run_status (\{.*\})\]$/.exec(page) ?? [];
      read += page.replace(/^.*\n/, '').replace(/\n\[cut here: .*\]$/, '');
    }
    expect(calls.length).toBeGreaterThan(2);
    expect(read.startsWith(whole)).toBe(true);
    // What belongs to the question besides its prompt.
    expect(JSON.parse(read.slice(whole.length))).toMatchObject({ type: 'ask', kind: 'ask' });
    expect(await client.text('run_status', { run, question: questions[0]?.id ?? '', offset: 1e9 })).toMatch(
      /^error: the question has \d+ characters: there is nothing from 1000000000 on/,
    );
    expect(await client.text('run_status', { question: 'x' })).toMatch(
      /^error: question and offset need a run/,
    );
    expect(await client.text('run_status', { run, question: 'x' })).toMatch(/has no question "x"/);
  });
});

describe('a host that shows less of a result', () => {
  it('gets pages of the size that the server was started with', async () => {
    const service = await openTestService(
      programSkill('long', '    return {"answer": ask(input["text"])["answer"]}\n'),
      { pageUnits: 6_000 },
    );
    try {
      const { text, facts } = await service.connect();
      const whole = longText(36_000);
      const { run, questions } = await facts('run_metaskill', { name: 'long', input: { text: whole } });
      expect((await text('run_status', { run })).length).toBeLessThan(7_500);
      const mark = /\n\[cut here: .* read on with run_status (\{.*\})\]$/;
      let page = questions[0]?.question['prompt'] as string;
      let read = page.replace(mark, '');
      let calls = 0;
      for (let next = mark.exec(page)?.[1]; next !== undefined; next = mark.exec(page)?.[1]) {
        page = await text('run_status', JSON.parse(next) as { run: string });
        expect(page.length).toBeLessThan(6_000);
        read += page.replace(/^.*\n/, '').replace(mark, '');
        calls += 1;
      }
      expect([read.startsWith(whole), calls > 5]).toEqual([true, true]);
    } finally {
      await service.close();
    }
  });
});

describe('run_answer', () => {
  it('needs neither question nor nonce while one question is open', async () => {
    const { run } = await begin('twice');
    const second = await client.facts('run_answer', { run, answer: 'a' });
    expect(second).toMatchObject({ status: 'paused', questions: [{ question: { prompt: 'Two?' } }] });
    expect(
      await client.facts('run_answer', { run, question: second.questions[0]?.id ?? '', answer: 'b' }),
    ).toMatchObject({ status: 'completed', result: { answer: 'ab' } });
    // The same answer again, from a caller that missed the result.
    expect(
      await client.facts('run_answer', { run, question: second.questions[0]?.id ?? '', answer: 'b' }),
    ).toMatchObject({ status: 'completed' });
    expect(await client.text('run_answer', { run, answer: 'c' })).toMatch(
      /^error: run .* has no open question/,
    );
  });

  it('takes several answers in one call', async () => {
    const { run, questions } = await begin('both');
    const answers = questions.map(({ id, nonce, question }) => ({
      question: id,
      nonce,
      answer: (question['prompt'] as string).toLowerCase(),
    }));
    expect(await client.facts('run_answer', { run, answers })).toMatchObject({
      status: 'completed',
      result: { answer: 'one?, two?, three?' },
    });
  });

  it('needs a nonce where several questions are open, and then changes nothing', async () => {
    const { run, questions } = await begin('both');
    const [first, second] = questions;
    for (const args of [
      { run, answer: 'x' },
      { run, question: first?.id ?? '', answer: 'x' },
      {
        run,
        answers: [
          { question: first?.id ?? '', nonce: first?.nonce ?? '', answer: 'x' },
          { question: second?.id ?? '', answer: 'x' },
        ],
      },
      {
        run,
        answers: [
          { question: first?.id ?? '', nonce: first?.nonce ?? '', answer: 'x' },
          { question: second?.id ?? '', nonce: 'wrong', answer: 'x' },
        ],
      },
    ])
      expect(await client.call('run_answer', args)).toMatchObject({ isError: true });
    expect((await client.facts('run_status', { run })).questions).toHaveLength(3);
    expect(await client.text('run_answer', { run, answer: 'x' })).toMatch(
      /^error: 3 questions of run .* are open[^]*"answers"/,
    );
  });

  it('gives a repeated answer to no other question', async () => {
    const { run } = await begin('twice');
    const second = await client.facts('run_answer', { run, answer: 'a' });
    const id = second.questions[0]?.id ?? '';
    const again = await client.call('run_answer', { run, answer: 'a' });
    expect(again.structuredContent).toMatchObject({ status: 'paused', questions: [{ id }] });
    expect(JSON.stringify(again.content)).toContain('was given before, so it was not given again');
    expect(await client.facts('run_answer', { run, question: id, answer: 'a' })).toMatchObject({
      status: 'completed',
      result: { answer: 'aa' },
    });
    expect(await client.facts('run_answer', { run, answer: 'a' })).toMatchObject({ status: 'completed' });
  });

  it('gives a repeated answer to no question of another nested run', async () => {
    const { run } = await begin('chain');
    const second = await client.facts('run_answer', { run, answer: 'a' });
    const [open] = second.questions;
    expect(second.status).toBe('paused');
    const again = await client.facts('run_answer', { run, answer: 'a' });
    expect([again.status, again.questions[0]?.id]).toEqual(['paused', open?.id]);
    expect(await client.facts('run_answer', { run, answer: 'b' })).toMatchObject({ status: 'completed' });
  });

  it('takes all of several answers or none', async () => {
    const { run, questions } = await begin('both');
    const [one, two, three] = questions.map(({ id, nonce }) => ({ question: id, nonce, answer: 'x' }));
    for (const answers of [
      [one, two, { ...three, answer: { not: 'text' } }],
      [one, two, three, { ...one, answer: 'y' }],
      [one, two, three, one],
    ] as Json[]) {
      expect(await client.call('run_answer', { run, answers })).toMatchObject({ isError: true });
      expect((await client.facts('run_status', { run })).questions).toHaveLength(3);
    }
    expect(await client.text('run_answer', { run, answers: [one, one] as Json })).toMatch(
      /^error: question .* is answered twice in one call/,
    );
    expect(await client.text('run_answer', { run, answers: [one, { ...two, answer: 1 }] as Json })).toMatch(
      new RegExp(`^error: question ${two?.question}: the answer must be text`),
    );
    expect(await client.facts('run_answer', { run, answers: [one, two, three] as Json })).toMatchObject({
      status: 'completed',
    });
  });

  it.each([
    [{ answers: [] }],
    [{ answers: [{ question: 'q' }] }],
    [{ answers: [{ answer: 'x', other: 1 }] }],
    [{ answer: 'x', answers: [{ question: 'q', nonce: 'n', answer: 'x' }] }],
    [{ nonce: 'n', answer: 'x' }],
  ])('refuses %j', async (given) => {
    const result = await client.call('run_answer', { run: 'r', ...(given as object) });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'USAGE' } } });
  });
});

describe('a question to another client', () => {
  it('is answered with its nonce alone, which a status does not tell', async () => {
    const other = await opened.connect();
    const { run, questions } = await begin('twice');
    const [{ id, nonce }] = questions as [Facts['questions'][number]];
    const seen = await other.call('run_status', { run });
    expect(seen.structuredContent).toMatchObject({ status: 'paused', questions: [{ id }] });
    expect(JSON.stringify(seen)).not.toContain(nonce);
    expect(JSON.stringify(seen.content)).toContain('the client that was asked');
    for (const args of [
      { run, answer: 'x' },
      { run, question: id, answer: 'x' },
      { run, question: id, nonce: 'guess', answer: 'x' },
      { run, answers: [{ question: id, answer: 'x' }] },
    ])
      expect(await other.call('run_answer', args)).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'ANSWER_REFUSED' } },
      });
    // Resuming a paused run does not make it the one that was asked.
    const resumed = await other.call('run_answer', { run });
    expect(resumed.structuredContent).toMatchObject({ status: 'paused', questions: [{ id }] });
    expect(JSON.stringify(resumed)).not.toContain(nonce);
    // A host that was restarted has the nonce, and is asked the next question itself.
    expect(await other.facts('run_answer', { run, question: id, nonce, answer: 'x' })).toMatchObject({
      status: 'paused',
      questions: [{ nonce: expect.any(String) as string }],
    });
    expect(await other.facts('run_answer', { run, answer: 'y' })).toMatchObject({
      status: 'completed',
      result: { answer: 'xy' },
    });
  });

  it('can be answered by the client that started the run, whoever resumed it', async () => {
    const other = await opened.connect();
    const { run, questions } = await begin('twice');
    const [{ id, nonce }] = questions as [Facts['questions'][number]];
    await other.facts('run_answer', { run, question: id, nonce, answer: 'x' });
    expect(await client.facts('run_answer', { run, answer: 'y' })).toMatchObject({ status: 'completed' });
  });
});

describe('many runs at once', () => {
  it('wait for a place and all end', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => begin('nap')));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(new Set(results.map(({ run }) => run)).size).toBe(50);
  });
});

describe('a question that nobody answers', () => {
  it('expires, and its run is no longer listed as unfinished', async () => {
    const service = await openTestService(
      programSkill('think', '    return {"answer": ask("Why?")["answer"]}\n'),
      {
        questionTtlMs: 1,
      },
    );
    try {
      const { facts, text, call } = await service.connect();
      const { run, questions } = await facts('run_metaskill', { name: 'think', input: {} });
      expect(questions[0]).toHaveProperty('expires_at');
      await expect.poll(() => text('run_status', {})).toBe('No run of this workspace is unfinished.');
      expect(await call('run_answer', { run, answer: 'x' })).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'QUESTION_EXPIRED' } },
      });
      expect(await facts('run_answer', { run })).toMatchObject({
        status: 'failed',
        error: { code: 'QUESTION_EXPIRED' },
      });
    } finally {
      await service.close();
    }
  });

  it('has a month by default', async () => {
    const { questions } = await begin('think');
    const left = (questions[0] as unknown as { expires_at: number }).expires_at - Date.now();
    expect(Math.round(left / 86_400_000)).toBe(30);
  });
});
