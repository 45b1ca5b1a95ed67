// Starts, resumes, answers, decides, cancels, replays, forks and shows runs.
//
//   SkillSource + RunStore + Answerer + CommandHost -> Runner (runner.ts)
//
// Whether a skill may be executed is checked here, whatever tools were offered; the bytes that were judged are the
// bytes that run, pinned before the first entry. Whether a run may continue is checked each time
// (start/may-continue.ts). An answer, a decision or a cancel is an entry if no process owns the run, otherwise a
// message to its owner (tell/tell-run.ts). What only replays, forks and views need is loaded with the first of them.
import type { Abort } from '../base/abort.ts';
import { TechneError } from '../base/error.ts';
import type { Answerer } from '../ports/answerer.ts';
import type { BlobDigest } from '../ports/blobs.ts';
import { foldRun, outcomeOf, startedState } from '../journal/run-state.ts';
import type { RunState } from '../journal/run-state.ts';
import type { Claim, InboxMessage, StoredEntry } from '../ports/run-store.ts';
import type { Admission, InterpreterCaches } from './start/admit-run.ts';
import { admitRun, failedToStart, createInterpreter, ProgramCache } from './start/admit-run.ts';
import type { Interpreter } from './effect/effect.ts';
import { DetachSignal } from './effect/effect-context.ts';
import { RunEngine } from './engine/engine.ts';
import type { OnRunEvent } from './events.ts';
import { noListener } from './events.ts';
import type { ForkRequest } from './history/fork.ts';
import type { InspectRequest, RunView } from './history/inspect.ts';
import { defaultLimits, maximumLimits } from './budget/limits.ts';
import type { NestedCall, NestedRuns, OuterRun } from './nested-run.ts';
import type { Delivery } from './tell/tell-run.ts';
import { checkMessages, tellRun } from './tell/tell-run.ts';
import { mustContinue, recordedAnswerer } from './start/may-continue.ts';
import type { ReplayReport } from './history/replay.ts';
import { profileOf, planRunsOf, watchSteps } from './plan/runs.ts';
import type { StepView } from './plan/view.ts';
import type { RunResult } from './result/result.ts';
import { noTools } from './effect/perform-tool.ts';
import { recordedResult } from './result/run-result.ts';
import { isProgramFailure, withInstructions } from './result/failed-or-paused-text.ts';
import type { RunFacts } from './run-facts.ts';
import { readFacts, writeFacts, StoredValues } from './run-facts.ts';
import type {
  Answer,
  Decision,
  ResumeRequest,
  Runner,
  RunnerOptions,
  StartRequest,
  SubmitRequest,
} from './runner.ts';
import { ProgramInterpreter } from './program/program-interpreter.ts';

/** A runner over parts of your own; `openRuns` has those of this machine. */
export function createRunner(options: RunnerOptions): Runner {
  return new SkillRunner(options);
}

class SkillRunner implements Runner {
  readonly #options: Required<RunnerOptions>;
  readonly #values: StoredValues;
  readonly #caches: InterpreterCaches;
  readonly #active = new Set<string>();

