// Webhooks of a shared store: added, shown and stopped by operators; workers deliver.
import { createHash, randomBytes } from 'node:crypto';
import { TechneError } from '../../base/error.ts';
import { createNodeIds } from '../../node/environment.ts';
import type { Delivery, NewWebhook, Webhook } from '../../ports/webhooks.ts';
import { newWebhookSecret } from '../../worker/webhook/signature.ts';
import type { Serving } from '../serving.ts';
import { parseReceiver, parseServer } from './receiver.ts';

type WebhookServing = Pick<Serving, 'webhooks'>;

export type WebhookRequest = Omit<NewWebhook, 'secret'>;

const webhookName = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
export const overlapSeconds = { default: 86_400, most: 2_592_000 };

/** The secret is shown once. Throws USAGE for what no worker could deliver to. */
export async function addWebhook(
  { webhooks }: WebhookServing,
  request: WebhookRequest,
  allowHosts: readonly string[],
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const { name, url, server, events, statuses, audiences } = request;
  if (!webhookName.test(name))
    throw new TechneError('USAGE', `"${name.slice(0, 80)}" cannot be the name of a webhook`, {
      hint: 'letters, digits, ".", "_" and "-", such as team-chat',
    });
  parseReceiver(url, allowHosts);
  if (server !== null) parseServer(server);
  if (statuses.length > 0 && !events.includes('run.ended'))
    throw new TechneError('USAGE', 'statuses are those of run.ended, which this webhook is not told', {
      hint: 'add run.ended to its events, or leave the statuses out',
    });
  if ((audiences.length > 0 || request.include.includes('callback')) && !events.includes('question.opened'))
    throw new TechneError(
      'USAGE',
      'audiences and callback tokens are those of question.opened, which this webhook is not told',
      { hint: 'add question.opened to its events, or leave them out' },
    );
  const secret = newWebhookSecret();
  const webhook = await webhooks.add(createNodeIds().ulid(), { ...request, secret });
  return { webhook, secret };
}

/** Throws WEBHOOK_UNKNOWN. */
export async function findWebhook({ webhooks }: WebhookServing, name: string): Promise<Webhook> {
  const found = await webhooks.find(name);
  if (found === null)
    throw new TechneError('WEBHOOK_UNKNOWN', `there is no webhook "${name.slice(0, 80)}"`, {
      hint: '"techne webhook list" shows the webhooks there are',
    });
  return found;
}

/** Another secret, shown once. The one before is valid for so long: payloads have both signatures meanwhile. */
export async function rotateWebhook(
  { webhooks }: WebhookServing,
  { id }: Webhook,
  seconds: number,
): Promise<string> {
  const secret = newWebhookSecret();
  await webhooks.rotate(id, secret, seconds * 1000);
  return secret;
}

/** Queues a delivery that says nothing, as any other: workers make it. */
export async function testWebhook({ webhooks }: WebhookServing, { id, name }: Webhook): Promise<Delivery> {
  const delivery = deliveryId(id, randomBytes(16).toString('hex'));
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: { webhook: name },
  });
  await webhooks.enqueue([
    { id: delivery, webhook: id, type: 'webhook.test', run: null, question: null, body },
  ]);
  const made = await webhooks.delivery(delivery);
  if (made === null)
    return Promise.reject(new TechneError('WEBHOOK_UNKNOWN', `the webhook "${name}" was removed`));
  return made;
}

/** Tries again what is dead, or one of its deliveries. Throws USAGE for one that it does not have. */
export async function resendDeliveries(
  { webhooks }: WebhookServing,
  { id, name }: Webhook,
  delivery: string | null,
): Promise<number> {
  const count = await webhooks.resend(id, delivery);
  if (delivery !== null && count === 0)
    throw new TechneError('USAGE', `the webhook "${name}" has no delivery "${delivery.slice(0, 80)}"`, {
      hint: `techne webhook deliveries ${name}`,
    });
  return count;
}

/** The same webhook and subject have the same id, whoever makes it and however often. */
export function deliveryId(webhook: string, subject: string): string {
  return `msg_${createHash('sha256').update(`${webhook}\n${subject}`).digest('hex').slice(0, 32)}`;
}
