// Whole recorded runs in which something was changed: every change is caught by a replay.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileBlobs } from '../src/node/files/blobs.ts';
import { createFileRunStore } from '../src/node/store-file/run-store.ts';
import { nodeSha256 } from '../src/node/environment.ts';
import { createNodeFiles } from '../src/node/files/files.ts';
import { AnswerLater } from '../src/ports/answerer.ts';
import type { Blobs } from '../src/ports/blobs.ts';
import type { EffectEnded, JournalEntry, RunEnded, RunStarted } from '../src/journal/entry.ts';
import type { RunStore } from '../src/ports/run-store.ts';
import { Fingerprint } from '../src/run/engine/run-log.ts';
import type { Divergence, ReplayReport } from '../src/run/history/replay.ts';
import type { RunResult } from '../src/run/result/result.ts';
import type { Runner } from '../src/run/runner.ts';
import { createRunner } from '../src/run/create-runner.ts';
import { FakeAnswerer, FakeClock, FakeCommands, fakeIds, fakeSkills } from './support/fake-run-host.ts';

// 1 ask, 2 command, 3.1-3.3 at once, 4 command, 5 asked of the caller, 6 large, 7 denied.
const program = `
def run(input):
  a = ask("first " + input["word"], {"purpose": "plan"})
  trace("one", {"n": len(a["answer"])})
  c = command(["c", a["answer"]], {"idempotent": True})
  trace("two", {"code": c["exit_code"]})
  print("between")
  many = ask_all(["m%d" % i for i in range(3)])
  unused = command(["unused"])
  later = ask("later")
  big = ask("big")
  denied = command(["rm"])
  return {"answer": a["answer"] + c["result"] + later["answer"], "many": [m["answer"] for m in many], "big": len(big["answer"]), "denied": denied["denied"]}
`;

let base: string;
let blobs: Blobs;
let recorded: { readonly result: RunResult; readonly entries: readonly JournalEntry[] };
let made = 0;
const opened: RunStore[] = [];

function open(folder: string): { readonly store: RunStore; readonly runner: Runner } {
  const clock = new FakeClock();
  const answerer = new FakeAnswerer();
  answerer.onAsk = async ({ prompt }, { child }) => {
    clock.pass(3);
    if (prompt === 'later') throw new AnswerLater('caller');
    if (prompt === 'big') return 'B'.repeat(15_000);
    await child('turn', { prompt }, true, async () => ({
      value: `turn ${prompt}`,
      usage: { inputTokens: 5, outputTokens: 1, costMicros: 2 },
    }));
    return `said ${prompt}`;
  };
  const commands = new FakeCommands();
  commands.onJudge = ({ argv }) =>
    argv[0] === 'rm' ? { kind: 'deny', reason: 'not this one' } : { kind: 'allow' };
  commands.onCommand = ({ argv }) => {
    clock.pass(2);
    return { stdout: argv.join(' '), combined: argv.join(' ') };
  };
  const store = createFileRunStore({ folder, durable: false, pollMs: 3_600_000 });
  opened.push(store);
  return {
    store,
    runner: createRunner({
      store,
      blobs,
      ids: fakeIds(),
      clock,
      sha256: nodeSha256,
      answerers: [answerer],
      commands,
      skills: fakeSkills({ p: { program } }),
    }),
  };
}

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'techne-divergences-'));
  blobs = createFileBlobs(join(base, 'blobs'), createNodeFiles(), nodeSha256);
  const first = open(join(base, 'runs'));
  const paused = await first.runner.start({ skill: 'p', input: { word: 'x' }, limits: { asks: 10 } });
  const [question] = paused.questions;
  if (paused.status !== 'paused' || question === undefined) throw new Error(paused.text);
  const run = paused.run as string;
  await first.runner.answer(run, {
    question: question.id,
    nonce: question.nonce,
    value: 'at last',
    from: 'caller',
  });
  const result = await first.runner.resume(run);
  if (
    result.envelope?.['answer'] !== 'said first xc said first xat last' ||
    result.envelope['denied'] !== true
  )
    throw new Error(result.text);
  recorded = { result, entries: (await first.store.read(run)).map(({ entry }) => entry) };
});
afterAll(async () => {
  for (const store of opened) await store.close();
  rmSync(base, { recursive: true, force: true });
});

type Mutate = (entries: JournalEntry[]) => void | Promise<void>;

