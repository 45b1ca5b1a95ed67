// Webhooks and callback tokens over HTTP.
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import { mayAnswer, roleOfAudience } from '../../api/role.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Webhook } from '../../ports/webhooks.ts';
import {
  answerCallback,
  callbackSeconds,
  describeForm,
  makeCallback,
  openCallback,
} from '../../techne/callbacks.ts';
import type { CallbackParts } from '../../techne/callbacks.ts';
import { outermost } from '../../techne/seen-run.ts';
import type { Serving } from '../../techne/serving.ts';
import {
  addWebhook,
  findWebhook,
  overlapSeconds,
  resendDeliveries,
  rotateWebhook,
  testWebhook,
} from '../../techne/webhooks/webhooks.ts';
import type { ApiService, Handlers } from '../service.ts';
import { mustShare, useRuns } from '../service.ts';

type Names =
  | 'listWebhooks'
  | 'addWebhook'
  | 'showWebhook'
  | 'pauseWebhook'
  | 'resumeWebhook'
  | 'removeWebhook'
  | 'rotateWebhook'
  | 'testWebhook'
  | 'listDeliveries'
  | 'resendDeliveries'
  | 'makeCallback'
  | 'showCallback'
  | 'answerCallback';

type WebhookJson = OperationOutput<Operations['showWebhook']>;

const usualLimit = 50;

export function webhookHandlers(service: ApiService): Handlers<Names> {
  const useServing = <T>(work: (serving: Serving) => Promise<T>): Promise<T> =>
    useRuns(service, ({ serving }) => work(mustShare(serving, 'webhooks')));
  const useWebhook = <T>(
    name: string,
    work: (serving: Serving, webhook: Webhook) => Promise<T>,
  ): Promise<T> => useServing(async (serving) => work(serving, await findWebhook(serving, name)));
  const change = (
    name: string,
    work: (serving: Serving, id: string) => Promise<void>,
  ): Promise<WebhookJson> =>
    useWebhook(name, async (serving, { id }) => {
      await work(serving, id);
      return shown(await findWebhook(serving, id));
    });
  const useCallbacks = <T>(
    work: (parts: CallbackParts, outermostOf: (run: string) => Promise<string>) => Promise<T>,
  ): Promise<T> =>
    useRuns(service, ({ runner, serving }) =>
      work(
        { runner, callbacks: mustShare(serving, 'callback tokens').callbacks },
        async (run) => (await outermost(runner, run)).run,
      ),
    );

  return {
    listWebhooks: () =>
      useServing(async ({ webhooks }) => ({ webhooks: (await webhooks.list()).map(shown) })),
    addWebhook: ({ body, identity }) =>
      useServing(async (serving) => {
        const {
          name,
          url,
          events,
          statuses = [],
          audiences = [],
          skills = [],
          include = [],
          server = null,
        } = body;
        const { webhook, secret } = await addWebhook(
          serving,
          {
            name,
            url,
            events,
            statuses,
            audiences,
            skills,
            include,
            server,
            by: identity.name,
          } as Parameters<typeof addWebhook>[1],
          service.techne.library.loaded.config.webhooks.allowHosts,
        );
        return { webhook: shown(webhook), secret };
      }),
    showWebhook: ({ params }) => useWebhook(params.webhook, async (_, webhook) => shown(webhook)),
    pauseWebhook: ({ params }) => change(params.webhook, ({ webhooks }, id) => webhooks.pause(id)),
    resumeWebhook: ({ params }) => change(params.webhook, ({ webhooks }, id) => webhooks.resume(id)),
    removeWebhook: ({ params }) =>
      useWebhook(params.webhook, async ({ webhooks }, webhook) => {
        await webhooks.remove(webhook.id);
        return shown(webhook);
      }),
    rotateWebhook: ({ params, body }) =>
      useWebhook(params.webhook, async (serving, webhook) => {
        const secret = await rotateWebhook(serving, webhook, body?.overlap ?? overlapSeconds.default);
        return { webhook: shown(await findWebhook(serving, webhook.id)), secret };
      }),
    testWebhook: ({ params }) =>
      useWebhook(params.webhook, async (serving, webhook) => ({ ...(await testWebhook(serving, webhook)) })),
    listDeliveries: ({ params, query }) =>
      useWebhook(params.webhook, async ({ webhooks }, { id }) => ({
        deliveries: (
          await webhooks.deliveries(id, { state: query.state ?? null, limit: query.limit ?? usualLimit })
        ).map((one) => ({ ...one })),
      })),
    resendDeliveries: ({ params, body }) =>
      useWebhook(params.webhook, async (serving, webhook) => ({
        resent: await resendDeliveries(serving, webhook, body?.delivery ?? null),
      })),
    makeCallback: ({ params, body, identity }) =>
      useCallbacks(async (parts) => {
        const { role, name } = identity;
        const { callback, token } = await makeCallback(parts, {
          ...params,
          name: body?.name ?? name,
          by: name,
          seconds: body?.expires ?? callbackSeconds.default,
          mustMayAnswer({ id, audience }) {
            if (mayAnswer(role, audience)) return;
            throw new TechneError(
              'ROLE_REFUSED',
              `question ${id} is for the ${audience}, and the token "${name}" is a ${role}`,
              {
                hint: `a token with the role "${roleOfAudience[audience]}" can make a callback token for it`,
              },
            );
          },
        });
        return { id: callback.id, token, path: `/v1/callbacks/${token}`, expiresAt: callback.expiresAt };
      }),
    showCallback: ({ params }) =>
      useCallbacks(async (parts) => ({ ...describeForm(await openCallback(parts, params.token)) })),
    async answerCallback({ params, body }) {
      service.dispatcher.mustHaveRoom();
      const outer = await useCallbacks(async (parts, outermostOf) => {
        const { run, delivery } = await answerCallback(parts, params.token, body.value as JsonObject);
        return delivery === 'recorded' ? outermostOf(run) : null;
      });
      if (outer !== null) service.dispatcher.submit(outer);
      return { accepted: true };
    },
  };
}

/** Copied: the types of responses can be changed. */
function shown(webhook: Webhook): WebhookJson {
  const { events, statuses, audiences, skills, include } = webhook;
  return {
    ...webhook,
    events: [...events],
    statuses: [...statuses],
    audiences: [...audiences],
    skills: [...skills],
    include: [...include],
  };
}
