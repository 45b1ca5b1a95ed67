// An `ask`, `chat` or `classify` -> the answerer -> the dict that the program gets (S0 §7).
//
// The answerer works in parts (ask-parts.ts); a part that stops ends the ask or makes it wait. A structured answer
// that does not fit is asked for again with the reasons, at most twice. An answerer that answers later leaves a
// question; the answers are taken in the order of the questions.
import type { Json, JsonObject } from '../../base/json.ts';
import type { AskOutcome, AskRequest, Usage } from '../../ports/answerer.ts';
import { AnswerLater } from '../../ports/answerer.ts';
import type { Audience } from '../../journal/entry.ts';
import { toolsWithin } from '../../skill/tools/tool-scope.ts';
import { asFailure, AskParts, PartFailed } from './ask-parts.ts';
import { noUsage, addUsage, usageFromJson } from '../budget/budgets.ts';
import { ceilingFault } from './capability-ceiling.ts';
import { cutText } from '../../base/cut-text.ts';
import type { EffectOutcome } from './effect.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { failAtOnce } from './effect-context.ts';
import { answerText, askQuestion } from '../question/question.ts';
import { readChoice, readStructured, retryPrompt, structuredPrompt } from './read-answer.ts';

const maxRetries = 2;

export async function performAsk(context: EffectContext, effect: Attempted): Promise<Performed> {
  if (context.hasExpired(effect.key))
    return failAtOnce(context, effect, 'QUESTION_EXPIRED', 'the question was not answered in time');
  const session = new AskSession(context, effect);
  try {
    return await session.perform();
  } finally {
    session.close();
  }
}

class AskSession {
  readonly #context: EffectContext;
  readonly #effect: Attempted;
  readonly #asked: AskRequest;
  readonly #parts: AskParts;
  #questions = 0;
  #retries = 0;
  #usage: Usage = noUsage;

  constructor(context: EffectContext, effect: Attempted) {
    this.#context = context;
    this.#effect = effect;
    this.#asked = requestOf(effect, context);
    this.#parts = new AskParts(context, effect, this.#asked.tools, this.#asked.maxTurns);
  }

  close(): void {
    this.#parts.close();
  }

