// The chores of a worker over the store that it shares with others (worker/chores.ts).
import { printableLine } from '../base/printable.ts';
import { Chores } from '../worker/chores.ts';
import { endLateRuns } from '../worker/end-late-runs.ts';
import { fireSchedules } from '../worker/schedule/fire-schedules.ts';
import { WebhookDeliveries } from '../worker/webhook/deliver-webhooks.ts';
import { signPayload } from '../worker/webhook/signature.ts';
import type { WorkerEvent } from '../worker/worker.ts';
import { fireOccurrence } from './schedules.ts';
import { bodyWithToken, describeEvent } from './webhooks/describe-event.ts';
import { postWebhook } from './webhooks/receiver.ts';
import type { SubmitParts } from './serving.ts';

/** Schedules are looked at so often, also those that were added a moment ago. */
const mostMs = 5_000;

/** How often folders that no run needs are removed. */
const cleanMs = 600_000;

/** How long people can look at what is over. */
const dayMs = 86_400_000;
const keptMs = { delivered: 7 * dayMs, dead: 30 * dayMs, token: 7 * dayMs };

export interface StartedChores {
  stop(): Promise<void>;
}

export interface ChoreParts {
  /** `webhooks.allowHosts`. */
  readonly allowHosts: readonly string[];
  /** Removes folders that no run needs. */
  readonly clean: () => Promise<void>;
}

export function startChores(
  parts: SubmitParts,
  onSay: (event: WorkerEvent) => void,
  { allowHosts, clean }: ChoreParts,
): StartedChores {
  let cleanedMs = performance.now();
  const { served, schedules, webhooks, callbacks, leaseMs } = parts.serving;
  const { runner } = parts;
  const onFault = (chore: string, error: unknown): void =>
    onSay({
      kind: 'fault',
      run: null,
      reason: `${chore}: ${printableLine(error instanceof Error ? error.message : String(error))}`,
    });
  const deliveries = new WebhookDeliveries({
    webhooks,
    onSay,
    onFault: (error) => onFault('webhooks', error),
    async sweep() {
      await webhooks.sweep(keptMs.delivered, keptMs.dead);
      await callbacks.sweep(keptMs.token);
    },
    describe: (event, all) =>
      describeEvent(runner, async (run) => (await served.find(run))?.held ?? null, event, all),
    async send(delivery, signal) {
      const { id, url, secrets } = delivery;
      const body = await bodyWithToken({ callbacks, runner }, delivery);
      return postWebhook(
        url,
        { headers: signPayload({ id, body, secrets }, Date.now()), body },
        { allowHosts, signal },
      );
    },
  });
  const chores: Chores = new Chores({
    mostMs: Math.min(mostMs, leaseMs / 3),
    onFault,
    chores: [
      {
        name: 'schedules',
        look: () =>
          fireSchedules({
            schedules,
            leaseMs,
            onSay,
            stopping: () => chores.isStopping,
            submit: (schedule, at) => fireOccurrence(parts, schedule, at),
          }),
      },
      {
        name: 'cache',
        async look() {
          if (performance.now() - cleanedMs < cleanMs) return null;
          cleanedMs = performance.now();
          await clean();
          return null;
        },
      },
      {
        name: 'deadlines',
        look: () =>
          endLateRuns({ served, onSay, cancel: (run, reason) => runner.cancel(run, reason, 'deadline') }),
      },
      { name: 'webhooks', look: () => deliveries.look() },
    ],
  });
  chores.start();
  return {
    async stop() {
      await Promise.all([chores.stop(), deliveries.stop()]);
    },
  };
}
