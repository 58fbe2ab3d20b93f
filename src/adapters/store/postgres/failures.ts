import { getErrorMessage, HarnessError } from '../../../core/base/failure.ts';
import { HARNESS_VERSION } from '../../../core/base/version.ts';
import { getMovedError } from '../moved.ts';
import type { Address } from './address.ts';

/** The states by which our own functions refuse: see functions.sql. */
export const REFUSALS = { newer: 'HN001', moved: 'HN002', isolation: 'HN003', gone: 'HN004' } as const;

/** A call that got no answer in time; its connection is given up. */
export class NoAnswer extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1_000} s`);
  }
}

/** Codes of SQLSTATE classes and of Node that pass by themselves: restarts, failovers, locks, cut connections. */
const PASSING_STATES = /^(?:08|57P0[123]$|53300$|40001$|40P01$|55P03$|25P03$|25006$|57014$)/;
const PASSING_CODES = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EAI_AGAIN',
    'ENOENT',
  ],
]);
/** The client library has no codes for these. */
const PASSING_WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (?:has encountered a connection error|was closed)|Client network socket disconnected)/;

/** Whether the same call may succeed when it is made again; every call is one that may be. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  const { code } = (error ?? {}) as { code?: string };
  if (code !== undefined && (PASSING_STATES.test(code) || PASSING_CODES.has(code))) return true;
  return PASSING_WORDS.test(getErrorMessage(error));
}

/** Whether the server itself answered: then the connection is as good as before. */
export function isAnswered(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: string; severity?: string };
  return severity === 'ERROR' && code !== undefined && !/^(?:08|57P)/.test(code);
}

/** PostgreSQL's errors in the words of a person; anything else stays as it is. */
export function getPostgresError(error: unknown, { where, tls }: Address): unknown {
  if (error instanceof HarnessError) return error;
  const { code = '' } = (error ?? {}) as { code?: string };
  const message = getErrorMessage(error) || code;
  const fail = (kind: 'environment' | 'state' | 'auth' | 'locked', text: string, fix: string) =>
    new HarnessError(kind, text, { file: where, field: 'store.url', fix });
  if (code === REFUSALS.moved) return getMovedError(where, message);
  const refusal = getRefusal(code, message, where);
  if (refusal) return fail('state', ...refusal);
  if (/^(?:28|3D000)/.test(code))
    return fail(
      'auth',
      `${where} refuses this login: ${message}`,
      'check user, password and database in store.url (or HARNESS_STORE_URL), and pg_hba.conf on the server',
    );
  if (code === '42501')
    return fail(
      'auth',
      `${where}: ${message}`,
      'GRANT CREATE ON DATABASE to this user, or GRANT USAGE and everything in schema harness to it',
    );
  if (code === '53100')
    return fail(
      'environment',
      `the disk of ${where} is full`,
      'free some space there; nothing has been lost',
    );
  if (isTlsProblem(code, message)) return getTlsError(where, message);
  if (code === '55P03')
    return fail(
      'locked',
      `another session keeps the records of this project in ${where} locked`,
      'end it: SELECT pid, query FROM pg_stat_activity shows who, pg_terminate_backend(pid) ends it',
    );
  if (isPassing(error) || code === 'ENOTFOUND')
    return fail(
      'environment',
      `${where} cannot be reached (${message})`,
      `start the server, or check the address in store.url; TLS is ${tls}. What was recorded before is safe`,
    );
  if (typeof (error as { severity?: string }).severity !== 'string') return error;
  return fail(
    'state',
    `${where}: ${message} (${code})`,
    'harness doctor says what is there; the database may have been changed by hand',
  );
}

/** What our own functions in the database refuse: the problem and the fix. */
function getRefusal(code: string, message: string, where: string): [string, string] | null {
  if (code === REFUSALS.newer)
    return [`${where} takes ${message}; this is ${HARNESS_VERSION}`, 'update Harness on this machine'];
  if (code === REFUSALS.isolation) {
    const fix = "ALTER ROLE … SET default_transaction_isolation = 'read committed'";
    return [`${where}: ${message} by default, and the store needs them read committed`, fix];
  }
  if (code !== REFUSALS.gone) return null;
  return [`the records of this project are gone from ${where}`, 'restore the database from its backup'];
}

function isTlsProblem(code: string, message: string): boolean {
  return /CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code) || /SSL|TLS|certificate/i.test(message);
}

function getTlsError(where: string, message: string): HarnessError {
  return new HarnessError('environment', `${where} cannot be reached over TLS: ${message}`, {
    file: where,
    field: 'store.url',
    fix:
      'give the server a certificate for its name, and its authority by sslrootcert=<file> in the URL; ' +
      'sslmode=disable only where nobody can listen: on this machine, or through a tunnel',
  });
}
