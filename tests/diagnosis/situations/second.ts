import { behaviour, deployment, type Situation } from './situation.ts';

/** A second ten that were written from the list of areas alone, after the rules about logs. */
export const secondSituations: readonly Situation[] = [
  {
    id: 'statefulset-class',
    what: 'The claims of a StatefulSet name a storage class that does not exist.',
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
    spec: { containers: [{ name: main, image: example/db:1, volumeMounts: [{ name: data, mountPath: /data }] }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { storageClassName: ssd, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
    after: 200,
    ask: 'StatefulSet.apps default/db',
    rule: 'claim.class-missing',
    object: 'PersistentVolumeClaim data-db',
    names: /storage class ssd/,
  },
  {
    id: 'service-unready',
    what: 'Somebody asks about a service; its pods run and never become ready.',
    manifests: `${deployment('web', 'image: example/web:1, readinessProbe: { httpGet: { path: /ready, port: 8080 } }', '', behaviour('unready'))}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
`,
    after: 400,
    ask: 'Service default/web',
    rule: 'pod.readiness',
    object: 'Pod web',
    names: /readiness probe of container main/,
  },
  {
    id: 'ingress-no-class',
    what: 'An ingress names no class, and none is the default.',
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
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]
`,
    after: 120,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'ingress.class-unset',
    object: 'Ingress shop',
    names: /no class/,
  },
  {
    id: 'autoscaler-daemonset',
    what: 'An autoscaler is to scale a DaemonSet.',
    manifests: `
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { containers: [{ name: main, image: example/agent:1 }] }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: agent }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: DaemonSet, name: agent }
  minReplicas: 1
  maxReplicas: 5
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }]
`,
    after: 200,
    ask: 'HorizontalPodAutoscaler.autoscaling default/agent',
    rule: 'hpa.target-kind',
    object: 'HorizontalPodAutoscaler agent',
    names: /DaemonSet/,
  },
  {
    id: 'policy-no-pods',
    what: 'A network policy is for labels that no pod has.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: web }
spec: { podSelector: { matchLabels: { app: website } }, policyTypes: [Ingress] }
`,
    after: 120,
    ask: 'NetworkPolicy.networking.k8s.io default/web',
    rule: 'networkpolicy.no-pods',
    object: 'NetworkPolicy web',
    names: /app=website/,
  },
  {
    id: 'webhook-selector',
    what: 'The service of a webhook selects no pod at all.',
    manifests: `
apiVersion: v1
kind: Service
metadata: { name: checks }
spec: { selector: { app: checks }, ports: [{ port: 443 }] }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: checks }
webhooks:
  - name: checks.example.org
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: { service: { namespace: default, name: checks } }
    rules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets] }]
`,
    after: 120,
    ask: 'ValidatingWebhookConfiguration.admissionregistration.k8s.io checks',
    rule: 'service.no-pods',
    object: 'Service checks',
    names: /app=checks/,
    besides: ['webhook.service-silent'],
  },
  {
    id: 'cronjob-suspended',
    what: 'Somebody suspended a cron job and forgot it.',
    manifests: `
apiVersion: batch/v1
kind: CronJob
metadata: { name: backup }
spec:
  schedule: '*/5 * * * *'
  suspend: true
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: example/backup:1 }] } } } }
`,
    after: 900,
    ask: 'CronJob.batch default/backup',
    rule: 'cronjob.suspended',
    object: 'CronJob backup',
    names: /suspended/,
  },
  {
    id: 'evicted',
    what: 'A node that runs short of memory ends a pod.',
    manifests: `
apiVersion: v1
kind: Pod
metadata: { name: hungry, annotations: { playground/behaviour: evicted } }
spec: { containers: [{ name: main, image: example/hungry:1 }] }
`,
    after: 2400,
    ask: 'Pod default/hungry',
    rule: 'pod.evicted',
    object: 'Pod hungry',
    names: /short of memory/,
  },
  {
    id: 'database-without-pods',
    what: 'A program ends because nothing answers for the service of its database, whose pods are gone.',
    manifests: `
apiVersion: v1
kind: Service
metadata: { name: db }
spec: { clusterIP: 10.96.44.12, selector: { app: db }, ports: [{ port: 5432 }] }
---
${deployment('web', 'image: example/web:1', '', behaviour('crash-loop'))}`,
    after: 240,
    ask: 'Deployment.apps default/web',
    rule: 'service.no-pods',
    object: 'Service db',
    names: /app=db/,
  },
  {
    id: 'job-image',
    what: 'A job names an image that was never pushed.',
    manifests: `
apiVersion: batch/v1
kind: Job
metadata: { name: import }
spec:
  template:
    spec: { restartPolicy: Never, containers: [{ name: main, image: 'example/import:2-missing' }] }
`,
    after: 200,
    ask: 'Job.batch default/import',
    rule: 'pod.image-missing',
    object: 'Pod import',
    names: /example\/import:2-missing/,
  },
];
