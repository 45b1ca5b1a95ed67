import { describe, expect, it } from 'vitest';
import { planHost } from '../../../test/support/plan-host.ts';
import { chat, composition, skillWith } from '../../../test/support/plan-texts.ts';

const inner = composition(chat('a'), 'final_text_mode: raw\n');
const agent = '- {id: go, kind: agent, skill: helper}\n';

/** What an agent of `outer` is told when it runs `then`, and whether compositions are offered to it. */
async function told(outer: string, then: string): Promise<readonly unknown[]> {
  const host = planHost({ outer, inner, helper: skillWith(''), flow: skillWith(askFlow) });
  const seen: unknown[] = [];
  host.answerer.onAsk = async ({ purpose, kind }, context) => {
    if (kind !== 'ask') return `${purpose} said`;
    seen.push(context.runsCompositions);
    seen.push((await context.runSkill(then, { user_message: 'x' })).split('\n')[0]);
    return 'done';
  };
  await host.runner.start({ skill: 'outer', input: { user_message: 'x' } });
  return seen;
}
const askFlow = 'steps:\n  - {id: a, tool: ask, params: {prompt: go}}\n';
const refusal = "error: skill 'inner' is a composition, and a composition cannot run one";

describe('a composition', () => {
  it('cannot run a composition through one of its agents', async () => {
    expect(await told(composition(agent), 'inner')).toEqual([false, refusal]);
  });

  it('can be run by an agent of anything else', async () => {
    const [offered, text] = await told(skillWith(askFlow), 'inner');
    expect([offered, String(text).startsWith('error')]).toEqual([true, false]);
  });
});
