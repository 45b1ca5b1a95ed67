// A form by itself: which questions it puts, what it reads, and what it gives. Whole runs with forms are in ../clarify/.
import { describe, expect, it } from 'vitest';
import type { EffectScene } from '../../../test/support/effect-scene.ts';
import { effectScene, openQuestion, startedEffect, valueOf } from '../../../test/support/effect-scene.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { EffectContext } from './effect-context.ts';
import { Nondeterminism } from './effect-context.ts';

const topic = { name: 'topic', type: 'string', required: true };
const words = { name: 'words', type: 'int', required: true };
const tone = { name: 'tone', type: 'string', required: false, default: 'kind' };
const form = (more: JsonObject = {}): JsonObject => ({
  step: 'ask',
  mode: 'chat',
  fields: [topic, words, tone],
  extract: true,
  ...more,
});
const asksOf = ({ answerer }: EffectScene): readonly string[] =>
  answerer.asked.map(({ purpose }) => purpose ?? '');
const errorsOf = ({ put }: EffectScene): readonly Json[] => put.map(({ body }) => body['error'] ?? null);

describe('a form', () => {
  it('is put to a person before anything is read, for as long as it says', async () => {
    const scene = effectScene();
    expect(await scene.perform('input', form({ expires_ms: 60_000 }))).toBe('waiting');
    expect(scene.put).toMatchObject([
      { key: '1', audience: 'person', body: { type: 'form', step: 'ask' }, expiry: { ttlMs: 60_000 } },
    ]);
    expect([errorsOf(scene), asksOf(scene), scene.log]).toEqual([[null], [], ['begun']]);
  });

  it('is not begun again, and not put again while it waits', async () => {
    const scene = effectScene();
    scene.known.set('1', startedEffect('1', { kind: 'input' }));
    scene.questions.push(openQuestion({}));
    expect(await scene.perform('input', form())).toBe('waiting');
    expect([scene.put, scene.log]).toEqual([[], []]);
  });

  it('gives its values, with their sources and the time that it took', async () => {
    const scene = effectScene();
    scene.questions.push(openQuestion({}, { topic: 'tides', words: 20 }));
    expect(await scene.perform('input', form())).toEqual({
      outcome: {
        ok: true,
        value: {
          values: { topic: 'tides', words: 20, tone: 'kind' },
          sources: { topic: 'user', words: 'user', tone: 'default' },
          text: '- topic: tides (from user)\n- words: 20 (from user)\n- tone: kind (from default)',
          notes: '',
        },
      },
      ms: 0,
      usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 },
    });
    expect(scene.put).toEqual([]);
  });

  it('asks for what is missing, until the time of its first question', async () => {
    const scene = effectScene();
    const first = openQuestion({}, { topic: 'tides' });
    scene.questions.push({ ...first, asked: { ...first.asked, expiresAt: 77 } });
    expect(await scene.perform('input', form({ expires_ms: 60_000 }))).toBe('waiting');
    expect(scene.put).toMatchObject([
      { body: { error: 'words is missing', collected: { topic: 'tides' } }, expiry: { at: 77 } },
    ]);
  });

  it('puts the answers together', async () => {
    const scene = effectScene();
    scene.questions.push(
      openQuestion({}, { topic: 'tides' }),
      openQuestion({}, { words: 20, topic: 'moons' }),
    );
    expect(valueOf(await scene.perform('input', form()))).toMatchObject({
      values: { topic: 'moons', words: 20 },
    });
  });

  it('has no time left when its question has expired', async () => {
    const scene = effectScene({ hasExpired: () => true });
    expect(valueOf(await scene.perform('input', form()))).toBe('QUESTION_EXPIRED');
    expect([scene.put, scene.log]).toEqual([[], ['begun']]);
  });
});

