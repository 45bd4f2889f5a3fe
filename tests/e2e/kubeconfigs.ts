import { stringify } from 'yaml';
import type { SecondCluster } from './product.ts';

/** One context of a kubeconfig for a test: where it leads and how it signs in. */
export interface ContextSample {
  readonly name: string;
  readonly server: string;
  readonly user: Readonly<Record<string, unknown>>;
}

/** A kubeconfig of several contexts that trust a cluster's authority; the first is the current one. */
export function kubeconfigOf(
  cluster: Pick<SecondCluster, 'authority'>,
  samples: readonly ContextSample[],
): string {
  const authority = Buffer.from(cluster.authority).toString('base64');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: samples.map(({ name, server }) => ({
      name,
      cluster: { server, 'certificate-authority-data': authority },
    })),
    users: samples.map(({ name, user }) => ({ name, user })),
    contexts: samples.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    'current-context': samples[0]?.name,
  });
}

/** Signs in by a program, as EKS does. */
export const execUser = {
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'aws',
    args: ['eks', 'get-token', '--cluster-name', 'prod'],
  },
};
