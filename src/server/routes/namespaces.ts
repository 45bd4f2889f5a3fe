import { type Namespace, type namespaceEndpoints, namespaceNameSchema } from '../../contract/namespaces.ts';
import { Problem } from '../../contract/problem.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import { covers } from '../access/held.ts';
import { requireWritable } from '../actions/protection.ts';
import { writtenVersions } from '../audit/written.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Handlers } from '../http/handlers.ts';
import { namedNamespaces } from '../live/source/named-namespaces.ts';
import { objectIn, readAll } from '../objects/read.ts';
import { isDenied } from '../objects/scoped-read.ts';
import type { RouteParts } from './parts.ts';

const path = '/api/v1/namespaces';
/** Namespaces that are listed at most. */
const maxNamespaces = 50_000;

interface KubeNamespace extends KubeObject {
  status?: { phase?: unknown } | null;
}

/** Namespaces, straight from the cluster. */
export function namespaceHandlers(
  services: Pick<RouteParts, 'clusters' | 'grants'>,
): Handlers<typeof namespaceEndpoints> {
  const { clusters, grants } = services;
  return {
    async namespaces({ params }, { cluster, person, signal }) {
      const transport = await clusters.transport(params.clusterId);
      const read = {
        path,
        signal,
        cluster: cluster.name,
        what: 'namespaces',
        limit: maxNamespaces,
        tooMany: `${cluster.name} has more namespaces than this console lists (${maxNamespaces.toLocaleString('en')}). Open one by its name.`,
      };
      const found = await readAll(transport, read).catch(async (error: unknown) => {
        if (!isDenied(error)) throw error;
        const names = await clusters.namespaces(params.clusterId);
        if (names.length === 0) throw error;
        return await readAll(namedNamespaces(transport, names), read);
      });
      // By code unit: names are lower-case ASCII, and every replica must agree.
      const seen = (await grants.held(person, cluster.id)).namespacesFor('namespaces.view');
      return found
        .map(presentNamespace)
        .filter(({ name }) => covers(seen, { namespace: name }))
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    },
    async namespace({ params }, { cluster, person, signal }) {
      await grants.require(person, cluster.id, 'namespaces.view', { namespace: params.name });
      const unknown = () =>
        new Problem({ status: 404, title: `Namespace not found: ${cleanText(params.name)}` });
      if (!namespaceNameSchema.safeParse(params.name).success) throw unknown();
      const transport = await clusters.transport(params.clusterId);
      try {
        return presentNamespace(
          objectIn(await transport.json({ path: `${path}/${params.name}`, signal }), cluster.name),
        );
      } catch (error) {
        if (error instanceof ClusterProblem && error.upstream.status === 404) throw unknown();
        throw error;
      }
    },
    async createNamespace({ body }, { person, cluster, audit }) {
      audit.subject({ namespace: body.name });
      requireWritable(cluster);
      const transport = await clusters.acting({ person, cluster });
      // Not ended with the caller: a change that was begun is seen through and audited.
      const created = await transport.json<unknown>({
        method: 'POST',
        path,
        query: { fieldManager: 'wheelhouse' },
        body: {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: body.name, labels: body.labels },
        },
      });
      const object: KubeNamespace = objectIn(created, cluster.name);
      audit.subject(writtenVersions([object.metadata]));
      return presentNamespace(object);
    },
  };
}

/** A namespace as it is shown. */
function presentNamespace({ metadata = {}, status }: KubeNamespace): Namespace {
  const { name = '', labels = {}, creationTimestamp } = metadata;
  const phase = status?.phase;
  return {
    name: cleanText(name),
    labels: Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [cleanText(key), cleanText(value)]),
    ),
    status: typeof phase === 'string' ? cleanText(phase) : 'Active',
    createdAt: creationTimestamp === undefined ? null : cleanText(creationTimestamp),
  };
}
