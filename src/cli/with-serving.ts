// The store that a team shares, for commands that need one.
import type { RunArchive } from '../techne/open-archive.ts';
import { withArchive } from '../techne/open-archive.ts';
import type { Serving } from '../techne/serving.ts';
import { mustServe } from '../techne/serving.ts';
import { archivePlace } from './archive-place.ts';
import type { CommandContext } from './context.ts';

/** `what` needs it, such as "workers". Throws USAGE where runs are in files. */
export function withServing<T>(
  context: CommandContext,
  what: string,
  work: (serving: Serving, archive: RunArchive) => Promise<T>,
): Promise<T> {
  return withArchive(archivePlace(context), (archive) => work(mustServe(archive.serving, what), archive));
}
