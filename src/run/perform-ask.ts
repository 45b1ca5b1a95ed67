// An `ask`, `chat` or `classify` -> the answerer -> the dict that the program gets (S0 §7).
//
// N1. Each part (a model turn, a tool, a command) is a child effect with its own entries: on resume the ask is entered
//     again, and its parts answer from the journal. A part whose outcome is unknown, and that may not be repeated,
//     stops the ask until a person has decided; whatever the answerer makes of that error does not count.
// N2. A structured answer that does not fit is asked for again, with what is wrong, at most twice.
// N3. An answerer that answers later leaves a question; what is answered is taken in the order of the questions.
import type { Json, JsonObject } from '../base/json.ts';
import type { AskContext, AskOutcome, AskRequest, Usage } from '../host/ports/answerer.ts';
import { AnswerLater } from '../host/ports/answerer.ts';
import type { Audience } from '../journal/entry.ts';
import { AbortSource } from './abort-source.ts';
import { noUsage, usageFromJson } from './budgets.ts';
import { cutText } from './cut-text.ts';
import type { EffectOutcome } from './effect.ts';
import type { Attempted, EffectDesk, Performed } from './effect-desk.ts';
import { failureOf } from './effect-entries.ts';
import { mustBeSame, Nondeterminism, Stopping } from './effect-desk.ts';
import { answerText, askQuestion } from './questions.ts';
import { readChoice, readStructured, retryPrompt, structuredPrompt } from './read-answer.ts';
import { requestHash } from './request-hash.ts';

const maxRetries = 2;

export async function performAsk(desk: EffectDesk, effect: Attempted): Promise<Performed> {
  const session = new AskSession(desk, effect);
  try {
    return await session.perform();
  } finally {
    session.close();
  }
}

/** A part of an ask that failed; also when it is answered from the journal. */
export class ChildFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ChildFailed';
    this.code = code;
  }
}

/** What ended the ask, however the answerer takes it. */
type Stopped = 'undecided' | { readonly code: string; readonly message: string } | Nondeterminism;

class AskSession {
  readonly #desk: EffectDesk;
  readonly #effect: Attempted;
  readonly #abort: AbortSource;
  /** Parts so far, and those under way. */
  #children = 0;
  readonly #underWay = new Set<Promise<unknown>>();
  #turns = 0;
  #questions = 0;
  #retries = 0;
  #ownUsage: Usage = noUsage;
  #childUsage: Usage = noUsage;
  #stopped: Stopped | null = null;

  constructor(desk: EffectDesk, effect: Attempted) {
    this.#desk = desk;
    this.#effect = effect;
    this.#abort = new AbortSource(desk.signal);
  }

  close(): void {
    this.#abort.close();
  }

