// Keys of the effects of a plan: they follow from the step, the item and the attempt, never from the order of calls.
//
//   draft   draft#2   draft[0]   draft[0]#2   draft#2~wait (the pause before it)   $final (of the run itself)
//
// No two steps share a key: characters of an id that have a meaning in keys are written as %XX.

const special = /[%/#[\]~$]/g;

/** The key of a step, before item and attempt. */
export function stepKey(id: string): string {
  return id.replaceAll(special, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Of one item of for_each. */
export function itemKey(step: string, item: number): string {
  return `${step}[${item}]`;
}

/** `attempt` counts from 1. */
export function attemptKey(base: string, attempt: number): string {
  return attempt === 1 ? base : `${base}#${attempt}`;
}

/** Of the pause before an attempt. */
export function waitKey(base: string, attempt: number): string {
  return `${attemptKey(base, attempt)}~wait`;
}

/** The step that an effect belongs to, as its key has it; null for one of the run itself. */
export function stepOfKey(key: string): string | null {
  return key.startsWith('$') ? null : (/^[^/#[~]*/.exec(key)?.[0] ?? null);
}

/** The item of for_each that an effect belongs to; 0 where there are none. */
export function itemOfKey(key: string): number {
  const at = key.indexOf('[');
  return at < 0 ? 0 : Number.parseInt(key.slice(at + 1), 10);
}

export const planRunKeys = {
  inputs: '$inputs',
  confirm: '$confirm',
  final: '$final',
  refine: '$refine',
  artifact: (index: number) => `$artifact[${index}]`,
} as const;
