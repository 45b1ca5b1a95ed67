// A store in Postgres, for those who look after it: migrations, tenants, what is in it.
//
//   --store, runs.store -> a connection of the administrator -> tables, roles, rights
//
// The tables of runs are those of store-postgres/, the tables of the queue those of the engine behind worker/: both are
// brought forward together, and the rights of tenants are given again after it.
import { TechneError } from '../../base/error.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import type { LimitState, RunLimit } from '../../ports/served-runs.ts';
import type { StoreAddress } from '../../store-postgres/address.ts';
import type { StoreDescription } from '../../store-postgres/admin/describe-store.ts';
import type { Tenant } from '../../store-postgres/admin/tenants.ts';
import type { Session } from '../../store-postgres/migrations.ts';
import { configuredStore } from '../open-run-store.ts';

export interface StorePlace {
  readonly homeFolder: string;
  readonly cwd: string;
  /** An address of Postgres. Default: that of the user's configuration. */
  readonly store?: string | null;
}

export interface Migrated {
  readonly schema: string;
  /** 0: there were no tables. */
  readonly from: number;
  readonly to: number;
  /** False where the engine of the queue is not installed here. */
  readonly queue: boolean;
}

export interface AddedTenant {
  readonly tenant: string;
  readonly schema: string;
  readonly role: string;
  /** Without the password. */
  readonly address: string;
  /** Shown once; null where it was given. */
  readonly password: string | null;
  readonly queue: boolean;
}

export interface StoreAdmin {
  readonly address: StoreAddress;
  /** The schema of the address, and those of all tenants of the database. */
  migrate(): Promise<readonly Migrated[]>;
  describe(): Promise<StoreDescription>;
  tenants(): Promise<readonly Tenant[]>;
  /** Throws USAGE, ENVIRONMENT. */
  addTenant(
    name: string,
    given: { readonly role?: string; readonly password?: string },
  ): Promise<AddedTenant>;
  findTenant(name: string): Promise<Tenant>;
  removeTenant(tenant: Tenant): Promise<void>;
  /** Of this store, or of a tenant. Throws USAGE, ENVIRONMENT. */
  limits(tenant: string | null): Promise<readonly LimitState[]>;
  setLimit(tenant: string | null, limit: RunLimit): Promise<void>;
  /** Whether there was one. */
  removeLimit(tenant: string | null, which: Pick<RunLimit, 'kind' | 'name'>): Promise<boolean>;
}

/** Throws USAGE for a store that is not in Postgres, ENVIRONMENT where it cannot be used. */
export async function withStoreAdmin<T>(
  place: StorePlace,
  work: (admin: StoreAdmin) => Promise<T>,
): Promise<T> {
  const address = await postgresAddress(place);
  const { withSession } = await import('../../store-postgres/admin/session.ts');
  return withSession(address, async (session) => work(await createAdmin(session, address)));
}

/** Throws USAGE where the store is in files. */
export async function postgresAddress(place: StorePlace): Promise<StoreAddress> {
  const at = place.store ?? (await configuredStore(createNodeFiles(), place));
  const { isPostgresAddress, parseStoreAddress } = await import('../../store-postgres/address.ts');
  if (!isPostgresAddress(at))
    throw new TechneError('USAGE', 'this is for a store in Postgres, and runs are kept in files here', {
      hint: '--store postgres://USER@HOST:PORT/DATABASE, or set runs.store',
    });
  return parseStoreAddress(at);
}

async function createAdmin(session: Session, address: StoreAddress): Promise<StoreAdmin> {
  const tenants = await import('../../store-postgres/admin/tenants.ts');
  const { describeStore } = await import('../../store-postgres/admin/describe-store.ts');
  const migrateOne = async (at: StoreAddress): Promise<Migrated> => {
    const migrated = await tenants.migrateSchema(session, at);
    return { ...migrated, queue: await migrateQueueOf(session, at) };
  };
  const schemaOf = async (tenant: string | null): Promise<string> =>
    tenant === null ? address.schema : (await tenants.findTenant(session, tenant)).schema;
  return {
    address,
    async limits(tenant) {
      const { readLimits } = await import('../../store-postgres/served-runs.ts');
      return readLimits(session, await schemaOf(tenant));
    },
    async setLimit(tenant, limit) {
      const { setLimit } = await import('../../store-postgres/admin/limits.ts');
      await setLimit(session, await schemaOf(tenant), limit);
    },
    async removeLimit(tenant, which) {
      const { removeLimit } = await import('../../store-postgres/admin/limits.ts');
      return removeLimit(session, await schemaOf(tenant), which);
    },
    async migrate() {
      const known = await tenants.listTenants(session);
      const done: Migrated[] = [];
      const [made] = (
        await session.query<{ made: boolean }>(`select to_regclass($1) is not null as made`, [
          `"${address.schema}".migration`,
        ])
      ).rows;
      const isTenant = known.some(({ schema }) => schema === address.schema);
      // Who only has tenants needs no other tables.
      if (!isTenant && (made?.made === true || known.length === 0)) done.push(await migrateOne(address));
      for (const { name, schema, role } of known) {
        done.push(await migrateOne(tenants.addressOfTenant(address, name)));
        await tenants.grantTenant(session, schema, role);
      }
      return done;
    },
    describe: () => describeStore(session, address),
    tenants: () => tenants.listTenants(session),
    findTenant: (name) => tenants.findTenant(session, name),
    removeTenant: (tenant) => tenants.removeTenant(session, tenant),
    async addTenant(name, { role: given, password }) {
      const { newPassword } = await import('../../store-postgres/admin/password.ts');
      const schema = tenants.schemaOfTenant(name);
      const role = given ?? schema;
      const chosen = password ?? newPassword();
      let queue = false;
      try {
        await tenants.addTenant(session, address, { name, role, password: chosen }, async () => {
          queue = await migrateQueueOf(session, tenants.addressOfTenant(address, name));
        });
      } catch (error) {
        throw needsRights(error);
      }
      return {
        tenant: name,
        schema,
        role,
        address: tenants.addressOfRole(address, { schema, role }),
        password: password === undefined ? chosen : null,
        queue,
      };
    },
  };
}

/** Whether the tables of the queue are there now: not where the engine is not installed. */
async function migrateQueueOf(session: Session, { url, schema }: StoreAddress): Promise<boolean> {
  const { migrateQueue, queueVersion } = await import('../../worker/dbos-queue.ts');
  const { queueSchemaOf } = await import('../../store-postgres/admin/tenants.ts');
  const { waitForTurn, markDone } = await import('../../store-postgres/once.ts');
  await waitForTurn(session, queueVersion);
  try {
    await migrateQueue({ url, schema: queueSchemaOf(schema) });
  } catch (error) {
    if (error instanceof TechneError && error.code === 'ENVIRONMENT') return false;
    throw error;
  }
  await markDone(session, schema, queueVersion);
  return true;
}

function needsRights(error: unknown): unknown {
  if ((error as { readonly code?: unknown }).code !== '42501') return error;
  return new TechneError('ENVIRONMENT', `this user may not add tenants: ${(error as Error).message}`, {
    hint: 'use an administrator of the database in --store: it needs CREATEROLE, and CREATE on the database',
    cause: error,
  });
}
