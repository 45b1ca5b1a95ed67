import { describe, expect, it } from 'vitest';
import { promptText } from './prompt-text.ts';

const text = (value: string) => ({ type: 'text', text: value }) as const;

describe('promptText', () => {
  it('keeps a command at the beginning', () => {
    expect(
      promptText([text('/greet the '), { type: 'resource_link', name: 'x', uri: 'file:///a%20b.md#L3' }]),
    ).toBe('/greet the  /a b.md#L3');
  });

  it('puts an embedded text into a block that it cannot end', () => {
    expect(
      promptText([text('See'), { type: 'resource', resource: { uri: 'zed://x', text: '```\nhi' } }]),
    ).toBe('See\n\nzed://x:\n````\n```\nhi\n````');
  });

  it('keeps an address that cannot be decoded', () => {
    expect(promptText([{ type: 'resource_link', name: 'x', uri: 'file:///%E0%A4%A' }])).toBe(
      'file:///%E0%A4%A',
    );
    expect(promptText([{ type: 'resource_link', name: 'x', uri: 'not an address' }])).toBe('not an address');
  });

  it.each([
    [[], 'the message is empty'],
    [[text(' \n')], 'the message is empty'],
    [[text('x'.repeat(4_000_001))], 'the message has more than 4000000 characters'],
    [
      [{ type: 'audio', data: '', mimeType: 'audio/wav' } as const],
      'a message holds text and files, not "audio"',
    ],
    [[{ type: 'resource', resource: { uri: 'a:b', blob: '' } } as const], '"a:b" is not text'],
  ])('refuses %j', (blocks, message) => {
    expect(() => promptText(blocks)).toThrowError(
      expect.objectContaining({ code: 'USAGE', message }) as Error,
    );
  });
});
