import type * as z from 'zod/mini';
import type { Permission } from './permissions.ts';
import type { NamedScope } from './token-scopes.ts';

/**
 * Who may call an endpoint. The server checks it before the handler runs.
 * - `public`: anyone (same-origin rules still apply)
 * - `session`: any signed-in person, also before setting up a company or accepting an invitation
 * - `account`: as `session`, for what belongs to the account and not to a company; a session that a company's provider
 *   opened has no part in it
 * - `member`: a signed-in, valid user of a company
 * - `owner`: an Owner of the company
 * - `cluster`: a member whose teams reach the cluster in `:clusterId`
 * - a permission: a member who has it on the cluster in `:clusterId`, in the place that `at` says
 * - `{ kind }`: a member who may view or manage the kind in `:kind`, or the kind defined by `:crdName`, on the cluster
 *   in `:clusterId`, in the place that `at` says
 * - `{ team }`: to view, the members of the team in `:teamId` and the Owners of its company; to manage its members, its
 *   TeamAdmins and the Owners. For anybody else there is no such team.
 */
export type Access =
  | 'public'
  | 'session'
  | 'account'
  | 'member'
  | 'owner'
  | 'cluster'
  | { readonly permission: Permission; readonly at: CallPlace }
  | { readonly kind: 'view' | 'manage'; readonly at: CallPlace }
  | { readonly team: 'view' | 'manage' };

/**
 * Where on the cluster a permission is needed: a team's grant may be restricted to namespaces.
 * - `cluster`: on the cluster as a whole
 * - `namespace`: in the namespace that the path or the query names. A kind that has namespaces is asked for in all of
 *   them without one; objects of the cluster are asked for on the cluster as a whole, a namespace to be viewed in itself
 * - `handler`: the handler asks for each namespace that the call is about; it is called for whoever holds it in any
 * - `any`: in any namespace, as the answer tells nothing of what is in one
 */
export type CallPlace = 'cluster' | 'namespace' | 'handler' | 'any';

/** Describes an access for OpenAPI. */
export function describeAccess(access: Access): string {
  if (typeof access === 'string') return access;
  if ('kind' in access) return `${access.kind} permission of the kind`;
  if ('permission' in access) return access.permission;
  return access.team === 'view' ? 'members of the team and Owners' : 'TeamAdmins of the team and Owners';
}

/**
 * Whether an API token may make a call.
 * - `never`: it is for people who are signed in
 * - `scopes`: within the scopes and clusters of the token, as the permissions of the call are asked for
 * - a scope: only a token that has it, by its name, besides
 */
export type TokenUse = 'never' | 'scopes' | NamedScope;

/**
 * Whether API tokens may call an endpoint. What is decided by permissions on a cluster takes them by itself; everything
 * else (accounts, sign-in, members, grants, settings, tokens) only where it says so.
 */
export function tokenUseOf({ access, tokens }: Pick<Endpoint, 'access' | 'tokens'>): TokenUse {
  if (tokens !== undefined) return tokens;
  const isByPermission =
    access === 'cluster' || (typeof access === 'object' && ('permission' in access || 'kind' in access));
  return isByPermission ? 'scopes' : 'never';
}

/** Says whether API tokens may call an endpoint, as a sentence for OpenAPI. */
export function describeTokens(endpoint: Pick<Endpoint, 'access' | 'tokens'>): string {
  const use = tokenUseOf(endpoint);
  if (use === 'never') return 'Takes no API tokens.';
  return use === 'scopes' ? 'Takes API tokens.' : `Takes API tokens with the scope ${use}.`;
}

