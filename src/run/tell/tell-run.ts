// Answers, a decision or a cancel -> entries in the journal of their run, or messages to the process that owns the run.
//
// Both are checked in the same way first, and several messages are recorded together or not at all. A paused run is owned only for a moment, by another process that sends it
// something: then this is tried again, so that one of two answers is refused and none is lost.
import { TechneError } from '../../base/error.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { foldRun } from '../../journal/run-state.ts';
import type { Claim, InboxMessage, RunStore } from '../../ports/run-store.ts';
import type { RunClock } from '../../ports/run-clock.ts';
import type { StoredValues } from '../run-facts.ts';
import type { MergeParts } from './message-entries.ts';
import { mergeMessage } from './message-entries.ts';

/** `recorded`: it is in the journal, and `resume` continues. `posted`: the owner of the run will get it. */
export type Delivery = 'recorded' | 'posted';

/** Two seconds: a process that only sends a message does not own the run for so long. */
const [mostTries, betweenTries] = [100, 20];

interface TellParts {
  readonly store: RunStore;
  readonly clock: RunClock;
  readonly values: StoredValues;
}

export async function tellRun(
  { store, clock, values }: TellParts,
  run: string,
  messages: readonly InboxMessage[],
): Promise<Delivery> {
  const parts = { nowMs: clock.nowMs(), values };
  // Checked first, so that the caller gets the reason of a refusal, also when another process owns the run.
  const before = await merge(messages, { ...parts, state: foldRun(await store.read(run)) });
  if (before.length === 0) return 'recorded';
  let claim: Claim | null = null;
  for (let tries = 1; claim === null; tries += 1) {
    try {
      claim = await store.claim(run);
    } catch (error) {
      if (!(error instanceof TechneError) || (error.code !== 'RUN_ENDED' && error.code !== 'RUN_OWNED'))
        throw error;
      // Something has happened since: then nothing is to be written, or the caller gets the reason.
      const state = foldRun(await store.read(run));
      if ((await merge(messages, { ...parts, state })).length === 0) return 'recorded';
      if (error.code === 'RUN_ENDED') throw error;
      if (state.paused === null || tries === mostTries) {
        for (const message of messages) await store.post(run, message);
        return 'posted';
      }
      await new Promise<void>((resolve) => clock.after(betweenTries, resolve, 'wait'));
    }
  }
  try {
    const { seq } = claim;
    const state = foldRun((await store.read(run)).slice(0, seq));
    const entries = await merge(messages, { ...parts, state });
    if (entries.length > 0) await store.append(claim, seq, entries);
  } finally {
    await store.release(claim);
  }
  return 'recorded';
}

/** Throws why one of them is refused, before any is recorded. */
export async function checkMessages(
  { store, clock, values }: TellParts,
  run: string,
  messages: readonly InboxMessage[],
): Promise<void> {
  await merge(messages, { nowMs: clock.nowMs(), values, state: foldRun(await store.read(run)) });
}

async function merge(
  messages: readonly InboxMessage[],
  parts: Omit<MergeParts, 'message'>,
): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (const message of messages) {
    try {
      entries.push(...(await mergeMessage({ ...parts, message })));
    } catch (error) {
      // Of several, the caller has to know which.
      if (messages.length === 1 || message.kind !== 'answer' || !(error instanceof TechneError)) throw error;
      throw new TechneError(error.code, `question ${message.question}: ${error.message}`, {
        ...(error.hint === null ? {} : { hint: error.hint }),
        cause: error,
      });
    }
  }
  return entries;
}
