/**
 * Broken situations, and the cause that the rules have to name. Anybody may add one: what it is in words, its manifests,
 * how long it takes to break, what is asked about, and the rule and object that are to be named first.
 */
export interface Situation {
  readonly id: string;
  /** What is broken, as somebody would tell it. */
  readonly what: string;
  /** YAML, in the namespace `default` unless it says otherwise. */
  readonly manifests: string;
  /** Seconds until it is broken. */
  readonly after: number;
  /** What somebody asks about: `Kind.group namespace/name`, or `Kind name` for an object of the cluster. */
  readonly ask: string;
  /** The rule that names the cause. */
  readonly rule: string;
  /** The kind and name of the object at fault; that of a pod without the random end of its name. */
  readonly object: string;
  /** What the sentence must name. */
  readonly names: RegExp;
  /** Rules that may say something besides without being wrong. */
  readonly besides?: readonly string[];
}

/** A Deployment with one container. */
const deployment = (name: string, container: string, pod = '', metadata = ''): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata:
      labels: { app: ${name} }
      ${metadata}
    spec:
      ${pod}
      containers:
        - { name: main, ${container} }
`;

const behaviour = (word: string): string => `annotations: { playground/behaviour: ${word} }`;

/** Situations that the rules were written for. */
export const situations: readonly Situation[] = [
  {
    id: 'image-tag',
    what: 'A release names a tag that was never pushed.',
    manifests: deployment('web', 'image: example/web:9.9-missing'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.image-missing',
    object: 'Pod web',
    names: /example\/web:9\.9-missing/,
  },
  {
    id: 'image-name',
    what: 'The name of an image has capital letters.',
    manifests: deployment('web', 'image: Example/Web:1'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.image-name',
    object: 'Pod web',
    names: /Example\/Web:1/,
  },
  {
    id: 'crash-loop',
    what: 'A program ends with an error some seconds after each start.',
    manifests: deployment('web', 'image: example/web:1', '', behaviour('crash-loop')),
    after: 180,
    ask: 'Deployment.apps default/web',
    rule: 'pod.log-refused',
    object: 'Pod web',
    names: /exit code 1: .*10\.96\.44\.12:5432/,
  },
  {
    id: 'command-missing',
    what: 'The command of a container is not in its image.',
    manifests: deployment('web', 'image: example/web:1', '', behaviour('exit-127')),
    after: 180,
    ask: 'Deployment.apps default/web',
    rule: 'pod.command',
    object: 'Pod web',
    names: /does not exist in its image/,
  },
  {
    id: 'out-of-memory',
    what: 'A container needs more memory than its limit.',
    manifests: deployment(
      'web',
      'image: example/web:1, resources: { limits: { memory: 64Mi } }',
      '',
      behaviour('oom'),
    ),
    after: 300,
    ask: 'Deployment.apps default/web',
    rule: 'pod.out-of-memory',
    object: 'Pod web',
    names: /64Mi/,
  },
  {
    id: 'liveness',
    what: 'A liveness probe fails, and the container is killed again and again.',
    manifests: deployment(
      'web',
      'image: example/web:1, livenessProbe: { httpGet: { path: /alive, port: 8080 }, periodSeconds: 5 }',
      '',
      behaviour('liveness'),
    ),
    after: 400,
    ask: 'Deployment.apps default/web',
    rule: 'pod.probe-kills',
    object: 'Pod web',
    names: /liveness probe/,
  },
  {
    id: 'readiness',
    what: 'A readiness probe never passes.',
    manifests: deployment(
      'web',
      'image: example/web:1, readinessProbe: { httpGet: { path: /ready, port: 8080 } }',
      '',
      behaviour('unready'),
    ),
    after: 300,
    ask: 'Deployment.apps default/web',
    rule: 'pod.readiness',
    object: 'Pod web',
    names: /readiness probe of container main/,
  },
  {
    id: 'ends-by-itself',
    what: 'A batch program runs as a Deployment and is started again each time it is done.',
    manifests: deployment('batch', 'image: example/batch:1', '', behaviour('exit-0')),
    after: 300,
    ask: 'Deployment.apps default/batch',
    rule: 'pod.ends-by-itself',
    object: 'Pod batch',
    names: /Job/,
  },
  {
    id: 'config-map-missing',
    what: 'A container takes its environment from a ConfigMap that nobody made.',
    manifests: deployment('web', 'image: example/web:1, envFrom: [{ configMapRef: { name: web-settings } }]'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.config-missing',
    object: 'Pod web',
    names: /ConfigMap web-settings/,
  },
  {
    id: 'secret-look-alike',
    what: 'A Secret is missing; a ConfigMap has its name.',
    manifests: `
