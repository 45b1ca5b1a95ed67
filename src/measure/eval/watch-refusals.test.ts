import { describe, expect, it } from 'vitest';
import type { ChatModel, TurnRequest } from '../../ports/model.ts';
import { watchRefusals } from './watch-refusals.ts';

const failing = (error: Error): ChatModel => ({
  name: 'm',
  description: 'd',
  takeTurn: async () => {
    throw error;
  },
});

describe('watchRefusals', () => {
  it('tells of a refused connection, however deep it is wrapped, and of nothing else', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const refused = watchRefusals(
      failing(new Error('m cannot be reached', { cause: new Error('fetch failed', { cause }) })),
    );
    expect(refused.refusal()).toBeNull();
    await expect(refused.model.takeTurn({} as TurnRequest)).rejects.toThrow('m cannot be reached');
    expect(refused.refusal()).toBe('m cannot be reached');
    const busy = watchRefusals(failing(new Error('HTTP 429')));
    await expect(busy.model.takeTurn({} as TurnRequest)).rejects.toThrow('HTTP 429');
    expect(busy.refusal()).toBeNull();
  });
});
