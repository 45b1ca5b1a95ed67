// The limits of a store, for its administrator: set, removed. A tenant reads them (served-runs.ts) and can write none.
import { TechneError } from '../../base/error.ts';
import type { RunLimit } from '../../ports/served-runs.ts';
import { faultCode } from '../faults.ts';
import type { Session } from '../migrations.ts';
import { rowsOf } from './session.ts';

export type LimitName = Pick<RunLimit, 'kind' | 'name'>;

/** In place of the one that there was. Throws ENVIRONMENT where this user may not. */
export async function setLimit(
  session: Session,
  schema: string,
  { kind, name, concurrency, rate }: RunLimit,
): Promise<void> {
  await allowed(() =>
    rowsOf(
      session,
      `insert into "${schema}".run_limit (kind, name, concurrency, runs, seconds, by) values ($1, $2, $3, $4, $5, current_user)
      on conflict (kind, name) do update set concurrency = excluded.concurrency, runs = excluded.runs,
        seconds = excluded.seconds, by = excluded.by, at = clock_timestamp()`,
      [kind, name, concurrency, rate?.runs ?? null, rate?.seconds ?? null],
    ),
  );
}

/** Whether there was one. Throws ENVIRONMENT where this user may not. */
export async function removeLimit(
  session: Session,
  schema: string,
  { kind, name }: LimitName,
): Promise<boolean> {
  const removed = await allowed(() =>
    rowsOf(session, `delete from "${schema}".run_limit where kind = $1 and name = $2 returning kind`, [
      kind,
      name,
    ]),
  );
  return removed.length > 0;
}

async function allowed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = faultCode(error);
    if (code === '42501')
      throw new TechneError('ENVIRONMENT', 'this user of the database may read limits, and not change them', {
        hint: 'as the user that owns the tables: techne store limit … --store postgres://OWNER@…',
        cause: error,
      });
    if (code === '42P01')
      throw new TechneError('ENVIRONMENT', 'the store has no table of limits yet', {
        hint: 'techne store migrate',
        cause: error,
      });
    throw error;
  }
}
