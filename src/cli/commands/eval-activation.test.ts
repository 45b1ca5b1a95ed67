import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelServer } from '../../../test/support/model-server.ts';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';

let world: World;
afterEach(() => world.remove());

const script = `chat:
  - {contains: Lisbon, calls: [{tool: skill_search, args: {query: journeys}}], tokens: {input: 100, output: 10}}
  - {contains: "days, places", calls: [{tool: skill_load, args: {name: travel-planner}}], tokens: {input: 200, output: 10}}
  - {contains: Which flour, calls: [{tool: skill_load, args: {name: flour-mill}}], tokens: {input: 10, output: 1}}
  - {contains: no skill registered, calls: [{tool: use_skill, args: {name: bread-baker}}], tokens: {input: 10, output: 1}}
  - {contains: How many, calls: [{tool: run_metaskill, args: {name: count, input: {fruit: apples}}}]}
  - {contains: broken, error: the line is down}
  - Nothing to do.
`;

const cases = [
  { message: 'We fly to Lisbon in May.', expected: 'travel-planner' },
  { message: 'Use the travel-planner skill for Oslo.', expected: 'travel-planner', kind: 'explicit' },
  { message: 'Which flour for rolls?', expected: null },
  { message: 'How many apples are there?', expected: 'count' },
  { message: 'Bake me something.', expected: 'bread-baker' },
];

function open(files: Record<string, string> = {}, written: readonly object[] = cases): World {
  world = createWorld({
    'work/.techne/skills/travel-planner/SKILL.md': skillText(
      'travel-planner',
      '"Plans journeys: days, places, money."',
    ),
    'work/.techne/skills/bread-baker/SKILL.md': skillText(
      'bread-baker',
      'Bakes sourdough and knows flour.',
      'triggers: [bake bread]\n',
    ),
    'work/.techne/skills/count/SKILL.md': skillText('count', 'Counts fruit.', 'metaskill: SKILL.star\n'),
    'work/.techne/skills/count/SKILL.star': 'def run(input):\n    return {"answer": "seven"}\n',
    'work/script.yaml': script,
    'work/cases.jsonl': written.map((one) => JSON.stringify(one)).join('\n'),
    ...files,
  });
  return world;
}

const measure = (...more: readonly string[]): readonly string[] => [
  'eval',
  'activation',
  'cases.jsonl',
  '--answer',
  'script:script.yaml',
  ...more,
];

