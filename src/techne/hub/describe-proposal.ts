// What a person must see before a skill is let in, as data: the page of `techne add`, for surfaces that are no terminal.
//
//   Proposal or Adoption -> places, files, what is declared and used, verdict, findings, what differs, what may be done
//
// Texts of skills are printable (base/printable.ts) and every list is bounded: `total…` says how much there is.
import { printableLine } from '../../base/printable.ts';
import type { Finding, Report } from '../../guard/report.ts';
import type { Declared } from '../../hub/install/declared.ts';
import type { Scope } from '../../hub/install/place.ts';
import type { Decision, Proposal, ProposedSkill } from '../../hub/install/proposal.ts';
import { decide } from '../../hub/install/proposal.ts';
import type { Adoption } from '../../hub/install/propose/adopt.ts';
import { readUsed } from '../../hub/install/declared.ts';
import type { LockEntry } from '../../hub/lock/lock.ts';
import type { SkillDiff } from './compare-skill.ts';
import { compareSkill } from './compare-skill.ts';
import type { OwnRecord } from './words.ts';
import { originOf } from './words.ts';

const mostFiles = 500;
const mostFindings = 200;
const mostItems = 200;

export interface ShownFinding extends Omit<Finding, 'hiddenBy'> {
  readonly hiddenBy: readonly string[];
}

/** The verdict of a scan with its reasons. */
export interface ShownReport {
  readonly verdict: Report['verdict'];
  readonly findings: readonly ShownFinding[];
  readonly totalFindings: number;
  /** Findings that a person accepted for this content. */
  readonly accepted: number;
  readonly notScanned: readonly { readonly file: string; readonly message: string }[];
  readonly rulesVersion: string;
  /** Of the content that was scanned. */
  readonly scanned: string;
}

/** A skill that would be installed, changed, put back, or kept as it is now. */
export interface ShownSkill extends ShownReport {
  readonly name: string;
  readonly change: ProposedSkill['change'] | 'kept';
  /** Of the content: consent names it. */
  readonly digest: string;
  readonly before: string | null;
  readonly form: string;
  readonly description: string;
  readonly from: string;
  readonly version: string;
  readonly signer: string | null;
  readonly source: string | null;
  readonly warnings: readonly string[];
  /** Somebody on this machine agreed to this content before. */
  readonly wasAgreed: boolean;
  readonly decision: {
    readonly kind: Decision['kind'];
    /** Not everything could be scanned: consent must say that it knows. */
    readonly incomplete: boolean;
    readonly code: string | null;
    readonly message: string | null;
    readonly hint: string | null;
  };
  readonly files: readonly { readonly path: string; readonly size: number; readonly executable: boolean }[];
  readonly totalFiles: number;
  readonly declared: Declared;
  readonly used: ProposedSkill['used'];
  readonly shadows: readonly {
    readonly folder: string;
    readonly source: string;
    readonly isHidden: boolean;
  }[];
  readonly notTaken: readonly { readonly path: string; readonly reason: string }[];
  readonly leftOut: readonly string[];
  /** `null`: nothing is there to compare with. */
  readonly diff: SkillDiff | null;
  /** Why what was locked cannot be compared with. */
  readonly diffFault: string | null;
}

export interface ShownProposal {
  readonly scope: Scope;
  readonly folder: string;
  readonly skills: readonly ShownSkill[];
  readonly refused: readonly {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
  }[];
  readonly unchanged: readonly string[];
  readonly pluginParts: readonly { readonly kind: string; readonly path: string; readonly summary: string }[];
  readonly notTaken: readonly { readonly path: string; readonly reason: string }[];
}

export interface Shown {
  readonly policy: 'ask' | 'pinned' | 'off';
  readonly ownRecord: (entry: LockEntry) => OwnRecord;
  /** As people see it. */
  readonly shownPath: (path: string) => string;
}

/** What may be done with it where a person can be asked, as at a terminal. */
export function decisionOf(skill: ProposedSkill, policy: Shown['policy']): Decision {
  return decide(skill, { terminal: true, yes: false, allowIncomplete: false, policy });
}

export function describeProposal(proposal: Proposal, shown: Shown): ShownProposal {
  const { place, skills, notProposed, unchanged, pluginParts, refused } = proposal;
  return {
    scope: place.scope,
    folder: shown.shownPath(place.skills),
    skills: skills.map((skill) => describeProposed(skill, shown)),
    refused: notProposed.map(({ name, code, message, hint }) => ({
      name,
      code,
      message: printableLine(message),
      hint: hint === null ? null : printableLine(hint),
    })),
    unchanged,
    pluginParts: pluginParts.slice(0, mostItems).map(({ kind, path, summary }) => ({
      kind,
      path: printableLine(path),
      summary: printableLine(summary).slice(0, 300),
    })),
    notTaken: reasons(refused),
  };
}