apiVersion: v1
kind: ConfigMap
metadata: { name: db-credentials }
data: { password: none }
---
${deployment('web', 'image: example/web:1, env: [{ name: PASSWORD, valueFrom: { secretKeyRef: { name: db-credentials, key: password } } }]')}`,
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.config-missing',
    object: 'Pod web',
    names: /Secret db-credentials .* there is a ConfigMap of that name/,
  },
  {
    id: 'config-key-missing',
    what: 'A Secret lacks the key that a container asks for.',
    manifests: `
apiVersion: v1
kind: Secret
metadata: { name: db }
stringData: { user: web }
---
${deployment('web', 'image: example/web:1, env: [{ name: PASSWORD, valueFrom: { secretKeyRef: { name: db, key: password } } }]')}`,
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.config-key',
    object: 'Pod web',
    names: /Secret db has no key password/,
  },
  {
    id: 'volume-secret-missing',
    what: 'A volume is to be filled from a Secret that does not exist.',
    manifests: deployment(
      'web',
      'image: example/web:1, volumeMounts: [{ name: tls, mountPath: /tls }]',
      'volumes: [{ name: tls, secret: { secretName: web-tls } }]',
    ),
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'pod.config-missing',
    object: 'Pod web',
    names: /Secret web-tls that volume tls of the pod needs/,
  },
  {
    id: 'node-selector',
    what: 'A pod asks for nodes with a label that none has.',
    manifests: deployment('web', 'image: example/web:1', 'nodeSelector: { disk: nvme }'),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.node-selector',
    object: 'Pod web',
    names: /disk=nvme/,
  },
  {
    id: 'too-much-cpu',
    what: 'A pod requests more processors than any node has.',
    manifests: deployment('web', "image: example/web:1, resources: { requests: { cpu: '64' } }"),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.resources',
    object: 'Pod web',
    names: /cpu/,
  },
  {
    id: 'claim-missing',
    what: 'A volume names a claim that nobody made.',
    manifests: deployment(
      'web',
      'image: example/web:1',
      'volumes: [{ name: data, persistentVolumeClaim: { claimName: web-data } }]',
    ),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.claim-missing',
    object: 'Pod web',
    names: /claim web-data .* does not exist/,
  },
  {
    id: 'storage-class',
    what: 'A claim names a storage class that does not exist.',
    manifests: `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
${deployment('web', 'image: example/web:1', 'volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]')}`,
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'claim.class-missing',
    object: 'PersistentVolumeClaim data',
    names: /storage class fast/,
  },
  {
    id: 'no-provisioner',
    what: 'A claim waits for a volume that somebody has to make by hand.',
    manifests: `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: local }
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: Immediate
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: local, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
    after: 200,
    ask: 'PersistentVolumeClaim default/data',
    rule: 'claim.no-volume',
    object: 'PersistentVolumeClaim data',
    names: /no free volume has 1Gi/,
  },
  {
    id: 'quota-pods',
    what: 'The quota of the namespace allows fewer pods than a Deployment wants.',
    manifests: `
apiVersion: v1
kind: ResourceQuota
metadata: { name: small }
spec: { hard: { pods: '1' } }
---
${deployment('web', 'image: example/web:1')}`,
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'workload.quota',
    object: 'ResourceQuota small',
    names: /quota small of namespace default/,
  },
  {
    id: 'quota-without-requests',
    what: 'A quota counts memory, and the pods do not say how much they need.',
    manifests: `
apiVersion: v1
kind: ResourceQuota
metadata: { name: memory }
spec: { hard: { requests.memory: 4Gi } }
---
${deployment('web', 'image: example/web:1')}`,
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'workload.quota-requests',
    object: 'ReplicaSet web',
    names: /requests\.memory/,
  },
  {
    id: 'pod-security',
    what: 'The namespace admits only restricted pods, and a pod asks for more.',
    manifests: `
apiVersion: v1
kind: Namespace
metadata: { name: strict, labels: { pod-security.kubernetes.io/enforce: restricted } }
---
${deployment('web', 'image: example/web:1').replace('name: web }', 'name: web, namespace: strict }')}`,
    after: 120,
    ask: 'Deployment.apps strict/web',
    rule: 'workload.pod-security',
    object: 'ReplicaSet web',
    names: /namespace strict .* restricted/,
  },
  {
    id: 'service-account',
    what: 'The pods of a StatefulSet run as a service account that does not exist.',
    manifests: `
apiVersion: v1
kind: Service
metadata: { name: db }
spec: { clusterIP: None, selector: { app: db }, ports: [{ port: 5432 }] }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  replicas: 1
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { serviceAccountName: database, containers: [{ name: main, image: example/db:1 }] }
`,
    after: 120,
    ask: 'StatefulSet.apps default/db',
    rule: 'workload.service-account',
    object: 'StatefulSet db',
    names: /service account database/,
  },
  {
    id: 'headless-service',
    what: 'A StatefulSet names a service that nobody made.',
    manifests: `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db-peers
  replicas: 1
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: main, image: example/db:1 }] }
`,
    after: 120,
    ask: 'StatefulSet.apps default/db',
    rule: 'statefulset.no-service',
    object: 'StatefulSet db',
    names: /service db-peers/,
  },
  {
    id: 'selector-typo',
    what: 'The selector of a service has a slip in it.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: wbe }, ports: [{ port: 80 }] }
`,
    after: 120,
    ask: 'Service default/web',
    rule: 'service.no-pods',
    object: 'Service web',
    names: /app=wbe; pod web-.* has app=web/,
  },
  {
    id: 'service-port',
    what: 'A service leads to a port that its pods do not have.',
    manifests: `${deployment('web', 'image: example/web:1, ports: [{ name: http, containerPort: 8080 }]')}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8081 }] }
