// Which of several skills with one name counts.
//
//   candidates, highest precedence first -> one winner for each name, the others with the reason
//
// The winner is the first usable candidate: valid, and with everything it requires on this machine. An unusable
// candidate does not hide a usable one below it, and a diagnostic reports that. Where none is usable the first one stays,
// so that it can be explained. Winners whose names look alike are reported (look-alikes.ts); both stay.
import { append } from '../../base/append.ts';
import { severityOf } from '../../base/codes.ts';
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { FoundSkill } from './found-skill.ts';
import { findLookAlikes } from './look-alikes.ts';
import type { Shadowed } from '../types.ts';

interface Chosen {
  /** By name. */
  readonly skills: readonly FoundSkill[];
  readonly byName: ReadonlyMap<string, FoundSkill>;
  readonly shadowed: readonly Shadowed[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `whyUnusable` gives the first reason, or `null`; it is asked only where names collide. */
export function chooseWinners(
  candidates: readonly FoundSkill[],
  whyUnusable: (skill: FoundSkill) => string | null,
): Chosen {
  const byName = new Map<string, FoundSkill>();
  let collisions: Map<string, FoundSkill[]> | null = null;
  let isInOrder = true;
  let last = '';
  for (const candidate of candidates) {
    const { name } = candidate;
    const first = byName.get(name);
    if (first === undefined) {
      byName.set(name, candidate);
      isInOrder &&= last <= name;
      last = name;
      continue;
    }
    collisions ??= new Map();
    const group = collisions.get(name);
    if (group === undefined) collisions.set(name, [first, candidate]);
    else group.push(candidate);
  }
  const shadowed: Shadowed[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, group] of collisions ?? []) {
    const faults = group.map(whyUnusable);
    const chosen = Math.max(faults.indexOf(null), 0);
    const winner = group[chosen] as FoundSkill;
    byName.set(name, winner);
    for (const [at, skill] of group.entries()) {
      if (at === chosen) continue;
      const fault = faults[at];
      if (at < chosen) {
        shadowed.push({ skill, winner, reason: `it is unusable: ${fault}` });
        diagnostics.push(
          about(
            skill,
            'SKILL_WINNER_UNUSABLE',
            `unusable (${fault}), so "${name}" is taken from ${winner.file}`,
          ),
        );
      } else {
        const reason = whyAbove(winner, skill);
        shadowed.push({ skill, winner, reason });
        diagnostics.push(about(skill, 'SKILL_SHADOWED', `"${name}" is taken from ${winner.file}: ${reason}`));
      }
    }
  }
  append(diagnostics, findLookAlikes(byName));
  // A winner stands where the first of its name stood.
  const skills = [...byName.values()];
  return { skills: isInOrder ? skills : skills.sort(byNameOrder), byName, shadowed, diagnostics };
}

function whyAbove(winner: FoundSkill, loser: FoundSkill): string {
  if (winner.source !== loser.source) return `${winner.source} comes before ${loser.source}`;
  if (winner.root.path !== loser.root.path) return `${winner.root.path} comes before ${loser.root.path}`;
  return 'it comes first in the same root';
}

function about(skill: FoundSkill, code: DiagnosticCode, message: string): Diagnostic {
  return { code, severity: severityOf(code), path: skill.file, span: null, message, hint: null };
}

function byNameOrder(a: FoundSkill, b: FoundSkill): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
