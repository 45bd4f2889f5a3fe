import { claim, deployment, object, objects, service, statefulSet, volumeOf } from './manifests.ts';
import type { Situation } from './situation.ts';

const gate = 'target-health.elbv2.k8s.aws/k8s-shop-web-3f9c61a2b7';

/** Situations of what keeps pods from moving and objects from going: volumes, gates, budgets, finalizers. */
export const disruptionSituations: readonly Situation[] = [
  {
    id: 'volume-zone',
    what: 'The volume of a claim is in a zone that has no nodes any more.',
    manifests: objects(
      object(
        'v1',
        'PersistentVolume',
        'disk-7',
        "spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Retain, storageClassName: '', csi: { driver: disk.example.org, volumeHandle: vol-7 }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: topology.kubernetes.io/zone, operator: In, values: [east-1b] }] }] } } }",
      ),
      claim("volumeName: disk-7, storageClassName: ''"),
      deployment('web', { replicas: 1, pod: volumeOf('data') }),
    ),
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'pod.volume-node',
    object: 'Pod web',
    names: /disk-7.*east-1b/,
  },
  {
    id: 'multi-attach',
    what: 'Two replicas share a volume that can be attached to one node only.',
    manifests: objects(
      object(
        'storage.k8s.io/v1',
        'StorageClass',
        'disk',
        'provisioner: disk.example.org\nvolumeBindingMode: Immediate',
      ),
      claim('storageClassName: disk'),
      deployment('web', { pod: volumeOf('data') }),
    ),
    after: 300,
    ask: 'Deployment.apps default/web',
    rule: 'pod.volume-attached',
    object: 'Pod web',
    names: /claim data.*pod web-/,
  },
  {
    id: 'revision-stuck',
    what: 'The template of a StatefulSet was mended, but its broken pod is never replaced.',
    manifests: objects(
      service('db', { spec: 'clusterIP: None', port: 'port: 5432' }),
      statefulSet('db', 'serviceName: db', { image: 'example/db:2-missing' }),
    ),
    steps: [{ after: 120, apply: statefulSet('db', 'serviceName: db', { image: 'example/db:2' }) }],
    after: 300,
    ask: 'StatefulSet.apps default/db',
    rule: 'statefulset.left-behind',
    object: 'StatefulSet db',
    names: /Delete pod db-0/,
  },
  {
    id: 'namespace-terminating',
    what: 'A namespace is not deleted, since the operator that would clean up is gone.',
    manifests: objects(
      object(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        'widgets.example.org',
        'spec: { group: example.org, scope: Namespaced, names: { kind: Widget, plural: widgets, singular: widget, listKind: WidgetList }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }] }',
      ),
      object('v1', 'Namespace', 'old', ''),
      object('example.org/v1', 'Widget', 'one', '', 'namespace: old, finalizers: [example.org/cleanup]'),
    ),
    steps: [{ after: 60, remove: 'Namespace old' }],
    after: 900,
    ask: 'Namespace old',
    rule: 'namespace.finalizers',
    object: 'Namespace old',
    names: /widgets\.example\.org.*example\.org\/cleanup/,
  },
  {
    id: 'budget-drain',
    what: 'A node is drained, and a budget lets no pod of a Deployment go.',
    manifests: objects(
      deployment('web', { replicas: 3 }),
      object(
        'policy/v1',
        'PodDisruptionBudget',
        'web',
        'spec: { minAvailable: 3, selector: { matchLabels: { app: web } } }',
      ),
    ),
    steps: [{ after: 120, apply: object('v1', 'Node', 'node-1', 'spec: { unschedulable: true }') }],
    after: 600,
    ask: 'Node node-1',
    rule: 'node.drain-blocked',
    object: 'PodDisruptionBudget web',
    names: /node node-1 .* pod default\/web-.* budget web .* all 3 of its pods/,
    besides: ['node.cordoned'],
  },
  {
    id: 'readiness-gate',
    what: 'The pods wait for a load balancer that never reports them as healthy.',
    manifests: objects(
      deployment('web', { pod: `readinessGates: [{ conditionType: ${gate} }]` }),
      service('web'),
    ),
    after: 300,
    ask: 'Deployment.apps default/web',
    rule: 'pod.readiness-gate',
    object: 'Pod web',
    names: /target-health\.elbv2\.k8s\.aws/,
  },
];
