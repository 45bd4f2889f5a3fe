import { and, asc, eq } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { teamClusters, teamPlaces, teams } from '../store/schema/teams.ts';
import type { Database } from '../store/store.ts';
import { type ActingIdentity, ClusterProblem, type KubeRequest, type Transport } from './transport.ts';

/** Who acts on which cluster. The person was authorised for what they do. */
export interface ActingPerson {
  readonly person: Pick<Member, 'id' | 'companyId' | 'name' | 'email'>;
  readonly cluster: Pick<ClusterRow, 'id' | 'name' | 'isImpersonating'>;
}

/** Begins every name that this console gives to people and teams in clusters; no name of Kubernetes itself begins so. */
const prefix = 'wheelhouse:';

/** A name as letters, digits and hyphens. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');

/** The group of a team. The id tells teams apart whose names are written alike. */
export const groupOfTeam = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `${prefix}team:${[slugOf(name), id].filter((part) => part !== '').join('-')}`;

/**
 * The identity of a person on a cluster that is to know people: by their id, with a group for each of their teams that
 * reaches it. Undefined where the cluster knows the console alone.
 */
export async function actingIdentity(
  db: Pick<Database, 'select'>,
  { person, cluster }: ActingPerson,
): Promise<ActingIdentity | undefined> {
  if (!cluster.isImpersonating) return undefined;
  const reaching = await db
    .select({ id: teams.id, name: teams.name })
    .from(teamPlaces)
    .innerJoin(teamClusters, eq(teamClusters.teamId, teamPlaces.teamId))
    .innerJoin(teams, eq(teams.id, teamPlaces.teamId))
    .where(
      and(
        eq(teamPlaces.userId, person.id),
        eq(teamPlaces.companyId, person.companyId),
        eq(teamClusters.clusterId, cluster.id),
      ),
    )
    .orderBy(asc(teams.id));
  return {
    user: `${prefix}user:${person.id}`,
    groups: reaching.map(groupOfTeam),
    extra: {
      'wheelhouse.email': [encodeURIComponent(person.email)],
      'wheelhouse.name': [encodeURIComponent(person.name)],
    },
  };
}

/**
 * The same transport, whose changes and questions of permission are sent as somebody. What is read goes by the console's
 * credential: lists and watches are shared by everybody.
 */
export function actAs(transport: Transport, as: ActingIdentity, clusterName: string): Transport {
  return {
    clusterId: transport.clusterId,
    credential: transport.credential,
    namespace: transport.namespace,
    json: async <T>(request: KubeRequest) => {
      if (request.method === undefined || request.method === 'GET') return await transport.json<T>(request);
      return await asPerson(() => transport.json<T>({ ...request, as }), as, clusterName);
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  };
}

/** A cluster's refusal to somebody as whom it was asked, with a sentence that says so. */
export class PersonRefused extends ClusterProblem {}

/**
 * Sends something as a person. Throws PersonRefused that says so where the cluster refuses it to the person, or refuses
 * to the console to act as somebody; nothing is sent again otherwise.
 */
export async function asPerson<T>(
  send: () => Promise<T>,
  as: ActingIdentity,
  clusterName: string,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ClusterProblem) || error.upstream.status !== 403) throw error;
    const title = refusedAs(as, clusterName, error.upstream.body?.message);
    if (title === undefined) throw error;
    throw new PersonRefused({ status: 403, title, where: error.where }, error.upstream, { cause: error });
  }
}

/** A credential may not do one thing as somebody: clusters from Kubernetes 1.36 on say so first, whatever it lacks. */
const narrowRefusal = / cannot impersonate-on:[\w-]+:(\w+) resource "([^"]+)"/;
/** A credential may not be somebody, for one thing or for all. */
const identityRefusal = / cannot impersonate(?::[\w-]+)? resource /;

/** What a cluster's refusal means for somebody as whom it was asked; undefined where it is none of its RBAC. */
function refusedAs(as: ActingIdentity, clusterName: string, message: string | undefined): string | undefined {
  const [, verb, resource] = narrowRefusal.exec(message ?? '') ?? [];
  const advice = 'An Owner can switch off “Act as the person” under “Cluster settings for everyone”.';
  if (verb !== undefined)
    return `Nothing was done: ${clusterName} does not let this console ${verb} ${resource} as you. The console’s credential needs the verb impersonate-on:user-info:${verb} on ${resource} there, beside impersonate:user-info on users, groups and userextras. ${advice}`;
  if (identityRefusal.test(message ?? ''))
    return `Nothing was done: ${clusterName} does not let this console act as you. The console’s credential needs the right to impersonate users, groups and userextras there. ${advice}`;
  // Quotas and policies refuse by the same status, and say themselves why. A socket is refused without a message.
  if (message !== undefined && !message.includes(`User "${as.user}" cannot `)) return undefined;
  const groups = as.groups.length === 0 ? '' : ` or to one of the groups ${as.groups.join(', ')}`;
  return `${clusterName} itself does not let you do this: this console acts there as ${as.user}. Ask an administrator of the cluster to bind a role to that user${groups}.`;
}

/** The refusal of a credential that acts as somebody already: two persons cannot stand in one request. */
export function alreadyActing(clusterName: string): Problem {
  return new Problem({
    status: 409,
    title: `The credential of ${clusterName} already acts as another user (“as” in its kubeconfig), so it cannot act as people. Replace it with one without “as”.`,
  });
}
