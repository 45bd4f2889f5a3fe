import type { api } from './api.ts';
import list from './calls.json' with { type: 'json' };
import type { Endpoint } from './endpoint.ts';

/** What a page has to know of a call to make it: its entry in `api.ts` without the schemas, which the server checks by. */
export interface Call extends Pick<Endpoint, 'method' | 'path' | 'failure'> {
  /** An answer of 401 does not mean that the session ended. */
  readonly isPublic?: true;
  /** A successful answer has a body. */
  readonly hasBody?: true;
}

/** What a call has in `calls`. */
export const callOf = ({ method, path, failure, access, response }: Endpoint): Call => ({
  method,
  path,
  ...(failure === undefined ? {} : { failure }),
  ...(access === 'public' ? { isPublic: true } : {}),
  ...(response === undefined ? {} : { hasBody: true }),
});

/**
 * Every call of `api.ts`. `npm run first` writes the JSON from there, so that a page makes no schema before its first
 * list, which takes 10 ms; a build with a JSON that does not fit them fails.
 */
// JSON has no literal types: a test compares it with the table.
export const calls = list as Readonly<Record<string, unknown>> as Readonly<Record<keyof typeof api, Call>>;
