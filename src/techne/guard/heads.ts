// The heads of skills, scanned before any of them is shown to a model.
//
//   skills -> those whose head would be refused, if it were the whole skill
//
// A description is shown before anybody reads the skill, so it cannot wait for the scan at the first read. A head is scanned alone, which is cheap,
// and once: what was found is kept for the signature of SKILL.md and the version of the rules. Files that were only just written are
// looked at again, as with the index cache.
import { encodeUtf8 } from '../../base/utf8.ts';
import type { Json } from '../../base/json.ts';
import type { Config, GuardLevel } from '../../config/types.ts';
import type { Verdict } from '../../guard/report.ts';
import { rulesVersion } from '../../guard/version.ts';
import { packageVersion } from '../../node/package-info.ts';
import type { VerdictLog } from '../../node/verdict-log.ts';
import { openVerdictLog } from '../../node/verdict-log.ts';
import type { Clock } from '../../ports/environment.ts';
import { signatureText } from '../../ports/files.ts';
import { racyNs } from '../../registry/cache/head-index.ts';
import type { Skill } from '../../registry/types.ts';
import { passedHeadsFile, headsFile } from '../paths.ts';

export interface HeadGuardOptions {
  readonly config: Pick<Config, 'guard' | 'cache'>;
  readonly homeFolder: string;
  /** Whether what was found is kept for the next process. */
  readonly keeps: boolean;
  readonly clock: Clock;
}

export interface HeadGuard {
  /**
   * The skills whose head, taken alone, is to be refused. Shipped skills are none of them. `set`: the roots and the fingerprint of
   * these skills, if that is known, so that they need not be looked at one by one where none was to be refused.
   */
  suspicious(
    skills: readonly Skill[],
    set?: { readonly roots: string; readonly fingerprint: string } | null,
  ): Promise<readonly Skill[]>;
}

const version = `${packageVersion()} ${rulesVersion}`;

export function createHeadGuard({ config, homeFolder, keeps, clock }: HeadGuardOptions): HeadGuard {
  const inMemory = new Map<string, string>();
  const log: VerdictLog | null = keeps && config.cache.enabled ? openVerdictLog(headsFile(homeFolder)) : null;
  const sets: VerdictLog | null = log === null ? null : openVerdictLog(passedHeadsFile(homeFolder));
  return {
    async suspicious(skills, set = null) {
      const level = config.guard.onRead;
      if (level === 'off') return [];
      const passed = set === null ? '' : `${set.fingerprint} ${version} ${level}`;
      if (set !== null && sets?.get(set.roots) === passed) return [];
      const startNs = clock.nowNs();
      const found: Skill[] = [];
      const fresh: [folder: string, record: string][] = [];
      let scanHead: ((skill: Skill) => Verdict) | null = null;
      for (const skill of skills) {
        if (skill.origin.kind === 'builtin') continue;
        const { realFolder, signature } = skill;
        const key = `${signatureText(signature)} ${version} `;
        const kept = inMemory.get(realFolder) ?? log?.get(realFolder) ?? null;
        let verdict: string;
        if (kept?.startsWith(key) === true) verdict = kept.slice(key.length);
        else {
          scanHead ??= await loadScanner();
          verdict = scanHead(skill);
          const { mtimeNs, ctimeNs } = signature;
          if ((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) + racyNs < startNs) {
            inMemory.set(realFolder, key + verdict);
            fresh.push([realFolder, key + verdict]);
          }
        }
        if (verdict !== 'clean' && (await isRefused(verdict as Verdict, level))) found.push(skill);
      }
      if (fresh.length > 0) log?.putAll(fresh);
      if (set !== null && found.length === 0) sets?.put(set.roots, passed);
      return found;
    },
  };
}

/** Nearly every head is clean: a list need not load what decides about the others. */
async function isRefused(verdict: Verdict, level: GuardLevel): Promise<boolean> {
  return (await import('./verdict.ts')).actionOf(verdict, level, false) === 'refuse';
}

async function loadScanner(): Promise<(skill: Skill) => Verdict> {
  const [{ scanSkill }, { nodeGuardPorts }, { isUnscanned, verdictOfReport }] = await Promise.all([
    import('../../guard/scan.ts'),
    import('../../node/guard-ports.ts'),
    import('./verdict.ts'),
  ]);
  return (skill) => {
    const bytes = encodeUtf8(headTextOf(skill));
    const file = { path: 'SKILL.md', kind: 'file', size: bytes.length, executable: false, bytes } as const;
    const verdict = verdictOfReport(scanSkill([file], nodeGuardPorts, { name: skill.name }));
    // What a limit kept from being scanned counts as dangerous, as when it is read.
    return isUnscanned(verdict, 'SKILL.md') && verdict.verdict === 'incomplete'
      ? 'dangerous'
      : verdict.verdict;
  };
}

/** Every text of the frontmatter, each as a paragraph of its own, and what a listing shows where that is another. */
function headTextOf({ head, description }: Skill): string {
  const texts = new Set([description]);
  const open: Json[] = [head.frontmatter];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null) {
      for (const key of Array.isArray(value) ? [] : Object.keys(value)) if (!isField(key)) texts.add(key);
      open.push(...(Object.values(value) as Json[]));
    }
  }
  return `${[...texts].filter((text) => text.trim() !== '').join('\n\n')}\n`;
}

function isField(key: string): boolean {
  return /^[\w-]{1,30}$/.test(key);
}
