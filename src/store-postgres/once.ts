// Work that is done once for a whole store, whichever process comes first; the others wait for it.
import type { Database } from './database.ts';
import { pause } from './database.ts';
import type { Session } from './migrations.ts';

/** `makes`: the schema that the work makes. Where it is missing, such as after a restore without it, the work is done again. */
export async function doOnce(
  database: Database,
  name: string,
  makes: string,
  work: () => Promise<void>,
): Promise<void> {
  const done = {
    name: 'once_done',
    text: `select 1 from "${database.address.schema}".once where name = $1 and exists (select 1 from pg_namespace where nspname = $2)`,
  };
  if ((await database.ask(done, [name, makes])).length > 0) return;
  const client = await database.connect();
  try {
    await waitForTurn(client, name);
    if ((await database.ask(done, [name, makes])).length > 0) return;
    await work();
    await markDone(client, database.address.schema, name);
  } finally {
    // The lock ends with the connection.
    await client.end();
  }
}

/** Until the connection ends, no other process does this work. */
export async function waitForTurn(session: Session, name: string): Promise<void> {
  // Tried again and again: a statement that waits for the lock would hold up an index that is built concurrently.
  for (;;) {
    const { rows } = await session.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('techne once'), hashtext($1)) as mine`,
      [name],
    );
    if (rows[0]?.mine === true) return;
    await pause(200);
  }
}

export async function markDone(session: Session, schema: string, name: string): Promise<void> {
  await session.query(`insert into "${schema}".once (name) values ($1) on conflict do nothing`, [name]);
}
