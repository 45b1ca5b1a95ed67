// A skill as a run was started with it -> whether something still vouches for it.
//
// V1. Independent of any snapshot: the question is about the place where the skill was, wherever this process looks for
//     skills, and whether or not the skill is still there.
// V2. What vouched when the run was started is what has to vouch: a trusted folder around the place does not stand in for
//     a digest that was taken back (trust-store.ts, T5). A version that was trusted in the place of the old one does.
import type { Config } from '../../config/types.ts';
import type { TrustRoot, TrustStore } from './trust-store.ts';
import type { Fact } from '../types.ts';

/** The skill that a run was started with. */
export interface StartedSkill {
  readonly name: string;
  readonly folder: string | null;
  /** The reason code of its start, TRUSTED_…; `null` when nothing said one. */
  readonly trustedBy: string | null;
}

/** `root`: the one that the place lies in; `null` when that is not known. Throws TRUST_STORE: a question that cannot be answered is not a yes. */
export async function isStillTrusted(
  { name, folder, trustedBy }: StartedSkill,
  store: Pick<TrustStore, 'vouching'>,
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
      : await store.vouching(folder, config.trust.folders, root);
  if (by.version) return yes('TRUSTED_DIGEST', 'a version of it was trusted');
  if (by.folder && trustedBy !== 'TRUSTED_DIGEST')
    return yes('TRUSTED_FOLDER', 'it was local work in a trusted folder');
  return no(
    'NOT_TRUSTED',
    `nobody trusts "${name}"${folder === null ? '' : ` in "${folder}"`} to be executed any more`,
    `look at it, then: techne trust ${name}`,
  );
}

function yes(code: Fact['reasons'][number]['code'], message: string): Fact {
  return { ok: true, reasons: [{ code, message, hint: null }] };
}

function no(code: Fact['reasons'][number]['code'], message: string, hint: string): Fact {
  return { ok: false, reasons: [{ code, message, hint }] };
}
