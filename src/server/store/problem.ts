import { Problem } from '../../contract/problem.ts';

/** SQLSTATE classes and codes that mean "not now": connection lost, server starting, stopping or full. */
const transient = /^(08|53|57P0)/;
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
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

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

/** The problem for callers while the database does not answer; null for any other error. */
export function storeProblem(error: unknown): Problem | null {
  if (!isStoreUnavailable(error)) return null;
  return new Problem(
    {
      status: 503,
      title: 'The database is not responding. Try again in a few seconds.',
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
