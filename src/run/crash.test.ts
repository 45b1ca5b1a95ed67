import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../journal/entry.ts';
import type { Death } from '../../test/support/dying-store.ts';
import { dyingStore } from '../../test/support/dying-store.ts';
import type { FakeRunHost } from '../../test/support/fake-run-host.ts';
import { fakeRunHost, turns } from '../../test/support/fake-run-host.ts';
import { isAsk } from './effect/effect.ts';

// 24 effects of the program and 8 parts of asks: one after the other, several in parallel, with trace and print between.
const program = `
def run(input):
  seen = []
  for i in range(8):
    c = command(["step", str(i)], {"idempotent": True})
    seen.append(c["result"])
    trace("step", {"i": i, "ok": c["ok"]})
    print("did", i)
  a = ask("think", {"purpose": "plan"})
  many = ask_all(["p%d" % i for i in range(7)])
  for i in range(7):
    command(["more", str(i), many[i]["answer"]], {"idempotent": True})
  big = ask("large")
  return {"answer": a["answer"], "seen": seen, "many": [m["answer"] for m in many], "big": len(big["answer"])}
`;
const input = { go: true };
const limits = { asks: 20, commands: 20, parallel: 3 };

interface World {
  /** What happened, by something that outlives every engine. */
  readonly log: string[];
}

function prepare(host: FakeRunHost, world: World): FakeRunHost {
  host.commands.onCommand = ({ argv }) => {
    world.log.push(argv.join(' '));
    return { stdout: argv.join(' '), combined: argv.join(' ') };
  };
  host.answerer.onAsk = async ({ prompt }, { child }) => {
    if (prompt === 'large') return 'L'.repeat(15_000);
    const turn = await child('turn', { prompt }, true, async () => {
      world.log.push(`turn ${prompt}`);
      await turns(prompt.length % 2);
      return { value: `${prompt} said`, usage: { inputTokens: 3, outputTokens: 2, costMicros: 1 } };
    });
    return `${JSON.stringify(turn)}!`;
  };
  return host;
}

const skills = { crash: program };
async function cleanRun(): Promise<{
  readonly text: string;
  readonly appends: number;
  readonly log: readonly string[];
}> {
  let appends = 0;
  const world: World = { log: [] };
  const host = prepare(
    fakeRunHost({
      programs: skills,
      wrapStore: (store) => ({ ...store, append: (...all) => ((appends += 1), store.append(...all)) }),
    }),
    world,
  );
  const result = await host.runner.start({ skill: 'crash', input, limits });
  expect(result.status).toBe('completed');
  expect((await host.runner.inspect(result.run as string)).effects).toHaveLength(24);
  return { text: result.text, appends, log: world.log };
}

/** Names of what the journal says has started or ended, as the world logs them. */
function namesIn(
  entries: readonly JournalEntry[],
  type: 'effect.started' | 'effect.ended',
): readonly string[] {
  const requests = new Map(
    entries.flatMap((entry) =>
      entry.type === 'effect.started' && !isAsk(entry.kind)
        ? [
            [
              entry.key,
              'value' in entry.request ? (entry.request.value as { argv?: string[]; prompt?: string }) : {},
            ],
          ]
        : [],
    ),
  );
  return entries.flatMap((entry) => {
    const request = entry.type === type ? requests.get(entry.key) : undefined;
    return request === undefined ? [] : [request.argv?.join(' ') ?? `turn ${request.prompt}`];
  });
}

async function crashAndResume(
  at: number,
  how: Death,
  clean: { readonly text: string; readonly log: readonly string[] },
): Promise<void> {
  const world: World = { log: [] };
  let died = (): void => {};
  const death = new Promise<void>((resolve) => (died = resolve));
  const first = prepare(
    fakeRunHost({ programs: skills, wrapStore: dyingStore(at, how, () => died()) }),
    world,
  );
  void first.runner.start({ skill: 'crash', input, limits });
  await death;
  await turns(3);
  first.store.die();
  const run = [...first.runs.byName.keys()][0] as string;
  const entries = (await first.store.read(run)).map(({ entry }) => entry);
  const ended = namesIn(entries, 'effect.ended');
  const before = [...world.log];
  // Append before acting: nothing happened that the journal does not know of.
  expect(namesIn(entries, 'effect.started')).toEqual(expect.arrayContaining(before));

  const second = prepare(fakeRunHost({ after: first, programs: skills }), world);
  const result = await second.runner.resume(run);
  expect(result.text).toBe(clean.text);
  for (const name of ended) expect(world.log.filter((one) => one === name)).toHaveLength(1);
  for (const name of clean.log)
    expect(
      world.log.filter((one) => one === name).length - before.filter((one) => one === name).length,
    ).toBeLessThanOrEqual(1);
  expect(new Set(world.log)).toEqual(new Set(clean.log));
  const replayed = await second.runner.replay(run);
  expect(replayed.divergences).toEqual([]);
  expect(replayed.text).toBe(clean.text);
}

