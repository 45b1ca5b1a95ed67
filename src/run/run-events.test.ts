import { describe, expect, it } from 'vitest';
import { fakeRunHost, turns } from '../../test/support/fake-run-host.ts';
import type { RunEvent } from './events.ts';

const of = <Type extends RunEvent['type']>(
  events: readonly RunEvent[],
  type: Type,
): readonly Extract<RunEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);

describe('events of runs', () => {
  it('report that a run continues after a crash, once', async () => {
    const first = fakeRunHost();
    first.commands.onCommand = () => new Promise(() => {});
    void first.run('def run(input):\n  return {"ok": command(["a"], {"idempotent": True})["ok"]}\n');
    while (first.commands.done.length === 0) await turns();
    first.store.die();
    first.commands.onCommand = () => ({});
    const second = fakeRunHost({ after: first });
    const run = first.runner.active[0] as string;
    await second.runner.resume(run);
    expect([of(first.events, 'run.resumed'), of(second.events, 'run.resumed')]).toMatchObject([
      [],
      [{ run, skill: 'one' }],
    ]);
    expect((await second.store.read(run)).map(({ entry }) => entry.type)).not.toContain('run.resumed');
  });

  it('tell what each effect used, and of which effect a run is a part', async () => {
    const host = fakeRunHost({
      programs: {
        outer: 'def run(input):\n  return ask("q")["answer"]\n',
        inner: 'def run(input):\n  return "in"\n',
      },
    });
    host.answerer.onAsk = async (_request, { child, runSkill }) => {
      await child('turn', { prompt: 'p' }, true, async () => ({
        value: 1,
        usage: { inputTokens: 5, outputTokens: 2, costMicros: 1 },
      }));
      await runSkill('inner', { go: true });
      return { answer: 'a', usage: { inputTokens: 9, outputTokens: 2, costMicros: 1 } };
    };
    const { run } = await host.runner.start({ skill: 'outer', input: { go: true } });
    expect(of(host.events, 'run.started')).toMatchObject([
      { run, parent: null, parentKey: null },
      { skill: 'inner', parent: run, parentKey: '1/2' },
    ]);
    expect(of(host.events, 'effect.ended').map(({ key, usage }) => [key, usage.inputTokens])).toEqual([
      ['1/1', 5],
      ['1/2', 0],
      ['1', 4],
    ]);
  });

  it('tell of a tool that failed, by a name that is one', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = async (_request, { child }) => {
      for (const tool of ['read_file', 'a secret text'])
        await child('tool', { tool }, false, () => Promise.reject(new Error('no'))).catch(() => null);
      await child('tool', { tool: 'fine' }, false, async () => ({ value: 1 }));
      return 'a';
    };
    await host.run('def run(input):\n  return ask("q")["answer"]\n');
    expect(of(host.events, 'tool.failed')).toMatchObject([
      { key: '1/1', tool: 'read_file', code: 'ASK_FAILED' },
      { key: '1/2', tool: null },
    ]);
  });
});
