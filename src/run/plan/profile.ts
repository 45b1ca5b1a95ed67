// What every run needs to know about plans, without their code: the semantics it is started with, and where its plan
// is pinned.
import { languageProfile } from '../../starlark/options.ts';
import { templateProfile } from '../../template/options.ts';

/** Where the bundle is among the files of a run. No file of a skill has this name. */
export const bundlePath = '.techne/plan.json';

/** The semantics of plans: the order of steps, what they see, the prompts of models. */
const planProfile = 'plan-1';

/** The semantics that a run of this form is started with, and keeps. */
export function profileOf(form: string): string {
  return form === 'program' ? languageProfile : `${planProfile} ${templateProfile}`;
}
