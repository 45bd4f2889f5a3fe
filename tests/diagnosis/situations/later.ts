import { behaviour, deployment, type Situation } from './situation.ts';

/** Situations that were written after the rules, from the list of their areas alone. */
export const laterSituations: readonly Situation[] = [
  {
    id: 'init-container',
    what: 'An init container fails, so the program is never started.',
    manifests: deployment(
      'web',
      'image: example/web:1',
      'initContainers: [{ name: migrate, image: example/migrate:1 }]',
      behaviour('init-fail'),
    ),
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'pod.log-refused',
    object: 'Pod web',
    names: /container migrate .*10\.96\.44\.12:5432/,
  },
  {
    id: 'anti-affinity',
    what: 'Six replicas must not share a node, and there are three nodes.',
    manifests: deployment(
      'web',
      'image: example/web:1',
      'affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: web } } }] } }',
    ).replace('replicas: 2', 'replicas: 6'),
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'pod.spread',
    object: 'Pod web',
    names: /affinity/,
  },
  {
    id: 'node-silent',
    what: 'A node stops answering.',
    manifests: `
apiVersion: v1
kind: Node
metadata: { name: node-9, annotations: { playground/behaviour: silent } }
`,
    after: 300,
    ask: 'Node node-9',
    rule: 'node.not-ready',
    object: 'Node node-9',
    names: /node-9 does not answer/,
  },
  {
    id: 'two-default-classes',
    what: 'Two storage classes are both marked as the default.',
    manifests: ['one', 'two']
      .map(
        (name) => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: a-${name}, annotations: { storageclass.kubernetes.io/is-default-class: 'true' } }
provisioner: disk.example.org
`,
      )
      .join('---'),
    after: 60,
    ask: 'StorageClass.storage.k8s.io a-one',
    rule: 'class.two-defaults',
    object: 'StorageClass a-one',
    names: /a-one, a-two/,
  },
  {
    id: 'volume-gone',
    what: 'Somebody asks for a volume by name that does not exist.',
    manifests: `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { volumeName: disk-7, storageClassName: '', accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
${deployment('web', 'image: example/web:1', 'volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]')}`,
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'claim.no-volume',
    object: 'PersistentVolumeClaim data',
    names: /disk-7/,
  },
  {
    id: 'webhook-without-pods',
    what: 'A mutating webhook calls a service whose Deployment crashes.',
    manifests: `${deployment('injector', 'image: example/injector:1', '', behaviour('crash-loop'))}
---
apiVersion: v1
kind: Service
metadata: { name: injector }
spec: { selector: { app: injector }, ports: [{ port: 443 }] }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: injector }
webhooks:
  - name: inject.example.org
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: { service: { namespace: default, name: injector } }
    rules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [daemonsets] }]
`,
    after: 240,
    ask: 'MutatingWebhookConfiguration.admissionregistration.k8s.io injector',
    rule: 'pod.log-refused',
    object: 'Pod injector',
    names: /exit code 1: .*10\.96\.44\.12:5432/,
    besides: ['webhook.service-silent'],
  },
  {
    id: 'job-deadline',
    what: 'A job is ended because it takes longer than it may.',
    manifests: `
apiVersion: batch/v1
kind: Job
metadata: { name: import }
spec:
  activeDeadlineSeconds: 30
  template:
    metadata: { annotations: { playground/behaviour: ok } }
    spec: { restartPolicy: Never, containers: [{ name: main, image: example/import:1 }] }
`,
    after: 120,
    ask: 'Job.batch default/import',
    rule: 'job.deadline',
    object: 'Job import',
    names: /30 s/,
  },
  {
    id: 'certificate',
    what: 'The certificate of an ingress is in a Secret that nobody made.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx }
spec: { controller: k8s.io/ingress-nginx }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop }
spec:
  ingressClassName: nginx
  tls: [{ hosts: [shop.example.org], secretName: shop-tls }]
  rules: [{ host: shop.example.org, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]
`,
    after: 120,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'ingress.certificate-missing',
    object: 'Ingress shop',
    names: /shop-tls .* shop\.example\.org/,
  },
  {
    id: 'limit-range',
    what: 'A limit range allows less memory than a container asks for.',
    manifests: `
apiVersion: v1
kind: LimitRange
metadata: { name: bounds }
spec: { limits: [{ type: Container, max: { memory: 128Mi } }] }
---
${deployment('web', 'image: example/web:1, resources: { limits: { memory: 1Gi } }')}`,
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'workload.limit-range',
    object: 'ReplicaSet web',
    names: /128Mi/,
  },
  {
    id: 'pull-policy',
    what: 'The pull policy Never forbids to pull an image that the node does not have.',
    manifests: deployment('web', 'image: example/local-build:1, imagePullPolicy: Never'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.image-never',
    object: 'Pod web',
    names: /Never/,
  },
];
