import { all, but, condition, object, type RuleCase, warning } from './rule-case.ts';

/** What the API server says when it refuses a pod, without how the controller begins its sentence. */
const refusals: readonly {
  readonly rule: string;
  readonly says: string;
  readonly names: RegExp;
  readonly creates?: readonly object[];
  readonly edits?: readonly string[];
  /** Texts that are alike and are another refusal, or none. */
  readonly alike: string;
}[] = [
  {
    rule: 'workload.quota',
    says: 'pods "web-x2x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1',
    names: /quota small in namespace shop .* web: .* pods=1/,
    edits: ['ResourceQuota small'],
    alike: 'pods "web-x2x" is forbidden: failed quota: small: must specify requests.memory for: main',
  },
  {
    rule: 'workload.quota-requests',
    says: 'pods "web-x2x" is forbidden: failed quota: memory: must specify requests.memory for: main',
    names: /quota memory .* requests\.memory/,
    alike:
      'pods "web-x2x" is forbidden: exceeded quota: memory, requested: requests.memory=1Gi, used: requests.memory=4Gi, limited: requests.memory=4Gi',
  },
  {
    rule: 'workload.pod-security',
    says: 'pods "web-x2x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "main" must set securityContext.allowPrivilegeEscalation=false)',
    names: /namespace shop .* restricted/,
    alike: 'pods "web-x2x" is forbidden: unable to validate against any security context constraint: []',
  },
  {
    rule: 'workload.service-account',
    says: 'pods "web-" is forbidden: error looking up service account shop/database: serviceaccount "database" not found',
    names: /service account database/,
    creates: [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'database', namespace: 'shop' } },
    ],
    alike:
      'pods "web-x2x" is forbidden: User "system:serviceaccount:shop:database" cannot create resource "pods"',
  },
  {
    rule: 'workload.limit-range',
    says: 'pods "web-x2x" is forbidden: maximum memory usage per Container is 128Mi, but limit is 1Gi',
    names: /maximum of 128Mi memory for each container/,
    alike:
      'pods "web-x2x" is forbidden: exceeded quota: m, requested: limits.memory=1Gi, used: limits.memory=1Gi, limited: limits.memory=1Gi',
  },
  {
    rule: 'workload.priority-class',
    says: 'pods "web-x2x" is forbidden: no PriorityClass with name urgent was found',
    names: /priority class urgent/,
    alike: 'pods "web-x2x" is forbidden: the integer value of priority (5) must not be provided in pod spec',
  },
  {
    rule: 'workload.webhook',
    says: 'Internal error occurred: failed calling webhook "inject.example.org": failed to call webhook: Post "https://injector.shop.svc:443/?timeout=10s": no endpoints available for service "injector"',
    names: /inject\.example\.org does not answer/,
    alike: 'Internal error occurred: etcdserver: request timed out',
  },
  {
    rule: 'workload.webhook',
    says: 'admission webhook "checks.example.org" denied the request: the label team is missing',
    names: /checks\.example\.org refuses .* label team is missing/,
    alike: 'pods "web-x2x" is forbidden: the request was denied',
  },
  {
    rule: 'workload.admission-policy',
    says: "pods \"web-x2x\" is forbidden: ValidatingAdmissionPolicy 'limits' with binding 'all' denied request: every container needs a memory limit",
    names: /admission policy limits refuses the pods of .*: every container needs a memory limit/,
    alike: 'pods "web-x2x" is forbidden: the request was denied',
  },
  {
    rule: 'workload.refused',
    says: 'Internal error occurred: etcdserver: request timed out',
    names: /The pods of .* cannot be created: Internal error occurred: etcdserver: request timed out\.$/,
    alike:
      'pods "web-x2x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1',
  },
];

