// A message that calls a skill that does not exist -> the skill with the nearest name.
//
//   /checklst foo · $chekclist · use the chekclist skill
//
// It is only a hint for the person and matches nothing. Refused, quoted or pasted text calls nothing.
import { nearest } from '../../base/nearest.ts';
import type { Judgement } from '../guard/judge-message.ts';
import type { Misspelt } from '../match.ts';
import { spellingKey } from './find-explicit.ts';
import type { SkillNames } from './find-explicit.ts';
import { unfold } from '../text/unfold.ts';

const patterns: readonly RegExp[] = [
  /^\s*\/(?<name>[\p{L}\p{N}][\p{L}\p{N}_:-]{1,63})(?=\s|$)/u,
  /(?<![\p{L}\p{N}_\\$])\$(?<name>[\p{L}][\p{L}\p{N}-]{2,63})(?![\p{L}\p{N}_=-]|\()/u,
  new RegExp(
    unfold`
      \b(?:use|run|invoke|apply|try|call|load|with)\s{1,4}(?:(?:the|my|your|our)\s{1,4})?["'\x60]?
      (?<name>[\p{L}\p{N}][\p{L}\p{N}_-]{1,63})["'\x60]?\s{1,4}(?:skill|metaskill)\b
    `,
    'iu',
  ),
  new RegExp(
    unfold`
      \b(?:use|run|invoke|apply|try|call|load)\s{1,4}(?:(?:the|my|your|our)\s{1,4})?(?:skill|metaskill)
      \s{1,4}["'\x60]?(?<name>[\p{L}\p{N}][\p{L}\p{N}_-]{1,63})
    `,
    'iu',
  ),
];

/** `all`: every name that may be called. */
export function findMisspelt(
  judgement: Judgement,
  names: SkillNames,
  all: () => Iterable<string>,
): Misspelt | null {
  // Only what begins with a sign, or speaks of a skill, is looked at closely.
  if (!/[/$]|skill/i.test(judgement.message)) return null;
  for (const [at, pattern] of patterns.entries()) {
    const found = pattern.exec(judgement.message);
    const written = found?.groups?.['name'];
    if (
      found === null ||
      written === undefined ||
      names.has(written) ||
      names.spelled(spellingKey(written)) !== undefined
    )
      continue;
    const start = found.index + found[0].indexOf(written);
    const place = { start, end: start + written.length };
    const verdict =
      at < 2
        ? judgement.verdictUnquoted(place)
        : judgement.verdictCalled({ start: found.index, end: found.index + found[0].length }, place);
    if (at > 0 && verdict !== null) continue;
    const meant = nearest(written, at === 0 ? [...all()].filter((name) => names.hasCommand(name)) : all());
    if (meant !== null) return { written, meant };
  }
  return null;
}
