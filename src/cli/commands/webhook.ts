// techne webhook list, add, show, pause, resume, remove, rotate, test, deliveries, resend
//
// JSON: the webhook; add, rotate: {webhook, secret}; list: {webhooks}; deliveries: {deliveries}; test: the delivery; resend: {resent}.
import { inStore } from '../in-store.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { Delivery, DeliveryState, Webhook, WebhookEvent, WebhookPart } from '../../ports/webhooks.ts';
import { localTime } from '../../techne/local-time.ts';
import type { Serving } from '../../techne/serving.ts';
import {
  addWebhook,
  findWebhook,
  overlapSeconds,
  resendDeliveries,
  rotateWebhook,
  testWebhook,
} from '../../techne/webhooks/webhooks.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { numberOption } from '../parse-arguments.ts';
import { secondsOption } from '../seconds-option.ts';
import { withServing } from '../with-serving.ts';

const what = 'webhooks';
const [testTries, testPauseMs] = [60, 250];

export async function runWebhookAdd(context: CommandContext): Promise<number> {
  const { args, io, json, out } = context;
  const [name = '', url = ''] = args.positionals;
  const events = args.values('event') as readonly WebhookEvent[];
  if (events.length === 0)
    throw new TechneError('USAGE', '--event is missing: what is the webhook told?', {
      hint: 'such as --event run.ended --event question.opened',
    });
  const { loaded } = await openLibrary(context);
  return withServing(context, what, async (serving) => {
    const { webhook, secret } = await addWebhook(
      serving,
      {
        name,
        url,
        events: [...new Set(events)],
        statuses: args.values('status'),
        audiences: args.values('audience'),
        skills: args.values('skill'),
        include: args.values('include') as readonly WebhookPart[],
        server: args.value('server'),
        by: `${io.env['USER'] ?? 'me'}@local`,
      },
      loaded.config.webhooks.allowHosts,
    );
    if (json) out.json({ webhook, secret });
    else
      out.write(
        `Workers tell ${printableLine(name)} about ${events.join(', ')}.\nsecret  ${secret}\nThe receiver needs it to verify signatures. It is not shown again.\n`,
      );
    return exitCodes.fine;
  });
}

export function runWebhookList(context: CommandContext): Promise<number> {
  const { json, out, err, columns } = context;
  return withServing(context, what, async ({ webhooks }) => {
    const found = await webhooks.list();
    if (json) out.json({ webhooks: found });
    else if (found.length === 0)
      err.line('There is no webhook yet. "techne webhook add NAME URL --event run.ended" makes one.');
    else
      out.write(
        renderTable(
          [
            ['NAME', 'STATE', 'EVENTS', 'PENDING', 'DEAD', 'URL'],
            ...found.map((one) => [
              printableLine(one.name),
              one.state,
              one.events.join(', '),
              String(one.pending),
              String(one.dead),
              printableLine(one.url),
            ]),
          ],
          columns,
        ),
      );
    return exitCodes.fine;
  });
}

export function runWebhookShow(context: CommandContext): Promise<number> {
  const { json, out } = context;
  return withWebhook(context, async (_serving, webhook) => {
    if (json) {
      out.json(webhook);
      return exitCodes.fine;
    }
    const { name, id, url, events, statuses, audiences, skills, include, server, state, by } = webhook;
    const all = (values: readonly string[]): string =>
      values.length === 0 ? 'all' : values.map(printableLine).join(', ');
    const rows: readonly (readonly [string, string])[] = [
      ['webhook', `${printableLine(name)}  ${id}`],
      ['url', printableLine(url)],
      ['events', events.join(', ')],
      ['only', `statuses: ${all(statuses)}; audiences: ${all(audiences)}; skills: ${all(skills)}`],
      ['includes', include.length === 0 ? 'ids, states and links' : `also ${include.join(', ')}`],
      ['server', server === null ? 'links are paths' : printableLine(server)],
      ['state', state === 'disabled' ? 'disabled: its receiver said that it is gone (410)' : state],
      ['queued', `${webhook.pending} pending, ${webhook.dead} dead`],
      ['added', `${timeText(webhook.madeAt)} by ${printableLine(by)}`],
      ...(webhook.rotatesUntil === null
        ? []
        : ([['secret', `the one before is used until ${timeText(webhook.rotatesUntil)}, too`]] as const)),
    ];
    out.write(rows.map(([key, value]) => `${key.padEnd(8)}  ${value}\n`).join(''));
    return exitCodes.fine;
  });
}

export function runWebhookPause(context: CommandContext): Promise<number> {
  return change(
    context,
    ({ webhooks }, { id }) => webhooks.pause(id),
    'keeps its deliveries until it is resumed',
  );
}

