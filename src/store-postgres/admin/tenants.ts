// A tenant -> a schema of its own, one for its queue, and a role that can use these two and nothing else.
//
// T1. The role owns nothing: the tables are those of the administrator who adds the tenant, so the role can neither change
//     them nor give rights away. What is decided about a tenant (`readOnlyTables`) it can read and not write.
// T2. Its search path is that of the system, so that no object of another user can take the place of a function.
// T3. What cannot be finished is undone: there is a tenant with all of it, or none.
// T4. What looks like a tenant may be of another user of the database: its names become part of a statement only as `addTenant`
//     would have made them, and only plain tables without policies are read.
import { TechneError } from '../../base/error.ts';
import type { StoreAddress } from '../address.ts';
import type { Session } from '../migrations.ts';
import { migrate, schemaVersion, versionOf } from '../migrations.ts';
import { inTransaction, rowsOf } from './session.ts';
import { scramVerifier } from './password.ts';

export interface Tenant {
  readonly name: string;
  readonly schema: string;
  readonly role: string;
  /** Of its tables. */
  readonly version: number;
  readonly runs: number;
  readonly unfinished: number;
}

export interface NewTenant {
  readonly name: string;
  /** Default: `techne_NAME`. */
  readonly role: string;
  readonly password: string;
}

/** Of all tables of a tenant, those that its role can only read. */
export const readOnlyTables = ['migration', 'setting', 'run_limit'];

/** Throws USAGE for what cannot be the name of a tenant. */
export function schemaOfTenant(name: string): string {
  // A schema that ends so is the queue of another tenant.
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || /(?:^|_)queue$/.test(name))
    throw new TechneError('USAGE', `"${name.slice(0, 80)}" cannot be the name of a tenant`, {
      hint: 'a lower-case letter, then letters, digits and "_", at most 40, and not "queue" at the end, such as acme',
    });
  return `techne_${name}`;
}

export function queueSchemaOf(schema: string): string {
  return `${schema}_queue`;
}

/** The store of a tenant, at the server and as the user of `at`. */
export function addressOfTenant(at: StoreAddress, name: string): StoreAddress {
  return { ...at, schema: schemaOfTenant(name), shown: shownAs(at, { schema: schemaOfTenant(name) }) };
}

/** The address that the processes of a tenant use, without the password. */
export function addressOfRole(at: StoreAddress, { schema, role }: Pick<Tenant, 'schema' | 'role'>): string {
  return shownAs(at, { schema, user: role });
}

function shownAs(at: StoreAddress, { schema, user }: { schema: string; user?: string }): string {
  const url = new URL(at.shown);
  if (user !== undefined) url.username = user;
  url.searchParams.set('schema', schema);
  return url.toString();
}

/** Makes the tables of runs; those of the queue are made by `makeQueue`, in the schema that it is given. Throws USAGE where there is one. */
export async function addTenant(
  session: Session,
  at: StoreAddress,
  { name, role, password }: NewTenant,
  makeQueue: (schema: string) => Promise<void>,
): Promise<void> {
  const schema = schemaOfTenant(name);
  mustBeRole(role);
  const verifier = scramVerifier(password);
  const [taken] = await rowsOf<{ schema: boolean; role: boolean }>(
    session,
    `select exists (select 1 from pg_namespace where nspname = any($1)) as schema,
      exists (select 1 from pg_roles where rolname = $2) as role`,
    [[schema, queueSchemaOf(schema)], role],
  );
  if (taken?.schema === true)
    throw new TechneError('USAGE', `there is a tenant "${name}" already, or a schema "${schema}"`, {
      hint: 'techne store tenant list; choose another name',
    });
  if (taken?.role === true)
    throw new TechneError('USAGE', `the server has a role "${role}" already`, {
      hint: 'roles are shared by all databases of a server: name another one with --role',
    });
  let isMade = false;
  try {
    await migrate(session, addressOfTenant(at, name));
    await makeQueue(queueSchemaOf(schema));
    await inTransaction(session, async () => {
      await session.query(
        `create role "${role}" login nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit password '${verifier}'`,
      );
      await session.query(
        `insert into "${schema}".setting (name, value) values ('tenant', $1), ('role', $2)`,
        [name, role],
      );
      const database = await databaseOf(session);
      await session.query(`alter role "${role}" in database ${database} set search_path = pg_catalog`);
      // Only where the administrator of the server has taken it from everybody.
      const [may] = await rowsOf<{ connect: boolean }>(
        session,
        `select has_database_privilege($1, current_database(), 'connect') as connect`,
        [role],
      );
      if (may?.connect !== true) await session.query(`grant connect on database ${database} to "${role}"`);
      await grantTenant(session, schema, role);
    });
    isMade = true;
  } finally {
    if (!isMade)
      for (const each of [schema, queueSchemaOf(schema)])
        await session.query(`drop schema if exists "${each}" cascade`);
  }
}

