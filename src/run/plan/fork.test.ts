import { describe, expect, it } from 'vitest';
import { chat, composition } from '../../../test/support/plan-texts.ts';
import type { PlanHost } from '../../../test/support/plan-host.ts';
import { planHost, resultOf } from '../../../test/support/plan-host.ts';
import { turns } from '../../../test/support/fake-run-host.ts';

const raw = 'final_text_mode: raw\n';
const steps = `${chat('a')}- {id: b, kind: llm_chat, depends_on: [a], with: {task: "{{ outputs.a | truncate(50) }} {{ inputs.meta_run_id }} {{ 'now' | date }}"}}\n${chat('x')}- {id: c, kind: llm_chat, for_each: "[1, 2]", depends_on: [b], with: {task: "{{ item }} {{ outputs.b | truncate(99) }}"}}\n`;

function open(): { readonly host: PlanHost; readonly asked: string[] } {
  const host = planHost({ sample: composition(steps, raw) });
  const asked: string[] = [];
  host.answerer.onAsk = ({ prompt }, { key }) => {
    asked.push(key);
    return `${key}<${prompt.split('\n').at(-1) ?? ''}>`;
  };
  return { host, asked };
}

describe('a fork of a plan', () => {
  it('does the named step and what depends on it anew, and keeps the rest', async () => {
    const { host, asked } = open();
    const before = await host.start('sample');
    host.clock.pass(86_400_000);
    asked.length = 0;
    const forked = await host.runner.fork(before.run as string, { from: 'b' });
    expect([forked.status, asked, resultOf(forked)['answer']]).toEqual([
      'completed',
      ['b', 'c[0]', 'c[1]'],
      resultOf(before)['answer'],
    ]);
    asked.length = 0;
    await host.runner.fork(before.run as string, { from: 'c' });
    expect(asked).toEqual(['c[0]', 'c[1]']);
    expect((await host.runner.replay(forked.run as string)).divergences).toEqual([]);
    await expect(host.runner.fork(before.run as string, { from: 'nowhere' })).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it('takes what an effect is said to have given', async () => {
    const { host, asked } = open();
    const before = await host.start('sample');
    asked.length = 0;
    const forked = await host.runner.fork(before.run as string, {
      edits: { outcomes: { a: { answer: 'edited', exhausted: false, turns: 1, truncated: false } } },
    });
    expect([asked, resultOf(forked)['answer']]).toEqual([
      ['b', 'c[0]', 'c[1]'],
      expect.stringContaining('b<edited ') as string,
    ]);
  });

  it('runs an edited plan, from where it differs', async () => {
    const { host, asked } = open();
    const before = await host.start('sample');
    asked.length = 0;
    const edited = new TextEncoder().encode(composition(steps.replace('{{ item }}', 'item {{ item }}'), raw));
    const forked = await host.runner.fork(before.run as string, { edits: { files: { 'SKILL.md': edited } } });
    expect([forked.status, asked]).toEqual(['completed', ['c[0]', 'c[1]']]);
    await expect(
      host.runner.fork(before.run as string, {
        edits: { files: { 'SKILL.md': new TextEncoder().encode(composition('- {id: a, kind: nothing}\n')) } },
      }),
    ).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('a plan under way', () => {
  it('can be inspected, cancelled and replayed', async () => {
    const { host } = open();
    host.answerer.onAsk = (_request, { key, signal }) =>
      key === 'b'
        ? new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stopped'))),
          )
        : 'said';
    const running = host.start('sample');
    await turns(20);
    const run = host.runner.active[0] as string;
    expect((await host.runner.inspect(run)).steps?.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'a ok',
      'b running',
      'x ok',
      'c waiting',
    ]);
    await host.runner.cancel(run, 'enough');
    expect((await running).status).toBe('cancelled');
    expect(await host.runner.replay(run)).toMatchObject({ same: true, divergences: [] });
  });

  it('is left when its journal says something else', async () => {
    const { host } = open();
    host.answerer.onAsk = (_request, { key }) => (key === 'b' ? new Promise(() => {}) : 'said');
    void host.start('sample');
    await turns(20);
    const run = host.runner.active[0] as string;
    host.store.die();
    const stored = host.runs.byName.get(run)?.entries as {
      seq: number;
      entry: { key?: string; type: string; hash?: string };
    }[];
    const index = stored.findIndex(({ entry }) => entry.type === 'effect.started' && entry.key === 'x');
    stored[index] = { seq: index, entry: { ...(stored[index]?.entry as { type: string }), hash: 'another' } };
    expect(
      await planHost({ sample: composition(steps, raw) }, { after: host }).runner.resume(run),
    ).toMatchObject({ status: 'failed', error: { code: 'NONDETERMINISM' } });
  });
});