  constructor(options: RunnerOptions) {
    this.#options = {
      tools: noTools,
      artifacts: null,
      notes: null,
      parseFull: null,
      filters: {},
      defaults: defaultLimits,
      maximum: maximumLimits,
      questionTtlMs: null,
      workspace: '',
      onEvent: noListener,
      ...options,
    };
    this.#values = new StoredValues(options.blobs);
    this.#caches = {
      programs: new ProgramCache(options.blobs),
      plans: planRunsOf(this.#options),
    };
  }

  get active(): readonly string[] {
    return [...this.#active];
  }

  start(request: StartRequest): Promise<RunResult> {
    return this.#start(request, this.#drivingOf(request));
  }

  async submit(request: SubmitRequest): Promise<string | RunResult> {
    const admission = await admitRun({ ...this.#options, ...this.#caches }, request, null);
    if (!admission.ok) return admission.result;
    const settings = {
      ...admission.settings,
      startedBy: request.startedBy ?? null,
      travel: request.travel ?? null,
    };
    const { claim } = await this.#create({ ...admission, settings }, this.#drivingOf(request), request.run);
    await this.#options.store.release(claim);
    return claim.run;
  }

  async resume(run: string, request: ResumeRequest = {}): Promise<RunResult> {
    return this.#resume(run, request.answerer ?? null, this.#drivingOf(request));
  }

  async answer(run: string, answer: Answer): Promise<Delivery> {
    return this.#send(await this.#askedBy(run, answer.question), messageOf(answer));
  }

  async answerAll(answers: readonly (Answer & { readonly run: string })[]): Promise<Delivery> {
    const byRun = new Map<string, InboxMessage[]>();
    for (const answer of answers)
      byRun.set(answer.run, [...(byRun.get(answer.run) ?? []), messageOf(answer)]);
    const { store, clock } = this.#options;
    const parts = { store, clock, values: this.#values };
    // Those of one run are one write. Nested runs have journals of their own, so all are checked before the first write.
    if (byRun.size > 1) for (const [run, messages] of byRun) await checkMessages(parts, run, messages);
    let delivery: Delivery = 'recorded';
    for (const [run, messages] of byRun)
      if ((await tellRun(parts, run, messages)) === 'posted') delivery = 'posted';
    return delivery;
  }

  decide(run: string, { key, as, value, by }: Decision): Promise<Delivery> {
    return this.#send(run, { kind: 'decision', key, as, value, by });
  }

  cancel(run: string, reason: string, by = 'caller', onEvent?: OnRunEvent): Promise<Delivery> {
    return this.#cancel(run, reason, by, this.#drivingOf(onEvent === undefined ? {} : { onEvent }));
  }

  async #cancel(run: string, reason: string, by: string, driving: Driving): Promise<Delivery> {
    const { store } = this.#options;
    const delivery = await this.#send(run, { kind: 'cancel', reason, by });
    if (delivery === 'posted' || foldRun(await store.read(run)).ended !== null) return delivery;
    // It has no owner, so this process writes its end.
    const claim = await store.claim(run);
    const entries = await this.#read(claim);
    const state = foldRun(entries);
    const facts = readFacts(state.meta);
    await this.#drive({ claim, entries, state, facts, answerer: noAnswerer }, driving, () =>
      this.#recorded(facts, state),
    );
    return 'recorded';
  }

  async replay(run: string): Promise<ReplayReport> {
    const { replayRun } = await import('./history/replay.ts');
    const entries = await this.#options.store.read(run);
    return replayRun({
      entries,
      values: this.#values,
      sha256: this.#options.sha256,
      clock: this.#options.clock,
      createInterpreter: async (facts, input) =>
        this.#withNote(await createInterpreter(this.#caches, facts, input), facts),
    });
  }

  async fork(run: string, request: ForkRequest & ResumeRequest): Promise<RunResult> {
    const { createFork } = await import('./history/create-fork.ts');
    const forked = await createFork(run, request, this.#options, this.#caches, this.#values);
    if (!('claim' in forked)) return forked;
    const { claim, entries, facts, input, answerer } = forked;
    return this.#drive(
      { claim, entries, state: foldRun(entries), facts, answerer },
      this.#drivingOf(request),
      () => createInterpreter(this.#caches, facts, input),
    );
  }

  async submitFork(run: string, request: ForkRequest): Promise<string | RunResult> {
    const { createFork } = await import('./history/create-fork.ts');
    const forked = await createFork(run, request, this.#options, this.#caches, this.#values);
    if (!('claim' in forked)) return forked;
    await this.#options.store.release(forked.claim);
    return forked.claim.run;
  }

  async inspect(run: string, request: InspectRequest = {}): Promise<RunView> {
    const { inspectRun } = await import('./history/inspect.ts');
    return inspectRun(await this.#options.store.read(run), {
      ...request,
      values: this.#values,
      read: (nested) => this.#readIfThere(nested),
      viewSteps: (state) => this.#recordedSteps(state),
    });
  }

  /** null: it is not a plan, or one of another version. */
  async #recordedSteps(state: RunState): Promise<readonly StepView[] | null> {
    const {
      skill: { form },
      profile,
    } = state.meta;
    return form === 'program' || profile !== profileOf(form)
      ? null
      : (await this.#caches.plans()).recordedSteps(state, this.#values);
  }

  async #start(request: StartRequest, driving: Driving): Promise<RunResult> {
    const { signal, within } = driving;
    const { defaults } = this.#options;
    const admission = await admitRun({ ...this.#options, ...this.#caches }, request, within?.outer ?? null);
    if (!admission.ok) return admission.result;
    if (signal?.reason instanceof DetachSignal) throw signal.reason;
    if (driving.drain?.aborted === true) throw new DetachSignal();
    if (signal?.aborted === true)
      return {
        ...failedToStart(admission.skill.name, 'CANCELLED', 'cancelled', defaults.resultUnits),
        status: 'cancelled',
      };
    const { answerer, input, files, program } = admission;
    const { claim, facts } = await this.#create(admission, driving);
    const { meta, limits } = facts;
    const result = await this.#drive(
      { claim, entries: [{ seq: 0, entry: meta }], state: startedState(meta), facts, answerer },
      driving,
      async () =>
        program === null
          ? (await this.#caches.plans()).startInterpreter(facts, input, files)
          : new ProgramInterpreter({ program, input, limits }),
    );
    // Keys may be told in prose alone: then the program is the first to miss them.
    const isMissed = program !== null && Object.keys(input).length === 0 && isProgramFailure(result);
    return isMissed ? withInstructions(result, admission.skill.instructions, limits.resultUnits) : result;
  }

  async #resume(run: string, wanted: string | null, driving: Driving): Promise<RunResult> {
    const { store } = this.#options;
    let claim: Claim;
    try {
      claim = await store.claim(run);
    } catch (error) {
      const state = await this.#stateOf(run);
      if (state === null || state.ended === null) throw error;
      return recordedResult(state, this.#values);
    }
    let owned: OwnedRun;
    try {
      const entries = await this.#read(claim);
      const state = foldRun(entries);
      const facts = readFacts(state.meta);
      await mustContinue(this.#options, facts, state);
      const answerer = recordedAnswerer(this.#options.answerers, facts, wanted);
      owned = { claim, entries, state, facts, answerer };
    } catch (error) {
      await store.release(claim).catch(() => {});
      throw error;
    }
    return this.#drive(owned, driving, () => this.#recorded(owned.facts, owned.state));
  }

  /** The nested runs of a run: its listeners get their events too. */
  #nestedIn({ onEvent, drain }: Driving): NestedRuns {
    return {
      run: async (call, outer) => {
        const { run, skill, input, signal } = call;
        const driving: Driving = { signal, drain, onEvent, within: { call, outer } };
        try {
          return await this.#resume(run, outer.answerer, driving);
        } catch (error) {
          if (!(error instanceof TechneError) || error.code !== 'RUN_UNKNOWN') throw error;
        }
        return this.#start({ skill, input, answerer: outer.answerer }, driving);
      },
      hasNews: (result) => this.#hasNews(result),
      abandon: async (run) => {
        if ((await this.#readIfThere(run)) !== null)
          await this.#cancel(run, 'its outer run has ended', 'techne', {
            signal: null,
            drain: null,
            onEvent,
            within: null,
          });
      },
    };
  }

  /** Whether someone has answered, decided or ended anything since this was the result of a nested run. */
  async #hasNews({ questions, undecided }: RunResult): Promise<boolean> {
    for (const { run, id } of questions)
      if ((await this.#stateOf(run))?.questions.get(id)?.answered !== null) return true;
    for (const { run, key } of undecided) {
      const effect = (await this.#stateOf(run))?.effects.get(key);
      if (effect === undefined || outcomeOf(effect) !== null || effect.decided !== null) return true;
    }
    return false;
  }

  /** Of a run that is not nested. */
  #drivingOf({
    signal = null,
    drain = null,
    onEvent: own,
  }: {
    readonly signal?: Abort | null;
    readonly drain?: Abort | null;
    readonly onEvent?: OnRunEvent;
  }): Driving {
    const { onEvent: all } = this.#options;
    const onEvent: OnRunEvent =
      own === undefined
        ? all
        : all === noListener
          ? own
          : (event) => {
              own(event);
              all(event);
            };
    return { signal, drain, onEvent, within: null };
  }

  async #create(
    { skill, files: pinned, input, limits, settings }: Extract<Admission, { ok: true }>,
    { within, onEvent }: Driving,
    given?: string,
  ): Promise<{ readonly claim: Claim; readonly facts: RunFacts }> {
    const { store, blobs, clock, ids } = this.#options;
    const files: { [path: string]: BlobDigest } = {};
    for (const [path, bytes] of pinned) files[path] = await blobs.put(bytes);
    const run = within?.call.run ?? given ?? ids.ulid();
    const parent = within === null ? null : { run: within.outer.run, key: within.call.key };
    const at = clock.nowMs();
    const facts = writeFacts(
      {
        at,
        run,
        skill: { name: skill.name, form: skill.form, digest: skill.digest },
        files,
        profile: profileOf(skill.form),
        input: await this.#values.store(input),
        parent,
      },
      limits,
      { ...settings, utcOffsetMinutes: clock.utcOffsetMinutes?.(at) ?? 0 },
    );
    const claim = await store.create(run, [facts.meta]);
    onEvent({
      type: 'run.started',
      run,
      at,
      skill: skill.name,
      parent: parent?.run ?? null,
      parentKey: parent?.key ?? null,
    });
    return { claim, facts };
  }

  async #drive(
    { claim, entries, state, facts, answerer }: OwnedRun,
    driving: Driving,
    openInterpreter: () => Promise<Interpreter>,
  ): Promise<RunResult> {
    const { signal, drain, within, onEvent } = driving;
    const { store, clock, ids, sha256, commands, tools, artifacts, notes, questionTtlMs } = this.#options;
    try {
      const opened = await openInterpreter();
      const watched =
        onEvent === noListener
          ? opened
          : watchSteps(opened, claim.run, facts.limits, () => clock.nowMs(), onEvent);
      const interpreter = await this.#withNote(watched, facts);
      const outer =
        within === null
          ? null
          : {
              budgets: within.outer.budgets,
              key: within.call.key,
              outermost: within.outer.outermost,
            };
      const drive = new RunEngine({
        store,
        values: this.#values,
        clock,
        ids,
        sha256,
        answerer,
        commands,
        tools,
        artifacts,
        notes,
        onEvent,
        claim,
        entries,
        state,
        facts,
        interpreter,
        signal,
        drain,
        questionTtlMs,
        nested: this.#nestedIn(driving),
        outer,
      });
      this.#active.add(claim.run);
      return await drive.drive();
    } catch (error) {
      // Any process may claim the run; the caller gets the original error.
      await store.release(claim).catch(() => {});
      throw faultOfRun(claim.run, error);
    } finally {
      this.#active.delete(claim.run);
    }
  }

  /** Most skills write no note: the code for it is loaded with the first that does. */
  async #withNote(interpreter: Interpreter, facts: RunFacts): Promise<Interpreter> {
    if (facts.settings.note === null || interpreter.inputs === undefined) return interpreter;
    const { NoteInterpreter } = await import('./note/note-interpreter.ts');
    return new NoteInterpreter(interpreter, facts, this.#options.filters);
  }

  /** A run that only has to end executes nothing, so it ends also when what it would execute is lost. */
  async #recorded(facts: RunFacts, { cancel }: RunState): Promise<Interpreter> {
    try {
      return await createInterpreter(this.#caches, facts, await this.#values.loadObject(facts.meta.input));
    } catch (error) {
      if (cancel === null || !(error instanceof TechneError)) throw error;
      return endedInterpreter;
    }
  }

  #send(run: string, message: InboxMessage): Promise<Delivery> {
    const { store, clock } = this.#options;
    return tellRun({ store, clock, values: this.#values }, run, [message]);
  }

  /** As the owner: everything up to the claim, and nothing else can have been added. */
  async #read({ run, seq }: Claim): Promise<readonly StoredEntry[]> {
    return (await this.#options.store.read(run)).slice(0, seq);
  }

  async #readIfThere(run: string): Promise<readonly StoredEntry[] | null> {
    return this.#options.store.read(run).catch((error: unknown) => {
      if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') return null;
      throw error;
    });
  }

  async #stateOf(run: string): Promise<RunState | null> {
    const entries = await this.#readIfThere(run);
    return entries === null ? null : foldRun(entries);
  }

  /** This run, or the nested one that asked. */
  async #askedBy(run: string, question: string): Promise<string> {
    const { questions } = await this.inspect(run);
    return questions.find(({ id }) => id === question)?.run ?? run;
  }
}

