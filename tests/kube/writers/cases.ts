import type { KubeObject } from '../../../src/kube/object.ts';

/** An object, what is around it, and what is said of who writes it next. */
export interface WriterCase {
  readonly name: string;
  readonly object: KubeObject;
  readonly around?: readonly KubeObject[];
  /** Kinds that the person may not view. */
  readonly unseen?: readonly string[];
  readonly says: readonly string[];
}

type Any = Readonly<Record<string, unknown>>;

/** An object of namespace `shop`, or of the cluster with `namespace: undefined`. */
function object(
  apiVersion: string,
  kind: string,
  name: string,
  metadata: Any = {},
  rest: Any = {},
): KubeObject {
  const all = { namespace: 'shop', ...metadata, name };
  return {
    apiVersion,
    kind,
    metadata: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    ...rest,
  };
}

const deployment = (name: string, metadata: Any = {}, spec: Any = {}) =>
  object('apps/v1', 'Deployment', name, metadata, { spec: { replicas: 2, ...spec } });
const owner = (apiVersion: string, kind: string, name: string) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: 'u', controller: true }],
});
const manager = (name: string, fields: Any) => ({
  managedFields: [{ manager: name, operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: fields }],
});
const tracking = (id: string) => ({ annotations: { 'argocd.argoproj.io/tracking-id': id } });
const application = (spec: Any, status: Any = {}) =>
  object('argoproj.io/v1alpha1', 'Application', 'shop', { namespace: 'argocd' }, { spec, status });
const fluxLabels = (name: string) => ({
  labels: {
    'kustomize.toolkit.fluxcd.io/name': name,
    'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
  },
});
const kustomization = (spec: Any, status: Any = {}) =>
  object(
    'kustomize.toolkit.fluxcd.io/v1',
    'Kustomization',
    'apps',
    { namespace: 'flux-system' },
    { spec: { interval: '10m', ...spec }, status },
  );
const helmMarks = {
  annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'shop' },
};
const web = 'shop:apps/Deployment:shop/web';

const argo: readonly WriterCase[] = [
  {
    name: 'Argo CD with self-heal',
    object: deployment('web', tracking(web)),
    around: [application({ syncPolicy: { automated: { selfHeal: true } } })],
    says: ['Argo CD shop puts this back at once (self-heal on).'],
  },
  {
    name: 'Argo CD without self-heal',
    object: deployment('web', tracking(web)),
    around: [application({ syncPolicy: { automated: {} } })],
    says: ['Argo CD shop does not put this back before its next sync (self-heal off).'],
  },
  {
    name: 'Argo CD that somebody has to sync',
    object: deployment('web', tracking(web)),
    around: [application({})],
    says: ['Argo CD shop puts this back only when somebody syncs it (automated sync off).'],
  },
  {
    name: 'Argo CD whose automated sync is switched off',
    object: deployment('web', tracking(web)),
    around: [application({ syncPolicy: { automated: { enabled: false, selfHeal: true } } })],
    says: ['Argo CD shop puts this back only when somebody syncs it (automated sync off).'],
  },
  {
    name: 'Argo CD whose application the person may not view',
    object: deployment('web', tracking(web)),
    around: [application({ syncPolicy: { automated: { selfHeal: true } } })],
    unseen: ['Application'],
    says: [
      'Argo CD shop applies this; when it will put this back is not seen, as you may not view its Application.',
    ],
  },
  {
    name: 'a tracking annotation that names another object',
    object: deployment('web-copy', tracking(web)),
    around: [application({ syncPolicy: { automated: { selfHeal: true } } })],
    says: [],
  },
  {
    name: 'a ReplicaSet with the annotation of its Deployment',
    object: object('apps/v1', 'ReplicaSet', 'web-7d9', {
      ...tracking(web),
      ...owner('apps/v1', 'Deployment', 'web'),
    }),
    around: [application({ syncPolicy: { automated: { selfHeal: true } } })],
    says: ['Deployment web puts this back at once.'],
  },
  {
    name: 'an object of the cluster, which is tracked with the namespace of the application',
    object: object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'shop-reader', {
      namespace: undefined,
      ...tracking('shop:rbac.authorization.k8s.io/ClusterRole:shop/shop-reader'),
    }),
    around: [application({ syncPolicy: { automated: { selfHeal: true } } })],
    says: ['Argo CD shop puts this back at once (self-heal on).'],
  },
  {
    name: 'the label that Argo CD shares with charts, of an object that an application lists',
    object: deployment('web', { labels: { 'app.kubernetes.io/instance': 'shop' } }),
    around: [
      application(
        { syncPolicy: { automated: { selfHeal: true } } },
        {
          resources: [
            { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web', status: 'Synced' },
          ],
        },
      ),
    ],
    says: ['Argo CD shop puts this back at once (self-heal on).'],
  },
  {
    name: 'the label that Argo CD shares with charts, of an object that no application lists',
    object: deployment('web', { labels: { 'app.kubernetes.io/instance': 'shop' } }),
    around: [application({ syncPolicy: { automated: { selfHeal: true } } })],
    says: [],
  },
];

