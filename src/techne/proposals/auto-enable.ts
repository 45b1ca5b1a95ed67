// Lets proposals take effect without a person where the person's own configuration says so, and takes them back when they fail.
//
//   pending proposals -> checks -> judgeAutoEnable -> enabled, or skipped; each with its conditions on record
//   skills that were enabled this way -> their tests and first runs -> kept, or rolled back
//
// A skip is recorded when it differs from the one before, so that a session start adds nothing to the audit that it has already.
// Enabling grants no trust: what is executed still needs that of a person.
import { join } from 'node:path';
import { canonicalJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { AutoEnableAudit, AutoEnablePolicy } from '../../proposals/auto-enable.ts';
import { judgeAutoEnable } from '../../proposals/auto-enable.ts';
import type { AuditEntry, CheckResult, Proposal, ProposalReport } from '../../proposals/proposal.ts';
import { eachRun } from '../../journal/each-run.ts';
import { TechneError } from '../../base/error.ts';
import { localDay } from '../local-time.ts';
import { openRunStore } from '../open-run-store.ts';
import type { Checked } from './check-proposal.ts';
import { checkTests } from './check-runs.ts';
import { checkTriggers } from './check-triggers.ts';
import { heal, sidesOf } from './install-change.ts';
import type { Proposals } from './proposals.ts';

export interface AutoOutcome {
  readonly proposal: Proposal;
  readonly what: 'enabled' | 'skipped' | 'rolled-back' | 'kept';
  readonly reason: string;
  readonly audit: AutoEnableAudit | null;
}

/** How many of its first runs must not fail. */
export const watchedRuns = 3;

export function policyOf({ library, homeFolder }: Proposals): AutoEnablePolicy {
  const { autoEnable: configured } = library.loaded.config.proposals;
  return {
    ...(configured as unknown as AutoEnablePolicy),
    folders: configured.folders.map((path) => {
      const folder = path.startsWith('~/') ? join(homeFolder, path.slice(2)) : path;
      return library.files.realPath(folder) ?? folder;
    }),
  };
}

/** Reviews what was enabled before, then what waits. */
export async function autoEnable(proposals: Proposals): Promise<readonly AutoOutcome[]> {
  await heal(proposals.queue);
  const outcomes = [...(await reviewEnabled(proposals))];
  const { proposals: all } = await proposals.queue.list();
  for (const { id, state } of all) if (state === 'pending') outcomes.push(await judgeOne(proposals, id));
  return outcomes;
}

/** Every condition of the policy for this proposal now. It changes nothing. */
export async function auditProposal(
  proposals: Proposals,
  proposal: Proposal,
  report: ProposalReport,
): Promise<AutoEnableAudit> {
  const { queue } = proposals;
  const now = queue.now();
  const today = localDay(Date.parse(now));
  const { entries } = await queue.audit();
  return judgeAutoEnable(policyOf(proposals), {
    proposal,
    report,
    frozen: await queue.isFrozen(),
    enabledToday: entries.filter(
      ({ act, at }) => act === 'auto-enabled' && localDay(Date.parse(at)) === today,
    ).length,
    today,
    now,
  });
}

async function judgeOne(proposals: Proposals, id: string): Promise<AutoOutcome> {
  const { queue } = proposals;
  const { proposal, report } = await proposals.check(id);
  const audit = await auditProposal(proposals, proposal, report);
  const details: JsonObject = { conditions: audit.conditions as unknown as Json };
  if (audit.enabled)
    return {
      proposal: await proposals.enable(proposal, details),
      what: 'enabled',
      reason: 'every condition holds',
      audit,
    };
  const failing = audit.conditions.filter(({ ok }) => !ok);
  const reason = failing.map(({ name, value, wanted }) => `${name}: ${value} (wanted: ${wanted})`).join('; ');
  const names = failing.map(({ name }) => name);
  await queue.exclusively(async () => {
    const last = (await queue.audit()).entries.findLast(
      (entry) => entry.proposal === id && entry.act === 'auto-skipped',
    );
    if (canonicalJson((last?.details['failing'] ?? null) as Json) !== canonicalJson(names))
      await queue.append({
        proposal: id,
        act: 'auto-skipped',
        by: 'policy',
        reason,
        details: { ...details, failing: names },
      });
  });
  return { proposal, what: 'skipped', reason, audit };
}

async function reviewEnabled(proposals: Proposals): Promise<readonly AutoOutcome[]> {
  const { queue } = proposals;
  const { entries } = await queue.audit();
  const { proposals: all } = await queue.list();
  const outcomes: AutoOutcome[] = [];
  for (const proposal of all) {
    const enabled = entries.findLast(
      (entry) => entry.proposal === proposal.id && entry.act === 'auto-enabled',
    );
    if (proposal.state !== 'accepted' || enabled === undefined) continue;
    const why = await faultOf(proposals, proposal, enabled);
    if (why === null)
      outcomes.push({ proposal, what: 'kept', reason: 'its tests and first runs are fine', audit: null });
    else outcomes.push(await takeBack(proposals, proposal, why));
  }
  return outcomes;
}

async function takeBack(proposals: Proposals, proposal: Proposal, why: string): Promise<AutoOutcome> {
  try {
    const back = await proposals.rollback(proposal.id, 'policy', why);
    return { proposal: back, what: 'rolled-back', reason: why, audit: null };
  } catch (error) {
    // Somebody changed the skill since: it is theirs now.
    if (error instanceof TechneError && error.code === 'STALE')
      return { proposal, what: 'kept', reason: `${why}; but ${error.message}`, audit: null };
    throw error;
  }
}

/** Why an enabled skill is taken back; `null`: it is not. */
async function faultOf(
  proposals: Proposals,
  proposal: Proposal,
  enabled: AuditEntry,
): Promise<string | null> {
  const { after } = sidesOf(proposal);
  if (after === null) return null;
  const name = proposal.newName ?? proposal.skill;
  const failed = (
    await firstRuns(
      proposals.homeFolder,
      proposals.library.loaded.config.runs.store ?? 'files',
      name,
      Date.parse(enabled.at),
    )
  ).find(({ status }) => status === 'failed' || status === 'corrupt');
  if (failed !== undefined) return `its run ${failed.run} failed, one of its first ${watchedRuns}`;
  const { library } = proposals;
  const current = await library.load();
  const skill = current.has(name) ? current.get(name) : null;
  if (skill?.realFolder !== after.folder) return null;
  const subject: Checked = {
    library,
    proposal,
    name,
    current,
    changed: current,
    skill,
    folder: after.folder,
    tree: null,
  };
  const triggers: CheckResult = { name: 'triggers', ...(await checkTriggers(subject, null)) };
  const tests = await checkTests(subject, triggers);
  return tests.outcome === 'failed' ? `its tests fail: ${tests.reason}` : null;
}

async function firstRuns(
  homeFolder: string,
  at: string,
  skill: string,
  sinceMs: number,
): Promise<readonly { readonly run: string; readonly status: string; readonly startedAt: number }[]> {
  const { store } = await openRunStore({ homeFolder, at });
  const found: { run: string; status: string; startedAt: number }[] = [];
  try {
    for await (const { run, skill: of, status, startedAt } of eachRun(store)) {
      if (startedAt < sinceMs) break;
      if (of === skill) found.push({ run, status, startedAt });
    }
  } finally {
    await store.close();
  }
  return found.toSorted((a, b) => a.startedAt - b.startedAt).slice(0, watchedRuns);
}