  async perform(): Promise<Performed> {
    if (this.#desk.known(this.#effect.key) === null) await this.#desk.begin(this.#effect, 1);
    const startedMs = this.#desk.monotonicMs();
    let outcome: EffectOutcome | 'waiting';
    try {
      outcome = await this.#answerInTries();
    } catch (error) {
      if (!(error instanceof ChildFailed)) throw error;
      outcome = { ok: false, code: error.code, message: error.message };
    }
    return outcome === 'waiting' ? 'waiting' : { outcome, ms: this.#since(startedMs), usage: this.#beyondChildren() };
  }

  async #answerInTries(): Promise<EffectOutcome | 'waiting'> {
    const asked = this.#requestOf(this.#effect.request);
    if (asked.tools !== null && !this.#desk.answerer.fenced) return { ok: false, code: 'UNFENCED', message: `ask failed: the answerer "${this.#desk.answerer.name}" cannot be held to the tools ${JSON.stringify(asked.tools)}` };
    let prompt = asked.schema === null ? asked.prompt : structuredPrompt(asked.prompt, asked.schema);
    let fault: string | null = null;
    for (;;) {
      const answered = await this.#answer({ ...asked, prompt, maxTurns: Math.max(1, this.#turnsAllowed - this.#turns) }, fault);
      if (answered === 'waiting') return 'waiting';
      this.#ownUsage = plus(this.#ownUsage, answered.usage);
      const read = this.#read(answered.answer, asked);
      if (read.ok) return { ok: true, value: this.#valueOf(answered, asked, read.value) };
      fault = read.faults.join('; ');
      if (this.#retries === maxRetries) return { ok: false, code: 'ANSWER_INVALID', message: `ask failed: no usable answer in ${maxRetries + 1} tries: ${fault}` };
      this.#retries += 1;
      prompt = retryPrompt(prompt, cutText(answered.answer, this.#desk.limits.answerUnits).text, read.faults);
    }
  }

  /** Each retry may take one turn at least. */
  get #turnsAllowed(): number {
    return (this.#effect.request['max_turns'] as number) + this.#retries;
  }

  #read(answer: string, { schema, choices }: AskRequest): ReturnType<typeof readStructured> {
    if (choices !== null) return readChoice(answer, choices);
    if (schema === null) return { ok: true, value: null };
    const { answerUnits } = this.#desk.limits;
    return answer.length > answerUnits ? { ok: false, faults: [`the answer has ${answer.length} characters, over ${answerUnits}`] } : readStructured(answer, schema);
  }

  #valueOf({ answer, exhausted, turns }: AskOutcome, { schema, choices }: AskRequest, value: Json): JsonObject {
    const { text, truncated } = cutText(choices === null ? answer : (value as string), this.#desk.limits.answerUnits);
    return { answer: text, exhausted, turns: Math.max(turns, this.#turns), truncated, ...(schema === null ? {} : { value }) };
  }

  #requestOf(request: JsonObject): AskRequest {
    const { purpose = null, schema = null, choices = null, model = this.#desk.model, tools = null } = request;
    return {
      kind: this.#effect.kind as AskRequest['kind'],
      prompt: request['prompt'] as string,
      purpose: purpose as string | null,
      maxTurns: request['max_turns'] as number,
      choices: choices as readonly string[] | null,
      schema,
      model: model as string | null,
      tools: fence(tools as readonly string[] | null, this.#desk.allowedTools),
    };
  }

  async #answer(request: AskRequest, fault: string | null): Promise<AskOutcome | 'waiting'> {
    const { key } = this.#effect;
    const question = this.#desk.questionsOf(key)[this.#questions];
    if (question !== undefined) {
      if (question.answered === null) return 'waiting';
      this.#questions += 1;
      return { answer: answerText(question.value), exhausted: false, turns: 1, usage: noUsage };
    }
    let outcome: AskOutcome | null = null;
    try {
      outcome = await this.#desk.answerer.answer(request, this.#context());
      await this.#settle();
    } catch (error) {
      await this.#settle();
      if (this.#stopped === null && error instanceof AnswerLater) return this.#leaveQuestion(request, error.audience, fault);
      if (this.#stopped === null) throw asFailure(error, this.#desk.signal.aborted);
    }
    if (this.#stopped === 'undecided') return 'waiting';
    if (this.#stopped instanceof Nondeterminism) throw this.#stopped;
    if (this.#stopped !== null) throw new ChildFailed(this.#stopped.code, this.#stopped.message);
    if (outcome === null || typeof outcome.answer !== 'string') throw new ChildFailed('ASK_FAILED', 'ask failed: the answerer gave no text');
    // What an answerer says is not taken on trust.
    return { answer: outcome.answer, exhausted: outcome.exhausted, turns: Math.max(0, Math.floor(outcome.turns) || 0), usage: usageFromJson({ ...outcome.usage }) };
  }

  async #leaveQuestion(request: AskRequest, audience: Audience, fault: string | null): Promise<'waiting'> {
    await this.#desk.putQuestion(this.#effect.key, audience, askQuestion(request, audience, fault));
    return 'waiting';
  }

  /** An answerer that went away left something behind: it is waited for, so that nothing lands later. */
  async #settle(): Promise<void> {
    if (this.#underWay.size === 0) return;
    // Those beside one whose outcome is unknown may finish: their ends are worth having.
    if (this.#stopped !== 'undecided') this.#abort.abort(new Stopping());
    await Promise.allSettled(this.#underWay);
  }

  #context(): AskContext {
    return {
      signal: this.#abort.signal,
      run: this.#desk.run,
      key: this.#effect.key,
      child: (kind, request, repeatable, perform) => {
        const work = this.#child(kind, request, repeatable, perform);
        this.#underWay.add(work);
        const forget = (): boolean => this.#underWay.delete(work);
        work.then(forget, forget);
        return work;
      },
      onText: (text) => this.#desk.onText(this.#effect.key, text),
    };
  }

  async #child(kind: 'turn' | 'tool' | 'command', request: JsonObject, repeatable: boolean, perform: () => Promise<{ value: Json; usage?: Usage }>): Promise<Json> {
    this.#children += 1;
    const desk = this.#desk;
    const child: Attempted = {
      key: `${this.#effect.key}/${this.#children}`,
      kind,
      hash: requestHash(desk.sha256, kind, request),
      request,
      repeatable: repeatable || this.#effect.repeatable,
    };
    if (kind === 'turn') this.#turns += 1;
    if (this.#stopped !== null) throw new Stopping();
    const known = desk.known(child.key);
    if (known !== null) {
      this.#sameAsBefore(known, child);
      const recorded = known.ended ?? (known.decided === null || known.decided.as === 'retry' ? null : known.decided);
      if (recorded !== null) return this.#recall(recorded.type === 'effect.ended' ? recorded.ok : recorded.as === 'done', await desk.load(recorded.result ?? { value: null }), known.ended?.usage ?? null);
      if (known.decided === null && !child.repeatable && !known.started.repeatable) {
        desk.setUndecided(child);
        return this.#stop('undecided');
      }
    }
    if (desk.signal.aborted) throw new Stopping();
    const refusal = kind === 'turn' ? this.#refuseTurn() : null;
    if (refusal !== null) return this.#stop(refusal);
    await desk.begin(child, (known?.started.attempt ?? 0) + 1);
    const startedMs = desk.monotonicMs();
    let done: { value: Json; usage?: Usage };
    try {
      done = await perform();
    } catch (error) {
      const { code, message } = asFailure(error, desk.signal.aborted);
      await desk.end(child.key, kind, { outcome: { ok: false, code, message }, ms: this.#since(startedMs), usage: noUsage });
      throw error;
    }
    const usage = usageFromJson({ ...(done.usage ?? noUsage) });
    this.#childUsage = plus(this.#childUsage, usage);
    await desk.end(child.key, kind, { outcome: { ok: true, value: done.value }, ms: this.#since(startedMs), usage });
    return done.value;
  }

  #refuseTurn(): { readonly code: string; readonly message: string } | null {
    const allowed = this.#turnsAllowed;
    if (this.#turns > allowed) return { code: 'TURN_LIMIT', message: `ask failed: the answerer took more than ${allowed} turns` };
    return this.#desk.budgets.refuseTurn();
  }

  #sameAsBefore(known: Parameters<typeof mustBeSame>[0], child: Attempted): void {
    try {
      mustBeSame(known, child);
    } catch (error) {
      if (error instanceof Nondeterminism) this.#stop(error);
      throw error;
    }
  }

  #recall(ok: boolean, result: Json, usage: JsonObject | null): Json {
    if (usage !== null) this.#childUsage = plus(this.#childUsage, usageFromJson(usage));
    if (ok) return result;
    const { code, message } = failureOf(result);
    throw new ChildFailed(code, message);
  }

  #stop(why: Stopped): never {
    this.#stopped ??= why;
    if (why !== 'undecided') this.#abort.abort(new Stopping());
    throw why instanceof Error ? why : new Stopping();
  }

  #since(startedMs: number): number {
    return Math.max(0, Math.round(this.#desk.monotonicMs() - startedMs));
  }

  /** What an answerer says it used includes what its parts said already. */
  #beyondChildren(): Usage {
    const { inputTokens, outputTokens, costMicros } = this.#childUsage;
    return {
      inputTokens: Math.max(0, this.#ownUsage.inputTokens - inputTokens),
      outputTokens: Math.max(0, this.#ownUsage.outputTokens - outputTokens),
      costMicros: Math.max(0, this.#ownUsage.costMicros - costMicros),
    };
  }
}

/** What the program asks for cannot widen what the skill is fenced to. */
function fence(asked: readonly string[] | null, allowed: readonly string[] | null): readonly string[] | null {
  if (allowed === null) return asked;
  return asked === null ? allowed : asked.filter((tool) => allowed.includes(tool));
}

function plus(a: Usage, b: Usage): Usage {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens, costMicros: a.costMicros + b.costMicros };
}

/** An error of an answerer or of one of its parts, as the journal keeps it. */
function asFailure(error: unknown, aborted: boolean): ChildFailed {
  if (error instanceof ChildFailed) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ChildFailed(aborted ? 'CANCELLED' : 'ASK_FAILED', aborted ? 'stopped' : `ask failed: ${message}`);
}
