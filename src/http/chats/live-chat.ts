// One answer under way: the turn of a conversation that this process holds, and what of it is not in the log.
//
//   engine events -> ChatStateJson, in memory; entries -> the log, then the feed
//
// What counts is in the log before it is acted on; this state is what people see meanwhile, and is lost with the process.
import { randomBytes } from 'node:crypto';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import type { ChatEvent } from '../../chat/events.ts';
import type { GivenApproval } from '../../chat/permit.ts';
import { DetachSignal } from '../../run/effect/effect-context.ts';
import type { Questioner } from '../../run/drive/drive.ts';
import type { ChatSurface } from '../../techne/chat/open-chat.ts';
import type { OnRunEvent } from '../../run/events.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';

export type ChatStateJson = OperationOutput<Operations['showChat']>['state'];
type ApprovalJson = ChatStateJson['approvals'][number];

/** What is shown of the output of a command that runs. */
const shownOutput = 4_000;
const mostNotes = 20;

interface LiveChatOptions {
  readonly id: string;
  readonly nowMs: () => number;
  /** Something of the state or the entries has changed. */
  readonly onChange: () => void;
  /** Its status in lists has changed. */
  readonly onStatus: () => void;
  /** Gets the events of runs that it drives. */
  readonly onRunEvent: OnRunEvent;
}

export class LiveChat {
  readonly id: string;
  readonly entries: ChatEntry[] = [];
  readonly startedAt: number;
  /** Runs that this conversation drives now. */
  readonly runs = new Set<string>();
  readonly #options: LiveChatOptions;
  readonly #stop = new AbortController();
  readonly #approvals = new Map<
    string,
    ApprovalJson & { readonly settle: (given: GivenApproval | null) => void }
  >();
  readonly #calls = new Map<string, { readonly tool: string; output: string }>();
  readonly #notes: string[] = [];
  #phase: ChatStateJson['phase'] = 'opening';
  #text = '';
  #version = 0;

  constructor(options: LiveChatOptions) {
    this.#options = options;
    this.id = options.id;
    this.startedAt = options.nowMs();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Counts up with everything except text. */
  get version(): number {
    return this.#version;
  }

  /** Of the turn under way. */
  get text(): string {
    return this.#text;
  }

  get isWaiting(): boolean {
    return this.#approvals.size > 0;
  }

  get state(): ChatStateJson {
    return {
      phase: this.isWaiting ? 'waiting' : this.#phase,
      startedAt: this.startedAt,
      text: this.#text,
      calls: [...this.#calls].map(([id, { tool, output }]) => ({ id, tool, output })),
      approvals: [...this.#approvals.values()].map(({ id, call, question, askedAt }) => ({
        id,
        call,
        question,
        askedAt,
      })),
      notes: [...this.#notes],
      fault: null,
    };
  }

  stop(): void {
    this.#stop.abort(new DetachSignal());
  }

  appended(entry: ChatEntry): void {
    this.entries.push(entry);
    this.#options.onChange();
  }

  /** Throws QUESTION_UNKNOWN. */
  answer(approval: string, given: GivenApproval): void {
    const asked = this.#approvals.get(approval);
    if (asked === undefined)
      throw new TechneError(
        'QUESTION_UNKNOWN',
        `the conversation ${this.id} waits for no approval "${approval}"`,
        {
          hint: 'someone else answered it, or the answer was stopped',
        },
      );
    asked.settle(given);
  }

  note(message: string): void {
    this.#notes.push(message);
    if (this.#notes.length > mostNotes) this.#notes.shift();
    this.#touch();
  }

  readonly surface: ChatSurface = {
    onEvent: (event) => this.#hear(event),
    onOutput: (text) => {
      const [last] = [...this.#calls.values()].slice(-1);
      if (last === undefined) return;
      last.output = (last.output + text).slice(-shownOutput);
      this.#touch();
    },
    onWarning: (message) => this.note(message),
    onNote: (message) => this.note(message),
    ask: (question, { workspace, call }, signal) => this.#ask({ cwd: workspace, ...question }, call, signal),
    watchRun: (open, resumed) => {
      const seen = new Set(resumed === null ? [] : [resumed]);
      for (const run of seen) this.runs.add(run);
      return {
        options: {
          questions: [answeredElsewhere(open)],
          onWait: () => this.note('another process drives the run; its result is shown here, too'),
        },
        onEvent: (event) => {
          this.#options.onRunEvent(event);
          if (event.type !== 'run.started' || event.parent !== null) return;
          seen.add(event.run);
          this.runs.add(event.run);
        },
        end: () => {
          for (const run of seen) this.runs.delete(run);
        },
      };
    },
  };

  #hear(event: ChatEvent): void {
    switch (event.type) {
      case 'skills.matched':
      case 'turn.started':
        this.#phase = 'thinking';
        break;
      case 'turn.text':
        this.#text += event.text;
        if (this.#phase === 'writing') return this.#options.onChange();
        this.#phase = 'writing';
        break;
      case 'turn.ended':
        // The entry of the turn has its text.
        this.#text = '';
        this.#phase = 'thinking';
        break;
      case 'call.made':
        this.#calls.set(event.id, { tool: event.tool, output: '' });
        this.#phase = 'calling';
        break;
      case 'call.ended':
        this.#calls.delete(event.id);
        this.#phase = 'thinking';
        break;
      case 'history.compacting':
        this.#phase = 'compacting';
        break;
      case 'history.compacted':
        this.#phase = 'thinking';
        this.note(
          event.forgotten.length === 0
            ? 'the beginning was summarised'
            : `the beginning was summarised; no longer loaded: ${event.forgotten.join(', ')}`,
        );
    }
    this.#touch();
  }

  #ask(question: JsonObject, call: string | null, signal: Abort): Promise<GivenApproval | null> {
    // Never an id of an earlier answer: a decision that comes late must not fall on another call.
    const id = randomBytes(8).toString('hex');
    return new Promise((resolve) => {
      const settle = (given: GivenApproval | null): void => {
        signal.removeEventListener('abort', onAbort);
        this.#approvals.delete(id);
        this.#touch();
        this.#options.onStatus();
        resolve(given);
      };
      const onAbort = (): void => settle(null);
      if (signal.aborted) return resolve(null);
      signal.addEventListener('abort', onAbort);
      this.#approvals.set(id, { id, call, question, askedAt: this.#options.nowMs(), settle });
      this.#touch();
      this.#options.onStatus();
    });
  }

  #touch(): void {
    this.#version += 1;
    this.#options.onChange();
  }
}

/** A question of a run is answered over the API or at a terminal, by whoever may; this waits for it. */
function answeredElsewhere(open: () => OpenRuns): Questioner {
  return (question, { signal }) =>
    new Promise((resolve) => {
      const end = (reply: 'settled' | 'open'): void => {
        watch.close();
        signal.removeEventListener('abort', stop);
        resolve(reply);
      };
      const stop = (): void => end('open');
      const watch = open().store.subscribe(question.run, 0, (entries) => {
        const isOver = entries.some(
          ({ entry }) =>
            entry.type === 'run.ended' ||
            entry.type === 'cancel.requested' ||
            (entry.type === 'question.answered' && entry.id === question.id),
        );
        if (isOver) queueMicrotask(() => end('settled'));
      });
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
    });
}
