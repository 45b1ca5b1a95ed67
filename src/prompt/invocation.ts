// Who may reach a skill, and by which way: one answer for every surface.
//
//   flags (user-invocable, disable-model-invocation, agent_ready) + facts -> takes part, or why not
//
// - What is not ready, or is switched off, takes part in nothing.
// - What the model starts by itself needs a skill that is open to the model; what a person starts, one that is open to
//   people. A mention is a person's word to the model: one of the two is enough.
// - Neither: context only. Such a skill is preloaded where that is configured, and nothing starts it. A skill that is
//   for people alone is never preloaded: in the prompt the model could follow it unasked.
// - Files may be read, and the body asked for again, once the body was given in the conversation, no matter who asked for it:
//   compaction must not take away what a person began.
// - Taking part gives no right to execute: that is verified when something is about to run.
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
  /** Not in `skills.disabled`. */
  readonly enabled: boolean;
  readonly user: boolean;
  readonly model: boolean;
  /** It has a form that can be executed, with nothing in the way. */
  readonly executable: boolean;
  /** The configuration asks for its body in every prompt. */
  readonly chosen: boolean;
}

/** `given`: the body of the skill was given in this conversation. */
export function takesPart(surface: Surface, standing: Standing, given: boolean): boolean {
  const { ready, enabled, user, model, executable, chosen } = standing;
  if (!ready || !enabled) return false;
  switch (surface) {
    case 'index':
    case 'search':
    case 'match':
    case 'eager':
      return model;
    case 'load':
    case 'read':
      return model || given;
    case 'mention':
      return model || user;
    case 'slash':
    case 'mcp-prompt':
      return user;
    case 'run_metaskill':
      return model && executable;
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
  const { invocation, form, bar } = card;
  return {
    ready: facts.ready.ok,
    enabled: !facts.visibleToUser.reasons.some(({ code }) => code === 'DISABLED'),
    user: invocation.user,
    model: invocation.model,
    executable: form !== 'instructions' && bar === null,
    chosen: preload.includes(name) || (invocation.always && preload.includes('always')),
  };
}
