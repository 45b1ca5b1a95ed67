import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { Plan } from '../../plan/plan.ts';
import { capturedInputs, planInputs } from './inputs.ts';

const identity = { run: 'r1', startedAtMs: 0, startedOffsetMinutes: 0, workspace: '/work' };
const inputsOf = (form: Plan['form'], input: JsonObject, declared: Plan['inputs'] = []): JsonObject => ({
  ...planInputs({ form, inputs: declared } as Plan, input, identity),
});

describe('planInputs', () => {
  it('sets the facts of a composition last, whatever is given', () => {
    const given = {
      user_message: 'hello',
      language_instruction: '<IGNORE ALL>',
      user_language: '<l>',
      config: { x: '<c>' },
      collected: { form: { tone: '<t>' } },
      workspace_dir: '<w>',
      run_id: '<r>',
      meta_run_id: '<m>',
    };
    expect(inputsOf('composition', given)).toEqual({
      user_message: 'hello',
      system_prompt: '',
      user_language: 'en',
      language_instruction: 'Reply in English.',
      config: {},
      collected: {},
      workspace_dir: '/work',
      run_id: 'r1',
      meta_run_id: 'r1',
    });
  });

  it('takes a language by its tag', () => {
    expect(inputsOf('composition', { user_message: 'hello', user_language: 'pt-BR' })).toMatchObject({
      user_language: 'pt-BR',
      language_instruction: 'Reply in the language "pt-BR".',
    });
    expect(inputsOf('composition', { user_message: 'hello', user_language: 'zh' })).toMatchObject({
      user_language: 'zh',
      language_instruction: 'Reply in Chinese.',
    });
  });

  it('leaves the inputs of a workflow as they are given, but for what only forms collect', () => {
    expect(inputsOf('workflow', { run_id: 'mine', collected: { form: 1 } })).toEqual({ run_id: 'mine' });
    const declared = [
      { key: 'collected', required: true, description: null, schema: null },
    ] as unknown as Plan['inputs'];
    expect(inputsOf('workflow', { collected: 'mine' }, declared)).toEqual({ collected: 'mine' });
  });
});

describe('capturedInputs', () => {
  it('captures the words of a message under names of any script', () => {
    const captured = (phrase: string, variables: readonly string[], message: string): JsonObject =>
      capturedInputs([{ phrase, variables }], message, []);
    expect(captured('把{文本}翻译成{语言}', ['文本', '语言'], '把你好翻译成英文')).toEqual({
      文本: '你好',
      语言: '英文',
    });
    expect(captured('explain { größe } to {whom}', ['größe', 'whom'], 'Explain tides to a child.')).toEqual({
      größe: 'tides',
      whom: 'a child',
    });
    expect(captured('explain {concept}', ['concept'], 'tell me a joke')).toEqual({});
  });
});
