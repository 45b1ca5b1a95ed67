// Something that happened to a run -> the payloads of the webhooks that want to know.
//
// A payload has ids, states and links: small, and the same in every attempt. The text of a result or of a question is in it only for a
// webhook that asks for it, cut to a bound; nonces and inputs never. What happened since the event was stored is told by its own event.
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { NewDelivery, StoredEvent, TakenDelivery, Webhook } from '../../ports/webhooks.ts';
import type { QuestionView, RunView } from '../../run/history/inspect.ts';
import type { Runner } from '../../run/runner.ts';
import { callbackSeconds, isForm, makeCallback } from '../callbacks.ts';
import type { CallbackParts } from '../callbacks.ts';
import { deliveryId } from './webhooks.ts';

const maxText = 65_536;

interface Payload {
  readonly type: Webhook['events'][number];
  /** Besides the webhook, what names the delivery. */
  readonly subject: string;
  readonly data: JsonObject;
  readonly body: JsonObject;
  readonly question: QuestionView | null;
}

/** Nothing for a run that was removed meanwhile. */
export async function describeEvent(
  runner: Pick<Runner, 'inspect'>,
  heldOf: (run: string) => Promise<string | null>,
  event: StoredEvent,
  webhooks: readonly Webhook[],
): Promise<readonly NewDelivery[]> {
  let view: RunView;
  try {
    view = await runner.inspect(event.run);
  } catch (error) {
    if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') return [];
    throw error;
  }
  const payloads =
    event.kind === 'held'
      ? await heldPayload(view, heldOf, event)
      : [...endedPayload(view), ...questionPayloads(view)];
  const timestamp = new Date(event.at).toISOString();
  return payloads.flatMap((payload) =>
    webhooks
      .filter((webhook) => wants(webhook, view, payload))
      .map((webhook) => {
        const { type, subject, data, body, question } = payload;
        const hasToken = question !== null && isForm(question) && webhook.include.includes('callback');
        return {
          id: deliveryId(webhook.id, subject),
          webhook: webhook.id,
          type,
          run: view.run,
          question: hasToken ? question.id : null,
          body: JSON.stringify({
            type,
            timestamp,
            data: {
              run: view.run,
              skill: view.skill.name,
              ...data,
              ...(webhook.include.includes('body') ? body : {}),
              links: { run: linkTo(webhook.server, `/v1/runs/${view.run}`) },
            },
          }),
        };
      }),
  );
}

function wants(
  { events, statuses, audiences, skills }: Webhook,
  { skill }: RunView,
  { type, data, question }: Payload,
): boolean {
  return (
    events.includes(type) &&
    (skills.length === 0 || skills.includes(skill.name)) &&
    (type !== 'run.ended' || statuses.length === 0 || statuses.includes(data['status'] as string)) &&
    (question === null || audiences.length === 0 || audiences.includes(question.audience))
  );
}

function endedPayload({ run, endedAt, startedAt, status, error, text }: RunView): readonly Payload[] {
  if (endedAt === null) return [];
  return [
    {
      type: 'run.ended',
      subject: `run.ended ${run}`,
      data: { status, startedAt, endedAt, error: error === null ? null : { code: error.code } },
      body: { text: text === null ? null : text.slice(0, maxText) },
      question: null,
    },
  ];
}

async function heldPayload(
  { run, endedAt }: RunView,
  heldOf: (run: string) => Promise<string | null>,
  { id }: StoredEvent,
): Promise<readonly Payload[]> {
  const reason = endedAt === null ? await heldOf(run) : null;
  if (reason === null) return [];
  return [{ type: 'run.held', subject: `run.held ${run} ${id}`, data: { reason }, body: {}, question: null }];
}

function questionPayloads({ run, endedAt, questions }: RunView): readonly Payload[] {
  if (endedAt !== null) return [];
  return questions
    .filter(({ answer }) => answer === null)
    .map((asked) => {
      const { question, id, audience, expiresAt } = asked;
      const type = isJsonObject(question) ? question['type'] : null;
      const shown = JSON.stringify(question);
      return {
        type: 'question.opened',
        subject: `question.opened ${run} ${id}`,
        data: {
          question: {
            id,
            run: asked.run,
            audience,
            kind: typeof type === 'string' ? type : 'ask',
            expiresAt,
          },
        },
        body: { body: shown.length > maxText ? null : question },
        question: asked,
      };
    });
}

/** With a new token to answer the form with, where the webhook asks for one and the form still waits. */
export async function bodyWithToken(parts: CallbackParts, delivery: TakenDelivery): Promise<string> {
  const { run, question, body, server, webhookName, by } = delivery;
  if (run === null || question === null) return body;
  try {
    const { token, callback } = await makeCallback(parts, {
      run,
      question,
      name: webhookName,
      by,
      seconds: callbackSeconds.default,
      // An operator added the webhook, and an operator may answer everything.
      mustMayAnswer: () => undefined,
    });
    const payload = JSON.parse(body) as { readonly data: JsonObject };
    const made = { token, url: linkTo(server, `/v1/callbacks/${token}`), expiresAt: callback.expiresAt };
    return JSON.stringify({ ...payload, data: { ...payload.data, callback: made } });
  } catch (error) {
    // It was answered meanwhile, or the run ended: there is nothing left to answer.
    if (error instanceof TechneError && ['QUESTION_UNKNOWN', 'RUN_UNKNOWN'].includes(error.code)) return body;
    throw error;
  }
}

function linkTo(server: string | null, path: string): string {
  return server === null ? path : `${server.replace(/\/+$/, '')}${path}`;
}
