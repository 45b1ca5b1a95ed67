import { describe, expect, it } from 'vitest';
import { FakeAnswerer, fakeRunHost } from '../../test/support/fake-run-host.ts';

const heading = { key: 'heading', required: true, description: null, schema: { type: 'string' } };
const programs = {
  ok: 'def run(input):\n  return {"i": input}\n',
  broken: 'def run(input)\n  return ghost\n',
  many: 'def run(input):\n  x = ghost1\n  y = ghost2\n',
  empty: 'x = 1\n',
  static: { program: '', form: 'instructions' as const },
  denied: {
    program: 'def run(input):\n  return 1\n',
    runnable: {
      ok: false,
      reasons: [{ code: 'NOT_TRUSTED', message: '"denied" is not trusted', hint: 'techne trust denied' }],
    },
  },
  plan: { program: '', form: 'composition' as const },
  listed: {
    program: 'def run(input):\n  return input["heading"]\n',
    inputs: [{ ...heading, schema: null }],
    instructions: 'Input keys:\n- `heading`: it',
  },
  typed: {
    program: 'def run(input):\n  return {"i": input}\n',
    inputs: [
      heading,
      { key: 'n', required: false, description: null, schema: { type: 'integer', default: 3 } },
    ],
    typed: true,
  },
};

describe('start', () => {
  const host = fakeRunHost({ programs });
  const start = (skill: string, input: Parameters<typeof host.runner.start>[0]['input'] = { a: 1 }) =>
    host.runner.start({ skill, input });

  it.each([
    ['okk', 'SKILL_UNKNOWN', "error: unknown metaskill: 'okk'\ndid you mean 'ok'?"],
    ['static', 'NOT_A_METASKILL', "error: skill 'static' is not a metaskill: it is instructions to read"],
    [
      'denied',
      'NOT_TRUSTED',
      'error: metaskill \'denied\' is not allowed: "denied" is not trusted\ntechne trust denied',
    ],
    ['plan', 'EFFECT_UNSUPPORTED', 'error: this host runs no skills of the form "composition"'],
  ])('refuses %s', async (skill, code, text) => {
    const result = await start(skill);
    expect([result.status, result.run, result.error?.code, result.text]).toEqual([
      'refused',
      null,
      code,
      text,
    ]);
  });

  it('tells every static error of a program, with its place', async () => {
    const [broken, many, empty] = [await start('broken', null), await start('many'), await start('empty')];
    expect(broken.text).toMatch(/^error: metaskill 'broken': syntax error: SKILL\.star:1:15: /);
    expect(many.text.match(/SKILL\.star:\d+:\d+/g)).toEqual(['SKILL.star:2:7', 'SKILL.star:3:7']);
    expect(empty.text).toContain('a metaskill must define a run(input) function');
    expect([broken.status, broken.run, broken.error?.code]).toEqual(['failed', null, 'PROGRAM_INVALID']);
  });

  it('answers an empty input with the instructions, unless no keys are documented', async () => {
    for (const input of [{}, null]) {
      const result = await start('listed', input);
      expect([result.status, result.error?.code]).toEqual(['refused', 'INPUT_REQUIRED']);
      expect(result.text).toContain('Input keys:\n- `heading`: it');
    }
    expect((await start('ok', {})).status).toBe('completed');
    expect((await start('ok', null)).envelope?.['i']).toEqual({});
  });

  it('refuses an input that is not an object', async () => {
    for (const input of [[1], 'text', 5])
      expect((await start('ok', input)).error?.code).toBe('INPUT_INVALID');
  });

  it('checks typed inputs and fills in defaults; a list in prose is not enforced', async () => {
    expect((await start('typed', { headin: 'x' })).text).toContain('"heading" is missing (is it "headin"?)');
    expect((await start('typed', { heading: 5 })).text).toContain(
      '"heading" must be a string, not the number 5',
    );
    expect((await start('typed', { heading: 'x', n: 'y' })).error?.code).toBe('INPUT_INVALID');
    expect((await start('typed', { heading: 'x' })).envelope?.['i']).toEqual({ heading: 'x', n: 3 });
    expect((await start('typed', { heading: 'x', m: 1 })).error).toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/is wrong: "m" is not one of its keys$/) as string,
      hint: 'keys: heading (required string), n (integer)',
    });
    expect((await start('listed', { other: 1 })).error?.code).toBe('EVAL_KEY');
  });

  it('runs the bytes that were judged, also after the skill was edited', async () => {
    const edited = fakeRunHost({ programs: { ok: programs.ok } });
    const result = await edited.runner.start({ skill: 'ok', input: { a: 1 } });
    const view = await edited.runner.inspect(result.run as string);
    expect(Object.keys(view.files)).toEqual(['SKILL.md', 'SKILL.star']);
    expect((await edited.runner.replay(result.run as string)).same).toBe(true);
  });

  it('refuses an answerer that cannot be held to the tools of the skill', async () => {
    const fenced = fakeRunHost({
      programs: {
        f: {
          program: 'def run(input):\n  return ask("a", {"tools": ["Read", "Bash"]})["answer"]\n',
          allowedTools: ['Read'],
        },
        g: 'def run(input):\n  ask("a", {"tools": ["Read"]})\n',
      },
    });
    await fenced.runner.start({ skill: 'f', input: { a: 1 } });
    expect(fenced.answerer.asked.map(({ tools }) => tools)).toEqual([['Read']]);
    const loose = fakeRunHost({
      after: fenced,
      programs: {
        f: { program: 'def run(input):\n  return ask("a")["answer"]\n', allowedTools: [] },
        still: { program: 'def run(input):\n  return "x"\n', allowedTools: [] },
        g: 'def run(input):\n  ask("a", {"tools": ["Read"]})\n',
      },
      answerers: [Object.assign(new FakeAnswerer('caller'), { fenced: false })],
    });
    expect((await loose.runner.start({ skill: 'f', input: { a: 1 } })).error?.code).toBe('UNFENCED');
    expect((await loose.runner.start({ skill: 'g', input: { a: 1 } })).error?.code).toBe('UNFENCED');
    // It starts no agent, so there is none to hold.
    expect((await loose.runner.start({ skill: 'still', input: { a: 1 } })).status).toBe('completed');
  });

  it('refuses an answerer that is not there', async () => {
    expect((await host.runner.start({ skill: 'ok', input: { a: 1 }, answerer: 'oracle' })).error?.code).toBe(
      'ANSWERER_UNKNOWN',
    );
  });
});
