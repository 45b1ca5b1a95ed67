import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../../node/environment.ts';
import type { JournalEntry, RunStarted } from '../../journal/entry.ts';
import type { StoredEntry } from '../../ports/run-store.ts';
import type { FakeRunHost } from '../../../test/support/fake-run-host.ts';
import { fakeRunHost } from '../../../test/support/fake-run-host.ts';
import { createInterpreter, ProgramCache } from '../start/admit-run.ts';
import { planRunsOf } from '../plan/runs.ts';
import { diffRuns } from './diff-runs.ts';
import type { ReplayReport } from './replay.ts';
import { replayRun } from './replay.ts';
import { StoredValues } from '../run-facts.ts';

/** A small generator of chance that is the same each time. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state % below;
  };
}

/** A program of random calls whose later parts depend on what the earlier ones gave. */
function randomProgram(seed: number): string {
  const pick = chance(seed);
  const lines = [
    'def helper(x):',
    '  return [len(str(x)), str(x)[:20]]',
    'def run(input):',
    '  seen = [input["n"]]',
    '  total = 0',
  ];
  const statement = (indent: string): readonly string[] => {
    const text = `"s${pick(50)} " + str(total)`;
    switch (pick(9)) {
      case 0:
        return [
          `${indent}a = ask(${text}, {"purpose": "p${pick(3)}", "max_turns": ${1 + pick(5)}})`,
          `${indent}seen.append(a["answer"][:30])`,
          `${indent}total += len(a["answer"])`,
        ];
      case 1:
        return [
          `${indent}c = command(["c", ${text}], {"timeout": ${1 + pick(9)}})`,
          `${indent}seen.append(c["exit_code"])`,
          `${indent}total += c["exit_code"]`,
        ];
      case 2:
        return [`${indent}trace("t${pick(4)}", {"total": total, "seen": seen[-2:]})`];
      case 3:
        return [`${indent}print("total", total, helper(seen))`];
      case 4:
        return [
          `${indent}many = ask_all([${text} + str(i) for i in range(${pick(3) + 1})])`,
          `${indent}total += sum_of([len(m["answer"]) for m in many])`,
        ];
      case 5:
        return [`${indent}if total % ${2 + pick(3)} == 0:`, ...statement(`${indent}  `)];
      case 6:
        return [`${indent}for i in range(${pick(4)}):`, ...statement(`${indent}  `)];
      case 7:
        return [`${indent}total += len([x for x in range(${pick(300)}) if x % 3 == 0])`];
      default:
        return pick(12) === 0
          ? [`${indent}if total > ${pick(400)}: fail("enough " + str(total))`]
          : [`${indent}seen = sorted(seen, key = str)[:6]`];
    }
  };
  lines.unshift('def sum_of(xs):', '  n = 0', '  for x in xs: n += x', '  return n');
  for (let index = 0; index < 3 + pick(10); index += 1) lines.push(...statement('  '));
  lines.push('  return {"answer": str(total), "seen": seen, "status": "done"}');
  return `${lines.join('\n')}\n`;
}

function prepare(host: FakeRunHost, seed: number): FakeRunHost {
  const pick = chance(seed + 77);
  host.answerer.onAsk = async ({ prompt }, { child }) => {
    host.clock.pass(pick(40));
    if (pick(20) === 0) throw new Error('the model is gone');
    if (pick(3) > 0)
      await child('turn', { prompt }, true, async () => ({
        value: pick(9),
        usage: { inputTokens: pick(90), outputTokens: pick(9), costMicros: pick(5) },
      }));
    return {
      answer: `${prompt}:${'é🌍"'.repeat(pick(12) === 0 ? 4_000 : pick(20))}`,
      exhausted: pick(2) === 0,
      turns: 1 + pick(3),
    };
  };
  host.commands.onCommand = () => {
    host.clock.pass(pick(25));
    const text = 'line\n'.repeat(pick(10) === 0 ? 5_000 : pick(9));
    return { exitCode: pick(3), stdout: text, combined: text, timedOut: pick(9) === 0 };
  };
  host.commands.onJudge = () =>
    pick(9) === 0 ? { kind: 'deny', reason: 'not this one' } : { kind: 'allow' };
  return host;
}

