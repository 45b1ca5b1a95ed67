import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { PendingQuestion } from '../../run/result/result.ts';
import { waitingText } from './produce-result.ts';

const asked = (question: Json): PendingQuestion => ({
  run: 'r',
  id: 'q',
  nonce: 'n',
  audience: 'person',
  key: 'k',
  question,
  expiresAt: null,
});
const text = (...questions: readonly Json[]): string =>
  waitingText({ questions: questions.map(asked), undecided: [] });

describe('waitingText', () => {
  it('names the command and where it is allowed', () => {
    expect(text({ type: 'approval', kind: 'command', argv: ['git', 'log', '--format=%h %s'] })).toBe(
      'the run waits for the approval of the command git log "--format=%h %s"; allow it under commands.allow in the configuration',
    );
    expect(text({ type: 'approval', kind: 'tool', tool: 'mail.send' })).toBe(
      'the run waits for the approval of the tool mail.send, which an evaluation does not give',
    );
  });

  it('names the form and its fields, and whoever else is asked', () => {
    expect(
      text({
        type: 'form',
        step: 'approval',
        fields: [
          { name: 'decision', type: 'string', required: true, prompt: '' },
          { name: 'changes', type: 'string', required: false, prompt: '' },
        ],
      }),
    ).toBe(
      'the run waits for the form approval (decision, changes), which an evaluation does not fill in; a script can, under "inputs"',
    );
    expect(text({ purpose: 'tone', prompt: 'Which?' }, { purpose: 'tone', prompt: 'Which?' })).toBe(
      'the run waits for an answer of the person (tone), who is not asked in an evaluation',
    );
    expect(text()).toBe('the run waits for an answer that an evaluation does not give');
  });
});
