// Puts the tree of a proposal in the place of a skill, or takes it away again: all of it, or nothing, whatever happens meanwhile.
//
//   proposal + direction -> staged beside the skill -> verified -> intent on the disk -> renames -> state and audit -> intent removed
//
// I1. Before the intent is on the disk nothing of the skill is touched. After that the change is finished by this process or by
//     the next one that opens the queue (`heal`).
// I2. What is put in place was read back from the disk after it was staged, and has the digest of the proposal. What is taken
//     away has the digest that the proposal says, or nothing is done (STALE).
// I3. A skill folder is moved by renames, never written to in place: it is the old one or the new one, whole.
// I4. The audit names each change that was made once.
import { basename, dirname, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import { inFolder, isThere, removeIn } from '../../hub/stage/held-folder.ts';
import { guarded } from '../../hub/stage/stage.ts';
import { isExactly, readTree, writeTree } from '../../hub/stage/tree.ts';
import { makeFolders, syncFolder } from '../../node/files/durable.ts';
import type { AuditEntry, Proposal } from '../../proposals/proposal.ts';
import type { ProposalQueue } from './queue.ts';

/** What is done, and what the audit says about it. */
export interface InstallOrder {
  readonly act: 'accepted' | 'auto-enabled' | 'rolled-back';
  readonly by: string;
  readonly reason: string;
  readonly details: JsonObject;
}

interface Side {
  readonly folder: string;
  readonly digest: string;
}

interface Intent {
  readonly proposal: string;
  readonly take: Side | null;
  readonly put: Side | null;
  readonly order: InstallOrder;
}

const treeLimits = { files: 10_000, bytes: 64 * 1024 * 1024 };

/** The places before and after the change; a rollback swaps them. */
export function sidesOf(proposal: Proposal): { readonly before: Side | null; readonly after: Side | null } {
  const { folder, base, candidate, newName } = proposal;
  return {
    before: base === null ? null : { folder, digest: base },
    after:
      candidate === null
        ? null
        : { folder: newName === null ? folder : join(dirname(folder), newName), digest: candidate },
  };
}

/** Throws STALE, PROPOSAL_CHANGED, LOCKED, and faults of files. Gives the proposal in its new state. */
export async function installChange(
  queue: ProposalQueue,
  id: string,
  order: InstallOrder,
): Promise<Proposal> {
  return queue.exclusively(async () => {
    await healNow(queue);
    const proposal = await queue.get(id);
    const isBack = order.act === 'rolled-back';
    const wanted = isBack ? 'accepted' : 'pending';
    if (proposal.state !== wanted)
      throw new TechneError('STALE', `proposal ${id} is ${proposal.state}, not ${wanted}`, {
        hint: `"techne proposals history ${id}" shows what happened`,
      });
    const { before, after } = sidesOf(proposal);
    const [take, put] = isBack ? [after, before] : [before, after];
    const tree = await queue.tree(proposal, isBack ? 'base' : 'candidate');
    await checkPlaces(queue, take, put);
    const intent: Intent = { proposal: id, take, put, order };
    try {
      if (put !== null && tree !== null) await stage(queue, id, put, tree);
      await queue.replace(intentFile(queue), `${JSON.stringify(intent)}\n`);
      await goOn(queue, intent);
    } catch (error) {
      // Finished or taken back now, or, where that fails too, by the next process.
      await healNow(queue);
      if (put !== null) await discard(queue, stagedPath(id, put));
      const now = await queue.get(id);
      if (now.state === proposal.state) throw error;
      return now;
    }
    return queue.get(id);
  });
}

/** Finishes what a killed process began. Gives whether there was anything. */
export async function heal(queue: ProposalQueue): Promise<boolean> {
  if (!(await guarded(queue.folder, () => isThere(queue.calls, intentFile(queue))))) return false;
  return queue.exclusively(() => healNow(queue));
}

async function healNow(queue: ProposalQueue): Promise<boolean> {
  const text = await queue.readText(intentFile(queue));
  if (text === null) return false;
  const intent = parseIntent(text);
  if (intent === null)
    throw new TechneError('FILE_INVALID', `"${intentFile(queue)}" cannot be read`, {
      hint: 'look at the skill that was being changed, then remove the file',
    });
  await goOn(queue, intent);
  return true;
}

/** Can be done again from any point at which it was ended. */
async function goOn(queue: ProposalQueue, { proposal: id, take, put, order }: Intent): Promise<void> {
  const { calls } = queue;
  const staged = put === null ? null : stagedPath(id, put);
  const old = take === null ? null : oldPath(id, take);
  // Once the staged tree is in its place, what is there is not the old one.
  const isWaiting = staged === null || (await isThere(calls, staged));
  if (put !== null && !isWaiting && !(await hasDigest(queue, put.folder, put.digest))) {
    // Neither staged nor in place: there is nothing to put, so the old one comes back.
    if (take !== null && old !== null && (await isThere(calls, old)) && !(await isThere(calls, take.folder)))
      await calls.rename(old, take.folder);
    await queue.remove(intentFile(queue));
    return;
  }
  if (
    take !== null &&
    old !== null &&
    isWaiting &&
    !(await isThere(calls, old)) &&
    (await isThere(calls, take.folder))
  )
    await calls.rename(take.folder, old);
  if (put !== null && staged !== null && isWaiting) await calls.rename(staged, put.folder);
  for (const folder of new Set([take, put].flatMap((side) => (side === null ? [] : [dirname(side.folder)]))))
    await syncFolder(folder, calls);
  await record(queue, id, order);
  if (old !== null) await discard(queue, old);
  await queue.remove(intentFile(queue));
}

async function record(queue: ProposalQueue, id: string, order: InstallOrder): Promise<void> {
  const proposal = await queue.get(id);
  const state = order.act === 'rolled-back' ? 'rolled-back' : 'accepted';
  if (proposal.state === state) return;
  const { entries } = await queue.audit();
  const last = entries.filter((entry) => entry.proposal === id).at(-1);
  const entry: Omit<AuditEntry, 'at'> = { proposal: id, ...order };
  // The audit first: a change without a record must not exist.
  if (last?.act !== order.act) await queue.append(entry);
  await queue.setState(proposal, state);
}

async function checkPlaces(queue: ProposalQueue, take: Side | null, put: Side | null): Promise<void> {
  const stale = (message: string): TechneError =>
    new TechneError('STALE', `nothing was changed: ${message}`, {
      hint: 'check the proposal again, or have it made anew from what is there now',
    });
  if (take !== null && (await queue.installed(take.folder))?.digest !== take.digest)
    throw stale(`"${take.folder}" is not what the change starts from`);
  if (put !== null && put.folder !== take?.folder && (await isThere(queue.calls, put.folder)))
    throw stale(`"${put.folder}" exists`);
}

async function stage(
  queue: ProposalQueue,
  id: string,
  put: Side,
  tree: NonNullable<Awaited<ReturnType<ProposalQueue['tree']>>>,
): Promise<void> {
  const { calls } = queue;
  const parent = dirname(put.folder);
  const staged = stagedPath(id, put);
  await makeFolders(calls, parent, 0o755);
  await discard(queue, staged);
  await inFolder(calls, parent, (folder) => writeTree(calls, folder, basename(staged), tree));
  if (!(await hasDigest(queue, staged, put.digest)))
    throw new TechneError('PROPOSAL_CHANGED', `the copy of proposal ${id} is not what was accepted`, {
      hint: 'try again',
    });
  await syncFolder(parent, calls);
}

async function hasDigest({ calls }: ProposalQueue, folder: string, digest: string): Promise<boolean> {
  const tree = await readTree(calls, folder, treeLimits);
  return tree !== null && isExactly(tree, digest);
}

async function discard({ calls }: ProposalQueue, path: string): Promise<void> {
  await inFolder(calls, dirname(path), (parent) => removeIn(calls, parent, basename(path)));
}

// Dot folders are not searched for skills.
function stagedPath(id: string, { folder }: Side): string {
  return join(dirname(folder), `.techne-new-${id}`);
}

function oldPath(id: string, { folder }: Side): string {
  return join(dirname(folder), `.techne-old-${id}`);
}

function intentFile({ folder }: ProposalQueue): string {
  return join(folder, 'intent.json');
}

function parseIntent(text: string): Intent | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const isSide = (side: unknown): boolean =>
    side === null ||
    (isJsonObject(side as never) &&
      typeof (side as Side).folder === 'string' &&
      typeof (side as Side).digest === 'string');
  const intent = value as Intent | null;
  return typeof intent === 'object' &&
    intent !== null &&
    /^[0-9a-f]{16}$/.test(intent.proposal) &&
    isSide(intent.take) &&
    isSide(intent.put) &&
    typeof intent.order?.act === 'string'
    ? intent
    : null;
}
