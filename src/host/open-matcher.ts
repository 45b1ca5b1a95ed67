// The matcher over a snapshot, for everyone on this machine: commands, the MCP server, programs that embed techne.
//
// O1. Skills that a person or the model may start; what is context only is never asked for. What this machine lacks
//     something for is left out as well, unless it is wanted.
// O2. Bodies are read through the snapshot. One that cannot be read now is matched by its head alone.
import { TechneError } from '../base/error.ts';
import { matchDocument } from '../match/document.ts';
import { createMatcher } from '../match/matcher.ts';
import type { Matcher } from '../prompt/session-parts.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Fact, Skill } from '../registry/types.ts';

/** How many bodies are read at a time. */
const atOnce = 32;

export interface OpenMatcherOptions {
  /** Also skills that are not ready on this machine. Default `false`. */
  readonly notReady?: boolean;
}

export async function openMatcher(snapshot: Snapshot, { notReady = false }: OpenMatcherOptions = {}): Promise<Matcher> {
  const matcher = createMatcher();
  const mayStart = ({ ok, reasons }: Fact): boolean => ok || (notReady && reasons.every(({ code }) => code === 'NOT_READY'));
  const asked = snapshot.skills.filter((skill) => {
    const { visibleToUser, visibleToModel } = snapshot.facts(skill);
    return mayStart(visibleToUser) || mayStart(visibleToModel);
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
