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
/** A cluster that never stops handing out pages must not fill the server: beyond these it is refused, not cut. */
const mostPages = 100;
const most = pageSize * mostPages;

interface KubeNamespace extends KubeObject {
  status?: { phase?: string };
}

/** Namespaces, straight from the cluster. */
export function namespaceHandlers(services: Pick<Services, 'clusters'>): Handlers<typeof namespaceEndpoints> {
  const { clusters } = services;
  return {
    async namespaces({ params }, { cluster, signal }) {
      const transport = await clusters.transport(params.clusterId);
      const found: Namespace[] = [];
      let next: string | undefined;
      let pages = 0;
      do {
        if (pages === mostPages) throw tooMany(cluster.name);
        const page = await transport.json<KubeList<KubeNamespace> | null | undefined>({
          path,
          query: { limit: pageSize, continue: next },
          signal,
        });
        for (const item of itemsOf(page, cluster.name)) found.push(presentNamespace(item));
        if (found.length > most) throw tooMany(cluster.name);
        next = page?.metadata?.continue || undefined;
        pages += 1;
      } while (next !== undefined);
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

function tooMany(cluster: string): ClusterProblem {
  return new ClusterProblem(
    {
      status: 502,
      title: `${cluster} has more namespaces than this console lists (${most.toLocaleString('en')}). Open one by its name.`,
      retryable: false,
      where: { cluster },
    },
    { status: 200 },
  );
}

/** The items of what should be a list. Throws ClusterProblem for anything else: half a list is none. */
function itemsOf(page: KubeList<KubeNamespace> | null | undefined, cluster: string): KubeNamespace[] {
  const items: unknown = page?.items ?? (page?.metadata === undefined ? undefined : []);
  if (Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null)) return items;
  throw new ClusterProblem(
    {
      status: 502,
      title: `${cluster} answered the list of namespaces with something else.`,
      retryable: false,
      where: { cluster },
    },
    { status: 200 },
  );
}

/** A namespace as it is shown. The cluster is not trusted to keep to the types. */
function presentNamespace(object: KubeNamespace): Namespace {
  const { name, labels, creationTimestamp } = object.metadata ?? {};
  return {
    name: text(name) ?? '',
    labels: Object.fromEntries(
      Object.entries(labels ?? {}).flatMap(([key, value]) => {
        const clean = text(value);
        return clean === undefined ? [] : [[cleanText(key), clean]];
      }),
    ),
    status: text(object.status?.phase) ?? 'Active',
    createdAt: text(creationTimestamp) ?? null,
  };
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? cleanText(value) : undefined;
