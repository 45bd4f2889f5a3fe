import type { Cluster, clusterEndpoints } from '../../contract/clusters.ts';
import { type Permission, permissions } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Asker, Reach } from '../access/grants.ts';
import { colleagueOf } from '../access/colleague.ts';
import { createLimiter } from '../kit/limiter.ts';
import { findUserSettings } from '../clusters/user-settings.ts';
import { defaultsIn, hostOf, presentCluster } from '../clusters/present-cluster.ts';
import { isStateDue } from '../clusters/reach.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Handlers } from '../http/handlers.ts';
import { Roles } from '../organisation/roles.ts';
import type { RouteParts } from './parts.ts';

const batchConcurrency = 4;

/** Clusters: listing, adding, replacing, removing, and who may do what on them. */
export function clusterHandlers(
  services: Pick<RouteParts, 'store' | 'grants' | 'clusters' | 'hub' | 'clock'>,
): Handlers<typeof clusterEndpoints> {
  const { store, grants, clusters: directory, hub, clock } = services;
  const roles = new Roles(store);

  const present = async (person: Asker, row: Reach['cluster']): Promise<Cluster> => {
    const { held, excluded } = await grants.access(person, row.id);
    const owner = { userId: person.id, clusterId: row.id };
    const own = person.token === null ? await findUserSettings(store, owner) : undefined;
    return { ...presentCluster(row, directory.state(row.id), { held, excluded }), ...defaultsIn(own) };
  };

  const list = async (person: Asker): Promise<Cluster[]> => {
    const rows = await grants.clusters(person);
    for (const { id } of rows) {
      // Not awaited: the next list, or the page's own request, has the answer.
      if (isStateDue(directory.state(id), clock.now())) void directory.probe(id);
    }
    return Promise.all(rows.map((row) => present(person, row)));
  };

  return {
    clusters: (_request, { person }) => list(person),
    clustersOfUser: async ({ params }, { person }) =>
      list(await colleagueOf(store.db, person, params.userId)),
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
      namedPermissions(
        (await grants.held(await colleagueOf(store.db, person, params.userId), params.clusterId)).names,
      ),
    permissionsOfRole: async ({ params }, { person }) =>
      namedPermissions((await roles.one(person, params.roleId)).permissions),
    allPermissions: () => namedPermissions(permissions),
  };
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