describe('a free reply', () => {
  const replied = (answer: string, reply = 'twenty words on tides', more: Partial<EffectContext> = {}) => {
    const scene = effectScene(more);
    scene.questions.push(openQuestion({}, reply));
    scene.answerer.onAsk = () => answer;
    return scene;
  };

  it('is read by the answerer, in one turn, as a part with the number of its question', async () => {
    const scene = replied('{"topic": "tides", "words": 20}');
    expect(valueOf(await scene.perform('input', form({ model: 'small' })))).toMatchObject({
      values: { topic: 'tides', words: 20 },
    });
    expect(scene.answerer.asked).toMatchObject([
      { kind: 'chat', purpose: 'read the reply to ask', maxTurns: 1, model: 'small' },
    ]);
    expect(scene.log).toEqual(['begun', 'begun 1/1', 'ended 1/1']);
  });

  it('has no model of its own, unless the form names one', async () => {
    const scene = replied('{"topic": "tides", "words": 20}');
    await scene.perform('input', form());
    expect(scene.answerer.asked[0]?.model).toBeNull();
  });

  it.each([
    [
      'no JSON',
      'hm',
      'the reply could not be read; answer with "field: value" lines; topic is missing; words is missing',
    ],
    [
      'nothing',
      '{}',
      'nothing in the reply answers a field; answer with "field: value" lines; topic is missing; words is missing',
    ],
    [
      'what does not fit',
      '{"topic": "tides", "words": "many"}',
      'words must be a whole number, not "many"; words is missing',
    ],
  ])('in which %s was found is asked for again', async (_what, answer, error) => {
    const scene = replied(answer);
    expect(await scene.perform('input', form())).toBe('waiting');
    expect(errorsOf(scene)).toEqual([error]);
  });

  it('may leave a form as it is that requires nothing', async () => {
    const scene = replied('hm');
    await scene.perform('input', form({ fields: [tone] }));
    expect(errorsOf(scene)).toEqual([
      'the reply could not be read; answer with "field: value" lines, or {} to leave it as it is',
    ]);
  });

  it('that cannot be read says why', async () => {
    const scene = replied('');
    scene.answerer.onAsk = () => {
      throw new Error('no model');
    };
    await scene.perform('input', form());
    expect(errorsOf(scene)).toEqual([
      'the reply could not be read (ask failed: no model); answer with "field: value" lines; topic is missing; words is missing',
    ]);
  });

  it('is not read over the budget', async () => {
    const budgets = { refuseTurn: () => ({ code: 'TOKEN_BUDGET', message: 'no tokens left' }) };
    const scene = replied('{}', 'x', { budgets: budgets as unknown as EffectContext['budgets'] });
    await scene.perform('input', form());
    expect([asksOf(scene), scene.log]).toEqual([[], ['begun', 'begun 1/1', 'ended 1/1']]);
    expect(errorsOf(scene)[0]).toContain('(no tokens left)');
  });

  it('replaces nothing that was given by name', async () => {
    const scene = effectScene();
    scene.questions.push(openQuestion({}, { topic: 'tides' }), openQuestion({}, 'moons, twenty words'));
    scene.answerer.onAsk = ({ prompt }) => {
      expect(prompt).not.toContain('- topic');
      return '{"topic": "moons", "words": 20}';
    };
    expect(valueOf(await scene.perform('input', form()))).toMatchObject({
      values: { topic: 'tides', words: 20 },
    });
    expect(scene.log).toEqual(['begun', 'begun 1/2', 'ended 1/2']);
  });

  it('that a later one by name corrects is no fault any more', async () => {
    const scene = replied('hm');
    scene.questions.push(openQuestion({}, { topic: 'tides', words: 20 }));
    expect(valueOf(await scene.perform('input', form()))).toMatchObject({ values: { words: 20 } });
  });

  it('is not read twice: what the journal has counts, and must be of the same request', async () => {
    const first = replied('{"topic": "tides", "words": 20}');
    let hash = '';
    const watched: EffectContext = {
      ...first.context,
      begin: (effect, number) => {
        if (effect.key === '1/1') ({ hash } = effect);
        return first.context.begin(effect, number);
      },
    };
    const { performInput } = await import('./perform-input.ts');
    await performInput(watched, first.attempted('input', form()));
    const ended = (result: Json) =>
      ({ ok: true, result: { value: result } }) as unknown as NonNullable<
        ReturnType<typeof startedEffect>['ended']
      >;
    const again = replied('{}');
    again.known.set(
      '1/1',
      startedEffect('1/1', { kind: 'chat', hash }, { ended: ended({ answer: '{"topic":"a","words":1}' }) }),
    );
    expect(valueOf(await again.perform('input', form()))).toMatchObject({ values: { topic: 'a', words: 1 } });
    expect(asksOf(again)).toEqual([]);
    const other = replied('{}', 'another reply');
    other.known.set('1/1', startedEffect('1/1', { kind: 'chat', hash }, { ended: ended({ answer: '{}' }) }));
    await expect(other.perform('input', form())).rejects.toBeInstanceOf(Nondeterminism);
    for (const odd of [null, 'words', {}, { answer: 5 }]) {
      const unread = replied('{}');
      unread.known.set('1/1', startedEffect('1/1', { kind: 'chat', hash }, { ended: ended(odd) }));
      expect(await unread.perform('input', form())).toBe('waiting');
      expect(errorsOf(unread)[0]).toContain('the reply could not be read; ');
    }
  });

  it('waits when its reader does', async () => {
    const { AnswerLater } = await import('../../ports/answerer.ts');
    const scene = effectScene({
      questionsOf: (key) => (key === '1' ? [openQuestion({}, 'tides')] : []),
    });
    scene.answerer.onAsk = () => {
      throw new AnswerLater('caller');
    };
    expect(await scene.perform('input', form())).toBe('waiting');
    expect(scene.put.map(({ key, audience }) => [key, audience])).toEqual([['1/1', 'caller']]);
  });
});

