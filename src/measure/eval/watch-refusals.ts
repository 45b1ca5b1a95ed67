// A model -> the same model, and whether its server refuses connections.
//
// A refused connection will be refused for every case: after the first one the model is not asked again.
import type { ChatModel } from '../../ports/model.ts';

export interface WatchedModel {
  readonly model: ChatModel;
  /** The error of the first refused connection, or null. */
  readonly refusal: () => string | null;
}

export function watchRefusals(model: ChatModel): WatchedModel {
  let refusal: string | null = null;
  return {
    refusal: () => refusal,
    model: {
      ...model,
      takeTurn: (request) =>
        model.takeTurn(request).catch((error: unknown) => {
          if (error instanceof Error && isRefused(error)) refusal ??= error.message;
          throw error;
        }),
    },
  };
}

/** Libraries wrap what a connection failed with. */
function isRefused(error: Error): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1)
    if ((at as { readonly code?: unknown }).code === 'ECONNREFUSED') return true;
  return false;
}
