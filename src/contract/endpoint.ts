import type * as z from 'zod/mini';
import type { Permission } from './permissions.ts';

/**
 * Who may call an endpoint. The server checks it before the handler runs.
 * - `public`: anyone (same-origin rules still apply)
 * - `session`: any signed-in person, also one who has yet to set up a company or answer an invitation
 * - `member`: a signed-in, valid user of a company
 * - `owner`: an Owner of the company
 * - `cluster`: a member whose teams reach the cluster in `:clusterId`
 * - a permission: a member who holds it on the cluster in `:clusterId`
 * - `{ kind }`: a member who may view or manage the kind in `:kind`, or what the definition in `:crdName` defines, on the
 *   cluster in `:clusterId`
 */
export type Access =
  | 'public'
  | 'session'
  | 'member'
  | 'owner'
  | 'cluster'
  | { readonly permission: Permission }
  | { readonly kind: 'view' | 'manage' };

/** What an access is called in descriptions. */
export function describeAccess(access: Access): string {
  if (typeof access === 'string') return access;
  return 'kind' in access ? `${access.kind} permission of the kind` : access.permission;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the console's API: everything client, server, tests and OpenAPI need to know of it. */
export interface Endpoint {
  readonly method: Method;
  /** With `:name` parameters, as fastify writes them. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: Access;
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  /** The body of a 2xx answer; absent for 204. */
  readonly response?: z.ZodMiniType;
  /** The status of success: 200, or 204 without a response. */
  readonly status?: 200 | 201 | 204;
  /** A browser navigates here (redirects, sign-in): not called by the client. */
  readonly navigation?: true;
  /** A GET that changes something all the same: the server takes it from its own pages only. */
  readonly changes?: true;
  /** A POST that only asks: nothing is changed, so nothing is audited. */
  readonly reads?: true;
  /**
   * Something could be guessed here: the handler asks the throttle first, and only then for the row of the audit, so that
   * a try which is refused unread writes nothing.
   */
  readonly braked?: true;
  /** Changes only what nobody but the caller ever sees: not audited. */
  readonly own?: true;
  /** Upper bound of the request body in bytes, where the server's default (64 KB) does not fit. */
  readonly bodyLimit?: number;
  /** What a person reads when a call fails and no server said why: "An error occurred" without it. */
  readonly failure?: string;
  /** At most so many calls a minute from one address and account. */
  readonly perMinute?: number;
}

/** Declares an endpoint, keeping its exact type. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Input<S> = S extends z.ZodMiniType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

/** What a caller passes: only the parts the endpoint declares. */
export type CallOf<E extends Endpoint> = (E extends { params: infer P } ? { params: Input<P> } : unknown) &
  (E extends { query: infer Q } ? { query?: Input<Q> } : unknown) &
  (E extends { body: infer B } ? { body: Input<B> } : unknown);

/** What a handler receives: parsed by the endpoint's schemas. */
export type RequestOf<E extends Endpoint> = (E extends { params: infer P }
  ? { params: Output<P> }
  : unknown) &
  (E extends { query: infer Q } ? { query: Output<Q> } : unknown) &
  (E extends { body: infer B } ? { body: Output<B> } : unknown);

/** What an endpoint answers. */
export type ResponseOf<E extends Endpoint> = E extends { response: infer R } ? Output<R> : undefined;

/** A typed client over a table of endpoints; `Options` is what the platform adds to a call (an abort signal). */
export type Client<T extends Readonly<Record<string, Endpoint>>, Options> = {
  readonly [K in keyof T]: (call: CallOf<T[K]>, options?: Options) => Promise<ResponseOf<T[K]>>;
};
