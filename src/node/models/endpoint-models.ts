// Configured endpoints -> turns of their models, for the answerer of asks and for the chat.
//
// A model is loaded once, when it is first asked. The key of an endpoint is read from its variable and goes nowhere
// else.
import type { ChatModel, Said, TakenTurn } from '../../ports/model.ts';
import type { LanguageModel, ModelUsage } from './providers.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Abort } from '../../base/abort.ts';
import { printableLine } from '../../base/printable.ts';
import type { ModelEndpoint } from '../../config/types.ts';
import { nodeRunClock } from '../environment.ts';
import type { Usage } from '../../ports/answerer.ts';
import type { ToolDescription } from '../../ports/tool.ts';
import { costMicros } from './cost.ts';
import { messagesOf } from './transcript.ts';
import { loadModel, providerOptionsFor } from './providers.ts';
import type { Timing, TryLimits } from './take-turn.ts';
import { defaultTryLimits, takeTurn } from './take-turn.ts';

export interface NamedEndpoint {
  readonly label: string;
  readonly endpoint: ModelEndpoint;
}

export interface EndpointModelsOptions {
  readonly variables: { readonly [name: string]: string | undefined };
  /** Default: the clock of this machine. */
  readonly timing?: Timing;
  /** Default: `defaultTryLimits`. */
  readonly limits?: Partial<TryLimits>;
}

interface EndpointTurn {
  readonly system: string;
  readonly said: readonly Said[];
  readonly tools: readonly ToolDescription[];
  readonly signal: Abort;
  readonly onText: (text: string) => void;
}

export class EndpointModels {
  readonly #variables: EndpointModelsOptions['variables'];
  readonly #timing: Timing;
  readonly #limits: TryLimits;
  readonly #models = new Map<string, Promise<LanguageModel>>();

  constructor({ variables, timing = machineTiming, limits = {} }: EndpointModelsOptions) {
    this.#variables = variables;
    this.#timing = timing;
    this.#limits = { ...defaultTryLimits, ...limits };
  }

  async take(
    named: NamedEndpoint,
    { system, said, tools, signal, onText }: EndpointTurn,
  ): Promise<TakenTurn> {
    const { endpoint } = named;
    const apiKey = this.keyOf(named);
    const offered = tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      name,
      description,
      inputSchema: parameters as object,
    }));
    const { turn, usage } = await takeTurn({
      model: await this.#model(named, apiKey),
      endpoint: { label: labelOf(named), apiKeyEnv: endpoint.apiKeyEnv, apiKey },
      options: {
        prompt: messagesOf(system, said),
        ...(offered.length === 0 ? {} : { tools: offered }),
        providerOptions: providerOptionsFor(endpoint),
      },
      signal,
      onText,
      timing: this.#timing,
      limits: this.#limits,
    });
    return { turn, usage: usageOf(usage, endpoint), cachedInputTokens: usage.inputTokens.cacheRead ?? 0 };
  }

  keyOf({ endpoint: { apiKeyEnv } }: NamedEndpoint): string | null {
    return apiKeyEnv === null ? null : (this.#variables[apiKeyEnv] ?? '');
  }

  #model({ label, endpoint }: NamedEndpoint, apiKey: string | null): Promise<LanguageModel> {
    let model = this.#models.get(label);
    if (model === undefined) {
      model = loadModel(endpoint, apiKey);
      this.#models.set(label, model);
    }
    return model;
  }
}

export function labelOf({ label, endpoint }: NamedEndpoint): string {
  return `model:${label} (${printableLine(endpoint.model)})`;
}

function usageOf(usage: ModelUsage, endpoint: ModelEndpoint): Usage {
  return {
    inputTokens: usage.inputTokens.total ?? 0,
    outputTokens: usage.outputTokens.total ?? 0,
    costMicros: costMicros(usage, endpoint),
  };
}

const machineTiming: Timing = {
  nowMs: () => Date.now(),
  after: (ms, task) => nodeRunClock.after(ms, task),
  async sleep(ms, signal) {
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    try {
      await sleep(ms, undefined, { signal: stop.signal });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  },
};

/** A configured model as the other side of a conversation. */
export function createChatModel(named: NamedEndpoint, options: EndpointModelsOptions): ChatModel {
  const models = new EndpointModels(options);
  const {
    label,
    endpoint: { model, provider },
  } = named;
  return {
    name: `model:${label}`,
    description: `${model} (${provider})`,
    takeTurn: (request) => models.take(named, request),
  };
}
