import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import type { AskRequest } from '../../ports/answerer.ts';
import type { CommandVerdict } from '../../ports/command-host.ts';
import { openQuestion } from '../../../test/support/effect-scene.ts';
import type { OpenQuestion } from './question.ts';
import {
  answeredBy,
  answerText,
  approvalQuestion,
  askQuestion,
  judgeAnswer,
  judgeApproved,
} from './question.ts';

type Given = Parameters<typeof judgeAnswer>[1];

const question = (
  body: Json,
  asked: Partial<OpenQuestion['asked']> = {},
  answered: OpenQuestion['answered'] = null,
): OpenQuestion => {
  const made = openQuestion({});
  return { ...made, body, answered, asked: { ...made.asked, audience: 'caller', ...asked } };
};
const given = (value: Json, more: Partial<Given> = {}): Given => ({
  nonce: 'n',
  value,
  from: 'caller',
  ...more,
});
const refused = (message: string, code = 'ANSWER_REFUSED') => ({ kind: 'refuse', code, message });

describe('judgeAnswer', () => {
  it('accepts text for an ask', () => {
    expect(judgeAnswer(question({ type: 'ask' }), given('so'), 0)).toEqual({ kind: 'accept', value: 'so' });
    expect(judgeAnswer(question({ type: 'ask' }), given(5), 0)).toEqual(refused('the answer must be text'));
    // What is no object asks for nothing in particular.
    expect(judgeAnswer(question('old'), given(5), 0)).toEqual({ kind: 'accept', value: 5 });
  });

  it('refuses another nonce, and a question that has its answer', () => {
    expect(judgeAnswer(question({}), given('a', { nonce: 'm' }), 0)).toEqual(
      refused('the nonce is not that of question Q'),
    );
    const answered = {} as unknown as OpenQuestion['answered'];
    expect(judgeAnswer(question({}, {}, answered), given('a'), 0)).toEqual(
      refused('question Q has been answered', 'QUESTION_UNKNOWN'),
    );
  });

  it.each([
    ['caller', 'caller', true],
    ['caller', 'person', true],
    ['caller', 'operator', true],
    ['person', 'caller', false],
    ['person', 'person', true],
    ['person', 'operator', true],
    ['operator', 'caller', false],
    ['operator', 'person', false],
    ['operator', 'operator', true],
  ] as const)('for the %s takes an answer from the %s: %s', (audience, from, isTaken) => {
    const verdict = judgeAnswer(question({}, { audience }), given('a', { from }), 0);
    expect(verdict).toEqual(
      isTaken
        ? { kind: 'accept', value: 'a' }
        : refused(`question Q is for the ${audience}, and the answer comes from the ${from}`),
    );
  });

  it('takes words that were passed on for forms alone', () => {
    const form = { type: 'form', step: 's', fields: [{ name: 'a', type: 'string' }] };
    const through = { from: 'person', through: 'the agent' } as unknown as Partial<Given>;
    const no = refused('question Q is not a form, and only answers to forms can be passed on');
    expect(judgeAnswer(question(form, { audience: 'person' }), given({ a: 'x' }, through), 0)).toEqual({
      kind: 'accept',
      value: { a: 'x' },
    });
    expect(judgeAnswer(question(form), given({ a: 'x' }, through), 0)).toEqual(no);
    expect(judgeAnswer(question({ type: 'ask' }, { audience: 'person' }), given('x', through), 0)).toEqual(
      no,
    );
    expect(judgeAnswer(question('form', { audience: 'person' }), given('x', through), 0)).toEqual(no);
  });

  it('expires at its time', () => {
    const at = (nowMs: number): string =>
      judgeAnswer(question({}, { expiresAt: 100 }), given('a'), nowMs).kind;
    expect([at(99), at(100), at(101)]).toEqual(['accept', 'refuse', 'refuse']);
    expect(judgeAnswer(question({}, { expiresAt: 100 }), given('a'), 100)).toEqual(
      refused('question Q has expired', 'QUESTION_EXPIRED'),
    );
  });

  it('is cancelled by its words alone', () => {
    const body = { cancel_words: ['/cancel', 'stop'] };
    const kindOf = (value: Json, of: Json = body): string => judgeAnswer(question(of), given(value), 0).kind;
    expect([kindOf(' /CANCEL '), kindOf('stop'), kindOf('stop it'), kindOf('/cancel', {})]).toEqual([
      'cancel',
      'cancel',
      'accept',
      'accept',
    ]);
    expect(kindOf(['stop'])).toBe('refuse');
  });

  it('takes what was collected of a form for given', () => {
    const fields = [
      { name: 'a', type: 'string', required: true },
      { name: 'b', type: 'string', required: true },
    ];
    const form = { type: 'form', step: 's', mode: 'form', fields };
    expect(judgeAnswer(question(form), given({ a: 'x' }), 0)).toEqual(refused('b is missing'));
    expect(judgeAnswer(question({ ...form, collected: { b: 'y' } }), given({ a: 'x' }), 0)).toEqual({
      kind: 'accept',
      value: { a: 'x' },
    });
  });

  it('takes one of the four words for an approval', () => {
    const body = { type: 'approval' };
    expect(
      ['once', 'always', 'deny', 'never'].map((word) => judgeAnswer(question(body), given(word), 0).kind),
    ).toEqual(['accept', 'accept', 'accept', 'accept']);
    expect(judgeAnswer(question(body), given('yes'), 0)).toEqual(
      refused('the answer must be one of once, always, deny, never'),
    );
  });

  it('takes what fits the choices or the schema', () => {
    const kindOf = (body: JsonObject, value: Json): string =>
      judgeAnswer(question(body), given(value), 0).kind;
    expect([kindOf({ choices: ['a', 'b'] }, 'b'), kindOf({ choices: ['a', 'b'] }, 'c')]).toEqual([
      'accept',
      'refuse',
    ]);
    const schema = { type: 'object', required: ['n'] };
    expect([
      kindOf({ schema }, { n: 1 }),
      kindOf({ schema }, '{"n": 1}'),
      kindOf({ schema }, { m: 1 }),
      kindOf({ schema }, 'n'),
    ]).toEqual(['accept', 'accept', 'refuse', 'refuse']);
  });
});

