// What a turn costs, where the price of the model is configured. Prices change; none is known here.
import type { ModelEndpoint } from '../../config/types.ts';
import type { ModelUsage } from './providers.ts';

/** In millionths of a dollar: dollars per million tokens times tokens. */
export function costMicros({ inputTokens, outputTokens }: ModelUsage, { price }: ModelEndpoint): number {
  if (price === undefined) return 0;
  const cached = inputTokens.cacheRead ?? 0;
  const fresh = Math.max(0, (inputTokens.total ?? 0) - cached);
  return Math.round(
    fresh * price.input +
      cached * (price.cachedInput ?? price.input) +
      (outputTokens.total ?? 0) * price.output,
  );
}
