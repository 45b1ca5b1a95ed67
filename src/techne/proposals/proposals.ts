// Everything that can be done with proposals, for every surface.
//
//   request -> queue -> checks -> a person's decision, or the policy's -> installed, on record, and able to be rolled back
//
// P1. Whoever proposes cannot accept: `propose` only writes to the queue, and no tool of an agent reaches anything else here.
// P2. What is accepted is what was shown: the caller names the digest that it showed, and the bytes are hashed again.
// P3. Every decision, also a refusal and a skip, is a line of the audit with its reason.
import { dirname, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { isInside } from '../../base/is-inside.ts';
import type { JsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { hubPlace } from '../../hub/install/place.ts';
import { refuseNames } from '../../hub/stage/check-names.ts';
import type { CandidateTree, ChangeRequest, WholeFile } from '../../proposals/change-tree.ts';
import { candidateLimits, changeTree } from '../../proposals/change-tree.ts';
import type {
  AuditEntry,
  CheckName,
  Proposal,
  ProposalOrigin,
  ProposalReport,
} from '../../proposals/proposal.ts';
import type { SkillChanged } from '../../prompt/skill-loaded.ts';
import type { Skill } from '../../registry/types.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { workspaceAround } from '../open-skills.ts';
import { checkProposal } from './check-proposal.ts';
import { heal, installChange, sidesOf } from './install-change.ts';
import { proposalsFolder, ProposalQueue } from './queue.ts';

export interface ProposalsOptions {
  readonly library: SkillLibrary;
  readonly homeFolder: string;
  /** Default: the clock of this machine. */
  readonly now?: () => string;
  /** Told of every change that was made. Must not throw. Default: none. */
  readonly onEvent?: (event: SkillChanged) => void;
}

export interface ProposeOptions {
  readonly why: string;
  readonly origin: ProposalOrigin;
  /** Where a new skill goes. Default: the workspace, where there is one. */
  readonly scope?: 'user' | 'workspace' | null;
  /** Of an edit: the digest of the skill that it was made from; another one is refused. Default: whatever is there is edited. */
  readonly editedFrom?: string | null;
}

export interface AcceptOptions {
  /** The digests that were shown to the person. */
  readonly shown: Pick<Proposal, 'base' | 'candidate'>;
  /** Failed checks that the person knows of and accepts. */
  readonly despite: readonly CheckName[];
  readonly reason: string;
  /** Who, for the audit. Default: `person`. */
  readonly by?: string;
}

/** Other files instead of those that were proposed. */
export interface EditOptions {
  /** The digest of the candidate that was edited. */
  readonly shown: string | null;
  /** `text: null` removes a file. */
  readonly files: readonly WholeFile[];
  readonly reason: string;
  readonly by: string;
}

/** No person can wave these through: the change would not be what was shown, or would hide something else. */
export const unforgivable: ReadonlySet<CheckName> = new Set(['fresh', 'parse', 'names', 'guard']);

export interface ProposalStanding {
  readonly isBase: boolean;
  readonly isCandidate: boolean;
}

export class Proposals {
  readonly queue: ProposalQueue;
  readonly library: SkillLibrary;
  readonly homeFolder: string;
  readonly #onEvent: (event: SkillChanged) => void;

  constructor({
    library,
    homeFolder,
    now = () => new Date().toISOString(),
    onEvent = () => undefined,
  }: ProposalsOptions) {
    this.library = library;
    this.homeFolder = homeFolder;
    this.queue = new ProposalQueue({ folder: proposalsFolder(homeFolder), now });
    this.#onEvent = onEvent;
  }

  /** Writes to the queue and to nothing else. Throws PROPOSAL_REFUSED, SKILL_UNKNOWN, LOCKED. */
  async propose(
    request: ChangeRequest,
    options: ProposeOptions,
  ): Promise<{ readonly proposal: Proposal; readonly isNew: boolean }> {
    try {
      return await this.#propose(request, options);
    } catch (error) {
      if (error instanceof TechneError && error.code !== 'LOCKED')
        await this.queue.exclusively(() =>
          this.queue.append({
            proposal: null,
            act: 'refused',
            by: options.origin.by,
            reason: error.message,
            details: {
              kind: request.kind,
              skill: request.skill.slice(0, 100),
              surface: options.origin.surface,
            },
          }),
        );
      throw error;
    }
  }

  async #propose(
    request: ChangeRequest,
    { why, origin, scope = null, editedFrom = null }: ProposeOptions,
  ): Promise<{ readonly proposal: Proposal; readonly isNew: boolean }> {
    if (why.trim() === '' || why.length > candidateLimits.why)
      throw refused(
        `a proposal needs a reason of at most ${candidateLimits.why} characters`,
        'say why the change is wanted',
      );
    const snapshot = await this.library.load();
    const place =
      request.kind === 'create'
        ? { folder: this.#newFolder(request.skill, scope), base: null }
        : await this.#baseOf(snapshot.get(request.skill));
    if (request.kind === 'create' && snapshot.has(request.skill))
      throw refused(`the skill "${request.skill}" exists`, 'propose an edit of it, or choose another name');
    if (
      editedFrom !== null &&
      request.kind === 'edit' &&
      (await snapshot.manifest(request.skill)).digest !== editedFrom
    )
      throw refused(
        `"${printableLine(request.skill)}" has changed since it was opened for this edit`,
        'look at what has changed, and make the edit again from there',
      );
    const candidate = changeTree(place.base, request);
    const fault = candidate === null ? null : refuseNames(candidate.keys());
    if (fault !== null) throw refused(fault, 'choose other names of files');
    const made = await this.queue.add(
      {
        kind: request.kind,
        skill: request.skill,
        newName: request.kind === 'rename' ? request.newName : null,
        folder: place.folder,
        why: why.trim(),
        origin,
      },
      place.base,
      candidate,
    );
    if (!made.isNew && made.proposal.state === 'rejected')
      throw refused(
        `this very change was rejected (proposal ${made.proposal.id})`,
        'propose something else, or ask the person',
      );
    return made;
  }

  #newFolder(name: string, scope: 'user' | 'workspace' | null): string {
    const { workspace } = this.library.loaded;
    const hasWorkspace =
      workspace !== null && workspaceAround(this.library.files, workspace, this.homeFolder) !== null;
    const wanted = scope ?? (hasWorkspace ? 'workspace' : 'user');
    const place = hubPlace(wanted, workspace ?? this.homeFolder, this.homeFolder);
    return join(place.skills, name);
  }

  /** Only skills of the person's own folders can change this way. */
  async #baseOf(
    skill: Skill,
  ): Promise<{ readonly folder: string; readonly base: Awaited<ReturnType<ProposalQueue['tree']>> }> {
    const shown = printableLine(skill.name);
    if (skill.source === 'builtin' || skill.source === 'plugin' || skill.origin.kind !== 'local')
      throw refused(
        `"${shown}" is ${skill.source === 'builtin' ? 'part of techne' : skill.source === 'plugin' ? 'part of a plugin' : 'installed from elsewhere'}, so it is not changed here`,
        'propose a skill of another name',
      );
    const root = this.library.files.realPath(skill.root.path) ?? skill.root.path;
    if (!isInside(skill.realFolder, root) || skill.realFolder === root)
      throw refused(
        `the folder of "${shown}" leads out of its root, or is the root itself`,
        'a person has to change it by hand',
      );
    const there = await this.queue.installed(skill.realFolder);
    return { folder: skill.realFolder, base: there?.tree ?? null };
  }

  /** Checks it on the production path now, keeps the report, and says on record how it went. */
  async check(id: string): Promise<{ readonly proposal: Proposal; readonly report: ProposalReport }> {
    await heal(this.queue);
    const proposal = await this.queue.get(id);
    const report = await checkProposal({
      library: this.library,
      queue: this.queue,
      proposal,
      homeFolder: this.homeFolder,
    });
    await this.queue.keepReport(report);
    const isFresh = report.checks.some(({ name, outcome }) => name === 'fresh' && outcome === 'passed');
    const now = await this.queue.exclusively(async () => {
      const latest = await this.queue.get(proposal.id);
      const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
      await this.queue.append({
        proposal: proposal.id,
        act: 'checked',
        by: 'techne',
        reason:
          failed.length === 0
            ? 'no check failed'
            : failed.map(({ name, reason }) => `${name}: ${reason}`).join('; '),
        details: Object.fromEntries(report.checks.map(({ name, outcome }) => [name, outcome])) as JsonObject,
      });
      if (latest.state === 'pending' && !isFresh) {
        await this.queue.append({
          proposal: proposal.id,
          act: 'went-stale',
          by: 'techne',
          reason: 'its base changed',
          details: {},
        });
        return this.queue.setState(latest, 'stale');
      }
      return latest.state === 'stale' && isFresh ? this.queue.setState(latest, 'pending') : latest;
    });
    return { proposal: now, report };
  }

  /**
   * Call it only after a person at a terminal, with a reviewer's token or in the studio said so. Checks again first. Throws PROPOSAL_REFUSED for a failed
   * check that was not named, STALE where the base moved, PROPOSAL_CHANGED where other bytes were shown.
   */
  async accept(id: string, { shown, despite, reason, by = 'person' }: AcceptOptions): Promise<Proposal> {
    const { proposal, report } = await this.check(id);
    if (proposal.base !== shown.base || proposal.candidate !== shown.candidate)
      throw await this.#refuse(
        proposal,
        new TechneError('PROPOSAL_CHANGED', `proposal ${proposal.id} is not what was shown`, {
          hint: 'look at it again',
        }),
      );
    if (proposal.state === 'stale')
      throw await this.#refuse(
        proposal,
        new TechneError('STALE', `the skill "${proposal.skill}" changed since the proposal was made`, {
          hint: 'have it proposed anew from what is there now',
        }),
      );
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
    const barred = failed.filter(({ name }) => unforgivable.has(name) || !despite.includes(name));
    if (barred.length > 0)
      throw await this.#refuse(
        proposal,
        refused(
          `proposal ${proposal.id} failed ${barred.map(({ name, reason: why }) => `${name} (${why})`).join(', ')}`,
          barred.some(({ name }) => unforgivable.has(name))
            ? 'reject it, or have it proposed anew'
            : `to accept it all the same, name each: ${barred.map(({ name }) => `--despite ${name}`).join(' ')}`,
        ),
      );
    return this.#install(proposal, {
      act: 'accepted',
      by,
      reason,
      details: { candidate: proposal.candidate, base: proposal.base, despite: [...despite] },
    });
  }

  /** For the policy alone (auto.ts). */
  async enable(proposal: Proposal, details: JsonObject): Promise<Proposal> {
    return this.#install(proposal, {
      act: 'auto-enabled',
      by: 'policy',
      reason: 'every condition holds',
      details,
    });
  }

  async rollback(id: string, by: string, reason: string): Promise<Proposal> {
    await heal(this.queue);
    const proposal = await this.queue.get(id);
    return this.#install(proposal, {
      act: 'rolled-back',
      by,
      reason,
      details: { base: proposal.base, candidate: proposal.candidate },
    });
  }

  async reject(id: string, reason: string, by = 'person'): Promise<Proposal> {
    await heal(this.queue);
    return this.queue.exclusively(async () => {
      const proposal = await this.queue.get(id);
      if (proposal.state !== 'pending' && proposal.state !== 'stale')
        throw refused(
          `proposal ${proposal.id} is ${proposal.state}`,
          'only what waits can be rejected; "techne proposals rollback" takes back what was accepted',
        );
      await this.queue.append({ proposal: proposal.id, act: 'rejected', by, reason, details: {} });
      return this.queue.setState(proposal, 'rejected');
    });
  }

  /** A person's own version of a proposal, read from a folder: a new proposal; the old one is rejected. */
  async replace(id: string, folder: string, reason: string): Promise<Proposal> {
    const old = await this.#replaceable(id);
    const given = await this.queue.installed(folder);
    if (given === null) throw new TechneError('FILE_MISSING', `"${folder}" is not a folder`);
    if (!given.tree.has('SKILL.md')) throw refused('there is no SKILL.md', 'correct the folder');
    return this.#put(old, given.tree, { surface: 'cli', reason, by: 'person' });
  }

  /** The same with texts: what was proposed, but for these files. Throws PROPOSAL_CHANGED where other bytes were edited. */
  async edit(id: string, { shown, files, reason, by }: EditOptions): Promise<Proposal> {
    const old = await this.#replaceable(id);
    if (old.candidate !== shown)
      throw new TechneError('PROPOSAL_CHANGED', `proposal ${old.id} is not what was edited`, {
        hint: 'look at it again',
      });
    const skill = old.newName ?? old.skill;
    const tree = changeTree(await this.queue.tree(old, 'candidate'), {
      kind: 'edit',
      skill,
      patches: [],
      files,
    });
    return this.#put(old, tree as CandidateTree, { surface: 'http', reason, by });
  }

  async #replaceable(id: string): Promise<Proposal> {
    const old = await this.queue.get(id);
    if (old.candidate === null || (old.state !== 'pending' && old.state !== 'stale'))
      throw refused(
        `proposal ${old.id} is ${old.state}, or removes the skill`,
        'only a candidate that waits can be replaced',
      );
    return old;
  }

  async #put(
    old: Proposal,
    tree: CandidateTree,
    {
      surface,
      reason,
      by,
    }: { readonly surface: 'cli' | 'http'; readonly reason: string; readonly by: string },
  ): Promise<Proposal> {
    const fault = refuseNames(tree.keys());
    if (fault !== null) throw refused(fault, 'choose other names of files');
    const { kind, skill, newName, folder, why } = old;
    // An edit starts from what is there now, so that one that went stale can be corrected.
    const base =
      kind === 'edit'
        ? ((await this.queue.installed(folder))?.tree ?? null)
        : await this.queue.tree(old, 'base');
    if (kind === 'edit' && base === null)
      throw refused(`the skill "${skill}" no longer exists`, 'reject it, and propose a new skill');
    const origin: ProposalOrigin = { by: 'person', surface, run: null, conversation: null, model: null };
    const { proposal } = await this.queue.add({ kind, skill, newName, folder, why, origin }, base, tree);
    if (proposal.id !== old.id) await this.reject(old.id, `${reason} (by proposal ${proposal.id})`, by);
    return proposal;
  }

  /** Whether what the proposal was made from, or what it made, is what is installed now. */
  async standing(proposal: Proposal): Promise<ProposalStanding> {
    const { before, after } = sidesOf(proposal);
    const digests = new Map<string, string | null>();
    for (const side of [before, after])
      if (side !== null && !digests.has(side.folder))
        digests.set(side.folder, await this.#digestAt(side.folder));
    const holds = (side: typeof before, other: typeof before): boolean =>
      side === null
        ? other === null || digests.get(other.folder) === null
        : digests.get(side.folder) === side.digest &&
          (other === null || other.folder === side.folder || digests.get(other.folder) === null);
    return { isBase: holds(before, after), isCandidate: holds(after, before) };
  }

  async #digestAt(folder: string): Promise<string | null> {
    try {
      return (await this.queue.installed(folder))?.digest ?? null;
    } catch (error) {
      // What cannot be replaced is neither of them.
      if (error instanceof TechneError && error.code === 'PROPOSAL_REFUSED') return 'other';
      throw error;
    }
  }

  /** What happened, the oldest first; of one proposal, or of all. */
  async history(
    id: string | null,
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly torn: readonly number[] }> {
    const { entries, torn } = await this.queue.audit();
    if (id === null) return { entries, torn };
    const proposal = await this.queue.get(id);
    return { entries: entries.filter((entry) => entry.proposal === proposal.id), torn };
  }

  async #install(proposal: Proposal, order: Parameters<typeof installChange>[2]): Promise<Proposal> {
    const done = await installChange(this.queue, proposal.id, order);
    for (const event of eventsOf(done, order.act === 'rolled-back', order.by)) this.#onEvent(event);
    return done;
  }

  async #refuse(proposal: Proposal, error: TechneError): Promise<TechneError> {
    await this.queue.exclusively(() =>
      this.queue.append({
        proposal: proposal.id,
        act: 'refused',
        by: 'techne',
        reason: error.message,
        details: { code: error.code },
      }),
    );
    return error;
  }
}

function eventsOf(proposal: Proposal, isBack: boolean, by: string): readonly SkillChanged[] {
  const { before, after } = sidesOf(proposal);
  const [from, to] = isBack ? [after, before] : [before, after];
  const nameOf = (folder: string): string => folder.slice(dirname(folder).length + 1);
  const event = (type: SkillChanged['type'], folder: string, digest: string | null): SkillChanged => ({
    type,
    skill: nameOf(folder),
    proposal: proposal.id,
    by,
    digest,
  });
  if (from !== null && to !== null && from.folder === to.folder)
    return [event('skill.changed', to.folder, to.digest)];
  return [
    ...(from === null ? [] : [event('skill.removed', from.folder, null)]),
    ...(to === null ? [] : [event('skill.created', to.folder, to.digest)]),
  ];
}

function refused(message: string, hint: string): TechneError {
  return new TechneError('PROPOSAL_REFUSED', message, { hint });
}
