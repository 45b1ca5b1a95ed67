// The matcher over a snapshot, for everyone on this machine: commands, the MCP server, programs that embed techne.
//
// O1. Skills that a person or the model may start; what is context only is never asked for.
// O2. Bodies are read through the snapshot. One that cannot be read now is matched by its head alone.
import { TechneError } from '../base/error.ts';
import { matchDocument } from '../match/document.ts';
import { createMatcher } from '../match/matcher.ts';
import type { Matcher } from '../prompt/session-parts.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';

/** How many bodies are read at a time. */
const atOnce = 32;

export async function openMatcher(snapshot: Snapshot): Promise<Matcher> {
  const matcher = createMatcher();
  const asked = snapshot.skills.filter((skill) => {
    const { visibleToUser, visibleToModel } = snapshot.facts(skill);
    return visibleToUser.ok || visibleToModel.ok;
  });
  for (let from = 0; from < asked.length; from += atOnce) {
    const part = asked.slice(from, from + atOnce);
    const bodies = await Promise.all(part.map((skill) => bodyOf(snapshot, skill)));
    for (const [at, skill] of part.entries()) matcher.set(matchDocument(skill.head, bodies[at] as string));
  }
  return matcher;
}

/** O2 */
async function bodyOf(snapshot: Snapshot, { name }: Skill): Promise<string> {
  try {
    return (await snapshot.readBody(name)).text;
  } catch (error) {
    if (error instanceof TechneError) return '';
    throw error;
  }
}
