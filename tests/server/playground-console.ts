import { vi } from 'vitest';
import type { KubeObject } from '../../src/kube/object.ts';
import { ClusterProblem, type Transport } from '../../src/server/clusters/transport.ts';
import { clusters } from '../../src/server/store/schema/clusters.ts';
import { type ConsoleOptions, startConsole, type TestConsole, type TestPerson } from './harness.ts';

/** A console with a living playground of one node, one pod and an empty namespace, and its owner. */
export interface PlaygroundConsole {
  readonly console: TestConsole;
  readonly companyId: number;
  readonly owner: TestPerson;
  readonly clusterId: number;
  /** The way to the playground beside the console's own. */
  readonly transport: Transport;
  /** An object as the cluster has it, undefined when it has none. */
  seen<T extends KubeObject>(path: string): Promise<T | undefined>;
}

/** Starts a playground whose namespace is ready for pods. */
export async function startPlaygroundConsole(
  namespace: string,
  config: ConsoleOptions['config'] = {},
): Promise<PlaygroundConsole> {
  const console = await startConsole({
    config: { ...config, playground: true },
    playgroundArguments: ['--seed', 'bulk:1'],
  });
  const companyId = await console.company();
  await console.services.onCompanyCreated({ companyId, userId: 0 });
  const owner = await console.person({ companyId, isOwner: true });
  const [row] = await console.store.db.select().from(clusters);
  if (row === undefined) throw new Error('The playground has no row.');
  const transport = await console.services.clusters.transport(row.id);
  const seen = async <T extends KubeObject>(path: string): Promise<T | undefined> => {
    try {
      return await transport.json<T>({ path });
    } catch (error) {
      if (error instanceof ClusterProblem && error.upstream.status === 404) return undefined;
      throw error;
    }
  };
  await transport.json({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: namespace } },
  });
  await vi.waitUntil(() => seen(`/api/v1/namespaces/${namespace}/serviceaccounts/default`), {
    timeout: 60_000,
  });
  return { console, companyId, owner, clusterId: row.id, transport, seen };
}

/** A Deployment of one container, as people write it. */
export function deploymentOf(namespace: string, name: string, image: string, replicas: number) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'app', image, resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
        },
      },
    },
  };
}
