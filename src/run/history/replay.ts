// A journal -> the same run again without effects, and every difference.
//
// Nothing is performed: every outcome comes from the journal, and a request that is not in the journal is a
// divergence. For a run that has ended, the text, the number of steps and the fingerprint must be equal, and every
// recorded call and trace entry must occur in its place. A run that was stopped from outside is replayed up to the
// step at which it stopped.
import { canonicalJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { TechneError } from '../../base/error.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { RunClock } from '../../ports/run-clock.ts';
import type { RunEnded } from '../../journal/entry.ts';
import { foldRun, outcomeOf } from '../../journal/run-state.ts';
import type { RunState } from '../../journal/run-state.ts';
import type { StoredEntry } from '../../ports/run-store.ts';
import { isChild, requestHash } from '../effect/effect.ts';
import type { EffectOutcome, EffectRequest, Interpreter } from '../effect/effect.ts';
import { mustBeSame, Nondeterminism } from '../effect/effect-context.ts';
import { renderEnvelope } from '../result/completed-text.ts';
import { Fingerprint } from '../engine/run-log.ts';
import type { RunLimits } from '../budget/limits.ts';
import { profileOf } from '../plan/runs.ts';
import type { RunFacts, StoredValues } from '../run-facts.ts';
import { readFacts } from '../run-facts.ts';
import { failureText } from '../result/failed-or-paused-text.ts';
import { Timeline, TraceLog } from '../result/trace.ts';

/** Where a replay differs from its journal. */
export interface Divergence {
  readonly what: 'journal' | 'profile' | 'program' | 'effect' | 'trace' | 'result' | 'steps' | 'fingerprint';
  /** Of the effect, where it is about one. */
  readonly key: string | null;
  readonly message: string;
}

/** Whether a replay gives what the run gave. */
export interface ReplayReport {
  readonly run: string;
  readonly same: boolean;
  readonly divergences: readonly Divergence[];
  /** The result of the replay; null when it did not end. */
  readonly text: string | null;
  /** Outcomes taken from the journal. */
  readonly effects: number;
}

interface ReplayParts {
  readonly entries: readonly StoredEntry[];
  readonly values: StoredValues;
  readonly sha256: Sha256;
  readonly clock: Pick<RunClock, 'yieldTurn'>;
  readonly createInterpreter: (facts: RunFacts, input: JsonObject) => Promise<Interpreter>;
}

export async function replayRun(parts: ReplayParts): Promise<ReplayReport> {
  let state: RunState;
  try {
    state = foldRun(parts.entries);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return {
      run: '',
      same: false,
      divergences: [{ what: 'journal', key: null, message: error.message }],
      text: null,
      effects: 0,
    };
  }
  const replay = new Replay(parts, state);
  await replay.perform();
  return {
    run: state.meta.run,
    same: replay.divergences.length === 0,
    divergences: replay.divergences,
    text: replay.text,
    effects: replay.effects,
  };
}

class Replay {
  readonly divergences: Divergence[] = [];
  text: string | null = null;
  effects = 0;
  readonly #parts: ReplayParts;
  readonly #state: RunState;
  readonly #facts: RunFacts;
  readonly #limits: RunLimits;
  readonly #traces: TraceLog;
  readonly #seen = new Set<string>();
  #turns = 0;

  constructor(parts: ReplayParts, state: RunState) {
    this.#parts = parts;
    this.#state = state;
    this.#facts = readFacts(state.meta);
    this.#limits = this.#facts.limits;
    this.#traces = new TraceLog(
      parts.entries.map(({ entry }) => entry),
      this.#limits,
    );
  }

  async perform(): Promise<void> {
    const { meta, ended } = this.#state;
    this.#checkFingerprint();
    const profile = profileOf(meta.skill.form);
    if (meta.profile !== profile)
      return this.#diverge(
        'profile',
        null,
        `the run was started with ${meta.profile}, but this is ${profile}`,
      );
    let interpreter: Interpreter;
    try {
      interpreter = await this.#parts.createInterpreter(
        this.#facts,
        await this.#parts.values.loadObject(meta.input),
      );
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      return this.#diverge('program', null, error.message);
    }
    await this.#advance(interpreter, ended);
  }

  async #advance(interpreter: Interpreter, ended: RunEnded | null): Promise<void> {
    const stoppedAt = ended !== null && isStopped(ended) ? ended.steps : null;
    for (;;) {
      if (stoppedAt !== null && interpreter.isConcurrent !== true && interpreter.steps >= stoppedAt)
        return this.#endStopped(interpreter, ended as RunEnded);
      const advance = interpreter.advance();
      switch (advance.kind) {
        case 'slice':
          await this.#parts.clock.yieldTurn();
          continue;
        case 'done':
          if (stoppedAt !== null && interpreter.isConcurrent === true)
            return this.#endStopped(interpreter, ended as RunEnded);
          return this.#end(
            interpreter,
            ended,
            await this.#completedText(advance.value as JsonObject, outcomeWord(advance.error)),
            outcomeWord(advance.error),
          );
        case 'failed':
          if (stoppedAt !== null && interpreter.isConcurrent === true)
            return this.#endStopped(interpreter, ended as RunEnded);
          return this.#end(
            interpreter,
            ended,
            failureText(
              this.#state.meta.skill.name,
              advance.message,
              this.#state.meta.run,
              this.#limits.resultUnits,
            ),
            'failed',
          );
        case 'waiting': {
          const outcomes = await this.#outcomesOf(advance.effects);
          for (const [key, outcome] of outcomes) interpreter.deliver(key, outcome);
          if (outcomes.length > 0) break;
          if (stoppedAt !== null) return this.#endStopped(interpreter, ended as RunEnded);
          // Nothing more is known of it: a run that waits, or one that has diverged.
          if (ended !== null && this.divergences.length === 0)
            this.#diverge('effect', null, 'the program waits for something that the journal does not have');
          return;
        }
      }
      this.#turns += 1;
      if (this.#turns % 64 === 0) await this.#parts.clock.yieldTurn();
      if (this.divergences.some(({ what }) => what === 'effect' || what === 'trace')) return;
    }
  }

  async #outcomesOf(
    effects: readonly EffectRequest[],
  ): Promise<readonly (readonly [string, EffectOutcome])[]> {
    const outcomes: (readonly [string, EffectOutcome])[] = [];
    for (const effect of effects) {
      const outcome = effect.kind === 'trace' ? this.#trace(effect) : await this.#outcomeOf(effect);
      if (outcome !== null) outcomes.push([effect.key, outcome]);
    }
    return outcomes;
  }

  #trace({ key, request }: EffectRequest): EffectOutcome {
    try {
      const unknown = this.#traces.add(key, request, 0);
      if (unknown !== null && this.#state.ended !== null && !isStopped(this.#state.ended))
        this.#diverge(
          'trace',
          key,
          `the program adds the entry "${unknown.kind}", which the journal does not have`,
        );
    } catch (error) {
      if (!(error instanceof Nondeterminism)) throw error;
      this.#diverge('trace', key, error.message);
    }
    return { ok: true, value: null };
  }

  async #outcomeOf(effect: EffectRequest): Promise<EffectOutcome | null> {
    const known = this.#state.effects.get(effect.key);
    this.#seen.add(effect.key);
    if (known === undefined) {
      const { ended } = this.#state;
      if (ended !== null && !isStopped(ended))
        this.#diverge(
          'effect',
          effect.key,
          `the program asks for ${effect.kind} ${effect.key}, which the journal does not have`,
        );
      return null;
    }
    try {
      mustBeSame(known, {
        key: effect.key,
        kind: effect.kind,
        hash: requestHash(this.#parts.sha256, effect.kind, effect.request),
      });
    } catch (error) {
      if (!(error instanceof Nondeterminism)) throw error;
      this.#diverge('effect', effect.key, error.message);
      return null;
    }
    const recorded = outcomeOf(known);
    if (recorded === null) return null;
    this.effects += 1;
    const result = await this.#parts.values.load(recorded.result);
    return recorded.ok
      ? { ok: true, value: result }
      : { ok: false, ...(result as { code: string; message: string }) };
  }

  async #completedText(value: JsonObject, outcome: string): Promise<string> {
    const timeline = new Timeline();
    for (const { entry } of this.#parts.entries) timeline.add(entry);
    const trace = await timeline.render(this.#parts.values);
    const { name } = this.#state.meta.skill;
    return renderEnvelope({
      name,
      outcome,
      envelope: value,
      trace,
      traceDropped: this.#traces.dropped,
      maxUnits: this.#limits.resultUnits,
    });
  }

  async #end(
    interpreter: Interpreter,
    ended: RunEnded | null,
    text: string,
    status: RunEnded['status'],
  ): Promise<void> {
    this.text = text;
    if (ended === null) return this.#checkAllSeen();
    if (ended.status !== status)
      this.#diverge('result', null, `the run ${ended.status} and the replay ${status}`);
    this.#compare('result', (await this.#parts.values.load(ended.text)) as Json, text);
    if (ended.steps !== interpreter.steps)
      this.#diverge('steps', null, `the run took ${ended.steps} steps and the replay ${interpreter.steps}`);
    this.#checkAllSeen();
  }

  async #endStopped(interpreter: Interpreter, ended: RunEnded): Promise<void> {
    const { name } = this.#state.meta.skill;
    this.text = failureText(name, ended.error?.message ?? '', this.#state.meta.run, this.#limits.resultUnits);
    this.#compare('result', (await this.#parts.values.load(ended.text)) as Json, this.text);
    // Parallel effects may have been recorded in another order when the run was stopped.
    if (interpreter.isConcurrent === true) return;
    if (ended.steps !== interpreter.steps)
      this.#diverge(
        'steps',
        null,
        `the run was stopped after ${ended.steps} steps and the replay after ${interpreter.steps}`,
      );
  }

  #checkAllSeen(): void {
    for (const key of this.#state.effects.keys()) {
      if (!isChild(key) && !this.#seen.has(key))
        this.#diverge('effect', key, `the journal has effect ${key}, which the program does not ask for`);
    }
    if (this.#traces.unseen > 0)
      this.#diverge(
        'trace',
        null,
        `the journal has ${this.#traces.unseen} trace entries that the program does not add`,
      );
  }

  #checkFingerprint(): void {
    const { ended } = this.#state;
    if (ended?.fingerprint === undefined) return;
    const fingerprint = new Fingerprint(this.#parts.sha256);
    for (const { entry } of this.#parts.entries) fingerprint.add(entry);
    if (fingerprint.value() !== ended.fingerprint)
      this.#diverge(
        'fingerprint',
        null,
        'the entries are not those that the run wrote: one was changed, swapped, added or lost',
      );
  }

  #compare(what: Divergence['what'], expected: Json, found: Json): void {
    const [a, b] = [canonicalJson(expected), canonicalJson(found)];
    if (a === b) return;
    let at = 0;
    while (at < a.length && a[at] === b[at]) at += 1;
    const from = Math.max(0, at - 20);
    this.#diverge(
      what,
      null,
      `the texts differ at character ${at}: "${a.slice(from, at + 40)}" in the journal, "${b.slice(from, at + 40)}" in the replay`,
    );
  }

  #diverge(what: Divergence['what'], key: string | null, message: string): void {
    this.divergences.push({ what, key, message });
  }
}

function outcomeWord(error: RunEnded['error'] | undefined): 'completed' | 'partial' {
  return error === undefined || error === null ? 'completed' : 'partial';
}

/** Ended from outside, not by the program. */
function isStopped({ error }: RunEnded): boolean {
  return error?.code === 'CANCELLED' || error?.code === 'TIMEOUT';
}