describe('replay', () => {
  it('gives every recorded run again, byte for byte', async () => {
    const statuses = new Map<string, number>();
    let effects = 0;
    for (let seed = 1; seed <= 250; seed += 1) {
      const host = prepare(fakeRunHost(), seed);
      const result = await host.run(randomProgram(seed), { n: seed });
      if (result.run === null) throw new Error(result.text);
      const replayed = await host.runner.replay(result.run as string);
      expect([seed, ...replayed.divergences]).toEqual([seed]);
      expect(replayed.text).toBe(result.text);
      const code = result.error?.code ?? result.status;
      statuses.set(code, (statuses.get(code) ?? 0) + 1);
      effects += replayed.effects;
    }
    // The sample holds runs of all kinds.
    expect([...statuses.keys()].sort()).toEqual(
      expect.arrayContaining(['ASK_BUDGET', 'ASK_FAILED', 'completed']),
    );
    expect(effects).toBeGreaterThan(500);
  }, 60_000);

  it('follows a run that was stopped up to where it was', async () => {
    const host = fakeRunHost();
    const running = host.run('def run(input):\n  trace("a")\n  for i in range(1000000000):\n    pass\n');
    for (let turn = 0; turn < 4; turn += 1) await host.clock.yieldTurn();
    host.clock.pass(300_000);
    const result = await running;
    const replayed = await host.runner.replay(result.run as string);
    expect([replayed.divergences, replayed.text]).toEqual([[], result.text]);
  });
});

