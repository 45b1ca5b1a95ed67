// How entries get into the journal: in order, together, and none after a fault.
import { describe, expect, it } from 'vitest';
import { turns } from '../../../test/support/fake-run-host.ts';
import { ended, started, trace } from '../../journal/sample-entries.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { createMemoryBlobs } from '../../ports/memory-blobs.ts';
import { defaultLimits } from '../budget/limits.ts';
import { StoredValues } from '../run-facts.ts';
import { Fingerprint, RunClosing, RunLog } from './run-log.ts';

const run = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const kindOf = (entry: JournalEntry): string => (entry.type === 'trace.added' ? entry.kind : entry.type);

interface Append {
  readonly seq: number;
  readonly kinds: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A log whose appends end when the test says so. */
function openLog(entries: readonly JournalEntry[] = []) {
  const appends: Append[] = [];
  const faults: Error[] = [];
  let yields = 0;
  let onYield: (() => void)[] = [];
  let timer: (() => void) | null = null;
  const log = new RunLog({
    store: {
      append: (_claim, seq, batch) =>
        new Promise((resolve, reject) => {
          appends.push({ seq, kinds: batch.map(kindOf), resolve, reject });
        }),
    },
    claim: { run, epoch: 1, seq: 7 },
    sha256: nodeSha256,
    clock: {
      yieldTurn: () => {
        yields += 1;
        return new Promise((resolve) => onYield.push(resolve));
      },
      after: (_ms, task) => {
        timer = task;
        return { cancel: () => (timer = null) };
      },
    },
    entries,
    onFault: (error) => faults.push(error),
  });
  return {
    log,
    appends,
    faults,
    get yields() {
      return yields;
    },
    pass: () => {
      const all = onYield;
      onYield = [];
      for (const resume of all) resume();
      return turns();
    },
    get isPatient() {
      return timer !== null;
    },
    runOut: () => {
      timer?.();
      timer = null;
      return turns();
    },
    written: () => appends.map(({ seq, kinds }) => `${seq} ${kinds.join(' ')}`),
  };
}

/** What becomes of a flush, as it is now. */
function watch(flush: Promise<void>): { state: string } {
  const seen = { state: 'waiting' };
  flush.then(
    () => (seen.state = 'durable'),
    (error: unknown) => (seen.state = String(error)),
  );
  return seen;
}

describe('RunLog', () => {
  it('appends what was added in one turn together, and what comes meanwhile with the next', async () => {
    const { log, appends, written } = openLog();
    log.add(trace('a'));
    const first = watch(log.flush());
    log.add(trace('b'));
    await turns();
    expect(written()).toEqual(['7 a b']);
    log.add(trace('c'));
    const second = watch(log.flush());
    log.add(trace('d'));
    await turns();
    expect([written().length, first.state]).toEqual([1, 'waiting']);
    appends[0]?.resolve();
    await turns();
    expect([written(), first.state, second.state]).toEqual([['7 a b', '9 c d'], 'durable', 'waiting']);
    appends[1]?.resolve();
    await turns();
    expect([second.state, written().length]).toEqual(['durable', 2]);
  });

  it('has nothing to write when all is durable', async () => {
    const { log, written } = openLog();
    await log.flush();
    expect(written()).toEqual([]);
  });

  it('writes soon what nobody waits for, after a turn, and once', async () => {
    const scene = openLog();
    const { log, written } = scene;
    log.flushSoon();
    expect(scene.yields).toBe(0);
    log.add(trace('a'));
    log.flushSoon();
    log.flushSoon();
    await turns();
    expect([scene.yields, written()]).toEqual([1, []]);
    await scene.pass();
    expect(written()).toEqual(['7 a']);
    scene.appends[0]?.resolve();
    await turns();
    log.flushSoon();
    expect(scene.yields).toBe(1);
    log.add(trace('b'));
    log.flushSoon();
    expect(scene.yields).toBe(2);
    await scene.pass();
    expect(written()).toEqual(['7 a', '8 b']);
  });

  it('ends with the first fault: all that wait get it, and nothing more is written', async () => {
    const { log, appends, faults, written, yields } = openLog();
    log.add(trace('a'));
    const first = watch(log.flush());
    await turns();
    log.add(trace('b'));
    const second = watch(log.flush());
    expect(log.fault).toBeNull();
    const lost = new Error('the disk is gone');
    appends[0]?.reject(lost);
    await turns();
    expect([first.state, second.state, faults, log.fault]).toEqual([
      'Error: the disk is gone',
      'Error: the disk is gone',
      [lost],
      lost,
    ]);
    log.add(trace('c'));
    await expect(log.flush()).rejects.toBe(lost);
    log.flushSoon();
    await turns();
    expect([written(), yields, faults.length]).toEqual([['7 a'], 0, 1]);
  });

  it('lets what is written soon wait for an effect that is about to begin, so that both are one append', async () => {
    const scene = openLog();
    const { log, appends, written, pass } = scene;
    log.add(trace('end'));
    log.expect('2');
    log.flushSoon();
    await pass();
    expect([written(), scene.isPatient]).toEqual([[], true]);
    log.add(trace('start'));
    const flush = watch(log.flush());
    log.met('2');
    await turns();
    expect([written(), scene.isPatient]).toEqual([['7 end start'], false]);
    appends[0]?.resolve();
    await turns();
    expect(flush.state).toBe('durable');
  });

  it('waits for it no longer than its patience, and not for one that does not begin', async () => {
    const scene = openLog();
    const { log, appends, written, pass } = scene;
    log.expect('2');
    log.add(trace('a'));
    log.flushSoon();
    await pass();
    await scene.runOut();
    expect(written()).toEqual(['7 a']);
    appends[0]?.resolve();
    await turns();
    log.add(trace('b'));
    log.flushSoon();
    await pass();
    expect(written()).toEqual(['7 a']);
    log.expect('3');
    log.met('3');
    expect(scene.isPatient).toBe(true);
    log.met('2');
    await turns();
    expect([written(), scene.isPatient]).toEqual([['7 a', '8 b'], false]);
  });

  it('takes for a fault what a store throws at once, and what is no error', async () => {
    const faults: Error[] = [];
    const log = new RunLog({
      store: {
        append: () => {
          // oxlint-disable-next-line no-throw-literal -- stores are given by others
          throw 'words';
        },
      },
      claim: { run, epoch: 1, seq: 0 },
      sha256: nodeSha256,
      clock: { yieldTurn: async () => undefined, after: () => ({ cancel: () => undefined }) },
      entries: [],
      onFault: (error) => faults.push(error),
    });
    log.add(trace('a'));
    await expect(log.flush()).rejects.toThrow('words');
    expect(faults.map(({ message }) => message)).toEqual(['words']);
  });

  it('has the same fingerprint, whether entries were there or were added', () => {
    const { log } = openLog([started(run), trace('a')]);
    const other = openLog([started(run)]);
    expect(log.fingerprint).not.toBe(other.log.fingerprint);
    other.log.add(trace('a'));
    expect(log.fingerprint).toBe(other.log.fingerprint);
  });
});

describe('Fingerprint', () => {
  const of = (entries: readonly JournalEntry[]): string => {
    const fingerprint = new Fingerprint(nodeSha256);
    for (const entry of entries) fingerprint.add(entry);
    return fingerprint.value();
  };
  const many = (count: number): readonly JournalEntry[] =>
    Array.from({ length: count }, (_, at) => trace(`t${at}`));

  it('is part of the format: sixty-four entries are hashed together', () => {
    const lines = (entries: readonly JournalEntry[]): string =>
      entries.map((entry) => `\n${JSON.stringify(entry)}`).join('');
    const hash = (text: string): string => nodeSha256(text).slice(0, 32);
    expect(of([])).toBe('');
    expect(of(many(63))).toBe(hash(lines(many(63))));
    expect(of(many(64))).toBe(hash(lines(many(64))));
    expect(of(many(65))).toBe(hash(`${hash(lines(many(64)))}${lines(many(65).slice(64))}`));
  });

  it('does not count claims, nor the end', () => {
    const claimed: JournalEntry = {
      type: 'owner.claimed',
      at: 1,
      epoch: 2,
      owner: 'x',
      sealed: { epoch: 1, bytes: 1, chain: 'c' },
    };
    expect(of([started(run), claimed, trace('a'), ended()])).toBe(of([started(run), trace('a')]));
  });

  it('changes with every order', () => {
    expect(of([trace('a'), trace('b')])).not.toBe(of([trace('b'), trace('a')]));
  });
});

describe('RunClosing', () => {
  type Parts = ConstructorParameters<typeof RunClosing>[0];
  const usage = { steps: 4, wallMs: 9 } as unknown as ReturnType<Parts['usage']>;

  /** `done` is what happened, in order: entries, flushes, events and the rest. */
  function scene(
    more: { readonly questions?: number; readonly undecided?: number; readonly fault?: Error } = {},
  ) {
    const done: unknown[] = [];
    const closing = new RunClosing({
      run: 'R',
      skill: 'one',
      log: {
        add: (entry: JournalEntry) => done.push(entry),
        flush: async () => void done.push('flushed'),
        fault: more.fault ?? null,
        get fingerprint() {
          return `print of ${done.length}`;
        },
      } as unknown as Parts['log'],
      store: { release: async () => void done.push('released') } as unknown as Parts['store'],
      claim: { run: 'R', epoch: 1, seq: 0 },
      values: new StoredValues(createMemoryBlobs(nodeSha256)),
      clock: { nowMs: () => 7 } as unknown as Parts['clock'],
      limits: { ...defaultLimits, wallMs: 90_000 },
      waiting: {
        questions: () => Array.from({ length: more.questions ?? 0 }, () => ({ id: 'Q', body: {} })),
        undecided: () =>
          Array.from({ length: more.undecided ?? 0 }, () => ({ key: '1', kind: 'command', request: {} })),
      } as unknown as Parts['waiting'],
      onEvent: (event) => done.push({ event }),
      usage: () => usage,
      abandonNested: async () => void done.push('abandoned'),
    });
    return { closing, done };
  }

  it('ends a run: nested runs first, then the entry, the release, the event and the result', async () => {
    const { closing, done } = scene();
    expect(closing.isClosed).toBe(false);
    const result = await closing.completed({ answer: 'so' }, [], 0);
    const { text } = result;
    expect(done).toEqual([
      'abandoned',
      {
        type: 'run.ended',
        at: 7,
        status: 'completed',
        text: { value: text },
        error: null,
        usage,
        steps: 4,
        fingerprint: 'print of 1',
      },
      'flushed',
      'released',
      { event: { type: 'run.ended', run: 'R', at: 7, status: 'completed', code: null, usage } },
    ]);
    expect(result).toMatchObject({
      status: 'completed',
      run: 'R',
      skill: 'one',
      error: null,
      envelope: { answer: 'so' },
      questions: [],
      undecided: [],
      usage,
    });
    expect(closing.isClosed).toBe(true);
  });

  it('says why a result is partial, and cuts a long reason', async () => {
    const { closing, done } = scene();
    const message = 'x'.repeat(100_000);
    const result = await closing.completed({ answer: 'so' }, [], 0, { code: 'C', message });
    expect(result).toMatchObject({ status: 'partial', error: { code: 'C', hint: null } });
    expect(result.error?.message.length).toBeLessThan(message.length);
    expect(done.at(-1)).toMatchObject({ event: { status: 'partial', code: 'C' } });
  });

  it('fails, is cancelled and runs out of time with a code', async () => {
    expect(await scene().closing.failed('C', 'no')).toMatchObject({
      status: 'failed',
      envelope: null,
      error: { code: 'C', message: 'no', hint: null },
    });
    expect(await scene().closing.cancelled()).toMatchObject({
      status: 'cancelled',
      error: { code: 'CANCELLED', message: 'cancelled' },
    });
    expect(await scene().closing.timedOut()).toMatchObject({
      status: 'failed',
      error: { code: 'TIMEOUT', message: 'timeout (90 s) exceeded' },
    });
  });

  it('detaches once, durably, and not after a fault', async () => {
    const { closing, done } = scene();
    await closing.detach();
    await closing.detach();
    expect(done).toEqual([{ type: 'run.detached', at: 7, usedMs: 9 }, 'flushed']);
    expect(closing.isClosed).toBe(true);
    const faulty = scene({ fault: new Error('gone') });
    await faulty.closing.detach();
    expect([faulty.done, faulty.closing.isClosed]).toEqual([[], false]);
  });

  it('adds nothing to a run that diverged, and lets it go', async () => {
    const { closing, done } = scene();
    const result = await closing.diverged('another prompt');
    expect([done, closing.isClosed]).toEqual([['flushed', 'released'], true]);
    expect(result).toMatchObject({
      status: 'failed',
      envelope: null,
      error: {
        code: 'NONDETERMINISM',
        message: 'another prompt',
        hint: 'the run was not changed; it can be resumed with the version that started it',
      },
    });
    expect(result.text).toContain('NONDETERMINISM: another prompt');
  });

  it('pauses with what it waits for, and lets the run go', async () => {
    const stopped = scene();
    expect(await stopped.closing.paused('stopped')).toMatchObject({ status: 'paused', undecided: [] });
    expect(stopped.done).toEqual([
      { type: 'run.paused', at: 7, reason: 'stopped', usedMs: 9 },
      'flushed',
      'released',
      { event: { type: 'run.paused', run: 'R', at: 7, reason: 'stopped', questions: 0, undecided: 0 } },
    ]);
    expect(stopped.closing.isClosed).toBe(true);
  });
});
