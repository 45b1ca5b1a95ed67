// What a program gets of an ask, and what its answerer gets to see and may do.
import { describe, expect, it } from 'vitest';
import type { EffectScene } from '../../../test/support/effect-scene.ts';
import { effectScene, openQuestion, startedEffect, valueOf } from '../../../test/support/effect-scene.ts';
import { printed, turns } from '../../../test/support/fake-run-host.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { AnswerLater } from '../../ports/answerer.ts';
import { ToolFault } from '../../ports/tool.ts';
import { defaultLimits } from '../budget/limits.ts';
import { asFailure, PartFailed } from './ask-parts.ts';
import type { EffectContext } from './effect-context.ts';
import { Stopping } from './effect-context.ts';

const request = { prompt: 'why?', max_turns: 5 };
const usage = (tokens: number) => ({ inputTokens: tokens, outputTokens: tokens * 2, costMicros: tokens * 3 });
const codeAndMessage = async (scene: EffectScene, more: JsonObject = {}, kind = 'ask'): Promise<unknown> => {
  const performed = await scene.perform(kind, { ...request, ...more });
  return performed === 'waiting' || performed.outcome.ok
    ? performed
    : [performed.outcome.code, performed.outcome.message];
};

describe('an ask', () => {
  it('is given to the answerer as it was written, and its answer to the program', async () => {
    const scene = effectScene({ model: 'big' });
    scene.answerer.onAsk = () => {
      scene.clock.pass(30);
      return { answer: 'so', turns: 2.9, usage: usage(10) };
    };
    expect(await scene.perform('ask', { ...request, purpose: 'p', system: 'Be brief.' })).toEqual({
      outcome: { ok: true, value: { answer: 'so', exhausted: false, turns: 2, truncated: false } },
      ms: 30,
      usage: usage(10),
    });
    expect(scene.answerer.asked).toEqual([
      {
        kind: 'ask',
        prompt: 'Be brief.\n\nwhy?',
        purpose: 'p',
        maxTurns: 5,
        choices: null,
        schema: null,
        model: 'big',
        tools: null,
      },
    ]);
    expect(scene.log).toEqual(['begun']);
  });

  it('is not begun again when it is entered again', async () => {
    const scene = effectScene();
    scene.known.set('1', startedEffect('1', { kind: 'ask' }));
    await scene.perform('ask', request);
    expect(scene.log).toEqual([]);
  });

  it.each([
    ['no text', { answer: 5 as unknown as string }, 'ask failed: the answerer gave no text'],
    ['nothing at all', null as never, 'Cannot'],
  ])('fails when the answerer gives %s', async (_what, outcome, message) => {
    const scene = effectScene();
    scene.answerer.answer = async () => outcome as never;
    expect(await codeAndMessage(scene)).toEqual([
      'ASK_FAILED',
      outcome === null ? 'ask failed: the answerer gave no text' : message,
    ]);
  });

  it('believes nothing else of an answer', async () => {
    const scene = effectScene();
    scene.answerer.answer = async () =>
      ({ answer: 'so', exhausted: 'yes', turns: Number.NaN, usage: { inputTokens: 'x' } }) as never;
    expect(await scene.perform('ask', request)).toMatchObject({
      outcome: { value: { answer: 'so', exhausted: false, turns: 0 } },
      usage: usage(0),
    });
  });

  it('says why it failed, by a code', async () => {
    const failing = (error: unknown): EffectScene => {
      const scene = effectScene();
      scene.answerer.onAsk = () => {
        throw error as Error;
      };
      return scene;
    };
    expect(await codeAndMessage(failing(new Error('no model')))).toEqual([
      'ASK_FAILED',
      'ask failed: no model',
    ]);
    expect(await codeAndMessage(failing('words'))).toEqual(['ASK_FAILED', 'ask failed: words']);
    expect(await codeAndMessage(failing(new ToolFault('no file')))).toEqual(['TOOL_FAILED', 'no file']);
    expect(await codeAndMessage(failing(new PartFailed('X', 'x')))).toEqual(['X', 'x']);
    const stopped = failing(new Error('aborted'));
    stopped.abort.abort(new Stopping());
    expect(await codeAndMessage(stopped)).toEqual(['CANCELLED', 'stopped']);
  });

  it('cuts an answer that is too long', async () => {
    const scene = effectScene({ limits: { ...defaultLimits, answerUnits: 4 } });
    scene.answerer.onAsk = () => 'abcdef';
    expect(valueOf(await scene.perform('ask', request))).toMatchObject({ truncated: true });
    expect(valueOf(await scene.perform('ask', request))).not.toMatchObject({ answer: 'abcdef' });
  });

  it('counts what its parts have used once', async () => {
    const scene = effectScene();
    scene.answerer.onAsk = async (_request, context) => {
      await context.child('turn', { n: 1 }, true, async () => ({ value: 1, usage: usage(4) }));
      return { answer: 'so', usage: usage(10), turns: 0 };
    };
    expect(await scene.perform('ask', request)).toMatchObject({
      outcome: { value: { turns: 1 } },
      usage: usage(6),
    });
    scene.answerer.onAsk = async (_request, context) => {
      await context.child('turn', { n: 1 }, true, async () => ({ value: 1, usage: usage(4) }));
      return { answer: 'so', usage: usage(1) };
    };
    expect(await scene.perform('ask', request)).toMatchObject({ usage: usage(0) });
  });

  it('has no time left when its question has expired', async () => {
    expect(await codeAndMessage(effectScene({ hasExpired: () => true }))).toEqual([
      'QUESTION_EXPIRED',
      'the question was not answered in time',
    ]);
  });
});

