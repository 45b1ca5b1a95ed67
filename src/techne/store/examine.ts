// What is wrong with the store that a team shares: what this machine needs for it, then the server and what is in it.
import { TechneError } from '../../base/error.ts';
import type { StoreAddress } from '../../store-postgres/address.ts';
import type { StoreFinding } from '../../store-postgres/admin/examine-store.ts';
import type { StorePlace } from './open-admin.ts';
import { postgresAddress } from './open-admin.ts';

export interface ExaminedStore {
  /** Without the password. */
  readonly address: string;
  readonly findings: readonly StoreFinding[];
}

/** Throws USAGE for an address that is none of Postgres. */
export async function examineSharedStore(place: StorePlace): Promise<ExaminedStore> {
  return examineStoreAt(await postgresAddress(place));
}

export async function examineStoreAt(address: StoreAddress): Promise<ExaminedStore> {
  const { loadDriver } = await import('../../store-postgres/driver.ts');
  const { mustHaveEngine } = await import('../../worker/dbos-queue.ts');
  const { examineStore } = await import('../../store-postgres/admin/examine-store.ts');
  const findings: StoreFinding[] = [];
  const look = async (name: string, detail: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      findings.push({ name, ok: true, detail, hint: null });
      return true;
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'ENVIRONMENT') throw error;
      findings.push({ name, ok: false, detail: error.message, hint: error.hint ?? null });
      return false;
    }
  };
  const hasDriver = await look('driver', 'the package pg is installed', loadDriver);
  await look('engine', 'the package @dbos-inc/dbos-sdk is installed', mustHaveEngine);
  if (hasDriver) {
    let found: readonly StoreFinding[] = [];
    await look('server', `Postgres at ${address.host} answers`, async () => {
      found = await examineStore(address);
    });
    findings.push(...found);
  }
  return { address: address.shown, findings };
}