describe('a planted divergence', () => {
  const program = `
def run(input):
  a = ask("first " + input["word"])
  trace("one", {"n": len(a["answer"])})
  c = command(["c", a["answer"]])
  trace("two", {"code": c["exit_code"]})
  print("between")
  unused = ask("unused")
  d = command(["d"])
  return {"answer": a["answer"] + c["result"]}
`;
  interface Recorded {
    readonly host: FakeRunHost;
    readonly entries: readonly StoredEntry[];
  }
  const record = async (): Promise<Recorded> => {
    const host = fakeRunHost();
    host.answerer.onAsk = async ({ prompt }, { child }) => {
      await child('turn', { prompt }, true, async () => ({ value: 1 }));
      return `said ${prompt}`;
    };
    host.commands.onCommand = ({ argv }) => ({ stdout: argv.join(' '), combined: argv.join(' ') });
    const result = await host.run(program, { word: 'x' });
    return { host, entries: await host.store.read(result.run as string) };
  };
  const replay = ({ host, entries }: Recorded): Promise<ReplayReport> => {
    const caches = {
      programs: new ProgramCache(host.blobs),
      plans: planRunsOf({ blobs: host.blobs, filters: {} }),
    };
    return replayRun({
      entries,
      values: new StoredValues(host.blobs),
      sha256: nodeSha256,
      clock: host.clock,
      createInterpreter: (facts, input) => createInterpreter(caches, facts, input),
    });
  };
  type Mutate = (entries: JournalEntry[], host: FakeRunHost) => void | Promise<void>;
  const mutated = async (mutate: Mutate, keepFingerprint: boolean): Promise<ReplayReport> => {
    const { host, entries } = await record();
    const copy = entries.map(({ entry }) => structuredClone(entry));
    await mutate(copy, host);
    const last = copy.at(-1) as JournalEntry;
    if (!keepFingerprint && last.type === 'run.ended') {
      const { fingerprint: _fingerprint, ...rest } = last;
      copy[copy.length - 1] = rest;
    }
    return replay({ host, entries: copy.map((entry, seq) => ({ seq, entry })) });
  };
  const at = (entries: readonly JournalEntry[], type: JournalEntry['type'], key?: string): number =>
    entries.findIndex(
      (entry) => entry.type === type && (key === undefined || ('key' in entry && entry.key === key)),
    );
  const patch =
    (type: JournalEntry['type'], key: string | undefined, change: object): Mutate =>
    (entries) => {
      const index = at(entries, type, key);
      entries[index] = { ...(entries[index] as JournalEntry), ...change } as JournalEntry;
    };
  const drop =
    (type: JournalEntry['type'], key?: string): Mutate =>
    (entries) =>
      void entries.splice(at(entries, type, key), 1);
  const swap =
    (a: [JournalEntry['type'], string?], b: [JournalEntry['type'], string?]): Mutate =>
    (entries) => {
      const [i, j] = [at(entries, ...a), at(entries, ...b)];
      [entries[i], entries[j]] = [entries[j] as JournalEntry, entries[i] as JournalEntry];
    };
  const edited =
    (change: (source: string) => string): Mutate =>
    async (entries, host) => {
      const meta = entries[0] as RunStarted;
      entries[0] = {
        ...meta,
        files: {
          ...meta.files,
          'SKILL.star': await host.blobs.put(new TextEncoder().encode(change(program))),
        },
      };
    };
  const answer = { answer: 'said first y', exhausted: false, turns: 1, truncated: false };

  it('is none in a run that was not touched', async () => {
    expect((await replay(await record())).divergences).toEqual([]);
  });

  it.each<[string, Mutate]>([
    ['another prompt', edited((source) => source.replace('"first "', '"second "'))],
    ['another command', edited((source) => source.replace('["d"]', '["e"]'))],
    ['a call less', edited((source) => source.replace('  d = command(["d"])\n', ''))],
    ['a call more', edited((source) => source.replace('  return', '  ask("more")\n  return'))],
    [
      'calls in another order',
      edited((source) =>
        source.replace(
          '  unused = ask("unused")\n  d = command(["d"])\n',
          '  d = command(["d"])\n  unused = ask("unused")\n',
        ),
      ),
    ],
    ['another trace', edited((source) => source.replace('trace("two"', 'trace("too"'))],
    ['a trace less', edited((source) => source.replace('  trace("two", {"code": c["exit_code"]})\n', ''))],
    ['another print', edited((source) => source.replace('"between"', '"in between"'))],
    [
      'another result',
      edited((source) =>
        source.replace('return {"answer": a["answer"] +', 'return {"answer": a["answer"] + "" +'),
      ),
    ],
    [
      'another option',
      edited((source) => source.replace('ask("unused")', 'ask("unused", {"max_turns": 2})')),
    ],
    ['a program that does not compile', edited(() => 'def run(')],
    ['another profile', patch('run.started', undefined, { profile: 'starlark-0' })],
    ['another input', patch('run.started', undefined, { input: { value: { word: 'y' } } })],
    ['other limits', patch('run.started', undefined, { limits: { traceEntries: 1 } })],
    ['a changed answer', patch('effect.ended', '1', { result: { value: answer } })],
    [
      'a changed output',
      patch('effect.ended', '2', {
        result: { value: { ok: true, exit_code: 1, result: 'z', truncated: false } },
      }),
    ],
    [
      'a failure made of a success',
      patch('effect.ended', '2', { ok: false, result: { value: { code: 'X', message: 'x' } } }),
    ],
    ['another time in the trace', patch('effect.ended', '2', { ms: 99 })],
    ['another request hash', patch('effect.started', '4', { hash: 'f'.repeat(32) })],
    ['another kind', patch('effect.started', '3', { kind: 'command' })],
    [
      'swapped results',
      (entries) => {
        const [i, j] = [at(entries, 'effect.ended', '2'), at(entries, 'effect.ended', '4')];
        const [a, b] = [entries[i], entries[j]] as [
          JournalEntry & { result: object },
          JournalEntry & { result: object },
        ];
        entries[i] = { ...a, result: b.result } as JournalEntry;
        entries[j] = { ...b, result: a.result } as JournalEntry;
      },
    ],
    ['swapped starts', swap(['effect.started', '2'], ['effect.started', '4'])],
    ['a missing end', drop('effect.ended', '4')],
    ['a missing start', drop('effect.started', '4')],
    [
      'a missing call',
      (entries, host) =>
        Promise.resolve(drop('effect.ended', '4')(entries, host)).then(() =>
          drop('effect.started', '4')(entries, host),
        ),
    ],
    ['a missing trace entry', drop('trace.added')],
    ['a changed trace entry', patch('trace.added', undefined, { data: { value: { n: 0 } } })],
    [
      'swapped trace entries',
      (entries) => {
        const indices = entries.flatMap((entry, index) => (entry.type === 'trace.added' ? [index] : []));
        const [i, j] = [indices[0] as number, indices[1] as number];
        [entries[i], entries[j]] = [entries[j] as JournalEntry, entries[i] as JournalEntry];
      },
    ],
    ['another text', patch('run.ended', undefined, { text: { value: 'other' } })],
    ['another status', patch('run.ended', undefined, { status: 'failed' })],
    ['another number of steps', patch('run.ended', undefined, { steps: 7 })],
    ['a lost beginning', (entries) => void entries.shift()],
  ])('is caught without the fingerprint: %s', async (_name, mutate) => {
    expect((await mutated(mutate, false)).same).toBe(false);
  });

  it.each<[string, Mutate]>([
    [
      'a changed answer that is not used',
      patch('effect.ended', '3', {
        result: { value: { answer: 'said unusex', exhausted: false, turns: 1, truncated: false } },
      }),
    ],
    ['a changed part of an ask', patch('effect.ended', '1/1', { result: { value: 2 } })],
    [
      'a missing part of an ask',
      (entries, host) =>
        Promise.resolve(drop('effect.ended', '3/1')(entries, host)).then(() =>
          drop('effect.started', '3/1')(entries, host),
        ),
    ],
    ['a changed time', patch('effect.started', '1', { at: 5 })],
    [
      'other settings',
      patch('run.started', undefined, { settings: { program: 'SKILL.star', answerer: 'model' } }),
    ],
    [
      'an added pause',
      (entries) => void entries.splice(3, 0, { type: 'run.paused', at: 1, reason: 'stopped', usedMs: 0 }),
    ],
  ])('is caught by the fingerprint: %s', async (_name, mutate) => {
    expect((await mutated(mutate, true)).divergences).toContainEqual(
      expect.objectContaining({ what: 'fingerprint' }),
    );
  });
});

