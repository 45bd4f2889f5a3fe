import { and, eq, ne } from 'drizzle-orm';
import type { Cluster, clusterEndpoints } from '../../contract/clusters.ts';
import { type OrgRole, orgRoles, type Permission, permissions } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Asker } from '../access/grants.ts';
import { covers } from '../access/held.ts';
import type { Member } from '../access/person.ts';
import type { Sight } from '../access/sight.ts';
import { createLimiter } from '../kit/limiter.ts';
import { findUserSettings, type StoredUserSettings } from '../clusters/user-settings.ts';
import { metricsSourceOf } from '../clusters/metrics-source.ts';
import { isStateDue } from '../clusters/reach.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Handlers } from '../http/handlers.ts';
import { Roles } from '../organisation/roles.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { RouteParts } from './parts.ts';

const batchConcurrency = 4;

/** Clusters: listing, adding, replacing, removing, and who may do what on them. */
export function clusterHandlers(
  services: Pick<RouteParts, 'store' | 'grants' | 'clusters' | 'hub'>,
): Handlers<typeof clusterEndpoints> {
  const { store, grants, clusters: directory, hub } = services;
  const roles = new Roles(store);

  const present = async (person: Asker, row: ClusterRow): Promise<Cluster> => {
    const { held, excluded } = await grants.access(person, row.id);
    const own = person.token === null ? await findUserSettings(store, ownerOf(person, row)) : undefined;
    return { ...presentCluster(row, directory.state(row.id), { held, excluded }), ...defaultsIn(own) };
  };

  const list = async (person: Asker): Promise<Cluster[]> => {
    const rows = await grants.clusters(person);
    for (const { id } of rows) {
      // Not awaited: the next list, or the page's own request, has the answer.
      if (isStateDue(directory.state(id), Date.now())) void directory.probe(id);
    }
    return Promise.all(rows.map((row) => present(person, row)));
  };

  const colleague = async (person: Member, userId: number): Promise<Asker> => {
    const [row] = await store.db
      .select({ id: memberships.userId, orgRole: memberships.orgRole })
      .from(memberships)
      .where(
        and(
          eq(memberships.userId, userId),
          eq(memberships.companyId, person.companyId),
          ne(memberships.state, 'left'),
        ),
      );
    if (row === undefined) throw new Problem({ status: 404, title: 'Your organisation has no such person.' });
    const orgRole: OrgRole = row.orgRole === orgRoles.Owner ? orgRoles.Owner : orgRoles.Member;
    return { id: row.id, companyId: person.companyId, orgRole, token: null };
  };

  return {
    clusters: (_request, { person }) => list(person),
    clustersOfUser: async ({ params }, { person }) => list(await colleague(person, params.userId)),
    async addCluster({ body }, { person, audit }) {
      audit.subject({ name: body.name });
      const row = await directory.add(person, body);
      audit.subject({ clusterId: row.id });
      return present(person, row);
    },
    async addClusters({ body }, { person, audit, log }) {
      const limiter = createLimiter(batchConcurrency);
      const outcomes = await Promise.all(
        body.clusters.map((input) =>
          limiter.run(async () => {
            try {
              return { cluster: await present(person, await directory.add(person, input)) };
            } catch (error) {
              const reached = error instanceof Problem && error.limit !== undefined ? error : undefined;
              return { error: `${input.name}: ${sentenceOf(error, input.name, log)}`, reached };
            }
          }),
        ),
      );
      const results = outcomes.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster]));
      // With one of them added, the sentences of the others say enough.
      const refusal = outcomes.find(({ reached }) => reached !== undefined)?.reached;
      if (results.length === 0 && refusal !== undefined) throw refusal;
      const errors = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error]));
      audit.subject({
        clusterIds: results.map((cluster) => cluster.id).join(','),
        added: results.length,
        failed: errors.length,
      });
      return { results, errors };
    },
    readKubeconfig: ({ body }) => ({ contexts: directory.read(body.kubeConfigContent) }),
    async replaceKubeconfig({ params, body }, { person, cluster, audit }) {
      audit.subject({ name: cluster.name });
      const after = await directory.replace(person, params.clusterId, body);
      audit.changed({ server: hostOf(cluster) }, { server: hostOf(after) });
      return present(person, after);
    },
    async deleteCluster({ params }, { person, cluster, audit }) {
      audit.subject({ name: cluster.name });
      await directory.remove(person, params.clusterId);
      return undefined;
    },
    clusterState: ({ params }) => directory.probe(params.clusterId),
    async warmUp({ params }, { person }) {
      await hub.readAhead(person, params.clusterId, undefined);
      return undefined;
    },
    userPermissions: async ({ params }, { person }) =>
      namedPermissions((await grants.held(person, params.clusterId)).names),
    permissionsOfUser: async ({ params }, { person }) =>
      namedPermissions((await grants.held(await colleague(person, params.userId), params.clusterId)).names),
    permissionsOfRole: async ({ params }, { person }) =>
      namedPermissions((await roles.one(person, params.roleId)).permissions),
    allPermissions: () => namedPermissions(permissions),
  };
}

const ownerOf = (person: Asker, { id }: ClusterRow) => ({ userId: person.id, clusterId: id });

/** How a person's lists begin; nothing where they never said. */
function defaultsIn(own: StoredUserSettings | undefined): Pick<Cluster, 'defaults'> {
  if (own === undefined) return {};
  const { favouriteNamespaces, sort, isWide } = own;
  const isUsual = favouriteNamespaces.length === 0 && sort === null && !isWide;
  return isUsual ? {} : { defaults: { favouriteNamespaces, sort, isWide } };
}

/** A row as people see it: never its credential, its address only with clusters.view. */
export function presentCluster(row: ClusterRow, state: Cluster['state'], { held, excluded }: Sight): Cluster {
  // What an Owner leaves out for everybody may have names that not everybody knows.
  const seen = [...excluded].filter((namespace) => covers(held.namespaces, { namespace })).sort();
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    source: row.source === 'playground' || row.source === 'operator' ? row.source : 'kubeconfig',
    server: held.may('clusters.view', 'cluster') ? hostOf(row) : '',
    colour: row.colour,
    ...(row.environment === '' ? {} : { environment: row.environment }),
    isProtected: row.isProtected,
    isReadOnly: row.isReadOnly,
    isShellAllowed: row.isShellAllowed,
    isShellRecorded: row.isShellRecorded,
    ...(metricsSourceOf(row).from === 'metrics.k8s.io' ? {} : { hasUsageHistory: true as const }),
    credentialExpiresAt:
      row.credentialExpiresAt === null ? null : new Date(row.credentialExpiresAt).toISOString(),
    state,
    ...(held.namespaces === 'all' ? {} : { namespaces: [...held.namespaces].sort() }),
    ...(seen.length === 0 ? {} : { excludedNamespaces: seen }),
  };
}

/** Host and port of a cluster's API server. */
function hostOf({ server }: Pick<ClusterRow, 'server'>): string {
  return URL.parse(server)?.host ?? '';
}

/** Permission names in the list's own order, which is by name. */
function namedPermissions(held: readonly Permission[]): { name: Permission }[] {
  return permissions.filter((name) => held.includes(name)).map((name) => ({ name }));
}

function sentenceOf(
  error: unknown,
  cluster: string,
  log: { error(details: object, message: string): void },
): string {
  if (error instanceof Problem) return error.title;
  log.error({ cluster, err: describeError(error) }, 'A cluster of a batch could not be added');
  return 'Something went wrong on the server. Try again.';
}
