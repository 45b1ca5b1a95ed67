// The matching lab over HTTP: what a model is shown at a budget, and which skill comes in place of which.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import { evalTriggers } from '../src/techne/eval-triggers.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';
import { skillText } from './support/run-cli.ts';

const evals = JSON.stringify({
  skill_name: 'tides',
  triggers: [{ kind: 'positive', message: 'show the moon phase for Brest', expected: 'tides' }],
});
let scene: ApiScene;
beforeAll(async () => {
  scene = await openApiScene({
    files: {
      'work/.techne/skills/tides/SKILL.md': skillText('tides', 'Tells the tides of a harbour.'),
      'work/.techne/skills/tides/evals/evals.json': evals,
      'work/.techne/skills/moon/SKILL.md': skillText(
        'moon',
        'Shows phases of the moon.',
        'triggers: ["show the moon phase for {place}"]\n',
      ),
    },
  });
});
afterAll(() => scene.close());

describe('what a model is shown', () => {
  it('has the index at a budget and the block of the turn', async () => {
    const ask = (tokens: number) =>
      scene.get('/v1/prompt', { as: 'viewer', body: { message: 'show the moon phase for Brest', tokens } });
    const wide = await ask(10_000);
    expect(wide).toMatchObject({ tier: 'full', omitted: 0 });
    expect(wide['prefix']).toContain('Tells the tides of a harbour.');
    expect((wide['turn'] as JsonObject)['told']).toContain('moon');
    expect((wide['turn'] as JsonObject)['block']).toContain('moon');
    const narrow = await ask(30);
    expect(narrow['tier']).not.toBe('full');
    expect(narrow['prefix']).not.toContain('Tells the tides of a harbour.');
  });

  it('takes no message without text, and no budget that is no number', async () => {
    for (const body of [{ message: '' }, { message: 'a', tokens: -1 }, {}])
      expect(await scene.send('/v1/prompt', { as: 'viewer', body })).toMatchObject({
        status: 400,
        json: { code: 'REQUEST_INVALID' },
      });
  });
});

describe('a match that is explained', () => {
  const ask = (message: string) => scene.get('/v1/match', { as: 'viewer', body: { message, explain: true } });

  it('shows where a trigger and its variables stand, and the line of a suggestion', async () => {
    const message = 'Please show the moon phase for Brest';
    const { matches, leastConfidence } = await ask(message);
    expect(leastConfidence).toBe(0.4);
    const [first] = matches as JsonObject[];
    expect(first).toMatchObject({ skill: 'moon', mode: 'trigger', variables: { place: 'Brest' } });
    const { spans, trigger, guard } = (first as JsonObject)['signs'] as {
      readonly spans: readonly { readonly start: number; readonly end: number; readonly what: string }[];
      readonly trigger: string;
      readonly guard: null;
    };
    expect(spans.map(({ start, end, what }) => [what, message.slice(start, end)])).toEqual([
      ['trigger', 'show the moon phase for'],
      ['variable', 'Brest'],
    ]);
    expect([trigger, guard]).toEqual(['show the moon phase for {place}', null]);
  });

  it('shows which guard holds a trigger, and the words that ask for nothing', async () => {
    const { matches, candidates, abstained } = await ask('do not show the moon phase for Brest');
    expect(matches).toEqual([]);
    expect(abstained).toContain('"do not" refuses it');
    expect((candidates as JsonObject[])[0]).toMatchObject({
      skill: 'moon',
      signs: { guard: { kind: 'negation', outcome: 'held', reason: '"do not" refuses it' } },
    });
    const { words } = ((candidates as JsonObject[])[0] as JsonObject)['signs'] as unknown as {
      readonly words: readonly { readonly word: string; readonly kept: string | null }[];
    };
    expect(words.find(({ word }) => word === 'moon')?.kept).toContain('"do not" refuses it');
  });

  it('shows names that are called, words that are shared, and what was misspelt', async () => {
    expect((await ask('/tides now'))['matches']).toMatchObject([
      { skill: 'tides', signs: { spans: [{ start: 0, end: 6, what: 'name' }] } },
    ]);
    expect((await ask('tides of the harbour'))['matches']).toMatchObject([
      {
        skill: 'tides',
        mode: 'lexical',
        signs: {
          words: expect.arrayContaining([expect.objectContaining({ word: 'tides', place: 'name' })]) as [],
        },
      },
    ]);
    expect(await ask('/tidse now')).toMatchObject({ misspelt: { written: 'tidse', meant: 'tides' } });
  });

  it('has no signs where nobody asked for them', async () => {
    const { matches } = await scene.get('/v1/match', { as: 'viewer', body: { message: '/tides now' } });
    expect((matches as JsonObject[])[0]).not.toHaveProperty('signs');
  });
});

describe('the evaluation of triggers', () => {
  it('gives every case where all are asked for', async () => {
    const { judged, cases, right } = await scene.get('/v1/eval/triggers', {
      as: 'runner',
      body: { skills: ['moon'], frames: 2, all: true },
    });
    const all = judged as unknown as readonly { readonly outcome: string; readonly about: string }[];
    expect(all).toHaveLength(cases as number);
    expect(all.filter(({ outcome }) => outcome === 'right')).toHaveLength(right as number);
    expect(new Set(all.map(({ about }) => about))).toEqual(new Set(['moon']));
  });

  it('says which skill came in place of which', async () => {
    const report = await scene.get('/v1/eval/triggers', {
      as: 'runner',
      body: { skills: ['tides', 'notes'], frames: 0 },
    });
    expect(report).toMatchObject({
      cases: 1,
      right: 0,
      wrongSkill: 1,
      confusions: [{ expected: 'tides', found: 'moon', count: 1 }],
      noCases: ['notes'],
      diagnostics: [],
    });
  });

  it('needs a runner, and skills that are there', async () => {
    const body = { skills: ['nothing'] };
    expect((await scene.send('/v1/eval/triggers', { as: 'viewer', body })).status).toBe(403);
    expect(await scene.send('/v1/eval/triggers', { as: 'runner', body })).toMatchObject({
      status: 404,
      json: { code: 'SKILL_UNKNOWN' },
    });
  });

  it('stops when its caller is gone', async () => {
    const gone = new AbortController();
    let asked = 0;
    const cases = Array.from({ length: 1_000 }, () => ({
      kind: 'positive' as const,
      message: 'a',
      expected: null,
    }));
    const measured = evalTriggers(
      cases,
      {
        barOf: () => null,
        match: async () => {
          asked += 1;
          if (asked === 5) setImmediate(() => gone.abort(new Error('gone')));
          return { matches: [], abstained: null, candidates: [] };
        },
      },
      gone.signal,
    );
    await expect(measured).rejects.toThrow('gone');
    expect(asked).toBeLessThan(100);
  });
});
