// Tokens of a turn and the configured price of its model -> what the turn cost. Tokens that the provider had cached have a price
// of their own, where one is configured.
import type { ModelEndpoint } from '../../config/types.ts';
import type { ModelUsage } from './providers.ts';

/** The cost of a turn in millionths of a dollar: tokens times dollars per million tokens; 0 without a configured price. */
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
