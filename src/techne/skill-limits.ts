// What limits a skill, in words: facts and reasons.
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Fact, Facts } from '../registry/types.ts';

/** Why strict loading refused skills. */
export function refusalsIn({
  refused,
  diagnostics,
}: Pick<Snapshot, 'refused' | 'diagnostics'>): readonly Diagnostic[] {
  const files = new Set(refused.map(({ file }) => file));
  return diagnostics.filter(({ code, path }) => code === 'SKILL_REFUSED' && files.has(path));
}

/** The FACTS column: what limits the skill; empty if nothing does. */
export function factWords(facts: Facts): string {
  if (!facts.ready.ok) return 'not ready';
  if (facts.visibleToUser.reasons.some(({ code }) => code === 'DISABLED')) return 'disabled';
  if (!facts.visibleToUser.ok && !facts.visibleToModel.ok) return 'hidden';
  if (!facts.visibleToModel.ok) return 'user only';
  const words = facts.visibleToUser.ok ? [] : ['model only'];
  if (!facts.sound.ok) words.push('cannot run');
  if (!facts.listed.ok) words.push('over budget');
  return words.join(', ');
}

/** The reasons of all facts that do not hold, each once, without those that only repeat another fact. */
export function reasonsAgainst(facts: Facts): readonly Fact['reasons'][number][] {
  const seen = new Set<string>();
  return [facts.sound, facts.ready, facts.visibleToUser, facts.visibleToModel, facts.listed]
    .flatMap((fact) => (fact.ok ? [] : fact.reasons))
    .filter(({ code, message }) => {
      if (code === 'NOT_READY' || code === 'NOT_VISIBLE' || seen.has(code + message)) return false;
      seen.add(code + message);
      return true;
    });
}
