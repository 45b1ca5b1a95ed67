import { describe, expect, it } from 'vitest';
import { unpricedNote } from './render-result.ts';

const endpoint = { provider: 'openai-compatible', baseUrl: null, model: 'small', apiKeyEnv: null } as const;
const models = { priced: { ...endpoint, price: { input: 1, output: 2 } }, free: endpoint };

describe('unpricedNote', () => {
  it('is for a limit of dollars and a model whose price nobody knows', () => {
    expect(unpricedNote(true, 'model:free', models)).toBe(
      'techne: note: no price is configured for model:free, so --max-cost has no effect; set a price under "models", or use --max-tokens',
    );
    expect(unpricedNote(true, 'model:anthropic', models)).toContain('model:anthropic');
    for (const [isLimited, answerer] of [
      [false, 'model:free'],
      [true, 'model:priced'],
      [true, 'caller'],
      [true, 'script:x'],
    ] as const)
      expect(unpricedNote(isLimited, answerer, models)).toBeNull();
  });
});