describe('a run that loses its process', () => {
  it('finishes with the same result from every append on, and repeats nothing that had ended', async () => {
    const clean = await cleanRun();
    expect(clean.appends).toBeGreaterThan(20);
    for (let at = 1; at <= clean.appends; at += 1)
      for (const how of ['before', 'after', 'torn'] as const) await crashAndResume(at, how, clean);
  }, 120_000);

  it('finishes when it dies again and again', async () => {
    const clean = await cleanRun();
    const world: World = { log: [] };
    let host: FakeRunHost | null = null;
    let run: string | null = null;
    let text: string | null = null;
    for (let lives = 0; lives < 60; lives += 1) {
      let died = (): void => {};
      const death = new Promise<'died'>((resolve) => (died = () => resolve('died')));
      const next: FakeRunHost = prepare(
        fakeRunHost({
          ...(host === null ? {} : { after: host }),
          programs: skills,
          wrapStore: dyingStore(2, lives % 2 === 0 ? 'after' : 'before', () => died()),
        }),
        world,
      );
      const running =
        run === null ? next.runner.start({ skill: 'crash', input, limits }) : next.runner.resume(run);
      const outcome = await Promise.race([running, death]);
      if (outcome !== 'died') {
        text = outcome.text;
        break;
      }
      await turns(2);
      next.store.die();
      host = next;
      run = [...next.runs.byName.keys()][0] as string;
    }
    expect(text).toBe(clean.text);
  }, 60_000);

  it('counts what it had used before', async () => {
    const world: World = { log: [] };
    let died = (): void => {};
    const death = new Promise<void>((resolve) => (died = resolve));
    const loop = {
      loop: 'def run(input):\n  for i in range(20):\n    command(["c", str(i)], {"idempotent": True})\n',
    };
    const first = prepare(
      fakeRunHost({ programs: loop, wrapStore: dyingStore(5, 'after', () => died()) }),
      world,
    );
    void first.runner.start({ skill: 'loop', input, limits: { commands: 8 } });
    await death;
    first.store.die();
    const second = prepare(fakeRunHost({ after: first }), world);
    const result = await second.runner.resume([...first.runs.byName.keys()][0] as string);
    expect([result.error?.code, result.usage.commands]).toEqual(['COMMAND_BUDGET', 8]);
    expect(new Set(world.log).size).toBe(8);
  });

  it('stays unchanged when the program does not repeat itself', async () => {
    const first = prepare(fakeRunHost({ programs: skills }), { log: [] });
    first.commands.onCommand = ({ argv }) => (argv[1] === '3' ? new Promise(() => {}) : {});
    void first.runner.start({ skill: 'crash', input, limits });
    await turns(10);
    const run = first.runner.active[0] as string;
    first.store.die();
    const stored = first.runs.byName.get(run)?.entries as { seq: number; entry: JournalEntry }[];
    const index = stored.findIndex(({ entry }) => entry.type === 'effect.started' && entry.key === '2');
    stored[index] = { seq: index, entry: { ...stored[index]?.entry, hash: 'another' } as JournalEntry };
    const second = fakeRunHost({ after: first });
    const result = await second.runner.resume(run);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'NONDETERMINISM' } });
    expect((await second.store.list({ limit: 1 })).runs[0]?.status).toBe('interrupted');
  });

  it('stops everything when the journal cannot be written', async () => {
    let appends = 0;
    const host = fakeRunHost({
      wrapStore: (store) => ({
        ...store,
        append: (...all) =>
          (appends += 1) === 3
            ? Promise.reject(Object.assign(new Error('no room'), { code: 'JOURNAL_FULL' }))
            : store.append(...all),
      }),
    });
    await expect(
      host.run('def run(input):\n  for i in range(9):\n    command(["c", str(i)])\n'),
    ).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
    expect(host.commands.done).toEqual(['c 0', 'c 1']);
  });
});
