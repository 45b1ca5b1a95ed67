import { describe, expect, it } from 'vitest';
import type { RunResult } from '../run/result/result.ts';
import { describeCancelled } from './describe-run.ts';

describe('describeCancelled', () => {
  it('tells a success, in the text and in the facts', () => {
    const usage = {
      asks: 1,
      commands: 0,
      inputTokens: 0,
      outputTokens: 0,
      costMicros: 0,
      steps: 3,
      wallMs: 5,
      clamped: [],
    };
    const result: RunResult = {
      status: 'cancelled',
      run: '01A',
      skill: 'test-fix',
      text: "error: metaskill 'test-fix': cancelled",
      envelope: null,
      error: { code: 'CANCELLED', message: 'cancelled', hint: null },
      questions: [],
      undecided: [],
      usage,
    };
    const text =
      '[Metaskill: test-fix was cancelled]\nRun 01A was cancelled, as you asked. What it has done stays done.';
    expect(describeCancelled(result)).toEqual({
      content: [{ type: 'text', text }],
      structuredContent: { status: 'cancelled', run: '01A', skill: 'test-fix', text, usage },
    });
  });
});
