import { gzipSync } from 'node:zlib';
import { keyOf } from '../store/store.ts';
import { create, put } from '../life/write.ts';
import type { World } from '../store/world.ts';
import type { Rec } from '../kit/values.ts';

type Status = 'deployed' | 'superseded' | 'failed';

interface Revision {
  /** Age in days. */
  readonly days: number;
  readonly chart: string;
  readonly app: string;
  readonly status: Status;
  readonly values: Rec;
  readonly description?: string;
}

interface Release {
  readonly namespace: string;
  readonly name: string;
  readonly chart: string;
  readonly summary: string;
  readonly home: string;
  readonly image: string;
  /** The Deployment that it installs; by default called as the release. */
  readonly workload?: string;
  /** Its Service; by default called as the Deployment. */
  readonly service?: string;
  readonly revisions: readonly Revision[];
}

const releases: readonly Release[] = [
  {
    namespace: 'ingress',
    name: 'ingress-nginx',
    chart: 'ingress-nginx',
    summary: 'Ingress controller for Kubernetes using NGINX as a reverse proxy and load balancer',
    home: 'https://github.com/kubernetes/ingress-nginx',
    image: 'registry.k8s.io/ingress-nginx/controller:v',
    workload: 'ingress-nginx-controller',
    revisions: [
      {
        days: 62,
        chart: '4.13.0',
        app: '1.13.0',
        status: 'superseded',
        values: { controller: { replicaCount: 2 } },
      },
      {
        days: 40,
        chart: '4.13.2',
        app: '1.13.2',
        status: 'superseded',
        values: { controller: { replicaCount: 2 } },
      },
      {
        days: 12,
        chart: '4.13.3',
        app: '1.13.3',
        status: 'deployed',
        values: { controller: { replicaCount: 3, metrics: { enabled: true } } },
      },
    ],
  },
  {
    namespace: 'ingress',
    name: 'cert-manager',
    chart: 'cert-manager',
    summary: 'A Helm chart for cert-manager',
    home: 'https://cert-manager.io',
    image: 'quay.io/jetstack/cert-manager-controller:v',
    service: 'cert-manager-webhook',
    revisions: [
      { days: 62, chart: '1.18.2', app: '1.18.2', status: 'superseded', values: { crds: { enabled: true } } },
      {
        days: 20,
        chart: '1.19.1',
        app: '1.19.1',
        status: 'deployed',
        values: { crds: { enabled: true }, replicaCount: 1 },
      },
    ],
  },
  {
    namespace: 'observability',
    name: 'grafana',
    chart: 'grafana',
    summary: 'The leading tool for querying and visualizing time series and metrics.',
    home: 'https://grafana.com',
    image: 'docker.io/grafana/grafana:',
    revisions: [
      { days: 41, chart: '10.0.0', app: '12.2.1', status: 'superseded', values: { replicas: 1 } },
      {
        days: 15,
        chart: '10.1.0',
        app: '12.3.0',
        status: 'failed',
        values: { replicas: 1, persistence: { enabled: true, storageClassName: 'fast' } },
        description: 'Upgrade "grafana" failed: context deadline exceeded',
      },
      {
        days: 15,
        chart: '10.0.0',
        app: '12.2.1',
        status: 'superseded',
        values: { replicas: 1 },
        description: 'Rollback to 1',
      },
      {
        days: 14,
        chart: '10.1.0',
        app: '12.3.0',
        status: 'deployed',
        values: { replicas: 1, persistence: { enabled: false } },
      },
    ],
  },
  {
    namespace: 'platform',
    name: 'argocd',
    chart: 'argo-cd',
    summary: 'A Helm chart for Argo CD, a declarative, GitOps continuous delivery tool for Kubernetes.',
    home: 'https://argo-cd.readthedocs.io',
    image: 'quay.io/argoproj/argocd:v',
    workload: 'argocd-server',
    revisions: [
      {
        days: 41,
        chart: '9.1.0',
        app: '3.2.0',
        status: 'deployed',
        values: { server: { replicas: 2 }, global: { domain: 'argocd.acme.example' } },
      },
    ],
  },
  {
    namespace: 'platform',
    name: 'feature-flags',
    chart: 'feature-flags',
    summary: 'Switches for features, of the platform team',
    home: 'https://git.acme.example/platform/feature-flags',
    image: 'registry.acme.example/platform/feature-flags:',
    revisions: [
      { days: 41, chart: '0.9.0', app: '2.13.0', status: 'superseded', values: { replicaCount: 2 } },
      {
        days: 22,
        chart: '0.10.0',
        app: '2.14.0',
        status: 'deployed',
        values: { replicaCount: 2, audit: true },
      },
      {
        days: 2,
        chart: '0.11.0',
        app: '2.15.0',
        status: 'failed',
        values: { replicaCount: 2, audit: true, cache: { redis: 'shop-redis.shop.svc:6379' } },
        description:
          'Upgrade "feature-flags" failed: failed to create resource: Deployment.apps "feature-flags" is invalid: spec.template.spec.containers[0].resources.requests: Invalid value: "512Mi": must be less than or equal to memory limit of 256Mi',
      },
    ],
  },
];

