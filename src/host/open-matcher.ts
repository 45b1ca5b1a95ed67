// The matcher over a snapshot, for everyone on this machine: commands, the MCP server, programs that embed techne.
import type { Matcher } from '../prompt/session-parts.ts';
import type { Snapshot } from '../registry/snapshot.ts';

/** `null` while there is none: then a message is matched with nothing. */
export async function openMatcher(_snapshot: Snapshot): Promise<Matcher | null> {
  return null;
}