function describeProposed(skill: ProposedSkill, { policy, ownRecord, shownPath }: Shown): ShownSkill {
  const { name, change, before, after, declared, used, report, shadows, files, leftOut } = skill;
  const decision = decisionOf(skill, policy);
  const origin = originOf(skill, ownRecord);
  return {
    ...describeReport(report),
    name,
    change,
    digest: after.digest,
    before: before?.digest ?? null,
    ...describeDeclared(declared),
    from: printableLine(origin.from),
    version: printableLine(origin.version),
    signer: origin.signer === null ? null : printableLine(origin.signer),
    source: origin.source === null ? null : printableLine(origin.source),
    warnings: [
      ...(skill.hasOtherSource
        ? [`the lock says that it is from ${printableLine(after.source)}, which is another place`]
        : []),
      ...(change === 'changed' && before?.adopted === true
        ? ['you adopted changes of it, which its source does not have: they would be replaced']
        : []),
      ...(change === 'back' && !skill.wasAgreed ? ['it is named by the lock, and new on this machine'] : []),
    ],
    wasAgreed: skill.wasAgreed,
    decision: {
      kind: decision.kind,
      incomplete: decision.kind === 'ask' && decision.explicitly,
      code: decision.kind === 'refused' ? decision.code : null,
      message: decision.kind === 'refused' ? printableLine(decision.message) : null,
      hint: decision.kind === 'refused' ? printableLine(decision.hint) : null,
    },
    ...describeFiles(files),
    used: describeUsed(used),
    shadows: shadows.slice(0, mostItems).map(({ folder, source, isHidden }) => ({
      folder: printableLine(shownPath(folder)),
      source,
      isHidden,
    })),
    notTaken: reasons(skill.refused),
    leftOut: leftOut.slice(0, mostItems).map(printableLine),
    diff: change === 'changed' || change === 'back' ? printableDiff(compareSkill(skill)) : null,
    diffFault: null,
  };
}

/** A skill as it is on the disk now, which the lock would take. */
export function describeAdoption(
  adoption: Adoption,
  shown: Shown & { readonly scope: Scope; readonly folder: string },
): ShownProposal {
  const { before, after, report, files, declared, locked, fault } = adoption;
  const isSame = before !== null && before.digest === after.digest;
  const origin = originOf({ after, change: 'back', hasOtherSource: false }, shown.ownRecord);
  const isBad = report.verdict === 'dangerous';
  const compared = {
    files,
    filesNow: locked?.files ?? null,
    declared,
    declaredNow: locked?.declared ?? null,
    before,
    report,
  };
  const skill: ShownSkill = {
    ...describeReport(report),
    name: after.name,
    change: isSame ? 'same' : 'kept',
    digest: after.digest,
    before: before?.digest ?? null,
    ...describeDeclared(declared),
    from: printableLine(origin.from),
    version: printableLine(origin.version),
    signer: origin.signer === null ? null : printableLine(origin.signer),
    source: origin.source === null ? null : printableLine(origin.source),
    warnings: [],
    wasAgreed: false,
    decision: {
      kind: isBad ? 'refused' : 'ask',
      incomplete: report.verdict === 'incomplete',
      code: isBad ? 'INSTALL_REFUSED' : null,
      message: isBad ? `"${after.name}" is dangerous as it is now` : null,
      hint: isBad ? 'remove what was found, or accept the findings of its scan if they are wrong' : null,
    },
    ...describeFiles(files),
    used: describeUsed(readUsed(files)),
    shadows: [],
    notTaken: [],
    leftOut: [],
    // Without what was locked every file would look new.
    diff: fault === null ? printableDiff(compareSkill(compared)) : null,
    diffFault: fault === null ? null : printableLine(fault.message),
  };
  return {
    scope: shown.scope,
    folder: shown.folder,
    skills: isSame ? [] : [skill],
    refused: [],
    unchanged: isSame ? [after.name] : [],
    pluginParts: [],
    notTaken: [],
  };
}

export function describeReport({
  verdict,
  findings,
  accepted,
  notScanned,
  rulesVersion,
  digest,
}: Report): ShownReport {
  return {
    verdict,
    findings: findings.slice(0, mostFindings).map((finding) => ({
      ...finding,
      file: printableLine(finding.file),
      excerpt: printableLine(finding.excerpt).slice(0, 400),
      decoded: finding.decoded === null ? null : printableLine(finding.decoded).slice(0, 800),
      hiddenBy: finding.hiddenBy.map(printableLine),
      message: printableLine(finding.message),
      hint: printableLine(finding.hint),
    })),
    totalFindings: findings.length,
    accepted: accepted.length,
    notScanned: notScanned.slice(0, mostItems).map(({ file, message }) => ({
      file: printableLine(file),
      message: printableLine(message),
    })),
    rulesVersion,
    scanned: digest,
  };
}

function describeDeclared(declared: Declared): Pick<ShownSkill, 'form' | 'description' | 'declared'> {
  const description = printableLine(declared.description).slice(0, 1_024);
  return {
    form: declared.form,
    description,
    declared: {
      ...declared,
      description,
      risk: declared.risk === null ? null : printableLine(declared.risk),
      tools: texts(declared.tools),
      capabilities: texts(declared.capabilities),
      programs: texts(declared.programs),
      variables: texts(declared.variables),
      installHints: texts(declared.installHints),
    },
  };
}

function describeUsed({ scripts, commands, hosts }: ProposedSkill['used']): ProposedSkill['used'] {
  return { scripts: texts(scripts), commands: texts(commands), hosts: texts(hosts) };
}

function describeFiles(files: ProposedSkill['files']): Pick<ShownSkill, 'files' | 'totalFiles'> {
  return {
    files: files.slice(0, mostFiles).map(({ path, size, executable }) => ({ path, size, executable })),
    totalFiles: files.length,
  };
}

function printableDiff({ files, declared, verdict }: SkillDiff): SkillDiff {
  return {
    files: files.slice(0, mostFiles),
    declared: declared.map(({ what, added, removed }) => ({
      what,
      added: texts(added),
      removed: texts(removed),
    })),
    verdict,
  };
}

function reasons(
  refused: readonly { readonly path: string; readonly reason: string }[],
): readonly { readonly path: string; readonly reason: string }[] {
  return refused
    .slice(0, mostItems)
    .map(({ path, reason }) => ({ path: printableLine(path), reason: printableLine(reason) }));
}

function texts(items: readonly string[]): readonly string[] {
  return items.slice(0, mostItems).map((item) => printableLine(item).slice(0, 300));
}
