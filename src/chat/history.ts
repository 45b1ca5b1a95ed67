// The entries of a conversation -> the messages for the model.
//
// Every call has a result: a call that began and has no end has an unknown outcome, and one that never began was not
// made. Nothing is made again because techne was stopped. The compacted part is given as its summary with the
// reattached bodies; entries after `from` are given unchanged. An item begins at an entry, so that a compaction can
// name the first one it keeps.
//
// history#H4. Each entry is read once: the length of the conversation does not make the next one more expensive.
import type { Usage } from '../ports/answerer.ts';
import type { Said, CallResult, Turn } from '../ports/model.ts';
import { callsOf } from '../ports/model.ts';
import type { ChatEntry, GivenBody } from './entry.ts';
import type { RunSpent } from '../ports/tool.ts';
import { noteText, summaryText } from './message.ts';

export interface HistoryItem {
  /** The entry it begins at. */
  readonly entry: number;
  readonly said: Said;
  /** Of what came before it, and bodies of skills. */
  readonly isSummary?: true;
}

interface ChatRun {
  readonly run: string;
  readonly skill: string;
  readonly status: string;
  /** As it was when the run was last left here. */
  readonly usage: RunSpent;
}

export interface History {
  readonly items: readonly HistoryItem[];
  /** Turns that were taken, of those compacted too, and by agents that worked for it. */
  readonly turns: number;
  /** Of these turns and of compactions; what runs used is theirs. */
  readonly usage: Usage;
  /** Bodies that are before the model, in order. */
  readonly given: readonly GivenBody[];
  /** Skills whose body was before the model at any time, by name. */
  readonly shown: readonly string[];
  /** Of untrusted skills, and whose text was before the model at any time: what it led to stays, whatever
      became of the text. */
  readonly doubted: readonly string[];
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

const nothingSpent: RunSpent = { asks: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** By all runs together. */
export function spentByRuns(runs: readonly ChatRun[]): RunSpent {
  return runs.reduce(
    (sum, { usage }) => ({ ...addSpent(sum, usage), asks: sum.asks + usage.asks }),
    nothingSpent,
  );
}

export function foldHistory(entries: readonly ChatEntry[]): History {
  const fold = new HistoryFold();
  for (const entry of entries) fold.add(entry);
  return fold.history;
}

/** One entry after the other. */
export class HistoryFold {
  #items: HistoryItem[] = [];
  #given: GivenBody[] = [];
  readonly #shown = new Set<string>();
  readonly #doubted = new Set<string>();
  readonly #runs = new Map<string, ChatRun>();
  #usage: Usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
  #turns = 0;
  #entries = 0;
  #open: OpenExchange | null = null;
  #cutOff = false;
  /** As it was asked for last; null since something changed. */
  #history: History | null = null;

  get history(): History {
    const open = this.#open;
    this.#history ??= {
      items:
        open === null ? [...this.#items] : [...this.#items, { entry: open.entry, said: exchangeOf(open) }],
      turns: this.#turns,
      usage: this.#usage,
      given: [...this.#given],
      shown: [...this.#shown],
      doubted: [...this.#doubted],
      runs: [...this.#runs.values()],
      cutOff: this.#cutOff,
    };
    return this.#history;
  }

  isDoubted(skill: string): boolean {
    return this.#doubted.has(skill);
  }

  add(entry: ChatEntry): void {
    const at = this.#entries;
    this.#entries += 1;
    this.#history = null;
    switch (entry.type) {
      case 'user.said':
        this.#say(at, { by: 'user', text: entry.content });
        this.#give(entry.given);
        this.#cutOff = true;
        return;
      case 'skill.doubted':
        this.#doubted.add(entry.skill);
        return;
      case 'note.added':
        this.#turns += entry.spent?.turns ?? 0;
        if (entry.spent !== undefined) this.#usage = addSpent(this.#usage, entry.spent.usage);
        return this.#say(at, { by: 'user', text: noteText(entry.text) });
      case 'turn.taken':
        this.#settle();
        this.#open = { entry: at, turn: entry.turn, started: new Set(), ended: new Map() };
        this.#turns += 1;
        this.#usage = addSpent(this.#usage, entry.usage);
        return;
      case 'turn.stopped':
        if (entry.text.trim() !== '')
          this.#say(at, {
            by: 'model',
            turn: { model: '', finish: 'stopped', content: [{ type: 'text', text: entry.text }] },
            results: [],
          });
        return;
      case 'call.started':
        this.#open?.started.add(entry.id);
        return;
      case 'call.ended':
        this.#open?.ended.set(entry.id, entry);
        return this.#give(entry.given);
      case 'run.begun':
        this.#runs.set(entry.run, {
          run: entry.run,
          skill: entry.skill,
          status: 'interrupted',
          usage: nothingSpent,
        });
        return;
      case 'run.detached': {
        const known = this.#runs.get(entry.run);
        if (known !== undefined)
          this.#runs.set(entry.run, { ...known, status: entry.status, usage: entry.usage ?? known.usage });
        return;
      }
      case 'history.compacted': {
        this.#settle();
        const kept = this.#items.filter((item) => item.entry >= entry.from);
        this.#items = [
          {
            entry: at,
            said: { by: 'user', text: summaryText(entry.summary, entry.attached) },
            isSummary: true,
          },
          ...kept,
        ];
        this.#given = this.#given.filter(({ event }) => entry.kept.includes(event.skill_id));
        this.#usage = addSpent(this.#usage, entry.usage);
        return;
      }
      case 'answer.ended':
        this.#cutOff = false;
        return;
      case 'chat.started':
      case 'chat.renamed':
      case 'approval.answered':
        return;
      default:
      // An entry of an unknown type gives nothing to the model (entry.ts).
    }
  }

  #say(entry: number, said: Said): void {
    this.#settle();
    this.#items.push({ entry, said });
  }

  #settle(): void {
    if (this.#open !== null) this.#items.push({ entry: this.#open.entry, said: exchangeOf(this.#open) });
    this.#open = null;
  }

  #give(bodies: readonly GivenBody[]): void {
    this.#given.push(...bodies);
    for (const { event } of bodies) this.#shown.add(event.skill_id);
  }
}

function exchangeOf({ turn, started, ended }: OpenExchange): Said {
  const results = callsOf(turn).map(({ id, tool }): CallResult => {
    const known = ended.get(id);
    if (known !== undefined) return { id, tool, ok: known.ok, text: known.text };
    return {
      id,
      tool,
      ok: false,
      text: started.has(id)
        ? 'error: techne was stopped while this was under way, so its outcome is unknown; look before you do it again'
        : 'error: this call was not made: the turn was stopped before it',
    };
  });
  return { by: 'model', turn, results };
}

export function addSpent(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costMicros: a.costMicros + b.costMicros,
  };
}