/** The journal with one change, written as a journal of its own. `forged`: the fingerprint fits the change. */
async function replayChanged(mutate: Mutate, forged: boolean): Promise<ReplayReport> {
  const entries = recorded.entries.map((entry) => structuredClone(entry));
  await mutate(entries);
  const last = entries.at(-1);
  if (forged && last?.type === 'run.ended') {
    const fingerprint = new Fingerprint(nodeSha256);
    for (const entry of entries) fingerprint.add(entry);
    entries[entries.length - 1] = { ...last, fingerprint: fingerprint.value() };
  }
  const { store, runner } = open(join(base, `changed-${(made += 1)}`));
  const run = recorded.result.run as string;
  await store.release(await store.create(run, entries));
  return runner.replay(run);
}

function indexOf(entries: readonly JournalEntry[], type: JournalEntry['type'], key?: string): number {
  const index = entries.findIndex(
    (entry) => entry.type === type && (key === undefined || ('key' in entry && entry.key === key)),
  );
  if (index < 0) throw new Error(`there is no ${type} ${key ?? ''}`);
  return index;
}

const patch =
  (type: JournalEntry['type'], key: string | undefined, change: object): Mutate =>
  (entries) => {
    const index = indexOf(entries, type, key);
    entries[index] = { ...(entries[index] as JournalEntry), ...change } as JournalEntry;
  };
const drop =
  (...which: readonly (readonly [JournalEntry['type'], string?])[]): Mutate =>
  (entries) => {
    for (const [type, key] of which) entries.splice(indexOf(entries, type, key), 1);
  };
const swap =
  (a: readonly [JournalEntry['type'], string?], b: readonly [JournalEntry['type'], string?]): Mutate =>
  (entries) => {
    const [i, j] = [indexOf(entries, ...a), indexOf(entries, ...b)];
    [entries[i], entries[j]] = [entries[j] as JournalEntry, entries[i] as JournalEntry];
  };
const swapResults =
  (a: string, b: string): Mutate =>
  (entries) => {
    const [i, j] = [indexOf(entries, 'effect.ended', a), indexOf(entries, 'effect.ended', b)];
    const [left, right] = [entries[i] as EffectEnded, entries[j] as EffectEnded];
    entries[i] = { ...left, result: right.result };
    entries[j] = { ...right, result: left.result };
  };
const edit =
  (from: string, to: string): Mutate =>
  async (entries) => {
    if (!program.includes(from)) throw new Error(`the program has no ${from}`);
    const meta = entries[0] as RunStarted;
    entries[0] = {
      ...meta,
      files: {
        ...meta.files,
        'SKILL.star': await blobs.put(new TextEncoder().encode(program.replace(from, to))),
      },
    };
  };
const result = (value: object): { readonly result: object } => ({ result: { value: value as never } });
const said = (answer: string): object => ({ answer, exhausted: false, turns: 1, truncated: false });

interface Planted {
  readonly name: string;
  readonly mutate: Mutate;
  /** What shows it even where the fingerprint was made to fit; null when only the fingerprint does. */
  readonly shownBy: Divergence['what'] | null;
}

