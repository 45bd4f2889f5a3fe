import type { api } from './api.ts';
import list from './first-calls.json' with { type: 'json' };
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

/** The calls that a page may make before its first list is there. It loads the others right after. */
export const firstNames: ReadonlySet<string> = new Set<keyof typeof api>([
  'addOns',
  'clusters',
  'company',
  'consoleConfig',
  'isAuthenticated',
  'keymap',
  'logout',
  'namespaces',
  'notifications',
  'ownCompanies',
  'pendingInvitations',
  'preferences',
  'userPermissions',
  'userSettings',
]);

/**
 * The first calls of `api.ts`. `npm run first` writes the JSON from there, and that of the others, so that a page makes no schema
 * before its first list, which takes 10 ms; a build with a JSON that does not fit them fails.
 */
// JSON has no literal types: a test compares it with the table.
export const firstCalls: Readonly<Record<string, Call | undefined>> = list as Readonly<
  Record<string, unknown>
> as Readonly<Record<string, Call>>;
