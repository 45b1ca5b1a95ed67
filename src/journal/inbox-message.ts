// InboxMessage <-> JSON text, followed by its checksum on a line of its own.
//
// Other processes write to the inbox, so its files are checked: an answer that lost a character must not become another
// answer. The checksum protects against accidents; the owner of the run decides which messages it accepts.
import { encodeUtf8 } from '../base/utf8.ts';
import { TechneError } from '../base/error.ts';
import { isJsonObject, jsonText, parseJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { crc32 } from './frame.ts';
import type { InboxMessage } from '../ports/run-store.ts';

/** Of a message, with its checksum. */
export const maxMessageBytes = 1024 * 1024;

export function renderMessage(message: InboxMessage): string {
  return sealed(jsonText(message as unknown as Json));
}

/** Throws ANSWER_REFUSED for one that is too large for an inbox. */
export function messageText(message: InboxMessage): string {
  const text = renderMessage(message);
  const { length } = encodeUtf8(text);
  if (length > maxMessageBytes)
    throw new TechneError(
      'ANSWER_REFUSED',
      `a message of ${length} bytes is over the limit of ${maxMessageBytes} for a run that a process drives`,
      { hint: 'give less, or wait until it pauses' },
    );
  return text;
}

export function sealed(json: string): string {
  const bytes = encodeUtf8(json);
  return `${json}\n${crc32(0, bytes, 0, bytes.length).toString(16).padStart(8, '0')}\n`;
}

/** `null` for text that is not a message. */
export function parseMessage(text: string): InboxMessage | null {
  const json = text.slice(0, Math.max(0, text.lastIndexOf('\n', text.length - 2)));
  if (text !== sealed(json)) return null;
  let value: Json;
  try {
    value = parseJson(json);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const { kind, question, nonce, value: given = null, from, through, name, reason, by, key, as } = value;
  if (kind === 'answer') {
    if (
      typeof question !== 'string' ||
      typeof nonce !== 'string' ||
      (through !== undefined && through !== 'caller' && through !== 'client') ||
      (name !== undefined && typeof name !== 'string')
    )
      return null;
    return from === 'caller' || from === 'person' || from === 'operator'
      ? {
          kind,
          question,
          nonce,
          value: given,
          from,
          ...(through === undefined ? {} : { through }),
          ...(name === undefined ? {} : { name }),
        }
      : null;
  }
  if (kind === 'cancel')
    return typeof reason === 'string' && typeof by === 'string' ? { kind, reason, by } : null;
  if (kind !== 'decision' || typeof key !== 'string' || typeof by !== 'string') return null;
  return as === 'done' || as === 'retry' || as === 'fail' ? { kind, key, as, value: given, by } : null;
}
