// Shows a proposal, asks, installs what was agreed to, and says what happened.
//
// JSON: {installed: [entry], unchanged: [name], refused: [{name, code, message, hint}], proposed?: [{name, change, digest, verdict, findings, diff}]}
// The exit code is that of the first refusal, else 0; 1 if the person said no.
import { printableLine } from '../../base/printable.ts';
import type { Hub } from '../../hub/install/hub.ts';
import type { NotProposed, Proposal, ProposedSkill } from '../../hub/install/proposal.ts';
import type { LockEntry } from '../../hub/lock/lock.ts';
import { displayPath } from '../../techne/paths.ts';
import { entryFacts, ownResolved, versionText } from '../../techne/hub/words.ts';
import { askPerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOf, exitCodes } from '../exit-code.ts';
import { createPaint, isAtTerminal } from '../io.ts';
import { consentPage } from './consent-page.ts';
import { compareSkill } from '../../techne/hub/compare-skill.ts';
import type { HubWork } from './with-hub.ts';

export interface SettleOptions {
  /** Shows what would be done, and does nothing. */
  readonly dryRun?: boolean;
  /** What is said when there was nothing to do; `null`: the caller says it. */
  readonly nothing: string | null;
  /** How a line about a skill that is refused begins. Default: Not installed. */
  readonly refusal?: string;
}

export async function settle(
  context: CommandContext,
  work: HubWork,
  hub: Hub,
  proposal: Proposal,
  { dryRun = false, nothing, refusal = 'Not installed' }: SettleOptions,
): Promise<number> {
  const { args, io, err } = context;
  work.pause();
  const paint = createPaint(context.colour && io.stderr.isTTY === true);
  const given = {
    // A preview needs no consent.
    terminal: dryRun || isAtTerminal(io),
    yes: args.flag('yes'),
    allowIncomplete: args.flag('allow-incomplete'),
  };
  const refused: NotProposed[] = [...proposal.notProposed];
  const allowed: ProposedSkill[] = [];
  const asked: ProposedSkill[] = [];
  const unscanned: string[] = [];
  for (const skill of proposal.skills) {
    if (skill.change === 'same') continue;
    const decision = work.hub.decide(skill, given);
    if (decision.kind === 'refused') refused.push({ name: skill.name, ...decision });
    else (decision.kind === 'ask' ? asked : allowed).push(skill);
    if (decision.kind === 'ask' && decision.explicitly) unscanned.push(skill.name);
  }
  const page = consentPage(proposal, context, paint, await work.hub.ownRecords(hub));
  const isQuietRestore =
    allowed.every(({ change, wasAgreed }) => change === 'back' && wasAgreed) &&
    asked.length + refused.length === 0;
  if (!isQuietRestore) for (const line of page) err.line(line);
  const changeOf = new Map(proposal.skills.map(({ name, change }) => [name, change]));
  const unchanged = [
    ...proposal.unchanged,
    ...proposal.skills.filter(({ change }) => change === 'same').map(({ name }) => name),
  ].sort();
  if (dryRun) {
    await hub.discard(proposal);
    return report(context, {
      ownRecord: await work.hub.ownRecords(hub),
      installed: [],
      unchanged,
      refused,
      proposed: proposal.skills,
      saidNo: false,
      nothing,
      refusal,
      isDryRun: true,
      hub,
      changeOf,
    });
  }
  let saidNo = false;
  const trusted: string[] = [];
  try {
    if (asked.length > 0) {
      saidNo = !(await askPerson(context, question(asked, unscanned)));
      if (!saidNo) allowed.push(...asked);
    }
    trusted.push(...(await askTrust(context, given.terminal && !given.yes, allowed)));
  } catch (error) {
    await hub.discard(proposal);
    throw error;
  }
  work.resume();
  const installed = await hub.install(
    proposal,
    allowed.map(({ name }) => name),
    trusted,
  );
  for (const entry of installed) if (trusted.includes(entry.name)) await work.hub.trust(hub, entry);
  const ownRecord = await work.hub.ownRecords(hub);
  work.pause();
  const facts = {
    ownRecord,
    installed,
    unchanged,
    refused,
    proposed: null,
    saidNo,
    nothing,
    refusal,
    isDryRun: false,
    hub,
    changeOf,
  };
  return report(context, facts);
}

function question(asked: readonly ProposedSkill[], unscanned: readonly string[]): string {
  const names = asked.map(({ name }) => printableLine(name)).join(', ');
  const verb = asked.every(({ change }) => change === 'changed') ? 'Update' : 'Install';
  return unscanned.length === 0
    ? `${verb} ${names}?`
    : `Not everything in ${unscanned.map((name) => printableLine(name)).join(', ')} could be scanned. ${verb} ${names} anyway?`;
}

