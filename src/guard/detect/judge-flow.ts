// A flow -> the rule it breaks, and how bad it is here.
import { isPrivate } from '../code/shell/follow-shell.ts';
import type { Flow } from '../code/facts.ts';
import { isSecretOfAnother } from '../code/taint.ts';
import type { RawFinding, ScannedSkill } from '../detector.ts';
import type { HostKind } from './hosts.ts';
import { hostOf, hostsOf, isHosting, isMadeUp, siteOf } from './hosts.ts';
import { isAboutSecurity } from './topic.ts';

export type Judged = Pick<RawFinding, 'rule' | 'severity' | 'message'>;

const bad: ReadonlySet<HostKind> = new Set(['address', 'catcher', 'paste', 'shortener']);

/** A skill about security shows attacks with hosts that do not exist; in the text of another skill they call for caution. */
export function judgeFlow(flow: Flow, skill: ScannedSkill, isScript: boolean): Judged | null {
  const judged = judge(flow, skill, isScript);
  if (judged === null) return judged;
  const hosts = [...flow.hosts, ...flow.urls.map(hostOf)];
  if (!isAboutSecurity(skill))
    return !isScript && judged.severity === undefined && hosts.length > 0 && hosts.every(isMadeUp)
      ? { ...judged, severity: 'medium' }
      : judged;
  return hosts.every(isMadeUp) ? { ...judged, severity: 'low' } : judged;
}

function judge(flow: Flow, skill: ScannedSkill, isScript: boolean): Judged | null {
  const { kindOf } = hostsOf(skill);
  const { from } = flow;
  if (flow.to === 'execute') return judgeExecution(flow, skill);
  const kinds = flow.hosts.map(kindOf);
  if (kinds.length > 0 && kinds.every((kind) => kind === 'local')) return null;
  const isBad = kinds.some((kind) => bad.has(kind));
  const isStrange = isBad || kinds.includes('unknown-host');
  if (flow.to === 'lookup') {
    const matters =
      isPrivate(from) || from.has('decoded') || from.has('system') || from.has('files') || from.has('key');
    return matters ? { rule: 'EXFIL_LOOKUP' } : null;
  }
  if (isPrivate(from)) return { rule: 'EXFIL_SECRET' };
  if (from.has('dotenv')) {
    if (isStrange) return { rule: 'EXFIL_SECRET' };
    if (kinds.length === 0 && flow.by !== '') return { rule: 'EXFIL_SECRET', severity: 'low' };
  }
  if (from.has('key')) {
    const foreign = flow.keys.some((key) =>
      flow.hosts.some((host) => isSecretOfAnother(key, host) && kindOf(host) !== 'placeholder'),
    );
    if (isBad) return { rule: 'EXFIL_SECRET' };
    if (foreign && isStrange) return { rule: 'EXFIL_KEY' };
  }
  if (from.has('files'))
    return kinds.includes('known') || kinds.includes('own') || kinds.includes('placeholder')
      ? { rule: 'EXFIL_FILES', severity: flow.by === 'rclone' ? 'medium' : 'low' }
      : { rule: 'EXFIL_FILES' };
  if (from.has('content')) {
    if (isBad) return { rule: 'EXFIL_FILES', severity: 'medium' };
    const main = skill.texts.find(({ path }) => path === 'SKILL.md')?.raw ?? '';
    const isUnsaid =
      isScript && flow.hosts.some((host) => kindOf(host) === 'unknown-host' && !main.includes(siteOf(host)));
    if (isUnsaid) return { rule: 'EXFIL_FILES', severity: 'medium' };
  }
  if (from.has('system') && isStrange) return { rule: 'EXFIL_SYSTEM', severity: isBad ? 'high' : 'medium' };
  return null;
}

function withScheme(url: string): string {
  return url.includes('://') ? url : `https://${url}`;
}

function judgeExecution(flow: Flow, skill: ScannedSkill): Judged | null {
  const { kindOf } = hostsOf(skill);
  if (flow.from.has('decoded')) return { rule: 'DECODE_EXECUTE' };
  if (!flow.from.has('network')) return null;
  const kinds = flow.urls.map((url) => kindOf(hostOf(withScheme(url))));
  if (kinds.some((kind) => bad.has(kind))) return { rule: 'DOWNLOAD_EXECUTE', severity: 'critical' };
  if (kinds.length === 0) return { rule: 'DOWNLOAD_EXECUTE', severity: 'low' };
  if (flow.urls.some((url) => url.startsWith('http:')) && kinds.includes('unknown-host'))
    return { rule: 'DOWNLOAD_EXECUTE' };
  if (kinds.includes('unknown-host') || flow.urls.some((url) => isHosting(hostOf(withScheme(url)))))
    return { rule: 'DOWNLOAD_EXECUTE', severity: 'medium' };
  return { rule: 'DOWNLOAD_EXECUTE', severity: 'low' };
}