const day = 24 * 3600_000;

function manifestOf(
  { name, chart, image, workload = name, service = workload }: Release,
  { app, values }: Revision,
): string {
  const replicas = Object.values(values).find((value) => typeof value === 'number') ?? 1;
  return `---
# Source: ${chart}/templates/service.yaml
apiVersion: v1
kind: Service
metadata:
  name: ${service}
  labels:
    app.kubernetes.io/instance: ${name}
    app.kubernetes.io/managed-by: Helm
spec:
  selector:
    app.kubernetes.io/name: ${workload}
  ports:
    - name: http
      port: 80
---
# Source: ${chart}/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${workload}
  labels:
    app.kubernetes.io/instance: ${name}
    app.kubernetes.io/managed-by: Helm
spec:
  replicas: ${String(replicas)}
  selector:
    matchLabels:
      app.kubernetes.io/name: ${workload}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${workload}
    spec:
      containers:
        - name: ${workload}
          image: "${image}${app}"
`;
}

/** A release in Helm 3's encoding: gzipped JSON in base64, encoded in base64 again as a Secret's data. */
function packed(release: Rec): string {
  const inner = gzipSync(JSON.stringify(release), { level: 9 }).toString('base64');
  return Buffer.from(inner).toString('base64');
}

/** Creates Helm releases with their revisions, as secrets of Helm 3. `now`: ms since 1970. */
/** Annotates an object as Helm does the objects of a release. */
function markOwned(world: World, { namespace, name }: Release, storage: string, object: string): void {
  const found = world.store.get(storage, keyOf(namespace, object));
  if (found === undefined) return;
  const annotations = {
    ...found.metadata.annotations,
    'meta.helm.sh/release-name': name,
    'meta.helm.sh/release-namespace': namespace,
  };
  put(world, storage, { ...found, metadata: { ...found.metadata, annotations } });
}

export function plantHelm(world: World, now: number): void {
  for (const release of releases) {
    const { namespace, name, chart, summary, home, image, workload = name, service = workload } = release;
    markOwned(world, release, 'apps/deployments', workload);
    markOwned(world, release, '/services', service);
    const first = new Date(now - (release.revisions[0]?.days ?? 0) * day).toISOString();
    release.revisions.forEach((revision, index) => {
      const version = index + 1;
      const at = now - revision.days * day + index * 60_000;
      const body = {
        name,
        info: {
          first_deployed: first,
          last_deployed: new Date(at).toISOString(),
          deleted: '',
          description: revision.description ?? (version === 1 ? 'Install complete' : 'Upgrade complete'),
          status: revision.status,
          notes: `${name} has been installed.\n\nSee what runs:\n  kubectl --namespace ${namespace} get pods -l app.kubernetes.io/instance=${name}\n`,
        },
        chart: {
          metadata: {
            name: chart,
            version: revision.chart,
            appVersion: revision.app,
            description: summary,
            home,
            apiVersion: 'v2',
            type: 'application',
          },
          lock: null,
          templates: [
            {
              name: 'templates/service.yaml',
              data: Buffer.from('{{- include "chart.service" . }}\n').toString('base64'),
            },
          ],
          values: {
            image: { repository: image.replace(/:v?$/, ''), tag: '' },
            replicaCount: 1,
            resources: {},
          },
          schema: null,
          files: [],
        },
        config: revision.values,
        manifest: manifestOf(release, revision),
        version,
        namespace,
      };
      create(world, '/secrets', namespace, {
        metadata: {
          name: `sh.helm.release.v1.${name}.v${version}`,
          labels: {
            modifiedAt: String(Math.floor(at / 1000)),
            name,
            owner: 'helm',
            status: revision.status,
            version: String(version),
          },
        },
        type: 'helm.sh/release.v1',
        data: { release: packed(body) },
      });
    });
  }
}
