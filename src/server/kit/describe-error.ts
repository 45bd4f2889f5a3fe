/** An error as the log may have it. */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  /** The SQL of a failed query, without its values. */
  readonly query?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

/**
 * An error for the log, by allow-list: type, message, code, stack and cause. Other properties carry request bodies,
 * query values or upstream answers. Messages of failed queries and of refused values quote them, so they are left out.
 */
export function describeError(error: unknown, depth = 0): DescribedError | undefined {
  if (error === undefined || error === null) return undefined;
  if (!(error instanceof Error))
    return { type: typeof error, message: 'Something that is not an error was thrown.' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const query = 'query' in error && typeof error.query === 'string' ? error.query : undefined;
  // SQLSTATE class 22: the message repeats the value.
  const quotes =
    query !== undefined || error instanceof SyntaxError || (code !== undefined && code.startsWith('22'));
  const cause = depth < 4 ? describeError(error.cause, depth + 1) : undefined;
  const frames = error.stack?.match(/^\s+at [\s\S]*/m)?.[0];
  return {
    type: error.name,
    message: quotes ? 'left out, since it may quote values' : error.message,
    ...(code === undefined ? {} : { code }),
    ...(query === undefined ? {} : { query }),
    ...(frames === undefined ? {} : { stack: frames.trim() }),
    ...(cause === undefined ? {} : { cause }),
  };
}