export function runWebhookResume(context: CommandContext): Promise<number> {
  return change(context, ({ webhooks }, { id }) => webhooks.resume(id), 'is delivered to');
}

export function runWebhookRemove(context: CommandContext): Promise<number> {
  const { json, out } = context;
  return withWebhook(context, async ({ webhooks }, webhook) => {
    await webhooks.remove(webhook.id);
    if (json) out.json(webhook);
    else out.line(`The webhook "${printableLine(webhook.name)}" is removed, with its deliveries.`);
    return exitCodes.fine;
  });
}

export function runWebhookRotate(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  const seconds = secondsOption(args, 'overlap', overlapSeconds);
  return withWebhook(context, async (serving, webhook) => {
    const secret = await rotateWebhook(serving, webhook, seconds);
    const rotated = await findWebhook(serving, webhook.id);
    if (json) out.json({ webhook: rotated, secret });
    else
      out.write(
        `secret  ${secret}\nPayloads have the signature of the old secret, too, until ${timeText(rotated.rotatesUntil ?? 0)}.\n`,
      );
    return exitCodes.fine;
  });
}

export function runWebhookTest(context: CommandContext): Promise<number> {
  const { json, out, err } = context;
  return withWebhook(context, async (serving, webhook) => {
    if (webhook.state !== 'active')
      throw new TechneError('USAGE', `the webhook "${printableLine(webhook.name)}" is ${webhook.state}`, {
        hint: `techne webhook resume ${webhook.name}`,
      });
    const { id } = await testWebhook(serving, webhook);
    const delivery = await outcomeOf(serving, id);
    if (json) out.json(delivery);
    else if (delivery.state === 'delivered') out.line(`${id} is delivered: it answered ${delivery.status}.`);
    else
      err.line(
        delivery.attempts === 0
          ? inStore(
              `${id} is queued, and no worker has sent it yet: is one running? (techne worker list)`,
              context.args.value('store'),
            )
          : `${id} is not delivered: ${printableLine(delivery.fault ?? '')}`,
      );
    return delivery.state === 'delivered' ? exitCodes.fine : exitCodes.files;
  });
}

async function outcomeOf({ webhooks }: Serving, id: string): Promise<Delivery> {
  for (let tries = 0; ; tries += 1) {
    const found = await webhooks.delivery(id);
    if (found === null) throw new TechneError('WEBHOOK_UNKNOWN', 'the webhook was removed meanwhile');
    if (found.attempts > 0 || tries === testTries) return found;
    await new Promise((resolve) => setTimeout(resolve, testPauseMs));
  }
}

export function runWebhookDeliveries(context: CommandContext): Promise<number> {
  const { args, json, out, err, columns } = context;
  const limit = numberOption(args, 'limit', 1, 1_000) ?? 50;
  const state = args.value('state') as DeliveryState | null;
  return withWebhook(context, async ({ webhooks }, { id }) => {
    const deliveries = await webhooks.deliveries(id, { state, limit });
    if (json) out.json({ deliveries });
    else if (deliveries.length === 0) err.line('There are no such deliveries.');
    else
      out.write(
        renderTable(
          [
            ['ID', 'TYPE', 'RUN', 'STATE', 'TRIES', 'AT', 'LAST'],
            ...deliveries.map((one) => [
              one.id,
              one.type,
              one.run ?? '',
              one.state,
              String(one.attempts),
              timeText(one.at),
              printableLine(one.fault ?? (one.status === null ? '' : String(one.status))),
            ]),
          ],
          columns,
        ),
      );
    return exitCodes.fine;
  });
}

export function runWebhookResend(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withWebhook(context, async (serving, webhook) => {
    const resent = await resendDeliveries(serving, webhook, args.positionals[1] ?? null);
    if (json) out.json({ resent });
    else out.line(`${resent} ${resent === 1 ? 'delivery is' : 'deliveries are'} tried again.`);
    return exitCodes.fine;
  });
}

function change(
  context: CommandContext,
  work: (serving: Serving, webhook: Webhook) => Promise<void>,
  said: string,
): Promise<number> {
  const { json, out } = context;
  return withWebhook(context, async (serving, webhook) => {
    await work(serving, webhook);
    if (json) out.json(await findWebhook(serving, webhook.id));
    else out.line(`The webhook "${printableLine(webhook.name)}" ${said}.`);
    return exitCodes.fine;
  });
}

function withWebhook(
  context: CommandContext,
  work: (serving: Serving, webhook: Webhook) => Promise<number>,
): Promise<number> {
  return withServing(context, what, async (serving) =>
    work(serving, await findWebhook(serving, context.args.positionals[0] as string)),
  );
}

function timeText(ms: number): string {
  return localTime(new Date(ms).toISOString());
}
