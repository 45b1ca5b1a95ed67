// The proposals that wait, and what became of the others: files in the user's own folder, outside every root.
//
//   ~/.techne/proposals/ID/{proposal.json, report.json, candidate/NAME/…, base/NAME/…}
//   ~/.techne/proposals/{audit.jsonl, frozen.json, intent.json, mutex}
//
// Q1. A proposal appears whole: its folder is written under another name and renamed.
// Q2. Every change is made by one process at a time, under the mutex; a file is replaced by a rename, the audit is appended to.
// Q3. What is read back is verified: the record against its id, a tree against its digest. A damaged one is reported, never used.
import { promises } from 'node:fs';
import { dirname, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { HubCalls } from '../../hub/stage/held-folder.ts';
import { inChild, inFolder, isThere, removeIn, writeNew } from '../../hub/stage/held-folder.ts';
import { guarded } from '../../hub/stage/stage.ts';
import { isExactly, manifestOfFiles, readTree, writeTree } from '../../hub/stage/tree.ts';
import { nodeCrypto, nodeSha256 } from '../../node/environment.ts';
import { makeFolders, replaceFile, syncFolder } from '../../node/files/durable.ts';
import { codeOf, leadsNowhere } from '../../node/files/file-fault.ts';
import { withLockFile } from '../../node/files/lock-file.ts';
import type { CandidateTree } from '../../proposals/change-tree.ts';
import { candidateLimits } from '../../proposals/change-tree.ts';
import type { AuditEntry, Proposal, ProposalReport, ProposalState } from '../../proposals/proposal.ts';
import { proposalId } from '../../proposals/proposal.ts';
import {
  parseAudit,
  parseProposal,
  parseReport,
  renderAudit,
  renderProposal,
  renderReport,
} from '../../proposals/record-text.ts';

export interface QueueOptions {
  /** `~/.techne/proposals`. */
  readonly folder: string;
  /** Default: those of Node. */
  readonly calls?: HubCalls;
  /** ISO 8601, now. */
  readonly now: () => string;
  /** How long to wait for another process. Default: 10 seconds. */
  readonly waitMs?: number;
}

/** Who stopped automatic changes, when and why. */
export interface Freeze {
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly reason: string;
}

/** Something in the queue that cannot be used. */
export interface QueueFault {
  readonly path: string;
  readonly message: string;
}

export type NewProposal = Omit<Proposal, 'id' | 'state' | 'madeAt' | 'base' | 'candidate'>;

/** So that an agent cannot bury a person in proposals. */
const mostPending = 100;
const idPattern = /^[0-9a-f]{16}$/;
const treeLimits = { files: 10_000, bytes: 64 * 1024 * 1024 };
const maxRecordBytes = 1024 * 1024;

export function proposalsFolder(homeFolder: string): string {
  return join(homeFolder, '.techne', 'proposals');
}

export class ProposalQueue {
  readonly folder: string;
  readonly calls: HubCalls;
  readonly now: () => string;
  readonly #waitMs: number;

  constructor({ folder, calls = promises, now, waitMs = 10_000 }: QueueOptions) {
    this.folder = folder;
    this.calls = calls;
    this.now = now;
    this.#waitMs = waitMs;
  }

  /** One process at a time. Throws LOCKED. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return guarded(this.folder, () =>
      withLockFile(this.calls, join(this.folder, 'mutex'), this.#waitMs, work),
    );
  }

  /** Gives the one that is there, where the same bytes were proposed before. Throws PROPOSAL_REFUSED. */
  async add(
    given: NewProposal,
    base: CandidateTree | null,
    candidate: CandidateTree | null,
  ): Promise<{ readonly proposal: Proposal; readonly isNew: boolean }> {
    const bound = {
      ...given,
      base: base === null ? null : manifestOfFiles(base).digest,
      candidate: candidate === null ? null : manifestOfFiles(candidate).digest,
    };
    const proposal: Proposal = {
      id: proposalId(bound, nodeSha256),
      ...bound,
      why: bound.why.slice(0, candidateLimits.why),
      madeAt: this.now(),
      state: 'pending',
    };
    return this.exclusively(async () => {
      const there = await this.#read(proposal.id);
      if (there !== null && 'fault' in there) throw damaged(there.fault);
      if (there !== null) return { proposal: there.proposal, isNew: false };
      const { proposals } = await this.list();
      if (proposals.filter(({ state }) => state === 'pending').length >= mostPending)
        throw new TechneError('PROPOSAL_REFUSED', `${mostPending} proposals wait already`, {
          hint: 'a person has to look at them first: techne proposals list',
        });
      await this.#write(proposal, base, candidate);
      await this.append({
        proposal: proposal.id,
        act: 'proposed',
        by: proposal.origin.by,
        reason: proposal.why,
        details: {
          kind: proposal.kind,
          skill: proposal.skill,
          base: proposal.base,
          candidate: proposal.candidate,
        },
      });
      return { proposal, isNew: true };
    });
  }

  /** The oldest first. */
  async list(): Promise<{ readonly proposals: readonly Proposal[]; readonly faults: readonly QueueFault[] }> {
    const proposals: Proposal[] = [];
    const faults: QueueFault[] = [];
    for (const name of await this.#names()) {
      const read = await this.#read(name);
      if (read === null) continue;
      if ('fault' in read) faults.push(read.fault);
      else proposals.push(read.proposal);
    }
    proposals.sort((a, b) => (a.madeAt < b.madeAt ? -1 : a.madeAt > b.madeAt ? 1 : a.id < b.id ? -1 : 1));
    return { proposals, faults };
  }

  /** By its id, or the beginning of it (at least four digits). Throws PROPOSAL_UNKNOWN, FILE_INVALID. */
  async get(written: string): Promise<Proposal> {
    const found = /^[0-9a-f]{4,16}$/.test(written)
      ? (await this.#names()).filter((name) => name.startsWith(written))
      : [];
    if (found.length !== 1)
      throw new TechneError(
        'PROPOSAL_UNKNOWN',
        found.length === 0
          ? `there is no proposal "${printableLine(written).slice(0, 40)}"`
          : `${found.length} proposals begin with "${written}"`,
        { hint: '"techne proposals list --all" shows every one' },
      );
    const read = await this.#read(found[0] as string);
    if (read === null || 'fault' in read)
      throw damaged(read?.fault ?? { path: join(this.folder, found[0] as string), message: 'it is gone' });
    return read.proposal;
  }

  /** The folder that holds the tree, named like the skill; `null` where the change has none on that side. */
  treeFolder({ id, kind, skill, newName }: Proposal, side: 'base' | 'candidate'): string | null {
    if ((side === 'base' && kind === 'create') || (side === 'candidate' && kind === 'delete')) return null;
    return join(this.folder, id, side, side === 'candidate' && newName !== null ? newName : skill);
  }

  /** Verified against the digest of the proposal. Throws PROPOSAL_CHANGED. */
  async tree(proposal: Proposal, side: 'base' | 'candidate'): Promise<CandidateTree | null> {
    const folder = this.treeFolder(proposal, side);
    if (folder === null) return null;
    const tree = await guarded(folder, () => readTree(this.calls, folder, treeLimits));
    if (tree === null || !isExactly(tree, proposal[side] as string))
      throw new TechneError(
        'PROPOSAL_CHANGED',
        `the files of proposal ${proposal.id} are not those that were proposed`,
        {
          hint: `somebody changed them in "${folder}": reject it (techne proposals reject ${proposal.id})`,
        },
      );
    return new Map(tree.files.map(({ path, bytes, executable }) => [path, { bytes, executable }]));
  }

  /** What is at the place of the skill now; `null`: nothing. Throws PROPOSAL_REFUSED for what cannot be replaced. */
  async installed(folder: string): Promise<{ readonly tree: CandidateTree; readonly digest: string } | null> {
    const tree = await guarded(folder, () => readTree(this.calls, folder, treeLimits));
    if (tree === null) return null;
    const kept = [
      ...tree.strange,
      ...tree.excluded.filter((path) => /(?:^|\/)(?:\.git|node_modules)\/$/.test(path)),
    ];
    if (kept.length > 0)
      throw new TechneError(
        'PROPOSAL_REFUSED',
        `"${folder}" holds what a proposal cannot carry over: ${kept.slice(0, 5).map(printableLine).join(', ')}`,
        { hint: 'links, devices, repositories and installed packages stay in a skill only by hand' },
      );
    return {
      tree: new Map(tree.files.map(({ path, bytes, executable }) => [path, { bytes, executable }])),
      digest: tree.manifest.digest,
    };
  }

  /** Call it under `exclusively`. */
  async setState(proposal: Proposal, state: ProposalState): Promise<Proposal> {
    const next = { ...proposal, state };
    await this.replace(join(this.folder, proposal.id, 'proposal.json'), renderProposal(next));
    return next;
  }

  async report(id: string): Promise<ProposalReport | null> {
    const text = await this.#text(join(this.folder, id, 'report.json'));
    return text === null ? null : parseReport(text);
  }

  async keepReport(report: ProposalReport): Promise<void> {
    await guarded(this.folder, () =>
      this.replace(join(this.folder, report.proposal, 'report.json'), renderReport(report)),
    );
  }

  /** Call it under `exclusively`. */
  async append(entry: Omit<AuditEntry, 'at'>): Promise<void> {
    const path = this.auditFile;
    const before = (await this.#text(path, Infinity)) ?? '';
    // A line that a killed process left unfinished ends here; it is reported as torn.
    const start = before === '' || before.endsWith('\n') ? '' : '\n';
    const handle = await this.calls.open(path, 'a', 0o600);
    try {
      await handle.writeFile(start + renderAudit({ at: this.now(), ...entry }));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    if (before === '') await syncFolder(this.folder, this.calls);
  }

  async audit(): Promise<{ readonly entries: readonly AuditEntry[]; readonly torn: readonly number[] }> {
    return parseAudit((await this.#text(this.auditFile, Infinity)) ?? '');
  }

  get auditFile(): string {
    return join(this.folder, 'audit.jsonl');
  }

  isFrozen(): Promise<boolean> {
    return guarded(this.folder, () => isThere(this.calls, join(this.folder, 'frozen.json')));
  }

  /** `null`: it is not frozen. A file that cannot be read still freezes. */
  async freeze(): Promise<Freeze | null> {
    if (!(await this.isFrozen())) return null;
    const { entries } = await this.audit();
    const last = entries.findLast(({ act }) => act === 'frozen');
    return { at: last?.at ?? '', by: last?.by ?? '', reason: last?.reason ?? '' };
  }

  /** Another text after every change of anything in the queue. */
  async mark(): Promise<string> {
    try {
      const { size, mtimeMs } = await this.calls.lstat(this.auditFile);
      return `${size} ${mtimeMs}`;
    } catch (error) {
      if (leadsNowhere(error)) return '';
      throw error;
    }
  }

  async setFrozen(frozen: boolean, reason: string, by = 'person'): Promise<void> {
    await this.exclusively(async () => {
      const path = join(this.folder, 'frozen.json');
      if (frozen) await this.replace(path, `${JSON.stringify({ at: this.now(), reason })}\n`);
      else await this.remove(path);
      await this.append({
        proposal: null,
        act: frozen ? 'frozen' : 'unfrozen',
        by,
        reason,
        details: {},
      });
    });
  }

  /** Writes a file of the queue so that a reader sees the old one or the new one. */
  async replace(path: string, text: string): Promise<void> {
    const temporary = `${path}.${nodeCrypto().randomBytes(6).toString('hex')}.tmp`;
    await replaceFile(this.calls, {
      path,
      temporary,
      bytes: encodeUtf8(text),
      createMode: 0o600,
      mode: 0o600,
    });
    await syncFolder(dirname(path), this.calls);
  }

  async remove(path: string): Promise<void> {
    try {
      await this.calls.unlink(path);
    } catch (error) {
      if (!leadsNowhere(error)) throw error;
    }
    await syncFolder(dirname(path), this.calls);
  }

  /** `null` where there is none. */
  readText(path: string): Promise<string | null> {
    return this.#text(path);
  }

  async #write(
    proposal: Proposal,
    base: CandidateTree | null,
    candidate: CandidateTree | null,
  ): Promise<void> {
    const { calls } = this;
    const draft = `.new-${nodeCrypto().randomBytes(6).toString('hex')}`;
    await makeFolders(calls, this.folder, 0o700);
    await inFolder(calls, this.folder, async (queue) => {
      try {
        await inChild(calls, queue, draft, 0o700, async (folder) => {
          for (const [side, tree] of [
            ['base', base],
            ['candidate', candidate],
          ] as const) {
            if (tree === null) continue;
            const name = side === 'candidate' ? (proposal.newName ?? proposal.skill) : proposal.skill;
            await inChild(calls, folder, side, 0o700, (inner) => writeTree(calls, inner, name, tree));
          }
          await writeNew(calls, folder, 'proposal.json', encodeUtf8(renderProposal(proposal)), 0o600);
          await folder.sync();
        });
        await calls.rename(queue.at(draft), queue.at(proposal.id));
        await queue.sync();
      } catch (error) {
        // The fault that made the draft useless is the one to report.
        await removeIn(calls, queue, draft).catch(() => undefined);
        throw error;
      }
    });
  }

  async #names(): Promise<readonly string[]> {
    try {
      return (await this.calls.readdir(this.folder)).filter((name) => idPattern.test(name)).sort();
    } catch (error) {
      if (leadsNowhere(error)) return [];
      throw error;
    }
  }

  async #read(id: string): Promise<{ readonly proposal: Proposal } | { readonly fault: QueueFault } | null> {
    const path = join(this.folder, id, 'proposal.json');
    const text = await this.#text(path);
    if (text === null)
      return (await isThere(this.calls, join(this.folder, id)))
        ? { fault: { path, message: 'the record is missing' } }
        : null;
    const read = parseProposal(text, nodeSha256);
    if (!read.ok) return { fault: { path, message: read.fault } };
    return read.value.id === id
      ? { proposal: read.value }
      : { fault: { path, message: `it is the record of proposal ${printableLine(read.value.id)}` } };
  }

  async #text(path: string, maxBytes = maxRecordBytes): Promise<string | null> {
    let bytes: Uint8Array;
    try {
      bytes = await this.calls.readFile(path);
    } catch (error) {
      if (leadsNowhere(error) || codeOf(error) === 'EISDIR') return null;
      throw error;
    }
    return bytes.length > maxBytes ? '' : decodeUtf8(bytes).text;
  }
}

function damaged({ path, message }: QueueFault): TechneError {
  return new TechneError('FILE_INVALID', `the proposal in "${path}" cannot be used: ${message}`, {
    hint: 'remove its folder; whoever made it can propose it again',
  });
}
