import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../journal/entry.ts';
import { dyingStore } from '../../../test/support/dying-store.ts';
import { composition } from '../../../test/support/plan-texts.ts';
import type { PlanHost, PlanHostOptions } from '../../../test/support/plan-host.ts';
import { planHost, resultOf, statusesOf } from '../../../test/support/plan-host.ts';
import { FakeClock, turns } from '../../../test/support/fake-run-host.ts';
import type { RunResult } from '../result/result.ts';

// Twelve steps: parallel branches, a form, a retry with a pause before it, a substitute, a loop, a skipped step.
const text =
  composition(`- {id: intake, kind: llm_chat, with: {task: "{{ inputs.user_message | xml_escape | truncate(99) }}"}}
- {id: sort, kind: llm_classify, depends_on: [intake], output_choices: [BUG, FEATURE], with: {text: "{{ outputs.intake | truncate(99) }}"}}
- {id: fetch, kind: tool_call, tool: fetch_it, tool_args: {n: 1}, idempotent: true}
- {id: store, kind: tool_call, tool: store_it, depends_on: [fetch], tool_args: {what: "{{ outputs.fetch | truncate(99) }}"}, idempotent: true}
- {id: flaky, kind: llm_chat, retry: {max_attempts: 3, backoff_ms: 50}, with: {task: try}}
- {id: risky, kind: tool_call, tool: risk_it, on_failure: safe, idempotent: true}
- {id: safe, kind: llm_chat, with: {task: "instead: {{ error | truncate(99) }}"}}
- id: ask
  kind: user_input
  depends_on: [intake]
  clarify:
    fields:
      - {name: topic, type: string, required: true}
- {id: each, kind: llm_chat, for_each: "['x', 'y', 'z']", concurrency: 2, with: {task: "item {{ item }}"}}
- {id: never, kind: llm_chat, when: "outputs.sort == 'FEATURE'", depends_on: [sort], with: {task: no}}
- {id: join, kind: llm_chat, depends_on: [store, flaky, risky, ask, each, never], with: {task: "{{ outputs.store | truncate(99) }} {{ outputs.flaky | truncate(99) }} {{ outputs.risky | truncate(99) }} {{ inputs.collected.ask.topic | xml_escape | truncate(99) }} {{ outputs.each | join(',') | truncate(99) }}<{{ outputs.never }}>"}}
- {id: end, kind: llm_chat, depends_on: [join, sort], with: {task: "{{ outputs.sort }}: {{ outputs.join | truncate(500) }}"}}
`);
const tools = ['fetch_it', 'store_it', 'risk_it'];

/** Waits for nothing: what is to happen later happens at the next turn. */
class HastyClock extends FakeClock {
  override after(ms: number, task: () => void): { cancel(): void } {
    if (ms > 60_000) return super.after(ms, task);
    const handle = setImmediate(task);
    return { cancel: () => clearImmediate(handle) };
  }
}

interface World {
  /** What happened, by something that outlives every engine. */
  readonly log: string[];
}

function open(world: World, options: PlanHostOptions = {}): PlanHost {
  const host = planHost({ sample: text }, { tools, clock: new HastyClock(), ...options });
  host.tools.onTool = async ({ tool }) => {
    world.log.push(tool);
    await turns(1);
    if (tool === 'risk_it') throw new Error('it broke');
    return `${tool} gave`;
  };
  host.answerer.onAsk = async ({ prompt, kind, purpose }, { child, key }) => {
    const said = (await child('turn', { prompt }, true, async () => {
      world.log.push(key);
      await turns(key.length % 3);
      return { value: kind === 'classify' ? 'bug' : `${purpose}(${prompt.split('\n').at(-1) ?? ''})` };
    })) as string;
    if (key === 'flaky') throw new Error('not the first time');
    return purpose === 'final answer' ? 'In short: done.' : said;
  };
  return host;
}

/** To the end, answering what is asked. */
async function finish(host: PlanHost, run: string | null): Promise<RunResult> {
  let result =
    run === null ? await host.start('sample', { user_message: 'it breaks' }) : await host.runner.resume(run);
  while (result.status === 'paused') {
    for (const { id, nonce } of result.questions)
      await host.runner.answer(result.run as string, {
        question: id,
        nonce,
        value: { topic: 'tides' },
        from: 'person',
      });
    result = await host.runner.resume(result.run as string);
  }
  return result;
}