describe('the message of the run', () => {
  const message = 'twenty words on tides';
  const reading = (readsFor: (purpose: string) => boolean, more: Partial<EffectContext> = {}) => {
    const scene = effectScene(more);
    Object.assign(scene.answerer, { readsFor });
    scene.answerer.onAsk = () => '{"topic": {"value": "tides", "words": "tides"}}';
    return scene;
  };
  const suggestedBy = ({ put }: EffectScene): Json =>
    ((put[0]?.body['fields'] ?? []) as readonly JsonObject[])[0]?.['suggested'] ?? null;

  it('is read before the first question, by an answerer that reads for this', async () => {
    const purposes: string[] = [];
    const scene = reading((purpose) => purposes.push(purpose) > 0);
    expect(await scene.perform('input', form({ message }))).toBe('waiting');
    expect([purposes, asksOf(scene)]).toEqual([['read the request for ask'], ['read the request for ask']]);
    expect(suggestedBy(scene)).toEqual({ value: 'tides', from: 'message' });
    expect(scene.log).toEqual(['begun', 'begun 1/0', 'ended 1/0']);
  });

  it.each([
    ['nobody reads for this', reading(() => false), { message }],
    ['there is none', reading(() => true), {}],
    ['the form does not say so', reading(() => true), { message, extract: false }],
    [
      'there is no turn left',
      reading(() => true, {
        budgets: { refuseTurn: () => ({ code: 'X', message: 'x' }) } as unknown as EffectContext['budgets'],
      }),
      { message },
    ],
  ])('is not read when %s', async (_what, scene, more) => {
    await scene.perform('input', form(more));
    expect([asksOf(scene), suggestedBy(scene), scene.log]).toEqual([[], null, ['begun']]);
  });

  it('is not read once a question was put', async () => {
    const scene = reading(() => true);
    scene.questions.push(openQuestion({}, { topic: 'moons' }));
    await scene.perform('input', form({ message }));
    expect([asksOf(scene), suggestedBy(scene)]).toEqual([[], null]);
  });

  it('suggests nothing when the reading fails', async () => {
    const scene = reading(() => true);
    scene.answerer.onAsk = () => {
      throw new Error('no model');
    };
    expect(await scene.perform('input', form({ message }))).toBe('waiting');
    expect([suggestedBy(scene), errorsOf(scene)]).toEqual([null, [null]]);
  });
});