function messageOf({ question, nonce, value, from, through, name }: Answer): InboxMessage {
  return {
    kind: 'answer',
    question,
    nonce,
    value,
    from,
    ...(through === undefined ? {} : { through }),
    ...(name === undefined ? {} : { name }),
  };
}

/** A run that this process owns, with everything that is known about it. */
interface OwnedRun {
  readonly claim: Claim;
  readonly entries: readonly StoredEntry[];
  readonly state: RunState;
  readonly facts: RunFacts;
  readonly answerer: Answerer;
}

/** Who stops a run, who listens to it, and its outer run. */
interface Driving {
  readonly signal: Abort | null;
  readonly drain: Abort | null;
  readonly onEvent: OnRunEvent;
  readonly within: Within | null;
}

/** A nested run. */
interface Within {
  readonly call: NestedCall;
  readonly outer: OuterRun;
}

/** For a run that only has to end. */
const endedInterpreter: Interpreter = {
  advance: () => ({ kind: 'failed', code: 'CANCELLED', message: 'cancelled', detail: null }),
  deliver: () => undefined,
  steps: 0,
};

/** For a run that only has to end. */
const noAnswerer: Answerer = {
  name: 'none',
  description: 'answers nothing',
  fenced: true,
  answer: () => Promise.reject(new Error('nothing is asked of a run that ends')),
};

function faultOfRun(run: string, error: unknown): unknown {
  if (!(error instanceof TechneError)) return error;
  const { code, message, hint } = error;
  if (code === 'JOURNAL_FULL' || code === 'JOURNAL_WRITE') {
    return new TechneError(code, `run ${run} was stopped, and can be resumed: ${message}`, {
      hint: `${hint === null ? '' : `${hint}; `}techne runs resume ${run}`,
      cause: error,
    });
  }
  if (code === 'BLOB_MISSING' || code === 'BLOB_CORRUPT') {
    return new TechneError(code, `run ${run} cannot continue, since a part of it is lost: ${message}`, {
      hint: `techne runs show ${run}, techne runs cancel ${run}`,
      cause: error,
    });
  }
  return error;
}
