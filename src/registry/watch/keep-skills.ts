// Puts the last good version of skills in place of what their folders hold now.
//
// W4. What it replaces is still said: its diagnostics stay, and SKILL_STALE_KEPT is added.
import { append } from '../../base/append.ts';
import { severityOf } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { Candidates } from '../discover/discover.ts';
import type { FoundSkill } from '../discover/found-skill.ts';
import type { Precedence } from '../../config/precedence.ts';

type Found = Pick<Candidates, 'skills' | 'diagnostics'>;

export function keepIn(candidates: Found, kept: readonly FoundSkill[], precedence: Precedence): Found {
  const skills = [...candidates.skills];
  const diagnostics = [...candidates.diagnostics];
  for (const skill of kept) {
    const at = skills.findIndex((candidate) => candidate.folder === skill.folder);
    if (at >= 0) {
      append(diagnostics, (skills[at] as FoundSkill).diagnostics);
      skills[at] = skill;
    } else {
      skills.splice(placeFor(skill, skills, precedence), 0, skill);
    }
    diagnostics.push(staleKept(skill));
  }
  return { skills, diagnostics };
}

/** Before the first of its name that does not come before it by source; candidates are in order of precedence. */
function placeFor(skill: FoundSkill, skills: readonly FoundSkill[], precedence: Precedence): number {
  const rank = precedence.indexOf(skill.source);
  const at = skills.findIndex(
    (other) => other.name === skill.name && precedence.indexOf(other.source) <= rank,
  );
  return at >= 0 ? at : skills.length;
}

function staleKept(skill: FoundSkill): Diagnostic {
  return {
    code: 'SKILL_STALE_KEPT',
    severity: severityOf('SKILL_STALE_KEPT'),
    path: skill.file,
    span: null,
    message: `"${skill.name}" changed and can no longer be read as it was; its last good version stays in use`,
    hint: 'repair the file; the other messages about it say what is wrong',
  };
}