`,
    after: 120,
    ask: 'Service default/web',
    rule: 'service.port',
    object: 'Service web',
    names: /8081 .* http \(8080\)/,
  },
  {
    id: 'service-of-crashing-pods',
    what: 'An ingress leads to a service whose pods all crash.',
    manifests: `${deployment('web', 'image: example/web:1', '', behaviour('crash-loop'))}
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
  rules: [{ host: shop.example.org, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]
`,
    after: 300,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'pod.log-refused',
    object: 'Pod web',
    names: /exit code 1: .*10\.96\.44\.12:5432/,
  },
  {
    id: 'ingress-class',
    what: 'An ingress names a class that the cluster does not have.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop }
spec:
  ingressClassName: traefik
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]
`,
    after: 120,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'ingress.class-missing',
    object: 'Ingress shop',
    names: /traefik/,
  },
  {
    id: 'ingress-service',
    what: 'An ingress sends requests to a service that does not exist.',
    manifests: `
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
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: storefront, port: { number: 80 } } } }] } }]
`,
    after: 120,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'ingress.service-missing',
    object: 'Ingress shop',
    names: /storefront/,
  },
  {
    id: 'autoscaler-requests',
    what: 'An autoscaler goes by a share of requests that the pods do not have.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 1
  maxReplicas: 5
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }]
`,
    after: 300,
    ask: 'HorizontalPodAutoscaler.autoscaling default/web',
    rule: 'hpa.no-requests',
    object: 'HorizontalPodAutoscaler web',
    names: /cpu .* container main requests none/,
  },
  {
    id: 'autoscaler-target',
    what: 'An autoscaler scales a Deployment that was renamed.',
    manifests: `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web-old }
  minReplicas: 1
  maxReplicas: 5
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }]
`,
    after: 120,
    ask: 'HorizontalPodAutoscaler.autoscaling default/web',
    rule: 'hpa.target-missing',
    object: 'HorizontalPodAutoscaler web',
    names: /web-old/,
  },
  {
    id: 'job-failing',
    what: 'A cron job starts jobs that fail.',
    manifests: `
apiVersion: batch/v1
kind: CronJob
metadata: { name: report }
spec:
  schedule: '*/5 * * * *'
  jobTemplate:
    spec:
      backoffLimit: 1
      template:
        metadata: { annotations: { playground/behaviour: exit-3 } }
        spec: { restartPolicy: Never, containers: [{ name: main, image: example/report:1 }] }
`,
    after: 900,
    ask: 'CronJob.batch default/report',
    rule: 'pod.log-refused',
    object: 'Pod report',
    names: /exit code 3: .*10\.96\.44\.12:5432/,
  },
  {
    id: 'budget-selector',
    what: 'A disruption budget matches no pods.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 1, selector: { matchLabels: { app: webs } } }
`,
    after: 200,
    ask: 'PodDisruptionBudget.policy default/web',
    rule: 'budget.no-pods',
    object: 'PodDisruptionBudget web',
    names: /app=webs/,
  },
  {
    id: 'webhook-service',
    what: 'An admission webhook calls a service that does not exist.',
    manifests: `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: checks }
webhooks:
  - name: checks.example.org
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
    clientConfig: { service: { namespace: default, name: checks, path: /validate } }
    rules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
`,
    after: 60,
    ask: 'ValidatingWebhookConfiguration.admissionregistration.k8s.io checks',
    rule: 'webhook.service-missing',
    object: 'ValidatingWebhookConfiguration checks',
    names: /default\/checks/,
  },
];

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