const planted: readonly Planted[] = [
  { name: 'an edited program: another prompt', mutate: edit('"first "', '"second "'), shownBy: 'effect' },
  {
    name: 'an edited program: another argument of a command',
    mutate: edit('["unused"]', '["used"]'),
    shownBy: 'effect',
  },
  {
    name: 'an edited program: another option',
    mutate: edit('{"purpose": "plan"}', '{"purpose": "plan", "max_turns": 3}'),
    shownBy: 'effect',
  },
  {
    name: 'an edited program: a call less',
    mutate: edit('  denied = command(["rm"])\n', '  denied = {"denied": True}\n'),
    shownBy: 'effect',
  },
  {
    name: 'an edited program: a call more',
    mutate: edit('  return {', '  ask("more")\n  return {'),
    shownBy: 'effect',
  },
  {
    name: 'an edited program: calls in another order',
    mutate: edit(
      '  unused = command(["unused"])\n  later = ask("later")\n',
      '  later = ask("later")\n  unused = command(["unused"])\n',
    ),
    shownBy: 'effect',
  },
  { name: 'an edited program: fewer asks at once', mutate: edit('range(3)', 'range(2)'), shownBy: 'effect' },
  {
    name: 'an edited program: another trace entry',
    mutate: edit('trace("two"', 'trace("too"'),
    shownBy: 'trace',
  },
  {
    name: 'an edited program: a trace entry less',
    mutate: edit('  trace("two", {"code": c["exit_code"]})\n', ''),
    shownBy: 'trace',
  },
  { name: 'an edited program: another print', mutate: edit('"between"', '"in between"'), shownBy: 'trace' },
  {
    name: 'an edited program: another result',
    mutate: edit('len(big["answer"])', 'len(big["answer"]) + 1'),
    shownBy: 'result',
  },
  {
    name: 'an edited program: the same result in more steps',
    mutate: edit('  return {', '  for i in range(9): pass\n  return {'),
    shownBy: 'steps',
  },
  {
    name: 'an edited program: one that does not compile',
    mutate: edit('def run(input):', 'def run(input:'),
    shownBy: 'program',
  },
  {
    name: 'another profile',
    mutate: patch('run.started', undefined, { profile: 'starlark-0' }),
    shownBy: 'profile',
  },
  {
    name: 'another input',
    mutate: patch('run.started', undefined, { input: { value: { word: 'y' } } }),
    shownBy: 'effect',
  },
  {
    name: 'changed limits: fewer trace entries',
    mutate: (entries) =>
      patch('run.started', undefined, { limits: { ...(entries[0] as RunStarted).limits, traceEntries: 1 } })(
        entries,
      ),
    shownBy: 'trace',
  },
  {
    name: 'changed limits: a shorter result',
    mutate: (entries) =>
      patch('run.started', undefined, { limits: { ...(entries[0] as RunStarted).limits, resultUnits: 600 } })(
        entries,
      ),
    shownBy: 'result',
  },
  {
    name: 'changed limits: fewer turns',
    mutate: (entries) =>
      patch('run.started', undefined, { limits: { ...(entries[0] as RunStarted).limits, turnsPerAsk: 7 } })(
        entries,
      ),
    shownBy: 'effect',
  },
  {
    name: 'changed limits: fewer steps',
    mutate: (entries) =>
      patch('run.started', undefined, { limits: { ...(entries[0] as RunStarted).limits, steps: 20 } })(
        entries,
      ),
    shownBy: 'result',
  },
  {
    name: 'a changed answer of the model',
    mutate: patch('effect.ended', '1', result(said('said first y'))),
    shownBy: 'effect',
  },
  {
    name: 'a changed answer of one of several',
    mutate: patch('effect.ended', '3.2', result(said('said m7'))),
    shownBy: 'result',
  },
  {
    name: 'a changed output of a command',
    mutate: patch(
      'effect.ended',
      '2',
      result({ ok: true, exit_code: 1, result: 'c said first x', truncated: false, denied: false }),
    ),
    shownBy: 'trace',
  },
  {
    name: 'a changed answer of the caller, as the effect has it',
    mutate: patch('effect.ended', '5', result(said('at first'))),
    shownBy: 'result',
  },
  {
    name: 'a success made a failure',
    mutate: patch('effect.ended', '4', { ok: false, ...result({ code: 'COMMAND_FAULT', message: 'no' }) }),
    shownBy: 'result',
  },
  {
    name: 'a refusal made a success',
    mutate: patch(
      'effect.ended',
      '7',
      result({ ok: true, exit_code: 0, result: '', truncated: false, denied: false }),
    ),
    shownBy: 'result',
  },
  { name: 'another time in the trace', mutate: patch('effect.ended', '2', { ms: 99 }), shownBy: 'result' },
  {
    name: 'another request hash',
    mutate: patch('effect.started', '4', { hash: 'f'.repeat(32) }),
    shownBy: 'effect',
  },
  {
    name: 'another kind of effect',
    mutate: patch('effect.started', '4', { kind: 'ask' }),
    shownBy: 'effect',
  },
  { name: 'swapped results', mutate: swapResults('3.1', '3.3'), shownBy: 'result' },
  {
    name: 'swapped records of two effects',
    mutate: swap(['effect.started', '4'], ['effect.started', '7']),
    shownBy: 'journal',
  },
  {
    name: 'swapped trace entries',
    mutate: (entries) => {
      const [i, j] = entries.flatMap((entry, index) => (entry.type === 'trace.added' ? [index] : [])) as [
        number,
        number,
      ];
      [entries[i], entries[j]] = [entries[j] as JournalEntry, entries[i] as JournalEntry];
    },
    shownBy: 'trace',
  },
  { name: 'a missing end', mutate: drop(['effect.ended', '4']), shownBy: 'effect' },
  { name: 'a missing start', mutate: drop(['effect.started', '4']), shownBy: 'journal' },
  {
    name: 'a missing effect',
    mutate: drop(['effect.started', '4'], ['effect.ended', '4']),
    shownBy: 'effect',
  },
  { name: 'a missing trace entry', mutate: drop(['trace.added']), shownBy: 'trace' },
  { name: 'a missing beginning', mutate: (entries) => void entries.shift(), shownBy: 'journal' },
  { name: 'a missing question', mutate: drop(['question.asked']), shownBy: 'journal' },
  {
    name: 'an effect that the program does not ask for',
    mutate: (entries) => {
      const at = indexOf(entries, 'effect.started', '7');
      const [started, ended] = [entries[at], entries[indexOf(entries, 'effect.ended', '7')]] as [
        JournalEntry & { key: string },
        JournalEntry & { key: string },
      ];
      entries.splice(at, 0, { ...started, key: '8' } as JournalEntry, { ...ended, key: '8' } as JournalEntry);
    },
    shownBy: 'effect',
  },
  {
    name: 'another text of the result',
    mutate: patch('run.ended', undefined, { text: { value: 'another' } }),
    shownBy: 'result',
  },
  { name: 'another status', mutate: patch('run.ended', undefined, { status: 'failed' }), shownBy: 'result' },
  { name: 'another number of steps', mutate: patch('run.ended', undefined, { steps: 7 }), shownBy: 'steps' },
  {
    name: 'an answer of the caller that nobody gave',
    mutate: patch('question.answered', undefined, { answer: { value: 'never said' } }),
    shownBy: null,
  },
  {
    name: 'an answer by somebody else',
    mutate: patch('question.answered', undefined, { by: 'operator' }),
    shownBy: null,
  },
  { name: 'a missing answer', mutate: drop(['question.answered']), shownBy: null },
  {
    name: 'a changed turn of the model',
    mutate: patch('effect.ended', '1/1', result({ value: 2 })),
    shownBy: null,
  },
  {
    name: 'a missing turn of the model',
    mutate: drop(['effect.started', '3.2/1'], ['effect.ended', '3.2/1']),
    shownBy: null,
  },
  {
    name: 'a pause that was not',
    mutate: (entries) =>
      void entries.splice(
        3,
        0,
        { type: 'run.paused', at: 1, reason: 'stopped', usedMs: 0 },
        { type: 'run.resumed', at: 1 },
      ),
    shownBy: null,
  },
  {
    name: 'other settings',
    mutate: (entries) =>
      patch('run.started', undefined, {
        settings: { ...(entries[0] as RunStarted).settings, trusted: false },
      })(entries),
    shownBy: null,
  },
];

