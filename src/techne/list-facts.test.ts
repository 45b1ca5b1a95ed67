import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../test/support/run-cli.ts';

let world: World;
afterEach(() => world.remove());

function open(trusted: boolean): void {
  world = createWorld(
    Object.fromEntries(
      ['my skill', '_util', 'plain'].map((name) => [`work/.techne/skills/${name}/SKILL.md`, skillText(name)]),
    ),
  );
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: trusted ? [world.workspace] : [] },
    }),
  });
}

const reason =
  'it is untrusted, and its name is not a plain word: at most 64 letters, digits and "_", with "-" and "." after the first; run "techne trust" to allow it';
const visibility = (skills: string): unknown =>
  (
    JSON.parse(skills) as readonly {
      readonly name: string;
      readonly visible: object;
      readonly listed: boolean;
    }[]
  ).map(({ name, visible, listed }) => [name, { ...visible, listed }]);

describe('a name that keeps a skill out of conversations', () => {
  it('is told of by list', async () => {
    open(false);
    const { out } = await world.run(['list', '--all']);
    expect(out).toContain(`Limited:\n  my skill: NOT_TRUSTED ${reason}\n`);
    expect(out).toContain('\n3 skills, 1 not offered\n');
    expect((await world.run(['list'])).out).toMatch(
      /\nmy skill +workspace +instructions +hidden +[^]*\n3 skills, 1 not offered \(--all shows why\)\n/,
    );
    const [all, none] = [
      { user: true, model: true, listed: true },
      { user: false, model: false, listed: false },
    ];
    expect(visibility((await world.run(['list', '--json'])).out)).toEqual([
      ['_util', all],
      ['my skill', none],
      ['plain', all],
    ]);
  });

  it('is told of by show, and no other name is', async () => {
    open(false);
    const { out } = await world.run(['show', 'my skill']);
    expect(out).toContain(
      `for people     no: NOT_TRUSTED ${reason}\nfor the model  no: NOT_TRUSTED ${reason}\nlisted         no: NOT_VISIBLE the model does not see it\n`,
    );
    expect(JSON.parse((await world.run(['show', 'my skill', '--json'])).out)).toMatchObject({
      visible: { user: false, model: false },
      listed: false,
      facts: {
        visibleToModel: { ok: false, reasons: [{ code: 'NOT_TRUSTED', message: reason, hint: null }] },
      },
    });
    expect((await world.run(['show', '_util'])).out).toContain(
      'for people     yes\nfor the model  yes\nlisted         yes\n',
    );
  });

  it('keeps no trusted skill out', async () => {
    open(true);
    expect((await world.run(['list'])).out).toContain('\n3 skills\n');
    expect((await world.run(['show', 'my skill'])).out).toContain('for the model  yes\n');
  });
});
