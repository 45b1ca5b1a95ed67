// A connection for those who look after a store: it migrates nothing by itself.
import type { StoreAddress } from '../address.ts';
import { loadDriver } from '../driver.ts';
import { openFault } from '../faults.ts';
import { systemPath } from '../database.ts';
import type { Session } from '../migrations.ts';

const connectMs = 10_000;
/** Long enough for a migration of large tables. */
const statementMs = 3_600_000;

/** Throws ENVIRONMENT where the server cannot be reached, or refuses what is asked. */
export async function withSession<T>(
  address: StoreAddress,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { Client } = await loadDriver();
  const client = new Client({
    connectionString: address.url,
    application_name: 'techne',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
  });
  // Whoever waits for a statement gets the fault.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(systemPath);
    return await work(client);
  } catch (error) {
    throw openFault(error, address);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** All of it, or nothing. */
export async function inTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.query('begin');
  try {
    const made = await work();
    await session.query('commit');
    return made;
  } catch (error) {
    // Where the connection is gone, so is the transaction.
    await session.query('rollback').catch(() => undefined);
    throw error;
  }
}

export async function rowsOf<Row extends object>(
  session: Session,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await session.query<Row>(text, [...values])).rows;
}
