// May a proposal take effect without a person? One pure function, and a record of each condition that it looked at.
//
//   policy of the person + proposal + report + history -> { enabled, conditions }
//
// Every condition is evaluated and recorded, also after one failed, so that the record of a skip names all that stood in the way. A
// condition that cannot be evaluated fails. Off is the default. Commands, network and credentials pass only where the person's own
// configuration names them.
import type { Risk } from '../skill/types.ts';
import type { Proposal, ProposalReport } from './proposal.ts';

/** `proposals.autoEnable` of the user's configuration. A workspace can only tighten it. */
export interface AutoEnablePolicy {
  readonly enabled: boolean;
  /** The highest computed risk that passes. */
  readonly maxRisk: Risk;
  /** Capabilities that pass. Those of `dangerousCapabilities` pass only when they are named here. */
  readonly capabilities: readonly string[];
  /** Who may propose: `agent`, `person`, `learn`, `curator`. */
  readonly from: readonly Proposal['origin']['by'][];
  /** Kinds of change that pass. */
  readonly kinds: readonly Proposal['kind'][];
  /** Folders, absolute, that skills may be installed into; a skill must lie directly in one of them or below it. */
  readonly folders: readonly string[];
  readonly perDay: number;
  /** How long a proposal must have been in the queue. */
  readonly quarantineMinutes: number;
}

export interface AutoEnableFacts {
  readonly proposal: Proposal;
  readonly report: ProposalReport;
  /** `techne proposals freeze` was called. */
  readonly frozen: boolean;
  /** How many were enabled by this rule on the day `today`. */
  readonly enabledToday: number;
  /** The day of `now` where the person is: `2026-11-18`. */
  readonly today: string;
  readonly now: string;
}

export interface Condition {
  readonly name: ConditionName;
  readonly ok: boolean;
  /** What was found. */
  readonly value: string;
  /** What would pass. */
  readonly wanted: string;
}

export type ConditionName =
  | 'switched-on'
  | 'not-frozen'
  | 'pending'
  | 'from'
  | 'kind'
  | 'folder'
  | 'checks'
  | 'verdict'
  | 'risk'
  | 'declared-risk'
  | 'sub-skills'
  | 'capabilities'
  | 'per-day'
  | 'quarantine';

export interface AutoEnableAudit {
  readonly proposal: string;
  readonly enabled: boolean;
  /** All of them, in the order of `ConditionName`. */
  readonly conditions: readonly Condition[];
  readonly at: string;
}

/** Never pass because of `*`-like settings: the person must name each. */
export const dangerousCapabilities: ReadonlySet<string> = new Set([
  'shell',
  'process-control',
  'network',
  'network-read',
  'network-write',
  'credential-use',
  'external-side-effect',
]);

const risks: readonly Risk[] = ['low', 'medium', 'high'];

export function judgeAutoEnable(policy: AutoEnablePolicy, facts: AutoEnableFacts): AutoEnableAudit {
  const { proposal, report, frozen, enabledToday, today, now } = facts;
  const age = ageMinutes(proposal.madeAt, now);
  const failed = report.checks.filter(({ outcome }) => outcome !== 'passed');
  // What is not declared and what is unknown counts as high.
  const risk: Risk = report.unknownSkills.length > 0 ? 'high' : report.risk;
  const barred = report.capabilities.filter((one) => !policy.capabilities.includes(one));
  const conditions: readonly Condition[] = [
    condition(
      'switched-on',
      policy.enabled,
      policy.enabled ? 'on' : 'off',
      'proposals.autoEnable.enabled: true in your own configuration',
    ),
    condition('not-frozen', !frozen, frozen ? 'frozen' : 'not frozen', 'techne proposals unfreeze'),
    condition('pending', proposal.state === 'pending', proposal.state, 'pending'),
    condition('from', policy.from.includes(proposal.origin.by), proposal.origin.by, list(policy.from)),
    condition('kind', policy.kinds.includes(proposal.kind), proposal.kind, list(policy.kinds)),
    condition(
      'folder',
      policy.folders.some((folder) => isBelow(proposal.folder, folder)),
      proposal.folder,
      list(policy.folders),
    ),
    condition(
      'checks',
      report.checks.length > 0 && failed.length === 0,
      failed.length === 0
        ? `${report.checks.length} passed`
        : failed.map(({ name, outcome }) => `${name} ${outcome}`).join(', '),
      'every check passed, none skipped',
    ),
    condition('verdict', report.verdict === 'clean', report.verdict, 'clean'),
    condition(
      'risk',
      risks.indexOf(risk) <= risks.indexOf(policy.maxRisk),
      risk,
      `at most ${policy.maxRisk}`,
    ),
    condition(
      'declared-risk',
      report.declaredRisk !== null && risks.indexOf(report.declaredRisk) >= risks.indexOf(report.risk),
      report.declaredRisk ?? 'not declared',
      `declared, and at least the computed ${report.risk}`,
    ),
    condition(
      'sub-skills',
      report.unknownSkills.length === 0,
      list(report.unknownSkills),
      'no sub-skill without a declared risk',
    ),
    condition(
      'capabilities',
      barred.length === 0,
      barred.length === 0 ? list(report.capabilities) : `not allowed: ${list(barred)}`,
      list(policy.capabilities),
    ),
    condition(
      'per-day',
      enabledToday < policy.perDay,
      `${enabledToday} today, ${today}`,
      `fewer than ${policy.perDay}`,
    ),
    condition(
      'quarantine',
      age !== null && age >= policy.quarantineMinutes,
      age === null ? 'unknown' : `${Math.floor(age)} minutes in the queue`,
      `at least ${policy.quarantineMinutes} minutes`,
    ),
  ];
  return { proposal: proposal.id, enabled: conditions.every(({ ok }) => ok), conditions, at: now };
}

function condition(name: ConditionName, ok: boolean, value: string, wanted: string): Condition {
  return { name, ok, value, wanted };
}

function list(items: readonly string[]): string {
  return items.length === 0 ? 'none' : items.join(', ');
}

function isBelow(path: string, folder: string): boolean {
  return (
    folder !== '' &&
    path.startsWith(folder.endsWith('/') ? folder : `${folder}/`) &&
    !path.split('/').includes('..')
  );
}

/** `null` when either time cannot be read, or the first lies in the future. */
function ageMinutes(from: string, to: string): number | null {
  const minutes = (Date.parse(to) - Date.parse(from)) / 60_000;
  return Number.isFinite(minutes) && minutes >= 0 ? minutes : null;
}
