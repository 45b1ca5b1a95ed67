// A skill's head and body -> what matching sees of it.
import type { SkillHead } from '../skill/types.ts';
import type { MatchDocument } from './match.ts';
import { splitSections } from './text/split-sections.ts';

export function matchDocument(
  head: Pick<SkillHead, 'name' | 'description' | 'whenToUse' | 'triggers' | 'priority'>,
  body: string,
  invocation = { user: true, model: true },
): MatchDocument {
  return {
    name: head.name,
    description: head.whenToUse === null ? head.description : `${head.description}\n\n${head.whenToUse}`,
    triggers: head.triggers.map(({ phrase }) => phrase),
    sections: splitSections(body),
    priority: head.priority,
    invocation,
  };
}
