// Webhooks, events and deliveries as tables. Events come from triggers of the tables of runs (migrations.ts).
import { TechneError } from '../base/error.ts';
import type {
  Delivery,
  DeliveryState,
  StoredEvent,
  TakenDelivery,
  Webhook,
  WebhookEvent,
  WebhookPart,
  Webhooks,
} from '../ports/webhooks.ts';
import type { Database } from './database.ts';
import type { Statement } from './queries.ts';

interface Row {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly statuses: readonly string[];
  readonly audiences: readonly string[];
  readonly skills: readonly string[];
  readonly include: readonly WebhookPart[];
  readonly server: string | null;
  readonly rotates_until: string | null;
  readonly state: Webhook['state'];
  readonly by: string;
  readonly made_at: string;
  readonly pending: string;
  readonly dead: string;
}

interface DeliveryRow {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly webhook: string;
  readonly type: string;
  readonly run: string | null;
  readonly state: DeliveryState;
  readonly made_at: string;
  readonly attempts: number;
  readonly at: string;
  readonly status: number | null;
  readonly fault: string | null;
}

interface TakenRow {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly run: string | null;
  readonly question: string | null;
  readonly body: string;
  readonly attempts: number;
  readonly url: string;
  readonly server: string | null;
  readonly name: string;
  readonly by: string;
  readonly secret: string;
  readonly secret_before: string | null;
}

/** `nowMs`: instead of the clock of the server. */
export function createWebhooks(database: Database, nowMs: (() => number) | null): Webhooks {
  const queries = createWebhookQueries(database.address.schema);
  const now = (): number | null => nowMs?.() ?? null;
  const tell = (statement: Statement, ...values: readonly unknown[]): Promise<readonly object[]> =>
    database.ask(statement, [now(), ...values], true);
  const find = async (name: string): Promise<Webhook | null> => {
    const [row] = await database.ask<Row>(queries.find, [name]);
    return row === undefined ? null : webhookOf(row);
  };
  return {
    async add(id, webhook) {
      const { name, url, events, statuses, audiences, skills, include, server, secret, by } = webhook;
      await tell(
        queries.add,
        id,
        name,
        url,
        [...events],
        [...statuses],
        [...audiences],
        [...skills],
        [...include],
        server,
        secret,
        by,
      );
      const found = await find(id);
      if (found === null)
        throw new TechneError('USAGE', `there is a webhook "${name}" already`, {
          hint: `choose another name; techne webhook show ${name}`,
        });
      return found;
    },
    list: async () => (await database.ask<Row>(queries.list, [])).map(webhookOf),
    find,
    pause: async (id) => void (await database.ask(queries.pause, [id], true)),
    resume: async (id) => void (await database.ask(queries.resume, [id], true)),
    remove: async (id) => void (await database.ask(queries.remove, [id], true)),
    rotate: async (id, secret, overlapMs) => void (await tell(queries.rotate, id, secret, overlapMs)),
    deliveries: async (webhook, { state, limit }) =>
      (await database.ask<DeliveryRow>(queries.deliveries, [webhook, state, limit])).map(deliveryOf),
    async delivery(id) {
      const [row] = await database.ask<DeliveryRow>(queries.delivery, [id]);
      return row === undefined ? null : deliveryOf(row);
    },
    async enqueue(deliveries) {
      for (const { id, webhook, type, run, question, body } of deliveries)
        await tell(queries.enqueue, id, webhook, type, run, question, body);
    },
    resend: async (webhook, id) =>
      (
        await tell(
          id === null ? queries.resendDead : queries.resendOne,
          webhook,
          ...(id === null ? [] : [id]),
        )
      ).length,
    async hasWork() {
      const [row] = await database.ask<{ work: boolean }>(queries.hasWork, []);
      return row?.work === true;
    },
    takeEvents: async (leaseMs, limit) =>
      ((await tell(queries.takeEvents, leaseMs, limit)) as readonly (StoredEvent & { at: string })[])
        .map(({ id, run, kind, at }): StoredEvent => ({ id, run, kind, at: Number(at) }))
        .toSorted((a, b) => Number(a.id) - Number(b.id)),
    settleEvents: async (ids) => void (await database.ask(queries.settleEvents, [[...ids]], true)),
    due: async (except) =>
      ((await tell(queries.due, [...except])) as readonly { id: string }[]).map(({ id }) => id),
    take: async (webhook, leaseMs, limit) =>
      ((await tell(queries.take, webhook, leaseMs, limit)) as readonly TakenRow[]).map(takenOf),
    async settle(id, { state, waitMs, status, fault, disables }) {
      await tell(
        queries.settle,
        id,
        state,
        Math.round(waitMs),
        status,
        fault === null ? null : cut(fault),
        disables,
      );
    },
    async sweep(deliveredMs, deadMs) {
      await tell(queries.sweep, deliveredMs, 'delivered');
      await tell(queries.sweep, deadMs, 'dead');
    },
  };
}

/** The server takes no NUL, and no one reads more. */
function cut(fault: string): string {
  return fault.replaceAll('\0', '').slice(0, 500);
}

function webhookOf(row: Row): Webhook {
  const { id, name, url, events, statuses, audiences, skills, include, server, state, by } = row;
  return {
    id,
    name,
    url,
    events,
    statuses,
    audiences,
    skills,
    include,
    server,
    by,
    state,
    madeAt: Number(row.made_at),
    rotatesUntil: row.rotates_until === null ? null : Number(row.rotates_until),
    pending: Number(row.pending),
    dead: Number(row.dead),
  };
}

function deliveryOf({
  id,
  webhook,
  type,
  run,
  state,
  made_at,
  attempts,
  at,
  status,
  fault,
}: DeliveryRow): Delivery {
  return { id, webhook, type, run, state, madeAt: Number(made_at), attempts, at: Number(at), status, fault };
}