  async perform(): Promise<Performed> {
    if (this.#context.known(this.#effect.key) === null) await this.#context.begin(this.#effect, 1);
    const startedMs = this.#context.monotonicMs();
    let outcome: EffectOutcome | 'waiting';
    try {
      outcome = await this.#answerInTries();
    } catch (error) {
      if (!(error instanceof PartFailed)) throw error;
      outcome = { ok: false, code: error.code, message: error.message };
    }
    return outcome === 'waiting'
      ? 'waiting'
      : {
          outcome,
          ms: Math.max(0, Math.round(this.#context.monotonicMs() - startedMs)),
          usage: this.#beyondParts(),
        };
  }

  async #answerInTries(): Promise<EffectOutcome | 'waiting'> {
    const asked = this.#asked;
    if (this.#isHeld(asked) && !this.#context.answerer.fenced)
      return {
        ok: false,
        code: 'UNFENCED',
        message: `ask failed: the answerer "${this.#context.answerer.name}" cannot be held to ${asked.tools === null ? 'what is disallowed' : `the tools ${JSON.stringify(asked.tools)}`}`,
      };
    const fault = this.#ceilingFault();
    if (fault !== null)
      return {
        ok: false,
        code: 'UNFENCED',
        message: `ask failed: the answerer "${this.#context.answerer.name}" cannot be held to the declared capabilities: ${fault}`,
      };
    return this.#tryToAnswer(asked);
  }

  /** A chat and a choice are text that is asked for, without tools. */
  #isHeld({ kind, tools }: AskRequest): boolean {
    const isLimited = tools !== null || this.#context.scopes.length > 0;
    return kind === 'ask' && (isLimited || this.#effect.request['disallowed_tools'] !== undefined);
  }

  /** A chat and a choice are text that is asked for; an agent acts. */
  #ceilingFault(): string | null {
    const { answerer, ceilings } = this.#context;
    return answerer.fenced || this.#effect.kind !== 'ask'
      ? null
      : ceilingFault(ceilings, 'ask', this.#effect.request, false);
  }

  async #tryToAnswer(asked: AskRequest): Promise<EffectOutcome | 'waiting'> {
    let prompt = asked.schema === null ? asked.prompt : structuredPrompt(asked.prompt, asked.schema);
    let fault: string | null = null;
    for (;;) {
      // Each retry may take one turn at least.
      this.#parts.turnsAllowed = asked.maxTurns + this.#retries;
      const maxTurns = Math.max(1, this.#parts.turnsAllowed - this.#parts.turns);
      const isAsAsked = prompt === asked.prompt && maxTurns === asked.maxTurns;
      const answered = await this.#answer(isAsAsked ? asked : { ...asked, prompt, maxTurns }, fault);
      if (answered === 'waiting') return 'waiting';
      this.#usage = addUsage(this.#usage, answered.usage);
      const read = this.#read(answered.answer, asked);
      if (read.ok) return { ok: true, value: this.#valueOf(answered, asked, read.value) };
      fault = read.faults.join('; ');
      if (this.#retries === maxRetries)
        return {
          ok: false,
          code: 'ANSWER_INVALID',
          message: `ask failed: no usable answer in ${maxRetries + 1} tries: ${fault}`,
        };
      this.#retries += 1;
      prompt = retryPrompt(
        prompt,
        cutText(answered.answer, this.#context.limits.answerUnits).text,
        read.faults,
      );
    }
  }

  #read(answer: string, { schema, choices }: AskRequest): ReturnType<typeof readStructured> {
    if (choices !== null) return readChoice(answer, choices);
    if (schema === null) return { ok: true, value: null };
    const { answerUnits } = this.#context.limits;
    return answer.length > answerUnits
      ? { ok: false, faults: [`the answer has ${answer.length} characters, over ${answerUnits}`] }
      : readStructured(answer, schema);
  }

  #valueOf(
    { answer, exhausted, turns }: AskOutcome,
    { schema, choices }: AskRequest,
    value: Json,
  ): JsonObject {
    const { text, truncated } = cutText(
      choices === null ? answer : (value as string),
      this.#context.limits.answerUnits,
    );
    const answered: { [key: string]: Json } = {
      answer: text,
      exhausted,
      turns: Math.max(turns, this.#parts.turns),
      truncated,
    };
    if (schema !== null) answered['value'] = value;
    return answered;
  }

  async #answer(request: AskRequest, fault: string | null): Promise<AskOutcome | 'waiting'> {
    const { key } = this.#effect;
    const question = this.#context.questionsOf(key)[this.#questions];
    if (question !== undefined) {
      if (question.answered === null) return 'waiting';
      this.#questions += 1;
      return { answer: answerText(question.value), exhausted: false, turns: 1, usage: noUsage };
    }
    const parts = this.#parts;
    let outcome: AskOutcome | null = null;
    try {
      outcome = await this.#context.answerer.answer(request, parts.context(this.#retries));
      await parts.settle();
    } catch (error) {
      await parts.settle();
      if (parts.stopped === null && error instanceof AnswerLater)
        return this.#leaveQuestion(request, error.audience, fault);
      if (parts.stopped === null) throw asAskFailure(asFailure(error, this.#context.signal.aborted));
    }
    const { stopped } = parts;
    if (stopped === 'waiting') return 'waiting';
    if (stopped instanceof Error) throw stopped;
    if (stopped !== null) throw new PartFailed(stopped.code, stopped.message);
    if (outcome === null || typeof outcome.answer !== 'string')
      throw new PartFailed('ASK_FAILED', 'ask failed: the answerer gave no text');
    // The answer is untrusted.
    return {
      answer: outcome.answer,
      exhausted: (outcome.exhausted as unknown) === true,
      turns: Number.isFinite(outcome.turns) ? Math.max(0, Math.floor(outcome.turns)) : 0,
      usage: usageFromJson(outcome.usage),
    };
  }

  async #leaveQuestion(request: AskRequest, audience: Audience, fault: string | null): Promise<'waiting'> {
    await this.#context.putQuestion(this.#effect.key, audience, askQuestion(request, audience, fault));
    return 'waiting';
  }

  /** The usage that an answerer reports includes that of its parts, which is recorded already. */
  #beyondParts(): Usage {
    const { inputTokens, outputTokens, costMicros } = this.#parts.usage;
    return {
      inputTokens: Math.max(0, this.#usage.inputTokens - inputTokens),
      outputTokens: Math.max(0, this.#usage.outputTokens - outputTokens),
      costMicros: Math.max(0, this.#usage.costMicros - costMicros),
    };
  }
}

function requestOf({ kind, request }: Attempted, context: EffectContext): AskRequest {
  const { purpose = null, schema = null, choices = null, model = context.model, tools = null } = request;
  return {
    kind: kind as AskRequest['kind'],
    // The instructions come before the task.
    prompt:
      typeof request['system'] === 'string'
        ? `${request['system']}\n\n${request['prompt'] as string}`
        : (request['prompt'] as string),
    purpose: purpose as string | null,
    maxTurns: request['max_turns'] as number,
    choices: choices as readonly string[] | null,
    schema,
    model: model as string | null,
    tools: toolsWithin(tools as readonly string[] | null, context.scopes),
  };
}

/** As the program gets it. */
function asAskFailure({ code, message }: PartFailed): PartFailed {
  return new PartFailed(code, code === 'ASK_FAILED' ? `ask failed: ${message}` : message);
}
