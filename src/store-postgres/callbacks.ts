// Callback tokens as a table: hashes, what they are for, and until when.
import type { Callback, Callbacks } from '../ports/callbacks.ts';
import type { Database } from './database.ts';
import type { Statement } from './queries.ts';

interface Row {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly digest: string;
  readonly run: string;
  readonly question: string;
  readonly nonce: string;
  readonly name: string;
  readonly by: string;
  readonly made_at: string;
  readonly expires_at: string;
  readonly state: Callback['state'];
}

/** A token that was guessed at so often is revoked. */
const mostFailures = 10;

/** `nowMs`: instead of the clock of the server. */
export function createCallbacks(database: Database, nowMs: (() => number) | null): Callbacks {
  const queries = createCallbackQueries(database.address.schema);
  const ask = (statement: Statement, ...values: readonly unknown[]): Promise<readonly Row[]> =>
    database.ask<Row>(statement, [nowMs?.() ?? null, ...values], true);
  const find = async (id: string): Promise<Callback | null> => {
    const [row] = await ask(queries.find, id);
    return row === undefined ? null : callbackOf(row);
  };
  return {
    async add({ id, digest, run, question, nonce, name, by, seconds }) {
      await ask(queries.add, id, digest, run, question, nonce, name, by, Math.round(seconds * 1000));
      return (await find(id)) as Callback;
    },
    find,
    list: async (run) =>
      (await (run === null ? ask(queries.listAll) : ask(queries.list, run))).map(callbackOf),
    failed: async (id) => void (await ask(queries.failed, id, mostFailures)),
    close: async (run, question, usedBy) => void (await ask(queries.close, run, question, usedBy)),
    revoke: async (id) => (await ask(queries.revoke, id)).length > 0,
    sweep: async (olderThanMs) => void (await ask(queries.sweep, olderThanMs)),
  };
}

function callbackOf({
  id,
  digest,
  run,
  question,
  nonce,
  name,
  by,
  made_at,
  expires_at,
  state,
}: Row): Callback {
  const times = { madeAt: Number(made_at), expiresAt: Number(expires_at) };
  return { id, digest, run, question, nonce, name, by, ...times, state };
}

export function createCallbackQueries(schema: string) {
  const s = `"${schema}"`;
  const now = 'coalesce($1::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)';
  const columns = `id, digest, run, question, nonce, name, by, made_at, expires_at, case when used_at is not null then 'used'
    when revoked_at is not null then 'revoked' when expires_at <= ${now} then 'expired' else 'open' end as state`;
  const statement = (name: string, text: string): Statement => ({
    name: `callback_${name}`,
    text: text.replace(/\s+/g, ' ').trim(),
  });
  return {
    add: statement(
      'add',
      `insert into ${s}.callback (made_at, id, digest, run, question, nonce, name, by, expires_at)
      values (${now}, $2, $3, $4, $5, $6, $7, $8, ${now} + $9::bigint) on conflict do nothing`,
    ),
    find: statement('find', `select ${columns} from ${s}.callback where id = $2`),
    list: statement('list', `select ${columns} from ${s}.callback where run = $2 order by made_at desc, id`),
    listAll: statement('list_all', `select ${columns} from ${s}.callback order by expires_at desc limit 100`),
    failed: statement(
      'failed',
      `update ${s}.callback set failures = failures + 1,
        revoked_at = case when failures + 1 >= $3::int then coalesce(revoked_at, ${now}) else revoked_at end where id = $2`,
    ),
    close: statement(
      'close',
      `update ${s}.callback set used_at = case when id = $4::text then ${now} end, revoked_at = ${now}
      where run = $2 and question = $3 and used_at is null and revoked_at is null`,
    ),
    revoke: statement(
      'revoke',
      `update ${s}.callback set revoked_at = ${now}
      where id = $2 and used_at is null and revoked_at is null and expires_at > ${now} returning id`,
    ),
    sweep: statement(
      'sweep',
      `delete from ${s}.callback where id = any(array(
        select id from ${s}.callback where expires_at < ${now} - $2::bigint order by expires_at limit 1000))`,
    ),
  } as const satisfies { readonly [name: string]: Statement };
}
