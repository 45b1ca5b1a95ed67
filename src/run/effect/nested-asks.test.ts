import { describe, expect, it } from 'vitest';
import { chat, composition, skillWith } from '../../../test/support/plan-texts.ts';
import { planHost } from '../../../test/support/plan-host.ts';

const inner = composition(`${chat('a')}${chat('b')}`, 'final_text_mode: raw\n');
const outer = skillWith('chain: [{skill: inner}, {skill: inner, id: again}]');

describe('the asks of runs that steps begin', () => {
  it('are counted with those of the outer run', async () => {
    const host = planHost({ inner, outer });
    const result = await host.runner.start({ skill: 'outer', input: {} });
    expect([result.status, result.usage.asks, host.answerer.asked.length]).toEqual(['completed', 4, 4]);
    // From the journal, too.
    expect((await host.runner.inspect(result.run as string)).usage.asks).toBe(4);
  });

  it('are no more than the outer run may make', async () => {
    const host = planHost({ inner, outer });
    const result = await host.runner.start({ skill: 'outer', input: {}, limits: { asks: 3 } });
    expect([result.error?.code, host.answerer.asked.length]).toEqual(['ASK_BUDGET', 3]);
  });
});
