// A payload -> the headers that prove where it comes from (Standard Webhooks, symmetric signatures).
//
//   webhook-signature = "v1," base64(HMAC-SHA256(key, id "." seconds "." body)), one for each valid secret
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

export function newWebhookSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
}

export interface SignedHeaders {
  readonly [name: string]: string;
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

export function signPayload(
  { id, body, secrets }: { readonly id: string; readonly body: string; readonly secrets: readonly string[] },
  nowMs: number,
): SignedHeaders {
  const seconds = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}
