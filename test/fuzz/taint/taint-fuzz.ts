// Random templates -> those that let something through which the check does not tell of.
import { createPick } from '../../support/random-program.ts';
import { generateTemplate } from './generate-template.ts';
import { verdictOf } from './oracle.ts';

export interface TaintFuzz {
  readonly rendered: number;
  /** Unsafe in a prompt. */
  readonly leaking: number;
  /** Told of in a prompt although nothing came out. */
  readonly overtold: number;
  readonly failures: readonly { readonly seed: number; readonly why: string; readonly template: string }[];
}

export function fuzzTaint({ seed, count }: { readonly seed: number; readonly count: number }): TaintFuzz {
  const failures: { seed: number; why: string; template: string }[] = [];
  let [rendered, leaking, overtold] = [0, 0, 0];
  for (let at = 0; at < count; at += 1) {
    const template = generateTemplate(createPick(seed + at));
    const verdict = verdictOf(template);
    if (verdict.rendered) rendered += 1;
    if (verdict.leaks) leaking += 1;
    if (verdict.rendered && verdict.told && !verdict.leaks) overtold += 1;
    if (verdict.missed !== null) failures.push({ seed: seed + at, why: verdict.missed, template });
  }
  return { rendered, leaking, overtold, failures };
}

export { verdictOf };
