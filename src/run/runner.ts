// The door: starts, resumes, answers, decides, cancels, replays, forks and shows runs.
//
//   SkillSource + RunStore + Answerer + CommandHost -> Runner
//
// R1. Whether a skill may be executed is asked here, whatever tools were offered; the bytes that were judged are the
//     bytes that run, pinned before the first entry.
// R2. What could not even start is a result (`refused`, or `failed` for a program with errors) with `run: null`, and
//     nothing was spent. Requests about runs that cannot be honoured are thrown TechneErrors.
// R3. An answer, a decision or a cancel is an entry at once when nobody owns the run, and a message to the owner
//     otherwise; both after the same judgement.
import type { Abort } from '../base/abort.ts';
import { TechneError } from '../base/error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import type { Answerer } from '../host/ports/answerer.ts';
import type { BlobDigest, Blobs } from '../host/ports/blobs.ts';
import type { CommandHost } from '../host/ports/command-host.ts';
import type { DecodeUtf8, Sha256 } from '../host/ports/environment.ts';
import type { Ids } from '../host/ports/ids.ts';
import type { RunClock } from '../host/ports/run-clock.ts';
import type { SkillSource, SkillToRun } from '../host/ports/skill-source.ts';
import type { Audience, RunStarted } from '../journal/entry.ts';
import { foldRun } from '../journal/run-state.ts';
import type { Claim, InboxMessage, RunStore, StoredEntry } from '../journal/run-store.ts';
import { languageProfile } from '../starlark.ts';
import { noUsage } from './budgets.ts';
import { describeFaults } from './compile-program.ts';
import { createInterpreter, ProgramCache } from './create-interpreter.ts';
import { Drive } from './engine.ts';
import type { OnRunEvent } from './events.ts';
import { planFork } from './fork.ts';
import type { ForkRequest } from './fork.ts';
import { checkInput } from './input-check.ts';
import type { RunView } from './inspect.ts';
import { inspectRun } from './inspect.ts';
import type { RunLimits } from './limits.ts';
import { defaultLimits, maximumLimits } from './limits.ts';
import { mergeMessage } from './outside-entries.ts';
import type { ReplayReport } from './replay.ts';
import { replayRun } from './replay.ts';
import { limitsFromJson, resolveLimits } from './resolve-limits.ts';
import type { RunResult } from './result.ts';
import { recordedResult } from './run-result.ts';
import { settingsOf, settingsToJson } from './run-facts.ts';
import type { RunSettings } from './run-facts.ts';
import { failureText, refusalText } from './run-text.ts';
import { StoredValues } from './stored-values.ts';

export interface RunnerOptions {
  readonly store: RunStore;
  readonly blobs: Blobs;
  readonly skills: SkillSource;
  readonly commands: CommandHost;
  /** By their names; the first is used when nothing else is said. */
  readonly answerers: readonly Answerer[];
  readonly clock: RunClock;
  readonly ids: Ids;
  readonly sha256: Sha256;
  readonly decodeUtf8: DecodeUtf8;
  /** Default: `defaultLimits`. */
  readonly defaults?: RunLimits;
  /** What callers can raise limits to. Default: `maximumLimits`. */
  readonly maximum?: RunLimits;
  /** How long a question can be answered. Default: null, for ever. */
  readonly questionTtlMs?: number | null;
  /** Must not throw. Default: nobody listens. */
  readonly onEvent?: OnRunEvent;
}

export interface StartRequest {
  readonly skill: string;
  /** null is no input. */
  readonly input: Json;
  readonly limits?: Partial<RunLimits>;
  /** The name of an answerer. Default: the first. */
  readonly answerer?: string;
  /** Aborts: the run is cancelled. */
  readonly signal?: Abort;
  /** The run and effect this one is started from. */
  readonly parent?: { readonly run: string; readonly key: string };
}

export interface ResumeRequest {
  /** Instead of the one the run was started with. */
  readonly answerer?: string;
  readonly signal?: Abort;
}

export interface Answer {
  readonly question: string;
  readonly nonce: string;
  readonly value: Json;
  readonly from: Audience;
}

export interface Decision {
  readonly key: string;
  readonly as: 'done' | 'retry' | 'fail';
  readonly value: Json;
  readonly by: string;
}

/** `recorded`: it is in the journal, and `resume` goes on. `posted`: the owner of the run will take it. */
export type Delivery = 'recorded' | 'posted';