/** As the world logs them: tools by name, asks by their key. */
function ended(entries: readonly JournalEntry[]): readonly string[] {
  const toolOf = new Map(
    entries.flatMap((entry) =>
      entry.type === 'effect.started' && entry.kind === 'tool' && 'value' in entry.request
        ? [[entry.key, (entry.request.value as { tool: string }).tool]]
        : [],
    ),
  );
  return entries.flatMap((entry) =>
    entry.type !== 'effect.ended'
      ? []
      : entry.key.endsWith('/1')
        ? [entry.key.slice(0, -2)]
        : toolOf.has(entry.key)
          ? [toolOf.get(entry.key) as string]
          : [],
  );
}

describe('a composition that loses its process', () => {
  it('finishes with the same result from every write on, and repeats nothing that had ended', async () => {
    let appends = 0;
    const clean: World = { log: [] };
    const expected = await finish(
      open(clean, {
        wrapStore: (store) => ({ ...store, append: (...all) => ((appends += 1), store.append(...all)) }),
      }),
      null,
    );
    expect([expected.status, expected.error]).toEqual(['completed', null]);
    expect(statusesOf(expected)).toEqual({
      intake: 'ok',
      sort: 'ok',
      fetch: 'ok',
      store: 'ok',
      flaky: 'ok',
      risky: 'substituted',
      safe: 'ok',
      ask: 'ok',
      each: 'ok',
      never: 'skipped',
      join: 'ok',
      end: 'ok',
    });
    expect(clean.log).toHaveLength(new Set(clean.log).size);
    expect(appends).toBeGreaterThan(15);
    let deaths = 0;
    for (let at = 1; at <= appends; at += 1) {
      for (const how of ['before', 'after', 'torn'] as const) {
        const world: World = { log: [] };
        let died = (): void => {};
        const death = new Promise<null>((resolve) => (died = () => resolve(null)));
        const first = open(world, { wrapStore: dyingStore(at, how, () => died()) });
        const early = await Promise.race([finish(first, null), death]);
        if (early !== null) continue;
        deaths += 1;
        await turns(3);
        first.store.die();
        const run = [...first.runs.byName.keys()][0] as string;
        const known = ended((await first.store.read(run)).map(({ entry }) => entry));
        const before = [...world.log];
        const second = open(world, { after: first });
        const result = await finish(second, run);
        expect([at, how, result.status, resultOf(result)]).toEqual([
          at,
          how,
          'completed',
          resultOf(expected),
        ]);
        for (const name of known)
          expect([name, world.log.filter((one) => one === name).length]).toEqual([name, 1]);
        for (const name of clean.log)
          expect(
            world.log.filter((one) => one === name).length - before.filter((one) => one === name).length,
          ).toBeLessThanOrEqual(1);
        expect(new Set(world.log)).toEqual(new Set(clean.log));
        expect((await second.runner.replay(run)).divergences).toEqual([]);
      }
    }
    expect(deaths).toBeGreaterThan(2 * appends);
  }, 120_000);

  it('needs a decision about a tool that may not be repeated, while the other branches finish', async () => {
    const world: World = { log: [] };
    const once = composition(
      '- {id: pay, kind: tool_call, tool: fetch_it}\n- {id: other, kind: llm_chat, with: {task: x}}\n- {id: end, kind: llm_chat, depends_on: [pay], with: {task: "{{ outputs.pay | truncate(9) }}"}}\n',
      'final_text_mode: raw\n',
    );
    const first = planHost({ sample: once }, { tools });
    first.tools.onTool = () => new Promise(() => void world.log.push('paid'));
    void first.start('sample');
    await turns(20);
    const run = first.runner.active[0] as string;
    first.store.die();
    const second = planHost({ sample: once }, { after: first });
    second.answerer.onAsk = ({ prompt }) => prompt.split('\n').at(-1) as string;
    const waiting = await second.runner.resume(run);
    expect([waiting.status, waiting.undecided.map(({ key }) => key)]).toEqual(['needs_decision', ['pay']]);
    await second.runner.decide(run, { key: 'pay', as: 'done', value: 'receipt', by: 'me' });
    expect([resultOf(await second.runner.resume(run))['answer'], world.log]).toEqual(['receipt', ['paid']]);
  });
});
