// Long work with skills of others as jobs that a surface can start, watch, cancel and agree to.
//
//   request -> queued -> working -> ready: a staged, scanned proposal -> installing -> installed
//                                -> done: what a scan found, what is outdated
//   and from any of them before that -> cancelled, expired, failed
//
// J1. What is installed is the staged copy that was shown: consent names the digest of each skill, and every other one is refused.
//     What may be consented to is decided by hub/install/proposal.ts, as at a terminal.
// J2. A consent is recorded, with who gave it, before it is acted on.
// J3. Jobs are bounded in number, time and size. What was staged is removed when its job is cancelled, fails, expires or is closed;
//     what a killed process leaves, by the next job or command.
import { AbortSource } from '../../base/abort.ts';
import { TechneError, unreachable } from '../../base/error.ts';
import { printable, printableLine } from '../../base/printable.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Hub } from '../../hub/install/hub.ts';
import type { Proposal, ProposedSkill } from '../../hub/install/proposal.ts';
import type { Adoption } from '../../hub/install/propose/adopt.ts';
import type { TreeFile } from '../../hub/stage/tree.ts';
import { nodeRunClock } from '../../node/environment.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { displayPath } from '../paths.ts';
import { resolveTargets, scanTargets } from '../scan-skills.ts';
import { checkAdoption, checkAgreed } from './check-consent.ts';
import { createDecisionLog } from './decision-log.ts';
import type { DecisionLog, HubDecision } from './decision-log.ts';
import type { Shown, ShownProposal } from './describe-proposal.ts';
import { describeAdoption, describeProposal, describeReport } from './describe-proposal.ts';
import { findUpdates, hubOf } from './find-updates.ts';
import type {
  AgreedSkill,
  HubJob,
  HubJobRequest,
  HubJobResult,
  HubJobState,
  ShownFile,
  ShownOutdated,
  ShownScan,
} from './hub-job.ts';
import { holdsContent, whatOf } from './hub-job.ts';
import type { Fetcher } from './open-hub.ts';
import { openHub } from './open-hub.ts';

export interface HubJobLimits {
  /** At a time. Default: 2. */
  readonly working: number;
  /** That wait. Default: 16. */
  readonly queued: number;
  /** With content that waits for consent. Default: 8. */
  readonly ready: number;
  /** Of all content that waits. Default: 128 MiB. */
  readonly bytes: number;
  /** That have ended and are remembered. Default: 50. */
  readonly ended: number;
  /** For fetching and scanning. Default: 10 min. */
  readonly workMs: number;
  /** For a person to look. Default: 30 min. */
  readonly readyMs: number;
  /** Between two reports of progress. Default: 250 ms. */
  readonly tellMs: number;
}

const usualLimits: HubJobLimits = {
  working: 2,
  queued: 16,
  ready: 8,
  bytes: 128 * 1024 * 1024,
  ended: 50,
  workMs: 600_000,
  readyMs: 1_800_000,
  tellMs: 250,
};

export interface HubJobsOptions {
  readonly library: SkillLibrary;
  readonly workspace: string;
  readonly homeFolder: string;
  readonly newId: () => string;
  /** After something was installed. */
  readonly onInstalled: () => Promise<void>;
  readonly onChange: (job: HubJob) => void;
  readonly onBug: (error: unknown) => void;
  readonly limits?: Partial<HubJobLimits>;
  /** Default: techne's own. */
  readonly fetcher?: Fetcher;
}

const mostFileBytes = 256 * 1024;
const mostScanned = 2_000;

const waits: ReadonlySet<HubJobState> = new Set(['queued', 'working', 'ready', 'installing']);

class Job {
  readonly id: string;
  readonly request: HubJobRequest;
  readonly by: string;
  readonly startedAt: number;
  readonly stop = new AbortSource();
  state: HubJobState = 'queued';
  endedAt: number | null = null;
  expiresAt: number | null = null;
  progress: HubJob['progress'] = null;
  error: HubJob['error'] = null;
  shown: ShownProposal | null = null;
  outdated: readonly ShownOutdated[] | null = null;
  scanned: readonly ShownScan[] | null = null;
  installed: readonly { readonly skill: string; readonly digest: string }[] = [];
  held: Held | null = null;
  settled: Promise<void> = Promise.resolve();
  expiry: { cancel(): void } | null = null;
  toldMs = 0;

