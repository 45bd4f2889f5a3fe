import { type App, test } from './kit.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';

/** A cluster in a product, and the addresses of its pages. */
export interface AddedCluster {
  readonly id: number;
  readonly cluster: SecondCluster;
  /** Address of a page of the cluster: `/pods`, or of the cluster itself. */
  readonly url: (path?: string) => string;
}

/** One cluster with the playground's company in it, added to the product of a file for all its tests. */
export function sharedCluster(app: () => App, name = 'harbour'): () => AddedCluster {
  let added: AddedCluster | undefined;
  test.beforeAll(async () => {
    const cluster = await startSecondCluster();
    const { id } = await app().client.call('addCluster', {
      body: { name, description: '', kubeConfigContent: cluster.kubeconfig },
    });
    added = { id, cluster, url: (path = '') => `${app().url}/clusters/${id}${path}` };
  });
  test.afterAll(() => added?.cluster.stop());
  return () => {
    if (added === undefined) throw new Error('The cluster was not added yet.');
    return added;
  };
}

interface Wanted {
  readonly image?: string;
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** What its pods do, in the playground's words: `crash-loop`. */
  readonly behaviour?: string;
  /** A Secret of its namespace without which its pods do not start. */
  readonly secret?: string;
}

/** A Deployment to be created through the cluster's own API. */
export function deploymentOf(name: string, wanted: Wanted = {}): unknown {
  const { image = 'registry.example.org/app:1.0.0', replicas = 1, labels = {}, behaviour, secret } = wanted;
  const annotations = behaviour === undefined ? {} : { 'playground/behaviour': behaviour };
  const envFrom = secret === undefined ? {} : { envFrom: [{ secretRef: { name: secret } }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name, ...labels } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations },
        spec: { containers: [{ name: 'app', image, ...envFrom }] },
      },
    },
  };
}

/** A Namespace to be created through the cluster's own API. */
export const namespaceOf = (name: string): unknown => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});

/** Path of a Deployment in the cluster's own API; of them all without a name. */
export const deploymentsIn = (namespace: string, name?: string): string =>
  `/apis/apps/v1/namespaces/${namespace}/deployments${name === undefined ? '' : `/${name}`}`;

/** One rule of a ClusterRole. */
export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Creates a ServiceAccount that may do in every namespace what the rules say, and nothing else; returns its token. */
export async function limitedToken(
  cluster: Pick<SecondCluster, 'call'>,
  name: string,
  rules: readonly RoleRule[],
): Promise<string> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const metadata = { name };
  await cluster.call('POST', accounts, { metadata });
  await cluster.call('POST', `${rbac}/clusterroles`, { metadata, rules });
  await cluster.call('POST', `${rbac}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const created = await cluster.call('POST', `${accounts}/${name}/token`, request);
  return (created as { status: { token: string } }).status.token;
}
