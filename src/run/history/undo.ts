// The journal of a run -> the notes that it wrote, taken back.
//
//   parts of `write` {path, before, after}, the last one first, nested runs included -> each file from `after` to `before`
//
// A note is taken back only while it is exactly what the run made of it; otherwise it is left alone, with the reason. What the
// journal has is all that is needed, so that taking back can be repeated, and a crash in between does no harm.
import { TechneError } from '../../base/error.ts';
import { isJsonObject } from '../../base/json.ts';
import { foldRun } from '../../journal/run-state.ts';
import type { NoteHost } from '../../ports/note-host.ts';
import type { RunStore } from '../../ports/run-store.ts';
import { changeOf } from '../effect/perform-write.ts';
import { isChild } from '../effect/effect.ts';
import type { StoredValues } from '../run-facts.ts';

/** What became of one note. */
export interface UndoneNote {
  readonly path: string;
  /** `gone`: it was taken back before. */
  readonly outcome: 'restored' | 'removed' | 'gone' | 'refused';
  /** Why it was refused. */
  readonly reason: string | null;
}

interface UndoParts {
  readonly store: Pick<RunStore, 'read'>;
  readonly values: StoredValues;
  readonly notes: Pick<NoteHost, 'read' | 'replace'>;
}

type Change = ReturnType<typeof changeOf>;

/** Throws RUN_UNKNOWN, JOURNAL_CORRUPT, BLOB_MISSING, and USAGE for a run that has not ended. */
export async function undoRun(run: string, parts: UndoParts): Promise<readonly UndoneNote[]> {
  const undone: UndoneNote[] = [];
  for (const change of (await changesOf(run, parts)).toReversed())
    undone.push(await takeBack(change, parts.notes));
  return undone;
}

/** In the order in which they were made. */
async function changesOf(run: string, parts: UndoParts): Promise<readonly Change[]> {
  const state = foldRun(await parts.store.read(run));
  if (state.ended === null)
    throw new TechneError('USAGE', `run ${run} has not ended, so that it may still write`, {
      hint: `techne runs cancel ${run}, then undo it`,
    });
  const changes: Change[] = [];
  for (const { key, started, ended } of state.effects.values()) {
    if (started.kind === 'skill') {
      const request = await parts.values.load(started.request);
      const nested = isJsonObject(request) ? request['run'] : null;
      if (typeof nested === 'string') changes.push(...(await nestedChanges(nested, parts)));
    }
    // A part without an end may have been made: the file itself says so.
    if (started.kind === 'write' && isChild(key) && ended?.ok !== false)
      changes.push(changeOf(await parts.values.load(started.request)));
  }
  return changes;
}

/** A nested run that was never started has no journal. */
async function nestedChanges(run: string, parts: UndoParts): Promise<readonly Change[]> {
  try {
    return await changesOf(run, parts);
  } catch (error) {
    if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') return [];
    throw error;
  }
}

async function takeBack({ path, before, after }: Change, notes: UndoParts['notes']): Promise<UndoneNote> {
  const refuse = (reason: string): UndoneNote => ({ path, outcome: 'refused', reason });
  const now = await notes.read(path);
  if (!now.ok) return refuse(now.message);
  if (now.value === before) return { path, outcome: 'gone', reason: null };
  if (now.value !== after)
    return refuse(
      now.value === null
        ? 'it was removed or moved since the run wrote it'
        : 'it was changed since the run wrote it',
    );
  const replaced = await notes.replace(path, after, before);
  if (!replaced.ok) return refuse(replaced.message);
  if (replaced.value === 'changed') return refuse('it was changed since the run wrote it');
  return { path, outcome: before === null ? 'removed' : 'restored', reason: null };
}
