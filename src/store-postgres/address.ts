// The address of a store -> what the driver needs, and what people may see of it.
//
//   postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE[?schema=NAME&sslmode=…]
//
// The password is never shown. Without one in the address the driver takes PGPASSWORD, or the file ~/.pgpass.
import { TechneError } from '../base/error.ts';

export interface StoreAddress {
  /** For the driver. */
  readonly url: string;
  /** Where the tables are. Default: `techne`. */
  readonly schema: string;
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
  const database = decodeURIComponent(url.pathname.replace(/^\//, ''));
  const user = decodeURIComponent(url.username);
  const host = url.searchParams.get('host') ?? (url.host === '' ? 'localhost' : url.host);
  url.searchParams.delete('schema');
  const forDriver = url.toString();
  url.password = '';
  if (schema !== 'techne') url.searchParams.set('schema', schema);
  const secrets = ['password', 'sslpassword'];
  for (const name of secrets) if (url.searchParams.has(name)) url.searchParams.set(name, '…');
  return { url: forDriver, schema, shown: url.toString(), host, database, user };
}
