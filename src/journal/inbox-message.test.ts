import { describe, expect, it } from 'vitest';
import { parseMessage, renderMessage, sealed } from './inbox-message.ts';
import type { InboxMessage } from '../ports/run-store.ts';

const messages: readonly InboxMessage[] = [
  { kind: 'answer', question: 'q', nonce: 'n', value: { a: [1] }, from: 'caller' },
  { kind: 'answer', question: 'q', nonce: 'n', value: null, from: 'person', through: 'client' },
  { kind: 'cancel', reason: 'r', by: 'b' },
  { kind: 'decision', key: '3/1', as: 'retry', value: null, by: 'b' },
];

describe('parseMessage', () => {
  it('gives back what was rendered', () => {
    for (const message of messages) expect(parseMessage(renderMessage(message))).toEqual(message);
  });

  it('refuses what was damaged or cut anywhere', () => {
    const text = renderMessage({
      kind: 'answer',
      question: 'q',
      nonce: 'n',
      value: 'deny the é',
      from: 'operator',
    });
    for (let at = 0; at < text.length; at += 1)
      expect([
        at,
        parseMessage(text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)),
        parseMessage(text.slice(0, at)),
      ]).toEqual([at, null, null]);
    expect(parseMessage(JSON.stringify(messages[2]))).toBe(null);
  });

  it('refuses what is not a message, and keeps nothing that does not belong', () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"kind":"stop"}',
      '{"kind":"cancel","by":"b"}',
      '{"kind":"answer","question":"q","nonce":"n","from":"root"}',
      '{"kind":"answer","question":"q","nonce":"n","from":"person","through":"me"}',
      '{"kind":"decision","key":"1","as":"maybe","by":"b"}',
      '{"kind":"toString"}',
    ]) {
      expect([text, parseMessage(sealed(text))]).toEqual([text, null]);
    }
    expect(
      parseMessage(sealed('{"kind":"cancel","reason":"r","by":"b","__proto__":{"x":1},"more":2}')),
    ).toEqual({ kind: 'cancel', reason: 'r', by: 'b' });
  });
});