describe('fork', () => {
  const program =
    'def run(input):\n  out = []\n  for i in range(4):\n    a = ask("q%d" % i)\n    out.append(a["answer"])\n    command(["use", a["answer"]])\n  return {"answer": ",".join(out)}\n';
  const recorded = async (
    limits = {},
  ): Promise<{ readonly host: FakeRunHost; readonly run: string; readonly text: string }> => {
    const host = fakeRunHost({ programs: { p: program } });
    let made = 0;
    host.answerer.onAsk = ({ prompt }) => `${prompt}-${(made += 1)}`;
    const result = await host.runner.start({ skill: 'p', input: { a: 1 }, limits });
    host.commands.done.length = 0;
    host.answerer.asked.length = 0;
    return { host, run: result.run as string, text: result.text };
  };

  it('keeps what was done before an effect, and does the rest anew', async () => {
    const { host, run } = await recorded();
    const result = await host.runner.fork(run, { from: '5' });
    expect(result.envelope?.['answer']).toBe('q0-1,q1-2,q2-5,q3-6');
    expect(host.commands.done).toEqual(['use q2-5', 'use q3-6']);
    const [old, view] = [await host.runner.inspect(run), await host.runner.inspect(result.run as string)];
    expect(view.settings.forkedFrom).toEqual({ run, from: '5' });
    expect(diffRuns(old, view).map(({ what }) => what)).toEqual([
      'result of effect 5',
      'request of effect 6',
      'result of effect 7',
      'request of effect 8',
      'result',
    ]);
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('takes edited outcomes, inputs, programs and limits', async () => {
    const { host, run } = await recorded();
    const outcome = { answer: 'edited', exhausted: false, turns: 1, truncated: false };
    expect(
      (await host.runner.fork(run, { edits: { outcomes: { 3: outcome } } })).envelope?.['answer'],
    ).toMatch(/^q0-1,edited,q2-\d,q3-\d$/);
    host.commands.done.length = 0;
    const files = {
      'SKILL.star': new TextEncoder().encode(program.replace('"q%d" % i', '("q%d" if i < 3 else "r%d") % i')),
    };
    expect((await host.runner.fork(run, { edits: { files } })).envelope?.['answer']).toMatch(
      /^q0-1,q1-2,q2-3,r3-\d+$/,
    );
    expect(host.commands.done).toHaveLength(1);
    await expect(host.runner.fork(run, { from: '99' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(
      host.runner.fork(run, { edits: { files: { 'SKILL.star': new TextEncoder().encode('def') } } }),
    ).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('keeps what was traced where it was, and a comparison looks at that', async () => {
    const host = fakeRunHost({
      programs: {
        p: 'def run(input):\n  for i in range(3):\n    trace("before", {"i": i})\n    ask("q%d" % i)\n    print("after")\n  return "done"\n',
      },
    });
    const { run } = await host.runner.start({ skill: 'p', input: { a: 1 } });
    const order = (view: Awaited<ReturnType<typeof host.runner.inspect>>) =>
      view.trace.map(({ kind, after }) => [kind, after]);
    const old = await host.runner.inspect(run as string);
    for (const from of ['1', '2', '3']) {
      const result = await host.runner.fork(run as string, { from });
      const view = await host.runner.inspect(result.run as string);
      expect(order(view)).toEqual(order(old));
      expect([diffRuns(old, view), (await host.runner.replay(result.run as string)).divergences]).toEqual([
        [],
        [],
      ]);
    }
    const swapped = {
      ...old,
      trace: old.trace.map((entry, at) => (at === 1 ? { ...entry, after: 0 } : entry)),
    };
    expect(diffRuns(old, swapped)).toEqual([
      {
        what: 'trace 2',
        left: { kind: 'print', data: old.trace[1]?.data, after_calls: 1 },
        right: { kind: 'print', data: old.trace[1]?.data, after_calls: 0 },
      },
    ]);
  });

  it('finishes a run that had used up its asks', async () => {
    const { host, run, text } = await recorded({ asks: 2 });
    expect(text).toContain('ask budget exhausted (2 calls)');
    const result = await host.runner.fork(run, { edits: { limits: { asks: 10 } } });
    expect(result.envelope?.['answer']).toBe('q0-1,q1-2,q2-3,q3-4');
    expect(host.commands.done).toEqual(['use q2-3', 'use q3-4']);
  });
});
