// kill -9 at every file call of accept and rollback: the skill is the old or the new one, whole, the next command finishes what was
// begun, and the audit names the change once. A sample here; `TECHNE_SOAK=1 npm test -- test/proposals/kill.test.ts` takes every call
// in every way.
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heal, installChange } from '../../src/techne/proposals/install-change.ts';
import type { ProposalKind } from '../../src/proposals/proposal.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram } from '../support/child-program.ts';
import type { SceneAct } from '../support/proposal-scene.ts';
import { acts, leftoversOf, openQueue, orders, proposalScene, skillsOf } from '../support/proposal-scene.ts';

const isSoak = process.env['TECHNE_SOAK'] === '1';
const ways = ['before', 'torn', 'after'] as const;
const kinds = ['create', 'edit', 'rename', 'delete'] as const;

let child: ChildProgram;
beforeAll(async () => {
  child = await childProgram('proposal-change');
});
afterAll(() => child.close());

/** What is wrong after a kill at this call; `null`: the call was not reached. */
async function killAt(
  act: SceneAct,
  kind: ProposalKind,
  at: number,
  how: (typeof ways)[number],
): Promise<readonly string[] | null> {
  const { home, before, after, remove } = await proposalScene(act, kind);
  const problems: string[] = [];
  try {
    const started = child.start(act, home, String(at), how);
    const [, signal] = (await once(started, 'exit')) as [number | null, string | null];
    if (signal !== 'SIGKILL') return null;
    // At once: every skill is whole, or away for the moment between two renames.
    const now = skillsOf(home);
    for (const name of ['tides', 'ebbs', 'other']) {
      const only = (files: { readonly [path: string]: string }): object =>
        Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(`${name}/`)));
      const whole = name === 'other' ? [only(before)] : [only(before), only(after), {}];
      if (!whole.some((one) => isDeepStrictEqual(one, only(now)))) problems.push(`"${name}" is mixed`);
    }
    const queue = openQueue(home);
    await heal(queue);
    const [proposal] = (await queue.list()).proposals;
    const wanted = act === 'accept' ? ['pending', 'accepted'] : ['accepted', 'rolled-back'];
    const isNew = isDeepStrictEqual(skillsOf(home), after) && proposal?.state === wanted[1];
    const isOld = isDeepStrictEqual(skillsOf(home), before) && proposal?.state === wanted[0];
    if (!isNew && !isOld) problems.push(`it is neither old nor new after healing (${proposal?.state})`);
    // The command again, as a person would.
    if (isOld && proposal !== undefined) await installChange(queue, proposal.id, orders[act]);
    if (!isDeepStrictEqual(skillsOf(home), after)) problems.push('the command cannot be repeated');
    const { entries, torn } = await queue.audit();
    const named = entries.filter((entry) => entry.act === orders[act].act).length;
    if (named !== 1) problems.push(`the audit names the change ${named} times`);
    if (torn.length > 1) problems.push(`${torn.length} lines of the audit are torn`);
    const left = leftoversOf(home);
    if (left.length > 0) problems.push(`left behind: ${left.join(', ')}`);
    return problems;
  } finally {
    remove();
  }
}

describe.each(acts.flatMap((act) => kinds.map((kind) => [act, kind] as const)))(
  '%s of a %s, killed',
  (act, kind) => {
    it('leaves the old or the new skill, whole, and the next command finishes it', async () => {
      const counting = await proposalScene(act, kind);
      const calls = Number(await child.run(act, counting.home, '0', 'before'));
      expect(skillsOf(counting.home)).toEqual(counting.after);
      counting.remove();
      expect(calls).toBeGreaterThan(30);
      const problems: string[] = [];
      let kills = 0;
      // The step is prime, so that all kinds of calls are met.
      for (let at = 1; at <= calls; at += isSoak ? 1 : 13)
        for (const how of isSoak ? ways : [ways[at % 3] as (typeof ways)[number]]) {
          const found = await killAt(act, kind, at, how);
          if (found === null) continue;
          kills += 1;
          problems.push(...found.map((problem) => `call ${at} of ${calls}, ${how}: ${problem}`));
        }
      expect(problems).toEqual([]);
      expect(kills).toBeGreaterThanOrEqual(isSoak ? calls * 2 : 2);
      if (isSoak) process.stderr.write(`${act} ${kind}: ${kills} kills at ${calls} calls\n`);
    }, 1_800_000);
  },
);
