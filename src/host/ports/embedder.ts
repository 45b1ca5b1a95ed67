// Texts -> vectors whose angles tell how near their meanings are.
import type { Abort } from '../../base/abort.ts';

export interface Embedder {
  /** Such as `small at 127.0.0.1:8080`; vectors of two names are never compared. */
  readonly name: string;
  /** One vector for each text, in order, all of one length. Rejects when it cannot answer; a caller goes on without. */
  embed(texts: readonly string[], signal: Abort): Promise<readonly Float32Array[]>;
}
