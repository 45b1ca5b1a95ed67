// Webhooks: what is told to programs elsewhere, by tables that all workers look at.
//
//   a run changes -> an event, in the same commit -> a delivery for each webhook that wants it -> attempts
//
// W1. An event is stored by the statement that changes the run: there is no change without its event.
// W2. A delivery is named by its webhook and what happened, so it is one however many workers read the event.
// W3. A worker takes a delivery for a while. If it dies, another one sends it again, with the same id.
// Times are those of the clock of the store.

/** What a webhook can be told. */
const webhookEvents = ['run.ended', 'run.held', 'question.opened'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a payload has besides ids and states: the question or the text of the result, or a token to answer a form with. */
const webhookParts = ['body', 'callback'] as const;
export type WebhookPart = (typeof webhookParts)[number];

export interface NewWebhook {
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Of `run.ended`. Empty: all. */
  readonly statuses: readonly string[];
  /** Of `question.opened`. Empty: all. */
  readonly audiences: readonly string[];
  /** Empty: all. */
  readonly skills: readonly string[];
  readonly include: readonly WebhookPart[];
  /** Where the server of the team is, for links. `null`: links are paths. */
  readonly server: string | null;
  /** `whsec_…`. */
  readonly secret: string;
  /** Who added it. */
  readonly by: string;
}

export interface Webhook extends Omit<NewWebhook, 'secret'> {
  readonly id: string;
  readonly madeAt: number;
  /** `active`; `paused` by a person; `disabled` because its receiver said 410. */
  readonly state: 'active' | 'paused' | 'disabled';
  /** Until when the secret before the last one is used, too. */
  readonly rotatesUntil: number | null;
  readonly pending: number;
  readonly dead: number;
}

export type DeliveryState = 'pending' | 'delivered' | 'dead';

export interface Delivery {
  /** `webhook-id`. */
  readonly id: string;
  /** The id of its webhook. */
  readonly webhook: string;
  readonly type: string;
  readonly run: string | null;
  readonly state: DeliveryState;
  readonly madeAt: number;
  readonly attempts: number;
  /** When it is tried next; of one that is over: when that was. */
  readonly at: number;
  /** The last answer; `null`: there was none. */
  readonly status: number | null;
  readonly fault: string | null;
}

export interface NewDelivery {
  readonly id: string;
  readonly webhook: string;
  readonly type: string;
  readonly run: string | null;
  /** The question that a token is made for at each attempt. */
  readonly question: string | null;
  /** The payload, without the token. */
  readonly body: string;
}

/** Something that happened, as the store noted it. */
export interface StoredEvent {
  readonly id: string;
  readonly run: string;
  /** What changed: the status of the run, or that it is held. */
  readonly kind: 'status' | 'held';
  readonly at: number;
}

/** What an attempt needs. */
export interface TakenDelivery {
  readonly id: string;
  readonly run: string | null;
  readonly question: string | null;
  readonly body: string;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly url: string;
  readonly server: string | null;
  readonly webhookName: string;
  /** Who added the webhook. */
  readonly by: string;
  /** The newest first. */
  readonly secrets: readonly string[];
}

export interface AttemptResult {
  readonly state: DeliveryState;
  /** Of `pending`: in how many milliseconds it is tried again. */
  readonly waitMs: number;
  readonly status: number | null;
  readonly fault: string | null;
  /** The receiver is gone for good. */
  readonly disables: boolean;
}

export interface Webhooks {
  /** Throws USAGE for a name that is taken. */
  add(id: string, webhook: NewWebhook): Promise<Webhook>;
  list(): Promise<readonly Webhook[]>;
  /** By its name or its id. */
  find(name: string): Promise<Webhook | null>;
  /** Deliveries are kept until it is resumed. */
  pause(id: string): Promise<void>;
  /** Also one that was disabled. */
  resume(id: string): Promise<void>;
  /** With its deliveries. */
  remove(id: string): Promise<void>;
  /** The secret before stays valid for so long; the one before that does not. */
  rotate(id: string, secret: string, overlapMs: number): Promise<void>;

  /** Newest first. */
  deliveries(
    webhook: string,
    filter: { readonly state: DeliveryState | null; readonly limit: number },
  ): Promise<readonly Delivery[]>;
  delivery(id: string): Promise<Delivery | null>;
  /** Queues deliveries; those that are there already are left as they are. */
  enqueue(deliveries: readonly NewDelivery[]): Promise<void>;
  /** Tries those that are dead again, or one of any state. How many. */
  resend(webhook: string, id: string | null): Promise<number>;

  /** Whether there is an event, or a delivery that is not over. */
  hasWork(): Promise<boolean>;
  /** Events that no one has turned into deliveries, for this worker alone for so long. */
  takeEvents(leaseMs: number, limit: number): Promise<readonly StoredEvent[]>;
  /** They are deliveries now. */
  settleEvents(ids: readonly string[]): Promise<void>;
  /** Active webhooks with something that is due, besides these. */
  due(except: readonly string[]): Promise<readonly string[]>;
  /** Deliveries of a webhook that are due, for this worker alone for so long. */
  take(webhook: string, leaseMs: number, limit: number): Promise<readonly TakenDelivery[]>;
  settle(id: string, result: AttemptResult): Promise<void>;
  /** Removes deliveries that were over long ago. */
  sweep(deliveredMs: number, deadMs: number): Promise<void>;
}
