import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import { started, trace } from '../journal/sample-entries.ts';
import { TechneError } from '../base/error.ts';
import { parseStoreAddress } from './address.ts';
import { migrate, schemaVersion } from './migrations.ts';
import { openPostgresStore } from './open-store.ts';

const fault = async (url: string): Promise<TechneError> => {
  const opened = openPostgresStore({ address: parseStoreAddress(url), retryMs: 0 });
  try {
    await opened.check();
    throw new Error('it was opened');
  } catch (error) {
    if (error instanceof TechneError) return error;
    throw error;
  } finally {
    await opened.store.close();
  }
};

describe('parseStoreAddress', () => {
  it('shows everything but the password', () => {
    expect(
      parseStoreAddress('postgres://me:p%40ss@db.example:5433/runs?sslmode=require&schema=team_a'),
    ).toEqual({
      url: 'postgres://me:p%40ss@db.example:5433/runs?sslmode=require',
      schema: 'team_a',
      shown: 'postgres://me@db.example:5433/runs?sslmode=require&schema=team_a',
      host: 'db.example:5433',
      database: 'runs',
      user: 'me',
      leaseMs: 15_000,
    });
    expect(parseStoreAddress('postgres://me@db/x?password=geheim').shown).not.toContain('geheim');
  });

  it.each([
    'postgres://me:geheim@',
    'mysql://me:geheim@db/x',
    'geheim',
    'postgres://u:geheim@h/x?schema=a"b',
    'postgres://h/x?schema=pg_temp',
  ])('refuses %s without repeating it', (text) => {
    const error = (() => {
      try {
        return parseStoreAddress(text);
      } catch (thrown) {
        return thrown as TechneError;
      }
    })() as TechneError;
    expect([error.code, error.message.includes('geheim'), error.hint?.includes('geheim')]).toEqual([
      'USAGE',
      false,
      false,
    ]);
  });
});

describe.skipIf(noPostgres)('openPostgresStore', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());
  const altered = (change: (url: URL) => void): string => {
    const url = new URL(database.url);
    change(url);
    return url.toString();
  };

  it('says that no server is there', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    );
    await new Promise((resolve) => server.close(resolve));
    const error = await fault(altered((url) => (url.port = String(port))));
    expect(error).toMatchObject({
      code: 'ENVIRONMENT',
      message: `Postgres at 127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
    expect(error.hint).toContain('is the server running');
  });

  it('says that the password is wrong, and shows neither', async () => {
    const error = await fault(altered((url) => (url.password = 'geheim')));
    expect(error).toMatchObject({
      code: 'ENVIRONMENT',
      message: expect.stringContaining(
        'refuses the user "techne": the password is wrong, or missing',
      ) as string,
    });
    expect(`${error.message}${error.hint}`).not.toContain('geheim');
  });

  it('says that there is no such database', async () => {
    expect(await fault(altered((url) => (url.pathname = '/nowhere')))).toMatchObject({
      code: 'ENVIRONMENT',
      message: expect.stringContaining('has no database "nowhere"') as string,
      hint: 'create it: createdb --host 127.0.0.1 nowhere',
    });
  });

  it('says that the server is too old', async () => {
    const client = { query: async () => ({ rows: [{ server: 130_012, made: false }] }) };
    const address = parseStoreAddress('postgres://me@db/x');
    await expect(migrate(client as never, address)).rejects.toMatchObject({
      code: 'ENVIRONMENT',
      message: 'Postgres at db is version 13, and techne needs 14 or newer',
    });
  });

  it('refuses tables of a newer techne, and changes nothing', async () => {
    const url = `${database.url}?schema=newer`;
    const opened = openPostgresStore({ address: parseStoreAddress(url) });
    await opened.check();
    await opened.store.close();
    await database.query('insert into newer.migration (version) values ($1)', [schemaVersion + 1]);
    expect(await fault(url)).toMatchObject({
      code: 'ENVIRONMENT',
      message: expect.stringContaining(`version ${schemaVersion + 1} of the tables`) as string,
      hint: 'a newer techne wrote them: update this one',
    });
  });

  it('migrates once when many processes start together', async () => {
    const url = `${database.url}?schema=together`;
    const stores = Array.from({ length: 6 }, () => openPostgresStore({ address: parseStoreAddress(url) }));
    await Promise.all(stores.map((each) => each.check()));
    expect(await database.query('select version from together.migration order by version')).toEqual(
      Array.from({ length: schemaVersion }, (_, at) => ({ version: at + 1 })),
    );
    await Promise.all(stores.map(({ store }) => store.close()));
  });

  it('says which right a user lacks, at the start and later', async () => {
    const run = '01HF7YAT000000000000000000';
    await database.query(`create role guest_${database.name} login password 'guest'`);
    const guest = altered((url) => {
      url.username = `guest_${database.name}`;
      url.password = 'guest';
      url.searchParams.set('schema', 'rights');
    });
    expect(await fault(guest)).toMatchObject({
      code: 'ENVIRONMENT',
      message: expect.stringContaining('permission denied for database') as string,
      hint: expect.stringContaining('grant usage on schema rights') as string,
    });
    const owner = openPostgresStore({ address: parseStoreAddress(`${database.url}?schema=rights`) });
    await owner.check();
    await owner.store.close();
    await database.query(`grant usage on schema rights to guest_${database.name}`);
    await database.query(
      `grant select, insert, update, delete on all tables in schema rights to guest_${database.name}`,
    );
    const { store } = openPostgresStore({ address: parseStoreAddress(guest) });
    const claim = await store.create(run, [started(run)]);
    await database.query(`revoke update on all tables in schema rights from guest_${database.name}`);
    await expect(store.append(claim, 1, [trace('a')])).rejects.toMatchObject({
      code: 'ENVIRONMENT',
      message: expect.stringContaining('permission denied for table run') as string,
    });
    await database.query(`grant update on all tables in schema rights to guest_${database.name}`);
    await store.append(claim, 1, [trace('a')]);
    await store.close();
    await database.query(`drop owned by guest_${database.name}`);
    await database.query(`drop role guest_${database.name}`);
  });
});
