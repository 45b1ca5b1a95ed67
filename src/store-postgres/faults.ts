// Errors of the driver and of the server -> the errors of the RunStore, with what to do.
//
// A fault passes when trying again later can succeed: the connection broke, the server restarts, has no room for one more
// connection, or ended the transaction because of another one. No message holds a password.
import { TechneError } from '../base/error.ts';
import type { StoreAddress } from './address.ts';

interface DriverError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Five characters for an error of the server, a name such as ECONNREFUSED for one of the network, else empty. */
export function faultCode(error: unknown): string {
  const { code } = (error ?? {}) as DriverError;
  if (typeof code === 'string') return code;
  const inner =
    error instanceof AggregateError ? (error.errors[0] as DriverError | undefined)?.code : undefined;
  return typeof inner === 'string' ? inner : '';
}

/** An SQLSTATE: the server answered. */
export function isFromServer(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(faultCode(error)) && !/^E[A-Z]{4}$/.test(faultCode(error));
}

/** Connection trouble, a server that starts or stops, too many connections, a deadlock, a standby before its promotion. */
const passingStates = /^(?:08|57P0[123]|53300|40001|40P01|25006)/;

export function isPassing(error: unknown): boolean {
  if (error instanceof TechneError) return false;
  return isFromServer(error) ? passingStates.test(faultCode(error)) : isOfConnection(error);
}

/** Whether the statement may have been carried out although it failed. */
export function isOfConnection(error: unknown): boolean {
  if (error instanceof TechneError) return false;
  if (isFromServer(error)) return /^(?:08|57P0[123])/.test(faultCode(error));
  return (
    /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EAI_AGAIN|ENOTFOUND)/.test(
      faultCode(error),
    ) ||
    /connection terminated|connection ended|timeout|not queryable|client was closed|socket/i.test(
      textOf(error),
    )
  );
}

/** The way in: why no connection can be made. */
export function openFault(error: unknown, at: StoreAddress): TechneError {
  if (error instanceof TechneError) return error;
  const code = faultCode(error);
  const fault = (message: string, hint: string): TechneError =>
    new TechneError('ENVIRONMENT', message, { hint, cause: error });
  const where = `Postgres at ${at.host}`;
  if (code === '28P01' || code === '28000' || /password|SASL|SCRAM/i.test(textOf(error)))
    return fault(
      `${where} refuses the user "${at.user}": ${code === '28000' ? textOf(error) : 'the password is wrong, or missing'}`,
      'set PGPASSWORD, or add a line to ~/.pgpass; a "%" or "@" in a password of the address is written %25, %40',
    );
  if (code === '3D000')
    return fault(
      `${where} has no database "${at.database}"`,
      `create it: createdb --host ${at.host.replace(/:\d+$/, '')} ${at.database}`,
    );
  if (code === '42501') return rightsFault(error, at);
  if (code === '53300')
    return fault(
      `${where} has no room for one more connection`,
      'raise max_connections, or run fewer processes',
    );
  if (code === '57P03') return fault(`${where} is starting or stopping`, 'wait some seconds and try again');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fault(`the host of ${at.shown} is not known`, 'check the name in the address of the store');
  if (isOfConnection(error))
    return fault(
      `${where} cannot be reached: ${textOf(error) === '' ? code : textOf(error)}`,
      'is the server running, and is the address of the store right? Without --store, runs are kept in files',
    );
  return fault(`runs in ${at.shown} cannot be opened: ${textOf(error)}`, 'see what the server logged');
}

export function rightsFault(error: unknown, at: StoreAddress): TechneError {
  return new TechneError(
    'ENVIRONMENT',
    `the user "${at.user}" lacks a right on ${at.shown}: ${textOf(error)}`,
    {
      hint: `the first start needs CREATE on the database; after that: grant usage on schema ${at.schema} to ${at.user || 'USER'}; grant select, insert, update, delete on all tables in schema ${at.schema} to ${at.user || 'USER'}`,
      cause: error,
    },
  );
}

/** For what is asked of a store that was opened. `writing`: an append, or a blob. */
export function storeFault(error: unknown, at: StoreAddress, writing: boolean): unknown {
  if (error instanceof TechneError) return error;
  const code = faultCode(error);
  if (code === '53100' || code === '53400')
    return new TechneError('JOURNAL_FULL', `Postgres at ${at.host} has no room: ${textOf(error)}`, {
      hint: 'free disk space of the server ("techne runs prune --older-than 7d" removes old runs), then resume the run',
      cause: error,
    });
  if (code === '42501') return rightsFault(error, at);
  if (!isFromServer(error) && !isOfConnection(error)) return error;
  return new TechneError(
    writing ? 'JOURNAL_WRITE' : 'ENVIRONMENT',
    `Postgres at ${at.host} ${writing ? 'did not take what was written' : 'does not answer'}: ${textOf(error)}`,
    { hint: 'the run can be resumed when the server is back', cause: error },
  );
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const inner = error instanceof AggregateError ? (error.errors[0] as Error | undefined)?.message : undefined;
  return text === '' && inner !== undefined ? inner : text;
}
