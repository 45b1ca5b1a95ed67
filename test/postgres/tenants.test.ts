// Two tenants of one database, as the user of one of them: what it can reach of the other, table by table.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { started, trace } from '../../src/journal/sample-entries.ts';
import { parseStoreAddress } from '../../src/store-postgres/address.ts';
import { Database } from '../../src/store-postgres/database.ts';
import type { PostgresStore } from '../../src/store-postgres/open-store.ts';
import { openPostgresStore } from '../../src/store-postgres/open-store.ts';
import type { AddedTenant, StoreAdmin } from '../../src/techne/store/open-admin.ts';
import { withStoreAdmin } from '../../src/techne/store/open-admin.ts';
import { openDispatcher } from '../../src/worker/dbos-queue.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { createDatabase, noPostgres } from '../support/postgres.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const secret = 'the-secret-of-b';
const runOfA = '01HF7YAT00000000000000000A';
const runOfB = '01HF7YAT00000000000000000B';

describe.skipIf(noPostgres)('two tenants', () => {
  let database: TestDatabase;
  let a: AddedTenant;
  let b: AddedTenant;
  let storeOfA: PostgresStore;
  let storeOfB: PostgresStore;
  let asA: Client;
  let tables: readonly { readonly schema: string; readonly table: string; readonly column: string }[];
  let world: World;
  const closing: (() => Promise<unknown>)[] = [];
  let adminUrl = '';
  const admin = <T>(work: (given: StoreAdmin) => Promise<T>): Promise<T> =>
    withStoreAdmin({ homeFolder: '/nowhere', cwd: '/nowhere', store: adminUrl }, work);
  const urlOf = ({ address, password }: AddedTenant): string => {
    const url = new URL(address);
    url.password = password ?? '';
    return url.toString();
  };
  const connect = async (tenant: AddedTenant): Promise<Client> => {
    const url = new URL(urlOf(tenant));
    url.search = '';
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    closing.push(() => client.end());
    return client;
  };
  const open = (tenant: AddedTenant): PostgresStore => {
    const opened = openPostgresStore({ address: parseStoreAddress(urlOf(tenant)) });
    closing.push(() => opened.store.close());
    return opened;
  };
  /** The code of the error, or what came back. */
  const tried = async (client: Client, text: string, values: unknown[] = []): Promise<unknown> => {
    try {
      return (await client.query(text, values)).rows;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  beforeAll(async () => {
    database = await createDatabase();
    world = createWorld({
      'work/.techne/skills/hello/SKILL.md':
        '---\nname: hello\ndescription: Says hello. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n',
      'work/.techne/skills/hello/SKILL.star': 'def run(input):\n    return "hello %s" % input["who"]\n',
    });
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        trust: { folders: [world.workspace] },
      }),
    });
    const role = (name: string): string => `${database.name}_${name}`;
    // Less than a superuser, and not the owner of the database.
    await database.query(`create role ${role('admin')} login createrole password 'admin'`);
    await database.query(`grant create on database ${database.name} to ${role('admin')}`);
    const url = new URL(database.url);
    url.username = role('admin');
    url.password = 'admin';
    adminUrl = url.toString();
    a = await admin((given) => given.addTenant('a', { role: role('a') }));
    b = await admin((given) => given.addTenant('b', { role: role('b') }));
    storeOfA = open(a);
    storeOfB = open(b);
    const order = { queue: 'default', priority: 0, tenant: null, key: secret, digest: null, by: secret };
    await storeOfB.served.add(runOfB, order);
    const claim = await storeOfB.store.create(runOfB, [started(runOfB)]);
    await storeOfB.store.append(claim, 1, [trace(secret)]);
    await storeOfB.blobs.put(Buffer.from(secret));
    await storeOfB.store.post(runOfB, { kind: 'cancel', reason: secret, by: secret });
    await storeOfB.store.release(claim);
    const dispatcher = await openDispatcher({
      url: parseStoreAddress(urlOf(b)).url,
      schema: `${b.schema}_queue`,
      onFault: () => undefined,
    });
    await dispatcher.enqueue({ run: runOfB, id: secret, queue: 'default', priority: 0 });
    await dispatcher.close();
    await storeOfA.served.add(runOfA, order);
    await storeOfA.store.release(await storeOfA.store.create(runOfA, [started(runOfA)]));
    await database.query('analyze');
    asA = await connect(a);
    tables = await database.query(
      `select n.nspname as schema, c.relname as table, a.attname as column
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
      where n.nspname in ($1, $2) and c.relkind = 'r' order by 1, 2`,
      [b.schema, `${b.schema}_queue`],
    );
  }, 120_000);
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    for (const { name } of await admin((given) => given.tenants()))
      await admin(async (given) => given.removeTenant(await given.findTenant(name)));
    await database.drop();
    const server = await createDatabase();
    await server.query(`drop role ${database.name}_admin`);
    await server.drop();
    world.remove();
  });

  it('cannot read or write a table of each other, nor of its queue', async () => {
    expect(tables.length).toBeGreaterThan(18);
    expect(tables.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['run', 'entry', 'inbox', 'blob', 'served', 'workflow_status']),
    );
    const statements = [
      (at: string) => `select * from ${at}`,
      (at: string) => `select count(*) from ${at}`,
      (at: string) => `insert into ${at} default values`,
      (at: string, column: string) => `update ${at} set "${column}" = null`,
      (at: string) => `delete from ${at}`,
      (at: string) => `truncate ${at}`,
      (at: string) => `select * from ${at} for share`,
      (at: string) => `copy ${at} to stdout`,
      (at: string) => `drop table ${at}`,
      (at: string) => `alter table ${at} disable row level security`,
      (at: string) =>
        `create trigger x before insert on ${at} execute function pg_catalog.suppress_redundant_updates_trigger()`,
    ];
    const reached: string[] = [];
    for (const { schema, table, column } of tables)
      for (const statement of statements) {
        const text = statement(`"${schema}"."${table}"`, column);
        const code = await tried(asA, text);
        if (code !== '42501') reached.push(`${text}: ${JSON.stringify(code)}`);
      }
    expect(reached).toEqual([]);
    for (const { schema, table } of tables) {
      const rights = await database.query<{ any: boolean }>(
        `select has_table_privilege($1, $2, 'select, insert, update, delete, truncate, references, trigger') as any`,
        [a.role, `"${schema}"."${table}"`],
      );
      expect([table, rights]).toEqual([table, [{ any: false }]]);
    }
  });

  it('cannot do more than use its own tables', async () => {
    const s = `"${a.schema}"`;
    const refused = [
      `create table ${s}.x (a int)`,
      `create function ${s}.f() returns int language sql as 'select 1'`,
      `alter table ${s}.run add column x int`,
      `drop table ${s}.run`,
      `truncate ${s}.run`,
      `create schema x`,
      `create role x`,
      `alter role "${a.role}" createdb`,
      `create extension pg_stat_statements`,
      `set role "${b.role}"`,
      `set session authorization "${b.role}"`,
      `insert into ${s}.migration (version) values (99)`,
      `update ${s}.setting set value = 'b' where name = 'tenant'`,
      `copy ${s}.run to program 'cat'`,
      `select pg_read_file('postgresql.conf')`,
      `select lo_import('/etc/passwd')`,
      `alter system set fsync = off`,
    ];
    const done: string[] = [];
    for (const text of refused) {
      const code = await tried(asA, text);
      if (code !== '42501' && code !== '58P01') done.push(`${text}: ${JSON.stringify(code)}`);
    }
    expect(done).toEqual([]);
    // The server only warns of rights that one does not have to give.
    await asA.query(`grant select on ${s}.run to "${b.role}"`);
    expect(await tried(await connect(b), `select * from ${s}.run`)).toBe('42501');
    const [role] = await database.query(
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, rolcanlogin from pg_roles where rolname = $1`,
      [a.role],
    );
    expect(role).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      rolcanlogin: true,
    });
  });

  it('learns nothing of the content of another from the catalogue', async () => {
    const views = await database.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('pg_catalog', 'information_schema') and c.relkind in ('r', 'v')`,
    );
    expect(views.length).toBeGreaterThan(100);
    const leaking: string[] = [];
    for (const { name } of views) {
      const rows = await tried(asA, `select * from ${name} t where t::text like $1 limit 1`, [
        `%${secret.slice(0, 12)}%`,
      ]);
      // What this very statement is given is in the list of its own statements.
      if (Array.isArray(rows) && rows.length > 0 && !JSON.stringify(rows).includes('t::text like'))
        leaking.push(name);
    }
    expect(leaking).toEqual([]);
    // The statistics of the server do have the content: as the administrator one sees it.
    const [seen] = await database.query<{ known: boolean }>(
      `select exists (select 1 from pg_stats where schemaname = $1 and tablename = 'entry') as known`,
      [b.schema],
    );
    expect(seen).toEqual({ known: true });
    expect(await tried(asA, `select 1 from pg_stats where schemaname = $1`, [b.schema])).toEqual([]);
  });

  it('is told nothing that is meant for another, and cannot make it do anything', async () => {
    const heard: string[] = [];
    asA.on('notification', ({ payload }) => heard.push(payload ?? ''));
    for (const channel of [
      `${b.schema}_runs`,
      `${b.schema}_kicks`,
      'techne_runs',
      'techne_kicks',
      'techne__runs',
    ])
      await asA.query(`listen "${channel}"`);
    const told: string[] = [];
    const listening = await storeOfB.served.listen((queue, run) => told.push(`${queue} ${run}`));
    await storeOfB.served.tell('default', runOfB);
    const claim = await storeOfB.store.claim(runOfB);
    await storeOfB.store.append(claim, claim.seq, [trace('more')]);
    await storeOfB.store.release(claim);
    await expect.poll(() => told).toEqual([`default ${runOfB}`]);
    await asA.query('select 1');
    expect(heard).toEqual([]);
    // Even with the name of the channel: what is told costs a look, and a run that is not there is not driven.
    const [{ value } = { value: '' }] = await database.query<{ value: string }>(
      `select value from ${b.schema}.setting where name = 'channel'`,
    );
    expect(value).toMatch(/^[0-9a-f]{32}$/);
    await asA.query(`select pg_notify($1, $2)`, [`techne_${value}_kicks`, `default ${runOfA}`]);
    await expect.poll(() => told).toContain(`default ${runOfA}`);
    expect(await storeOfB.served.find(runOfA)).toBe(null);
    await expect(storeOfB.store.claim(runOfA)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    await listening.close();
  });

  it('lists, reads and is given only its own runs', async () => {
    const list = async ({ store }: PostgresStore): Promise<readonly string[]> =>
      (await store.list({ limit: 10 })).runs.map(({ run }) => run);
    expect([await list(storeOfA), await list(storeOfB)]).toEqual([[runOfA], [runOfB]]);
    await expect(storeOfA.store.read(runOfB)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    const due = async ({ served }: PostgresStore): Promise<readonly string[]> =>
      (await served.due(10)).map(({ run }) => run);
    expect([await due(storeOfA), await due(storeOfB)]).toEqual([[runOfA], [runOfB]]);
  });

  it('gets a message with the command when its tables are older than its techne', async () => {
    await database.query(`delete from ${a.schema}.migration where version > 1`);
    const opened = openPostgresStore({ address: parseStoreAddress(urlOf(a)), retryMs: 0 });
    await expect(opened.check()).rejects.toMatchObject({
      code: 'ENVIRONMENT',
      message: expect.stringContaining(`have version 1 of the tables`) as string,
      hint: expect.stringContaining('techne store migrate --store postgres://OWNER@127.0.0.1') as string,
    });
    await opened.store.close();
    await database.query(`insert into ${a.schema}.migration (version) select version from ${b.schema}.migration
      where version > 1`);
    expect(await admin((given) => given.migrate())).toEqual(
      [a, b].map(({ schema }) => expect.objectContaining({ schema, queue: true }) as unknown),
    );
  });

  it('takes nothing for a tenant that another user of the database made to look like one', async () => {
    const role = `${database.name}_other`;
    const taken = `x" ; create role ${database.name}_taken; --`;
    const schemas = ['techne_x', `techne_y" ; create role ${database.name}_taken; --`, 'techne_z'];
    await database.query(`create role ${role}`);
    for (const schema of schemas) {
      const s = `"${schema.replaceAll('"', '""')}"`;
      const name = schema.slice('techne_'.length);
      await database.query(`create schema ${s} authorization ${role}`);
      await database.query(`grant usage on schema ${s} to public`);
      await database.query(`create table ${s}.setting (name text, value text)`);
      await database.query(
        `insert into ${s}.setting values ('tenant', '${name}'), ('role', '${schema === 'techne_z' ? role : taken}')`,
      );
      await database.query(`grant select on ${s}.setting to public`);
    }
    for (const schema of schemas.slice(0, 2))
      await database.query(`alter table "${schema.replaceAll('"', '""')}".setting owner to ${role}`);
    try {
      expect((await admin((given) => given.tenants())).map(({ schema }) => schema)).toEqual([
        a.schema,
        b.schema,
      ]);
      await admin((given) => given.migrate());
      expect(await database.query(`select 1 from pg_roles where rolname = '${database.name}_taken'`)).toEqual(
        [],
      );
    } finally {
      for (const schema of schemas)
        await database.query(`drop schema "${schema.replaceAll('"', '""')}" cascade`);
      await database.query(`drop role ${role}`);
    }
  });

  it('cannot put an operator of its own into statements of the administrator, also where all may use "public"', async () => {
    // As it is by default up to version 14.
    await database.query(`grant create on schema public to public`);
    await asA.query(`create table public.seen (by text)`);
    await asA.query(`grant insert on public.seen to public`);
    await asA.query(`create function public.joined(name, text) returns text language plpgsql as
      $$ begin insert into public.seen values (current_user); return 'x'; end $$`);
    await asA.query(`create operator public.|| (leftarg = name, rightarg = text, function = public.joined)`);
    try {
      const at = `${adminUrl}?schema=${a.schema}`;
      const { tables: found } = await withStoreAdmin(
        { homeFolder: '/nowhere', cwd: '/nowhere', store: at },
        (given) => given.describe(),
      );
      expect(found.map(({ table }) => table)).toContain(`${a.schema}.run`);
      const store = new Database({ address: parseStoreAddress(at) });
      const ask = (use: Pick<Database, 'once'>): Promise<readonly unknown[]> =>
        use.once({ name: 'joined', text: `select 'a'::name || 'b'::text as joined` }, []);
      const lane = store.lane();
      expect([
        await ask(store),
        await lane.query({ name: 'joined', text: `select 'a'::name || 'b'::text as joined` }, []),
      ]).toEqual([[{ joined: 'ab' }], [{ joined: 'ab' }]]);
      await store.close();
      expect((await asA.query(`select by from public.seen`)).rows).toEqual([]);
    } finally {
      await asA.query(`drop operator public.|| (name, text)`);
      await asA.query(`drop function public.joined`);
      await asA.query(`drop table public.seen`);
      await database.query(`revoke create on schema public from public`);
    }
  });

  const options = () => ({
    cwd: world.workspace,
    env: { PATH: process.env['PATH'], HOME: world.home },
  });

  it('has limits that it can read and not raise', async () => {
    const limit = (store: string, ...argv: readonly string[]) =>
      spawnSync(process.execPath, [bin, 'store', 'limit', ...argv, '--store', store], {
        ...options(),
        encoding: 'utf8',
      });
    const set = ['set', '--tenant', a.tenant, '--concurrency', '1', '--rate', '100/60'];
    expect(limit(adminUrl, ...set)).toMatchObject({
      status: 0,
      stdout: 'all runs: 1 at a time, 100 in 60 s\n',
    });
    const listed = limit(urlOf(a), 'list', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      limits: [{ kind: 'all', name: '', concurrency: 1, rate: { runs: 100, seconds: 60 }, driven: 0 }],
    });
    expect(limit(urlOf(b), 'list')).toMatchObject({ status: 0, stdout: '' });
    for (const argv of [['set', '--concurrency', '99'], ['remove'], ['set', '--skill', 'x', '--rate', '9/1']])
      expect(limit(urlOf(a), ...argv)).toMatchObject({
        status: 3,
        stderr: expect.stringContaining('may read limits, and not change them') as string,
      });
    for (const text of [
      `update ${a.schema}.run_limit set concurrency = 99`,
      `delete from ${a.schema}.run_limit`,
      `insert into ${a.schema}.run_limit (kind, name, concurrency) values ('skill', 'x', 1)`,
      `create or replace function ${a.schema}.take_runs(text[], int, text) returns int language sql as 'select 1'`,
    ])
      await expect(asA.query(text)).rejects.toMatchObject({ code: '42501' });
  });

  it('has workers that drive its runs with these rights, and never those of another', async () => {
    const submit = (tenant: AddedTenant): string => {
      const argv = ['run', 'hello', 'who=you', '--submit', '--answer', 'caller', '--store', urlOf(tenant)];
      const done = spawnSync(process.execPath, [bin, ...argv], { ...options(), encoding: 'utf8' });
      expect([done.status, done.stderr]).toEqual([0, expect.stringContaining('queued')]);
      return done.stdout.trim();
    };
    // What A finds in its tables and cannot drive is of no use here.
    await database.query(`delete from ${a.schema}.served`);
    const [ofA, ofB] = [submit(a), submit(b)];
    const worker = spawn(
      process.execPath,
      [bin, 'worker', '--answer', 'caller', '--json', '--store', urlOf(a)],
      options(),
    );
    const seen: string[] = [];
    worker.stdout.on('data', (text: Buffer) => seen.push(text.toString()));
    worker.stderr.on('data', (text: Buffer) => seen.push(text.toString()));
    const ended = new Promise((resolve) => worker.on('exit', resolve));
    try {
      await expect
        .poll(() => seen.join(''), { timeout: 60_000 })
        .toContain(JSON.stringify({ kind: 'ended', run: ofA, status: 'completed' }));
    } finally {
      worker.kill('SIGTERM');
    }
    await ended;
    expect(seen.join('')).not.toContain('"fault"');
    expect(seen.join('')).not.toContain(ofB);
    expect((await storeOfB.store.read(ofB)).map(({ entry }) => entry.type)).toEqual(['run.started']);
    expect((await storeOfA.store.list({ limit: 10 })).runs.map(({ run }) => run)).not.toContain(ofB);
  }, 120_000);

  it('is added, shown and removed on the command line', () => {
    const techne = (...argv: readonly string[]) =>
      spawnSync(process.execPath, [bin, 'store', ...argv, '--store', adminUrl], {
        ...options(),
        encoding: 'utf8',
      });
    const role = `${database.name}_c`;
    const added = techne('tenant', 'add', 'c', '--role', role, '--json');
    expect([added.status, added.stderr]).toEqual([0, '']);
    const c = JSON.parse(added.stdout) as AddedTenant;
    expect(c).toMatchObject({ tenant: 'c', schema: 'techne_c', role, queue: true });
    expect(techne('tenant', 'add', 'c').stderr).toContain('there is a tenant "c" already');
    expect(techne('tenant', 'add', 'd', '--role', role).stderr).toContain(`has a role "${role}" already`);
    expect(techne('tenant', 'add', 'my_queue').stderr).toContain('cannot be the name of a tenant');
    expect(techne('tenant', 'add', 'Ä').status).toBe(2);
    expect(techne('tenant').stdout).toMatch(/^c +techne_c +/m);
    const shown = spawnSync(process.execPath, [bin, 'store', 'show', '--json', '--store', urlOf(c)], {
      ...options(),
      encoding: 'utf8',
    });
    expect(JSON.parse(shown.stdout)).toMatchObject({ schema: 'techne_c', tenant: 'c', runs: {} });
    expect(techne('tenant', 'remove', 'c').stdout).toContain('is gone');
    expect(techne('tenant', 'remove', 'c').stderr).toContain('there is no tenant "c"');
    expect(techne('tenant', 'remove', 'b').stderr).toContain('has 2 runs');
    expect(techne('tenant', 'remove', 'b', '--force').stderr).toContain('a person at a terminal must agree');
    expect(techne('migrate').stdout).toContain('techne_b: version');
  }, 120_000);
});
