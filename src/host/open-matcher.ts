// The matcher over a snapshot, for everyone on this machine: commands, the MCP server, programs that embed techne.
//
// O1. Skills that a person or the model may start; what is context only is never asked for. What this machine lacks
//     something for is left out as well, unless it is wanted.
// O2. Bodies are read through the snapshot. One that cannot be read now is matched by its head alone.
// O3. By words, and by meaning where the configuration names an endpoint for embeddings. One that cannot be used, or fails,
//     is told of, and words alone answer.
import { TechneError } from '../base/error.ts';
import { matchDocument } from '../match/document.ts';
import { createFusedMatcher, createMatcher } from '../match/matcher.ts';
import type { Matcher } from '../prompt/session-parts.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Fact, Skill } from '../registry/types.ts';
import { openEmbedder } from './open-embedder.ts';

/** How many bodies are read at a time. */
const atOnce = 32;

export interface OpenMatcherOptions {
  /** Also skills that are not ready on this machine. Default `false`. */
  readonly notReady?: boolean;
  /** Told why meaning is not used (O3). Default: nobody is. */
  readonly onNotice?: (text: string) => void;
}

export async function openMatcher(snapshot: Snapshot, { notReady = false, onNotice = () => undefined }: OpenMatcherOptions = {}): Promise<Matcher> {
  const { embeddings, leastConfidence: percent } = snapshot.config.match;
  const leastConfidence = percent / 100;
  const { embedder, notices } = openEmbedder(embeddings, process.env);
  for (const notice of notices) onNotice(notice);
  const onFailure = (failed: { readonly embedder: string; readonly reason: string }): void => onNotice(`words alone were matched: ${failed.embedder}: ${failed.reason}`);
  const matcher = embedder === null ? createMatcher({ leastConfidence }) : createFusedMatcher({ embedder, leastConfidence, onFailure });
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
