import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';

const program = `
def run(input):
    answer = ask("Write about " + input["topic"], {"purpose": "draft"})["answer"]
    trace("draft", {"lines": len(answer.splitlines())})
    return {"status": "accepted", "answer": answer, "lines": len(answer.splitlines())}
`;

let world: World;
beforeEach(() => {
  world = createWorld({
    ...skill('writer', program),
    'work/.techne/skills/plain/SKILL.md':
      '---\nname: plain\ndescription: Explains. Use when reading.\n---\n\nRead it.\n',
    'work/.techne/skills/writer/tests/good.yaml':
      'name: writes what is asked for\ninput: {topic: tides}\nanswers: ["high\\nlow"]\nexpect: {status: accepted, result: {lines: 2}, trace: [draft]}\n',
  });
});
afterEach(() => world.remove());

function skill(name: string, text: string): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: text,
  };
}

const failing = `tests:
  - name: expects something else
    input: {topic: tides}
    answers:
      - |-
        one
        two
        three
    expect:
      status: exhausted
      answer: |-
        one
        2
        three
      trace: [{kind: draft, data: {lines: 4}}]
  - name: has an answer too many
    input: {topic: tides}
    answers: [one, two]
  - name: has an answer too few
    input: {topic: tides}
`;

describe('techne test', () => {
  it('says once that the program has errors, and what an empty file or a mistyped code is meant to be', async () => {
    world.write({
      ...skill('broken', 'def run(input):\n    return ghost\n'),
      'work/.techne/skills/broken/tests/two.yaml':
        'tests:\n  - {name: a, expect: {answer: x}}\n  - {name: b, expect: {answer: y}}\n',
      'work/.techne/skills/broken/tests/empty.yaml': '# later\n',
      'work/.techne/skills/broken/tests/slip.yaml': 'expect: {error: ASK_BUDGT}\n',
      'work/.techne/skills/broken/tests/quote.yaml': 'name: "x\nexpect: {}\n',
    });
    const { code, out } = await world.run(['test', 'broken']);
    expect([
      code,
      out.split('undefined: ghost').length - 1,
      out.includes('the same: the program has errors'),
    ]).toEqual([1, 1, true]);
    expect(out).toContain('write "tests:" and below it "- name: …" with input, answers and expect');
    expect(out).toContain('did you mean "ASK_BUDGET"?');
    expect(out).toContain('close it with the same quote');
  });

  it('runs the tests of every skill of the workspace, trusted or not, and says which have none', async () => {
    world.write({
      ...skill('bare', program),
      'home/.techne/skills/mine/SKILL.md':
        '---\nname: mine\ndescription: Mine. Use it.\nmetaskill: SKILL.star\n---\nx\n',
    });
    expect(await world.run(['test'])).toEqual({
      code: 0,
      out: 'writer  .techne/skills/writer\n  ok  writes what is asked for\n1 passed, 0 failed in 1 skill\n1 skill without tests: bare\n',
      err: '',
    });
    expect(await world.run(['test', '-q'])).toMatchObject({
      code: 0,
      out: '1 passed, 0 failed in 1 skill\n',
    });
    expect((await world.run(['test', '--all'])).out).toContain('2 skills without tests: bare, mine');
  });

  it('says of a skill that was named that it has no tests, whatever it is', async () => {
    expect(await world.run(['test', 'plain'])).toMatchObject({
      code: 0,
      out: '0 passed, 0 failed in 0 skills\n1 skill without tests: plain\n',
    });
  });

  it('tests one skill, by its name or folder, or a folder of skills', async () => {
    world.write({
      ...skill('other', program),
      'work/.techne/skills/other/tests/bad.yaml': 'input: {topic: x}\n',
    });
    for (const what of ['writer', '.techne/skills/writer', './.techne/skills/writer'])
      expect(await world.run(['test', what])).toMatchObject({
        code: 0,
        out: expect.stringContaining('1 passed, 0 failed in 1 skill') as string,
      });
    expect(await world.run(['test', '.techne/skills'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('1 passed, 1 failed in 2 skills') as string,
    });
    expect(await world.run(['test', 'writer', 'other', '--filter', 'WHAT IS'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 passed, 0 failed') as string,
    });
    expect(await world.run(['test', 'writr'])).toMatchObject({
      code: 2,
      err: 'techne: there is no skill "writr"\n  hint: did you mean "writer"?\n',
    });
    expect(await world.run(['test', './nope'])).toMatchObject({ code: 2 });
    expect(await world.run(['test', '--filter', 'zebra'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('No test has "zebra" in its name or file name.') as string,
    });
  });

  it('shows what differs, line by line', async () => {
    world.write({ 'work/.techne/skills/writer/tests/bad.yaml': failing });
    const { code, out } = await world.run(['test', 'writer']);
    expect(code).toBe(1);
    await expect(out).toMatchFileSnapshot('../../../test/golden/test/failing.txt');
    expect((await world.run(['test', 'writer', '--color'])).out).toContain('\u001B[31mFAILED\u001B[0m');
  });

  it('says what is wrong with a test file, with its place', async () => {
    world.write({
      'work/.techne/skills/writer/tests/wrong.yml':
        'inputs: {topic: x}\nanswers: [{answr: y}]\nexpect:\n  status: accepted\n  traces: []\n',
      'work/.techne/skills/writer/tests/broken.yaml': 'input: {\n',
    });
    symlinkSync(
      join(world.folder, 'home/.techne/config.json'),
      join(world.workspace, '.techne/skills/writer/tests/link.yaml'),
    );
    const { code, out } = await world.run(['test', 'writer']);
    expect(code).toBe(1);
    await expect(out).toMatchFileSnapshot('../../../test/golden/test/faulty.txt');
  });

  it('prints JSON', async () => {
    world.write({
      'work/.techne/skills/writer/tests/bad.yaml': failing,
      'work/.techne/skills/writer/tests/wrong.yaml': 'nmae: x\n',
    });
    const { code, out } = await world.run(['test', '--json']);
    const value = JSON.parse(out) as { skills: { tests: { faults: object[] }[] }[] };
    expect(code).toBe(1);
    expect(value).toMatchObject({
      ok: false,
      passed: 1,
      failed: 3,
      without: [],
      skills: [
        {
          skill: 'writer',
          tests: [
            { name: 'expects something else', line: 2, ok: false },
            { name: 'has an answer too many', ok: false },
            { ok: false },
            { name: 'writes what is asked for', ok: true, faults: [] },
          ],
        },
      ],
      diagnostics: [{ code: 'SCRIPT_UNKNOWN_KEY', line: 1, column: 1, hint: 'did you mean "name"?' }],
    });
    expect(value.skills[0]?.tests[0]?.faults[0]).toEqual({
      what: 'status',
      message: 'status is not what was expected',
      expected: 'exhausted',
      got: 'accepted',
      line: 10,
    });
  });

  it('does nothing to the world', async () => {
    world.write({
      ...skill('eager', 'def run(input):\n    command(["touch", "made"])\n    return "done"\n'),
      'work/.techne/skills/eager/tests/a.yaml':
        'input: {a: 1}\ncommands: [{argv: [touch, made]}]\nexpect: {answer: done}\n',
    });
    expect((await world.run(['test', 'eager'])).code).toBe(0);
    const { readdirSync } = await import('node:fs');
    expect([readdirSync(world.workspace).includes('made'), readdirSync(join(world.home, '.techne'))]).toEqual(
      [false, ['config.json']],
    );
  });
});
