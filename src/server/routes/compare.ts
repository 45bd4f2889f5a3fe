import { secret as secretKind } from '../../../commands/kinds/secret.ts';
import type { compareEndpoints } from '../../contract/compare.ts';
import type { ObjectBody } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { viewPlace } from '../access/place.ts';
import { isExcluded, noneExcluded } from '../access/sight.ts';
import { createLimiter } from '../kit/limiter.ts';
import { compareLists } from '../compare/lists.ts';
import { markedSecrets } from '../compare/secrets.ts';
import type { Handlers } from '../http/handlers.ts';
import { namespaceOf } from '../objects/address.ts';
import { isPlain } from '../objects/read.ts';
import { readObject, requireApi } from '../objects/read-object.ts';
import type { RouteParts } from './parts.ts';

/** Lists that are compared at a time: each is read whole. */
const concurrency = 2;
/** The audit's name for a comparison of Secrets: it reveals which of their values are equal. */
const comparing = 'secret.compare';
/** Characters of key names that the audit keeps of one call. */
const keysLimit = 4_000;

/** Handlers that compare two places. A person needs the view permission in both. */
export function compareHandlers({
  clusters,
  grants,
  kinds,
  clock,
}: Pick<RouteParts, 'clusters' | 'grants' | 'kinds' | 'clock'>): Handlers<typeof compareEndpoints> {
  const limiter = createLimiter(concurrency);
  return {
    async compareLists({ params, query }, { kind, cluster, person, audit, signal }) {
      requireApi(kind);
      const { namespace, otherCluster, otherNamespace } = query;
      requireTwoPlaces(kind, { ...query, clusterId: cluster.id });
      // The person must reach the cluster before it is asked about its kinds.
      const other = await grants.cluster(person, otherCluster);
      const otherKind = await kinds.find(other, params.kind);
      await grants.require(
        person,
        other.id,
        otherKind.permissions.view,
        viewPlace(otherKind, { namespace: otherNamespace }),
      );
      if (kind.id === secretKind.id) {
        await audit.record(comparing, {
          kind: kind.id,
          namespace: namespace ?? null,
          otherCluster: other.id,
          otherNamespace: otherNamespace ?? null,
        });
      }
      const readAt = new Date(clock.now()).toISOString();
      const left = {
        transport: await clusters.transport(cluster.id),
        kind,
        cluster: cluster.name,
        namespace: namespace === undefined ? undefined : namespaceOf(kind, namespace),
      };
      const right = {
        transport: await clusters.transport(other.id),
        kind: otherKind,
        cluster: other.name,
        namespace: otherNamespace === undefined ? undefined : namespaceOf(otherKind, otherNamespace),
      };
      const withStatus = query.status === 'true';
      const all = await limiter.run(
        () => compareLists(left, right, { withStatus, signal }),
        signal,
        person.id,
      );
      const excluded =
        namespace === undefined && query.excluded === undefined
          ? new Set([
              ...(await grants.access(person, cluster.id)).excluded,
              ...(await grants.access(person, other.id)).excluded,
            ])
          : noneExcluded;
      const objects = all.filter(
        (one) => !isExcluded(excluded, kind, { namespace: one.namespace ?? '', name: one.name }),
      );
      audit.subject({ objects: objects.length });
      return { readAt, objects };
    },

    async compareSecrets({ params, query }, { cluster, person, audit, signal }) {
      const place = { namespace: query.otherNamespace };
      const other = await grants.require(person, query.otherCluster, secretKind.permissions.view, place);
      // Before anything is read: which values are the same tells of them.
      await audit.record(comparing, {
        kind: secretKind.id,
        namespace: params.namespace,
        names: `${params.namespace}/${params.name}`,
        otherCluster: other.id,
        otherNames: `${query.otherNamespace}/${query.otherName}`,
      });
      const read = async (id: number, name: string, ref: { namespace: string; name: string }) =>
        await readObject(await clusters.transport(id), secretKind, ref, { cluster: name, signal });
      const secrets = await Promise.all([
        read(cluster.id, cluster.name, { namespace: params.namespace, name: params.name }),
        read(other.id, other.name, { namespace: query.otherNamespace, name: query.otherName }),
      ]);
      const [left = {}, right = {}] = markedSecrets(secretKind, secrets);
      audit.subject({ keys: keysOf(left, right) });
      return { left, right };
    },
  };
}

/** Names of the keys that were compared, as the audit keeps them. */
const keysOf = (...secrets: readonly ObjectBody[]) =>
  [...new Set(secrets.flatMap(({ data }) => (isPlain(data) ? Object.keys(data) : [])))]
    .sort()
    .join(', ')
    .slice(0, keysLimit);

interface Places {
  readonly clusterId: number;
  readonly namespace?: string | undefined;
  readonly otherCluster: number;
  readonly otherNamespace?: string | undefined;
}

/** Throws Problem 400 where there are no two lists of one sort. */
function requireTwoPlaces(
  kind: AnyKind,
  { clusterId, namespace, otherCluster, otherNamespace }: Places,
): void {
  if ((namespace === undefined) !== (otherNamespace === undefined)) {
    throw new Problem({
      status: 400,
      title: 'Choose a namespace on both sides, or all namespaces on both.',
    });
  }
  if (clusterId === otherCluster && namespace === otherNamespace) {
    throw new Problem({
      status: 400,
      title:
        kind.scope === 'Cluster'
          ? 'That is the same list: choose another cluster.'
          : 'That is the same list: choose another cluster or namespace.',
    });
  }
}
