import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access, CallPlace, TokenUse } from '../../contract/endpoint.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { type Grants, noSuchCluster } from '../access/grants.ts';
import type { Place } from '../access/held.ts';
import { isMember, type Member, onlyOwners, type Person } from '../access/person.ts';
import { changePlace, viewPlace } from '../access/place.ts';
import { noSuchTeam, requireTeam } from '../access/teams.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { Sessions } from '../access/sessions.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { customPrefix } from '../../registry/kinds/resource-key.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Database } from '../store/store.ts';
import { apiTokenOf, type BearerCheck, requireTokenUse } from './bearer.ts';
import { isXsrfToken, type SessionCookies, xsrfHeader } from './cookies.ts';
import { type Origins, requireSameOrigin } from './origins.ts';
import { requireStorable } from './storable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; undefined when signed out. */
    person: Person | undefined;
    /** The token of the session that `person` came with; undefined for an API token. */
    sessionToken: string | undefined;
    /** The cluster of `:clusterId`, once the person was found to reach it. */
    cluster: ClusterRow | undefined;
    /** The kind of `:kind`, once the person was found to have what the route asks for on it. */
    kind: AnyKind | undefined;
  }
  interface FastifyContextConfig {
    /** Who may call the route. Every route says it, or it cannot be mounted. */
    access?: Access;
    /** Whether API tokens may call it; never by default. */
    tokens?: TokenUse;
    /** A GET that changes something, or is upgraded to a socket: only our own pages may make it. */
    sameOriginOnly?: boolean;
    /** A POST that changes nothing. */
    reads?: boolean;
    /** Answers under any host name: probes call by address. */
    anyHost?: boolean;
    /** The caller is a machine that shows a secret of the route's own, which no browser sends: no origin is asked for. */
    ownSecret?: boolean;
    /** The route needs no session lookup, although it is public: files and probes. */
    anonymous?: boolean;
  }
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method may change something. */
export function isUnsafe(method: string): boolean {
  return !safeMethods.has(method);
}

/**
 * Decides who may call what, before body and handler: host, origin, session, XSRF token, access. Nothing else does. No
 * browser sends an API token by itself, so a call by one needs neither origin nor XSRF token; cookies beside it are
 * ignored, also if the token is bad. A route without `config.access` throws when it is mounted.
 */
export function installGuard(
  app: FastifyInstance,
  parts: {
    origins: Origins;
    sessions: Sessions;
    bearers: BearerCheck;
    cookies: SessionCookies;
    grants: Grants;
    kinds: KindCatalogue;
    db: Database;
  },
): void {
  const { origins, sessions, bearers, cookies } = parts;
  app.decorateRequest('person', undefined);
  app.decorateRequest('sessionToken', undefined);
  app.decorateRequest('cluster', undefined);
  app.decorateRequest('kind', undefined);

  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`The route ${String(route.method)} ${route.url} does not declare who may call it.`);
    }
  });

  const find = async (token: string | undefined) =>
    token === undefined ? undefined : await sessions.find(token);
  /** Calls that were judged before their body had arrived, as they were then: validation replaces what they ask. */
  const early = new WeakMap<FastifyRequest, AskedCall>();

  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions;
    if (config.anyHost !== true && !origins.isOwnHost(request.host)) {
      throw new Problem({ status: 421, title: origins.misdirected });
    }
    const { access } = config;
    const enter = async () => {
      if (access === undefined) return;
      const asked: AskedCall = {
        person: request.person,
        access,
        url: request.routeOptions.url ?? '',
        params: recordIn(request.params),
        query: recordIn(request.query),
      };
      await judge(request, asked, parts);
      if (!request.raw.complete) early.set(request, asked);
    };
    const apiToken = config.anonymous === true ? undefined : apiTokenOf(request);
    if (apiToken !== undefined) {
      const person = await bearers.find(apiToken, request.ip);
      request.person = person;
      requireTokenUse(person, config.tokens ?? 'never');
      await enter();
      return;
    }
    const unsafe = isUnsafe(request.method);
    // What is not there answers so to everybody, also to machines.
    if ((unsafe && config.ownSecret !== true && !request.is404) || config.sameOriginOnly === true)
      requireSameOrigin(request.headers, origins);
    if (access === undefined || config.anonymous === true) return;

    const token = cookies.read(request);
    const person = await find(token).catch((error: unknown) => {
      // Signing out: the browser forgets its session even while the store does not answer.
      if (config.access === 'public' && config.sameOriginOnly === true) cookies.clear(reply);
      throw error;
    });
    if (token !== undefined && person !== undefined) {
      request.person = person;
      request.sessionToken = token;
      cookies.refresh(request, reply, token);
      if (unsafe && !isXsrfToken(request.headers[xsrfHeader], token)) {
        throw new Problem({
          status: 403,
          title: 'The security token of the page is missing or out of date. Reload the page and try again.',
        });
      }
    }
    await enter();
  });

  // Once everything is parsed, and before any handler or audit row.
  app.addHook('preHandler', async (request) => {
    const { params, query, body } = request;
    requireStorable({ path: params, query, body });
    const asked = early.get(request);
    if (asked === undefined) return;
    // Whoever holds the body back must not act by a right that has gone meanwhile.
    const apiToken = apiTokenOf(request);
    request.person =
      apiToken === undefined ? await find(request.sessionToken) : await bearers.find(apiToken, request.ip);
    if (request.person === undefined) request.sessionToken = undefined;
    await judge(request, { ...asked, person: request.person }, parts);
  });
}

