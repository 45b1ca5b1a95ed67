// The entries of a run -> its state; and the errors of stores about a run in the wrong state.
//
//   JournalEntry[] -> RunState -> RunSummary
//
// The same entries give the same state, whether folded together or one after the other. An order that no engine writes
// (an end without a start, anything after the end) is a fault, because something is missing. Time counts while an owner
// works, measured by its monotonic clock: entries about effects, pauses, detaching and the end record it. Time between
// the last of them and a crash is unknown and does not count. Nothing is computed from `at`.
import type {
  JournalEntry,
  CancelRequested,
  EffectEnded,
  EffectStarted,
  QuestionAsked,
  RunEnded,
  RunDetached,
  RunPaused,
  RunStarted,
  Stored,
  TraceAdded,
  EffectDecided,
  QuestionAnswered,
} from './entry.ts';
import { unreachable, TechneError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { RunSummary, StoredEntry, Claim } from '../ports/run-store.ts';
import { JournalCorrupt } from './read-journal.ts';

export interface EffectState {
  readonly key: string;
  /** The last attempt. */
  readonly started: EffectStarted;
  readonly ended: EffectEnded | null;
  /** What was decided about the last attempt. */
  readonly decided: EffectDecided | null;
}

interface QuestionState {
  readonly asked: QuestionAsked;
  readonly answered: QuestionAnswered | null;
}

export interface RunState {
  readonly meta: RunStarted;
  /** Of the owner that wrote last. */
  readonly epoch: number;
  /** It came from a file of someone. */
  readonly imported: boolean;
  /** Entries so far, so the next seq. */
  readonly seq: number;
  /** By key, in the order of their first starts. */
  readonly effects: ReadonlyMap<string, EffectState>;
  /** By id, in the order in which they were asked. */
  readonly questions: ReadonlyMap<string, QuestionState>;
  readonly trace: readonly TraceAdded[];
  readonly cancel: CancelRequested | null;
  readonly pauses: readonly RunPaused[];
  /** The pause that is not over. */
  readonly paused: RunPaused | null;
  /** Its last owner detached it, and no process has resumed it since. */
  readonly detached: RunDetached | null;
  /** While running, up to the last entry that says it. */
  readonly usedMs: number;
  readonly lastAt: number;
  readonly ended: RunEnded | null;
  /** `running` does not mean that the owner is alive: the store knows. */
  readonly status: 'running' | 'paused' | 'needs_decision' | RunEnded['status'];
}

/** Throws JOURNAL_CORRUPT. */
export function foldRun(entries: readonly StoredEntry[]): RunState {
  const fold = new RunFold();
  for (const stored of entries) fold.add(stored);
  return fold.state();
}

/** The state of a run whose only entry is `meta`. */
export function startedState(meta: RunStarted): RunState {
  return {
    meta,
    epoch: 1,
    imported: false,
    seq: 1,
    effects: new Map(),
    questions: new Map(),
    trace: [],
    cancel: null,
    pauses: [],
    paused: null,
    detached: null,
    usedMs: 0,
    lastAt: meta.at,
    ended: null,
    status: 'running',
  };
}

/** Whether nothing may follow, except a claim made while it ended. */
export function hasEnded(entries: readonly StoredEntry[]): boolean {
  return entries.findLast(({ entry }) => entry.type !== 'owner.claimed')?.entry.type === 'run.ended';
}

/** Effects with an unknown outcome: started, neither ended nor decided. */
export function unknownEffects(state: RunState): readonly EffectState[] {
  return [...state.effects.values()].filter(({ ended, decided }) => ended === null && decided === null);
}

export function openQuestions(state: RunState): readonly QuestionAsked[] {
  return [...state.questions.values()].filter(({ answered }) => answered === null).map(({ asked }) => asked);
}

export function summarizeRun(state: RunState, ownerLives: boolean): RunSummary {
  const { meta, status, ended } = state;
  const { workspace } = meta.settings;
  return {
    run: meta.run,
    skill: meta.skill.name,
    startedAt: meta.at,
    status: status === 'running' && !ownerLives ? 'interrupted' : status,
    endedAt: ended?.at ?? null,
    parent: meta.parent?.run ?? null,
    workspace: typeof workspace === 'string' ? workspace : null,
  };
}

/** Folds entries as they come; `state` may be taken at any time and does not change afterwards. */
export class RunFold {
  #meta: RunStarted | null = null;
  #epoch = 1;
  #imported = false;
  #seq = 0;
  readonly #effects = new Map<string, EffectState>();
  readonly #questions = new Map<string, QuestionState>();
  readonly #trace: TraceAdded[] = [];
  readonly #pauses: RunPaused[] = [];
  #cancel: CancelRequested | null = null;
  #paused: RunPaused | null = null;
  #detached: RunDetached | null = null;
  #ended: RunEnded | null = null;
  #usedMs = 0;
  #lastAt = 0;

  add({ seq, entry }: StoredEntry): void {
    if (seq !== this.#seq) this.#fault(`entry ${seq} follows ${this.#seq - 1}`);
    if ((this.#meta === null) !== (entry.type === 'run.started'))
      this.#fault(`${entry.type} as entry ${seq}`);
    if (this.#ended !== null && entry.type !== 'owner.claimed')
      this.#fault(`${entry.type} after the end of the run`);
    this.#detached = null;
    this.#apply(entry);
    this.#seq += 1;
    this.#lastAt = entry.at;
  }

  state(): RunState {
    const meta = this.#meta;
    if (meta === null) return this.#fault('the journal is empty');
    return {
      meta,
      epoch: this.#epoch,
      imported: this.#imported,
      seq: this.#seq,
      effects: new Map(this.#effects),
      questions: new Map(this.#questions),
      trace: [...this.#trace],
      cancel: this.#cancel,
      pauses: [...this.#pauses],
      paused: this.#paused,
      detached: this.#detached,
      usedMs: this.#usedMs,
      lastAt: this.#lastAt,
      ended: this.#ended,
      status: this.#status(),
    };
  }

  #apply(entry: JournalEntry): void {
    switch (entry.type) {
      case 'run.started':
        this.#meta = entry;
        return;
      case 'owner.claimed':
        this.#epoch = entry.epoch;
        this.#imported ||= entry.imported === true;
        return;
      case 'effect.started':
        this.#measure(entry.usedMs);
        return this.#start(entry);
      case 'effect.ended': {
        const effect = this.#openEffect(entry.key, entry.type);
        this.#measure(entry.usedMs);
        this.#effects.set(entry.key, {
          key: effect.key,
          started: effect.started,
          ended: entry,
          decided: effect.decided,
        });
        return;
      }
      case 'effect.decided': {
        const effect = this.#openEffect(entry.key, entry.type);
        this.#effects.set(entry.key, { ...effect, decided: entry });
        return;
      }
      case 'question.asked':
        if (this.#questions.has(entry.id)) this.#fault(`question ${entry.id} is asked twice`);
        this.#questions.set(entry.id, { asked: entry, answered: null });
        return;
      case 'question.answered': {
        const question = this.#questions.get(entry.id);
        if (question === undefined || question.answered !== null)
          return this.#fault(`an answer to question ${entry.id}, which is not open`);
        this.#questions.set(entry.id, { ...question, answered: entry });
        return;
      }
      case 'trace.added':
        this.#trace.push(entry);
        return;
      case 'run.paused':
        this.#pauses.push(entry);
        this.#paused = entry;
        this.#measure(entry.usedMs);
        return;
      case 'run.resumed':
        this.#paused = null;
        return;
      case 'run.detached':
        this.#detached = entry;
        this.#measure(entry.usedMs);
        return;
      case 'cancel.requested':
        this.#cancel ??= entry;
        return;
      case 'run.ended':
        this.#measure(entry.usage['wallMs']);
        this.#paused = null;
        this.#ended = entry;
        return;
      default:
        unreachable(entry);
    }
  }

  #start(entry: EffectStarted): void {
    const before = this.#effects.get(entry.key);
    if (before !== undefined && before.ended !== null)
      this.#fault(`effect ${entry.key} is started again after its end`);
    this.#effects.set(entry.key, { key: entry.key, started: entry, ended: null, decided: null });
  }

  #openEffect(key: string, type: string): EffectState {
    const effect = this.#effects.get(key);
    if (effect === undefined || effect.ended !== null)
      return this.#fault(`${type} for effect ${key}, which is not under way`);
    return effect;
  }

  #measure(usedMs: Json | undefined): void {
    if (typeof usedMs === 'number' && usedMs > this.#usedMs) this.#usedMs = usedMs;
  }

  #status(): RunState['status'] {
    if (this.#ended !== null) return this.#ended.status;
    if (this.#paused === null) return 'running';
    return this.#paused.reason === 'decision' ? 'needs_decision' : 'paused';
  }

  #fault(reason: string): never {
    throw new JournalCorrupt(this.#meta?.run ?? '', {
      file: 'journal',
      record: this.#seq,
      offset: 0,
      reason: `${reason}, which cannot be`,
    });
  }
}

/** `result` of an effect as a replay takes it: its end, or what a person decided it to be. */
export function outcomeOf({
  ended,
  decided,
}: EffectState): { readonly ok: boolean; readonly result: Stored } | null {
  if (ended !== null) return { ok: ended.ok, result: ended.result };
  if (decided === null || decided.as === 'retry') return null;
  return { ok: decided.as === 'done', result: decided.result ?? { value: null } };
}

// The errors of run stores, with the same words in each; and the names that runs may have.

export function runUnknown(run: string): TechneError {
  return new TechneError('RUN_UNKNOWN', `there is no run "${run}"`, {
    hint: '`techne runs list` shows the runs there are',
  });
}

export function runExists(run: string): TechneError {
  return new TechneError('RUN_EXISTS', `there is a run "${run}" already`);
}

export function runOwned(run: string, owner: string): TechneError {
  return new TechneError('RUN_OWNED', `run ${run} is owned by ${owner}`, {
    hint: 'wait for it, or end that process',
  });
}

export function runUnfinished(run: string): TechneError {
  return new TechneError('RUN_UNFINISHED', `run ${run} has not ended`, { hint: 'cancel it first' });
}

export function runEnded(run: string): TechneError {
  return new TechneError('RUN_ENDED', `run ${run} has ended`);
}

export function ownerLost({ run, epoch }: Claim): TechneError {
  return new TechneError('OWNER_LOST', `run ${run} was taken over after epoch ${epoch}`);
}

export function outOfSequence(run: string, expectedSeq: number, seq: number): TechneError {
  return new TechneError(
    'JOURNAL_SEQUENCE',
    `run ${run} has ${seq} entries, and ${expectedSeq} were expected`,
  );
}

/** Normally a ULID; what matters is that the name of a run cannot be another path. */
const runName = /^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/;

export function isRunName(run: string): boolean {
  return runName.test(run);
}