describe('techne eval activation', () => {
  it('counts what the model loads, wants to run, or was given by name; and runs nothing', async () => {
    const { code, out, err } = await open().run(measure('--runs', '2', '--json'));
    const report = JSON.parse(out) as Record<string, unknown> & {
      readonly cases: readonly {
        readonly attempts: readonly {
          readonly found: string | null;
          readonly way: string | null;
          readonly turns: number;
        }[];
      }[];
    };
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(report.cases.map(({ attempts: [first] }) => [first?.found, first?.way, first?.turns])).toEqual([
      ['travel-planner', 'load', 2],
      ['travel-planner', 'mention', 0],
      ['bread-baker', 'load', 2],
      ['count', 'run', 1],
      [null, null, 1],
    ]);
    expect(report).toMatchObject({
      measured: 10,
      right: 6,
      accuracy: 0.6,
      falsePositives: 2,
      falseNegatives: 2,
      wrongSkill: 0,
      errors: 0,
      runs: 2,
      seed: 1,
      distractors: null,
      stopped: null,
      unknown: [],
      ok: true,
    });
    expect((await world.run(['runs', 'list', '--json'])).out).not.toContain('count');
  });

  it('counts a body that is read as a file, and a model that comes to no end as one that failed', async () => {
    const own = `chat:
  - {contains: Lisbon, calls: [{tool: skill_read, args: {name: travel-planner, path: SKILL.md}}]}
  - {contains: again, calls: [{tool: skill_search, args: {query: again}}]}
  - {contains: "", calls: [{tool: skill_search, args: {query: again}}]}
`;
    const { out } = await open({ 'work/script.yaml': own }, [
      { message: 'We fly to Lisbon.', expected: 'travel-planner' },
      { message: 'again', expected: null },
    ]).run(measure('--runs', '1', '--max-turns', '2', '--json'));
    expect(JSON.parse(out)).toMatchObject({
      right: 1,
      measured: 1,
      errors: 1,
      cases: [{ attempts: [{ found: 'travel-planner', way: 'load' }] }, {}],
    });
  });

  it('counts a model that fails apart, and says so', async () => {
    const { code, out, err } = await open({}, [
      { message: 'broken', expected: 'count' },
      { message: 'Say hello.', expected: null },
    ]).run(measure('--runs', '2'));
    expect(code).toBe(1);
    expect(out).toContain('0 activated nothing, 0 activated a skill for nothing, 0 activated another skill');
    expect(out).toContain('2 more could not be measured, since the model failed');
    expect(out).toContain(
      '    -  broken\n       positive: expected count\n       the model failed: the line is down\n',
    );
    expect(err).toBe('warning: 1 case could not be measured at all\n');
  });

  it('gives up on a model that never answers', async () => {
    const { code, err } = await open({}, [{ message: 'broken', expected: 'count' }]).run(
      measure('--runs', '9'),
    );
    expect([code, err]).toEqual([1, 'stopped: the model failed 5 times in a row; none was measured\n']);
  });

  it('fails below the threshold', async () => {
    expect((await open().run(measure('--threshold', '60%'))).code).toBe(0);
    const { code, err } = await world.run(measure('--threshold', '0.7'));
    expect([code, err]).toEqual([1, 'the accuracy 0.6000 is below the threshold 0.7\n']);
  });

  it('stops when the budget is spent, and prints what was measured by then', async () => {
    const { code, out, err } = await open().run(measure('--max-calls', '3', '--json'));
    const report = JSON.parse(out) as {
      readonly measured: number;
      readonly stopped: string;
      readonly spent: { readonly calls: number };
    };
    expect([code, err, report.stopped, report.spent.calls]).toEqual([
      1,
      'stopped: the calls of --max-calls are spent; these are the measurements so far; 3 cases of 5 were not measured\n',
      'calls',
      3,
    ]);
    expect(report.measured).toBeLessThan(15);
    expect(JSON.parse((await world.run(measure('--max-tokens', '50', '--json'))).out)).toMatchObject({
      stopped: 'tokens',
      ok: false,
    });
  });

  it('offers the skills of the cases and so many others, drawn by the seed', async () => {
    const others = Object.fromEntries(
      ['ants', 'bees', 'cats', 'dogs', 'eels'].map((name) => [
        `work/.techne/skills/${name}/SKILL.md`,
        skillText(name),
      ]),
    );
    open({ ...others, 'work/script.yaml': 'chat:\n  - Nothing to do.\n' }, [
      { message: 'Say hello.', expected: null },
      { message: 'Plan it.', expected: 'travel-planner' },
    ]);
    const drawn = async (seed: string): Promise<readonly string[]> => {
      const { cases: scored } = JSON.parse(
        (await world.run(measure('--distractors', '2', '--seed', seed, '--json'))).out,
      ) as {
        readonly cases: readonly {
          readonly attempts: readonly { readonly distractors: readonly string[] }[];
        }[];
      };
      return scored.flatMap(({ attempts }) => attempts.map(({ distractors }) => distractors.join()));
    };
    const first = await drawn('1');
    expect(
      first.every((names) => new Set(names.split(',')).size === 2 && !names.includes('travel-planner')),
    ).toBe(true);
    expect(new Set(first).size).toBeGreaterThan(2);
    expect(await drawn('1')).toEqual(first);
    expect(await drawn('2')).not.toEqual(first);
    expect((await world.run(measure('--distractors', '99'))).err).toContain(
      'note: there are only 7 other skills to draw from',
    );
  });

  it('takes the cases of a skill, or makes a few from its triggers', async () => {
    open({
      'work/.techne/skills/travel-planner/evals/evals.json': JSON.stringify({
        triggers: [
          { kind: 'positive', message: 'We fly to Lisbon.', expected: 'travel-planner' },
          { kind: 'pasted-history', message: 'a log', expected: null },
          { kind: 'rubric', message: 'x', expected: 'travel-planner', rubric: ['y'] },
        ],
      }),
    });
    const of = async (
      ...argv: readonly string[]
    ): Promise<{ readonly cases: readonly { readonly kind: string }[]; readonly skipped: number }> =>
      JSON.parse(
        (
          await world.run([
            'eval',
            'activation',
            ...argv,
            '--answer',
            'script:script.yaml',
            '--runs',
            '1',
            '--json',
          ])
        ).out,
      ) as { readonly cases: readonly { readonly kind: string }[]; readonly skipped: number };
    expect(await of('--skill', 'travel-planner')).toMatchObject({
      cases: [{ kind: 'positive' }, { kind: 'pasted-history' }],
      skipped: 1,
    });
    const made = (await of('--skill', 'bread-baker')).cases.map(({ kind }) => kind);
    expect(new Set(made).size).toBe(made.length);
    expect(made).toContain('positive');
  });

  it('does not spend anything on a skill that is not offered', async () => {
    open({}, [
      { message: 'Fly.', expected: 'no-such-skill' },
      { message: 'Say hello.', expected: null },
    ]);
    const { code, err, out } = await world.run(measure('--json'));
    expect([code, err]).toEqual([1, '']);
    expect(JSON.parse(out)).toMatchObject({ unknown: ['no-such-skill'], measured: 3, ok: false });
    expect((await world.run(measure())).err).toBe(
      'cases.jsonl:1: warning: there is no skill "no-such-skill"; not measured\n',
    );
  });

  it('asks no model about a skill that only people can call', async () => {
    open(
      {
        'work/.techne/skills/secret/SKILL.md': skillText(
          'secret',
          'Deploys.',
          'disable-model-invocation: true\n',
        ),
      },
      [
        { message: 'Deploy it.', expected: 'secret' },
        { message: 'Deploy it now.', expected: 'secret' },
        { message: '/secret now', expected: 'secret', kind: 'explicit' },
      ],
    );
    const { code, err, out } = await world.run(measure());
    expect([code, err]).toEqual([
      1,
      'warning: 2 cases expect "secret", which no model can choose; not measured: only you can call it: /secret\n',
    ]);
    expect(out).toContain('all           3         3  100.0 %');
    expect(JSON.parse((await world.run(measure('--json'))).out)).toMatchObject({
      spent: { calls: 0 },
      measured: 3,
      unknown: [],
      unreachable: [{ skill: 'secret', because: 'only you can call it: /secret', cases: 2 }],
      ok: false,
    });
  });

  it('says what a spent budget leaves out, and measures what costs nothing all the same', async () => {
    const named = {
      message: 'Use the travel-planner skill for Oslo.',
      expected: 'travel-planner',
      kind: 'explicit',
    };
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((message) => ({ message, expected: null }));
    const { code, err, out } = await open({}, [...asked, named]).run(
      measure('--max-calls', '1', '--runs', '2'),
    );
    expect([code, err]).toEqual([
      1,
      'stopped: the calls of --max-calls are spent; these are the measurements so far; 5 cases of 7 were not measured\n',
    ]);
    expect(out).toMatch(/^explicit +2 +2 +100\.0 %$/m);
    expect(out.match(/\nnot measured\n(?: {2}[a-f] \(neighbouring-domain\)\n){5}/)).not.toBeNull();
  });

  it('stops at the first connection that is refused', async () => {
    const server = await createModelServer({ turns: [] });
    await server.close();
    open(
      {
        'home/.techne/config.json': JSON.stringify({
          roots: { builtin: false },
          models: { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'test' } },
        }),
      },
      [
        { message: 'a', expected: null },
        { message: 'b', expected: null },
      ],
    );
    const { code, err, out } = await world.run(['eval', 'activation', 'cases.jsonl']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^stopped: the model cannot be reached: .*ECONNREFUSED.*; none was measured\n$/),
    ]);
    expect(out).toContain('1 more could not be measured');
  });

  it('keeps what was said', async () => {
    await open().run(measure('--runs', '1', '--keep', 'said'));
    const names = readdirSync(join(world.workspace, 'said')).sort();
    expect(names).toEqual([1, 2, 3, 4, 5].map((at) => `case-${at}-run-1.json`));
    const path = join(world.workspace, 'said', 'case-1-run-1.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      case: cases[0],
      run: 1,
      skill: 'travel-planner',
      entries: [
        { type: 'user.said' },
        { type: 'turn.taken' },
        { type: 'call.ended' },
        { type: 'turn.taken' },
        { type: 'call.ended' },
        { type: 'answer.ended' },
      ],
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('says that bodies are not preloaded here', async () => {
    open({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        prompt: { preload: ['travel-planner'], disclosure: 'eager' },
      }),
    });
    const { err, out } = await world.run(measure('--runs', '1', '--json'));
    expect(err).toBe(
      'note: prompt.disclosure is "eager": here bodies come only when the model asks for them\nnote: preloaded in conversations, but not here: travel-planner\n',
    );
    expect(JSON.parse(out)).toMatchObject({ right: 3 });
  });

  it('refuses without a model, without cases, and two ways to name one', async () => {
    open();
    const bare = await world.run(['eval', 'activation', 'cases.jsonl']);
    expect([bare.code, bare.err.split('\n')[0]]).toEqual([
      3,
      'techne: techne eval activation asks a model: there is no model to ask',
    ]);
    expect((await world.run(['eval', 'activation'])).code).toBe(2);
    expect((await world.run(measure('--model', 'x'))).err).toContain(
      '--model and --answer both name the answerer',
    );
    expect((await world.run(['eval', 'activation', 'cases.jsonl', '--answer', 'person'])).err).toContain(
      '"person" cannot hold a conversation',
    );
    world.write({ 'work/empty.yaml': 'answers: [x]\n', 'work/wrong.jsonl': '{"message": "a"}' });
    expect(
      (await world.run(['eval', 'activation', 'cases.jsonl', '--answer', 'script:empty.yaml'])).err,
    ).toContain('empty.yaml has no "chat"');
    expect(
      (await world.run(['eval', 'activation', 'wrong.jsonl', '--answer', 'script:script.yaml'])).code,
    ).toBe(1);
  });

  it('shows its progress at a terminal, and prints what was measured when it is stopped', async () => {
    const server = await createModelServer({
      turns: (_request, index) =>
        index === 0
          ? { calls: [{ tool: 'skill_load', input: { name: 'travel-planner' } }] }
          : { text: 'x', fault: { kind: 'silent', after: 1 } },
    });
    try {
      open(
        {
          'home/.techne/config.json': JSON.stringify({
            roots: { builtin: false },
            models: { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'test' } },
          }),
        },
        [{ message: 'We fly to Lisbon.', expected: 'travel-planner' }],
      );
      const { code, out, err } = await world.run(['eval', 'activation', 'cases.jsonl', '--json'], {
        talk: [],
        terminate: server.arrived(2).then(() => sleep(700)),
      });
      expect(code).toBe(143);
      expect(JSON.parse(out)).toMatchObject({
        measured: 1,
        right: 1,
        errors: 0,
        falseNegatives: 0,
        stopped: 'interrupted',
        ok: false,
      });
      expect(err).toContain('1 of 3 attempts');
      expect(err.endsWith('stopped; these are the measurements so far\n')).toBe(true);
    } finally {
      await server.close();
    }
  });
});
