// A run written on a faulty disk, stopped at a call, found again, stopped again, and finished.
import { createFileRunStore } from '../../../src/node/store-file/run-store.ts';
import type { Watching } from '../../../src/ports/watching.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import type { Claim, RunStore, StoredEntry } from '../../../src/ports/run-store.ts';
import { effectEnded, effectStarted, ended, started, trace } from '../../../src/journal/sample-entries.ts';
import type { FaultPlan, Random } from '../../support/faulty-journal-files.ts';
import { FaultyDisk, seededRandom } from '../../support/faulty-journal-files.ts';

const run = '01HF7YAT000000000000000000';
const self = { pid: 1, startedAt: null, bootId: null, pidSpace: null, host: 'here' };
const watching: Watching = { watchFolder: () => ({ close: () => {} }), after: () => ({ close: () => {} }) };

/** What is appended, in this order, whatever happens between. */
export const script: readonly JournalEntry[] = [
  started(run),
  ...Array.from({ length: 20 }, (_, n) => [
    effectStarted(String(n)),
    { ...trace('x'.repeat((n * 397) % 1500)), at: n },
    effectEnded(String(n)),
  ]).flat(),
  ended(),
];

export interface CrashCase {
  /** Of everything that is chosen by chance. */
  readonly seed: number;
  /** The call at which the machine stops first. */
  readonly stopAt: number;
}

/** How many changing calls the whole run makes without a fault. */
export async function countCalls(seed: number): Promise<number> {
  const disk = new FaultyDisk();
  const store = openStore(disk);
  await writeOn(store, await store.create(run, script.slice(0, 1)), 1, seededRandom(seed), () => {});
  await store.close();
  return disk.calls;
}

/** Throws when a promise of the store was broken. Gives how often the machine was stopped. */
export async function crashRun({ seed, stopAt }: CrashCase): Promise<number> {
  const random = seededRandom(seed);
  let disk = new FaultyDisk({ stopAt });
  let acknowledged = 0;
  let postsKept = 0;
  for (let stops = 0; ; stops += 1) {
    const store = openStore(disk);
    const outcome = await Promise.race([
      disk.stopped.then(() => 'stopped' as const),
      work(
        store,
        random,
        acknowledged,
        postsKept,
        (seq) => (acknowledged = Math.max(acknowledged, seq)),
        () => (postsKept += 1),
      ),
    ]);
    if (outcome !== 'stopped') return stops;
    if (stops > 40) throw new Error('never finished');
    // Most restarts are left to finish, so that the end is looked at.
    const plan: FaultPlan =
      random() < 0.4 ? {} : { stopAt: 1 + Math.floor(random() * (random() < 0.5 ? 10 : 40)) };
    disk = random() < 0.4 ? disk.killed(plan) : disk.restarted(random, plan);
  }
}

async function work(
  store: RunStore,
  random: Random,
  acknowledged: number,
  posts: number,
  onAppended: (seq: number) => void,
  onPosted: () => void,
): Promise<'done'> {
  let claim: Claim;
  let next = 1;
  // Not always: a read syncs what it gives, and a claim must not rely on that.
  const found = acknowledged > 0 && random() < 0.5 ? [] : await readIfThere(store);
  if (found === null) {
    if (acknowledged > 0) throw new Error(`the run is gone, and ${acknowledged} entries were acknowledged`);
    const made = await createIfFree(store);
    // The machine stopped while the run was being made; nobody was told that there is one.
    if (made === null) return 'done';
    claim = made;
    onAppended(1);
  } else {
    next = found.length === 0 ? 0 : checked(found, acknowledged);
    const taken = await claimUnlessEnded(store);
    if (taken === null) return finish(store);
    claim = taken;
    const after = await store.read(run);
    // Reading before and after a claim gives the same (S4).
    if (checked(after, acknowledged) < next) throw new Error('the claim took entries back');
    next = checked(after, acknowledged);
    await checkInbox(store, claim, posts);
  }
  await store.post(run, { kind: 'cancel', reason: 'r', by: 'b' });
  onPosted();
  await writeOn(store, claim, next, random, onAppended);
  return finish(store);
}

async function finish(store: RunStore): Promise<'done'> {
  if (checked(await store.read(run), script.length) !== script.length)
    throw new Error('the run is not whole');
  await store.close();
  return 'done';
}

/** `null`: the last entry is there, so nobody can go on. */
async function claimUnlessEnded(store: RunStore): Promise<Claim | null> {
  try {
    return await store.claim(run);
  } catch (error) {
    if ((error as { code?: string }).code === 'RUN_ENDED') return null;
    throw error;
  }
}

async function createIfFree(store: RunStore): Promise<Claim | null> {
  try {
    return await store.create(run, script.slice(0, 1));
  } catch (error) {
    if ((error as { code?: string }).code === 'RUN_EXISTS') return null;
    throw error;
  }
}

function openStore(disk: FaultyDisk): RunStore {
  // Whoever owned the run before the machine stopped is dead.
  return createFileRunStore({
    folder: '/runs',
    files: disk.files,
    watching,
    owners: { self, isDead: () => true },
    pollMs: 3_600_000,
    nowMs: () => 5,
  });
}

async function readIfThere(store: RunStore): Promise<readonly StoredEntry[] | null> {
  try {
    return await store.read(run);
  } catch (error) {
    if ((error as { code?: string }).code === 'RUN_UNKNOWN') return null;
    throw error;
  }
}

/** How many entries of the script are there: from its start, without a gap, and at least those acknowledged. */
function checked(found: readonly StoredEntry[], acknowledged: number): number {
  const entries = found.map(({ entry }) => entry).filter(({ type }) => type !== 'owner.claimed');
  if (found.some(({ seq }, index) => seq !== index)) throw new Error('the numbers have a gap');
  if (entries.length < acknowledged)
    throw new Error(`${entries.length} entries are left, and ${acknowledged} were acknowledged`);
  for (const [index, entry] of entries.entries()) {
    if (JSON.stringify(entry) !== JSON.stringify(script[index]))
      throw new Error(`entry ${index} is not the one that was appended`);
  }
  return entries.length;
}

async function checkInbox(store: RunStore, claim: Claim, posts: number): Promise<void> {
  if (posts === 0) return;
  const got = await new Promise<number>((resolve) => {
    let count = 0;
    const receiving = store.receive(claim, () => {
      count += 1;
      if (count < posts) return;
      receiving.close();
      resolve(count);
    });
    setTimeout(() => {
      receiving.close();
      resolve(count);
    }, 2000).unref();
  });
  if (got < posts) throw new Error(`${got} messages are left of ${posts}`);
}

/** Appends one by one, two at once, or in one call, by chance. */
async function writeOn(
  store: RunStore,
  claim: Claim,
  from: number,
  random: Random,
  onAppended: (seq: number) => void,
): Promise<void> {
  let next = from;
  let { seq } = claim;
  while (next < script.length) {
    const appending: Promise<void>[] = [];
    for (let calls = 1 + Math.floor(random() * 4); calls > 0 && next < script.length; calls -= 1) {
      const entries = script.slice(next, next + 1 + Math.floor(random() * 3));
      next += entries.length;
      const reached = next;
      appending.push(store.append(claim, seq, entries).then(() => onAppended(reached)));
      seq += entries.length;
    }
    await Promise.all(appending);
  }
}
