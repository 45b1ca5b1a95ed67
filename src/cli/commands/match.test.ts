import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';

let world: World;
afterEach(() => world.remove());

const evals = JSON.stringify({
  skill_name: 'travel-planner',
  triggers: [
    {
      kind: 'positive',
      message: 'We fly to Lisbon in May, please plan our trip.',
      expected: 'travel-planner',
    },
    { kind: 'explicit', message: 'Use the travel-planner skill for Oslo.', expected: 'travel-planner' },
    { kind: 'pasted-history', message: 'user: plan our trip\nassistant: done', expected: null },
  ],
});

function open(files: Record<string, string> = {}): World {
  world = createWorld({
    'work/.techne/skills/travel-planner/SKILL.md': skillText(
      'travel-planner',
      'Plans journeys: days, places, money.',
      'triggers: [plan our trip, "itinerary for {place}"]\n',
    ),
    'work/.techne/skills/travel-planner/evals/evals.json': evals,
    'work/.techne/skills/bread-baker/SKILL.md': skillText(
      'bread-baker',
      'Bakes sourdough bread and knows flour.',
      'triggers: [bake bread]\n',
    ),
    ...files,
  });
  return world;
}

describe('techne match', () => {
  it('shows what a message asks for, with what it extracted and why', async () => {
    const { code, out, err } = await open().run(['match', 'Please', 'make an itinerary for Rome!']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')[0]).toMatch(
      /^travel-planner +trigger +0\.\d\d +matches the trigger "itinerary for \{place\}"; place="Rome"$/,
    );
  });

  it('gives the whole result as JSON', async () => {
    const { out } = await open().run(['match', '$bread-baker now', '--limit', '1', '--json']);
    expect(JSON.parse(out)).toEqual({
      message: '$bread-baker now',
      matches: [
        {
          skill: 'bread-baker',
          mode: 'explicit',
          confidence: 1,
          variables: {},
          reason: 'called by name: $bread-baker',
          ready: true,
        },
      ],
      abstained: null,
      candidates: expect.any(Array) as unknown,
    });
  });

  const hidden = {
    'work/.techne/skills/film/SKILL.md': skillText(
      'film',
      'Cuts films.',
      'triggers: [cut a film]\nmetadata: {openclaw: {requires: {bins: [no-such-program]}}}\n',
    ),
    'work/.techne/skills/secret/SKILL.md': skillText(
      'secret',
      'Deploys to production.',
      'triggers: [deploy to production]\ndisable-model-invocation: true\n',
    ),
    'work/.techne/skills/fence/SKILL.md': skillText(
      'fence',
      'Paints fences green.',
      'triggers: [paint the fence]\nagent_ready: false\n',
    ),
    'work/.techne/skills/zebras/SKILL.md': skillText(
      'zebras',
      'Counts zebras.',
      'triggers: [count the zebras]\ndisable-model-invocation: true\nuser-invocable: false\n',
    ),
  };

  it.each([
    ['cut a film', '"film" fits, but is not offered: it is not ready here, see techne doctor'],
    ['please deploy to production', '"secret" fits, but is not offered: only you can call it: /secret'],
    ['paint the fence', '"fence" fits, but is not offered: only you can call it: /fence'],
    [
      'count the zebras',
      '"zebras" fits, but is not offered: it is context only: neither people nor the model can start it',
    ],
  ])(
    'suggests for %j what a conversation does, which is nothing, and says what fits',
    async (message, why) => {
      const { code, out, err } = await open(hidden).run(['match', message]);
      expect({ code, out, err }).toEqual({ code: 0, out: '', err: `no skill fits this message\n${why}\n` });
      expect((await world.run(['match', '--explain', message])).out).toContain(
        `\nfits, but is not offered\n${why.slice(1, why.indexOf('"', 1))} `,
      );
    },
  );

  it('takes what only people start by name', async () => {
    expect((await open(hidden).run(['match', '/secret now'])).out).toMatch(
      /^secret +explicit +1\.00 +called by name: \/secret\n$/,
    );
  });

  it('asks after a name that was most likely misspelt', async () => {
    open({ 'work/.techne/skills/checklist/SKILL.md': skillText('checklist', 'Drafts a checklist.') });
    for (const message of ['/checklst foo', 'use the chekclist skill'])
      expect((await world.run(['match', message])).err).toMatch(
        /^nothing is suggested: there is no skill "(?:checklst|chekclist)"; did you mean "checklist"\?\n$/,
      );
    expect((await world.run(['search', 'chekclist'])).err).toBe('nothing found; did you mean "checklist"?\n');
  });

  it('cuts a long value that a trigger took', async () => {
    const { out } = await open().run(['match', '-'], {
      input: `make an itinerary for ${'Rome '.repeat(2000)}`,
    });
    expect(out.length).toBeLessThan(400);
    expect(out).toContain('Rome Rome');
    expect(out).toContain('…"');
  });

  it('says which words refuse it where no trigger does', async () => {
    open();
    const { err } = await world.run(['match', 'do not give me sourdough flour']);
    expect(err).toBe('nothing is suggested: "bread-baker" is not asked for: "do not" refuses it\n');
    expect((await world.run(['match', '--explain', 'do not give me sourdough flour'])).out).toMatch(
      /\nbelow the threshold\nbread-baker +lexical +0\.00 +shares "flour" and "sourdough" with its .*; "do not" refuses it\n/,
    );
  });

  it('tells why nothing is suggested', async () => {
    const { code, out, err } = await open().run(['match', "don't bake bread"]);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toBe(
      'nothing is suggested: "bread-baker" is not asked for: the trigger "bake bread" does not count: "don\'t" refuses it\n',
    );
    expect((await world.run(['match', '--explain', "don't bake bread"])).out).toContain(
      'below the threshold\nbread-baker',
    );
  });

  it('reads a long message from standard input, and refuses an empty one', async () => {
    expect((await open().run(['match', '-'], { input: 'please bake bread\n' })).out).toMatch(/^bread-baker/);
    expect((await world.run(['match', ' '])).code).toBe(2);
    expect((await world.run(['match', 'x', '--limit', '0'])).code).toBe(2);
  });
});

