// Turns a failed elicitation into an elicitation without an answer, with the reason.
//
// With the older protocol the library asks the client during a call, and a failure would replace the result of the call: the caller
// would not learn about its run and start another one. A cancelled call is not asked again.
import type { RequestId, Server } from '@modelcontextprotocol/server';
import { printableLine } from '../base/printable.ts';
import { cutText } from '../base/cut-text.ts';

const maxReasonUnits = 300;

export class FailedElicitations {
  readonly #reasons = new Map<RequestId, string>();

  /** From now on failures on `server` are recorded here and count as `cancel`. */
  constructor(server: Server) {
    const request = server.request.bind(server) as (
      message: { readonly method: string },
      options?: { readonly signal?: AbortSignal; readonly relatedRequestId?: RequestId },
    ) => Promise<unknown>;
    const softened: typeof request = async (message, options) => {
      try {
        return await request(message, options);
      } catch (error) {
        const { relatedRequestId, signal } = options ?? {};
        if (
          message.method !== 'elicitation/create' ||
          relatedRequestId === undefined ||
          signal?.aborted === true
        )
          throw error;
        this.#reasons.set(
          relatedRequestId,
          cutText(printableLine(error instanceof Error ? error.message : String(error)), maxReasonUnits).text,
        );
        return { action: 'cancel' };
      }
    };
    server.request = softened as typeof server.request;
  }

  /** Why the user of this call could not be asked, once; null if they were asked. */
  take(call: RequestId): string | null {
    const reason = this.#reasons.get(call) ?? null;
    this.#reasons.delete(call);
    return reason;
  }
}