/**
 * Only for content that can be executed, that no person on this machine agreed to before, and only by a person. The trust of
 * content that comes back unchanged is in the user's records, or it is not; what a lock says about it proves nothing.
 */
async function askTrust(
  context: CommandContext,
  canAsk: boolean,
  skills: readonly ProposedSkill[],
): Promise<readonly string[]> {
  const fresh = skills
    .filter(
      ({ declared, change, wasAgreed }) =>
        declared.form !== 'instructions' && (change !== 'back' || !wasAgreed),
    )
    .map(({ name }) => name);
  if (!canAsk || fresh.length === 0) return [];
  const names = fresh.map((name) => printableLine(name)).join(', ');
  const isTrusted = await askPerson(
    context,
    `May ${names} be executed, as ${fresh.length === 1 ? 'it is' : 'they are'} now?`,
  );
  return isTrusted ? fresh : [];
}

interface Outcome {
  readonly ownRecord: Awaited<ReturnType<HubWork['hub']['ownRecords']>>;
  readonly installed: readonly Parameters<typeof entryFacts>[0][];
  readonly unchanged: readonly string[];
  readonly refused: readonly NotProposed[];
  readonly proposed: readonly ProposedSkill[] | null;
  readonly saidNo: boolean;
  readonly nothing: string | null;
  readonly refusal: string;
  readonly isDryRun: boolean;
  readonly hub: Hub;
  readonly changeOf: ReadonlyMap<string, ProposedSkill['change']>;
}

const doneWords: { readonly [change in ProposedSkill['change']]: string } = {
  new: 'Installed',
  changed: 'Updated',
  same: 'Installed',
  back: 'Restored',
};

function report(context: CommandContext, outcome: Outcome): number {
  const { out, err, json, quiet, io } = context;
  const { installed, unchanged, refused, proposed, saidNo, hub, ownRecord } = outcome;
  const [first] = refused;
  const code = first !== undefined ? exitCodeOf(first.code) : saidNo ? exitCodes.files : exitCodes.fine;
  if (json) {
    out.json({
      installed: installed.map((entry) => entryFacts(entry, ownRecord(entry))),
      unchanged,
      refused,
      ...(proposed === null ? {} : { proposed: proposed.map((skill) => proposedFacts(skill, ownRecord)) }),
    });
    return code;
  }
  for (const { name, resolved } of installed)
    out.line(
      `${doneWords[outcome.changeOf.get(name) ?? 'new']} ${printableLine(name)} (${printableLine(versionText(resolved))}) in ${printableLine(displayPath(hub.place.skills, io))}`,
    );
  for (const name of unchanged)
    out.line(`${printableLine(name)} is installed already, and its source has nothing new.`);
  for (const { name, message, hint } of refused) {
    err.line(`${outcome.refusal}: ${printableLine(name)}: ${printableLine(message)}`);
    if (hint !== null && !quiet) err.line(`  hint: ${printableLine(hint)}`);
  }
  if (saidNo) err.line('Nothing was installed.');
  else if (outcome.isDryRun) err.line('Nothing was changed (--dry-run).');
  else if (installed.length + unchanged.length + refused.length === 0 && outcome.nothing !== null)
    out.line(outcome.nothing);
  const fresh = installed.filter(({ name }) => outcome.changeOf.get(name) === 'new');
  if (fresh.length > 0 && !quiet) err.line(nextStep(fresh, hub));
  return code;
}

function nextStep(installed: Outcome['installed'], { place }: Hub): string {
  const [entry] = installed;
  const lock =
    place.scope === 'user'
      ? 'The lock is ~/.techne/techne-lock.json.'
      : 'The lock is techne-lock.json: commit it with your work.';
  return `  Read ${installed.length === 1 ? 'it' : 'them'}: techne show ${entry?.name ?? ''}. ${lock}`;
}

function proposedFacts(skill: ProposedSkill, ownRecord: Outcome['ownRecord']): unknown {
  const { name, change, after, before, report: scan } = skill;
  const own = (entry: LockEntry): unknown => ({
    digest: entry.digest,
    resolved: ownResolved(entry.resolved, ownRecord(entry).trustedAs),
  });
  return {
    name,
    change,
    from: before === null ? null : own(before),
    // What was fetched just now was verified just now.
    to: change === 'back' ? own(after) : { digest: after.digest, resolved: after.resolved },
    hasOtherSource: skill.hasOtherSource,
    verdict: scan.verdict,
    findings: scan.findings,
    notScanned: scan.notScanned,
    diff: compareSkill(skill),
  };
}
