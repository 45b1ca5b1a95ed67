// The connections of a store: a pool for questions, lanes for appends, one that listens.
//
// Nothing is connected before it is needed; the first connection checks the server and migrates the tables. A connection that
// broke is thrown away, and the next statement opens another. Sockets that no one answers on are given up after a limit of
// time (`query_timeout`): without it a cut cable would hang for ever.
import { TechneError } from '../base/error.ts';
import type { StoreAddress } from './address.ts';
import type { Client, Pool, QueryResultRow } from './driver.ts';
import { loadDriver } from './driver.ts';
import { isFromServer, isOfConnection, isPassing, openFault, storeFault } from './faults.ts';
import { migrate } from './migrations.ts';
import type { Statement } from './queries.ts';

export interface DatabaseOptions {
  readonly address: StoreAddress;
  /** Default: true. Without it, a crash of the server can lose what was appended just before. */
  readonly durable?: boolean;
  /** How long a fault that passes is waited out. Default: 30,000. */
  readonly retryMs?: number;
  /** How long a statement may take. Default: 30,000. */
  readonly statementMs?: number;
  /** Connections for questions. Default: 8. */
  readonly poolSize?: number;
}

/** Of each connection: no object of another user of the database can take the place of a function or an operator. */
export const systemPath = 'set search_path = pg_catalog';

const connectMs = 10_000;
const pauseMs = 100;

export class Database {
  readonly address: StoreAddress;
  readonly #retryMs: number;
  readonly #options: DatabaseOptions;
  #opened: Promise<Pool> | null = null;
  readonly #lanes = new Set<Lane>();
  #channel = '';
  #isClosed = false;

  constructor(options: DatabaseOptions) {
    this.address = options.address;
    this.#retryMs = options.retryMs ?? 30_000;
    this.#options = options;
  }

  /** Checks that the store can be used, once. Throws ENVIRONMENT. */
  async open(): Promise<void> {
    await this.#pool();
  }

  /** Whether it was ever used: what was not opened has nothing to leave behind. */
  get wasOpened(): boolean {
    return this.#opened !== null;
  }

  /** Where processes of this store tell each other something; other users of the database cannot guess it. */
  async channel(about: 'runs' | 'kicks'): Promise<string> {
    await this.#pool();
    return `techne_${this.#channel}_${about}`;
  }

  /** One statement, tried once. Throws what the driver throws. */
  async once<Row extends QueryResultRow>(
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const pool = await this.#pool();
    return (await pool.query<Row>({ name, text, values: [...values] })).rows;
  }

  /** One statement that may be repeated: tried again while a fault passes. Throws a TechneError. */
  ask<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
    writing = false,
  ): Promise<readonly Row[]> {
    return this.patiently(() => this.once<Row>(statement, values), writing);
  }

  /** `work` must be safe to repeat. Throws a TechneError when it fails, or a fault does not pass in time. */
  async patiently<T>(work: (attempt: number) => Promise<T>, writing = false): Promise<T> {
    const until = performance.now() + this.#retryMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(attempt);
      } catch (error) {
        if (!isPassing(error) || this.#isClosed || performance.now() > until)
          throw storeFault(error, this.address, writing);
        await pause(pauseMs);
      }
    }
  }

  /** A connection of its own, for statements one after the other. */
  lane(): Lane {
    const lane = new Lane(() => this.connect());
    this.#lanes.add(lane);
    return lane;
  }

  /** A connection that the caller ends. */
  async connect(): Promise<Client> {
    await this.#pool();
    return this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#lanes].map((lane) => lane.close()));
    const opened = this.#opened;
    this.#opened = null;
    await (await opened?.catch(() => null))?.end();
  }

  #pool(): Promise<Pool> {
    if (this.#isClosed) return Promise.reject(new TechneError('USAGE', 'the store of runs is closed'));
    this.#opened ??= this.#open().catch((error: unknown) => {
      // The next call tries again.
      this.#opened = null;
      throw openFault(error, this.address);
    });
    return this.#opened;
  }

  async #open(): Promise<Pool> {
    const { Pool: PoolOf } = await loadDriver();
    const pool = new PoolOf({
      ...this.#connection(),
      max: this.#options.poolSize ?? 8,
      idleTimeoutMillis: 10_000,
      allowExitOnIdle: true,
    });
    // An idle connection that breaks is replaced by the pool when one is needed.
    pool.on('error', () => undefined);
    // Before every other statement of the connection. One that breaks meanwhile shows with the next statement.
    pool.on('connect', (client) => void client.query(systemPath).catch(() => undefined));
    try {
      const client = await pool.connect();
      // The pool listens only to connections that no one uses.
      client.on('error', () => undefined);
      try {
        await migrate(client, this.address);
        const { rows } = await client.query<{ value: string }>(
          `select value from "${this.address.schema}".setting where name = 'channel'`,
        );
        this.#channel = rows[0]?.value ?? '';
        client.release();
      } catch (error) {
        client.release(error as Error);
        throw error;
      }
    } catch (error) {
      await pool.end();
      throw error;
    }
    return pool;
  }

  async #connect(): Promise<Client> {
    const { Client: ClientOf } = await loadDriver();
    const client = new ClientOf(this.#connection());
    // Whoever waits for a statement gets the fault; one that breaks while idle shows when it is used.
    client.on('error', () => undefined);
    await client.connect();
    await client.query(systemPath);
    return client;
  }

  #connection(): object {
    return {
      connectionString: this.address.url,
      application_name: 'techne',
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
      query_timeout: this.#options.statementMs ?? 30_000,
      ...(this.#options.durable === false ? { options: '-c synchronous_commit=off' } : {}),
    };
  }
}

/** One connection, opened when it is needed and again after it broke. One statement at a time. */
export class Lane {
  readonly #connect: () => Promise<Client>;
  #client: Promise<Client> | null = null;

  constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  async query<Row extends QueryResultRow>(
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    this.#client ??= this.#connect();
    const opening = this.#client;
    try {
      const client = await opening;
      return (await client.query<Row>({ name, text, values: values as unknown[] })).rows;
    } catch (error) {
      if (!isFromServer(error) || isOfConnection(error)) this.#drop(opening);
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => null);
    this.#client = null;
    await client?.end();
  }

  #drop(opening: Promise<Client>): void {
    if (this.#client === opening) this.#client = null;
    opening.then(
      (client) => void client.end().catch(() => undefined),
      () => undefined,
    );
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
