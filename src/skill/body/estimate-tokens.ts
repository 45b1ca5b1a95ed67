// The rough measure of S2: four characters to a token.
import { countCodePoints } from '../code-points.ts';

/** A body over this many estimated tokens is worth a warning. */
export const bodyTokenLimit = 5_000;

export function estimateTokens(text: string): number {
  return Math.max(1, Math.floor(countCodePoints(text) / 4));
}
