import { describe, expect, it } from 'vitest';
import { TechneError } from '../base/error.ts';
import { neverAborted } from '../base/abort.ts';
import type { PendingQuestion } from '../run/result/result.ts';
import { ScriptedInputs } from './inputs.ts';
import { scriptQuestioner } from './world.ts';

const form = (id: string, step: string): PendingQuestion => ({
  run: `run-of-${id}`,
  id,
  nonce: 'n',
  audience: 'person',
  key: '1',
  question: { type: 'form', step },
  expiresAt: null,
});
const reply = (step: string, value: string) => ({ step, value, span: { start: 0, end: 0 } });
const refused = new TechneError('ANSWER_REFUSED', 'too short');

describe('scriptQuestioner', () => {
  it('reports the reply that a form refused, whatever other runs asked meanwhile', () => {
    const reported: unknown[] = [];
    const inputs = new ScriptedInputs([reply('a', 'for a'), reply('b', 'for b')]);
    const ask = scriptQuestioner(
      () => inputs,
      ({ input, message }, run) => reported.push([input.value, message, run]),
    );
    const asked = { run: 'R', refused: null, signal: neverAborted };
    expect(ask(form('1', 'a'), asked)).toEqual({ answer: 'for a' });
    expect(ask(form('2', 'b'), asked)).toEqual({ answer: 'for b' });
    expect(ask(form('3', 'c'), asked)).toBe('open');
    expect(ask(form('1', 'a'), { ...asked, refused })).toBe('open');
    expect(reported).toEqual([['for a', 'too short', 'run-of-1']]);
  });
});