export interface Runner {
  start(request: StartRequest): Promise<RunResult>;
  /** Of a run that has ended it gives the result again. Throws RUN_UNKNOWN, RUN_OWNED, JOURNAL_CORRUPT, PROFILE_UNSUPPORTED … */
  resume(run: string, request?: ResumeRequest): Promise<RunResult>;
  /** Throws QUESTION_UNKNOWN, QUESTION_EXPIRED, ANSWER_REFUSED with the reason: then the question is still open. */
  answer(run: string, answer: Answer): Promise<Delivery>;
  /** Throws DECISION_UNKNOWN. */
  decide(run: string, decision: Decision): Promise<Delivery>;
  /** A run that nobody owns has ended when this resolves. */
  cancel(run: string, reason: string, by?: string): Promise<Delivery>;
  /** Lets a run of this process finish what is under way, then pauses it. */
  suspend(run: string): void;
  /** Performs nothing. */
  replay(run: string): Promise<ReplayReport>;
  /** A new run that begins with what the old one has done, up to `from`. */
  fork(run: string, request: ForkRequest & ResumeRequest): Promise<RunResult>;
  inspect(run: string): Promise<RunView>;
  /** Runs that this process drives now. */
  readonly active: readonly string[];
}

export function createRunner(options: RunnerOptions): Runner {
  return new SkillRunner(options);
}

class SkillRunner implements Runner {
  readonly #options: Required<RunnerOptions>;
  readonly #values: StoredValues;
  readonly #programs: ProgramCache;
  readonly #drives = new Map<string, Drive>();

  constructor(options: RunnerOptions) {
    this.#options = { defaults: defaultLimits, maximum: maximumLimits, questionTtlMs: null, onEvent: () => {}, ...options };
    this.#values = new StoredValues(options.blobs, options.decodeUtf8);
    this.#programs = new ProgramCache(options.blobs, options.decodeUtf8);
  }

