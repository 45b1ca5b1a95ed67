import { describe, expect, it } from 'vitest';
import type { ChatModel, TurnRequest } from '../../ports/model.ts';
import { BudgetSpent, ModelBudget } from './model-budget.ts';

const usage = { inputTokens: 30, outputTokens: 10, costMicros: 5 };
const model: ChatModel = {
  name: 'm',
  description: 'd',
  takeTurn: async () => ({ turn: { model: 'm', finish: 'stop', content: [] }, usage, cachedInputTokens: 0 }),
};
const request = {} as TurnRequest;

describe('ModelBudget', () => {
  it('counts what several models use, and refuses the next call', async () => {
    const budget = new ModelBudget({ calls: 2, tokens: 1000 });
    const [a, b] = [budget.bound(model), budget.bound(model)];
    await a.takeTurn(request);
    expect(budget.exhausted()).toBeNull();
    await b.takeTurn(request);
    expect(budget.exhausted()).toBe('calls');
    await expect(a.takeTurn(request)).rejects.toEqual(new BudgetSpent('calls'));
    expect(budget.spent).toEqual({ calls: 2, inputTokens: 60, outputTokens: 20, costMicros: 10 });
  });

  it('pays for the call that crosses the number of tokens, and for no other', async () => {
    const budget = new ModelBudget({ calls: 100, tokens: 50 });
    const bound = budget.bound(model);
    await bound.takeTurn(request);
    expect([budget.exhausted(), budget.tokensLeft]).toEqual([null, 10]);
    await bound.takeTurn(request);
    expect([budget.exhausted(), budget.tokensLeft]).toEqual(['tokens', 0]);
    await expect(bound.takeTurn(request)).rejects.toThrow('the budget of tokens is spent');
  });

  it('counts a call that is under way, and what was used elsewhere', async () => {
    const budget = new ModelBudget({ calls: 2, tokens: 1000 });
    const both = [budget.bound(model).takeTurn(request), budget.bound(model).takeTurn(request)];
    expect(budget.exhausted()).toBe('calls');
    await Promise.all(both);
    const other = new ModelBudget({ calls: 10, tokens: 50 });
    other.add(1, { inputTokens: 50, outputTokens: 0, costMicros: 0 });
    expect(other.exhausted()).toBe('tokens');
  });
});
