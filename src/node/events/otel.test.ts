import { describe, expect, it } from 'vitest';
import { fakeRunHost } from '../../../test/support/fake-run-host.ts';
import type { RunEvent } from '../../run/events.ts';
import type { OtelApi, OtelAttributes, OtelSpan } from './otel.ts';
import { createOtelEvents, loadOtelApi } from './otel.ts';
import { AnswerLater } from '../../ports/answerer.ts';

class FakeSpan implements OtelSpan {
  readonly name: string;
  readonly kind: number;
  readonly parent: string | null;
  readonly attributes: { [name: string]: string | number | boolean };
  readonly events: string[] = [];
  readonly startedAt: number;
  status = 0;
  ends: number[] = [];

  constructor(
    name: string,
    kind: number,
    parent: string | null,
    attributes: OtelAttributes,
    startedAt: number,
  ) {
    this.name = name;
    this.kind = kind;
    this.parent = parent;
    this.attributes = { ...attributes };
    this.startedAt = startedAt;
  }

  setAttributes(attributes: OtelAttributes): void {
    Object.assign(this.attributes, attributes);
  }

  setStatus({ code }: { readonly code: number }): void {
    this.status = code;
  }

  addEvent(name: string): void {
    this.events.push(name);
  }

  end(at: Date): void {
    this.ends.push(at.getTime());
  }
}

function fakeOtel(): {
  readonly api: OtelApi;
  readonly spans: FakeSpan[];
  readonly tree: () => readonly string[];
} {
  const spans: FakeSpan[] = [];
  const api: OtelApi = {
    trace: {
      getTracer: () => ({
        startSpan: (name, { kind, startTime, attributes }, context) => {
          const span = new FakeSpan(
            name,
            kind,
            (context as { span?: FakeSpan }).span?.name ?? null,
            attributes,
            startTime.getTime(),
          );
          spans.push(span);
          return span;
        },
      }),
      setSpan: (_context, span) => ({ span }),
    },
    context: { active: () => ({}) },
  };
  return {
    api,
    spans,
    tree: () => spans.map(({ name, parent }) => (parent === null ? name : `${parent} > ${name}`)),
  };
}

const usage = {
  asks: 0,
  commands: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicros: 0,
  steps: 1,
  wallMs: 0,
  clamped: [],
};

