import { type Namespace, type namespaceEndpoints, namespaceNameSchema } from '../../contract/namespaces.ts';
import { Problem } from '../../contract/problem.ts';
import type { KubeList, KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import { requireWritable } from '../actions/protection.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';

const path = '/api/v1/namespaces';
const pageSize = 500;
/** A cluster that never stops handing out pages must not fill the server. */
const mostPages = 100;

interface KubeNamespace extends KubeObject {
  status?: { phase?: string };
}

/** Namespaces, straight from the cluster. */
export function namespaceHandlers(services: Pick<Services, 'clusters'>): Handlers<typeof namespaceEndpoints> {
  const { clusters } = services;
  return {
    async namespaces({ params }, { signal }) {
      const transport = await clusters.transport(params.clusterId);
      const found: Namespace[] = [];
      let next: string | undefined;
      for (let pages = 0; pages === 0 || (next !== undefined && pages < mostPages); pages += 1) {
        const page: KubeList<KubeNamespace> = await transport.json({
          path,
          query: { limit: pageSize, continue: next },
          signal,
        });
        for (const item of page.items ?? []) found.push(presentNamespace(item));
        next = page.metadata?.continue || undefined;
      }
      // By code unit: names are lower-case ASCII, and every replica must agree.
      return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    },
    async namespace({ params }, { signal }) {
      const unknown = () =>
        new Problem({ status: 404, title: `Namespace not found: ${cleanText(params.name)}` });
      if (!namespaceNameSchema.safeParse(params.name).success) throw unknown();
      const transport = await clusters.transport(params.clusterId);
      try {
        return presentNamespace(await transport.json({ path: `${path}/${params.name}`, signal }));
      } catch (error) {
        if (error instanceof ClusterProblem && error.upstream.status === 404) throw unknown();
        throw error;
      }
    },
    async createNamespace({ params, body }, { cluster, audit }) {
      audit.subject({ namespace: body.name });
      requireWritable(cluster);
      const transport = await clusters.transport(params.clusterId);
      // Not ended with the caller: a change that was begun is seen through and audited.
      const created = await transport.json<KubeNamespace>({
        method: 'POST',
        path,
        query: { fieldManager: 'wheelhouse' },
        body: {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: body.name, labels: body.labels },
        },
      });
      return presentNamespace(created);
    },
  };
}

function presentNamespace(object: KubeNamespace): Namespace {
  const { name = '', labels = {}, creationTimestamp } = object.metadata ?? {};
  return {
    name: cleanText(name),
    labels: Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [cleanText(key), cleanText(value)]),
    ),
    status: cleanText(object.status?.phase ?? 'Active'),
    createdAt: creationTimestamp ?? null,
  };
}
