import { claim, cronJob, daemonSet, deployment, object, objects, service, volumeOf } from './manifests.ts';
import type { Situation } from './situation.ts';

/** The definition of a kind of the Gateway API, without a schema. */
const gatewayDefinition = (kind: string, plural: string, version: string): string =>
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    `${plural}.gateway.networking.k8s.io`,
    `spec: { group: gateway.networking.k8s.io, scope: Namespaced, names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }, versions: [{ name: ${version}, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }] }`,
    'annotations: { api-approved.kubernetes.io: https://github.com/kubernetes-sigs/gateway-api/pull/4530 }',
  );

/** Five that were written from the list of areas alone, on those with the fewest situations. */
export const thirdSituations: readonly Situation[] = [
  {
    id: 'node-cordoned',
    what: 'The only node with the label that a pod asks for is cordoned.',
    manifests: objects(
      object('v1', 'Node', 'node-9', 'spec: { unschedulable: true }', 'labels: { disk: nvme }'),
      deployment('web', { pod: 'nodeSelector: { disk: nvme }' }),
    ),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.cordoned',
    object: 'Pod web',
    names: /node-9.*cordon|cordon.*node-9/,
  },
  {
    id: 'volume-released',
    what: 'A claim asks for a volume that is still kept for another claim, which was deleted.',
    manifests: objects(
      object(
        'v1',
        'PersistentVolume',
        'disk-7',
        `spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Retain, storageClassName: '', hostPath: { path: /disks/7 }, claimRef: { apiVersion: v1, kind: PersistentVolumeClaim, namespace: default, name: data-old, uid: 5e0f6f9e-3a54-4b1c-9a53-6a0d6cf0f7a1 } }`,
      ),
      claim("volumeName: disk-7, storageClassName: ''"),
      deployment('web', { pod: volumeOf('data') }),
    ),
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'claim.no-volume',
    object: 'PersistentVolumeClaim data',
    names: /disk-7.*data-old/,
  },
  {
    id: 'host-port',
    what: 'Two DaemonSets want the same port of each node.',
    manifests: objects(
      daemonSet('edge', {
        container: 'ports: [{ containerPort: 443, hostPort: 443 }]',
      }),
      daemonSet('edge-next', {
        container: 'ports: [{ containerPort: 443, hostPort: 443 }]',
      }),
    ),
    after: 200,
    ask: 'DaemonSet.apps default/edge-next',
    rule: 'pod.host-port',
    object: 'Pod edge-next',
    names: /port 443/,
  },
  {
    id: 'cronjob-waits',
    what: 'A cron job runs one job at a time, and its last one hangs.',
    manifests: cronJob('report', 'concurrencyPolicy: Forbid', '', {
      behaviour: 'ok',
    }),
    after: 3600,
    ask: 'CronJob.batch default/report',
    rule: 'cronjob.waits',
    object: 'CronJob report',
    names: /job report-\d+/,
  },
  {
    id: 'route-other-namespace',
    what: 'A route sends requests to a service of another namespace, which does not allow it.',
    manifests: objects(
      gatewayDefinition('HTTPRoute', 'httproutes', 'v1'),
      gatewayDefinition('ReferenceGrant', 'referencegrants', 'v1beta1'),
      object('v1', 'Namespace', 'backend', ''),
      deployment('api', { namespace: 'backend' }),
      service('api', { namespace: 'backend' }),
      object(
        'gateway.networking.k8s.io/v1',
        'HTTPRoute',
        'shop',
        'spec: { hostnames: [shop.example.org], rules: [{ backendRefs: [{ name: api, namespace: backend, port: 80 }] }] }',
      ),
    ),
    after: 120,
    ask: 'HTTPRoute.gateway.networking.k8s.io default/shop',
    rule: 'route.not-granted',
    object: 'HTTPRoute shop',
    names: /api.*backend|ReferenceGrant/,
  },
];
