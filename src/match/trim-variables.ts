// A variable that a trigger extracted -> the same without the request that follows it.
//
//   "the tide table for Brest and bake bread"      {harbour}: "Brest and bake bread" -> "Brest"
//
// It cuts only before the trigger of another skill after "and", "then" or a comma: otherwise "Brest and Roscoff" would
// lose a half.
import type { TriggerHit } from './trigger/triggers.ts';
import { unfold } from './text/unfold.ts';

const joined = new RegExp(
  unfold`
    (?:\s*,\s*|\s+)(?:(?:and|then|also|&|und|dann|et|puis|y)\s+)*
    (?:(?:please|then|also|help me|could you|can you)\s+)*$
  `,
  'iu',
);
const joins = /,|\b(?:and|then|also|und|dann|et|puis|y)\b|&/iu;

export function trimVariables(hits: readonly TriggerHit[], message: string): readonly TriggerHit[] {
  if (hits.length < 2) return hits;
  return hits.map((hit) => {
    const names = Object.keys(hit.variables);
    if (names.length === 0) return hit;
    const others = hits.filter(({ skill }) => skill !== hit.skill);
    return {
      ...hit,
      variables: Object.fromEntries(
        names.map((name) => [name, trimmed(hit.variables[name] as string, hit, others, message)]),
      ),
    };
  });
}

function trimmed(
  value: string,
  { start }: TriggerHit,
  others: readonly TriggerHit[],
  message: string,
): string {
  const from = message.indexOf(value, start);
  if (from < 0) return value;
  let kept = value;
  for (const other of others) {
    const before = message.slice(from, Math.max(from, other.start));
    const joint = joined.exec(before);
    if (other.start >= from + kept.length || joint === null || joint.index === 0 || !joins.test(joint[0]))
      continue;
    kept = before.slice(0, joint.index);
  }
  return kept;
}
