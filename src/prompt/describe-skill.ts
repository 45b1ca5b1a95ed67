// A skill -> its name and description as they are shown before it is loaded.
//
// A description is the author's text in every prompt. For an untrusted skill it is one line: long enough to know what
// the skill is about, too short to instruct at length. A folder may have any name, so an untrusted skill whose name is
// not a plain word is left out.
import { onOneLine } from './index-layout.ts';
import type { Skill } from '../registry/types.ts';
import { countCodePoints, isLongerThan } from '../skill/code-points.ts';
import { nameLimit } from '../skill/parse-head.ts';
import { unmarked } from './marks.ts';
import type { RenderedEntry } from './render-index.ts';
import { shortened } from './render-index.ts';

/** Names of untrusted skills, and of those that are not trusted to be executed. */
interface KnownUntrusted {
  readonly untrusted: ReadonlySet<string>;
  readonly unrunnable: ReadonlySet<string>;
}

const maxUntrustedCharacters = 160;
/** Letters of any language, since folders have such names; no blank, so that it cannot be a sentence. */
const oneWord = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u;

export const barredNameReason = `it is untrusted, and its name is not a plain word: at most ${nameLimit} letters, digits and "_", with "-" and "." after the first; run "techne trust" to allow it`;

export function isBarredName({ untrusted }: Pick<KnownUntrusted, 'untrusted'>, name: string): boolean {
  return untrusted.has(name) && !isPlainSkillName(name);
}

/** Whether it is one word of a usual length. */
export function isPlainSkillName(name: string): boolean {
  return oneWord.test(name) && !isLongerThan(name, nameLimit);
}

export function describedSkill(
  { untrusted, unrunnable }: KnownUntrusted,
  { name, description, card: given }: Skill,
): RenderedEntry {
  const card: RenderedEntry['card'] = unrunnable.has(name) ? { ...given, form: 'instructions' } : given;
  if (!untrusted.has(name)) return { name, card, description };
  const line = unmarked(onOneLine(description));
  return {
    name,
    card,
    description:
      countCodePoints(line) > maxUntrustedCharacters ? shortened(line, maxUntrustedCharacters) : line,
  };
}
