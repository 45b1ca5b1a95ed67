// The part of a head that listing, eligibility and visibility need; the rest is parsed on demand.
import type { Diagnostic } from '../base/diagnostic.ts';
import type { ExecutionBar, Form, Invocation, Requires, SkillHead } from './types.ts';

/** What a listing needs to know of a skill, without its whole head. */
export interface SkillCard {
  readonly description: string;
  readonly form: Form;
  readonly bar: ExecutionBar | null;
  readonly invocation: Invocation;
  readonly requires: Requires | null;
  /** The head has a diagnostic of severity `error`. */
  readonly invalid: boolean;
}

const plainInvocation: Invocation = Object.freeze({
  user: true,
  model: true,
  always: false,
  because: Object.freeze([]),
});

/** Instructions that demand nothing and are open to all. */
export function plainCard(description: string): SkillCard {
  return {
    description,
    form: 'instructions',
    bar: null,
    invocation: plainInvocation,
    requires: null,
    invalid: false,
  };
}

export function cardOf(head: SkillHead, diagnostics: readonly Diagnostic[]): SkillCard {
  const { description, form, bar, invocation, requires } = head;
  return {
    description,
    form,
    bar,
    invocation,
    requires,
    invalid: diagnostics.some(({ severity }) => severity === 'error'),
  };
}

/** Differs from `plainCard` in nothing but the description. */
export function isPlainCard({ form, bar, invocation, requires, invalid }: SkillCard): boolean {
  const open = invocation.user && invocation.model && !invocation.always && invocation.because.length === 0;
  return form === 'instructions' && bar === null && requires === null && !invalid && open;
}
