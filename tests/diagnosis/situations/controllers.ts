import { cronJob, deployment, object, objects, service, statefulSet } from './manifests.ts';
import type { Situation } from './situation.ts';

/** Situations of what creates pods. */
export const controllerSituations: readonly Situation[] = [
  {
    id: 'quota-pods',
    what: 'The quota of the namespace allows fewer pods than a Deployment wants.',
    manifests: objects(
      object('v1', 'ResourceQuota', 'small', "spec: { hard: { pods: '1' } }"),
      deployment('web'),
    ),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'workload.quota',
    object: 'ResourceQuota small',
    names: /quota small in namespace default/,
  },
  {
    id: 'quota-without-requests',
    what: 'A quota counts memory, and the pods do not say how much they need.',
    manifests: objects(
      object('v1', 'ResourceQuota', 'memory', 'spec: { hard: { requests.memory: 4Gi } }'),
      deployment('web'),
    ),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'workload.quota-requests',
    object: 'ReplicaSet web',
    names: /requests\.memory/,
  },
  {
    id: 'pod-security',
    what: 'The namespace admits only restricted pods, and a pod asks for more.',
    manifests: objects(
      object('v1', 'Namespace', 'strict', '', 'labels: { pod-security.kubernetes.io/enforce: restricted }'),
      deployment('web', { namespace: 'strict' }),
    ),
    after: 120,
    ask: 'Deployment.apps strict/web',
    rule: 'workload.pod-security',
    object: 'ReplicaSet web',
    names: /namespace strict .* restricted/,
  },
  {
    id: 'service-account',
    what: 'The pods of a StatefulSet run as a service account that does not exist.',
    manifests: objects(
      service('db', { spec: 'clusterIP: None', port: 'port: 5432' }),
      statefulSet('db', 'serviceName: db', {
        pod: 'serviceAccountName: database',
      }),
    ),
    after: 120,
    ask: 'StatefulSet.apps default/db',
    rule: 'workload.service-account',
    object: 'StatefulSet db',
    names: /service account database/,
  },
  {
    id: 'headless-service',
    what: 'A StatefulSet names a service that nobody made.',
    manifests: statefulSet('db', 'serviceName: db-peers'),
    after: 120,
    ask: 'StatefulSet.apps default/db',
    rule: 'statefulset.no-service',
    object: 'StatefulSet db',
    names: /service db-peers/,
  },
  {
    id: 'job-failing',
    what: 'A cron job starts jobs that fail.',
    manifests: cronJob('report', '', 'backoffLimit: 1', {
      behaviour: 'exit-3',
    }),
    after: 900,
    ask: 'CronJob.batch default/report',
    rule: 'pod.log-refused',
    object: 'Pod report',
    names: /exit code 3: .*10\.96\.44\.12:5432/,
  },
];