describe('answeredBy', () => {
  it('says who, and through whom', () => {
    expect([
      answeredBy({ from: 'operator' }),
      answeredBy({ from: 'person', through: 'agent' } as unknown as Parameters<typeof answeredBy>[0]),
    ]).toEqual(['operator', 'agent for the person']);
  });
});

describe('answerText', () => {
  it('is the text, or the text of the value', () => {
    expect([answerText('a'), answerText({ a: 1 }), answerText(null)]).toEqual(['a', '{"a":1}', 'null']);
  });
});

describe('askQuestion', () => {
  const request: AskRequest = {
    kind: 'ask',
    prompt: 'why?',
    purpose: null,
    maxTurns: 3,
    choices: null,
    schema: null,
    model: 'big',
    tools: null,
  };

  it('has what was asked, and nothing that was not', () => {
    expect(askQuestion(request, 'caller', null)).toEqual({
      type: 'ask',
      kind: 'ask',
      prompt: 'why?',
      max_turns: 3,
    });
    expect(
      askQuestion(
        { ...request, purpose: 'p', schema: { type: 'string' }, choices: ['a'], tools: ['Read'] },
        'person',
        'wrong',
      ),
    ).toEqual({
      type: 'ask',
      kind: 'ask',
      prompt: 'why?',
      purpose: 'p',
      max_turns: 3,
      schema: { type: 'string' },
      choices: ['a'],
      tools: ['Read'],
      error: 'wrong',
      cancel_words: ['/cancel'],
    });
  });
});

describe('approvalQuestion', () => {
  it('has the request, which cannot change what it is', () => {
    const request = { argv: ['ls'], type: 'form', kind: 'x', skill: 'y', choices: ['z'], hash: 'h' };
    const made = approvalQuestion('tool', request, { reason: 'r' }, 'hash', 'one');
    expect(made).toEqual({
      argv: ['ls'],
      type: 'approval',
      kind: 'tool',
      skill: 'one',
      reason: 'r',
      choices: ['once', 'always', 'deny', 'never'],
      hash: 'hash',
    });
    expect(approvalQuestion('tool', {}, { reason: 'r', terms: 't' }, 'hash', 'one')).toMatchObject({
      terms: 't',
    });
  });
});

describe('judgeApproved', () => {
  const approve: CommandVerdict = { kind: 'approve', reason: 'it writes', terms: 'here' };
  const body = { type: 'approval', hash: 'h', terms: 'here' };
  const judged = async (
    questions: readonly OpenQuestion[],
    first: CommandVerdict = approve,
  ): Promise<[unknown, readonly Json[]]> => {
    const asked: Json[] = [];
    const verdict = await judgeApproved(
      async (approval) => {
        asked.push(approval);
        return approval === null ? first : { kind: 'allow' };
      },
      questions,
      'h',
    );
    return [verdict, asked];
  };

  it('gives the answer to the policy, with the terms that were shown', async () => {
    expect(await judged([openQuestion(body, 'deny'), openQuestion(body, 'once')])).toEqual([
      { verdict: { kind: 'allow' }, terms: 'here' },
      [null, 'once'],
    ]);
    expect(await judged([openQuestion(body, 'once'), openQuestion(body)])).toEqual([
      { verdict: { kind: 'allow' }, terms: 'here' },
      [null, 'once'],
    ]);
  });

  it('needs no answer where the policy decides', async () => {
    expect(await judged([openQuestion(body, 'once')], { kind: 'deny', reason: 'no' })).toEqual([
      { verdict: { kind: 'deny', reason: 'no' }, terms: null },
      [null],
    ]);
  });

  it.each([
    ['there is no answer', [openQuestion(body)]],
    ['there is no question', []],
    ['it was used', [openQuestion(body, 'once', { used: true })]],
    ['it was about another request', [openQuestion({ ...body, hash: 'other' }, 'once')]],
    ['it was no approval', [openQuestion({ ...body, type: 'ask' }, 'once')]],
    ['it was nothing', [{ ...openQuestion({}, 'once'), body: 'once' }]],
  ])('asks anew when %s', async (_what, questions) => {
    expect(await judged(questions)).toEqual([{ verdict: approve, terms: null }, [null]]);
  });

  it('asks anew when the terms have changed, and says so', async () => {
    const reasonFor = async (shown: JsonObject): Promise<unknown> => {
      const [{ verdict, terms }] = (await judged([openQuestion(shown, 'once')])) as [
        { verdict: { reason: string }; terms: null },
        unknown,
      ];
      return [verdict.reason, terms];
    };
    expect(await reasonFor({ ...body, terms: 'there' })).toEqual([
      'it writes. It is asked again, since the answer before was to run it there',
      null,
    ]);
    expect(await reasonFor({ type: 'approval', hash: 'h' })).toEqual([
      'it writes. It is asked again, since the answer before was about other terms',
      null,
    ]);
    expect(
      await judged([openQuestion({ type: 'approval', hash: 'h' }, 'once')], { kind: 'approve', reason: 'r' }),
    ).toEqual([{ verdict: { kind: 'allow' }, terms: null }, [null, 'once']]);
  });
});
