import { kinds } from '../../../commands/kinds/index.ts';
import type { customResourceEndpoints } from '../../contract/custom-resources.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { collectionPath, objectPath } from '../../kube/change.ts';
import { isBuiltInGroup } from '../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { canListResource } from '../clusters/credential-rules.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Reach } from '../access/grants.ts';
import { isNamespaceKind } from '../access/place.ts';
import type { Handlers } from '../http/handlers.ts';
import { Definitions } from '../objects/definitions.ts';
import { discoverDefinitions } from '../objects/discovered.ts';
import { addressOf, namespaceOf } from '../objects/address.ts';
import { presentObject, presentObjects } from '../objects/present.ts';
import { inSteps } from '../kit/turns.ts';
import { objectIn, pageIn } from '../objects/read.ts';
import { readServedResources } from '../objects/served-resources.ts';
import type { RouteParts } from './parts.ts';

const megabyte = 1024 * 1024;
const maxPageBytes = 32 * megabyte;

type NamedCluster = Pick<Reach['cluster'], 'id' | 'name'>;

interface Page {
  readonly limit: number;
  readonly continue?: string | undefined;
}

/** Custom resources, straight from the cluster. */
export function customResourceHandlers({
  clusters,
  now,
}: Pick<RouteParts, 'clusters' | 'now'>): Handlers<typeof customResourceEndpoints> {
  const definitions = new Definitions(now);

  async function list(
    kind: AnyKind,
    cluster: NamedCluster,
    namespace: string | undefined,
    query: Page,
    signal: AbortSignal,
  ) {
    requireCustom(kind, cluster);
    const transport = await clusters.transport(cluster.id);
    const found = await transport.json<unknown>({
      path: collectionPath(kind, namespace === undefined ? undefined : namespaceOf(kind, namespace)),
      query: { limit: query.limit, continue: query.continue },
      answerLimit: {
        bytes: maxPageBytes,
        sentence: `${query.limit} ${kind.title} of ${cluster.name} take more than ${maxPageBytes / megabyte} MB in one answer. Ask for fewer at a time (limit).`,
      },
      signal,
    });
    const { items, next } = pageIn(found, kind.title, cluster.name);
    return {
      items: await inSteps(presentObjects(kind, items), signal),
      ...(next === undefined ? {} : { continue: next }),
    };
  }

  async function one(
    kind: AnyKind,
    cluster: NamedCluster,
    ref: { readonly namespace?: string; readonly name: string },
    signal: AbortSignal,
  ) {
    requireCustom(kind, cluster);
    const transport = await clusters.transport(cluster.id);
    const address = addressOf(kind, { namespace: ref.namespace, name: ref.name });
    return presentObject(
      kind,
      objectIn(await transport.json<unknown>({ path: objectPath(address), signal }), cluster.name),
    );
  }

  return {
    async definitions({ params }, { cluster, person }) {
      const transport = await clusters.transport(params.clusterId);
      const found = await definitions.of(transport, cluster.name).catch(async (error: unknown) => {
        const isDenied = error instanceof ClusterProblem && error.upstream.status === 403;
        // Without its definition nobody but an Owner may view a custom resource.
        if (!isDenied || person.orgRole !== orgRoles.Owner) throw error;
        return await discoverDefinitions(transport, await clusters.rules(params.clusterId));
      });
      // By code unit: names are lower-case ASCII, and every replica must agree.
      return found.toSorted((a, b) =>
        a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0,
      );
    },
    async addOns({ params }) {
      const transport = await clusters.transport(params.clusterId);
      const found = kinds.filter(({ addOn }) => addOn !== undefined);
      const nameOf = ({ plural, group }: AnyKind) => `${plural}.${group}`;
      const [rules, served] = await Promise.all([
        clusters.rules(params.clusterId),
        readServedResources(transport, found.map(nameOf)),
      ]);
      // What a kind is read from that the cluster does not serve is no matter of rights.
      const isUnreadable = (kind: AnyKind) =>
        rules !== undefined &&
        kind.source === undefined &&
        !isNamespaceKind(kind) &&
        !canListResource(rules, kind);
      return {
        absent: found.filter((kind) => !served.has(nameOf(kind))).map(({ id }) => id),
        unreadable: kinds.filter(isUnreadable).map(({ id }) => id),
      };
    },
    customObjects: async ({ query }, { kind, cluster, signal }) =>
      await list(kind, cluster, undefined, query, signal),
    customObjectsIn: async ({ params, query }, { kind, cluster, signal }) =>
      await list(kind, cluster, params.ns, query, signal),
    customObject: async ({ params }, { kind, cluster, signal }) =>
      await one(kind, cluster, { name: params.name }, signal),
    customObjectIn: async ({ params }, { kind, cluster, signal }) =>
      await one(kind, cluster, { namespace: params.ns, name: params.name }, signal),
  };
}

/** Throws Problem 404 for a resource that no definition makes: those have their own calls. */
function requireCustom({ group, plural }: AnyKind, { name }: NamedCluster): void {
  if (!isBuiltInGroup(group)) return;
  throw new Problem({ status: 404, title: `${name} has no definition ${plural}.${group || 'core'}.` });
}
