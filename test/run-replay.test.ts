// Recorded runs of all kinds in a real folder, replayed by a runner that has never seen them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../src/base/json.ts';
import { isJsonObject } from '../src/base/json.ts';
import { createFileBlobs } from '../src/node/files/blobs.ts';
import { createFileRunStore } from '../src/node/store-file/run-store.ts';
import { nodeSha256 } from '../src/node/environment.ts';
import { createNodeFiles } from '../src/node/files/files.ts';
import type { Answerer } from '../src/ports/answerer.ts';
import { AnswerLater } from '../src/ports/answerer.ts';
import type { Blobs } from '../src/ports/blobs.ts';
import type { CommandHost } from '../src/ports/command-host.ts';
import { createMemoryRuns, createMemoryRunStore } from '../src/journal/memory-run-store.ts';
import type { RunStore } from '../src/ports/run-store.ts';
import { createMemoryBlobs } from '../src/ports/memory-blobs.ts';
import type { PendingQuestion, RunResult } from '../src/run/result/result.ts';
import type { Runner } from '../src/run/runner.ts';
import { createRunner } from '../src/run/create-runner.ts';
import {
  FakeAnswerer,
  FakeClock,
  FakeCommands,
  fakeIds,
  fakeSkills,
  turns,
} from './support/fake-run-host.ts';
import type { Pick } from './support/random-program.ts';
import { createPick, randomProgram } from './support/random-program.ts';

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'techne-replay-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const owners = {
  self: { pid: 1, startedAt: null, bootId: null, pidSpace: null, host: 'here' },
  isDead: () => true,
};
const watching = { watchFolder: () => ({ close: () => {} }), after: () => ({ close: () => {} }) };
// One for all: names of runs must not repeat in one folder.
const ids = fakeIds();

/** Every fourth run is kept in files, the others in memory: the engine is the same, and a thousand folders take long. */
interface Place {
  readonly blobs: Blobs;
  open(): RunStore;
}

function openFiles(): Place {
  const open = (): RunStore =>
    createFileRunStore({ folder: join(base, 'runs'), durable: false, owners, watching, pollMs: 3_600_000 });
  return { open, blobs: createFileBlobs(join(base, 'blobs'), createNodeFiles(), nodeSha256) };
}

function openMemory(): Place {
  const runs = createMemoryRuns();
  const open = (): RunStore => {
    const store = createMemoryRunStore({ runs, nowMs: () => 1 });
    return { ...store, close: () => Promise.resolve(store.die()) };
  };
  return { open, blobs: createMemoryBlobs(nodeSha256) };
}

/** One recorded run and what it went through. */
interface Recorded {
  readonly result: RunResult;
  readonly paused: number;
  readonly undecided: number;
  readonly crashed: boolean;
}

class Recording {
  readonly #pick: Pick;
  readonly #clock = new FakeClock();
  readonly #answerer = new FakeAnswerer();
  readonly #commands = new FakeCommands();
  readonly #controller = new AbortController();
  readonly #program: string;
  readonly #seed: number;
  readonly #place: Place;
  #paused = 0;
  #undecided = 0;

