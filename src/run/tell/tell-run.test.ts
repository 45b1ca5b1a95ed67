// A message to a run, with a store whose owner is a matter of the test. `done` is what was asked of the store, in order.
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-run-host.ts';
import { TechneError } from '../../base/error.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { createMemoryBlobs } from '../../ports/memory-blobs.ts';
import type { InboxMessage, RunStore, StoredEntry } from '../../ports/run-store.ts';
import { defaultLimits } from '../budget/limits.ts';
import { StoredValues } from '../run-facts.ts';
import { checkMessages, tellRun } from './tell-run.ts';

const entries = (...more: readonly JournalEntry[]): JournalEntry[] => [
  {
    type: 'run.started',
    at: 1,
    run: 'R',
    skill: { name: 'one', digest: 'd', source: 's' },
    files: {},
    profile: 'p',
    input: { value: null },
    limits: { ...defaultLimits },
    settings: {},
    parent: null,
  } as unknown as JournalEntry,
  { type: 'owner.claimed', at: 1, epoch: 1, owner: 'a' } as unknown as JournalEntry,
  ...more,
];
const paused = { type: 'run.paused', at: 2, questions: [], decisions: [] } as unknown as JournalEntry;
const ended = { type: 'run.ended', at: 3, status: 'completed', usage: {} } as unknown as JournalEntry;
const cancelled: JournalEntry = { type: 'cancel.requested', at: 2, by: 'other', reason: 'x' };
const cancel: InboxMessage = { kind: 'cancel', by: 'caller', reason: 'enough' };
const answer = (question: string): InboxMessage => ({
  kind: 'answer',
  question,
  nonce: 'n',
  value: 'so',
  from: 'caller',
});

function scene(journal: JournalEntry[], onClaim: (tries: number) => void = () => undefined) {
  const done: string[] = [];
  const appended: (readonly JournalEntry[])[] = [];
  let claims = 0;
  const store = {
    read: async () => journal.map((entry, seq): StoredEntry => ({ seq, entry })),
    claim: async () => {
      claims += 1;
      onClaim(claims);
      done.push('claimed');
      return { run: 'R', epoch: 2, seq: journal.length };
    },
    append: async (_claim: unknown, seq: number, added: readonly JournalEntry[]) => {
      done.push(`appended at ${seq}`);
      appended.push(added);
    },
    release: async () => void done.push('released'),
    post: async (_run: string, { kind }: InboxMessage) => void done.push(`posted ${kind}`),
  } as unknown as RunStore;
  const waits: unknown[] = [];
  const clock = Object.assign(new FakeClock(), {
    after: (ms: number, task: () => void, what?: string) => {
      waits.push([ms, what]);
      queueMicrotask(task);
      return { cancel: () => undefined };
    },
  });
  const parts = { store, clock, values: new StoredValues(createMemoryBlobs(nodeSha256)) };
  return { parts, done, appended, waits, claims: () => claims };
}
const owned = (): never => {
  throw new TechneError('RUN_OWNED', 'another process drives it');
};

