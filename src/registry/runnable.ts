// Snapshot + trust + policy -> may this skill be executed, and why.
//
// U1. `execution.policy: off` is the first question: then nothing is executed, whatever is trusted.
// U2. The digest is computed here and nowhere earlier, and only when neither origin nor folder answers.
// U3. Every no says what would make it a yes.
import type { Config } from '../config/types.ts';
import type { Snapshot } from './snapshot.ts';
import type { TrustStore } from './trust-store.ts';
import type { Fact, ReasonCode } from './types.ts';

/**
 * Whether the skill of this name may be executed now. Throws SKILL_UNKNOWN, TRUST_STORE, and what reading
 * its files throws (STALE, DIGEST_LIMIT …): a question that cannot be answered is not a yes.
 */
export async function isRunnable(
  snapshot: Pick<Snapshot, 'get' | 'facts' | 'manifest'>,
  name: string,
  store: Pick<TrustStore, 'decide'>,
  config: Pick<Config, 'execution' | 'trust'>,
): Promise<Fact> {
  const skill = snapshot.get(name);
  if (config.execution.policy === 'off') {
    return no('EXECUTION_OFF', 'execution is switched off', 'set "execution": { "policy": "trusted" } in your own configuration file');
  }
  const { form, bar } = skill.card;
  if (form === 'instructions') return no('NOT_EXECUTABLE', `"${name}" is instructions to read; there is nothing to execute`, null);
  if (bar !== null) return no('NOT_EXECUTABLE', bar.message, `techne check "${skill.file}"`);
  const { ready } = snapshot.facts(skill);
  if (!ready.ok) {
    return { ok: false, reasons: [reason('NOT_READY', `"${name}" is not ready`, `techne doctor ${name}`), ...ready.reasons] };
  }
  if (skill.origin.kind === 'builtin') return yes('TRUSTED_BUILTIN', 'it is part of techne');

  const verdict = await store.decide(skill, async () => (await snapshot.manifest(name)).digest, config.trust.folders);
  switch (verdict.kind) {
    case 'folder':
      return yes('TRUSTED_FOLDER', `it is local work in the trusted folder "${verdict.folder}"`);
    case 'digest':
      return yes('TRUSTED_DIGEST', `this content was trusted: ${verdict.digest}`);
    case 'changed':
      return no(
        'CHANGED_SINCE_TRUSTED',
        `"${name}" changed after it was trusted on ${verdict.trusted.grantedAt.slice(0, 10)}`,
        `look at what changed in "${skill.folder}", then: techne trust ${name}`,
      );
    case 'none':
      return no('NOT_TRUSTED', `nobody has trusted "${name}" to be executed`, `look at "${skill.folder}", then: techne trust ${name}`);
  }
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
