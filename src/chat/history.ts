// The entries of a conversation -> what the model is told of it.
//
// H1. Every call has a result. One that began and has no end is said to be of unknown outcome; one that never began, not
//     to have been made: nothing is made again because techne was stopped.
// H2. What was compacted is told as its summary, with the bodies that were put back; what came after `from` as it was.
// H3. An item begins at an entry, so that a compaction can say from where on the history is kept.
import type { Usage } from '../host/ports/answerer.ts';
import type { Said, ToolResult, Turn } from '../host/ports/model.ts';
import { callsOf } from '../host/ports/model.ts';
import type { ChatEntry, GivenBody } from './entry.ts';
import { noteText, summaryText } from './message.ts';

export interface HistoryItem {
  /** The entry it begins at. */
  readonly entry: number;
  readonly said: Said;
}

export interface ChatRun {
  readonly run: string;
  readonly skill: string;
  readonly status: string;
}

export interface History {
  readonly items: readonly HistoryItem[];
  /** Turns that were taken, of those compacted too. */
  readonly turns: number;
  readonly usage: Usage;
  /** Bodies that are before the model, in order. */
  readonly given: readonly GivenBody[];
  readonly runs: readonly ChatRun[];
  /** The last message has no answer that was ended: techne was stopped. */
  readonly cutOff: boolean;
}

interface OpenExchange {
  readonly entry: number;
  readonly turn: Turn;
  readonly started: Set<string>;
  readonly ended: Map<string, { readonly ok: boolean; readonly text: string }>;
}

export function foldHistory(entries: readonly ChatEntry[]): History {
  const items: HistoryItem[] = [];
  let given: GivenBody[] = [];
  let turns = 0;
  let usage: Usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
  let open: OpenExchange | null = null;
  let cutOff = false;
  const runs = new Map<string, ChatRun>();
  const settle = (): void => {
    if (open !== null) items.push({ entry: open.entry, said: exchangeOf(open) });
    open = null;
  };
  const add = (entry: number, said: Said): void => {
    settle();
    items.push({ entry, said });
  };
  for (const [at, entry] of entries.entries()) {
    switch (entry.type) {
      case 'user.said':
        add(at, { by: 'user', text: entry.content });
        given.push(...entry.given);
        cutOff = true;
        break;
      case 'note.added':
        add(at, { by: 'user', text: noteText(entry.text) });
        break;
      case 'turn.taken':
        settle();
        open = { entry: at, turn: entry.turn, started: new Set(), ended: new Map() };
        turns += 1;
        usage = plus(usage, entry.usage);
        break;
      case 'turn.stopped':
        if (entry.text.trim() !== '') add(at, { by: 'model', turn: { model: '', finish: 'stopped', content: [{ type: 'text', text: entry.text }] }, results: [] });
        break;
      case 'call.started':
        (open as OpenExchange | null)?.started.add(entry.id);
        break;
      case 'call.ended':
        (open as OpenExchange | null)?.ended.set(entry.id, entry);
        given.push(...entry.given);
        break;
      case 'run.begun':
        runs.set(entry.run, { run: entry.run, skill: entry.skill, status: 'interrupted' });
        break;
      case 'run.left': {
        const known = runs.get(entry.run);
        if (known !== undefined) runs.set(entry.run, { ...known, status: entry.status });
        break;
      }
      case 'history.compacted': {
        settle();
        const kept = items.filter((item) => item.entry >= entry.from);
        items.splice(0, items.length, { entry: at, said: { by: 'user', text: summaryText(entry.summary, entry.attached) } }, ...kept);
        given = given.filter(({ event }) => entry.kept.includes(event.skill_id));
        usage = plus(usage, entry.usage);
        break;
      }
      case 'answer.ended':
        cutOff = false;
        break;
      case 'chat.started':
        break;
      default:
        // What is not known here says nothing to the model (entry.ts, E3).
        break;
    }
  }
  settle();
  return { items, turns, usage, given, runs: [...runs.values()], cutOff };
}

function exchangeOf({ turn, started, ended }: OpenExchange): Said {
  const results = callsOf(turn).map(({ id, tool }): ToolResult => {
    const known = ended.get(id);
    if (known !== undefined) return { id, tool, ok: known.ok, text: known.text };
    return { id, tool, ok: false, text: started.has(id) ? 'error: techne was stopped while this was under way, so its outcome is unknown; look before you do it again' : 'error: this call was not made: the turn was stopped before it' };
  });
  return { by: 'model', turn, results };
}

export function plus(a: Usage, b: Usage): Usage {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens, costMicros: a.costMicros + b.costMicros };
}