const flux: readonly WriterCase[] = [
  {
    name: 'a Kustomization of Flux',
    object: deployment('web', fluxLabels('apps')),
    around: [kustomization({})],
    says: ['Flux Kustomization flux-system/apps puts this back within 10m.'],
  },
  {
    name: 'a suspended Kustomization',
    object: deployment('web', fluxLabels('apps')),
    around: [kustomization({ suspend: true })],
    says: [
      'Flux Kustomization flux-system/apps is paused and puts this back once somebody resumes it (suspended).',
    ],
  },
  {
    name: 'an object that Flux was told to leave alone',
    object: deployment('web', {
      ...fluxLabels('apps'),
      annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'Disabled' },
    }),
    around: [kustomization({})],
    says: [
      'Flux Kustomization flux-system/apps leaves this object as it is (kustomize.toolkit.fluxcd.io/reconcile: disabled).',
    ],
  },
  {
    name: 'a Kustomization that no longer lists the object',
    object: deployment('web', fluxLabels('apps')),
    around: [kustomization({}, { inventory: { entries: [{ id: 'shop_api_apps_Deployment', v: 'v1' }] } })],
    says: [],
  },
  {
    name: 'a HelmRelease without drift detection',
    object: deployment('web', {
      labels: { 'helm.toolkit.fluxcd.io/name': 'web', 'helm.toolkit.fluxcd.io/namespace': 'shop' },
      ...helmMarks,
    }),
    around: [object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'web', {}, { spec: { interval: '5m' } })],
    says: ['Flux HelmRelease shop/web does not put this back before its next upgrade (drift detection off).'],
  },
  {
    name: 'a label of Flux that kubectl copied',
    object: deployment('web', {
      ...fluxLabels('apps'),
      ...manager('kubectl-client-side-apply', {
        'f:metadata': { 'f:labels': { 'f:kustomize.toolkit.fluxcd.io/name': {} } },
      }),
    }),
    around: [kustomization({})],
    says: [],
  },
];

const packages: readonly WriterCase[] = [
  {
    name: 'Helm',
    object: deployment('web', helmMarks),
    says: ['Helm release shop/web puts this back at its next upgrade or rollback.'],
  },
  {
    name: 'what an operator made from an object of Helm, with its annotations',
    object: object('apps/v1', 'StatefulSet', 'prometheus-main', {
      ...helmMarks,
      ...owner('monitoring.coreos.com/v1', 'Prometheus', 'main'),
    }),
    says: ['Prometheus main may put this back at any time.'],
  },
  {
    name: 'the Deployment of an operator that OLM installed',
    object: deployment('etcd-operator', {
      labels: {
        'olm.owner': 'etcdoperator.v0.9.4',
        'olm.owner.kind': 'ClusterServiceVersion',
        'olm.owner.namespace': 'shop',
      },
      ownerReferences: [
        {
          apiVersion: 'operators.coreos.com/v1alpha1',
          kind: 'ClusterServiceVersion',
          name: 'etcdoperator.v0.9.4',
          uid: 'u',
          controller: false,
        },
      ],
    }),
    says: ['OLM ClusterServiceVersion etcdoperator.v0.9.4 may put this back at any time.'],
  },
  {
    name: 'a resource that a composite of Crossplane composes',
    object: object('s3.aws.upbound.io/v1beta1', 'Bucket', 'logs-x7f', {
      namespace: undefined,
      labels: { 'crossplane.io/composite': 'logs-abc' },
      annotations: { 'crossplane.io/composition-resource-name': 'bucket' },
      ...owner('example.org/v1', 'XStore', 'logs-abc'),
    }),
    around: [object('example.org/v1', 'XStore', 'logs-abc', { namespace: undefined })],
    says: ['Crossplane XStore logs-abc puts this back at once.'],
  },
  {
    name: 'a composite whose own name Crossplane put on it, without a claim',
    object: object('example.org/v1', 'XStore', 'logs-abc', {
      namespace: undefined,
      labels: { 'crossplane.io/composite': 'logs-abc' },
    }),
    says: [],
  },
  {
    name: 'the Secret of a certificate',
    object: object('v1', 'Secret', 'web-tls', { annotations: { 'cert-manager.io/certificate-name': 'web' } }),
    around: [object('cert-manager.io/v1', 'Certificate', 'web', {}, { spec: { secretName: 'web-tls' } })],
    says: ['cert-manager Certificate web puts this back at once.'],
  },
  {
    name: 'a copy of the Secret of a certificate',
    object: object('v1', 'Secret', 'web-tls-copy', {
      annotations: { 'cert-manager.io/certificate-name': 'web' },
    }),
    around: [object('cert-manager.io/v1', 'Certificate', 'web', {}, { spec: { secretName: 'web-tls' } })],
    says: [],
  },
  {
    name: 'an ingress for which cert-manager issues',
    object: object('networking.k8s.io/v1', 'Ingress', 'web', {
      annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
    }),
    says: [],
  },
];

