// The history of this user -> the work in it, within limits, newest first; what was left out is said.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { eachRun } from '../../journal/each-run.ts';
import type { DoneWork } from '../../proposals/learn/done-work.ts';
import { chatFiles, readChats } from '../history/read-chats.ts';
import type { RunArchive } from '../open-archive.ts';
import { runsOfChat, workOfChat } from './work-of-chat.ts';
import type { WorkOfRun } from './work-of-runs.ts';
import { sequencesOfRuns, workOfRun } from './work-of-runs.ts';

/** Where to learn from: what was done since a time, or one run or conversation. */
export type LearnFrom =
  | { readonly kind: 'since'; readonly sinceMs: number }
  | { readonly kind: 'chat' | 'run'; readonly id: string };

export interface ReadWorkOptions {
  readonly homeFolder: string;
  readonly archive: RunArchive;
  readonly from: LearnFrom;
  /** Only what was done in this workspace; `null`: everywhere. */
  readonly workspace: string | null;
  readonly limits?: Partial<WorkLimits>;
  /** Must not throw. */
  readonly onProgress?: (chats: number, runs: number) => void;
  readonly signal?: { readonly aborted: boolean };
}

export interface WorkLimits {
  /** Conversations and runs, each. Default: 2000. */
  readonly sources: number;
  /** Default: 50,000. */
  readonly calls: number;
}

export interface ReadWork {
  readonly works: readonly DoneWork[];
  readonly chats: number;
  readonly runs: number;
  readonly calls: number;
  /** Older work was left out, since there is more than the limits allow. */
  readonly isCut: boolean;
  readonly faults: readonly { readonly id: string; readonly reason: string }[];
}

export async function readWork({
  homeFolder,
  archive,
  from,
  workspace,
  limits: { sources = 2000, calls: mostCalls = 50_000 } = {},
  onProgress = () => undefined,
  signal = { aborted: false },
}: ReadWorkOptions): Promise<ReadWork> {
  const works: DoneWork[] = [];
  const faults: { id: string; reason: string }[] = [];
  const ofChats = new Set<string>();
  const sinceMs = from.kind === 'since' ? from.sinceMs : 0;
  const counts = { chats: 0, runs: 0, calls: 0 };
  let isCut = false;
  const isFull = (count: number): boolean => {
    if (signal.aborted) return true;
    isCut ||= count >= sources || counts.calls >= mostCalls;
    return isCut;
  };
  const add = (work: DoneWork): void => {
    counts.calls += work.calls.length;
    if (work.calls.length > 0) works.push(work);
  };
  if (from.kind !== 'run')
    for await (const chat of readChats(homeFolder, {
      sinceMs,
      only: from.kind === 'chat' ? from.id : null,
    })) {
      if (isFull(counts.chats)) break;
      if ('fault' in chat) {
        faults.push({ id: chat.id, reason: chat.fault });
        continue;
      }
      for (const run of runsOfChat(chat.entries)) ofChats.add(run);
      if (from.kind === 'since' && workspace !== null && chat.workspace !== workspace) continue;
      counts.chats += 1;
      add(workOfChat(chat.id, chat.entries, sinceMs));
      onProgress(counts.chats, counts.runs);
    }
  const wasCut = isCut;
  isCut = false;
  const runs: WorkOfRun[] = [];
  if (from.kind !== 'chat')
    for await (const summary of eachRun(archive.store)) {
      if (from.kind === 'since' && summary.startedAt < sinceMs) break;
      if (from.kind === 'run' && summary.run !== from.id) continue;
      if (from.kind === 'since' && workspace !== null && summary.workspace !== workspace) continue;
      if (isFull(counts.runs)) break;
      const work = await workOfRun(summary, archive.store, archive.blobs);
      if (typeof work === 'string') {
        faults.push({ id: summary.run, reason: work });
        continue;
      }
      counts.runs += 1;
      add(work.inside);
      if (!ofChats.has(summary.run)) runs.push(work);
      onProgress(counts.chats, counts.runs);
    }
  for (const work of from.kind === 'run' ? [] : sequencesOfRuns(runs)) add(work);
  return { works, ...counts, isCut: wasCut || isCut, faults };
}

/** What a person wrote after --from: days, or the id of a run or a conversation, or a part of it. */
export async function findSource(
  given: string,
  { homeFolder, archive, nowMs }: { homeFolder: string; archive: RunArchive; nowMs: number },
): Promise<LearnFrom> {
  const [, days] = /^(?:last\s+)?(\d{1,4})\s*d(?:ays?)?$/i.exec(given.trim()) ?? [];
  if (days !== undefined) return { kind: 'since', sinceMs: nowMs - Number(days) * dayMs };
  const wanted = given.trim().toUpperCase();
  const chats =
    wanted.length < 3
      ? []
      : (await chatFiles(homeFolder).ids()).filter((id) => id.startsWith(wanted) || id.endsWith(wanted));
  const run = await archive.find(given.trim()).catch((error: unknown) => {
    if (error instanceof TechneError && (error.code === 'RUN_UNKNOWN' || error.code === 'USAGE'))
      return error;
    throw error;
  });
  const [chat] = chats;
  if (typeof run === 'string' && chat === undefined) return { kind: 'run', id: run };
  if (typeof run !== 'string' && run.code === 'RUN_UNKNOWN' && chat !== undefined && chats.length === 1)
    return { kind: 'chat', id: chat };
  if (typeof run !== 'string' && run.code === 'RUN_UNKNOWN' && chat === undefined)
    throw new TechneError('USAGE', `there is no run and no conversation "${printableLine(given)}"`, {
      hint: 'give days (--from 7d), or an id of "techne runs" or "techne chat --list"',
    });
  throw new TechneError('USAGE', `"${printableLine(given)}" fits several runs or conversations`, {
    hint: 'write more of the id',
  });
}

const dayMs = 24 * 60 * 60 * 1000;
