// Whether a recorded run can continue here, and who answers its asks.
//
// This is checked each time: a run does not continue while execution is switched off, after its skill was untrusted,
// or in another workspace. An edit or an upgrade of the skill does not matter, because the run has its bytes.
import { TechneError } from '../../base/error.ts';
import type { Answerer } from '../../ports/answerer.ts';
import type { SkillSource } from '../../ports/skill-source.ts';
import { profileOf } from '../plan/runs.ts';
import type { RunFacts } from '../run-facts.ts';
import { answererNamed, noSuchAnswerer } from './admit-run.ts';

interface ContinueParts {
  readonly skills: SkillSource;
  readonly workspace: string;
}

/** Throws PROFILE_UNSUPPORTED, ENVIRONMENT, NOT_TRUSTED and EXECUTION_OFF. */
export async function mustContinue(
  { skills, workspace: here }: ContinueParts,
  { meta: { profile, run, skill }, settings: { folder, trustedBy, workspace } }: RunFacts,
): Promise<void> {
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
  const code = reason?.code === 'NOT_TRUSTED' ? 'NOT_TRUSTED' : 'EXECUTION_OFF';
  throw new TechneError(
    code,
    `run ${run} cannot continue: ${reason?.message ?? 'execution is switched off'}`,
    { hint: reason?.hint ?? `techne runs cancel ${run}` },
  );
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