describe('techne eval triggers', () => {
  const cases = [
    '{"message": "plan our trip", "expected": "travel-planner"}',
    '{"message": "bake bread", "expected": "travel-planner"}',
    '{"message": "do not bake bread", "expected": null, "kind": "negation"}',
  ].join('\n');

  it('counts the cases of a file', async () => {
    const { code, out, err } = await open({ 'work/cases.jsonl': cases }).run([
      'eval',
      'triggers',
      'cases.jsonl',
    ]);
    expect({ code, err }).toEqual({
      code: 0,
      err: 'note: 1 case went wrong; with --threshold 1 the exit code would be 1\n',
    });
    expect(out).toContain('all           2      3   66.7 %');
    expect(out).toContain('1  travel-planner -> bread-baker');
  });

  it('fails below a threshold', async () => {
    open({ 'work/cases.jsonl': cases });
    expect((await world.run(['eval', 'triggers', 'cases.jsonl', '--threshold', '60%'])).code).toBe(0);
    const { code, err } = await world.run(['eval', 'triggers', 'cases.jsonl', '--threshold', '0.9']);
    expect({ code, err }).toEqual({ code: 1, err: 'the accuracy 0.6667 is below the threshold 0.9\n' });
    expect((await world.run(['eval', 'triggers', 'cases.jsonl', '--threshold', 'most'])).code).toBe(2);
  });

  it('fails a threshold when there is no case at all', async () => {
    open({ 'work/.techne/skills/oven/SKILL.md': skillText('oven', 'Heats an oven for sourdough.') });
    const none = '"oven" has neither test prompts (evals/evals.json) nor triggers\n';
    expect(await world.run(['eval', 'triggers', '--skill', 'oven', '--threshold', '98%'])).toMatchObject({
      code: 1,
      err: `${none}no case was measured, so the threshold 0.98 was not reached\n`,
      out: expect.not.stringContaining('100') as string,
    });
    expect(await world.run(['eval', 'triggers', '--skill', 'oven'])).toMatchObject({
      code: 1,
      err: `${none}no case was measured\n`,
    });
    const { out, code } = await world.run([
      'eval',
      'triggers',
      '--skill',
      'oven',
      '--threshold',
      '0',
      '--json',
    ]);
    expect([code, JSON.parse(out)]).toMatchObject([1, { cases: 0, accuracy: null, ok: false }]);
  });

  it('takes the cases of a skill, and those of its triggers', async () => {
    const { code, out } = await open().run([
      'eval',
      'triggers',
      '--skill',
      'travel-planner',
      '--frames',
      '3',
      '--threshold',
      '1',
      '--json',
    ]);
    const report = JSON.parse(out) as {
      readonly cases: number;
      readonly failures: readonly unknown[];
      readonly ok: boolean;
    };
    expect(report.failures).toEqual([]);
    expect({ code, cases: report.cases, ok: report.ok }).toEqual({ code: 0, cases: 3 + 2 * 7 * 3, ok: true });
  });

  it('takes only what is written with --frames 0', async () => {
    open({
      'work/.techne/skills/oven/SKILL.md': skillText('oven', 'Heats an oven.', 'triggers: [heat the oven]\n'),
    });
    expect(
      JSON.parse(
        (await world.run(['eval', 'triggers', '--skill', 'travel-planner', '--frames', '0', '--json'])).out,
      ),
    ).toMatchObject({ cases: 3, ok: true });
    expect(await world.run(['eval', 'triggers', '--skill', 'oven', '--frames', '0'])).toMatchObject({
      code: 1,
      err: '"oven" has no test prompts (evals/evals.json), and --frames 0 makes none\nno case was measured\n',
    });
  });

  it('does not count what is never suggested', async () => {
    open({
      'work/.techne/skills/secret/SKILL.md': skillText(
        'secret',
        'Deploys to production.',
        'triggers: [deploy to production]\ndisable-model-invocation: true\n',
      ),
      'work/c.jsonl':
        '{"message": "deploy to production", "expected": "secret"}\n{"message": "/secret now", "expected": "secret", "kind": "explicit"}',
    });
    const { code, out, err } = await world.run(['eval', 'triggers', 'c.jsonl', '--threshold', '0.9']);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'warning: 1 case expects "secret", which is never suggested: only you can call it: /secret\nthe accuracy 0.5000 is below the threshold 0.9\n',
    });
    expect(out).toContain(
      'positive: expected secret, found none (it is never suggested: only you can call it: /secret)',
    );
    expect(JSON.parse((await world.run(['eval', 'triggers', 'c.jsonl', '--json'])).out)).toMatchObject({
      right: 1,
      unreachable: [{ skill: 'secret', because: 'only you can call it: /secret', cases: 1 }],
    });
  });

  it('tells what is wrong with a file, and which skills are not there', async () => {
    open({
      'work/bad.jsonl': '{"message": "x"}',
      'work/other.jsonl': '{"message": "x", "expected": "nobody"}',
    });
    const bad = await world.run(['eval', 'triggers', 'bad.jsonl']);
    expect(bad.code).toBe(1);
    expect(bad.err).toContain(
      'bad.jsonl:1:1: error SCRIPT_VALUE: the case "x" does not name the expected skill',
    );
    expect((await world.run(['eval', 'triggers', 'other.jsonl', '--quiet'])).err).toBe(
      'other.jsonl:1: warning: there is no skill "nobody"\n',
    );
    expect((await world.run(['eval', 'triggers', 'none.jsonl'])).code).not.toBe(0);
    expect((await world.run(['eval', 'triggers', '--skill', 'nobody'])).code).not.toBe(0);
    expect((await world.run(['eval', 'triggers'])).code).toBe(2);
  });
});

describe('techne search', () => {
  it('puts what only ranks after what has every word', async () => {
    open({ 'work/.techne/skills/oven/SKILL.md': skillText('oven', 'Heats an oven for sourdough.') });
    const { out } = await world.run(['search', 'sourdough flour', '--json']);
    const { results, total } = JSON.parse(out) as {
      readonly total: number;
      readonly results: readonly { readonly name: string; readonly reason?: string }[];
    };
    expect(results.map(({ name, reason }) => [name, reason === undefined])).toEqual([
      ['bread-baker', true],
      ...results.slice(1).map(({ name }) => [name, false]),
    ]);
    expect(total).toBe(results.length);
    expect((await world.run(['search', 'how do I bake bread'])).out).toMatch(/^bread-baker/);
  });
});
