// The Postgres driver, which only runs in a database need: an optional dependency, loaded when it is first used.
import type pg from 'pg';
import { TechneError } from '../base/error.ts';

export type { Client, Pool, PoolClient, QueryResultRow } from 'pg';

/** Throws ENVIRONMENT where it is not installed. */
export async function loadDriver(): Promise<typeof pg> {
  try {
    // A CommonJS package: some of its exports are only on its default.
    return (await import('pg')).default;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TechneError(
      'ENVIRONMENT',
      'runs in Postgres need the package "pg", which is not installed: techne comes without it',
      {
        hint: 'npm install pg@8 where techne is installed (npm install --global pg@8 for a global techne)',
        cause: error,
      },
    );
  }
}
