import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';
import type { MatchResult } from '../match.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
  for (let at = 38; at < 46; at += 1)
    world.write({
      [`work/.techne/skills/fam-${at}/SKILL.md`]: skillText(
        `fam-${at}`,
        'Keeps the family ledger. Use when the ledger is needed.',
        at === 42 ? 'requires:\n  bins: [no-such-program]\n' : '',
      ),
    });
});
afterEach(() => world.remove());

const matched = async (message: string): Promise<MatchResult> =>
  JSON.parse((await world.run(['match', message, '--json'])).out) as MatchResult;
const why = 'the program "no-such-program" is not on PATH';

describe('a call by name of a skill that is not ready', () => {
  it.each(['use the fam-42 skill', '/fam-42 now', '$fam-42', 'run fam-42', 'use fam 42 for the ledger'])(
    'says so, and suggests no neighbour: %s',
    async (message) => {
      expect(await matched(message)).toMatchObject({
        matches: [],
        abstained: `"fam-42" cannot be used: ${why}`,
        unready: { skill: 'fam-42', reason: why },
      });
      expect((await world.run(['match', message])).err).toContain(
        `nothing is suggested: "fam-42" cannot be used: ${why}`,
      );
    },
  );

  it('keeps what else is called by name', async () => {
    const { matches, unready } = await matched('use the fam-41 skill and the fam-42 skill');
    expect([matches.map(({ skill }) => skill), unready?.skill]).toEqual([['fam-41'], 'fam-42']);
  });

  it('is not one where the name is refused or only talked about', async () => {
    expect((await matched("don't use the fam-42 skill")).unready).toBeUndefined();
    expect((await matched('use the fam-41 skill')).unready).toBeUndefined();
  });
});
