// An owner that goes on while another one takes its run over, and someone who watches.
import { createFileRunStore } from '../../../src/node/store-file/run-store.ts';
import type { OwnerRecord } from '../../../src/node/files/owner-record.ts';
import type { Watching } from '../../../src/ports/watching.ts';
import type { RunStore, StoredEntry } from '../../../src/ports/run-store.ts';
import { started, trace } from '../../../src/journal/sample-entries.ts';
import { FaultyDisk, seededRandom } from '../../support/faulty-journal-files.ts';

const run = '01HF7YAT000000000000000000';
const watching: Watching = { watchFolder: () => ({ close: () => {} }), after: () => ({ close: () => {} }) };

/** Throws when an entry that was acknowledged or read is not in the journal in the end. */
export async function takeOver(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const disk = new FaultyDisk({ turns: random });
  // Everyone takes the first owner for dead, and nobody else.
  const open = (pid: number): RunStore =>
    createFileRunStore({
      folder: '/runs',
      files: disk.files,
      watching,
      pollMs: 1,
      owners: { self: ownerOf(pid), isDead: (owner) => owner.pid === 1 },
    });
  const [slow, next, third] = [open(1), open(2), open(3)];
  const claim = await slow.create(run, [started(run)]);
  const seen: StoredEntry[] = [];
  const faults: Error[] = [];
  const watcher = third.subscribe(
    run,
    0,
    (entries) => seen.push(...entries),
    (error) => faults.push(error),
  );
  let acknowledged = 1;
  const writing = (async () => {
    for (;;) {
      await slow.append(claim, acknowledged, [trace(`slow ${acknowledged}`)]);
      acknowledged += 1;
    }
  })();
  const refused = writing.catch((error: { code: string }) => error.code);
  for (let rest = Math.floor(random() * 120); rest > 0; rest -= 1)
    await new Promise((resolve) => setImmediate(resolve));
  const taken = await next.claim(run);
  await next.append(taken, taken.seq, [trace('next')]);
  if ((await refused) !== 'OWNER_LOST') throw new Error(`the slow owner was told ${await refused}`);
  const all = await next.read(run);
  if (taken.seq - 1 < acknowledged)
    throw new Error(`${taken.seq - 1} entries were taken over, and ${acknowledged} were acknowledged`);
  for (let rest = 200; rest > 0 && seen.length < all.length; rest -= 1)
    await new Promise((resolve) => setTimeout(resolve, 2));
  watcher.close();
  if (faults.length > 0) throw faults[0] as Error;
  if (JSON.stringify(seen) !== JSON.stringify(all)) throw new Error('what was seen is not what is there');
  await Promise.all([slow.close(), next.close(), third.close()]);
}

function ownerOf(pid: number): OwnerRecord {
  return { pid, startedAt: null, bootId: null, pidSpace: null, host: 'here' };
}
