// One test of matching: what a person types, and the skill that should be found for it.
import type { JsonObject } from '../../base/json.ts';
import { evalKinds } from '../../skill/check/check-evals.ts';

/** Those that authors write (evals.json), and those that are made from triggers besides. */
export const caseKinds = [
  ...evalKinds,
  'negation',
  'quotation',
  'translation',
  'question',
  'narration',
  'rubric',
] as const;
export type CaseKind = (typeof caseKinds)[number];

export interface EvalCase {
  readonly message: string;
  /** The skill that should come first; null: none should come. */
  readonly expected: string | null;
  readonly kind: CaseKind;
  /** Of a case that expects nothing: the skill that must not come, where it is known which. Others may. */
  readonly about?: string;
  /** What a good result shows: of kind `rubric`, which tests no matching. */
  readonly rubric?: readonly string[];
  /** What a skill that can be executed is run with, in place of the message. */
  readonly input?: JsonObject;
  /** File and line, for people; made cases have none. */
  readonly place?: string;
}
