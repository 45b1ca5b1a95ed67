// Databases of a real Postgres for tests: one server for a whole run of vitest, started by the first test file that needs
// it and stopped by global-setup.ts; a database for each test file.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, QueryResultRow } from 'pg';
import pg from 'pg';
import { skipUnlessTool } from './skip-unless.ts';

export interface PostgresServer {
  /** Of the postmaster; null when it is not running. */
  readonly pid: number | null;
  readonly port: number;
  url(database?: string): string;
  start(): Promise<void>;
  end(mode?: 'fast' | 'immediate'): Promise<void>;
  restart(mode?: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

interface PostgresScript {
  readonly findPostgres: () => string | null;
  readonly startPostgres: (options?: {
    readonly durable?: boolean;
    readonly folder?: string;
    readonly settings?: { readonly [name: string]: string | number };
  }) => Promise<PostgresServer>;
  readonly postgresUrl: (port: number, database: string) => string;
}

const script = (await import(new URL('../../scripts/postgres.mjs', import.meta.url).href)) as PostgresScript;

/** For `describe.skipIf`. */
export const noPostgres = skipUnlessTool(
  script.findPostgres() !== null,
  'postgres is not installed (bash scripts/install-test-tools.sh)',
);

/** A server of this test alone, which it may stop and restart. */
export function startPostgres(): Promise<PostgresServer> {
  return script.startPostgres({ durable: false });
}

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Calls back for every notification of a channel. */
  listen(channel: string, onNotified: () => void): Promise<{ close(): Promise<void> }>;
  drop(): Promise<void>;
}

let made = 0;

/** A new database, of the shared server or of `server`. */
export async function createDatabase(server?: PostgresServer): Promise<TestDatabase> {
  const port = server?.port ?? (await sharedPort());
  const name = `test_${process.pid}_${(made += 1)}`;
  await withClient(script.postgresUrl(port, 'postgres'), (client) => client.query(`create database ${name}`));
  const url = script.postgresUrl(port, name);
  let client: Client | null = null;
  return {
    url,
    name,
    async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
      if (client === null) {
        client = new pg.Client({ connectionString: url });
        client.on('error', () => (client = null));
        await client.connect();
      }
      return (await client.query<Row>(text, [...values])).rows;
    },
    async listen(channel, onNotified) {
      const listener = new pg.Client({ connectionString: url });
      await listener.connect();
      listener.on('notification', onNotified);
      await listener.query(`listen "${channel}"`);
      return { close: () => listener.end() };
    },
    async drop() {
      await client?.end();
      await withClient(script.postgresUrl(port, 'postgres'), (admin) =>
        admin.query(`drop database if exists ${name} with (force)`),
      );
    },
  };
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** The variable names the folder that the server of this run of vitest is in. */
async function sharedPort(): Promise<number> {
  const folder = process.env['TECHNE_TEST_POSTGRES'];
  if (folder === undefined) throw new Error('vitest did not run test/support/global-setup.ts');
  const ready = join(folder, 'ready');
  if (isFirst(folder)) {
    try {
      const data = join(folder, 'server');
      mkdirSync(data);
      const { port, pid } = await script.startPostgres({ durable: false, folder: data });
      writeFileSync(ready, JSON.stringify({ port, pid }));
    } catch (error) {
      writeFileSync(ready, JSON.stringify({ fault: String(error) }));
      throw error;
    }
  }
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (existsSync(ready) && readFileSync(ready, 'utf8') !== '') {
      const { port, fault } = JSON.parse(readFileSync(ready, 'utf8')) as { port?: number; fault?: string };
      if (port === undefined) throw new Error(`postgres did not start: ${fault}`);
      return port;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('postgres did not start within a minute');
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'starting'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
