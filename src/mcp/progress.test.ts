import { describe, expect, it } from 'vitest';
import { createProgressNotes } from './progress.ts';

describe('createProgressNotes', () => {
  it('tells what is done and grows with every note, without a word of what was said', () => {
    const noteOf = createProgressNotes();
    const run = 'R1';
    const notes = [
      noteOf({ type: 'run.started', run, at: 1, skill: 'relay', parent: null, parentKey: null }),
      noteOf({
        type: 'plan.opened',
        run,
        at: 1,
        asks: 1,
        commands: 0,
        steps: [{ id: 'a', kind: 'llm_chat', label: 'a', does: 'a' }],
      }),
      noteOf({
        type: 'effect.started',
        run,
        at: 2,
        key: 'a',
        kind: 'ask',
        attempt: 1,
        request: { prompt: 'a secret' },
      }),
      noteOf({ type: 'effect.text', run, key: 'a', text: 'a secret' }),
      noteOf({
        type: 'step.ended',
        run,
        at: 3,
        step: 'a',
        status: 'ok',
        code: null,
        attempts: 1,
        reason: null,
      }),
      noteOf({
        type: 'step.ended',
        run: 'inside',
        at: 3,
        step: 'b',
        status: 'ok',
        code: null,
        attempts: 1,
        reason: null,
      }),
    ];
    expect(notes).toEqual([
      { progress: 1, message: 'run R1 of relay started' },
      null,
      { progress: 2, message: 'ask a started' },
      null,
      { progress: 3, message: 'step 1 of 1, a: ok' },
      null,
    ]);
  });
});
