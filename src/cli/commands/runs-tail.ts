// techne runs tail
//
// JSON: one journal entry per line, {seq, entry}. The exit code is that of the run; 5 if its process is gone, because the run
// then waits to be resumed.
import { inStore } from '../in-store.ts';
import { archivePlace } from '../archive-place.ts';
import type { Json } from '../../base/json.ts';
import { printableLine, renderJson } from '../../base/printable.ts';
import type { JournalEntry, Stored } from '../../journal/entry.ts';
import { RunFold } from '../../journal/run-state.ts';
import type { RunState } from '../../journal/run-state.ts';
import type { RunStore, StoredEntry } from '../../ports/run-store.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-code.ts';
import { describeCall, durationText, nameKey } from '../run/describe-effect.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { summaryOf } from '../../techne/seen-run.ts';

/** How often to check whether a process still drives the run. */
const lookMs = 1_000;

export function runRunsTail(context: CommandContext): Promise<number> {
  return withArchive(archivePlace(context), async ({ store, find }) => {
    const run = await find(context.args.positionals[0] as string);
    const state = await follow(store, run, (entry, fold) => write(context, entry, fold));
    if (state !== null) return exitCodeOfStatus[state.status === 'running' ? 'failed' : state.status];
    context.err.line(
      `techne: the process that drove run ${run} is gone${context.quiet ? '' : inStore(`\n  hint: techne runs resume ${run}`, context.args.value('store'))}`,
    );
    return exitCodes.paused;
  });
}

/** Resolves when the run has ended or waits; `null` if no process drives it. */
function follow(
  store: RunStore,
  run: string,
  onEntry: (stored: StoredEntry, startedAt: number) => void,
): Promise<RunState | null> {
  const fold = new RunFold();
  let startedAt = 0;
  return new Promise((resolve, reject) => {
    const stop = (end: () => void): void => {
      clearInterval(timer);
      subscription.close();
      end();
    };
    const look = async (): Promise<void> => {
      if ((await summaryOf(store, run))?.status === 'interrupted') {
        stop(() => resolve(null));
      }
    };
    const timer = setInterval(
      () => void look().catch((error: unknown) => stop(() => reject(error as Error))),
      lookMs,
    );
    const subscription = store.subscribe(
      run,
      0,
      (entries) => {
        for (const stored of entries) {
          if (stored.entry.type === 'run.started') startedAt = stored.entry.at;
          fold.add(stored);
          onEntry(stored, startedAt);
        }
        const state = fold.state();
        if (state.ended !== null || state.paused !== null) stop(() => resolve(state));
      },
      (error) => stop(() => reject(error)),
    );
  });
}

function write({ out, json }: CommandContext, stored: StoredEntry, startedAt: number): void {
  if (json) return out.line(renderJson(stored));
  const text = describeEntry(stored.entry);
  if (text !== null)
    out.line(`[${((stored.entry.at - startedAt) / 1_000).toFixed(1)}s] ${printableLine(text)}`);
}

function describeEntry(entry: JournalEntry): string | null {
  switch (entry.type) {
    case 'run.started':
      return `run ${entry.run} of ${entry.skill.name}`;
    case 'owner.claimed':
      return `driven by ${entry.owner}`;
    case 'effect.started':
      // The pause before a retry.
      if (entry.kind === 'sleep') return null;
      return `${name(entry.key)}  ${describeCall(entry.kind, valueOf(entry.request))}${entry.attempt > 1 ? `, attempt ${entry.attempt}` : ''}`;
    case 'effect.ended':
      if (entry.key.endsWith('~wait')) return null;
      return `${name(entry.key)}  ${entry.ok ? 'done' : 'failed'} in ${durationText(entry.ms)}`;
    case 'effect.decided':
      return `${entry.key}  decided by ${entry.by}: ${entry.as}`;
    case 'question.asked':
      return `${name(entry.key)}  waits for the ${entry.audience} (question ${entry.id})`;
    case 'question.answered':
      return `question ${entry.id} was answered by the ${entry.by}${entry.name === undefined ? '' : ` ${entry.name}`}`;
    case 'trace.added':
      return `·  ${entry.printed === true ? 'printed' : entry.kind}  ${renderJson(valueOf(entry.data)).slice(0, 300)}`;
    case 'run.paused':
      return `paused: ${entry.reason === 'question' ? 'it waits for an answer' : entry.reason === 'decision' ? 'it needs a decision' : 'it was stopped'}`;
    case 'run.resumed':
      return 'resumed';
    case 'run.detached':
      return 'detached from its process; "techne runs resume" continues it';
    case 'cancel.requested':
      return `cancelled by ${entry.by}: ${entry.reason}`;
    case 'run.ended':
      return `${entry.status}${entry.error === null ? '' : `: ${entry.error.code} ${entry.error.message}`}`;
    default:
      return null;
  }
}

/** Calls of a plan outside its steps have internal keys. */
function name(key: string): string {
  return key.startsWith('$') ? nameKey(key) : key;
}

/** Large values are stored as blobs and not printed. */
function valueOf(stored: Stored): Json {
  return 'value' in stored ? stored.value : { bytes: stored.bytes };
}