  constructor(seed: number, place: Place) {
    this.#seed = seed;
    this.#place = place;
    this.#program = randomProgram(seed);
    const ownPick = createPick(seed + 77);
    this.#pick = ownPick;
    // An ask is entered again after a crash or a pause, and must then do the same: what it does depends on its prompt only.
    this.#answerer.onAsk = async ({ prompt, schema }, { child }) => {
      const pick = createPick(
        seed + prompt.length * 31 + Buffer.from(prompt).reduce((sum, byte) => sum + byte, 0),
      );
      this.#clock.pass(pick(40));
      if (pick(40) === 0) throw new Error('the model is gone');
      if (pick(60) === 0) this.#clock.pass(400_000);
      if (pick(60) === 0) this.#controller.abort();
      if (pick(9) === 0) throw new AnswerLater(pick(2) === 0 ? 'caller' : 'person');
      if (pick(3) > 0)
        await child('turn', { prompt }, true, async () => ({
          value: pick(9),
          usage: { inputTokens: pick(90), outputTokens: pick(9), costMicros: pick(5) },
        }));
      if (pick(4) === 0)
        await child('tool', { prompt }, pick(2) === 0, async () => ({ value: 'é'.repeat(pick(9)) }));
      if (schema !== null) return pick(3) === 0 ? 'no number' : `{"n": ${pick(9)}}`;
      return {
        answer: `${prompt}:${'é🌍"\n'.repeat(pick(12) === 0 ? 4_000 : pick(20))}`,
        exhausted: pick(2) === 0,
        turns: 1 + pick(3),
      };
    };
    this.#commands.onCommand = () => {
      this.#clock.pass(ownPick(25));
      const text = 'line\n'.repeat(ownPick(10) === 0 ? 5_000 : ownPick(9));
      return { exitCode: ownPick(3), stdout: text, combined: text, timedOut: ownPick(9) === 0 };
    };
    this.#commands.onJudge = (_call, _caller, approval) => {
      if (approval !== null)
        return approval === 'once' || approval === 'always'
          ? { kind: 'allow' }
          : { kind: 'deny', reason: 'the operator said no' };
      const kind = ownPick(12);
      return kind === 0
        ? { kind: 'deny', reason: 'not this one' }
        : kind === 1
          ? { kind: 'approve', reason: 'it is new' }
          : { kind: 'allow' };
    };
  }

  async record(): Promise<Recorded> {
    const crashAt = this.#pick(8) === 0 ? 1 + this.#pick(12) : null;
    const limits = [
      {},
      {},
      { asks: 50, commands: 100 },
      { tokens: 60 },
      { steps: 40_000 },
      { traceEntries: 1 },
      { resultUnits: 1_000 },
      { parallel: 1, commands: 1 },
    ][this.#pick(8)];
    const start = {
      skill: 'one',
      input: { n: this.#seed },
      limits: limits as object,
      signal: this.#controller.signal,
    };
    let result = await this.#start(crashAt, (runner) => runner.start(start));
    const crashed = result === null;
    let run: string | null = result?.run ?? null;
    if (result === null) {
      const store = this.#place.open();
      run = (await store.list({ limit: 1 })).runs[0]?.run ?? null;
      await store.close();
      result = await this.#start(null, (runner) => (run === null ? runner.start(start) : runner.resume(run)));
    }
    for (
      let rounds = 0;
      result !== null && (result.status === 'paused' || result.status === 'needs_decision');
      rounds += 1
    ) {
      if (rounds > 60) throw new Error(`seed ${this.#seed} waits for ever`);
      const waits: RunResult = result;
      await this.#tellAll(waits);
      result = await this.#start(null, (runner) => runner.resume(waits.run as string));
    }
    return { result: result as RunResult, paused: this.#paused, undecided: this.#undecided, crashed };
  }

  /** A process of its own, as far as the store is concerned. Null when it was made to crash. */
  async #start(
    crashAt: number | null,
    work: (runner: Runner) => Promise<RunResult>,
  ): Promise<RunResult | null> {
    const store = this.#place.open();
    let appends = 0;
    let crash = (): void => {};
    const crashed = new Promise<null>((resolve) => (crash = () => resolve(null)));
    const dying: RunStore = {
      ...store,
      append: async (...all) => {
        appends += 1;
        if (crashAt === null || appends < crashAt) return store.append(...all);
        if (appends === crashAt) crash();
        return new Promise<never>(() => {});
      },
    };
    const result = await Promise.race([crashed, work(this.#runner(dying))]);
    if (result === null) await turns(2);
    await store.close();
    return result;
  }

  async #tellAll({ run, questions, undecided }: RunResult): Promise<void> {
    const store = this.#place.open();
    const runner = this.#runner(store);
    for (const question of questions) {
      this.#paused += 1;
      const from = question.audience;
      await runner.answer(run as string, {
        question: question.id,
        nonce: question.nonce,
        value: this.#answerTo(question),
        from,
      });
    }
    for (const { key } of undecided) {
      this.#undecided += 1;
      const as = (['done', 'retry', 'fail'] as const)[this.#pick(3)] as 'done';
      await runner.decide(run as string, { key, as, value: as === 'done' ? 'it is done' : null, by: 'me' });
    }
    await store.close();
  }

  #answerTo({ question, audience }: PendingQuestion): Json {
    if (isJsonObject(question) && question['type'] === 'approval')
      return ['once', 'always', 'deny', 'never'][this.#pick(4)] as string;
    if (isJsonObject(question) && question['schema'] !== undefined) return { n: this.#pick(100) };
    if (audience === 'person' && this.#pick(20) === 0) return '/cancel';
    return `said by the ${audience} ${'ü'.repeat(this.#pick(30))}`;
  }

  #runner(store: RunStore): Runner {
    return createRunner({
      store,
      ids,
      blobs: this.#place.blobs,
      clock: this.#clock,
      sha256: nodeSha256,
      answerers: [this.#answerer],
      commands: this.#commands,
      skills: fakeSkills({ one: { program: this.#program } }),
    });
  }
}

/** Nobody answers and nothing can be run: a replay performs nothing. */
function replayRunner(store: RunStore, blobs: Blobs): Runner {
  const answerer: Answerer = {
    name: 'script',
    description: '',
    fenced: true,
    answer: () => Promise.reject(new Error('asked in a replay')),
  };
  const commands: CommandHost = {
    judge: () => Promise.reject(new Error('judged in a replay')),
    run: () => Promise.reject(new Error('run in a replay')),
  };
  return createRunner({
    store,
    blobs,
    ids,
    clock: new FakeClock(),
    sha256: nodeSha256,
    answerers: [answerer],
    commands,
    skills: fakeSkills({}),
  });
}

describe('replay of recorded runs', () => {
  it('gives 1,000 runs again, byte for byte', async () => {
    const places = [openFiles(), openMemory(), openMemory(), openMemory()].map((place) => {
      const reader = place.open();
      return { place, reader, replayer: replayRunner(reader, place.blobs) };
    });
    const ends = new Map<string, number>();
    const went = { paused: 0, undecided: 0, crashed: 0, effects: 0 };
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const { place, replayer } = places[seed % 4] as (typeof places)[number];
      const { result, paused, undecided, crashed } = await new Recording(seed, place).record();
      if (result.run === null) throw new Error(`seed ${seed}: ${result.text}`);
      const replayed = await replayer.replay(result.run);
      expect([seed, ...replayed.divergences]).toEqual([seed]);
      expect([seed, replayed.text]).toEqual([seed, result.text]);
      const end = result.error?.code ?? result.status;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      went.paused += paused > 0 ? 1 : 0;
      went.undecided += undecided > 0 ? 1 : 0;
      went.crashed += crashed ? 1 : 0;
      went.effects += replayed.effects;
    }
    for (const { reader } of places) await reader.close();
    // Runs of all kinds are among them.
    expect([...ends.keys()]).toEqual(
      expect.arrayContaining([
        'completed',
        'ASK_BUDGET',
        'COMMAND_BUDGET',
        'TOKEN_BUDGET',
        'ASK_FAILED',
        'ANSWER_INVALID',
        'CANCELLED',
        'TIMEOUT',
        'HOST_ARGUMENTS',
        'STEP_LIMIT',
        'EVAL_FAIL',
        'DECIDED_FAILED',
      ]),
    );
    expect([went.paused > 150, went.crashed > 30, went.undecided > 3, went.effects > 2_000]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  }, 120_000);
});
