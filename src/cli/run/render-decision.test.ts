import { describe, expect, it } from 'vitest';
import { renderDecision } from './render-decision.ts';

describe('renderDecision', () => {
  it('shows everything that the call was given, safe for a terminal', () => {
    expect(
      renderDecision({
        key: 'nap',
        kind: 'tool',
        request: {
          tool: 'exec_command',
          args: { command: ['sleep', '4'], note: 'two\nlines \u001B[2J' },
          timeout_ms: 9,
        },
      }),
    ).toEqual([
      '  nap  tool exec_command',
      '    command: sleep 4',
      '    note: two',
      expect.stringMatching(/^ {6}lines [^\u001B]*$/),
    ]);
    expect(
      renderDecision({
        key: '2',
        kind: 'command',
        request: { argv: ['make', 'a b'], cwd: 'sub', stdin: 'x' },
      }),
    ).toEqual(['  2  command make "a b"', '    cwd: sub', '    stdin: x']);
  });
});
