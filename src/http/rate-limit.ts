// How many requests each token may make: a bucket that fills up with time.
//
// A bucket that is full is forgotten, so there are never more of them than tokens in use.

export interface RateLimitOptions {
  readonly perSecond: number;
  /** How many at once after a pause. */
  readonly burst: number;
  readonly nowMs: () => number;
}

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** `null`: it may pass. Else after how many seconds the next one may. `cost`: of how many requests it counts. Default: 1. */
  take(name: string, cost = 1): number | null {
    const { perSecond, burst, nowMs } = this.#options;
    const now = nowMs();
    const bucket = this.#buckets.get(name) ?? { left: burst, atMs: now };
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.atMs) / 1_000) * perSecond);
    bucket.atMs = now;
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > 1_000) this.#forgetFull(now);
    if (bucket.left < cost) return Math.max(1, Math.ceil((cost - bucket.left) / perSecond));
    bucket.left -= cost;
    return null;
  }

  #forgetFull(now: number): void {
    const { perSecond, burst } = this.#options;
    for (const [name, { left, atMs }] of this.#buckets)
      if (left + ((now - atMs) / 1_000) * perSecond >= burst) this.#buckets.delete(name);
  }
}
