// Whether a skill is trusted now, so that a model may be told to follow it, and whether the skill of a run still is.
//
// The rules are those for execution (runnable.ts): built-in skills, local work in a trusted folder, and content that was
// trusted by its digest. The digest is computed only where one was trusted at this place, and of this very folder, also
// for a skill that another one hides. A question that cannot be answered (files that changed, a broken trust file) is a
// no. `isStillTrusted` does not depend on a snapshot: it asks about the place where the skill was, whether or not the
// skill is still there. It accepts only the kind of trust that the run was started with: a trusted folder does not
// replace a revoked digest, but a newer trusted version at the same place does.
import { TechneError } from '../../base/error.ts';
import { memoryHost } from '../discover/discover-tree.ts';
import type { Snapshot } from '../snapshot.ts';
import type { TrustView, TrustRoot, TrustStore } from './trust-store.ts';
import type { Skill, Fact } from '../types.ts';
import type { Config } from '../../config/types.ts';

export async function isTrustedSkill(
  skill: Skill,
  snapshot: Pick<Snapshot, 'manifest'>,
  view: TrustView,
): Promise<boolean> {
  if (skill.root.host === memoryHost) return false;
  if (skill.origin.kind === 'builtin') return true;
  try {
    const { kind } = await view.decide(skill, async () => (await snapshot.manifest(skill)).digest);
    return kind === 'folder' || kind === 'digest';
  } catch (error) {
    if (error instanceof TechneError) return false;
    throw error;
  }
}

/** The skill that a run was started with. */
export interface StartedSkill {
  readonly name: string;
  readonly folder: string | null;
  /** The reason code of its start, TRUSTED_…; `null` when it was not recorded. */
  readonly trustedBy: string | null;
}

/** `root`: the one that the place lies in; `null` when that is not known. Throws TRUST_STORE: a question that cannot be answered is not a yes. */
export async function isStillTrusted(
  { name, folder, trustedBy }: StartedSkill,
  store: Pick<TrustStore, 'trustAt'>,
  config: Pick<Config, 'execution' | 'trust' | 'skills'>,
  root: TrustRoot | null = null,
): Promise<Fact> {
  if (config.execution.policy === 'off')
    return no(
      'EXECUTION_OFF',
      'execution is switched off',
      'set "execution": { "policy": "trusted" } in your own configuration file',
    );
  if (config.skills.disabled.includes(name))
    return no(
      'DISABLED',
      `"${name}" is switched off by skills.disabled`,
      `remove "${name}" from skills.disabled`,
    );
  if (trustedBy === 'TRUSTED_BUILTIN') return yes('TRUSTED_BUILTIN', 'it is part of techne');
  const by =
    folder === null
      ? { folder: false, version: false }
      : await store.trustAt(folder, config.trust.folders, root);
  if (by.version) return yes('TRUSTED_DIGEST', 'a version of it was trusted');
  if (by.folder && trustedBy !== 'TRUSTED_DIGEST')
    return yes('TRUSTED_FOLDER', 'it was local work in a trusted folder');
  return no(
    'NOT_TRUSTED',
    `"${name}"${folder === null ? '' : ` in "${folder}"`} is no longer trusted to be executed`,
    `look at it, then: techne trust ${name}`,
  );
}

function yes(code: Fact['reasons'][number]['code'], message: string): Fact {
  return { ok: true, reasons: [{ code, message, hint: null }] };
}

function no(code: Fact['reasons'][number]['code'], message: string, hint: string): Fact {
  return { ok: false, reasons: [{ code, message, hint }] };
}
