// InboxMessage <-> JSON text. The inbox is a folder that other processes write to, so what is in it is looked at.
import { isJsonObject, parseJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { InboxMessage } from './run-store.ts';

export function renderMessage(message: InboxMessage): string {
  return JSON.stringify(message);
}

/** `null` for text that is no message. */
export function parseMessage(text: string): InboxMessage | null {
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const { kind, question, nonce, value: given = null, from, reason, by, key, as } = value;
  if (kind === 'answer') {
    if (typeof question !== 'string' || typeof nonce !== 'string') return null;
    return from === 'caller' || from === 'person' || from === 'operator' ? { kind, question, nonce, value: given, from } : null;
  }
  if (kind === 'cancel') return typeof reason === 'string' && typeof by === 'string' ? { kind, reason, by } : null;
  if (kind !== 'decision' || typeof key !== 'string' || typeof by !== 'string') return null;
  return as === 'done' || as === 'retry' || as === 'fail' ? { kind, key, as, value: given, by } : null;
}