function takenOf({
  id,
  run,
  question,
  body,
  attempts,
  url,
  server,
  name,
  by,
  secret,
  secret_before,
}: TakenRow): TakenDelivery {
  const secrets = secret_before === null ? [secret] : [secret, secret_before];
  return { id, run, question, body, attempts, url, server, webhookName: name, by, secrets };
}

export function createWebhookQueries(schema: string) {
  const s = `"${schema}"`;
  /** The clock of the server, unless a test gives another. */
  const now = 'coalesce($1::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)';
  const columns = `w.id, w.name, w.url, w.events, w.statuses, w.audiences, w.skills, w.include, w.server, w.rotates_until, w.state,
    w.by, w.made_at,
    (select count(*) from ${s}.delivery d where d.webhook = w.id and d.state = 'pending') as pending,
    (select count(*) from ${s}.delivery d where d.webhook = w.id and d.state = 'dead') as dead`;
  const ofDelivery =
    'd.id, d.webhook, d.type, d.run, d.state, d.made_at, d.attempts, d.at, d.status, d.fault';
  const again = `state = 'pending', attempts = 0, at = ${now}, taken_until = null`;
  const statement = (name: string, text: string): Statement => ({
    name: `webhook_${name}`,
    text: text.replace(/\s+/g, ' ').trim(),
  });
  return {
    add: statement(
      'add',
      `insert into ${s}.webhook (made_at, id, name, url, events, statuses, audiences, skills, include, server, secret, by)
      values (${now}, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`,
    ),
    list: statement('list', `select ${columns} from ${s}.webhook w order by w.name`),
    find: statement('find', `select ${columns} from ${s}.webhook w where w.name = $1 or w.id = $1 limit 1`),
    pause: statement('pause', `update ${s}.webhook set state = 'paused' where id = $1 and state = 'active'`),
    resume: statement('resume', `update ${s}.webhook set state = 'active' where id = $1`),
    remove: statement(
      'remove',
      `with gone as (delete from ${s}.webhook where id = $1)
      delete from ${s}.delivery where webhook = $1`,
    ),
    /** Sent twice, it changes nothing more. */
    rotate: statement(
      'rotate',
      `update ${s}.webhook set secret_before = secret, secret = $3, rotates_until = ${now} + $4::bigint
      where id = $2 and secret <> $3`,
    ),
    deliveries: statement(
      'deliveries',
      `select ${ofDelivery} from ${s}.delivery d where d.webhook = $1 and ($2::text is null or d.state = $2)
      order by d.made_at desc, d.id limit $3`,
    ),
    delivery: statement('delivery', `select ${ofDelivery} from ${s}.delivery d where d.id = $1`),
    enqueue: statement(
      'enqueue',
      `insert into ${s}.delivery (id, webhook, type, run, question, body, made_at, at)
      select $2, w.id, $4, $5, $6, $7, ${now}, ${now} from ${s}.webhook w where w.id = $3 on conflict do nothing`,
    ),
    resendDead: statement(
      'resend_dead',
      `update ${s}.delivery set ${again} where webhook = $2 and state = 'dead' returning id`,
    ),
    resendOne: statement(
      'resend_one',
      `update ${s}.delivery set ${again} where webhook = $2 and id = $3 returning id`,
    ),
    /** By the ends of indexes. */
    hasWork: statement(
      'has_work',
      `select (select id from ${s}.event order by id limit 1) is not null
        or (select at from ${s}.delivery where state = 'pending' order by webhook, at limit 1) is not null as work`,
    ),
    takeEvents: statement(
      'take_events',
      `update ${s}.event e set taken_until = ${now} + $2::bigint where e.id = any(array(
        select id from ${s}.event where taken_until is null or taken_until <= ${now} order by id limit $3 for update skip locked))
      returning e.id, e.run, e.kind, e.at`,
    ),
    settleEvents: statement('settle_events', `delete from ${s}.event where id = any($1::bigint[])`),
    due: statement(
      'due',
      `select w.id from ${s}.webhook w where w.state = 'active' and not w.id = any($2::text[]) and exists (
        select 1 from ${s}.delivery d where d.webhook = w.id and d.state = 'pending' and d.at <= ${now}
          and (d.taken_until is null or d.taken_until <= ${now}))`,
    ),
    take: statement(
      'take',
      `update ${s}.delivery d set taken_until = ${now} + $3::bigint from ${s}.webhook w
      where w.id = $2 and w.state = 'active' and d.id in (
        select id from ${s}.delivery where webhook = $2 and state = 'pending' and at <= ${now}
          and (taken_until is null or taken_until <= ${now})
        order by at limit $4 for update skip locked)
      returning d.id, d.run, d.question, d.body, d.attempts, w.url, w.server, w.name, w.by, w.secret,
        case when w.rotates_until > ${now} then w.secret_before end as secret_before`,
    ),
    /** What was delivered stays delivered, also when a second worker failed with it. */
    settle: statement(
      'settle',
      `with settled as (
        update ${s}.delivery set state = $3, attempts = attempts + 1, at = ${now} + $4::bigint, taken_until = null, status = $5,
          fault = $6
        where id = $2 and state <> 'delivered' returning webhook)
      update ${s}.webhook w set state = 'disabled' from settled where w.id = settled.webhook and $7::boolean`,
    ),
    sweep: statement(
      'sweep',
      `delete from ${s}.delivery where id = any(array(
        select id from ${s}.delivery where state = $3 and state <> 'pending' and at < ${now} - $2::bigint order by at limit 1000))`,
    ),
  } as const satisfies { readonly [name: string]: Statement };
}
