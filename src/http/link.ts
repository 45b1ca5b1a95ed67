// The one-time link of a server on this machine, for the person who started it.
//
//   /login?code=… -> a session, once and within ten minutes
//
// Only the terminal of that person shows the code, so whoever has it is the same user; other users of the machine can connect and
// have nothing to show.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const codeTtlMs = 10 * 60_000;

export class LoginLink {
  readonly #nowMs: () => number;
  readonly #code = randomBytes(32).toString('base64url');
  readonly #madeAt: number;
  #isUsed = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#madeAt = nowMs();
  }

  /** `ofClient`: for the browser client, which takes the code from the fragment, so that no log has it. */
  urlAt(origin: string, ofClient = false): string {
    return ofClient ? `${origin}/#login=${this.#code}` : `${origin}/login?code=${this.#code}`;
  }

  /** Whether the code is right, not used and not too old. It is used then. */
  take(code: string): boolean {
    const isRight = timingSafeEqual(hashOf(code), hashOf(this.#code));
    if (!isRight || this.#isUsed || this.#nowMs() - this.#madeAt > codeTtlMs) return false;
    this.#isUsed = true;
    return true;
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
