// Tells webhooks what happened: every worker looks, and each delivery is made by one of them at a time.
//
//   stored events -> deliveries -> attempts -> delivered, later, dead
//
// An event is removed after its deliveries are stored, a delivery is settled after its answer came: a worker that is killed in
// between leaves both to the next one, which sends the same id again. The webhooks do not wait for each other: a receiver that hangs
// holds up its own deliveries only.
import type {
  AttemptResult,
  NewDelivery,
  StoredEvent,
  TakenDelivery,
  Webhook,
  Webhooks,
} from '../../ports/webhooks.ts';
import type { Outcome } from './judge-attempt.ts';
import { judgeAttempt } from './judge-attempt.ts';

export interface DeliverOptions {
  readonly webhooks: Webhooks;
  /** What these webhooks are told of it. */
  readonly describe: (event: StoredEvent, webhooks: readonly Webhook[]) => Promise<readonly NewDelivery[]>;
  /** One attempt. Throws only when `signal` aborts. */
  readonly send: (delivery: TakenDelivery, signal: AbortSignal) => Promise<Outcome>;
  /** Removes what was over long ago. */
  readonly sweep: () => Promise<void>;
  readonly onSay: (event: DeliveryEvent) => void;
  readonly onFault: (error: unknown) => void;
}

export interface DeliveryEvent {
  readonly kind: 'delivered' | 'not-delivered';
  readonly webhook: string;
  readonly delivery: string;
  readonly reason: string | null;
}

/** Longer than an attempt can take. */
const leaseMs = 30_000;
const eventsAtOnce = 100;
/** Of one webhook, in each worker. */
const sentAtOnce = 4;
const sweepEveryMs = 600_000;
/** An event that no one could describe for so long is given up. */
const mostEventMs = 3 * 86_400_000;

export class WebhookDeliveries {
  readonly #options: DeliverOptions;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: DeliverOptions) {
    this.#options = options;
  }

  /** Begins what is due; resolves to how long there is nothing to do. */
  async look(): Promise<number | null> {
    const { webhooks } = this.#options;
    await this.#sweep();
    // Most of the time: one question instead of two statements that write.
    if (!(await webhooks.hasWork())) return lookMs;
    const isMore = await this.#expand();
    for (const id of await webhooks.due([...this.#busy.keys()])) {
      if (this.#stop.signal.aborted) return null;
      const work = this.#drain(id)
        .catch(this.#options.onFault)
        .finally(() => this.#busy.delete(id));
      this.#busy.set(id, work);
    }
    return isMore ? 0 : lookMs;
  }

  /** Attempts under way are given up: they are made again by others. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#busy.values());
  }

  /** Whether there may be more. */
  async #expand(): Promise<boolean> {
    const { webhooks, describe, onFault } = this.#options;
    const events = await webhooks.takeEvents(leaseMs, eventsAtOnce);
    if (events.length === 0) return false;
    const all = await webhooks.list();
    for (const event of events) {
      if (this.#stop.signal.aborted) return false;
      try {
        await webhooks.enqueue(await describe(event, all));
      } catch (error) {
        // Such as a journal that cannot be read: the other events do not wait for it.
        onFault(error);
        if (Date.now() - event.at < mostEventMs) continue;
      }
      await webhooks.settleEvents([event.id]);
    }
    return events.length === eventsAtOnce;
  }

  async #drain(webhook: string): Promise<void> {
    const { webhooks } = this.#options;
    while (!this.#stop.signal.aborted) {
      const taken = await webhooks.take(webhook, leaseMs, sentAtOnce);
      if (taken.length === 0) return;
      await Promise.all(taken.map((delivery) => this.#attempt(delivery).catch(this.#options.onFault)));
    }
  }

  async #attempt(delivery: TakenDelivery): Promise<void> {
    const { webhooks, send, onSay } = this.#options;
    let outcome: Outcome;
    try {
      outcome = await send(delivery, this.#stop.signal);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      throw error;
    }
    const result: AttemptResult = judgeAttempt(outcome, delivery.attempts, Math.random());
    await webhooks.settle(delivery.id, result);
    const isOver = result.state === 'dead' ? '; it is not tried again' : '';
    onSay({
      kind: result.state === 'delivered' ? 'delivered' : 'not-delivered',
      webhook: delivery.webhookName,
      delivery: delivery.id,
      reason: result.fault === null ? null : `${result.fault}${isOver}`,
    });
  }

  async #sweep(): Promise<void> {
    if (performance.now() < this.#sweptAt + sweepEveryMs) return;
    this.#sweptAt = performance.now();
    await this.#options.sweep();
  }
}

/** How often workers look for news. */
const lookMs = 1_000;
