import { StartError } from '../../kit/start-error.ts';

/** Where the embedded database cannot run: why, and the way out. */
export function cannotEmbed(reason: string, options?: ErrorOptions): StartError {
  return new StartError(
    `${reason} Use a PostgreSQL (14 or later) of your own instead: set ` +
      'DATABASE_URL=postgresql://user:password@host:5432/database and WHEELHOUSE_SECRET_KEY.',
    options,
  );
}
