// Snapshot + trust + policy -> may this skill be executed, and why.
//
// `execution.policy: off` comes first: then nothing is executed, whatever is trusted. `metaskills.enabled: false` is the
// operator's switch for the same; it also hides compositions (facts.ts). The files that would be executed are always checked: SKILL.md
// and the program are files of the folder itself (`placeBar`), an installed skill is wholly what its lock says, and a digest that is to decide covers both and
// everything they link to. The digest is computed only here, and only when neither origin nor folder decides. Every
// refusal says what would change it. What is trusted is then asked of the guard, which may refuse it or add a reason.
import type { Config } from '../../config/types.ts';
import { memoryHost } from '../discover/discover-tree.ts';
import { isInside } from '../../base/is-inside.ts';
import type { SkillManifest, Snapshot } from '../snapshot.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import type { Fact, Reason, ReasonCode, Skill } from '../types.ts';

/**
 * Whether the skill of this name may be executed now. Throws SKILL_UNKNOWN, TRUST_STORE, and what reading
 * its files throws (STALE, DIGEST_LIMIT …): a question that cannot be answered is not a yes.
 */
export async function isRunnable(
  snapshot: Pick<Snapshot, 'get' | 'facts' | 'manifest' | 'executionBar' | 'drift'>,
  name: string,
  store: Pick<TrustStore, 'decide'>,
  config: Pick<Config, 'execution' | 'trust' | 'skills'> & Partial<Pick<Config, 'metaskills'>>,
  guard: GuardRun | null = null,
): Promise<Fact> {
  const trusted = await isTrustedToRun(snapshot, name, store, config);
  const found = trusted.ok && guard !== null ? await guard(snapshot.get(name)) : null;
  if (found === null) return trusted;
  return {
    ok: found.code !== 'GUARD_REFUSED',
    reasons: found.code === 'GUARD_REFUSED' ? [found] : [...trusted.reasons, found],
  };
}

/** What a scan says about executing a skill: GUARD_REFUSED or GUARD_WARNED; `null`: nothing. */
export type GuardRun = (skill: Skill) => Promise<Reason | null>;

async function isTrustedToRun(
  snapshot: Pick<Snapshot, 'get' | 'facts' | 'manifest' | 'executionBar' | 'drift'>,
  name: string,
  store: Pick<TrustStore, 'decide'>,
  config: Pick<Config, 'execution' | 'trust' | 'skills'> & Partial<Pick<Config, 'metaskills'>>,
): Promise<Fact> {
  const skill = snapshot.get(name);
  if (config.execution.policy === 'off') {
    return no(
      'EXECUTION_OFF',
      'execution is switched off',
      'set "execution": { "policy": "trusted" } in your own configuration file',
    );
  }
  if (config.metaskills?.enabled === false) {
    return no(
      'METASKILLS_OFF',
      'metaskills are switched off',
      'set "metaskills": { "enabled": true } in your own configuration file',
    );
  }
  const { sound, ready, visibleToUser } = snapshot.facts(skill);
  if (
    config.skills.disabled.includes(name) ||
    visibleToUser.reasons.some(({ code }) => code === 'DISABLED')
  ) {
    return no(
      'DISABLED',
      `"${name}" is switched off by skills.disabled`,
      `remove "${name}" from skills.disabled`,
    );
  }
  const { form, invalid } = skill.card;
  const unready: Fact = {
    ok: false,
    reasons: [reason('NOT_READY', `"${name}" is not ready`, `techne doctor ${name}`), ...ready.reasons],
  };
  // What a file with errors was meant to be is not known.
  if (invalid) return unready;
  // The entry point of instructions is executed by plans.
  if (form === 'instructions' && skill.head.frontmatter['entrypoint'] === undefined)
    return no('NOT_EXECUTABLE', `"${name}" is instructions to read; there is nothing to execute`, null);
  if (!sound.ok) return sound;
  const changed = ready.reasons.filter(({ code }) => code === 'DRIFTED');
  if (changed.length > 0) return { ok: false, reasons: changed };
  if (!ready.ok) return unready;
  const drift = await snapshot.drift(name);
  if (drift !== null) return { ok: false, reasons: [drift] };
  const fileBar = await snapshot.executionBar(name);
  if (fileBar !== null)
    return no(
      'NOT_EXECUTABLE',
      fileBar.message,
      `put the file itself into "${skill.folder}", then: techne check "${skill.file}"`,
    );
  if (skill.root.host === memoryHost) {
    return no(
      'NOT_TRUSTED',
      `"${name}" exists only in memory, so it cannot be trusted`,
      `save it into a folder of skills, look at it there, then: techne trust ${name}`,
    );
  }
  if (skill.origin.kind === 'builtin') return yes('TRUSTED_BUILTIN', 'it is part of techne');

  const seen: { manifest: SkillManifest | null } = { manifest: null };
  const digest = async (): Promise<string> => (seen.manifest = await snapshot.manifest(name)).digest;
  const verdict = await store.decide(skill, digest, config.trust.folders);
  switch (verdict.kind) {
    case 'folder':
      return yes('TRUSTED_FOLDER', `it is local work in the trusted folder "${verdict.folder}"`);
    case 'digest': {
      const gap = seen.manifest === null ? 'SKILL.md' : uncoveredBy(seen.manifest, skill.head.program);
      if (gap !== null)
        return no(
          'NOT_EXECUTABLE',
          `"${gap}" of "${name}" is not covered by the digest that was trusted`,
          'replace the link in the folder by the file itself',
        );
      return yes('TRUSTED_DIGEST', `this content was trusted: ${verdict.digest}`);
    }
    case 'changed':
      return no(
        'CHANGED_SINCE_TRUSTED',
        `"${name}" changed after it was trusted on ${verdict.trusted.grantedAt.slice(0, 10)}`,
        `look at what changed in "${skill.folder}", then: techne trust ${name}`,
      );
    case 'none':
      return no(
        'NOT_TRUSTED',
        `"${name}" is not trusted to be executed`,
        `${beyond(verdict.around, skill)}look at "${skill.folder}", then: techne trust ${name}`,
      );
  }
}

/** Why the trust of the folder around it is not enough, where there is one (trust-reach.ts). */
function beyond(around: string | null, { root: { within } }: Pick<Skill, 'root'>): string {
  if (around === null) return '';
  const isOther = within !== undefined && !isInside(around, within);
  return `"${around}" is trusted, but only as one workspace: ${isOther ? `"${within}" is another, trusted by: techne trust "${within}"` : 'folders of skills further down count where its roots.workspace names them'}. For this skill alone `;
}

/** The path of something that would be executed, or may be, without the digest saying what it is. */
function uncoveredBy(manifest: SkillManifest, program: string | null): string | null {
  const link = manifest.links.find(({ uncovered }) => uncovered);
  if (link !== undefined) return link.path;
  const isCovered = (path: string): boolean =>
    manifest.files.some((file) => file.path === path) && !manifest.links.some((one) => one.path === path);
  return ['SKILL.md', ...(program === null ? [] : [program])].find((path) => !isCovered(path)) ?? null;
}

function reason(code: ReasonCode, message: string, hint: string | null): Fact['reasons'][number] {
  return { code, message, hint };
}

function yes(code: ReasonCode, message: string): Fact {
  return { ok: true, reasons: [reason(code, message, null)] };
}

function no(code: ReasonCode, message: string, hint: string | null): Fact {
  return { ok: false, reasons: [reason(code, message, hint)] };
}
