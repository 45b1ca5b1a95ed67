// What a verdict does: policy, and the words for people and models.
//
//   verdict + level + whose work it is -> pass, warn or refuse
//
// This is the one place that decides. Built-in skills are part of techne and are not scanned again. A person's own work (local, in a
// trusted folder) is never refused, only noted. A trusted digest does not count as that: it says that somebody may
// execute this content, not that its findings were seen; those are accepted one by one (`techne scan accept`).
import type { GuardLevel } from '../../config/types.ts';
import { severities } from '../../guard/report.ts';
import type { Report, Verdict } from '../../guard/report.ts';
import { printableLine } from '../../base/printable.ts';

/** What is kept of a report. */
export interface SkillVerdict {
  readonly verdict: Verdict;
  /** The codes of what was found, the worst first, each once. */
  readonly rules: readonly string[];
  /** Files that could not be wholly scanned. */
  readonly unread: readonly string[];
  /** How many they are; `unread` names the first. */
  readonly unreadCount: number;
  /** Files that a limit kept from being scanned to their end: they are not handed out, and nothing of the skill is run. */
  readonly unscanned: readonly string[];
}

export type GuardAction = 'pass' | 'warn' | 'refuse';

const refusedFrom: { readonly [level in GuardLevel]: readonly Verdict[] } = {
  off: [],
  warn: [],
  refuse: ['dangerous'],
  'refuse-incomplete': ['dangerous', 'incomplete'],
  'refuse-caution': ['dangerous', 'incomplete', 'caution'],
};

/** `unseen`: what is to be used was not scanned itself, which is as bad as a finding: whoever wrote it can make it so. */
export function actionOf(
  verdict: Verdict,
  level: GuardLevel,
  isOwnWork: boolean,
  unseen = false,
): GuardAction {
  if (level === 'off' || verdict === 'clean') return 'pass';
  const counted = unseen && verdict === 'incomplete' ? 'dangerous' : verdict;
  return refusedFrom[level].includes(counted) && !isOwnWork ? 'refuse' : 'warn';
}

/** Whether a limit kept the scan from what is to be used: a file of the skill and SKILL.md, or all of it when it is run. */
export function isUnscanned({ unscanned }: SkillVerdict, path: string | null): boolean {
  if (path === null) return unscanned.length > 0;
  return unscanned.some((file) => file === path || file.toLowerCase() === 'skill.md');
}

const mostNames = 5;

export function verdictOfReport({ verdict, findings, notScanned }: Report): SkillVerdict {
  const telling = findings
    .filter(({ severity }) => severity !== 'low' && severity !== 'info')
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  return {
    verdict,
    rules: [...new Set(telling.map(({ rule }) => rule))].slice(0, mostNames),
    unread: notScanned.map(({ file }) => file).slice(0, mostNames),
    unreadCount: notScanned.length,
    unscanned: notScanned
      .filter(({ reason }) => reason === 'timed-out' || reason === 'too-many-files')
      .map(({ file }) => file),
  };
}

/** One line, without the name of the skill. */
export function describeVerdict({ verdict, rules, unread, unreadCount }: SkillVerdict): string {
  const more = unreadCount > unread.length ? ` and ${unreadCount - unread.length} more` : '';
  const files = `${unread.map((path) => `"${printableLine(path)}"`).join(', ')}${more}`;
  switch (verdict) {
    case 'clean':
      return 'the scan found nothing';
    case 'caution':
      return `the scan calls for caution: ${rules.join(', ')}`;
    case 'incomplete':
      return `the scan could not read all of it (${files})${rules.length === 0 ? '' : `, and calls for caution: ${rules.join(', ')}`}`;
    case 'dangerous':
      return `the scan found it dangerous: ${rules.join(', ')}`;
  }
}
