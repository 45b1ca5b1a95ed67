// A client that fails to ask its user -> a user who gave no answer, and why.
//
// F1. Where the older protocol is spoken the library asks the client in the middle of a call, and puts a failure of that in the
//     place of the call's result: the caller would not hear that there is a run, and start another.
// F2. Whoever takes the call back is not asked any more; that is no answer.
import type { RequestId, Server } from '@modelcontextprotocol/server';
import { printableLine } from '../base/printable.ts';
import { cutText } from '../base/cut-text.ts';

const maxReasonUnits = 300;

export class FailedElicitations {
  readonly #reasons = new Map<RequestId, string>();

  /** From now on what fails on `server` is kept here, and heard as `cancel`. */
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

  /** Why the user of this call could not be asked, once; null when they were. */
  take(call: RequestId): string | null {
    const reason = this.#reasons.get(call) ?? null;
    this.#reasons.delete(call);
    return reason;
  }
}