  constructor(id: string, request: HubJobRequest, by: string, startedAt: number) {
    this.id = id;
    this.request = request;
    this.by = by;
    this.startedAt = startedAt;
  }
}

/** What a ready job holds until somebody agrees. */
interface Held {
  readonly hub: Hub;
  readonly bytes: number;
  readonly content:
    | { readonly kind: 'proposal'; readonly proposal: Proposal }
    | { readonly kind: 'adoption'; readonly adoption: Adoption };
}

const cancelled = new TechneError('ENVIRONMENT', 'it was cancelled');
const stopping = new TechneError('OVERLOADED', 'the server stops');

export class HubJobs {
  readonly #options: HubJobsOptions;
  readonly #limits: HubJobLimits;
  /** The oldest first. */
  readonly #jobs = new Map<string, Job>();
  readonly log: DecisionLog;
  #isClosed = false;

  constructor(options: HubJobsOptions) {
    this.#options = options;
    this.#limits = { ...usualLimits, ...options.limits };
    this.log = createDecisionLog(options.homeFolder);
  }

  /** Throws OVERLOADED, and PATH_UNSAFE for a folder outside of the workspace. */
  start(request: HubJobRequest, by: string): HubJob {
    const { queued, ready } = this.#limits;
    if (this.#isClosed) throw stopping;
    if (request.kind === 'scan') this.#checkTargets(request.targets);
    if (this.#in('queued').length >= queued)
      throw new TechneError('OVERLOADED', `${queued} jobs wait already`, {
        hint: 'wait until some have ended, or cancel those that are not needed',
      });
    if (holdsContent(request) && this.#in('ready').length >= ready)
      throw new TechneError('OVERLOADED', `${ready} fetched sources wait for consent already`, {
        hint: 'install what you want of them, and cancel the others',
      });
    const job = new Job(this.#options.newId(), request, by, nodeRunClock.nowMs());
    this.#jobs.set(job.id, job);
    this.#tell(job);
    this.#pump();
    return describe(job);
  }

  /** The newest first. */
  list(): readonly HubJob[] {
    return [...this.#jobs.values()].map(describe).toReversed();
  }

  /** Throws JOB_UNKNOWN. */
  get(id: string): HubJobResult {
    const job = this.#find(id);
    return {
      job: describe(job),
      proposal: job.shown,
      outdated: job.outdated,
      scanned: job.scanned,
      installed: job.installed,
    };
  }

  kindOf(id: string): HubJobRequest['kind'] {
    return this.#find(id).request.kind;
  }

  /** A file of a skill that waits for consent. Throws JOB_UNKNOWN, FILE_MISSING, STALE. */
  file(id: string, name: string, path: string): ShownFile {
    const { held } = this.#find(id);
    if (held === null)
      throw new TechneError('STALE', 'what was fetched is no longer kept', { hint: 'fetch it again' });
    const { present, proposed } = filesOf(held, name);
    const [before, after] = [present, proposed].map(
      (files) => files?.find((file) => file.path === path) ?? null,
    );
    if (!before && !after)
      throw new TechneError('FILE_MISSING', `"${name}" has no file "${printableLine(path)}"`);
    const [was, is] = [textOf(before ?? null), textOf(after ?? null)];
    const isText = was.isText && is.isText;
    return {
      path,
      before: isText ? was.text : null,
      after: isText ? is.text : null,
      beforeBytes: before?.bytes.length ?? null,
      afterBytes: after?.bytes.length ?? null,
      isText,
      isCut: was.isCut || is.isCut,
    };
  }

  /** Stops it, and removes what it fetched. One that has ended stays as it is. Throws JOB_UNKNOWN, STALE. */
  async cancel(id: string): Promise<HubJob> {
    const job = this.#find(id);
    if (job.state === 'installing')
      throw new TechneError('STALE', 'it is being installed, which takes moments', {
        hint: 'remove the skill afterwards',
      });
    if (job.state === 'queued') this.#end(job, 'cancelled');
    else if (job.state === 'ready') await this.#drop(job, 'cancelled');
    else if (job.state === 'working') {
      job.stop.abort(cancelled);
      await job.settled;
    }
    return describe(job);
  }

  /**
   * Installs what was shown: all of these skills, or none. Throws STALE where one of them is not what was shown, or something changed
   * since, INSTALL_REFUSED, CONSENT_NEEDED, JOB_UNKNOWN.
   */
  async agree(id: string, agreed: readonly AgreedSkill[], by: string): Promise<HubJobResult> {
    const job = this.#find(id);
    const { held } = job;
    if (job.state !== 'ready' || held === null)
      throw new TechneError('STALE', `there is nothing to agree to: the job is ${job.state}`, {
        hint: 'fetch it again, and look at it',
      });
    const { content, hub } = held;
    const decisions =
      content.kind === 'adoption'
        ? [checkAdoption(content.adoption, agreed)]
        : checkAgreed(content.proposal, agreed, this.#policy);
    // From here on no second consent counts.
    job.state = 'installing';
    job.expiry?.cancel();
    job.expiresAt = null;
    this.#tell(job);
    try {
      const at = nodeRunClock.nowMs();
      await this.log.record(
        decisions.map((one): HubDecision => ({ ...one, at, by, scope: hub.place.scope })),
      );
    } catch (error) {
      await release(held);
      this.#fail(job, error);
      throw error;
    }
    try {
      if (content.kind === 'adoption') await hub.adopt(content.adoption);
      // To let a skill be executed is a decision of its own. Whatever happens, this removes what was staged.
      else
        await hub.install(
          content.proposal,
          agreed.map(({ name }) => name),
          [],
        );
    } catch (error) {
      this.#fail(job, error);
      throw error;
    }
    job.installed = decisions.map(({ skill, digest }) => ({ skill, digest: digest ?? '' }));
    job.held = null;
    this.#end(job, 'installed');
    await this.#options.onInstalled();
    this.#pump();
    return this.get(id);
  }

  /** Cancels all, and removes what they fetched. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#in('queued')) this.#end(job, 'cancelled');
    const working = this.#in('working');
    for (const job of working) job.stop.abort(stopping);
    await Promise.all(working.map(({ settled }) => settled));
    for (const job of this.#in('ready')) await this.#drop(job, 'cancelled');
  }

  get #policy(): Shown['policy'] {
    return this.#options.library.loaded.config.hub.install;
  }

  #in(state: HubJobState): readonly Job[] {
    return [...this.#jobs.values()].filter((job) => job.state === state);
  }

  #find(id: string): Job {
    const job = this.#jobs.get(id);
    if (job === undefined)
      throw new TechneError('JOB_UNKNOWN', 'there is no such job', {
        hint: 'jobs end with the server, and the oldest are forgotten: start it again',
      });
    return job;
  }

  /** A path leads nowhere else than into the workspace. */
  #checkTargets(targets: readonly string[]): void {
    const { library, workspace } = this.#options;
    const { files } = library;
    const root = files.realPath(workspace) ?? workspace;
    for (const target of targets) {
      const real = files.realPath(fullOf(workspace, target));
      if (real !== null && real !== root && !real.startsWith(`${root}/`))
        throw new TechneError('PATH_UNSAFE', `"${target}" is not in the workspace`, {
          hint: 'name a skill, or a folder of the workspace',
        });
      if (real === null && /[\\/]/.test(target))
        throw new TechneError('FILE_MISSING', `there is no folder "${target}" in the workspace`);
    }
  }

  #pump(): void {
    for (const job of this.#in('queued')) {
      if (this.#isClosed || this.#in('working').length >= this.#limits.working) return;
      job.state = 'working';
      this.#tell(job);
      job.settled = this.#work(job).catch(this.#options.onBug);
    }
  }

  async #work(job: Job): Promise<void> {
    const { workMs } = this.#limits;
    const limit = nodeRunClock.after(workMs, () =>
      job.stop.abort(
        new TechneError('SOURCE_LIMIT', `it took longer than ${Math.round(workMs / 1_000)} s`, {
          hint: 'fetch fewer skills at a time, or try again later',
        }),
      ),
    );
    try {
      await this.#perform(job);
      // What was fetched after the last look at the signal is not kept either.
      if (job.stop.signal.aborted) throw job.stop.signal.reason;
      if (job.held === null) this.#end(job, 'done');
      else this.#hold(job);
    } catch (error) {
      await this.#discard(job);
      const reason = job.stop.signal.aborted ? job.stop.signal.reason : error;
      if (reason === cancelled || reason === stopping) this.#end(job, 'cancelled');
      else this.#fail(job, reason);
    } finally {
      limit.cancel();
      job.stop.close();
      this.#pump();
    }
  }

  async #perform(job: Job): Promise<void> {
    const { request } = job;
    const { library, workspace, homeFolder, fetcher } = this.#options;
    if (request.kind === 'scan') {
      job.scanned = await this.#scan(job, request.targets);
      return;
    }
    const open = await openHub({
      library,
      cwd: workspace,
      signal: job.stop.signal,
      tell: ({ phase, what, doneBytes, totalBytes }) =>
        this.#progress(job, {
          phase,
          what: printableLine(what).slice(0, 300),
          done: doneBytes,
          total: totalBytes,
          unit: 'bytes',
        }),
      ...(fetcher === undefined ? {} : { fetcher }),
    });
    const shownBy = async (hub: Hub): Promise<Shown> => ({
      policy: this.#policy,
      ownRecord: await open.ownRecords(hub),
      shownPath: (path) => displayPath(path, { cwd: workspace, homeFolder }),
    });
    const take = async (hub: Hub, proposal: Proposal): Promise<void> => {
      job.held = { hub, bytes: bytesOf(proposal.skills), content: { kind: 'proposal', proposal } };
      job.shown = describeProposal(proposal, await shownBy(hub));
    };
    switch (request.kind) {
      case 'add': {
        const { source, skills, expect } = request;
        const hub = open.at(request.scope ?? open.preferred);
        await take(hub, await hub.proposeAdd({ source, cwd: workspace, skills, expect }));
        return;
      }
      case 'update':
      case 'restore': {
        const hub = await hubOf(open, request.names, request.scope);
        await take(
          hub,
          await (request.kind === 'update'
            ? hub.proposeUpdate(request.names)
            : hub.proposeRestore(request.names)),
        );
        return;
      }
      case 'adopt': {
        const hub = await open.holding(request.name, request.scope);
        const adoption = await hub.proposeAdopt(request.name);
        const bytes = [...adoption.files, ...(adoption.locked?.files ?? [])].reduce(
          (sum, file) => sum + file.bytes.length,
          0,
        );
        job.held = { hub, bytes, content: { kind: 'adoption', adoption } };
        const shown = await shownBy(hub);
        job.shown = describeAdoption(adoption, {
          ...shown,
          scope: hub.place.scope,
          folder: shown.shownPath(hub.place.skills),
        });
        return;
      }
      case 'outdated':
        job.outdated = await findUpdates(open, request.names, request.scope);
        return;
      default:
        unreachable(request);
    }
  }

  async #scan(job: Job, given: readonly string[]): Promise<readonly ShownScan[]> {
    const { library, workspace, homeFolder } = this.#options;
    const all = await resolveTargets({ given, cwd: workspace, homeFolder }, library);
    const targets = all.slice(0, mostScanned);
    let done = 0;
    const scanned = await scanTargets(targets, library, homeFolder, async (target, progress) => {
      if (progress.done === 0) done += 1;
      this.#progress(job, {
        phase: 'scan',
        what: target.name,
        done: done - 1,
        total: targets.length,
        unit: 'skills',
      });
      // Requests are answered between two files.
      await new Promise(setImmediate);
      if (job.stop.signal.aborted) throw job.stop.signal.reason;
    });
    return scanned.map(({ name, folder, report }) => ({
      ...describeReport(report),
      skill: name,
      folder: displayPath(folder, { cwd: workspace, homeFolder }),
    }));
  }

  /** Until it is agreed to, or expires. */
  #hold(job: Job): void {
    const { bytes, readyMs } = this.#limits;
    const waiting = this.#in('ready').reduce((sum, { held }) => sum + (held?.bytes ?? 0), 0);
    if (waiting + (job.held?.bytes ?? 0) > bytes)
      throw new TechneError('SOURCE_LIMIT', 'too much that was fetched waits for consent already', {
        hint: 'install what you want of it, cancel the others, and try again; name the skills that you want',
      });
    const { content } = job.held as Held;
    // Nothing of it can be agreed to, so nothing needs to be kept.
    if (content.kind === 'proposal' && content.proposal.skills.every(({ change }) => change === 'same')) {
      void this.#drop(job, 'done').catch(this.#options.onBug);
      return;
    }
    job.state = 'ready';
    job.progress = null;
    job.expiresAt = nodeRunClock.nowMs() + readyMs;
    job.expiry = nodeRunClock.after(readyMs, () => {
      if (job.state === 'ready') void this.#drop(job, 'expired').catch(this.#options.onBug);
    });
    this.#tell(job);
  }

  async #drop(job: Job, state: 'cancelled' | 'expired' | 'done'): Promise<void> {
    const { held } = job;
    job.held = null;
    job.expiry?.cancel();
    this.#end(job, state);
    await release(held);
  }

  async #discard(job: Job): Promise<void> {
    const { held } = job;
    job.held = null;
    job.shown = null;
    try {
      await release(held);
    } catch (error) {
      this.#options.onBug(error);
    }
  }

  #fail(job: Job, error: unknown): void {
    job.held = null;
    if (error instanceof TechneError)
      job.error = {
        code: error.code,
        message: printableLine(error.message),
        hint: error.hint === null ? null : printableLine(error.hint),
      };
    else {
      this.#options.onBug(error);
      job.error = {
        code: 'INTERNAL',
        message: 'internal error in techne; see the log of the server',
        hint: null,
      };
    }
    this.#end(job, 'failed');
  }

  #end(job: Job, state: HubJobState): void {
    job.state = state;
    job.endedAt = nodeRunClock.nowMs();
    job.expiresAt = null;
    job.progress = null;
    if (state === 'cancelled' || state === 'expired' || state === 'failed') job.shown = null;
    const ended = [...this.#jobs.values()].filter((one) => !waits.has(one.state));
    for (const old of ended.slice(0, Math.max(0, ended.length - this.#limits.ended)))
      this.#jobs.delete(old.id);
    this.#tell(job);
  }

  #progress(job: Job, progress: HubJob['progress']): void {
    if (job.state !== 'working') return;
    const isNew = job.progress?.phase !== progress?.phase || job.progress?.what !== progress?.what;
    job.progress = progress;
    const now = nodeRunClock.monotonicMs();
    if (now - job.toldMs < (isNew ? this.#limits.tellMs / 5 : this.#limits.tellMs)) return;
    job.toldMs = now;
    this.#tell(job);
  }

  #tell(job: Job): void {
    this.#options.onChange(describe(job));
  }
}

function describe({ id, request, state, by, startedAt, endedAt, expiresAt, progress, error }: Job): HubJob {
  return {
    id,
    kind: request.kind,
    what: whatOf(request),
    state,
    by,
    startedAt,
    endedAt,
    expiresAt,
    progress,
    error,
  };
}

async function release(held: Held | null): Promise<void> {
  if (held?.content.kind === 'proposal') await held.hub.discard(held.content.proposal);
}

function bytesOf(skills: readonly ProposedSkill[]): number {
  let sum = 0;
  for (const { files, filesNow } of skills)
    for (const { bytes } of [...files, ...(filesNow ?? [])]) sum += bytes.length;
  return sum;
}

function filesOf(
  { content }: Held,
  name: string,
): { readonly present: readonly TreeFile[] | null; readonly proposed: readonly TreeFile[] | null } {
  if (content.kind === 'adoption') {
    const { adoption } = content;
    return adoption.after.name === name
      ? { present: adoption.locked?.files ?? null, proposed: adoption.files }
      : { present: null, proposed: null };
  }
  const skill = content.proposal.skills.find((one) => one.name === name);
  return { present: skill?.filesNow ?? null, proposed: skill?.files ?? null };
}

function textOf(file: TreeFile | null): {
  readonly text: string | null;
  readonly isText: boolean;
  readonly isCut: boolean;
} {
  if (file === null) return { text: null, isText: true, isCut: false };
  const { text, valid } = decodeUtf8(file.bytes);
  if (!valid) return { text: null, isText: false, isCut: false };
  const isCut = text.length > mostFileBytes;
  return { text: printable(isCut ? text.slice(0, mostFileBytes) : text), isText: true, isCut };
}

function fullOf(workspace: string, target: string): string {
  return target.startsWith('/') ? target : `${workspace}/${target}`;
}
