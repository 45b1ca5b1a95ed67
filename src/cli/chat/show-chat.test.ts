import { describe, expect, it } from 'vitest';
import { StreamText } from './show-chat.ts';

describe('StreamText', () => {
  it('shows what is certain at once, and what belongs together together', () => {
    const stream = new StreamText();
    const family = '👩‍👩‍👧';
    const shown = ['Hello, ', 'é', '\ud83d', '\udc4b', ' ', ...Array.from(family)].map((piece) =>
      stream.add(piece),
    );
    expect(shown[0]).toBe('Hello, ');
    expect(shown.join('') + stream.rest()).toBe(`Hello, é👋 ${family}`);
  });

  it('gives no command to the terminal', () => {
    const stream = new StreamText();
    expect(stream.add('\u001B[2J x') + stream.rest()).toBe('\\u{1B}[2J x');
  });
});