describe('a planted divergence', () => {
  it('is none in a run that was only copied', async () => {
    expect((await replayChanged(() => {}, false)).divergences).toEqual([]);
    expect((await replayChanged(() => {}, true)).divergences).toEqual([]);
    expect(planted.length).toBeGreaterThanOrEqual(30);
  });

  it.each(planted.map(({ name, ...rest }) => [name, rest] as const))(
    'is caught: %s',
    async (_name, { mutate, shownBy }) => {
      const report = await replayChanged(mutate, false);
      expect(report.same).toBe(false);
      // Whoever changed it may have made the fingerprint fit.
      const forged = await replayChanged(mutate, true);
      expect([
        forged.same,
        shownBy === null ? null : forged.divergences.find(({ what }) => what === shownBy)?.what,
      ]).toEqual([shownBy === null, shownBy]);
    },
  );

  it('is caught in a blob: changed, or gone', async () => {
    const { store, runner } = open(join(base, 'runs'));
    const run = recorded.result.run as string;
    const ended = (await store.read(run))
      .map(({ entry }) => entry)
      .find((entry): entry is EffectEnded => entry.type === 'effect.ended' && entry.key === '6');
    const { blob } = (ended as EffectEnded).result as { blob: string };
    const path = join(base, 'blobs', 'sha256', blob.slice(7, 9), blob.slice(9));
    expect(readdirSync(join(path, '..'))).toContain(blob.slice(9));
    writeFileSync(path, JSON.stringify(said('b'.repeat(15_000))));
    await expect(runner.replay(run)).rejects.toMatchObject({ code: 'BLOB_CORRUPT' });
    rmSync(path);
    await expect(runner.replay(run)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
    await blobs.put(
      new TextEncoder().encode(
        JSON.stringify({ answer: 'B'.repeat(15_000), exhausted: false, turns: 1, truncated: false }),
      ),
    );
    expect((await runner.replay(run)).divergences).toEqual([]);
  });

  it('is caught in the last entry of a run that a person ended', async () => {
    const { store, runner } = open(join(base, 'cancelled'));
    const paused = await runner.start({ skill: 'p', input: { word: 'x' } });
    const run = paused.run as string;
    await runner.cancel(run, 'enough', 'me');
    expect((await runner.replay(run)).divergences).toEqual([]);
    const entries = (await store.read(run)).map(({ entry }) => entry);
    const last = entries.at(-1) as RunEnded;
    for (const change of [{ text: { value: 'completed' } }, { steps: last.steps + 1 }]) {
      const other = open(join(base, `changed-${(made += 1)}`));
      await other.store.release(
        await other.store.create(run, [...entries.slice(0, -1), { ...last, ...change }]),
      );
      expect((await other.runner.replay(run)).same).toBe(false);
    }
  });
});