describe('createOtelEvents', () => {
  const program =
    'def run(input):\n  a = ask("secret words", {"purpose": "plan"})\n  command(["say", "secret"])\n  trace("secret label", {"x": 1})\n  return a["answer"]\n';

  it('makes spans of a run, its asks, their turns and commands, with tokens and cost', async () => {
    const otel = fakeOtel();
    const sink = createOtelEvents({ api: otel.api, version: '1' });
    const host = fakeRunHost({ programs: { tides: program }, onEvent: sink.onEvent });
    host.answerer.onAsk = async (_request, { child }) => {
      for (const n of [1, 2]) {
        host.clock.pass(10);
        await child(
          'turn',
          { model: 'fast-1', provider: 'openai', prompt: 'secret words' },
          true,
          async () => {
            host.clock.pass(5);
            return { value: n, usage: { inputTokens: 10 * n, outputTokens: n, costMicros: 500 } };
          },
        );
      }
      await child('tool', { name: 'read_file', path: 'secret.txt' }, true, async () => ({ value: 'text' }));
      return { answer: 'done', usage: { inputTokens: 40, outputTokens: 5, costMicros: 1_500 } };
    };
    const result = await host.runner.start({ skill: 'tides', input: { go: true } });
    expect(result.status).toBe('completed');
    expect(otel.tree()).toEqual([
      'invoke_workflow tides',
      'invoke_workflow tides > invoke_agent',
      'invoke_agent > chat fast-1',
      'invoke_agent > chat fast-1',
      'invoke_agent > execute_tool read_file',
      'invoke_workflow tides > execute_tool command',
    ]);
    const [run, ask, turn, second, tool, command] = otel.spans as [
      FakeSpan,
      FakeSpan,
      FakeSpan,
      FakeSpan,
      FakeSpan,
      FakeSpan,
    ];
    expect(run.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'tides',
      'techne.run.id': result.run,
      'techne.run.status': 'completed',
      'techne.run.steps': expect.any(Number) as unknown,
      'gen_ai.usage.input_tokens': 40,
      'gen_ai.usage.output_tokens': 5,
      'techne.usage.cost_usd': 0.0015,
    });
    expect(ask.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'techne.run.id': result.run,
      'techne.effect.key': '1',
      'techne.effect.kind': 'ask',
      'gen_ai.usage.input_tokens': 40,
      'gen_ai.usage.output_tokens': 5,
      'techne.usage.cost_usd': 0.0015,
    });
    expect(turn.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'fast-1',
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 1,
    });
    expect(second.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 2,
    });
    expect(tool.attributes).toMatchObject({
      'gen_ai.tool.name': 'read_file',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': `${result.run}/1/3`,
    });
    expect(command.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'command',
    });
    expect(otel.spans.map(({ kind }) => kind)).toEqual([0, 0, 2, 2, 0, 0]);
    expect(otel.spans.every(({ ends, status }) => ends.length === 1 && status === 0)).toBe(true);
    expect((turn.ends[0] as number) - turn.startedAt).toBe(5);
    expect(JSON.stringify(otel.spans)).not.toContain('secret');
  });

  it('tells texts when it is asked to', async () => {
    const otel = fakeOtel();
    const host = fakeRunHost({
      programs: { tides: program },
      onEvent: createOtelEvents({ api: otel.api, content: true }).onEvent,
    });
    await host.runner.start({ skill: 'tides', input: { go: true } });
    const [run, ask, command] = otel.spans as [FakeSpan, FakeSpan, FakeSpan];
    expect(ask.attributes).toMatchObject({
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"secret words"}]}]',
      'techne.effect.purpose': 'plan',
    });
    expect(JSON.parse(command.attributes['gen_ai.tool.call.arguments'] as string)).toMatchObject({
      argv: ['say', 'secret'],
    });
    expect(run.events).toEqual(['trace.added']);
  });

  it('ends the spans of a run that waits, and begins new ones when it is resumed', async () => {
    const otel = fakeOtel();
    const host = fakeRunHost({
      programs: { tides: 'def run(input):\n  return ask("q")["answer"]\n' },
      onEvent: createOtelEvents({ api: otel.api }).onEvent,
    });
    host.answerer.onAsk = () => {
      throw new AnswerLater('person');
    };
    const { run, questions } = await host.runner.start({ skill: 'tides', input: { go: true } });
    expect(otel.spans.map(({ ends }) => ends.length)).toEqual([1, 1]);
    expect(otel.spans[0]?.attributes['techne.run.status']).toBe('paused');
    expect(otel.spans[1]?.events).toEqual(['question.asked']);
    await host.runner.answer(run as string, {
      question: questions[0]?.id as string,
      nonce: questions[0]?.nonce as string,
      value: 'yes',
      from: 'person',
    });
    await host.runner.resume(run as string);
    const again = otel.spans.slice(2);
    expect(again[0]?.attributes).toMatchObject({
      'techne.run.id': run,
      'techne.run.resumed': true,
      'gen_ai.workflow.name': 'tides',
      'techne.run.status': 'completed',
    });
    expect(otel.spans.every(({ ends }) => ends.length === 1)).toBe(true);
  });

  it('marks what failed with its code', async () => {
    const otel = fakeOtel();
    const host = fakeRunHost({
      programs: { tides: program },
      onEvent: createOtelEvents({ api: otel.api }).onEvent,
    });
    host.answerer.onAsk = () => Promise.reject(new Error('secret fault'));
    await host.runner.start({ skill: 'tides', input: { go: true } });
    expect(
      otel.spans.map(({ name, status, attributes }) => [name, status, attributes['error.type']]),
    ).toEqual([
      ['invoke_workflow tides', 2, 'ASK_FAILED'],
      ['invoke_agent', 2, 'ASK_FAILED'],
    ]);
    expect(JSON.stringify(otel.spans)).not.toContain('secret');
  });

  it('nests a run below the one that started it, and takes up one that it hears of in the middle', async () => {
    const otel = fakeOtel();
    const sink = createOtelEvents({ api: otel.api });
    const events: RunEvent[] = [
      { type: 'run.started', run: 'A', at: 1, skill: 'outer', parent: null, parentKey: null },
      { type: 'run.started', run: 'B', at: 2, skill: 'inner', parent: 'A', parentKey: null },
      { type: 'effect.started', run: 'A', at: 2, key: '1', kind: 'ask', attempt: 1, request: {} },
      { type: 'run.started', run: 'E', at: 2, skill: 'deeper', parent: 'A', parentKey: '1' },
      {
        type: 'effect.started',
        run: 'C',
        at: 3,
        key: '9',
        kind: 'turn',
        attempt: 2,
        request: { model: 'words with spaces' },
      },
      {
        type: 'effect.ended',
        run: 'C',
        at: 5,
        key: '9',
        kind: 'turn',
        ok: true,
        ms: 2,
        code: null,
        usage: { inputTokens: 3, outputTokens: 1, costMicros: 0 },
      },
      { type: 'budget.used', run: 'C', usage: { ...usage, inputTokens: 900 } },
      { type: 'effect.text', run: 'D', key: '1', text: 'x' },
      { type: 'effect.undecided', run: 'C', at: 6, key: '3', kind: 'command' },
      {
        type: 'effect.ended',
        run: 'C',
        at: 6,
        key: 'unknown',
        kind: 'turn',
        ok: true,
        ms: 0,
        code: null,
        usage,
      },
    ];
    for (const event of events) sink.onEvent(event);
    expect(otel.tree()).toEqual([
      'invoke_workflow outer',
      'invoke_workflow outer > invoke_workflow inner',
      'invoke_workflow outer > invoke_agent',
      'invoke_agent > invoke_workflow deeper',
      'invoke_workflow',
      'invoke_workflow > chat',
    ]);
    expect(otel.spans[5]?.attributes).toEqual({
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.output_tokens': 1,
      'gen_ai.operation.name': 'chat',
      'techne.run.id': 'C',
      'techne.effect.key': '9',
      'techne.effect.kind': 'turn',
      'techne.effect.attempt': 2,
    });
    expect(otel.spans[5]?.ends).toEqual([5]);
    await sink.flush();
    await sink.close();
    await sink.close();
    expect(otel.spans.every(({ ends }) => ends.length === 1)).toBe(true);
  });

  it('never throws, and tells the first fault', () => {
    const { api } = fakeOtel();
    const faults: string[] = [];
    const broken: OtelApi = {
      ...api,
      trace: {
        ...api.trace,
        getTracer: () => ({
          startSpan: () => {
            throw new Error('no spans today');
          },
        }),
      },
    };
    const { onEvent } = createOtelEvents({ api: broken, onFault: (error) => faults.push(error.message) });
    onEvent({ type: 'run.started', run: 'A', at: 1, skill: 's', parent: null, parentKey: null });
    onEvent({ type: 'run.ended', run: 'A', at: 1, status: 'completed', code: null, usage });
    expect(faults).toEqual(['no spans today']);
  });
});

describe('loadOtelApi', () => {
  it('gives the API, null where it is not installed, and every other fault', async () => {
    const { api } = fakeOtel();
    const names: string[] = [];
    expect(await loadOtelApi(async (name) => (names.push(name), api))).toBe(api);
    expect(names).toEqual(['@opentelemetry/api']);
    expect(
      await loadOtelApi(() =>
        Promise.reject(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' })),
      ),
    ).toBe(null);
    await expect(loadOtelApi(() => Promise.reject(new SyntaxError('broken')))).rejects.toThrow('broken');
  });
});