describe('an answerer that cannot be held to tools', () => {
  const unfenced = (more: Partial<EffectContext> = {}): EffectScene => {
    const scene = effectScene(more);
    Object.assign(scene.answerer, { fenced: false });
    return scene;
  };

  it.each<[string, Partial<EffectContext>, JsonObject, string]>([
    ['that are named', {}, { tools: ['Read'] }, 'the tools ["Read"]'],
    ['that are disallowed', {}, { disallowed_tools: ['Bash'] }, 'what is disallowed'],
    ['of the run', { scopes: [{ allowed: null, disallowed: ['Bash'] }] }, {}, 'what is disallowed'],
  ])('is not asked with tools %s', async (_what, more, asked, held) => {
    const scene = unfenced(more);
    expect(await codeAndMessage(scene, asked)).toEqual([
      'UNFENCED',
      `ask failed: the answerer "script" cannot be held to ${held}`,
    ]);
    expect(scene.answerer.asked).toEqual([]);
    expect(await scene.perform('chat', { ...request, ...asked })).toMatchObject({ outcome: { ok: true } });
  });

  it('is asked without', async () => {
    expect(await unfenced().perform('ask', request)).toMatchObject({ outcome: { ok: true } });
  });

  it('is not let loose under a ceiling', async () => {
    const scene = unfenced({ ceilings: [['filesystem-read']] });
    const [code, message] = (await codeAndMessage(scene)) as [string, string];
    expect([code, message.includes('cannot be held to the declared capabilities')]).toEqual([
      'UNFENCED',
      true,
    ]);
    expect(await scene.perform('chat', request)).toMatchObject({ outcome: { ok: true } });
    const fenced = effectScene({ ceilings: [['filesystem-read']] });
    expect(await fenced.perform('ask', request)).toMatchObject({ outcome: { ok: true } });
  });
});