  get active(): readonly string[] {
    return [...this.#drives.keys()];
  }

  async start(request: StartRequest): Promise<RunResult> {
    const { skills, sha256, decodeUtf8 } = this.#options;
    const skill = await skills.find(request.skill);
    const refuse = (code: string, message: string, hint: string | null = null): RunResult => this.#refused(request.skill, code, message, hint);
    if (skill === null) {
      const close = nearest(request.skill, skills.names());
      return refuse('SKILL_UNKNOWN', `unknown metaskill: '${request.skill}'`, close === null ? null : `did you mean '${close}'?`);
    }
    const bar = barOf(skill);
    if (bar !== null) return refuse(bar.code, bar.message, bar.hint);
    if (skill.form !== 'program' || skill.program === null) return refuse('EFFECT_UNSUPPORTED', `skills of the form "${skill.form}" cannot be run yet`);

    const bytes = skill.files.get(skill.program);
    if (bytes === undefined) return refuse('PROGRAM_INVALID', `the program "${skill.program}" of metaskill '${skill.name}' is missing`);
    const { text, valid } = decodeUtf8(bytes);
    if (!valid) return this.#failedToStart(skill.name, 'PROGRAM_INVALID', `syntax error: ${skill.program} is not UTF-8 text`);
    const compiled = this.#programs.compile(`sha256:${sha256(bytes)}`, text, skill.program);
    if (!compiled.ok) return this.#failedToStart(skill.name, 'PROGRAM_INVALID', `syntax error: ${describeFaults(compiled.diagnostics, text)}`);

    const checked = checkInput(skill, request.input);
    if (!checked.ok) {
      const isEmpty = request.input === null || (typeof request.input === 'object' && Object.keys(request.input).length === 0);
      return refuse(isEmpty ? 'INPUT_REQUIRED' : 'INPUT_INVALID', checked.message, checked.hint);
    }
    const parent = request.parent === undefined ? null : (this.#drives.get(request.parent.run) ?? null);
    const resolved = this.#limitsFor(request, parent);
    if (!resolved.ok) return refuse('LIMIT_INVALID', resolved.message);
    const depth = await this.#depthOf(request);
    if (depth > resolved.limits.depth) return refuse('RUN_DEPTH', `metaskill '${skill.name}' would be nested ${depth} deep, over ${resolved.limits.depth}`);
    const answerer = this.#answerer(request.answerer ?? null);
    if (answerer === null) return refuse('ANSWERER_UNKNOWN', this.#noAnswerer(request.answerer ?? ''));
    if (skill.allowedTools !== null && !answerer.fenced) {
      return refuse('UNFENCED', `metaskill '${skill.name}' fences nested agents to its allowed-tools, and the answerer "${answerer.name}" cannot be held to them`, 'run it with another answerer');
    }
    const signal = request.signal ?? parent?.signal ?? null;
    if (signal?.aborted === true) return { ...this.#failedToStart(skill.name, 'CANCELLED', 'cancelled'), status: 'cancelled' };

    const settings: RunSettings = {
      answerer: answerer.name, depth, program: skill.program, folder: skill.folder, trusted: isTrusted(skill), allowedTools: skill.allowedTools, model: skill.model,
      clamped: resolved.clamped, forkedFrom: null,
    };
    const { claim, entry } = await this.#create(skill, checked.input, resolved.limits, settings, request.parent ?? null);
    return this.#drive(claim, [{ seq: 0, entry }], answerer, signal);
  }

  async resume(run: string, request: ResumeRequest = {}): Promise<RunResult> {
    const { store } = this.#options;
    const before = foldRun(await store.read(run));
    if (before.ended !== null) return recordedResult(before, this.#values);
    this.#mustContinue(before.meta);
    const wanted = request.answerer ?? settingsOf(before.meta).answerer;
    const answerer = this.#answerer(wanted);
    if (answerer === null) throw new TechneError('ENVIRONMENT', this.#noAnswerer(wanted), { hint: 'resume it with another answerer' });
    const claim = await store.claim(run);
    const entries = await this.#read(claim);
    const { ended } = foldRun(entries);
    if (ended !== null) {
      await store.release(claim);
      return recordedResult(foldRun(entries), this.#values);
    }
    return this.#drive(claim, entries, answerer, request.signal ?? null);
  }

  answer(run: string, { question, nonce, value, from }: Answer): Promise<Delivery> {
    return this.#tell(run, { kind: 'answer', question, nonce, value, from });
  }

  decide(run: string, { key, as, value, by }: Decision): Promise<Delivery> {
    return this.#tell(run, { kind: 'decision', key, as, value, by });
  }

  async cancel(run: string, reason: string, by = 'caller'): Promise<Delivery> {
    const { store } = this.#options;
    const delivery = await this.#tell(run, { kind: 'cancel', reason, by });
    if (delivery === 'posted' || foldRun(await store.read(run)).ended !== null) return delivery;
    // Nobody owns it: whoever cancelled it writes its end.
    const claim = await store.claim(run);
    await this.#drive(claim, await this.#read(claim), noAnswerer, null);
    return 'recorded';
  }

  suspend(run: string): void {
    this.#drives.get(run)?.suspend();
  }

  async replay(run: string): Promise<ReplayReport> {
    const entries = await this.#options.store.read(run);
    return replayRun({ entries, values: this.#values, sha256: this.#options.sha256, clock: this.#options.clock, createInterpreter: (meta, input, limits) => createInterpreter(this.#programs, meta, input, limits) });
  }

  async fork(run: string, request: ForkRequest & ResumeRequest): Promise<RunResult> {
    const { store, blobs, sha256, clock, ids, maximum, defaults } = this.#options;
    const entries = await store.read(run);
    const { meta } = foldRun(entries);
    this.#mustContinue(meta);
    const answerer = this.#answerer(request.answerer ?? settingsOf(meta).answerer);
    if (answerer === null) throw new TechneError('ENVIRONMENT', this.#noAnswerer(request.answerer ?? settingsOf(meta).answerer));
    const name = ids.ulid();
    const plan = await planFork({ run, name, entries, request, values: this.#values, blobs, sha256, clock, programs: this.#programs, maximum, defaults, answerer: answerer.name });
    const claim = await store.create(name, plan);
    return this.#drive(claim, plan.map((entry, seq) => ({ seq, entry })), answerer, request.signal ?? null);
  }

  async inspect(run: string): Promise<RunView> {
    return inspectRun(await this.#options.store.read(run), this.#values);
  }

  async #create(skill: SkillToRun, input: JsonObject, limits: RunLimits, settings: RunSettings, parent: RunStarted['parent']): Promise<{ readonly claim: Claim; readonly entry: RunStarted }> {
    const { store, blobs, clock, ids, onEvent } = this.#options;
    const files: { [path: string]: BlobDigest } = {};
    for (const [path, bytes] of skill.files) files[path] = await blobs.put(bytes);
    const run = ids.ulid();
    const at = clock.nowMs();
    const entry: RunStarted = {
      type: 'run.started', at, run, skill: { name: skill.name, form: skill.form, digest: skill.digest }, files, profile: languageProfile, input: await this.#values.store(input),
      limits: { ...limits }, settings: settingsToJson(settings), parent,
    };
    const claim = await store.create(run, [entry]);
    onEvent({ type: 'run.started', run, at, skill: skill.name, parent: parent?.run ?? null });
    return { claim, entry };
  }

  async #drive(claim: Claim, entries: readonly StoredEntry[], answerer: Answerer, signal: Abort | null): Promise<RunResult> {
    const { store, clock, ids, sha256, commands, onEvent, questionTtlMs } = this.#options;
    const meta = (entries[0] as StoredEntry).entry as RunStarted;
    try {
      const limits = limitsFromJson(meta.limits);
      const interpreter = await createInterpreter(this.#programs, meta, await this.#values.loadObject(meta.input), limits);
      const drive = new Drive({ store, values: this.#values, clock, ids, sha256, answerer, commands, onEvent, claim, entries, interpreter, limits, signal, questionTtlMs });
      this.#drives.set(claim.run, drive);
      return await drive.drive();
    } catch (error) {
      // Others may take the run over; whatever went wrong is what the caller is told.
      await store.release(claim).catch(() => {});
      throw error;
    } finally {
      this.#drives.delete(claim.run);
    }
  }

  /** R3. */
  async #tell(run: string, message: InboxMessage): Promise<Delivery> {
    const { store, clock } = this.#options;
    const parts = { message, nowMs: clock.nowMs(), values: this.#values };
    // Judged first, so that whoever asks hears the reason whoever owns the run.
    const before = await mergeMessage({ ...parts, state: foldRun(await store.read(run)) });
    if (before.length === 0) return 'recorded';
    let claim: Claim;
    try {
      claim = await store.claim(run);
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'RUN_OWNED') throw error;
      await store.post(run, message);
      return 'posted';
    }
    try {
      const entries = await mergeMessage({ ...parts, state: foldRun(await this.#read(claim)) });
      if (entries.length > 0) await store.append(claim, claim.seq, entries);
    } finally {
      await store.release(claim);
    }
    return 'recorded';
  }

  /** As the owner: everything up to the claim, and nothing else can have been added. */
  async #read({ run, seq }: Claim): Promise<readonly StoredEntry[]> {
    return (await this.#options.store.read(run)).slice(0, seq);
  }

  #mustContinue({ profile, run }: RunStarted): void {
    if (profile !== languageProfile) throw new TechneError('PROFILE_UNSUPPORTED', `run ${run} was started with ${profile}, and this is ${languageProfile}`);
  }

  #limitsFor(request: StartRequest, parent: Drive | null): ReturnType<typeof resolveLimits> {
    const { defaults, maximum } = this.#options;
    const resolved = resolveLimits(request.limits ?? {}, defaults, maximum);
    if (!resolved.ok || parent === null) return resolved;
    const { tokens, costMicros, wallMs } = parent.left;
    const { limits } = resolved;
    return { ...resolved, limits: { ...limits, tokens: Math.min(limits.tokens, tokens), costMicros: Math.min(limits.costMicros, costMicros), wallMs: Math.min(limits.wallMs, wallMs) } };
  }

  async #depthOf({ parent }: StartRequest): Promise<number> {
    if (parent === undefined) return 0;
    const drive = this.#drives.get(parent.run);
    return 1 + (drive?.depth ?? settingsOf(foldRun(await this.#options.store.read(parent.run)).meta).depth);
  }

  #answerer(name: string | null): Answerer | null {
    const { answerers } = this.#options;
    return (name === null ? answerers[0] : answerers.find((one) => one.name === name)) ?? null;
  }

  #noAnswerer(name: string): string {
    const names = this.#options.answerers.map((one) => one.name);
    return name === '' ? 'there is no answerer' : `there is no answerer "${name}" (there are: ${names.join(', ') || 'none'})`;
  }

  #refused(skill: string, code: string, message: string, hint: string | null): RunResult {
    const text = refusalText(hint === null ? message : `${message}\n${hint}`, this.#options.defaults.resultUnits);
    return { ...nothingRun, status: 'refused', skill, text, error: { code, message, hint } };
  }

  #failedToStart(skill: string, code: string, message: string): RunResult {
    return { ...nothingRun, status: 'failed', skill, text: failureText(skill, message, null, this.#options.defaults.resultUnits), error: { code, message, hint: null } };
  }
}

/** For a run that only has to end. */
const noAnswerer: Answerer = {
  name: 'none',
  description: 'answers nothing',
  fenced: true,
  answer: () => Promise.reject(new Error('nothing is asked of a run that ends')),
};

const nothingRun = { run: null, envelope: null, questions: [], undecided: [], usage: { asks: 0, commands: 0, ...noUsage, steps: 0, wallMs: 0, clamped: [] } } as const;

/** Somebody or something vouches for the content; a skill may also be let through for other reasons, to run in a sandbox. */
function isTrusted({ runnable: { reasons } }: SkillToRun): boolean {
  return reasons.length === 0 || reasons.some(({ code }) => code.startsWith('TRUSTED_'));
}

/** Why a skill that was found cannot be run, in the words of S0 §9. */
function barOf({ name, form, runnable }: SkillToRun): { readonly code: string; readonly message: string; readonly hint: string | null } | null {
  if (form === 'instructions') return { code: 'NOT_A_METASKILL', message: `skill '${name}' is not a metaskill: it is instructions to read`, hint: null };
  if (runnable.ok) return null;
  const [first] = runnable.reasons;
  return { code: first?.code ?? 'NOT_TRUSTED', message: `metaskill '${name}' is not allowed: ${runnable.reasons.map(({ message }) => message).join('; ')}`, hint: first?.hint ?? null };
}
