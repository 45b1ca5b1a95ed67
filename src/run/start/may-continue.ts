// Whether a recorded run can continue here, and who answers its asks.
//
// This is checked each time: a run does not continue while execution is switched off, after its skill was untrusted, when the guard refuses
// the skill as it is now or its lock does, or in another workspace. Another edit or upgrade of the skill does not matter, because the run
// has its bytes.
import type { ErrorCode } from '../../base/error.ts';
import { TechneError } from '../../base/error.ts';
import type { Answerer } from '../../ports/answerer.ts';
import type { SkillSource } from '../../ports/skill-source.ts';
import { profileOf } from '../plan/runs.ts';
import type { RunState } from '../../journal/run-state.ts';
import type { RunFacts } from '../run-facts.ts';
import { answererNamed, noSuchAnswerer } from './admit-run.ts';

interface ContinueParts {
  readonly skills: SkillSource;
  readonly workspace: string;
}

/** Throws PROFILE_UNSUPPORTED, ENVIRONMENT, NOT_TRUSTED, CONTENT_REFUSED, DRIFTED and EXECUTION_OFF. */
export async function mustContinue(
  { skills, workspace: here }: ContinueParts,
  { meta: { profile, run, skill }, settings: { folder, trustedBy, workspace } }: RunFacts,
  { imported }: Pick<RunState, 'imported'>,
): Promise<void> {
  // What it executes, in which bounds, and who trusted it: all of that is what the file says.
  if (imported)
    throw new TechneError(
      'NOT_TRUSTED',
      `run ${run} was imported from a file, so it is shown and replayed only`,
      {
        hint: `techne runs replay ${run}, techne runs to-test ${run}; a person who knows the file can import it with --trust`,
      },
    );
  const own = profileOf(skill.form);
  if (profile !== own)
    throw new TechneError(
      'PROFILE_UNSUPPORTED',
      `run ${run} was started with ${profile}, but this is ${own}`,
    );
  if (workspace !== '' && here !== '' && workspace !== here)
    throw new TechneError('ENVIRONMENT', `run ${run} works in "${workspace}", but this is "${here}"`, {
      hint: 'resume it there: what was approved was approved for that folder',
    });
  const {
    ok,
    reasons: [reason],
  } = await skills.mayContinue({ name: skill.name, folder, trustedBy });
  if (ok) return;
  throw new TechneError(
    codeOf(reason?.code),
    `run ${run} cannot continue: ${reason?.message ?? 'execution is switched off'}`,
    { hint: reason?.hint ?? `techne runs cancel ${run}` },
  );
}

function codeOf(reason: string | undefined): ErrorCode {
  if (reason === 'NOT_TRUSTED' || reason === 'DRIFTED') return reason;
  return reason === 'GUARD_REFUSED' ? 'CONTENT_REFUSED' : 'EXECUTION_OFF';
}

/** The answerer that was wanted, or the one that the run was started with. Throws ENVIRONMENT. */
export function recordedAnswerer(
  answerers: readonly Answerer[],
  { settings }: RunFacts,
  wanted: string | null,
): Answerer {
  const name = wanted ?? settings.answerer;
  const answerer = answererNamed(answerers, name);
  if (answerer === null)
    throw new TechneError('ENVIRONMENT', noSuchAnswerer(answerers, name), {
      hint: 'resume it with another answerer',
    });
  return answerer;
}
