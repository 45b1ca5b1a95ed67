// Who may reach a skill, and in which way: one answer for every surface.
//
//   flags (user-invocable, disable-model-invocation, agent_ready) + facts -> takes part, or why not
//
// A skill that is not ready or is switched off takes part in nothing. The model starts only skills that are open to it,
// a person only those open to people; for a mention, a person's request to the model, either is enough. A skill open to
// neither is context only: it can be preloaded by configuration, and nothing starts it. A skill for people alone is
// never preloaded, since the model could follow it unasked. Once a body is in the conversation, its files may be read
// and the body requested again, whoever asked for it: compaction must not remove what a person began.
//
// Taking part grants no right to execute: that is checked before a run.
import type { Facts, Skill } from '../registry/types.ts';

export const surfaces = [
  'index',
  'search',
  'load',
  'read',
  'match',
  'eager',
  'mention',
  'slash',
  'mcp-prompt',
  'run_metaskill',
  'preload',
] as const;
export type Surface = (typeof surfaces)[number];

/** What the answer depends on, the same for a whole session. */
export interface Standing {
  readonly ready: boolean;
  /** Neither in `skills.disabled`, nor a composition while those are switched off. */
  readonly enabled: boolean;
  readonly user: boolean;
  readonly model: boolean;
  /** A scan refused it, so no model is shown it; whoever asks for it by name is told why. Default: false. */
  readonly withheld?: boolean;
  /** It has a form that can be executed, with nothing in the way. */
  readonly executable: boolean;
  /** The configuration asks for its body in every prompt. */
  readonly chosen: boolean;
}

/** `given`: the body of the skill was given in this conversation. */
export function takesPart(surface: Surface, standing: Standing, given: boolean): boolean {
  const { ready, enabled, user, model, executable, chosen, withheld = false } = standing;
  if (!ready || !enabled) return false;
  switch (surface) {
    case 'index':
    case 'search':
    case 'match':
    case 'eager':
      return model && !withheld;
    case 'load':
    case 'read':
      return model || given;
    case 'mention':
      return model || user;
    case 'slash':
    case 'mcp-prompt':
      return user;
    case 'run_metaskill':
      return model && executable && !withheld;
    case 'preload':
      return chosen && (model || !user);
  }
}

/** `preload`: that of the configuration. */
export function standingOf(
  { name, card }: Pick<Skill, 'name' | 'card'>,
  facts: Facts,
  preload: readonly string[],
): Standing {
  const { invocation, form } = card;
  return {
    ready: facts.ready.ok,
    enabled: !facts.visibleToUser.reasons.some(
      ({ code }) => code === 'DISABLED' || code === 'METASKILLS_OFF',
    ),
    user: invocation.user,
    model: invocation.model,
    withheld: facts.visibleToModel.reasons.some(({ code }) => code === 'GUARD_REFUSED'),
    executable: form !== 'instructions' && facts.sound.ok,
    chosen: preload.includes(name) || (invocation.always && preload.includes('always')),
  };
}
