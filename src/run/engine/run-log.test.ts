// How entries get into the journal: in order, together, and none after a fault.
import { describe, expect, it } from 'vitest';
import { turns } from '../../../test/support/fake-run-host.ts';
import { ended, started, trace } from '../../journal/sample-entries.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { Fingerprint, RunLog } from './run-log.ts';

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
  const log = new RunLog({
    store: {
      append: (_claim, seq, batch) =>
        new Promise((resolve, reject) => {
          appends.push({ seq, kinds: batch.map(kindOf), resolve, reject });
        }),
    },
    claim: { run, epoch: 1, seq: 7 },
    sha256: nodeSha256,
    yieldTurn: () => {
      yields += 1;
      return new Promise((resolve) => onYield.push(resolve));
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
      yieldTurn: async () => undefined,
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
