import { deployment, type Situation } from './situation.ts';

/** Situations of what creates pods. */
export const controllerSituations: readonly Situation[] = [
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
];
