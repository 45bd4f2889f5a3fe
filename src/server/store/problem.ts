import { Problem } from '../../contract/problem.ts';

/** A change was sent to a database that takes none: a standby, or a primary that is set so. */
const readOnly = '25006';
/** SQLSTATE classes and codes that mean "not now": connection lost, server starting, stopping, full, or replaced by another. */
const transient = /^(08|53|57P0|25006)/;
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const driverSentences =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered)/;

/** Whether an error says that the database could not be reached just now (looks through drizzle's wrapping). */
export function isStoreUnavailable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === 'string' && (transient.test(code) || ('syscall' in cause && network.has(code))))
      return true;
    if (driverSentences.test(cause.message)) return true;
  }
  return false;
}

/** The SQLSTATE of an error of PostgreSQL, also behind one of drizzle; undefined for others. */
export function sqlStateOf(error: unknown): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause);
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !('syscall' in cause)) return code;
  }
  return undefined;
}

/** The words of PostgreSQL, or of the network, behind an error of drizzle. */
export function messageOf(error: unknown): string {
  let last = error instanceof Error ? error.message : '';
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) last = cause.message || last;
  return last;
}

/** Whether a change was refused since the database takes none. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === readOnly;
}

/** Whether something was refused since the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return sqlStateOf(error) === '53100';
}

/** Whether a server was asked for TLS and has none. */
export function isTlsMissing(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

/** Why a TLS connection failed, by OpenSSL's or Node's code; undefined for errors of another sort. */
export function tlsCodeOf(error: unknown): string | undefined {
  const code = codeOf(error);
  if (typeof code !== 'string') return undefined;
  return /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_|EPROTO)/.test(code)
    ? code
    : undefined;
}

/** The problem for callers while the database does not answer; null for any other error. */
export function storeProblem(error: unknown): Problem | null {
  if (!isStoreUnavailable(error)) return null;
  return new Problem(
    {
      status: 503,
      title: isDiskFull(error)
        ? 'The disk of the database is full, so nothing can be changed. Tell the operator of this console.'
        : 'The database is not responding. Try again in a few seconds.',
      retryable: true,
    },
    { cause: error },
  );
}

/** Whether a statement failed because a unique index has the value already. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, '23505');
}

/** Whether a statement failed because the row that it refers to is gone. */
export function isMissingReference(error: unknown): boolean {
  return hasCode(error, '23503');
}

function hasCode(error: unknown, code: string): boolean {
  return codeOf(error) === code || (error instanceof Error && codeOf(error.cause) === code);
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
