// What somebody agreed to -> the decisions to record, or a refusal.
//
// Consent counts for the digests that were shown, and never for more than a person at a terminal could agree to.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { Proposal, ProposedSkill } from '../../hub/install/proposal.ts';
import type { Adoption } from '../../hub/install/propose/adopt.ts';
import type { LockEntry } from '../../hub/lock/lock.ts';
import type { HubDecision } from './decision-log.ts';
import type { Shown } from './describe-proposal.ts';
import { decisionOf } from './describe-proposal.ts';
import type { AgreedSkill } from './hub-job.ts';

export type Decided = Omit<HubDecision, 'at' | 'by' | 'scope'>;

const actOf: { readonly [change in Exclude<ProposedSkill['change'], 'same'>]: HubDecision['act'] } = {
  new: 'install',
  changed: 'update',
  back: 'restore',
};

/** Throws STALE, INSTALL_REFUSED, CONSENT_NEEDED, USAGE. */
export function checkAgreed(
  { skills }: Proposal,
  agreed: readonly AgreedSkill[],
  policy: Shown['policy'],
): readonly Decided[] {
  if (agreed.length === 0) throw new TechneError('USAGE', 'no skill is named to be installed');
  if (new Set(agreed.map(({ name }) => name)).size < agreed.length)
    throw new TechneError('USAGE', 'a skill is named twice');
  return agreed.map(({ name, digest, allowIncomplete }) => {
    const skill = skills.find((one) => one.name === name && one.change !== 'same');
    if (skill?.after.digest !== digest) throw notShown(name);
    const decision = decisionOf(skill, policy);
    if (decision.kind === 'refused')
      throw new TechneError(decision.code, decision.message, { hint: decision.hint });
    if (decision.kind === 'ask' && decision.explicitly && !allowIncomplete) throw notWholly(name);
    const { change, after, before, report } = skill;
    return decided(change === 'same' ? 'install' : actOf[change], after, before, report.verdict);
  });
}

/** Throws STALE, INSTALL_REFUSED, CONSENT_NEEDED. */
export function checkAdoption({ before, after, report }: Adoption, agreed: readonly AgreedSkill[]): Decided {
  const [one, ...others] = agreed;
  if (one === undefined || others.length > 0 || one.name !== after.name || one.digest !== after.digest)
    throw notShown(one?.name ?? after.name);
  if (before !== null && before.digest === after.digest)
    throw new TechneError('STALE', `"${after.name}" is as the lock says; there is nothing to adopt`);
  if (report.verdict === 'dangerous')
    throw new TechneError('INSTALL_REFUSED', `"${after.name}" is dangerous as it is now`, {
      hint: 'remove what was found, or accept the findings if they are wrong',
    });
  if (report.verdict === 'incomplete' && !one.allowIncomplete) throw notWholly(after.name);
  return decided('adopt', after, before, report.verdict);
}

function decided(
  act: HubDecision['act'],
  { name, digest, source }: LockEntry,
  before: LockEntry | null,
  verdict: string,
): Decided {
  return { act, skill: name, digest, before: before?.digest ?? null, verdict, source };
}

function notShown(name: string): TechneError {
  return new TechneError(
    'STALE',
    `"${printableLine(name)}" with this digest is not what was shown; nothing was installed`,
    {
      hint: 'look at it again, and name the digest that is shown',
    },
  );
}

function notWholly(name: string): TechneError {
  return new TechneError('CONSENT_NEEDED', `not everything in "${name}" could be scanned`, {
    hint: 'look at what was not scanned; allowIncomplete installs it anyway',
  });
}