const template = 'template: { spec: { containers: [{ name: main, image: example/web:1 }] } }';
const short: Readonly<Record<string, readonly [spec: string, status: string]>> = {
  ReplicaSet: [`spec: { replicas: 2, ${template} }`, 'replicas: 0'],
  StatefulSet: [`spec: { replicas: 2, ${template} }`, 'replicas: 0'],
  DaemonSet: [`spec: { ${template} }`, 'desiredNumberScheduled: 3, currentNumberScheduled: 0'],
  Job: [`spec: { ${template} }`, 'active: 0'],
};
const complete: Readonly<Record<string, string>> = {
  ReplicaSet: 'replicas: 2',
  StatefulSet: 'replicas: 2',
  DaemonSet: 'desiredNumberScheduled: 3, currentNumberScheduled: 3',
  Job: 'active: 1',
};

/** Each refusal of each kind of controller. */
const refusalCases: readonly RuleCase[] = Object.entries(short).flatMap(([kind, [spec, status]]) =>
  refusals.map(({ rule, says, names, creates = [], edits = [], alike }) => {
    const apiVersion = kind === 'Job' ? 'batch/v1' : 'apps/v1';
    const controller = (told: string) => object(apiVersion, kind, 'web', `${spec}\nstatus: { ${told} }`);
    const event = (text: string, minutes = 1) =>
      warning(kind, 'web', 'FailedCreate', `Error creating: ${text}`, { minutes });
    return {
      rule,
      broken: all(controller(status), event(says)),
      names,
      creates,
      edits,
      near: {
        'it is refused for something else': all(controller(status), event(alike)),
        'it has its pods since': all(controller(complete[kind] ?? ''), event(says)),
        'it was refused an hour ago': all(controller(status), event(says, 60)),
      },
    };
  }),
);

const replicaSet = object(
  'apps/v1',
  'ReplicaSet',
  'web',
  `spec: { replicas: 2, ${template} }\nstatus: { replicas: 0, ${condition('ReplicaFailure', 'True', 'FailedCreate', 'pods "web-x2x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1')} }`,
);
const paused = object(
  'apps/v1',
  'Deployment',
  'web',
  `spec: { replicas: 2, paused: true, selector: { matchLabels: { app: web } }, ${template} }\nstatus: { replicas: 2, updatedReplicas: 1 }`,
);
const database = object(
  'apps/v1',
  'StatefulSet',
  'db',
  'spec: { replicas: 1, serviceName: db, selector: { matchLabels: { app: db } }, template: { spec: { containers: [{ name: main, image: example/db:1, ports: [{ containerPort: 5432, name: sql }, { containerPort: 5432 }, { containerPort: 53, protocol: UDP }] }] } } }\nstatus: { replicas: 1, readyReplicas: 1 }',
);

/** Cases of the rules about controllers of pods. */
export const controllerCases: readonly RuleCase[] = [
  ...refusalCases,
  {
    rule: 'workload.quota',
    broken: all(
      replicaSet,
      object('v1', 'ResourceQuota', 'small', "status: { used: { pods: '1' }, hard: { pods: '1' } }"),
    ),
    names: /quota small/,
    edits: ['ResourceQuota small'],
    near: { 'the condition is over': but(replicaSet, "status: 'True'", "status: 'False'") },
  },
  {
    rule: 'deployment.paused',
    broken: paused,
    names: /paused/,
    near: {
      'all its pods are new': but(paused, 'updatedReplicas: 1', 'updatedReplicas: 2'),
      'it is not paused': but(paused, 'paused: true', 'paused: false'),
    },
  },
  {
    rule: 'statefulset.no-service',
    broken: database,
    names: /service db /,
    creates: [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'db', namespace: 'shop' },
        spec: {
          clusterIP: 'None',
          selector: { app: 'db' },
          ports: [
            { name: 'tcp-5432', port: 5432, protocol: 'TCP' },
            { name: 'udp-53', port: 53, protocol: 'UDP' },
          ],
        },
      },
    ],
    near: {
      'the service exists': all(database, object('v1', 'Service', 'db', 'spec: { clusterIP: None }')),
      'it names none': but(database, 'serviceName: db, ', ''),
    },
  },
];
