// The key of a call as people read it: a step by its id, internal calls of a plan in words.
import { runKeys, stepOfKey } from '../../run/plan/keys.ts';

const words: { readonly [key: string]: string } = {
  [runKeys.inputs]: 'missing inputs',
  [runKeys.confirm]: 'confirmation',
  [runKeys.final]: 'final answer',
  [runKeys.refine]: 'refined result',
};

/** `draft` for `draft[2]#3`, `final answer` for `$final`; calls of programs are numbers and stay what they are. */
export function nameKey(key: string): string {
  const step = stepOfKey(key);
  if (step === null)
    return words[key] ?? (key.startsWith(runKeys.artifact(0).slice(0, -3)) ? 'artifact' : key);
  return stepId(step);
}

/** Reverses the escapes of run/plan/keys.ts. */
export function stepId(step: string): string {
  return step.replaceAll(/%([0-9A-F]{2})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
