// The records of this user -> what happened with skills since a time.
//
//   conversations (bodies, misses) + journals of runs (runs, failures, cost) + the log of MCP servers (bodies)
//
// Conversations of embedding programs and of other hosts are not recorded here; the runs that they start are.
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { ChatEntry, GivenBody } from '../../chat/entry.ts';
import { eachRun } from '../../journal/each-run.ts';
import { foldRun } from '../../journal/run-state.ts';
import { loadValue } from '../../journal/stored-value.ts';
import { ulidTimeMs } from '../../journal/ulid.ts';
import type { UseEvent } from '../../measure/health/count-uses.ts';
import { FileFault } from '../../ports/files.ts';
import type { RunSummary } from '../../ports/run-store.ts';
import { isChild } from '../../run/effect/effect.ts';
import { lookInto } from '../history/look-into-run.ts';
import { chatFiles, readChats } from '../history/read-chats.ts';
import { readUseLog } from '../history/use-log.ts';
import type { RunArchive } from '../open-archive.ts';

export interface ReadUses {
  readonly events: readonly UseEvent[];
  readonly chats: number;
  readonly runs: number;
  /** The oldest of all records, also before the time that is counted; `null`: there is none. */
  readonly recordedSinceMs: number | null;
  /** Older uses were left out, since there are more than are looked at. */
  readonly isCut: boolean;
  readonly faults: readonly { readonly id: string; readonly reason: string }[];
}

export interface ReadUsesOptions {
  readonly homeFolder: string;
  readonly archive: Pick<RunArchive, 'store' | 'blobs'>;
  readonly sinceMs: number;
  readonly signal?: { readonly aborted: boolean };
  /** Must not throw. */
  readonly onProgress?: (chats: number, runs: number) => void;
}

const maxMessage = 200;
/** Conversations and runs, each. */
const maxSources = 5000;

export async function readUses({
  homeFolder,
  archive,
  sinceMs,
  signal = { aborted: false },
  onProgress = () => undefined,
}: ReadUsesOptions): Promise<ReadUses> {
  const events: UseEvent[] = [];
  const faults: { id: string; reason: string }[] = [];
  const counts = { chats: 0, runs: 0 };
  let oldest: number | null = null;
  const seen = (at: number): void => void (oldest = Math.min(oldest ?? at, at));
  const [oldestChat] = (await chatFiles(homeFolder).ids()).slice(-1);
  const begunMs = oldestChat === undefined ? null : ulidTimeMs(oldestChat);
  if (begunMs !== null) seen(begunMs);
  let isCut = false;
  const isFull = (count: number): boolean => {
    isCut ||= count >= maxSources;
    return isCut || signal.aborted;
  };
  for await (const chat of readChats(homeFolder, { sinceMs })) {
    if (isFull(counts.chats)) break;
    if ('fault' in chat) {
      faults.push({ id: chat.id, reason: chat.fault });
      continue;
    }
    for (const event of usesOfChat(chat.entries)) if (event.at >= sinceMs) events.push(event);
    counts.chats += 1;
    onProgress(counts.chats, counts.runs);
  }
  const wasCut = isCut;
  isCut = false;
  for await (const summary of eachRun(archive.store)) {
    if (isFull(counts.runs)) break;
    if (summary.status === 'corrupt') {
      faults.push({ id: summary.run, reason: 'its journal is damaged' });
      continue;
    }
    seen(summary.startedAt);
    if (summary.startedAt < sinceMs) continue;
    const { usage } = await lookInto(archive.store, summary);
    counts.runs += 1;
    for (const event of await loadedInside(archive, summary)) events.push(event);
    events.push({
      kind: 'run',
      skill: summary.skill,
      at: summary.startedAt,
      ok: okOf(summary),
      costMicros: usage?.costMicros ?? 0,
      isNested: summary.parent !== null,
    });
    onProgress(counts.chats, counts.runs);
  }
  const { uses, torn } = await readUseLog(homeFolder, 0);
  for (const { at, skill, reason, tokens } of uses) {
    seen(at);
    if (at >= sinceMs) events.push({ kind: 'activation', skill, at, reason, tokens, where: 'mcp' });
  }
  if (torn > 0) faults.push({ id: '~/.techne/uses', reason: `${torn} lines cannot be read` });
  return { events, ...counts, isCut: wasCut || isCut, recordedSinceMs: oldest, faults };
}

/** Bodies that agents inside the run asked for; their sizes are not in the journal. */
async function loadedInside(
  { store, blobs }: ReadUsesOptions['archive'],
  { run }: RunSummary,
): Promise<readonly UseEvent[]> {
  try {
    const events: UseEvent[] = [];
    for (const { key, started, ended } of foldRun(await store.read(run)).effects.values()) {
      if (started.kind !== 'tool' || !isChild(key) || ended?.ok !== true) continue;
      const request = await loadValue(started.request, blobs);
      if (!isJsonObject(request) || request['tool'] !== 'skill_load') continue;
      const { name } = (request['arguments'] ?? {}) as { readonly name?: Json };
      if (typeof name === 'string')
        events.push({
          kind: 'activation',
          skill: name,
          at: started.at,
          reason: 'on_demand',
          tokens: 0,
          where: 'run',
        });
    }
    return events;
  } catch (error) {
    // Removed or damaged after it was listed: its summary is counted all the same.
    if (error instanceof TechneError || error instanceof FileFault) return [];
    throw error;
  }
}

function okOf({ status }: RunSummary): boolean | null {
  if (status === 'completed') return true;
  return status === 'failed' || status === 'partial' ? false : null;
}

/** Bodies, and skills that the model looked for although its message had not suggested them. */
function usesOfChat(entries: readonly ChatEntry[]): readonly UseEvent[] {
  const events: UseEvent[] = [];
  let message: { readonly text: string; readonly block: string } | null = null;
  const given = (bodies: readonly GivenBody[], at: number, byModel: boolean): void => {
    for (const { event } of bodies) {
      const { skill_id: skill, load_reason: reason } = event;
      // The check of entries does not ask for the size.
      const tokens = Number.isFinite(event.load_size_tokens) ? event.load_size_tokens : 0;
      events.push({ kind: 'activation', skill, at, reason, tokens, where: 'chat' });
      if (byModel && reason === 'on_demand' && message !== null && !names(message, skill))
        events.push({ kind: 'miss', skill, at, message: shortened(message.text) });
    }
  };
  for (const entry of entries) {
    if (entry.type === 'user.said') {
      // Behind the text is what techne added: the skills that fit.
      message = { text: entry.text, block: entry.content.slice(entry.text.length) };
      given(entry.given, entry.at, false);
    } else if (entry.type === 'call.ended') given(entry.given, entry.at, true);
  }
  return events;
}

function names({ text, block }: { readonly text: string; readonly block: string }, skill: string): boolean {
  return text.includes(skill) || block.includes(skill);
}

function shortened(text: string): string {
  return printableLine(text).trim().slice(0, maxMessage);
}