describe('tellRun', () => {
  it('records a message in the journal of a run that nobody owns', async () => {
    const { parts, done, appended } = scene(entries(paused));
    expect(await tellRun(parts, 'R', [cancel])).toBe('recorded');
    expect(done).toEqual(['claimed', 'appended at 3', 'released']);
    expect(appended).toEqual([[{ type: 'cancel.requested', at: 1_000_000, by: 'caller', reason: 'enough' }]]);
  });

  it('claims nothing when nothing is to be recorded', async () => {
    const { parts, done } = scene(entries(cancelled));
    expect(await tellRun(parts, 'R', [cancel])).toBe('recorded');
    expect(done).toEqual([]);
  });

  it('appends nothing when it was recorded while the run was claimed, and releases the run', async () => {
    const journal = entries(paused);
    const { parts, done } = scene(journal, () => void journal.push(cancelled));
    expect(await tellRun(parts, 'R', [cancel])).toBe('recorded');
    expect(done).toEqual(['claimed', 'released']);
  });

  it('looks only at what was there when it claimed the run', async () => {
    const journal = entries(paused);
    const { parts, appended } = scene(journal);
    const claim = parts.store.claim.bind(parts.store);
    parts.store.claim = async (run) => {
      const claimed = await claim(run);
      journal.push(cancelled);
      return claimed;
    };
    await tellRun(parts, 'R', [cancel]);
    expect(appended).toHaveLength(1);
  });

  it('releases the run when it cannot append', async () => {
    const { parts, done } = scene(entries(paused));
    parts.store.append = async () => {
      throw new TechneError('JOURNAL_FULL', 'full');
    };
    await expect(tellRun(parts, 'R', [cancel])).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
    expect(done).toEqual(['claimed', 'released']);
  });

  it('posts at once to the owner of a run that goes on', async () => {
    const { parts, done, waits } = scene(entries(), owned);
    expect(await tellRun(parts, 'R', [cancel, cancel])).toBe('posted');
    expect([done, waits]).toEqual([['posted cancel', 'posted cancel'], []]);
  });

  it('tries a paused run again, for it is owned only for a moment', async () => {
    const { parts, done, waits } = scene(entries(paused), (tries) => void (tries < 3 && owned()));
    expect(await tellRun(parts, 'R', [cancel])).toBe('recorded');
    expect(done).toEqual(['claimed', 'appended at 3', 'released']);
    expect(waits).toEqual([
      [20, 'wait'],
      [20, 'wait'],
    ]);
  });

  it('posts to a paused run that is still owned after two seconds', async () => {
    const { parts, done, waits, claims } = scene(entries(paused), owned);
    expect(await tellRun(parts, 'R', [cancel])).toBe('posted');
    expect([done, claims(), waits.length]).toEqual([['posted cancel'], 100, 99]);
  });

  it('is done when the owner has recorded the same meanwhile', async () => {
    const journal = entries(paused);
    const { parts, done } = scene(journal, () => {
      journal.push(cancelled);
      owned();
    });
    expect(await tellRun(parts, 'R', [cancel])).toBe('recorded');
    expect(done).toEqual([]);
  });

  it.each([
    ['says that the run has ended meanwhile', false, 'RUN_ENDED'],
    ['is done when nothing is left to do in a run that has ended', true, 'recorded'],
  ])('%s', async (_what, isSeen, outcome) => {
    const journal = entries(paused);
    const { parts, done } = scene(journal, () => {
      if (isSeen) journal.push(ended);
      throw new TechneError('RUN_ENDED', 'it has ended');
    });
    const told = tellRun(parts, 'R', [cancel]).catch(({ code }: TechneError) => code);
    expect([await told, done]).toEqual([outcome, []]);
  });

  it.each([new TechneError('JOURNAL_CORRUPT', 'damaged'), new Error('a bug')])(
    'gives any other fault of the claim to its caller: %s',
    async (fault) => {
      const { parts, done, claims } = scene(entries(paused), () => {
        throw fault;
      });
      await expect(tellRun(parts, 'R', [cancel])).rejects.toBe(fault);
      expect([done, claims()]).toEqual([[], 1]);
    },
  );
});

describe('checkMessages', () => {
  it('throws the reason of a single message as it is, and names the question of several', async () => {
    const { parts, done } = scene(entries(paused));
    await expect(checkMessages(parts, 'R', [answer('Q')])).rejects.toMatchObject({
      code: 'QUESTION_UNKNOWN',
      message: 'run R has no open question Q',
      hint: 'techne runs show R',
    });
    await expect(checkMessages(parts, 'R', [cancel, answer('Q')])).rejects.toMatchObject({
      code: 'QUESTION_UNKNOWN',
      message: 'question Q: run R has no open question Q',
      hint: 'techne runs show R',
      cause: { message: 'run R has no open question Q' },
    });
    expect(done).toEqual([]);
  });

  it('has no hint where there is none, and leaves other messages and bugs as they are', async () => {
    const asked = {
      type: 'question.asked',
      at: 1,
      id: 'Q',
      nonce: 'other',
      audience: 'caller',
      key: '1',
      question: { value: { type: 'ask' } },
      expiresAt: null,
    } as unknown as JournalEntry;
    const { parts } = scene(entries(asked, paused));
    const refused = await checkMessages(parts, 'R', [answer('Q'), cancel]).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'ANSWER_REFUSED', hint: null });
    const decision: InboxMessage = { kind: 'decision', key: '9', as: 'retry', value: null, by: 'person' };
    await expect(checkMessages(parts, 'R', [cancel, decision])).rejects.toMatchObject({
      message: 'run R has no call "9" that waits for a decision',
    });
    const bug = new Error('a bug');
    Object.assign(parts.values, { load: () => Promise.reject(bug) });
    await expect(checkMessages(parts, 'R', [answer('Q'), cancel])).rejects.toBe(bug);
  });
});
