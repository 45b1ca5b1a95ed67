// The contract of the RunStore port.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JournalEntry } from '../journal/entry.ts';
import type { Claim, InboxMessage, RunFilter, RunStore, StoredEntry } from './run-store.ts';
import { eachPage } from '../journal/each-run.ts';
import { ended, started, trace } from '../journal/sample-entries.ts';
import { createUlids } from '../journal/ulid.ts';

export interface RunStoreWorld {
  readonly store: RunStore;
  /** A store of another process over the same runs. */
  readonly other: RunStore;
  /** From now on the owner of what `store` has claimed counts as dead. `store` itself does not notice. */
  killOwner(): void;
  /** How much later others see what was appended: 0 in a durable store. */
  readonly lagMs: number;
  close(): Promise<void>;
}

const cancel: InboxMessage = { kind: 'cancel', reason: 'enough', by: 'me' };
const answer: InboxMessage = {
  kind: 'answer',
  question: 'q1',
  nonce: 'n',
  value: { text: 'é "x"\n' },
  from: 'person',
};
const decision = {
  kind: 'decision',
  key: '3',
  as: 'done',
  value: [1, null],
  by: 'me',
} as const satisfies InboxMessage;

export function runStoreContract(implementation: string, open: () => Promise<RunStoreWorld>): void {
  describe(`RunStore: ${implementation}`, () => {
    let world: RunStoreWorld;
    let store: RunStore;
    let other: RunStore;
    let run: string;
    let nowMs = 1_700_000_000_000;
    const nextRun = createUlids({ nowMs: () => (nowMs += 1), randomBytes: (count) => new Uint8Array(count) });

    beforeEach(async () => {
      world = await open();
      ({ store, other } = world);
      run = nextRun();
    });
    afterEach(() => world.close());

    const entriesOf = async (from?: number): Promise<readonly JournalEntry[]> => {
      await lag();
      return (await other.read(run, from)).map(({ entry }) => entry);
    };
    const lag = (): Promise<void> => (world.lagMs === 0 ? Promise.resolve() : pass(world.lagMs));
    const begin = (): Promise<Claim> => store.create(run, [started(run)]);

    describe('create, append, read', () => {
      it('gives entries back in order, with their numbers', async () => {
        const claim = await begin();
        expect(claim).toEqual({ run, epoch: 1, seq: 1 });
        await store.append(claim, 1, [trace('a'), trace('b')]);
        await store.append(claim, 3, [ended()]);
        const expected = [started(run), trace('a'), trace('b'), ended()].map((entry, seq) => ({
          seq,
          entry,
        }));
        expect(await store.read(run)).toEqual(expected);
        await lag();
        expect(await other.read(run)).toEqual(expected);
        expect(await other.read(run, 2)).toEqual(expected.slice(2));
        expect(await other.read(run, 9)).toEqual([]);
      });

      it('keeps what is appended at once in the order of the calls', async () => {
        const claim = await begin();
        await Promise.all(Array.from({ length: 50 }, (_, n) => store.append(claim, n + 1, [trace(`t${n}`)])));
        expect(await entriesOf(1)).toEqual(Array.from({ length: 50 }, (_, n) => trace(`t${n}`)));
      });

      it('keeps any text, and large entries', async () => {
        const claim = await begin();
        const odd = ['', '\u0000\n\r\u2028', 'é 漢 😀', '\ud800', '\\"', 'x'.repeat(300_000)].map(trace);
        await store.append(claim, 1, odd);
        expect(await entriesOf(1)).toEqual(odd);
      });

      it('keeps what the entry was when it was appended', async () => {
        const claim = await begin();
        const entry = { ...trace('before') };
        const appending = store.append(claim, 1, [entry]);
        (entry as { kind: string }).kind = 'after';
        await appending;
        expect(await entriesOf(1)).toEqual([trace('before')]);
      });

      it('refuses a gap and a repeat, and takes what follows', async () => {
        const claim = await begin();
        await expect(store.append(claim, 2, [trace('gap')])).rejects.toMatchObject({
          code: 'JOURNAL_SEQUENCE',
        });
        await store.append(claim, 1, [trace('a')]);
        await expect(store.append(claim, 1, [trace('repeat')])).rejects.toMatchObject({
          code: 'JOURNAL_SEQUENCE',
        });
        await store.append(claim, 2, [trace('b')]);
        expect(await entriesOf(1)).toEqual([trace('a'), trace('b')]);
      });

      it('refuses what is there, what is not there and what cannot be', async () => {
        await begin();
        await expect(store.create(run, [started(run)])).rejects.toMatchObject({ code: 'RUN_EXISTS' });
        await expect(other.create(run, [started(run)])).rejects.toMatchObject({ code: 'RUN_EXISTS' });
        for (const name of [nextRun(), '', '.', '..', '../x', 'a/b', 'a\0b', '__proto__']) {
          await expect(store.read(name)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
          await expect(store.claim(name)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
          await expect(store.post(name, cancel)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
          await expect(store.remove(name)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
        }
        await expect(store.create('../x', [started(run)])).rejects.toBeInstanceOf(RangeError);
      });
    });

    describe('claim and release', () => {
      it('refuses a run that someone owns, naming the owner', async () => {
        await begin();
        await expect(other.claim(run)).rejects.toMatchObject({
          code: 'RUN_OWNED',
          message: expect.stringContaining('owned by') as unknown,
        });
        await expect(store.claim(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
      });

      it('gives a released run to the next one, with an entry that says so', async () => {
        const first = await begin();
        await store.append(first, 1, [trace('a')]);
        await store.release(first);
        await store.release(first);
        const second = await other.claim(run);
        expect(second).toEqual({ run, epoch: 2, seq: 3 });
        await other.append(second, 3, [trace('b')]);
        expect(await entriesOf(1)).toEqual([
          trace('a'),
          expect.objectContaining({ type: 'owner.claimed', epoch: 2 }),
          trace('b'),
        ]);
        await expect(store.append(first, 2, [trace('late')])).rejects.toMatchObject({ code: 'OWNER_LOST' });
        await other.release(second);
        const third = await store.claim(run);
        expect(third).toEqual({ run, epoch: 3, seq: 5 });
        await store.append(third, 5, [ended()]);
        expect(await entriesOf(5)).toEqual([ended()]);
      });

      it('gives a run that has ended to nobody, and leaves it as it is', async () => {
        const first = await begin();
        await store.append(first, 1, [ended()]);
        await expect(other.claim(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
        await store.release(first);
        for (const one of [other, store])
          await expect(one.claim(run)).rejects.toMatchObject({ code: 'RUN_ENDED' });
        expect(await entriesOf()).toEqual([started(run), ended()]);
        await other.remove(run);
        await expect(store.claim(run)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
      });

      it('gives the run of a dead owner away, and refuses what that owner appends later', async () => {
        const first = await begin();
        await store.append(first, 1, [trace('a')]);
        await lag();
        world.killOwner();
        const second = await other.claim(run);
        await other.append(second, second.seq, [trace('b')]);
        const outcome = await store.append(first, 2, [trace('stale')]).then(
          () => 'taken',
          (error: { code: string }) => error.code,
        );
        expect(outcome).toBe(world.lagMs === 0 ? 'OWNER_LOST' : 'taken');
        await lag();
        await expect(store.append(first, 2, [trace('stale')])).rejects.toMatchObject({ code: 'OWNER_LOST' });
        await store.release(first);
        await other.append(second, second.seq + 1, [trace('c')]);
        const kept = [
          started(run),
          trace('a'),
          expect.objectContaining({ type: 'owner.claimed' }) as unknown,
          trace('b'),
          trace('c'),
        ];
        expect(await entriesOf()).toEqual(kept);
        expect((await store.read(run)).map(({ entry }) => entry)).toEqual(kept);
      });

      it('lets one of several claimers win', async () => {
        const first = await begin();
        await store.release(first);
        const outcomes = await Promise.allSettled(
          Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? store : other).claim(run)),
        );
        const won = outcomes.filter(({ status }) => status === 'fulfilled');
        expect(won.length).toBe(1);
        const refused = outcomes
          .filter((outcome) => outcome.status === 'rejected')
          .map(({ reason }) => (reason as { code: string }).code);
        expect(refused).toEqual(Array.from({ length: 5 }, () => 'RUN_OWNED'));
        expect(await entriesOf(1)).toEqual([
          expect.objectContaining({
            type: 'owner.claimed',
            epoch: (won[0] as PromiseFulfilledResult<Claim>).value.epoch,
          }),
        ]);
      });

      it('lets go of everything when it is closed', async () => {
        const claim = await begin();
        await store.append(claim, 1, [trace('a')]);
        await store.close();
        expect(await entriesOf(1)).toEqual([trace('a')]);
        expect((await other.claim(run)).epoch).toBe(2);
      });
    });

    describe('the inbox', () => {
      const receiveAll = (from: RunStore, claim: Claim): { got: [string, InboxMessage][]; close(): void } => {
        const got: [string, InboxMessage][] = [];
        return { got, ...from.receive(claim, (id, message) => got.push([id, message])) };
      };

      it('gives messages that wait, then those that come, from any process', async () => {
        const claim = await begin();
        await other.post(run, answer);
        await store.post(run, decision);
        const receiving = receiveAll(store, claim);
        const { got } = receiving;
        await vi.waitFor(() => expect(got.map(([, message]) => message)).toEqual([answer, decision]));
        await other.post(run, cancel);
        await vi.waitFor(() => expect(got.map(([, message]) => message)).toEqual([answer, decision, cancel]));
        receiving.close();
        await other.post(run, cancel);
        await pass(30);
        expect(got.length).toBe(3);
      });

      it('keeps the order in which two processes post, however fast they are', async () => {
        const claim = await begin();
        for (let at = 0; at < 12; at += 1)
          await (at % 2 === 0 ? store : other).post(run, { ...decision, key: `${at}` });
        const receiving = receiveAll(store, claim);
        const keys = (): string[] =>
          receiving.got.map(([, message]) => (message.kind === 'decision' ? message.key : message.kind));
        await vi.waitFor(() => expect(keys()).toEqual(Array.from({ length: 12 }, (_, at) => `${at}`)));
        receiving.close();
      });

      it('gives each message once to an owner, and again to the next one until it is acknowledged', async () => {
        const claim = await begin();
        await other.post(run, answer);
        await other.post(run, cancel);
        const first = receiveAll(store, claim);
        await vi.waitFor(() => expect(first.got.length).toBe(2));
        await store.acknowledge(claim, first.got[0]?.[0] as string);
        first.close();
        const again = receiveAll(store, claim);
        await pass(30);
        expect(again.got).toEqual([]);
        await store.release(claim);
        const next = await other.claim(run);
        const second = receiveAll(other, next);
        await vi.waitFor(() => expect(second.got).toEqual([first.got[1]]));
        await pass(30);
        expect(second.got.length).toBe(1);
        await expect(store.acknowledge(claim, first.got[1]?.[0] as string)).rejects.toMatchObject({
          code: 'OWNER_LOST',
        });
        expect(() => store.receive(claim, () => {})).toThrow(
          expect.objectContaining({ code: 'OWNER_LOST' }) as Error,
        );
      });

      it('keeps a message for a run that nobody owns', async () => {
        await store.release(await begin());
        await other.post(run, answer);
        const { got } = receiveAll(other, await other.claim(run));
        await vi.waitFor(() => expect(got.map(([, message]) => message)).toEqual([answer]));
      });
    });

    describe('subscribe', () => {
      const follow = (
        from: RunStore,
        first: number,
      ): { got: StoredEntry[]; faults: unknown[]; close(): void } => {
        const got: StoredEntry[] = [];
        const faults: unknown[] = [];
        return {
          got,
          faults,
          ...from.subscribe(
            run,
            first,
            (entries) => void got.push(...entries),
            (error) => faults.push(error),
          ),
        };
      };

      it('gives what is there and what comes, to each in order and once, across owners', async () => {
        const claim = await begin();
        await store.append(claim, 1, [trace('a')]);
        const [here, there] = [follow(store, 0), follow(other, 1)];
        await vi.waitFor(() => expect([here.got.length, there.got.length]).toEqual([2, 1]));
        await Promise.all(Array.from({ length: 20 }, (_, n) => store.append(claim, n + 2, [trace(`t${n}`)])));
        await store.release(claim);
        const next = await other.claim(run);
        await other.append(next, next.seq, [ended()]);
        await vi.waitFor(() => expect([here.got.length, there.got.length]).toEqual([24, 23]));
        const all = await store.read(run);
        expect(here.got).toEqual(all);
        expect(there.got).toEqual(all.slice(1));
        expect([...here.faults, ...there.faults]).toEqual([]);
      });

      it('is silent after it is closed', async () => {
        const claim = await begin();
        const following = follow(other, 0);
        const { got } = following;
        await vi.waitFor(() => expect(got.length).toBe(1));
        following.close();
        await store.append(claim, 1, [trace('a')]);
        await pass(30);
        expect(got.length).toBe(1);
      });

      it('says that a run is unknown, or was removed', async () => {
        const unknown = follow(other, 0);
        await vi.waitFor(() => expect(unknown.faults).toMatchObject([{ code: 'RUN_UNKNOWN' }]));
        const claim = await begin();
        await store.append(claim, 1, [ended()]);
        await store.release(claim);
        const { got, faults } = follow(other, 0);
        await vi.waitFor(() => expect(got.length).toBe(2));
        await store.remove(run);
        await vi.waitFor(() => expect(faults).toMatchObject([{ code: 'RUN_UNKNOWN' }]));
      });
    });

    describe('list', () => {
      it('gives the newest first, page by page', async () => {
        const runs = Array.from({ length: 7 }, () => nextRun());
        for (const each of runs) await store.create(each, [started(each)]);
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<RunStore['list']>> = await other.list(
            cursor === null ? { limit: 3 } : { limit: 3, cursor },
          );
          expect(page.runs.length).toBeLessThanOrEqual(3);
          seen.push(...page.runs.map((summary) => summary.run));
          ({ cursor } = page);
        } while (cursor !== null);
        expect(seen).toEqual(runs.reverse());
        expect((await other.list({ limit: 7 })).cursor).toBeNull();
      });

      it('is empty without runs', async () => {
        expect(await other.list({ limit: 5 })).toEqual({ runs: [], cursor: null });
      });

      it('leaves out what does not fit, and gives every run that does', async () => {
        const runs = Array.from({ length: 6 }, () => nextRun());
        for (const [at, each] of runs.entries()) {
          const first = started(each);
          const claim = await store.create(each, [
            {
              ...first,
              skill: { ...first.skill, name: at % 2 === 0 ? 'tides' : 'wind' },
              settings: { ...first.settings, workspace: at < 3 ? '/work/a' : '/work/b' },
            },
          ]);
          if (at === 0 || at === 5)
            await store.append(claim, 1, [{ type: 'run.paused', at: 5, reason: 'question', usedMs: 4 }]);
          if (at === 1) await store.append(claim, 1, [ended()]);
          if (at === 2) await store.release(claim);
        }
        await lag();
        const given = async (only: RunFilter): Promise<readonly number[]> => {
          const found: number[] = [];
          for await (const page of eachPage(other, { after: null, limit: 2, only })) {
            expect(page.runs.length).toBeLessThanOrEqual(2);
            found.push(...page.runs.map((one) => runs.indexOf(one.run)));
          }
          return found;
        };
        expect(await given({})).toEqual([5, 4, 3, 2, 1, 0]);
        expect(await given({ skill: 'tides' })).toEqual([4, 2, 0]);
        expect(await given({ workspace: '/work/b' })).toEqual([5, 4, 3]);
        expect(await given({ statuses: ['paused'] })).toEqual([5, 0]);
        expect(await given({ statuses: ['interrupted', 'completed'] })).toEqual([2, 1]);
        expect(await given({ statuses: ['running'] })).toEqual([4, 3]);
        expect(await given({ statuses: [] })).toEqual([]);
        expect(await given({ skill: 'wind', workspace: '/work/b', statuses: ['paused'] })).toEqual([5]);
        expect(await given({ skill: 'wind', statuses: ['completed'] })).toEqual([1]);
        expect(await given({ workspace: '/work/a', statuses: ['completed', 'paused'] })).toEqual([1, 0]);
      });

      it('says what each run is doing', async () => {
        const claim = await begin();
        const only = async (): Promise<unknown> => {
          await lag();
          return (await other.list({ limit: 5 })).runs[0];
        };
        const base = { run, skill: 'tides', startedAt: 1, endedAt: null, parent: null, workspace: null };
        expect(await only()).toEqual({ ...base, status: 'running' });
        await store.append(claim, 1, [{ type: 'run.paused', at: 5, reason: 'question', usedMs: 4 }]);
        expect(await only()).toEqual({ ...base, status: 'paused' });
        await store.append(claim, 2, [
          { type: 'run.resumed', at: 6 },
          { type: 'run.paused', at: 7, reason: 'decision', usedMs: 4 },
        ]);
        expect(await only()).toEqual({ ...base, status: 'needs_decision' });
        await store.append(claim, 4, [{ type: 'run.resumed', at: 8 }]);
        await store.release(claim);
        expect(await only()).toEqual({ ...base, status: 'interrupted' });
        const next = await other.claim(run);
        await other.append(next, next.seq, [ended()]);
        expect(await only()).toEqual({ ...base, status: 'completed', endedAt: 9 });
      });
    });

    describe('remove', () => {
      it('takes an ended run away', async () => {
        const claim = await begin();
        await store.append(claim, 1, [ended()]);
        await expect(other.remove(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
        await expect(store.remove(run, { force: true })).rejects.toMatchObject({ code: 'RUN_OWNED' });
        await store.release(claim);
        await other.remove(run);
        await expect(store.read(run)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
        expect((await store.list({ limit: 5 })).runs).toEqual([]);
        await expect(other.remove(run)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
      });

      it('takes a run that has not ended away only by force', async () => {
        await store.release(await begin());
        await expect(other.remove(run)).rejects.toMatchObject({ code: 'RUN_UNFINISHED' });
        await other.remove(run, { force: true });
        await expect(store.read(run)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
      });
    });
  });
}

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
