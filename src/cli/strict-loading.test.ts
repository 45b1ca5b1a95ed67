// What the commands say about a skill that strict loading refused.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../test/support/run-cli.ts';
import type { World } from '../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
  world.write({
    'work/techne.json': '{"loading": "strict", "roots": {"builtin": false}}',
    'work/.techne/skills/good/SKILL.md': skillText('good', 'Reads tides. Use when asked.'),
    'work/.techne/skills/x/SKILL.md': skillText('y', 'Reads tides. Use when asked.'),
  });
});
afterEach(() => world.remove());

const why =
  'SKILL_REFUSED not loaded, since loading is strict: the name "y" differs from the folder name "x" (STRICT_NAME)';

describe('with loading: strict', () => {
  it('list counts what was refused, and says why with --all', async () => {
    expect((await world.run(['list'])).out.trimEnd().split('\n').at(-1)).toBe(
      '1 skill, 1 refused (--all shows why)',
    );
    expect((await world.run(['list', '--all'])).out).toContain(
      `Skipped:\n  .techne/skills/x/SKILL.md: ${why}\n`,
    );
    expect((await world.run(['list', '--all', '--source', 'user'])).out).not.toContain('SKILL_REFUSED');
    const rows = JSON.parse((await world.run(['list', '--all', '--json'])).out) as { code?: string }[];
    expect(rows.map(({ code }) => code)).toEqual([undefined, 'SKILL_REFUSED']);
  });

  it('doctor names it with the reason', async () => {
    const { out } = await world.run(['doctor']);
    expect(out).toContain(`\n  x\n      ${why} (rename one of them)\n`);
    expect(out).toContain('1 skill, 1 ready, 0 shadowed, 1 refused');
    const { refused } = JSON.parse((await world.run(['doctor', '--json'])).out) as {
      refused: { name: string; reasons: { code: string }[] }[];
    };
    expect(refused.map(({ name, reasons }) => [name, reasons.map(({ code }) => code)])).toEqual([
      ['x', ['SKILL_REFUSED']],
    ]);
  });

  it('check checks it all the same', async () => {
    for (const argv of [['check'], ['check', '.techne/skills/x']]) {
      const { out } = await world.run(argv);
      expect(out).toContain(`SKILL_REFUSED`);
      expect(out).toContain(`NAME_NOT_FOLDER`);
    }
  });

  it('show and run say why there is none', async () => {
    expect((await world.run(['show', 'x'])).err).toContain(`"x" is not a usable skill: ${why}`);
    expect((await world.run(['run', 'x'])).err).toContain(`  hint: .techne/skills/x/SKILL.md: ${why}\n`);
  });
});
