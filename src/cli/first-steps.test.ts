// What somebody new to techne runs into, and the words that help.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../test/support/run-cli.ts';
import type { World } from '../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const text = (name: string, fields = ''): string => skillText(name, 'Reads tides. Use when asked.', fields);
const codes = (out: string): string[] => out.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [];

describe('a skill in skill.md', () => {
  beforeEach(() =>
    world.write({
      'work/.techne/skills/lower/skill.md': text('lower'),
      'work/.techne/skills/lower/SKILL.star': 'def run(input):\n    return "x"\n',
    }),
  );

  it('is said to be read and not executed, once and at its own file', async () => {
    const { out } = await world.run(['check', 'lower']);
    expect(out).toContain(
      '.techne/skills/lower/skill.md: warning FILE_NAME_CASE: the file is called "skill.md"; it is read, but never executed, and other hosts look for SKILL.md\n  hint: rename it to SKILL.md\n',
    );
    expect(codes(out)).toEqual(['FILE_NAME_CASE', 'LINT_TEST_PROMPTS']);
  });

  it('cannot be run until it is renamed', async () => {
    const { err, code } = await world.run(['run', 'lower']);
    expect(code).not.toBe(0);
    expect(err).toContain('its file is not called SKILL.md, so it is not executed');
    expect(err).toMatch(/hint: rename ".*\/lower\/skill\.md" to SKILL\.md/);
  });
});

describe('check', () => {
  it('names the skill that was meant', async () => {
    world.write({ 'work/.techne/skills/one-line/SKILL.md': text('one-line') });
    expect((await world.run(['check', 'one-lin'])).err).toBe(
      'techne: "one-lin" does not exist\n  hint: did you mean the skill "one-line"?\n',
    );
    expect((await world.run(['check', 'zzz'])).err).toContain('nor a skill of this name exists');
  });

  it('tells what bars a form once, as an error where it is strict', async () => {
    world.write({
      'work/.techne/skills/a/SKILL.md': text('a', 'metaskill: gone.star\n'),
      'work/.techne/skills/b/SKILL.md': text('b', 'kind: meta\ncomposition:\n  steps: []\n'),
    });
    for (const name of ['a', 'b']) {
      const { out } = await world.run(['check', '--strict', '-q', name]);
      const about = codes(out).filter((code) =>
        /^(?:STRICT_FORM|PROGRAM_MISSING|FORM_INCOMPLETE)$/.test(code),
      );
      expect([name, about]).toEqual([name, ['STRICT_FORM']]);
      expect(out).toMatch(/SKILL\.md:\d+:\d+: error STRICT_FORM/);
    }
  });

  it('puts values that need quotes into quotes with --fix', async () => {
    const file = 'work/.techne/skills/colon/SKILL.md';
    const written = text('colon')
      .replace('Reads tides.', 'Reads tides:')
      .replace('Use when', 'Use "it" when:');
    world.write({ [file]: written });
    expect((await world.run(['check', '--fix', 'colon'])).out).toContain('1 file corrected');
    expect(readFileSync(join(world.folder, file), 'utf8')).toBe(
      written.replace(/description: (.*)/, "description: '$1'"),
    );
    expect((await world.run(['check', 'colon'])).out).toBe(
      '1 skill checked: 0 errors, 0 warnings, 0 notes\n',
    );
  });
});

describe('a file that cannot be read as a skill', () => {
  it('is refused by run for the reason that list gives', async () => {
    const fields = `kind: meta\ncomposition:\n  steps:\n    - {id: a, kind: llm_chat, prompt: ${'x'.repeat(262_144)}}\n`;
    world.write({ 'work/.techne/skills/big/SKILL.md': text('big', fields) });
    const why = /the frontmatter has \d+ characters; the limit is 262144/;
    expect((await world.run(['list', '--all'])).out).toMatch(why);
    expect((await world.run(['run', 'big'])).err).toMatch(why);
  });

  it('leaves the columns of list alone', async () => {
    world.write({ 'work/.techne/skills/binary/SKILL.md': '\u0001\u0002\u001b[31m\u0003\u0004'.repeat(400) });
    const { out } = await world.run(['list']);
    expect(
      out
        .split('\n')
        .find((line) => line.startsWith('binary'))
        ?.trimEnd(),
    ).toMatch(/ not ready$/);
  });
});

describe('runs list', () => {
  it('says that a workspace is no folder', async () => {
    const { code, err } = await world.run(['runs', 'list', '--workspace', '/nope']);
    expect([code === 0, err.split('\n')[0]]).toEqual([
      false,
      'techne: the workspace "/nope" is not a folder',
    ]);
  });
});
