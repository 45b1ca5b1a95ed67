// Callback tokens: with one of them, somebody outside answers one form of one run.
//
//   question -> token (shown once)     token + values -> the answer in the journal
//
// C1. A token is for a form; never for an approval, a decision, or an ask of a model.
// C2. It works once, until its time is over, while its question waits with the nonce that it was made for.
// C3. Whoever makes a token must be allowed to answer the question: it gives no one more than they have.
// C4. The secret half is compared by its hash, in constant time; after ten wrong ones the token is revoked. Where a token does
//     not work, the answer does not say why.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TechneError } from '../base/error.ts';
import { isJsonObject } from '../base/json.ts';
import type { JsonObject } from '../base/json.ts';
import type { Callback, Callbacks } from '../ports/callbacks.ts';
import { formOf, formSchema } from '../run/clarify/form.ts';
import type { QuestionView } from '../run/history/inspect.ts';
import type { Runner } from '../run/runner.ts';
import type { Delivery } from '../run/tell/tell-run.ts';

export interface CallbackParts {
  readonly callbacks: Callbacks;
  readonly runner: Pick<Runner, 'inspect' | 'answer'>;
}

export interface MadeCallback {
  readonly callback: Callback;
  /** It is not kept anywhere. */
  readonly token: string;
}

export interface CallbackRequest {
  /** The run that asked, or one that it is inside of. */
  readonly run: string;
  /** Default: the one form that waits. */
  readonly question: string | null;
  /** What the journal calls it. */
  readonly name: string;
  readonly by: string;
  readonly seconds: number;
  /** Throws where whoever asks may not answer it. */
  readonly mustMayAnswer: (question: QuestionView) => void;
}

export const callbackSeconds = { default: 604_800, most: 2_592_000 };
const idBytes = 8;
const secretBytes = 32;
const tokenPattern = /^tcb_([\da-f]{16})\.([\w-]{43})$/;

/** Throws QUESTION_UNKNOWN, ANSWER_REFUSED for what is not a form, USAGE. */
export async function makeCallback(
  { callbacks, runner }: CallbackParts,
  { run, question, name, by, seconds, mustMayAnswer }: CallbackRequest,
): Promise<MadeCallback> {
  const asked = await findForm(runner, run, question);
  mustMayAnswer(asked);
  // Typed on command lines, so it may not begin with a dash.
  const id = randomBytes(idBytes).toString('hex');
  const secret = randomBytes(secretBytes).toString('base64url');
  const callback = await callbacks.add({
    id,
    digest: digestOf(secret),
    run: asked.run,
    question: asked.id,
    nonce: asked.nonce,
    name,
    by,
    seconds,
  });
  return { callback, token: `tcb_${id}.${secret}` };
}

async function findForm(
  runner: CallbackParts['runner'],
  run: string,
  question: string | null,
): Promise<QuestionView> {
  const { questions, endedAt } = await runner.inspect(run);
  const open = endedAt === null ? questions.filter(({ answer }) => answer === null) : [];
  const forms = open.filter(isForm);
  const hint = '"techne runs show RUN" shows what a run waits for';
  if (question === null) {
    if (forms.length > 1)
      throw new TechneError('USAGE', `run ${run} waits for ${forms.length} forms: which one?`, {
        hint: `name one of them: ${forms.map(({ id }) => id).join(', ')}`,
      });
    const [only] = forms;
    if (only !== undefined) return only;
    if (open.length === 0)
      throw new TechneError('QUESTION_UNKNOWN', `run ${run} waits for no form`, { hint });
  }
  const found = question === null ? open[0] : open.find(({ id }) => id === question);
  if (found === undefined)
    throw new TechneError('QUESTION_UNKNOWN', `run ${run} has no open question ${question}`, { hint });
  if (!isForm(found))
    throw new TechneError(
      'ANSWER_REFUSED',
      `question ${found.id} is not a form, and callback tokens are for forms only`,
      { hint: 'whoever may answer it does that with a token of their own, or "techne answer"' },
    );
  return found;
}

export function isForm({ question }: Pick<QuestionView, 'question'>): boolean {
  return isJsonObject(question) && question['type'] === 'form';
}

export interface OpenForm {
  readonly callback: Callback;
  readonly asked: QuestionView;
  readonly skill: string;
}

/** What a token is for. Throws CALLBACK_UNKNOWN, for whatever reason. */
export async function openCallback({ callbacks, runner }: CallbackParts, token: string): Promise<OpenForm> {
  const [, id, secret] = tokenPattern.exec(token) ?? [];
  if (id === undefined || secret === undefined) throw unknown();
  const callback = await callbacks.find(id);
  if (callback === null) throw unknown();
  if (!timingSafeEqual(Buffer.from(callback.digest, 'hex'), Buffer.from(digestOf(secret), 'hex'))) {
    await callbacks.failed(id);
    throw unknown();
  }
  if (callback.state !== 'open') throw unknown();
  const view = await runner.inspect(callback.run).catch((error: unknown) => {
    if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') throw unknown();
    throw error;
  });
  const asked = view.questions.find((one) => one.id === callback.question);
  if (
    view.endedAt !== null ||
    asked === undefined ||
    asked.answer !== null ||
    asked.nonce !== callback.nonce ||
    !isForm(asked)
  ) {
    await callbacks.close(callback.run, callback.question, null);
    throw unknown();
  }
  return { callback, asked, skill: view.skill.name };
}

/** The form as JSON Schema, with what it says to whoever fills it in. */
export function describeForm({ asked, callback, skill }: OpenForm): {
  readonly skill: string;
  readonly intro: string;
  readonly schema: JsonObject;
  readonly expiresAt: number;
} {
  const form = formOf(asked.question as JsonObject);
  const expiresAt = Math.min(callback.expiresAt, asked.expiresAt ?? Number.POSITIVE_INFINITY);
  return { skill, intro: form.intro, schema: formSchema(form), expiresAt };
}

/** Throws CALLBACK_UNKNOWN, ANSWER_REFUSED with what is wrong with the values. */
export async function answerCallback(
  parts: CallbackParts,
  token: string,
  value: JsonObject,
): Promise<{ readonly run: string; readonly delivery: Delivery }> {
  const { callback, asked } = await openCallback(parts, token);
  const delivery = await parts.runner
    .answer(asked.run, {
      question: asked.id,
      nonce: callback.nonce,
      value,
      from: asked.audience,
      name: `callback token ${callback.name}/${callback.id}`,
    })
    .catch((error: unknown) => {
      if (!(error instanceof TechneError) || error.code !== 'ANSWER_REFUSED') throw error;
      throw new TechneError(error.code, error.message, {
        hint: 'the token is not used up: GET the same address shows the form, and another answer can be sent',
        cause: error,
      });
    });
  await parts.callbacks.close(callback.run, callback.question, callback.id);
  return { run: asked.run, delivery };
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function unknown(): TechneError {
  return new TechneError(
    'CALLBACK_UNKNOWN',
    'this callback token is unknown, used or expired, or its question is closed',
    {
      hint: 'it was used, it expired, or what it was for is over: ask for a new one',
    },
  );
}