describe('a structured answer', () => {
  const schema = { type: 'integer' };

  it('is asked for with its schema, and again with what is wrong, at most twice', async () => {
    const scene = effectScene();
    const answers = ['many', '"x"', '7'];
    const seen: Json[] = [];
    scene.answerer.onAsk = ({ prompt, maxTurns }, { retry }) => {
      seen.push([retry, maxTurns, prompt.includes('JSON Schema'), prompt.includes('not JSON')]);
      return answers[retry] as string;
    };
    expect(valueOf(await scene.perform('ask', { ...request, schema }))).toMatchObject({
      answer: '7',
      value: 7,
    });
    expect(seen).toEqual([
      [0, 5, true, false],
      [1, 6, true, true],
      [2, 7, true, true],
    ]);
    scene.answerer.onAsk = () => 'many';
    expect(await codeAndMessage(scene, { schema })).toEqual([
      'ANSWER_INVALID',
      'ask failed: no usable answer in 3 tries: the answer is not JSON',
    ]);
  });

  it('is too long for its limit, never cut', async () => {
    const scene = effectScene({ limits: { ...defaultLimits, answerUnits: 4 } });
    scene.answerer.onAsk = () => '12345';
    expect(await codeAndMessage(scene, { schema })).toEqual([
      'ANSWER_INVALID',
      'ask failed: no usable answer in 3 tries: the answer has 5 characters, over 4',
    ]);
    scene.answerer.onAsk = () => '1234';
    expect(valueOf(await scene.perform('ask', { ...request, schema }))).toMatchObject({ value: 1234 });
  });

  it('of a closed set is the choice as it was written', async () => {
    const scene = effectScene();
    scene.answerer.onAsk = () => '"RED".';
    const value = valueOf(await scene.perform('classify', { ...request, choices: ['red', 'blue'] }));
    expect(value).toEqual({ answer: 'red', exhausted: false, turns: 1, truncated: false });
    expect(scene.answerer.asked[0]?.choices).toEqual(['red', 'blue']);
  });

  it('adds up what its tries have used', async () => {
    const scene = effectScene();
    scene.answerer.onAsk = (_request, { retry }) => ({ answer: retry === 1 ? '7' : 'no', usage: usage(5) });
    expect(await scene.perform('ask', { ...request, schema })).toMatchObject({ usage: usage(10) });
  });

  it('has a turn left for each retry', async () => {
    const scene = effectScene();
    const given: number[] = [];
    scene.answerer.onAsk = async ({ maxTurns }, context) => {
      given.push(maxTurns);
      await context.child('turn', { at: given.length }, true, async () => ({ value: 1 }));
      return 'no';
    };
    await scene.perform('ask', { ...request, max_turns: 1, schema });
    expect(given).toEqual([1, 1, 1]);
  });
});

describe('an answer that comes later', () => {
  it('leaves a question, and is taken when it is there', async () => {
    const scene = effectScene();
    scene.answerer.onAsk = () => Promise.reject(new AnswerLater('person'));
    expect(await scene.perform('ask', { ...request, purpose: 'p' })).toBe('waiting');
    expect(scene.put).toEqual([
      {
        key: '1',
        audience: 'person',
        body: {
          type: 'ask',
          kind: 'ask',
          prompt: 'why?',
          purpose: 'p',
          max_turns: 5,
          cancel_words: ['/cancel'],
        },
        expiry: undefined,
      },
    ]);
    scene.questions.push(openQuestion({}));
    expect([await scene.perform('ask', request), scene.put.length]).toEqual(['waiting', 1]);
    scene.questions[0] = openQuestion({}, 'given');
    expect(valueOf(await scene.perform('ask', request))).toEqual({
      answer: 'given',
      exhausted: false,
      turns: 1,
      truncated: false,
    });
  });

  it('is taken in the order of the questions', async () => {
    const scene = effectScene();
    scene.questions.push(openQuestion({}, 'many'), openQuestion({}, 8));
    expect(valueOf(await scene.perform('ask', { ...request, schema: { type: 'integer' } }))).toMatchObject({
      value: 8,
    });
    expect(scene.answerer.asked).toEqual([]);
  });
});

