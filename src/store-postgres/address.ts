// The address of a store -> what the driver needs, and what people may see of it.
//
//   postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE[?schema=NAME&lease=SECONDS&sslmode=…]
//
// The password is never shown. Without one in the address the driver takes PGPASSWORD, or the file ~/.pgpass.
import { TechneError } from '../base/error.ts';

export interface StoreAddress {
  /** For the driver. */
  readonly url: string;
  /** Where the tables are. Default: `techne`. */
  readonly schema: string;
  /** A process that has not beaten for this long is dead. Part of the address, since all processes must agree. Default: 15,000. */
  readonly leaseMs: number;
  /** Without the password. */
  readonly shown: string;
  readonly host: string;
  readonly database: string;
  readonly user: string;
}

export function isPostgresAddress(text: string): boolean {
  return /^postgres(?:ql)?:/i.test(text);
}

/** Throws USAGE. Never names the password. */
export function parseStoreAddress(text: string): StoreAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new TechneError('USAGE', 'the address of the store cannot be read', {
      hint: 'write postgres://USER@HOST:PORT/DATABASE, with special characters of a password as %XX; PGPASSWORD or ~/.pgpass can hold the password',
    });
  const schema = url.searchParams.get('schema') ?? 'techne';
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema) || schema.startsWith('pg_'))
    throw new TechneError('USAGE', 'the schema in the address of the store is not a plain name', {
      hint: 'lower-case letters, digits and "_", such as ?schema=techne',
    });
  const lease = url.searchParams.get('lease') ?? '15';
  if (!/^\d{1,4}$/.test(lease) || Number(lease) < 1)
    throw new TechneError('USAGE', 'the lease in the address of the store is not a number of seconds', {
      hint: 'a whole number from 1 to 9999, such as ?lease=15',
    });
  const database = decodeURIComponent(url.pathname.replace(/^\//, ''));
  const user = decodeURIComponent(url.username);
  const host = url.searchParams.get('host') ?? (url.host === '' ? 'localhost' : url.host);
  for (const name of ['schema', 'lease']) url.searchParams.delete(name);
  const forDriver = url.toString();
  url.password = '';
  if (schema !== 'techne') url.searchParams.set('schema', schema);
  if (lease !== '15') url.searchParams.set('lease', lease);
  const secrets = ['password', 'sslpassword'];
  for (const name of secrets) if (url.searchParams.has(name)) url.searchParams.set(name, '…');
  return {
    url: forDriver,
    schema,
    leaseMs: Number(lease) * 1000,
    shown: url.toString(),
    host,
    database,
    user,
  };
}
