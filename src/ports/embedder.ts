// Texts -> vectors whose angles show how close their meanings are.
import type { Abort } from '../base/abort.ts';

export interface Embedder {
  /** For people: `small at 127.0.0.1:8080`. */
  readonly name: string;
  /** Everything that the vectors depend on besides the text: vectors of two identities are never compared. Default: the name. */
  readonly identity?: string;
  /**
   * One vector for each text, in order, all of one length. Rejects when it cannot answer; a caller continues without it.
   * `once`: these texts will hardly come again, such as messages.
   */
  embed(
    texts: readonly string[],
    signal: Abort,
    options?: { readonly once?: boolean },
  ): Promise<readonly Float32Array[]>;
  /** What was measured of it with the texts `of`, kept with its vectors. Default: nothing is kept. */
  readonly strength?: {
    get(of: string): boolean | null;
    set(of: string, isStrong: boolean): void;
  };
  /** Nothing is asked of it any more. Default: there is nothing to let go of. */
  close?(): Promise<void>;
}