/** The sentence of OpenAPI for a call that needs a confirmed identity; empty for any other. */
export function describeProof({ proof }: Pick<Endpoint, 'proof'>): string {
  if (proof === undefined) return '';
  return proof === 'recent'
    ? ' Needs a recently confirmed identity.'
    : ' Some clusters ask for a passkey at each dangerous action.';
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the console's API, with everything that client, server, tests and OpenAPI need. */
export interface Endpoint {
  readonly method: Method;
  /** With `:name` parameters in fastify's syntax. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  /**
   * A call that the audit has, as a clause for its entries: a verb in its base form, then facts of the entry in braces. A
   * part in brackets is left out where a fact of it is not known; of `{email|userId}` the first that is known counts.
   */
  readonly audited?: string;
  /** It changes nothing that others see: "Changes only" leaves it out. */
  readonly isRoutine?: true;
  readonly access: Access;
  /** Whether API tokens may call it, where that does not follow from `access`: see `tokenUseOf`. */
  readonly tokens?: TokenUse;
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  /** The body of a 2xx response; absent for 204. */
  readonly response?: z.ZodMiniType;
  /** The success status: 200 by default, or 204 without a response. */
  readonly status?: 200 | 201 | 204;
  /** The browser navigates to it (redirects, sign-in); the client never calls it. */
  readonly navigation?: true;
  /** Answers with a file, as a stream; the page links to it. */
  readonly download?: true;
  /** A GET that changes something: the server accepts it only from its own pages. */
  readonly changes?: true;
  /** A POST that changes nothing and is not audited. */
  readonly reads?: true;
  /**
   * The endpoint could be used for guessing: the handler asks the throttle before it writes the audit row, so that a
   * throttled attempt writes nothing.
   */
  readonly braked?: true;
  /**
   * Whoever calls it has yet to show who they are: a session beside it says nothing of that. The audit has it as begun by
   * somebody signed out, and a failure as a try.
   */
  readonly entrance?: true;
  /**
   * It may lead to another organisation than the caller's. An entry of the audit never moves from one to another, so this
   * one begins as the installation's, and ends in the organisation that the handler names, else in the caller's.
   */
  readonly moves?: true;
  /** Changes only data that nobody but the caller sees; not audited. */
  readonly own?: true;
  /**
   * `recent`: the caller must have confirmed their identity within `proofMinutes`: by the call a session could make an Owner, let
   * somebody in, send data elsewhere, weaken a rule or end the access of others. Refused with the code
   * `identity-not-confirmed`; no API token fulfils it.
   *
   * `act`: a dangerous act, for which the caller uses a passkey at that moment where the cluster in `:clusterId` asks for
   * it. Refused with the code `passkey-needed`; API tokens are refused there.
   *
   * `handler`: as `act`, where the handler finds that the call is such an act.
   */
  readonly proof?: 'recent' | 'act' | 'handler';
  /** Maximum size of the request body in bytes, if not the server's default (64 KB). */
  readonly bodyLimit?: number;
  /** The message for a failed call without a server's message; "An error occurred" by default. */
  readonly failure?: string;
  /**
   * A parameter of the query. Of the calls of one session or token that give the same value for it, only the latest is
   * answered: earlier ones end with 409.
   */
  readonly supersededBy?: string;
  /** Maximum number of calls a minute from one address and account, on all servers together. */
  readonly perMinute?: number;
}

/** Declares an endpoint, keeping its exact type. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Input<S> = S extends z.ZodMiniType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

/** The parameters of a call: the parts that the endpoint declares. */
export type CallOf<E extends Endpoint> = (E extends { params: infer P } ? { params: Input<P> } : unknown) &
  (E extends { query: infer Q } ? { query?: Input<Q> } : unknown) &
  (E extends { body: infer B } ? { body: Input<B> } : unknown);

/** What a handler receives, parsed by the endpoint's schemas. */
export type RequestOf<E extends Endpoint> = (E extends { params: infer P }
  ? { params: Output<P> }
  : unknown) &
  (E extends { query: infer Q } ? { query: Output<Q> } : unknown) &
  (E extends { body: infer B } ? { body: Output<B> } : unknown);

/** The response of an endpoint. */
export type ResponseOf<E extends Endpoint> = E extends { response: infer R } ? Output<R> : undefined;

/** A typed client for a table of endpoints; `Options` are the platform's options of a call (an abort signal). */
export type Client<T extends Readonly<Record<string, Endpoint>>, Options> = {
  readonly [K in keyof T]: (call: CallOf<T[K]>, options?: Options) => Promise<ResponseOf<T[K]>>;
};