/** What decides on a call: who asks, for what, by which access. */
export interface AskedCall {
  readonly person: Person | undefined;
  readonly access: Access;
  /** The pattern of its path. */
  readonly url: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** What a call is about, once its caller was found to be allowed to make it. */
export interface AllowedCall {
  readonly cluster?: ClusterRow;
  readonly kind?: AnyKind;
}

/** What the guard asks. */
export interface Authorities {
  readonly grants: Grants;
  readonly kinds: KindCatalogue;
  readonly db: Database;
}

/** Judges a call for its caller: what `authorise` asks of clusters is asked on that person's behalf. */
async function judge(request: FastifyRequest, asked: AskedCall, parts: Authorities): Promise<void> {
  const { person } = asked;
  const check = async () => await authorise(asked, parts);
  const { cluster, kind } = await (person === undefined ? check() : onBehalfOf(person.id, check));
  if (cluster !== undefined) request.cluster = cluster;
  if (kind !== undefined) request.kind = kind;
}

const recordIn = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Gives the cluster and the kind that a call names. Throws Problem 401, 403 or 404 unless the caller may make it. */
export async function authorise(asked: AskedCall, { grants, kinds, db }: Authorities): Promise<AllowedCall> {
  const { person, access } = asked;
  if (access === 'public') return {};
  if (person === undefined) throw new Problem({ status: 401, title: 'Sign in to continue.' });
  if (access === 'session') return {};
  if (access === 'account') {
    requireOwnSession(person);
    return {};
  }
  const member = requireMember(person);
  if (access === 'owner' && member.orgRole !== orgRoles.Owner) {
    throw onlyOwners();
  }
  if (typeof access === 'object' && 'team' in access) {
    await requireTeam(db, member, idOf(asked, 'teamId', noSuchTeam), access.team);
    return {};
  }
  const clusterId = 'clusterId' in asked.params ? idOf(asked, 'clusterId', noSuchCluster) : undefined;
  if (clusterId === undefined) {
    if (access === 'cluster' || typeof access === 'object') {
      throw new Error(`${asked.url} asks for a grant on a cluster but names none.`);
    }
    return {};
  }
  if (typeof access !== 'object') return { cluster: await grants.cluster(member, clusterId) };
  if ('permission' in access) {
    const place = placeIn(asked, access.at, (named) => changePlace({ scope: 'Namespaced' }, named));
    return { cluster: await grants.require(member, clusterId, access.permission, place) };
  }
  // The person must reach the cluster before it is asked about its kinds.
  const cluster = await grants.cluster(member, clusterId);
  const definition = textParam(asked, 'crdName');
  const name = definition === '' ? textParam(asked, 'kind') : `${customPrefix}${definition}`;
  const kind = await kinds.find(cluster, name);
  const place = placeIn(asked, access.at, (named) =>
    access.kind === 'view' ? viewPlace(kind, named) : changePlace(kind, named),
  );
  return { cluster: await grants.require(member, clusterId, kind.permissions[access.kind], place), kind };
}

/** What a call names of an object, in its path or query. */
interface NamedPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Where a call needs its permission. @param ofNamed where it does by what the call names */
function placeIn(asked: AskedCall, at: CallPlace, ofNamed: (named: NamedPlace) => Place): Place {
  if (at === 'cluster') return 'cluster';
  if (at !== 'namespace') return 'anywhere';
  // The query is not parsed yet: a namespace that is given twice is none, and refused afterwards.
  const { namespace } = asked.query;
  const inQuery = typeof namespace === 'string' ? namespace : '';
  return ofNamed({
    namespace: textParam(asked, 'namespace') || textParam(asked, 'ns') || inQuery,
    name: textParam(asked, 'name'),
  });
}

/** Throws Problem 403 for a session that a company's provider opened: it is no session of the account itself. */
export function requireOwnSession({ providerId, companyName }: Person): void {
  if (providerId === null) return;
  throw new Problem({
    status: 403,
    title: `You signed in with the provider of ${companyName}, which gives access to that organisation only. Sign out and sign in another way to change your account, or to see your other organisations and invitations.`,
  });
}

/** The person as a member of a company; throws Problem 403 for somebody who has yet to set one up. */
export function requireMember(person: Person): Member {
  if (!isMember(person)) throw new Problem({ status: 403, title: 'Set up your organisation first.' });
  return person;
}

function textParam({ params }: AskedCall, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

/** An id in the path. Throws the problem of an unknown one for what is no id. */
function idOf(asked: AskedCall, name: string, unknown: () => Problem): number {
  const text = textParam(asked, name);
  if (!/^[1-9]\d{0,9}$/.test(text)) throw unknown();
  return Number(text);
}
