// Whether a message that names a skill has the skill itself for its matter: "delete the bread skill", "the bread skill is bad".
//
// Such a message is no request for what the skill does. Others may serve it: one that writes skills, say.
import type { Mention } from './find-mentions.ts';
import { unfold } from '../text/unfold.ts';

const handles = new RegExp(
  unfold`
    \b(?:
      delete|remove|uninstall|install|rename|edit|update|change|improve|fix|rewrite|refactor|disable|enable
      |publish|share|move|copy|archive|list|compare|audit|evaluate|validate|lint|about|dislike|hate
    )\s+(?:(?:the|my|our|your|this|that|a|an|of)\s+){0,2}["'\x60“‘]?$
  `,
  'i',
);
/** Of a name that is followed by "skill". */
const saidOfIt = new RegExp(
  unfold`
    ^["'\x60”’]?\s{1,8}skills?\s{1,8}(?:
      is|are|was|were|isn['’]t|has|had|does|did|doesn['’]t|needs|seems|looks|sucks|fails|failed|keeps|never
      |always
    )\b
  `,
  'i',
);
const reach = 60;

export function isAboutSkill(message: string, { start, end }: Mention): boolean {
  return (
    handles.test(message.slice(Math.max(0, start - reach), start)) ||
    saidOfIt.test(message.slice(end, end + reach))
  );
}
