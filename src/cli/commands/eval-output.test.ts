import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelServer } from '../../../test/support/model-server.ts';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';

let world: World;
afterEach(() => world.remove());

const verdict = (a: readonly number[], b: readonly number[], better: string): string =>
  `'${JSON.stringify({ A: a, B: b, better, reason: 'It names one.' })}'`;
const prompts =
  'eval_prompts:\n  - {name: lisbon, prompt: Two days in Lisbon., rubric: [Names a hotel., Has a budget.]}\n';

/** With the body the model names a hotel; the judge likes hotels. */
const script = `answers: [Seven hotels.]
chat:
  - {contains: Always name a hotel, answer: "Hotel Lisboa, 300 euros.", tokens: {input: 50, output: 5}}
  - {purpose: judge, contains: "<output label=\\"A\\">\\nHotel", answer: ${verdict([9, 8], [2, 1], 'A')}, tokens: {input: 70, output: 7}}
  - {purpose: judge, contains: "<output label=\\"B\\">\\nHotel", answer: ${verdict([2, 1], [9, 8], 'B')}}
  - {purpose: judge, contains: [Seven hotels, Oslo], answer: ${verdict([5], [5], 'tie')}}
  - {contains: broken, error: the line is down}
  - {answer: Go there., tokens: {input: 30, output: 3}}
`;

function open(files: Record<string, string> = {}): World {
  world = createWorld({
    'home/.techne/config.json': '{"roots": {"builtin": false}, "cache": {"enabled": false}}',
    'work/.techne/skills/travel-planner/SKILL.md': skillText(
      'travel-planner',
      '"Plans journeys: days, places, money."',
      prompts,
    ).replace('Do it.', 'Always name a hotel.'),
    'work/script.yaml': script,
    ...files,
  });
  return world;
}

const measure = (...more: readonly string[]): readonly string[] => [
  'eval',
  'output',
  '--answer',
  'script:script.yaml',
  ...more,
];

