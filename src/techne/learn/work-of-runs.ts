// The runs of this user -> what was done in them and with them.
//
//   journals -> calls of the agents inside each run; and the runs that were started one after the other in a workspace
//
// What the program or plan of a skill does is not learned: the skill says it already. A run that cannot be read is reported.
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { loadValue } from '../../journal/stored-value.ts';
import type { Stored } from '../../journal/entry.ts';
import { foldRun } from '../../journal/run-state.ts';
import type { EffectState, RunState } from '../../journal/run-state.ts';
import type { Blobs } from '../../ports/blobs.ts';
import { FileFault } from '../../ports/files.ts';
import type { RunStore, RunSummary } from '../../ports/run-store.ts';
import type { DoneCall, DoneWork } from '../../proposals/learn/done-work.ts';
import { isChild } from '../../run/effect/effect.ts';
import { ownTools } from './work-of-chat.ts';

/** What came of one run. */
export interface WorkOfRun {
  readonly summary: RunSummary;
  /** What its agents did. */
  readonly inside: DoneWork;
  /** The run itself, as one call; `null` where it is part of another one, or did not end well. */
  readonly itself: DoneCall | null;
}

/** Runs that follow each other by less are one piece of work. */
export const pauseMs = 2 * 60 * 60 * 1000;

/** Gives the reason where the run cannot be read. */
export async function workOfRun(
  summary: RunSummary,
  store: Pick<RunStore, 'read'>,
  blobs: Pick<Blobs, 'get'>,
): Promise<WorkOfRun | string> {
  try {
    const state = foldRun(await store.read(summary.run));
    const load = (stored: Stored): Promise<Json> => loadValue(stored, blobs);
    const calls: DoneCall[] = [];
    for (const effect of state.effects.values()) {
      if (!isChild(effect.key) || effect.ended?.ok !== true) continue;
      const call = callOf(effect.started.kind, await load(effect.started.request));
      if (call !== null && !failedCommand(effect, await load(effect.ended.result))) calls.push(call);
    }
    return {
      summary,
      inside: {
        kind: 'run',
        id: summary.run,
        calls,
        asked: calls.map(() => null),
        under: calls.map(() => []),
      },
      itself: await itselfOf(summary, state, load),
    };
  } catch (error) {
    if (!(error instanceof TechneError) && !(error instanceof FileFault)) throw error;
    return error.message;
  }
}

/** In the order in which they were started. */
export function sequencesOfRuns(runs: readonly WorkOfRun[]): readonly DoneWork[] {
  const byWorkspace = new Map<string, WorkOfRun[]>();
  for (const run of runs) {
    if (run.itself === null) continue;
    const workspace = run.summary.workspace ?? '';
    byWorkspace.set(workspace, [...(byWorkspace.get(workspace) ?? []), run]);
  }
  const works: DoneWork[] = [];
  for (const [, all] of [...byWorkspace].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const ordered = all.toSorted(
      (a, b) => a.summary.startedAt - b.summary.startedAt || (a.summary.run < b.summary.run ? -1 : 1),
    );
    let piece: WorkOfRun[] = [];
    const end = (): void => {
      const [first] = piece;
      if (first !== undefined) works.push(oneAfterTheOther(first.summary.run, piece));
      piece = [];
    };
    for (const run of ordered) {
      const before = piece.at(-1)?.summary;
      if (before !== undefined && run.summary.startedAt - (before.endedAt ?? before.startedAt) > pauseMs)
        end();
      piece.push(run);
    }
    end();
  }
  return works;
}

function oneAfterTheOther(id: string, runs: readonly WorkOfRun[]): DoneWork {
  const calls = runs.flatMap(({ itself }) => (itself === null ? [] : [itself]));
  return { kind: 'runs', id, calls, asked: calls.map(() => null), under: calls.map(() => []) };
}

async function itselfOf(
  { parent, status, skill }: RunSummary,
  { meta }: RunState,
  load: (stored: Stored) => Promise<Json>,
): Promise<DoneCall | null> {
  if (parent !== null || status !== 'completed') return null;
  const input = await load(meta.input);
  return { kind: 'skill', name: skill, args: isJsonObject(input) ? input : {} };
}

/** A command that failed is data for an agent, and no step of a routine. */
function failedCommand({ started }: EffectState, result: Json): boolean {
  return started.kind === 'command' && isJsonObject(result) && result['ok'] === false;
}

function callOf(kind: string, request: Json): DoneCall | null {
  if (!isJsonObject(request)) return null;
  const { tool, skill, input } = request;
  // Tools of the host have `args`; those of a model's own box `arguments`, and a look before the call that is no call.
  const args = request['args'] ?? request['arguments'];
  if (kind === 'command') return { kind, name: 'command', args: { argv: request['argv'] ?? [] } };
  if (kind === 'tool' && typeof tool === 'string' && request['step'] !== 'look' && !ownTools.test(tool))
    return { kind, name: tool, args: isJsonObject(args) ? args : ({} as JsonObject) };
  if (kind === 'skill' && typeof skill === 'string')
    return { kind, name: skill, args: isJsonObject(input) ? input : ({} as JsonObject) };
  return null;
}
