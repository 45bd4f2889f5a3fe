import type { KubeList, KubeObject } from '../../../kube/object.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';

/**
 * A transport whose list of namespaces consists of these names, each read by itself. A namespace that the credential
 * may not read is listed by its name alone; one that does not exist is left out. It has no watch: a watch is refused
 * (403), so that the list is read again at intervals.
 */
export function namedNamespaces(transport: Transport, names: readonly string[]): Transport {
  return {
    clusterId: transport.clusterId,
    credential: transport.credential,
    async json<T>({ path, signal }: Parameters<Transport['json']>[0]): Promise<T> {
      const items = await Promise.all(
        names.map((name) => readNamespace(transport, `${path}/${encodeURIComponent(name)}`, name, signal)),
      );
      const list: KubeList = { metadata: {}, items: items.filter((item) => item !== undefined) };
      // The caller asks for a list of namespaces: nothing else is read this way.
      return list as T;
    },
    stream() {
      return Promise.reject(
        new ClusterProblem({ status: 403, title: 'Namespaces read by name have no watch.' }, { status: 403 }),
      );
    },
    close: () => transport.close(),
  };
}

async function readNamespace(
  transport: Transport,
  path: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<KubeObject | undefined> {
  try {
    return await transport.json<KubeObject>({ path, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    if (!(error instanceof ClusterProblem)) throw error;
    if (error.upstream.status === 404) return undefined;
    if (error.upstream.status === 403) return { metadata: { name } };
    throw error;
  }
}
