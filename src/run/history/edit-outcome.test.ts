import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { defaultLimits } from '../budget/limits.ts';
import type { EditedCall, EditedOutcome } from './edit-outcome.ts';
import { editOutcome } from './edit-outcome.ts';

type Form = 'program' | 'composition' | 'workflow';

function editor(
  kind: string,
  request: JsonObject,
  result: Json,
  more: Partial<EditedCall> & { readonly form?: Form } = {},
): { readonly text: (text: string) => EditedOutcome; readonly json: (value: Json) => EditedOutcome } {
  const { form = 'workflow', ...rest } = more;
  const call: EditedCall = { key: 'a', kind, state: 'ok', request, result, children: [], ...rest };
  const run = { skill: { name: 'one', form, digest: '' }, limits: defaultLimits };
  return {
    text: (text) => editOutcome(call, { kind: 'text', text }, run),
    json: (value) => editOutcome(call, { kind: 'json', value }, run),
  };
}

const gives = (value: Json): EditedOutcome => ({ ok: true, value });
const faultsOf = (edited: EditedOutcome): readonly string[] | null => (edited.ok ? null : edited.faults);

describe('editOutcome of an ask', () => {
  it('changes the answer, which is whole', () => {
    const { text, json } = editor(
      'ask',
      { prompt: 'x' },
      { answer: 'ol', exhausted: true, turns: 3, truncated: true },
    );
    expect(text('new')).toEqual(gives({ answer: 'new', exhausted: false, turns: 3, truncated: false }));
    expect(json({ answer: 'new', turns: 1 })).toEqual(
      gives({ answer: 'new', exhausted: false, turns: 1, truncated: false }),
    );
    expect(json({ anser: 'new' })).toEqual({
      ok: false,
      what: 'an ask',
      faults: ['"answer" must be a string'],
      shape: { answer: '…' },
    });
  });

  it('lets one that failed have answered', () => {
    expect(editor('chat', {}, { code: 'ASK_FAILED', message: 'm' }, { state: 'failed' }).text('new')).toEqual(
      gives({ answer: 'new', exhausted: false, turns: 1, truncated: false }),
    );
  });

  it('holds a structured answer to its schema, and a choice to the choices', () => {
    const structured = editor(
      'ask',
      { schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
      { answer: '{"n":1}', value: { n: 1 }, exhausted: false, turns: 1, truncated: false },
    );
    expect(structured.text('{"n": 2}')).toMatchObject(gives({ answer: '{"n": 2}', value: { n: 2 } }));
    expect([
      structured.text('two').ok,
      structured.text('{"n": "2"}').ok,
      structured.json({ answer: 'x', value: { n: 'x' } }).ok,
    ]).toEqual([false, false, false]);
    const choice = editor('classify', { choices: ['A', 'B'] }, { answer: 'A' });
    expect(choice.text('b')).toMatchObject(gives({ answer: 'B' }));
    expect(faultsOf(choice.text('C'))).toEqual(['the answer must be one of ["A","B"]']);
  });
});

describe('editOutcome of a command', () => {
  const failed = {
    ok: false,
    exit_code: 1,
    result: 'out err',
    truncated: true,
    stdout: 'out',
    stderr: 'err',
    signal: null,
    timed_out: false,
    denied: false,
  };

  it('changes the output wherever it is read', () => {
    const whole = { truncated: false, signal: null, timed_out: false, denied: false, stderr: '' };
    expect(editor('command', {}, failed, { form: 'program' }).text('77')).toEqual(
      gives({ ...whole, ok: false, exit_code: 1, result: '77', stdout: '77' }),
    );
    expect(editor('command', {}, failed).text('77')).toEqual(
      gives({ ...whole, ok: true, exit_code: 0, result: '77', stdout: '77' }),
    );
    expect(
      editor('command', {}, { ...failed, exit_code: -1, denied: true }, { form: 'program' }).text('77'),
    ).toEqual(gives({ ...whole, ok: true, exit_code: 0, result: '77', stdout: '77' }));
    expect(editor('command', {}, failed).json({ ok: true, exit_code: 0, result: '77' })).toEqual(
      gives({ ...whole, ok: true, exit_code: 0, result: '77', stdout: '77' }),
    );
    expect(faultsOf(editor('command', {}, failed).json({ ok: true, stdout: 1 }))).toEqual([
      '"exit_code" must be a number',
      '"result" must be a string',
      '"stdout" must be a string',
    ]);
  });

  it('holds an entry point to what it promises to print', () => {
    const json = editor('command', { parse: 'json' }, { text: '{}', value: {}, truncated: false });
    expect(json.text('{"n": 1}')).toEqual(gives({ text: '{"n": 1}', value: { n: 1 }, truncated: false }));
    expect(json.text('one')).toEqual({
      ok: false,
      what: 'an entry point',
      faults: ['"text" must be json'],
      shape: { text: '…', value: {} },
    });
    expect(json.json({ text: '', value: { n: 1 } })).toEqual(
      gives({ text: '', value: { n: 1 }, truncated: false }),
    );
    expect(editor('command', { parse: 'lines' }, null).text('a\nb\n')).toMatchObject(
      gives({ value: ['a', 'b'] }),
    );
  });
});

describe('editOutcome of a tool', () => {
  it('changes the text, and the value where there is one', () => {
    const texts = editor('tool', {}, { text: 'old', value: null, truncated: true });
    expect(texts.text('new')).toEqual(gives({ text: 'new', value: null, truncated: false }));
    expect(texts.json([1])).toEqual(gives({ text: '[1]', value: [1], truncated: false }));
    const result = { text: '{"n":1}', value: { n: 1 }, truncated: false };
    expect(editor('tool', {}, result).text('{"n":2}')).toEqual(
      gives({ text: '{"n":2}', value: { n: 2 }, truncated: false }),
    );
    expect(editor('tool', {}, result).text('two')).toMatchObject({
      ok: false,
      shape: { text: '…', value: { n: 1 } },
    });
    expect(editor('tool', {}, result, { form: 'composition' }).text('two')).toEqual(
      gives({ text: 'two', value: null, truncated: false }),
    );
    expect(editor('tool', {}, result).json({ text: 'two', value: { n: 2 } })).toEqual(
      gives({ text: 'two', value: { n: 2 }, truncated: false }),
    );
  });
});

describe('editOutcome of a form', () => {
  const request = {
    step: 'a',
    mode: 'form',
    extract: false,
    cancel_words: ['stop'],
    fields: [
      { name: 'people', type: 'int', required: true, min: 1, max: 9 },
      { name: 'tone', type: 'enum', required: false, choices: ['kind', 'plain'], default: 'kind' },
    ],
  };
  const filled = gives({
    values: { people: 5, tone: 'kind' },
    sources: { people: 'user', tone: 'default' },
    text: '- people: 5 (from user)\n- tone: kind (from default)',
    notes: '',
  });

  it('is a reply, as text or as JSON, with all that follows from it', () => {
    const { text, json } = editor('input', request, {});
    expect([
      text('people: 5'),
      text('{"people": 5}'),
      json({ people: 5 }),
      json({ people: '5' }),
      json({ values: { people: 5 } }),
    ]).toEqual([filled, filled, filled, filled, filled]);
  });

  it('is held to the rules of the form', () => {
    const { text, json } = editor('input', request, {});
    const tooMany = ['people must be from 1 to 9, not 99'];
    expect(
      [
        text('people: 99'),
        text('{"people": 99}'),
        json({ people: 99 }),
        json({ values: { people: 99 } }),
      ].map(faultsOf),
    ).toEqual([tooMany, tooMany, tooMany, tooMany]);
    expect(json({})).toEqual({
      ok: false,
      what: 'a reply to this form',
      faults: ['people is missing'],
      shape: { people: 1 },
    });
    expect(faultsOf(text('/cancel'))).toEqual(['"/cancel" would cancel the run']);
    expect(faultsOf(text('Stop'))).toEqual(['"Stop" would cancel the run']);
    expect([json({ values: { people: 5 }, text: 'mine' }).ok, json(null).ok]).toEqual([false, false]);
    expect(faultsOf(editor('input', { ...request, mode: 'chat' }, {}).text('tone: plain'))).toEqual([
      'people is missing',
    ]);
  });

  it('is not read by a model', () => {
    const { text } = editor('input', { ...request, extract: true }, {});
    expect([text('we are five, I think').ok, text('people: 5')]).toEqual([false, filled]);
  });

  it('knows what the message of the run suggested', () => {
    const asked = { ...request, extract: true, message: 'for 5 people' };
    const part = {
      key: 'a/0',
      kind: 'chat',
      state: 'ok',
      request: {},
      result: { answer: '{"people": {"value": 5, "words": "5 people"}}' },
      attempt: 1,
      startedAt: 0,
      ms: 0,
      usage: {},
      children: [],
    } as const;
    expect(editor('input', asked, {}, { children: [part] }).text('/accept')).toMatchObject(
      gives({ values: { people: 5 }, sources: { people: 'user, suggested by message' } }),
    );
  });
});

describe('editOutcome of anything else', () => {
  it('changes the answer of a skill in its envelope', () => {
    const { text, json } = editor(
      'skill',
      {},
      { status: 'completed', answer: 'old', result: { status: 'ok', answer: 'old', n: 1 } },
    );
    expect(text('new')).toEqual(
      gives({ status: 'completed', answer: 'new', result: { status: 'ok', answer: 'new', n: 1 } }),
    );
    expect(json({ answer: 'new', result: { n: 2 } })).toEqual(
      gives({ status: 'completed', answer: 'new', result: { n: 2, answer: 'new' } }),
    );
    expect(json({ answer: 'new', n: 2 })).toEqual({
      ok: false,
      what: 'a skill',
      faults: ['it has no "n"'],
      shape: { answer: '…', result: {} },
    });
    expect([
      json({ answer: 'new', result: { answer: 'old' } }).ok,
      json({ answer: 'new', status: 'failed' }).ok,
      json('new').ok,
    ]).toEqual([false, false, false]);
  });

  it('refuses what gives no text', () => {
    expect(editor('artifact', {}, {}).text('x')).toMatchObject({ ok: false, shape: { exists: true } });
    expect(editor('artifact', {}, {}).json({ exists: true })).toEqual(
      gives({ exists: true, bytes: null, reason: null }),
    );
    expect(editor('sleep', {}, null).text('x')).toEqual({
      ok: false,
      what: 'a "sleep"',
      faults: ['it has no result that could be edited'],
      shape: null,
    });
  });
});
