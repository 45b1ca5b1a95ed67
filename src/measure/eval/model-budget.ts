// A model -> the same model with a limit on its use, and a count of it.
//
// The limit is checked before each call: the call that crosses the number of tokens is the last one, and is paid for.
// Usage elsewhere for the same purpose (a run of a skill) is added with `add`, and counts the same.
import type { Usage } from '../../ports/answerer.ts';
import type { ChatModel } from '../../ports/model.ts';

interface BudgetLimits {
  /** Turns of models, of all together. */
  readonly calls: number;
  /** In and out, of all together. */
  readonly tokens: number;
}

/** A call was not made, since the budget is spent. */
export class BudgetSpent extends Error {
  readonly what: keyof BudgetLimits;
  constructor(what: keyof BudgetLimits) {
    super(`the budget of ${what} is spent`);
    this.name = 'BudgetSpent';
    this.what = what;
  }
}

interface SpentByModel extends Usage {
  readonly calls: number;
}

export class ModelBudget {
  readonly #limits: BudgetLimits;
  #spent: SpentByModel = { calls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  get spent(): SpentByModel {
    return this.#spent;
  }

  get callsLeft(): number {
    return Math.max(0, this.#limits.calls - this.#spent.calls);
  }

  get tokensLeft(): number {
    return Math.max(0, this.#limits.tokens - this.#spent.inputTokens - this.#spent.outputTokens);
  }

  /** Which of the limits is reached; null while there is room. */
  exhausted(): keyof BudgetLimits | null {
    if (this.#spent.calls >= this.#limits.calls) return 'calls';
    return this.tokensLeft <= 0 ? 'tokens' : null;
  }

  add(calls: number, { inputTokens, outputTokens, costMicros }: Usage): void {
    const { spent } = this;
    this.#spent = {
      calls: spent.calls + calls,
      inputTokens: spent.inputTokens + inputTokens,
      outputTokens: spent.outputTokens + outputTokens,
      costMicros: spent.costMicros + costMicros,
    };
  }

  bound(model: ChatModel): ChatModel {
    return {
      name: model.name,
      description: model.description,
      takeTurn: async (request) => {
        const what = this.exhausted();
        if (what !== null) throw new BudgetSpent(what);
        // Counted before it ends: several may be under way.
        this.add(1, { inputTokens: 0, outputTokens: 0, costMicros: 0 });
        const turn = await model.takeTurn(request);
        this.add(0, turn.usage);
        return turn;
      },
    };
  }
}