describe('the parts of an ask', () => {
  it('are begun and ended with keys of their own, in the order of the calls', async () => {
    const scene = effectScene();
    scene.commands.onCommand = () => printed('out');
    scene.toolOutcome = { ok: true, text: 'found', value: [1] };
    scene.answerer.onAsk = async (_request, context) => {
      const [ran, found, told] = await Promise.all([
        context.command({ argv: ['ls'] }),
        context.tool({ tool: 't', args: {} }),
        context.child('tool', { a: 1 }, true, async () => ({ value: { b: 2 } })),
      ]);
      return JSON.stringify([ran['result'], found, told]);
    };
    const { answer } = valueOf(await scene.perform('ask', request)) as { answer: string };
    expect(JSON.parse(answer)).toEqual([
      'out',
      { ok: true, text: 'found', value: [1], truncated: false },
      { b: 2 },
    ]);
    expect(scene.log.filter((line) => line.startsWith('begun')).toSorted()).toEqual([
      'begun',
      'begun 1/1',
      'begun 1/2',
      'begun 1/3',
    ]);
    expect(scene.calls).toMatchObject([
      { argv: ['ls'], timeoutMs: defaultLimits.commandTimeoutMs, cwd: null },
    ]);
  });

  it('cannot take more turns than the ask has', async () => {
    const scene = effectScene();
    scene.answerer.onAsk = async (_request, context) => {
      for (let at = 0; at < 3; at += 1)
        await context.child('turn', { at }, true, async () => ({ value: at }));
      return 'so';
    };
    expect(await codeAndMessage(scene, { max_turns: 2 })).toEqual([
      'TURN_LIMIT',
      'ask failed: the answerer took more than 2 turns',
    ]);
    expect(valueOf(await scene.perform('ask', { ...request, max_turns: 3 }))).toMatchObject({ turns: 3 });
  });

  it('stop with the budget of turns, whatever the answerer makes of it', async () => {
    const budgets = { refuseTurn: () => ({ code: 'TOKEN_BUDGET', message: 'none left' }) };
    const scene = effectScene({ budgets: budgets as unknown as EffectContext['budgets'] });
    scene.answerer.onAsk = async (_request, context) => {
      await context.child('turn', {}, true, async () => ({ value: 1 })).catch(() => null);
      await context.command({ argv: ['ls'] }).catch(() => null);
      return 'all is well';
    };
    expect(await codeAndMessage(scene)).toEqual(['TOKEN_BUDGET', 'none left']);
    expect(scene.commands.done).toEqual([]);
  });

  it('are refused over the budget, and the agent goes on', async () => {
    const budgets = {
      refuseTurn: () => null,
      has: () => false,
      refuse: (kind: string) => ({
        code: kind === 'skill' ? 'RUN_BUDGET' : 'COMMAND_BUDGET',
        message: `no ${kind}`,
      }),
    };
    const scene = effectScene({ budgets: budgets as unknown as EffectContext['budgets'] });
    const got: Json[] = [];
    scene.answerer.onAsk = async (_request, context) => {
      got.push(await context.command({ argv: ['ls'] }));
      got.push(await context.runSkill('other', {}));
      got.push(await context.tool({ tool: 't', args: {} }));
      return 'so';
    };
    await scene.perform('ask', request);
    expect(got).toMatchObject([
      { ok: false, denied: true, result: 'error: no command' },
      'error: no skill',
      // It may be repeated, so it does not count.
      { ok: true },
    ]);
    expect(scene.log.filter((line) => line.startsWith('refused'))).toEqual(['refused 1/1', 'refused 1/2']);
  });

  it('are within the tools of the ask', async () => {
    const scene = effectScene();
    const got: Json[] = [];
    scene.answerer.onAsk = async (_request, context) => {
      got.push((await context.command({ argv: ['ls'] }))['result'] as Json);
      got.push(await context.runSkill('other', {}));
      got.push(await context.tool({ tool: 'mail__send', args: {} }));
      return 'so';
    };
    await scene.perform('ask', { ...request, tools: ['Read'] });
    expect(got).toEqual([
      'error: command is not among the tools of this ask (Read)',
      'error: run_metaskill is not among the tools of this ask (Read)',
      {
        ok: false,
        text: 'error: mail__send is not among the tools of this ask (Read)',
        value: null,
        truncated: false,
      },
    ]);
    got.splice(0);
    await scene.perform('ask', { ...request, tools: [] });
    expect(got[0]).toBe('error: command is not among the tools of this ask (it has none)');
    expect(scene.log.filter((line) => line !== 'begun')).toEqual([]);
  });

  it('may not be what the ask disallows', async () => {
    const scene = effectScene();
    const got: Json[] = [];
    scene.answerer.onAsk = async (_request, context) => {
      got.push((await context.command({ argv: ['ls'] }))['denied'] as Json);
      got.push(context.refusal({ tool: 'command', argv: ['ls'], readOnly: false }) === null);
      got.push(context.refusal({ tool: 'read_file', readOnly: true }));
      return 'so';
    };
    await scene.perform('ask', { ...request, disallowed_tools: ['Bash'] });
    expect(got).toEqual([true, false, null]);
  });

  it('answer from the journal when the ask is entered again', async () => {
    const scene = effectScene();
    const child = scene.attempted('tool', { a: 1 });
    const failed = scene.attempted('tool', { a: 2 });
    const ended = (ok: boolean, value: Json) =>
      ({ ok, result: { value }, usage: { inputTokens: 3 } }) as unknown as NonNullable<
        ReturnType<typeof startedEffect>['ended']
      >;
    scene.known.set(
      '1/1',
      startedEffect('1/1', { kind: 'tool', hash: child.hash }, { ended: ended(true, 'kept') }),
    );
    scene.known.set(
      '1/2',
      startedEffect(
        '1/2',
        { kind: 'tool', hash: failed.hash },
        { ended: ended(false, { code: 'X', message: 'x' }) },
      ),
    );
    const got: Json[] = [];
    scene.answerer.onAsk = async (_request, context) => {
      const perform = async (): Promise<never> => {
        throw new Error('performed again');
      };
      got.push(await context.child('tool', { a: 1 }, false, perform));
      got.push(
        await context.child('tool', { a: 2 }, false, perform).catch((error: PartFailed) => error.code),
      );
      return { answer: 'so', usage: { inputTokens: 7, outputTokens: 0, costMicros: 0 } };
    };
    expect(await scene.perform('ask', request)).toMatchObject({ usage: { inputTokens: 1 } });
    expect(got).toEqual(['kept', 'X']);
  });

  it('whose outcome is unknown make it wait for a decision, unless they may be repeated', async () => {
    const unknown = (repeatable: boolean): EffectScene => {
      const scene = effectScene();
      scene.known.set(
        '1/1',
        startedEffect('1/1', { kind: 'tool', hash: scene.attempted('tool', { a: 1 }).hash, repeatable }),
      );
      scene.answerer.onAsk = async (_request, context) => {
        await context.child('tool', { a: 1 }, false, async () => ({ value: 1 })).catch(() => null);
        return 'so';
      };
      return scene;
    };
    const undecided = unknown(false);
    expect([await undecided.perform('ask', request), undecided.log]).toEqual([
      'waiting',
      ['begun', 'undecided 1/1'],
    ]);
    const again = unknown(true);
    expect(await again.perform('ask', request)).toMatchObject({ outcome: { ok: true } });
    expect(again.log).toEqual(['begun', 'begun 1/1 as 2', 'ended 1/1']);
  });

  it('must be those of the journal', async () => {
    const scene = effectScene();
    scene.known.set('1/1', startedEffect('1/1', { kind: 'tool', hash: 'other' }));
    scene.answerer.onAsk = async (_request, context) => {
      await context.child('tool', {}, true, async () => ({ value: 1 })).catch(() => null);
      return 'so';
    };
    await expect(scene.perform('ask', request)).rejects.toThrow('does not repeat what its journal contains');
  });

  it('that are still under way when the answerer ends are stopped first', async () => {
    const scene = effectScene();
    scene.commands.onCommand = (_call, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ aborted: true })));
    let stopped: Json = null;
    scene.answerer.onAsk = async (_request, context) => {
      void context.command({ argv: ['wait'] }).then((value) => (stopped = value));
      await turns(3);
      return 'so';
    };
    expect(await scene.perform('ask', request)).toMatchObject({ outcome: { ok: true } });
    await turns(1);
    expect(stopped).toMatchObject({ ok: false, denied: false, result: 'error: command was stopped' });
  });

  it('of a nested run that waits make it wait, and one that ended gives its text', async () => {
    const result = { status: 'completed', text: 'told', usage: {} };
    const scene = effectScene({ runNested: async () => result as never });
    scene.answerer.onAsk = (_request, context) => context.runSkill('other', { a: 1 });
    expect(valueOf(await scene.perform('ask', request))).toMatchObject({ answer: 'told' });
    for (const status of ['paused', 'needs_decision']) {
      const waiting = effectScene({ runNested: async () => ({ ...result, status }) as never });
      waiting.answerer.onAsk = (_request, context) => context.runSkill('other', {}).catch(() => 'so');
      expect([await waiting.perform('ask', request), waiting.log]).toEqual([
        'waiting',
        ['begun', 'begun 1/1', 'nested waits 1/1'],
      ]);
    }
  });

  it('of a nested run that cannot be driven end the drive', async () => {
    const lost = new Error('the journal is gone');
    const scene = effectScene({ runNested: () => Promise.reject(lost) });
    scene.answerer.onAsk = (_request, context) => context.runSkill('other', {}).catch(() => 'so');
    await expect(scene.perform('ask', request)).rejects.toBe(lost);
  });

  it('say what they take, and what they give', async () => {
    const scene = effectScene();
    const times: number[] = [];
    const context: EffectContext = {
      ...scene.context,
      end: (key, kind, performed) => {
        times.push(performed.ms);
        return scene.context.end(key, kind, performed);
      },
    };
    scene.answerer.onAsk = async (_request, { child }) => {
      await child('tool', {}, true, async () => {
        scene.clock.pass(40);
        return { value: 1 };
      });
      await child('tool', {}, true, async () => {
        scene.clock.pass(50);
        throw new ToolFault('no file');
      }).catch(() => null);
      return 'so';
    };
    const { performAsk } = await import('./perform-ask.ts');
    await performAsk(context, scene.attempted('ask', request));
    expect(times).toEqual([40, 50]);
  });

  it('know the ask that they belong to', async () => {
    const heard: Json[] = [];
    const scene = effectScene({
      inComposition: true,
      onText: (key, text) => void heard.push([key, text]),
      onLoaded: (key) => void heard.push([key, 'loaded']),
    });
    scene.answerer.onAsk = (_request, context) => {
      const { run, key, ordinal, retry, runsCompositions } = context;
      heard.push([run, key, ordinal, retry, runsCompositions]);
      context.onText('hi');
      context.onLoaded({} as never);
      return 'so';
    };
    await scene.perform('ask', request);
    expect(heard).toEqual([
      ['R', '1', 0, 0, false],
      ['1', 'hi'],
      ['1', 'loaded'],
    ]);
  });
});

describe('asFailure', () => {
  it('bounds what an answerer says', () => {
    const long = 'x'.repeat(100_000);
    for (const error of [new Error(long), new ToolFault(long), long])
      expect(asFailure(error, false).message.length).toBeLessThan(10_000);
  });
});
