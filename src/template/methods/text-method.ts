// A method of strings, on the text alone: whether it is `Markup` is seen to around it.
import type { Evaluation } from '../value/evaluation.ts';
import type { Named, Value } from '../value/value.ts';

export type TextMethod = (e: Evaluation, text: string, args: readonly Value[], named: Named) => Value;