describe('techne eval output', () => {
  it('compares results with the skill and without it', async () => {
    const { code, out, err } = await open().run(measure('--skill', 'travel-planner'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^prompt +with +without +difference +wins +ties +losses\nlisbon +8\.5 +1\.5 +\+7\.0 \(\+7\.0 to \+7\.0\) +3 +0 +0\n/,
    );
    expect(out).toContain('the skill wins 100.0 % of 3 pairs');
  });

  it('gives everything as JSON, and takes both orders', async () => {
    const { out } = await open().run(
      measure('--skill', 'travel-planner', '--both-orders', '--runs', '2', '--json'),
    );
    expect(JSON.parse(out)).toMatchObject({
      pairs: 2,
      wins: 2,
      winRate: 1,
      scoreWith: 8.5,
      scoreWithout: 1.5,
      difference: 7,
      invalid: 0,
      failed: { with: 0, without: 0, judge: 0 },
      bothOrders: true,
      position: { first: 2, second: 2, neither: 0, both: 2, agreed: 2 },
      spent: { calls: 8, inputTokens: 300, outputTokens: 30 },
      prompts: [
        {
          name: 'lisbon',
          skill: 'travel-planner',
          prompt: 'Two days in Lisbon.',
          rubric: ['Names a hotel.', 'Has a budget.'],
          pairs: 2,
        },
      ],
      judged: [
        {
          at: 0,
          run: 1,
          outcome: 'win',
          results: {
            with: { ok: true, text: 'Hotel Lisboa, 300 euros.' },
            without: { ok: true, text: 'Go there.' },
          },
          judgements: [
            { status: 'valid', better: 'with' },
            { status: 'valid', better: 'with' },
          ],
        },
        { run: 2 },
      ],
      stopped: null,
      ok: true,
    });
    expect(out).not.toContain('transcript');
  });

  it('runs a skill that can be executed, and keeps its run', async () => {
    open({
      'work/.techne/skills/count/SKILL.md': skillText(
        'count',
        'Counts hotels.',
        'metaskill: SKILL.star\neval_prompts:\n  - {prompt: hotels in Oslo, rubric: Gives a number.}\n',
      ).replace('Do it.', 'Input keys:\n\n- `what`: what to count'),
      'work/.techne/skills/count/SKILL.star':
        'def run(input):\n    answer = ask("Count " + input["what"])\n    return {"answer": answer["answer"]}\n',
    });
    const untrusted = await world.run(measure('--skill', 'count', '--runs', '1'));
    expect([untrusted.code, untrusted.out.includes('1 failed (1 with the skill, 0 without it')]).toEqual([
      1,
      true,
    ]);
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        trust: { folders: [world.workspace] },
      }),
    });
    const { code, out } = await world.run(measure('--skill', 'count', '--runs', '1', '--json'));
    const {
      judged: [pair],
      ties,
    } = JSON.parse(out) as {
      readonly ties: number;
      readonly judged: readonly {
        readonly results: { readonly with: { readonly run: string; readonly text: string } };
      }[];
    };
    expect([code, ties, pair?.results.with.text]).toEqual([0, 1, 'Seven hotels.']);
    expect(
      JSON.parse((await world.run(['runs', 'show', pair?.results.with.run ?? '', '--json'])).out),
    ).toMatchObject({ skill: { name: 'count' }, status: 'completed' });
  });

  it('reports an invalid judgement, and counts it for nobody', async () => {
    open({ 'work/script.yaml': 'chat:\n  - {purpose: judge, answer: I like both.}\n  - Go there.\n' });
    const { code, out, err } = await world.run(measure('--skill', 'travel-planner', '--runs', '2'));
    expect(code).toBe(1);
    expect(out).toContain('2 judgements were invalid, even when asked again; they are in no figure');
    expect(out).toContain('  lisbon, run 1, invalid: the answer is not JSON\n');
    expect(err).toBe('warning: 1 prompt could not be measured at all\n');
  });

  it('takes rubric cases of a file, and another judge', async () => {
    open({
      'work/cases.yaml':
        'cases:\n  - {message: Plan Rome., expected: travel-planner, kind: rubric, rubric: [Names a hotel., Has a budget.]}\n  - {message: x, expected: null}\n',
      'work/judge.yaml': `chat:\n  - {answer: no judge}\n  - {purpose: judge, answer: ${verdict([5, 5], [5, 5], 'tie')}}\n`,
    });
    const { code, out } = await world.run(measure('cases.yaml', '--judge', 'script:judge.yaml', '--json'));
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      {
        ties: 3,
        winRate: 0.5,
        prompts: [{ name: 'case 1' }],
        judge: `script:${join(world.workspace, 'judge.yaml')}`,
      },
    ]);
    expect(
      (await world.run(measure('cases.yaml', '--judge', 'script:judge.yaml', '--threshold', '0.6'))).err,
    ).toBe('the win rate 0.5000 is below the threshold 0.6\n');
  });

  it('takes the messages of evals.json where only they have a rubric', async () => {
    open({
      'work/.techne/skills/travel-planner/SKILL.md': skillText('travel-planner').replace(
        'Do it.',
        'Always name a hotel.',
      ),
      'work/.techne/skills/travel-planner/evals/evals.json': JSON.stringify({
        triggers: [
          { kind: 'positive', message: 'Plan Rome.', expected: 'travel-planner' },
          { kind: 'pasted-history', message: 'log', expected: null },
        ],
        rubric: ['Names a hotel.', 'Has a budget.'],
      }),
    });
    expect(JSON.parse((await world.run(measure('--skill', 'travel-planner', '--json'))).out)).toMatchObject({
      wins: 3,
      prompts: [{ name: 'positive 1', prompt: 'Plan Rome.' }],
    });
  });

  it('counts what fails apart from what is worse', async () => {
    open({
      'work/cases.jsonl':
        '{"message": "broken", "expected": "travel-planner", "kind": "rubric", "rubric": ["Names a hotel."]}',
      'work/script.yaml': 'chat:\n  - {contains: broken, error: the line is down}\n',
    });
    const { code, out, err } = await world.run(measure('cases.jsonl', '--runs', '1'));
    expect(code).toBe(1);
    expect(out).toContain('2 failed (1 with the skill, 1 without it, 0 of the judge)');
    expect(err).toBe('warning: 1 prompt could not be measured at all\n');
  });

  it('says when the skill cannot be given at all', async () => {
    open({
      'work/.techne/skills/travel-planner/SKILL.md': skillText(
        'travel-planner',
        'Plans.',
        `${prompts}user-invocable: false\ndisable-model-invocation: true\n`,
      ),
    });
    expect((await world.run(measure('--skill', 'travel-planner', '--runs', '1'))).out).toContain(
      'with the skill: the skill could not be given to the model: it cannot be started',
    );
  });

  it('stops when the budget is spent, with whole pairs only', async () => {
    const { code, out } = await open().run(
      measure('--skill', 'travel-planner', '--max-calls', '5', '--json'),
    );
    expect([code, JSON.parse(out)]).toMatchObject([1, { pairs: 1, stopped: 'calls', ok: false }]);
  });

  it('gives a run no more than is left of the budget, and does not take that for a failure of the skill', async () => {
    open({
      'work/.techne/skills/count/SKILL.md': skillText(
        'count',
        'Counts hotels.',
        'metaskill: SKILL.star\neval_prompts:\n  - {prompt: hotels in Oslo, rubric: Gives a number.}\n',
      ).replace('Do it.', 'Input keys:\n\n- `what`: what to count'),
      'work/.techne/skills/count/SKILL.star':
        'def run(input):\n    for i in range(4):\n        ask("Count " + input["what"])\n    return {"answer": "seven"}\n',
      'work/script.yaml': script.replace('[Seven hotels.]', '[Seven, Seven, Seven, Seven]'),
    });
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        trust: { folders: [world.workspace] },
      }),
    });
    const { out } = await world.run(measure('--skill', 'count', '--runs', '2', '--max-calls', '3', '--json'));
    const report = JSON.parse(out) as { readonly spent: { readonly calls: number } };
    expect(report).toMatchObject({ stopped: 'calls', failed: { with: 0 } });
    expect(report.spent.calls).toBeLessThanOrEqual(3);
  });

  it('keeps the whole of each pair', async () => {
    await open().run(measure('--skill', 'travel-planner', '--runs', '1', '--keep', 'said'));
    const [name = ''] = readdirSync(join(world.workspace, 'said'));
    expect(name).toBe('travel-planner-1-lisbon-run-1.json');
    const kept = JSON.parse(readFileSync(join(world.workspace, 'said', name), 'utf8')) as {
      readonly results: {
        readonly with: { readonly transcript: readonly { readonly content?: string }[] };
        readonly without: { readonly transcript: readonly { readonly content?: string }[] };
      };
    };
    expect(kept.results.with.transcript[0]?.content).toMatch(
      /^Two days in Lisbon\.\n\n<host_note about="skills">[^]*Always name a hotel\./,
    );
    expect(kept.results.without.transcript[0]?.content).toBe('Two days in Lisbon.');
    expect(kept).toMatchObject({ judgements: [{ replies: [expect.any(String)] }], outcome: 'win' });
  });

  it('tells what is wrong with prompts, and when there are none', async () => {
    open({
      'work/.techne/skills/bare/SKILL.md': skillText('bare'),
      'work/.techne/skills/odd/SKILL.md': skillText('odd', 'Odd.', 'eval_prompts:\n  - {name: a}\n  - b\n'),
      'work/plain.jsonl': '{"message": "x", "expected": null}',
    });
    const odd = await world.run(measure('--skill', 'odd'));
    expect([odd.code, odd.out, odd.err.split('\n').map((line) => line.replace(/^.*: error: /, ''))]).toEqual([
      1,
      '',
      [
        'eval_prompts[0] has no prompt',
        'eval_prompts[1] has no rubric, and there is none in evals/evals.json',
        '',
      ],
    ]);
    const bare = await world.run(measure('--skill', 'bare'));
    expect([bare.code, bare.err]).toEqual([
      1,
      '"bare" has nothing to judge: neither eval_prompts, nor a rubric in evals/evals.json\n',
    ]);
    expect((await world.run(measure('plain.jsonl'))).err).toBe('plain.jsonl has no case of kind rubric\n');
    expect((await world.run(measure('--skill', 'none'))).code).toBe(2);
    const nobody = await world.run(['eval', 'output', '--skill', 'travel-planner']);
    expect([nobody.code, nobody.err.split('\n')[0]]).toEqual([
      3,
      'techne: techne eval output asks a model: there is no model to ask',
    ]);
  });

  it('warns when the judge goes by the order, and does not let the skill win by it', async () => {
    open({
      'work/script.yaml': `chat:\n  - {purpose: judge, answer: ${verdict([8, 8], [3, 3], 'A')}}\n  - Go there.\n`,
    });
    for (const seed of ['1', '2', '3']) {
      const { out } = await world.run(measure('--skill', 'travel-planner', '--runs', '4', '--seed', seed));
      expect(out).toContain('the skill wins 50.0 % of 4 pairs');
      expect(out).toContain(
        'warning: position bias: 4 of 4 preferences are for the result that the judge saw first',
      );
    }
    expect(JSON.parse((await world.run(measure('--skill', 'travel-planner', '--json'))).out)).toMatchObject({
      position: { first: 3, bias: 'first' },
    });
  });

  const typed = {
    'work/.techne/skills/heading/SKILL.md': skillText(
      'heading',
      'Has a heading.',
      'metaskill: SKILL.star\ninputs:\n  - {name: heading, type: string, required: true}\n  - {name: task, type: string, required: true}\n',
    ),
    'work/.techne/skills/heading/SKILL.star':
      'def run(input):\n    return {"answer": input["heading"] + ": " + input["task"]}\n',
  };
  const judged = (more: object): string =>
    JSON.stringify({
      message: '/heading write about tides',
      expected: 'heading',
      kind: 'rubric',
      rubric: ['Is right.'],
      ...more,
    });
  const trusting = (): string =>
    JSON.stringify({ roots: { builtin: false }, trust: { folders: [world.workspace] } });

  it('runs a skill with typed inputs on the input of the case, and says before any run when there is none', async () => {
    open({
      ...typed,
      'work/cases.jsonl': `${judged({})}\n${judged({ input: { heading: 'Tides', task: 3 } })}`,
      'work/good.jsonl': judged({ input: { heading: 'Tides', task: 'Moon' } }),
      'work/script.yaml': `chat:\n  - {purpose: judge, answer: ${verdict([5], [5], 'tie')}}\n  - Go there.\n`,
    });
    world.write({ 'home/.techne/config.json': trusting() });
    const { code, out, err } = await world.run(measure('cases.jsonl'));
    expect({ code, out, err: err.split('\n') }).toEqual({
      code: 1,
      out: '',
      err: [
        'cases.jsonl:1: error: "case 1" of heading: this skill needs inputs heading, task; give the case an "input"',
        'cases.jsonl:2: error: "case 2" of heading: the input of skill \'heading\' is wrong: "task" must be a string, not the number 3',
        '',
      ],
    });
    const good = await world.run(measure('good.jsonl', '--runs', '1', '--json'));
    expect([good.code, JSON.parse(good.out)]).toMatchObject([
      0,
      { judged: [{ results: { with: { text: 'Tides: Moon' } } }] },
    ]);
  });

  it('takes the name off a prompt that calls the skill', async () => {
    open({
      'work/.techne/skills/echo/SKILL.md': skillText(
        'echo',
        'Echoes.',
        'metaskill: SKILL.star\ninputs:\n  - {name: text, type: string, required: true}\neval_prompts:\n  - {prompt: /echo hotels in Oslo, rubric: Is right.}\n',
      ),
      'work/.techne/skills/echo/SKILL.star': 'def run(input):\n    return {"answer": input["text"]}\n',
    });
    world.write({ 'home/.techne/config.json': trusting() });
    expect(
      JSON.parse((await world.run(measure('--skill', 'echo', '--runs', '1', '--json'))).out),
    ).toMatchObject({ judged: [{ results: { with: { text: 'hotels in Oslo' } } }] });
  });

  it('says what a run waits for, and does not leave it behind', async () => {
    open({
      'work/.techne/skills/shell/SKILL.md': skillText(
        'shell',
        'Runs a command.',
        'metaskill: SKILL.star\neval_prompts:\n  - {prompt: x, rubric: Is right.}\n',
      ).replace('Do it.', 'Input keys:\n\n- `what`: what'),
      'work/.techne/skills/shell/SKILL.star':
        'def run(input):\n    return {"answer": command(["git", "fetch", "--all"])["stdout"]}\n',
    });
    world.write({ 'home/.techne/config.json': trusting() });
    const { code, out } = await world.run(measure('--skill', 'shell', '--runs', '1'));
    expect(code).toBe(1);
    expect(out).toContain(
      'with the skill: the run waits for the approval of the command git fetch --all; allow it under commands.allow in the configuration\n',
    );
    expect(JSON.parse((await world.run(['runs', 'list', '--json'])).out)).toMatchObject({
      runs: [{ status: 'cancelled' }],
    });
  });

  it('tells where an unknown skill is expected', async () => {
    open({
      'work/cases.yaml':
        'rubric: [x]\ncases:\n  - {message: a, expected: null}\n  - {message: b, expected: travel-planer, kind: rubric}\n',
    });
    expect(await world.run(measure('cases.yaml'))).toMatchObject({
      code: 1,
      out: '',
      err: 'cases.yaml:4: error: there is no skill "travel-planer"; did you mean "travel-planner"?\n',
    });
  });

  it('says what the budget left out, and stops at a connection that is refused', async () => {
    const two =
      'eval_prompts:\n  - {name: a, prompt: A., rubric: [x, y]}\n  - {name: b, prompt: B., rubric: [x, y]}\n';
    open({
      'work/.techne/skills/travel-planner/SKILL.md': skillText('travel-planner', 'Plans.', two).replace(
        'Do it.',
        'Always name a hotel.',
      ),
    });
    expect((await world.run(measure('--skill', 'travel-planner', '--max-calls', '3'))).err).toBe(
      'stopped: the calls of --max-calls are spent; these are the measurements so far; 1 prompt of 2 was not measured\n',
    );
    const server = await createModelServer({ turns: [] });
    await server.close();
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        models: { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'test' } },
      }),
    });
    const { code, err } = await world.run(['eval', 'output', '--skill', 'travel-planner']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^stopped: the model cannot be reached: .*ECONNREFUSED.*; none was measured\n$/),
    ]);
  });
});
