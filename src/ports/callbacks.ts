// Callback tokens: each lets its holder answer one form of one run, once, without any other right.
//
// The store has only a hash of the secret. What a token is for is compared with the run whenever it is used, so it is worth nothing
// once the question is answered or the run has ended.

export interface NewCallback {
  /** The public half of the token. */
  readonly id: string;
  /** SHA-256 of the secret half, in hex. */
  readonly digest: string;
  /** The run that asked. */
  readonly run: string;
  readonly question: string;
  readonly nonce: string;
  /** What it is called in the journal. */
  readonly name: string;
  readonly by: string;
  readonly seconds: number;
}

export interface Callback extends Omit<NewCallback, 'seconds'> {
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly state: 'open' | 'used' | 'revoked' | 'expired';
}

export interface Callbacks {
  add(callback: NewCallback): Promise<Callback>;
  find(id: string): Promise<Callback | null>;
  /** Of a run, newest first; `null`: the hundred of all runs that expire last. */
  list(run: string | null): Promise<readonly Callback[]>;
  /** A wrong secret came with this id; after a few of them it is revoked. */
  failed(id: string): Promise<void>;
  /** No token of this question can be used any more; `usedBy` is the one that answered it. */
  close(run: string, question: string, usedBy: string | null): Promise<void>;
  /** Whether there was one that could be used. */
  revoke(id: string): Promise<boolean>;
  /** Removes those that expired long ago. */
  sweep(olderThanMs: number): Promise<void>;
}
