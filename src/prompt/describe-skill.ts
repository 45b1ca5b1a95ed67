// A skill -> what is said of it before it is loaded.
//
// A description is text of its author in every prompt. Of a stranger's skill it is one line, long enough to know what the skill is
// about and too short to instruct at length.
import { onOneLine } from '../registry/index-layout.ts';
import type { Skill } from '../registry/types.ts';
import { countCodePoints } from '../skill/code-points.ts';
import type { IndexedSkill } from './render-index.ts';
import { shortened } from './render-index.ts';
import type { SessionParts } from './session-parts.ts';

const maxStrangerCharacters = 160;

export function describedSkill({ strangers }: Pick<SessionParts, 'strangers'>, { name, description, card }: Skill): IndexedSkill {
  const line = onOneLine(description);
  return { name, card, description: strangers.has(name) && countCodePoints(line) > maxStrangerCharacters ? shortened(line, maxStrangerCharacters) : description };
}