/** What the role of a tenant needs, and no more; again after each migration. */
export async function grantTenant(session: Session, schema: string, role: string): Promise<void> {
  for (const each of [schema, queueSchemaOf(schema)]) {
    const [made] = await rowsOf(session, `select 1 from pg_namespace where nspname = $1`, [each]);
    if (made === undefined) continue;
    await session.query(`grant usage on schema "${each}" to "${role}"`);
    await session.query(
      `grant select, insert, update, delete on all tables in schema "${each}" to "${role}"`,
    );
    await session.query(`grant usage on all sequences in schema "${each}" to "${role}"`);
    await session.query(`grant execute on all functions in schema "${each}" to "${role}"`);
  }
  for (const table of readOnlyTables) {
    const [made] = await rowsOf(session, `select 1 where to_regclass($1) is not null`, [
      `"${schema}"."${table}"`,
    ]);
    if (made !== undefined)
      await session.query(`revoke insert, update, delete on "${schema}"."${table}" from "${role}"`);
  }
}

/** Those whose tables this user can read. */
export async function listTenants(session: Session): Promise<readonly Tenant[]> {
  const schemas = await rowsOf<{ schema: string }>(
    session,
    `select n.nspname as schema from pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relname = 'setting'
    where n.nspname like 'techne\\_%' and c.relkind = 'r' and not c.relrowsecurity and c.relowner = n.nspowner
      and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
    order by n.nspname`,
  );
  const tenants: Tenant[] = [];
  for (const { schema } of schemas) {
    if (!tenantSchema.test(schema)) continue;
    const settings = await rowsOf<{ name: string; value: string }>(
      session,
      `select name, value from "${schema}".setting where name in ('tenant', 'role')`,
    );
    const valueOf = (wanted: string): string | undefined =>
      settings.find(({ name }) => name === wanted)?.value;
    const [name, role] = [valueOf('tenant'), valueOf('role')];
    if (name === undefined || role === undefined || `techne_${name}` !== schema || !isRole(role)) continue;
    const [counted] = await rowsOf<{ version: number; runs: string; unfinished: string }>(
      session,
      `select (select max(version) from "${schema}".migration) as version, count(*) as runs,
        count(*) filter (where ended_at is null) as unfinished from "${schema}".run`,
    );
    const { version = 0, runs = '0', unfinished = '0' } = counted ?? {};
    tenants.push({ name, schema, role, version, runs: Number(runs), unfinished: Number(unfinished) });
  }
  return tenants;
}

/** Throws USAGE where there is none of this name. */
export async function findTenant(session: Session, name: string): Promise<Tenant> {
  const schema = schemaOfTenant(name);
  const found = (await listTenants(session)).find((one) => one.schema === schema);
  if (found === undefined)
    throw new TechneError('USAGE', `there is no tenant "${name}" in this database`, {
      hint: 'techne store tenant list',
    });
  return found;
}

/** With everything that is in its schemas. */
export async function removeTenant(
  session: Session,
  { schema, role }: Pick<Tenant, 'schema' | 'role'>,
): Promise<void> {
  await inTransaction(session, async () => {
    // A process that still works there must not hold this up for ever.
    await session.query(`set local lock_timeout = '10s'`);
    for (const each of [schema, queueSchemaOf(schema)])
      await session.query(`drop schema if exists "${each}" cascade`);
    const [there] = await rowsOf(session, `select 1 from pg_roles where rolname = $1`, [role]);
    if (there === undefined) return;
    const [granted] = await rowsOf(
      session,
      `select 1 from pg_database d, aclexplode(d.datacl) g, pg_roles r
      where d.datname = current_database() and r.rolname = $1 and g.grantee = r.oid`,
      [role],
    );
    if (granted !== undefined)
      await session.query(`revoke connect on database ${await databaseOf(session)} from "${role}"`);
    await session.query(`drop role "${role}"`);
  });
}

/** Brings the tables of a schema forward. */
export async function migrateSchema(
  session: Session,
  at: StoreAddress,
): Promise<{ readonly schema: string; readonly from: number; readonly to: number }> {
  const [made] = await rowsOf(session, `select 1 where to_regclass($1) is not null`, [
    `"${at.schema}".migration`,
  ]);
  const from = made === undefined ? 0 : await versionOf(session, at);
  await migrate(session, at);
  return { schema: at.schema, from, to: schemaVersion };
}

/** As `schemaOfTenant` makes it. */
const tenantSchema = /^techne_[a-z][a-z0-9_]{0,39}$/;

function isRole(role: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(role) && !role.startsWith('pg_');
}

function mustBeRole(role: string): void {
  if (!isRole(role))
    throw new TechneError('USAGE', `"${role.slice(0, 80)}" cannot be the name of a role`, {
      hint: 'lower-case letters, digits and "_", at most 63',
    });
}

/** Quoted. */
async function databaseOf(session: Session): Promise<string> {
  const [row] = await rowsOf<{ name: string }>(session, `select quote_ident(current_database()) as name`);
  return row?.name ?? '';
}