const hpa = (metadata: Any = {}) =>
  object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', metadata, {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 5,
    },
  });
const scaledObject = (metadata: Any = {}) =>
  object('keda.sh/v1alpha1', 'ScaledObject', 'web', metadata, {
    spec: { scaleTargetRef: { name: 'web' }, maxReplicaCount: 8 },
  });
const vertical = (updateMode: string) =>
  object(
    'autoscaling.k8s.io/v1',
    'VerticalPodAutoscaler',
    'web',
    {},
    {
      spec: {
        targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        updatePolicy: { updateMode },
      },
    },
  );

const others: readonly WriterCase[] = [
  {
    name: 'an autoscaler',
    object: deployment('web'),
    around: [hpa()],
    says: ['HorizontalPodAutoscaler web will scale this again, between 2 and 5.'],
  },
  {
    name: 'KEDA, whose own autoscaler is not named beside it',
    object: deployment('web'),
    around: [scaledObject(), hpa(owner('keda.sh/v1alpha1', 'ScaledObject', 'web'))],
    says: ['KEDA ScaledObject web will scale this again, between 0 and 8.'],
  },
  {
    name: 'KEDA while it is paused',
    object: deployment('web'),
    around: [scaledObject({ annotations: { 'autoscaling.keda.sh/paused': 'true' } })],
    says: ['KEDA ScaledObject web is off now (paused) and scales this again between 0 and 8 once it is on.'],
  },
  {
    name: 'an autoscaler of another Deployment',
    object: deployment('api'),
    around: [hpa()],
    says: [],
  },
  {
    name: 'an autoscaler that only recommends',
    object: deployment('web', {}, { template: { spec: { containers: [] } } }),
    around: [vertical('Off')],
    says: [],
  },
  {
    name: 'an autoscaler of requests',
    object: deployment('web', {}, { template: { spec: { containers: [] } } }),
    around: [vertical('Recreate')],
    says: ['VerticalPodAutoscaler web sets the requests of these pods itself (updateMode Recreate).'],
  },
  {
    name: 'a pod of a Deployment',
    object: object('v1', 'Pod', 'web-7d9-x', owner('apps/v1', 'ReplicaSet', 'web-7d9')),
    around: [object('apps/v1', 'ReplicaSet', 'web-7d9', owner('apps/v1', 'Deployment', 'web'))],
    says: ['Deployment web by its ReplicaSet web-7d9 makes the next one without this change.'],
  },
  {
    name: 'a Job of a CronJob',
    object: object('batch/v1', 'Job', 'report-1', owner('batch/v1', 'CronJob', 'report')),
    says: ['CronJob report makes the next one without this change.'],
  },
  {
    name: 'what an operator makes of its resource',
    object: object('v1', 'ConfigMap', 'cache-conf', owner('cache.example.org/v1', 'Redis', 'cache')),
    says: ['Redis cache may put this back at any time.'],
  },
  {
    name: 'an operator that is known by its field manager alone',
    object: object('v1', 'ConfigMap', 'cache-conf', manager('redis-operator', { 'f:data': {} })),
    says: ['The controller redis-operator may put this back at any time (it wrote fields of this object).'],
  },
  {
    name: 'what people made by kubectl',
    object: deployment('web', manager('kubectl-client-side-apply', { 'f:spec': { 'f:replicas': {} } })),
    says: [],
  },
  {
    name: 'a Deployment on which Kubernetes notes its revision',
    object: deployment(
      'web',
      manager('kube-controller-manager', {
        'f:metadata': { 'f:annotations': { 'f:deployment.kubernetes.io/revision': {} } },
      }),
    ),
    says: [],
  },
];

/** Objects as controllers and people write them, and what looks alike. */
export const writerCases: readonly WriterCase[] = [...argo, ...flux, ...packages, ...others];
