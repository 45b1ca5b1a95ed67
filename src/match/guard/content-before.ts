// Finds the last sentence before a given one that has content: fillers ("ok", "wait", 嗯) have none.
import type { Sentence } from './split-clauses.ts';

const [mostFillers, mostRead] = [4, 400];

/** By its index; `null` where only fillers stand before. */
export function contentBefore(
  text: string,
  sentences: readonly Sentence[],
  at: number,
  filler: RegExp,
): number | null {
  for (let index = at - 1; index >= Math.max(0, at - mostFillers); index -= 1) {
    const { start, end } = sentences[index] as Sentence;
    if (!filler.test(text.slice(start, Math.min(end, start + mostRead)))) return index;
  }
  return null;
}
