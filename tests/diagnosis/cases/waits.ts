import { all, but, condition, crashed, object, pod, type RuleCase, waiting, warning } from './rule-case.ts';

const unplaced = (spec: string, status = '') =>
  but(pod({ spec, status, phase: 'Pending' }), 'nodeName: node-1, ', '');
const gated = unplaced(
  'schedulingGates: [{ name: kueue.x-k8s.io/admission }],',
  condition(
    'PodScheduled',
    'False',
    'SchedulingGated',
    'Scheduling is blocked due to non-empty scheduling gates',
  ),
);
const ready =
  "conditions: [{ type: Ready, status: 'True', reason: PodReady, lastTransitionTime: '2026-03-01T07:01:00Z' }]";
const running =
  "containerStatuses: [{ name: main, ready: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T07:00:30Z' } } }]";
const resizing = (type: string, reason: string, message: string) =>
  pod({
    status: `${running}, conditions: [{ type: Ready, status: 'True' }, { type: ${type}, status: 'True', reason: ${reason}, message: ${JSON.stringify(message)} }]`,
  });
const deleted = but(
  pod({ status: `${running}, ${ready}` }),
  "creationTimestamp: '2026-03-01T06:00:00Z'",
  "creationTimestamp: '2026-03-01T06:00:00Z', deletionTimestamp: '2026-03-01T07:40:00Z', deletionGracePeriodSeconds: 30",
);
const node = object(
  'v1',
  'Node',
  'node-1',
  "spec: {}\nstatus: { conditions: [{ type: Ready, status: 'True' }] }",
);
const killFailed = warning('Pod', 'web-0', 'FailedKillPod', 'error killing pod: runtime does not answer');
const job = object('batch/v1', 'Job', 'import', 'spec: { completions: 1 }\nstatus: {}');
const cron = (status: string, spec = '') =>
  object('batch/v1', 'CronJob', 'nightly', `spec: { schedule: '0 * * * *', ${spec} }\nstatus: { ${status} }`);
const lastRun = "lastScheduleTime: '2026-03-01T06:00:00Z'";
const refused = warning(
  'CronJob',
  'nightly',
  'FailedCreate',
  'Error creating job: jobs.batch "nightly-1" is forbidden: exceeded quota: jobs',
);
const claim = (status: string) =>
  object(
    'v1',
    'PersistentVolumeClaim',
    'data',
    `spec: { volumeName: disk, resources: { requests: { storage: 20Gi } } }\nstatus: { phase: Bound, capacity: { storage: 10Gi }, ${status} }`,
  );
const expanding = (minutes: number) =>
  `${warning('PersistentVolumeClaim', 'data', 'ExternalExpanding', 'waiting for an external controller to expand this PVC')}\nfirstTimestamp: '2026-03-01T07:${String(60 - minutes).padStart(2, '0')}:00Z'`;
const volume = (phase: string) =>
  object(
    'v1',
    'PersistentVolume',
    'disk',
    `spec: { persistentVolumeReclaimPolicy: Delete }\nstatus: { phase: ${phase} }`,
  );
const inUse = but(
  warning(
    'PersistentVolume',
    'disk',
    'VolumeFailedDelete',
    'rpc error: code = Internal desc = disk is still used by a snapshot',
  ),
  'namespace: shop, uid',
  'uid',
);
const deployment = (reason: string, message: string) =>
  object(
    'apps/v1',
    'Deployment',
    'web',
    `spec: { replicas: 1, selector: { matchLabels: { app: web } } }\nstatus: { observedGeneration: 1, ${condition('Progressing', 'False', reason, message)} }`,
    'generation: 1',
  );
const budget = (reason: string) =>
  object(
    'policy/v1',
    'PodDisruptionBudget',
    'web',
    `spec: { minAvailable: '50%', selector: { matchLabels: { app: web } } }\nstatus: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1, expectedPods: 1, ${condition('DisruptionAllowed', 'False', reason, 'found no controllers for pod "web-0"')} }`,
  );
const request = (status: string) =>
  object(
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'csr-x7',
    `spec: { signerName: kubernetes.io/kubelet-serving, username: 'system:node:node-1' }\nstatus: { ${status} }`,
  );
const thing = (status: string) => object('example.org/v1', 'Thing', 'one', `spec: {}\nstatus: { ${status} }`);

/** Cases of the rules about what waits, and of the last words on an object. */
export const waitCases: readonly RuleCase[] = [
  {
    rule: 'pod.scheduling-gate',
    broken: gated,
    names: /scheduling gate kueue\.x-k8s\.io\/admission to be removed/,
    near: {
      'it was made just now': but(gated, '2026-03-01T06:00:00Z', '2026-03-01T07:59:30Z'),
      'the gate is open': unplaced('', condition('PodScheduled', 'True')),
    },
  },
  {
    rule: 'pod.no-scheduler',
    broken: unplaced('schedulerName: volcano,'),
    names: /asks for the scheduler volcano\. Check that one of that name is running\./,
    near: {
      'a node was found': pod({
        phase: 'Pending',
        spec: 'schedulerName: volcano,',
        status: 'conditions: []',
      }),
      'it was made just now': but(unplaced(''), '2026-03-01T06:00:00Z', '2026-03-01T07:59:30Z'),
      'the scheduler says something': all(
        unplaced('schedulerName: volcano,'),
        warning('Pod', 'web-0', 'FailedScheduling', 'queue is full', { from: 'volcano' }),
      ),
    },
  },
  {
    rule: 'pod.resource-claim',
    broken: all(
      unplaced('resourceClaims: [{ name: gpu }],', condition('PodScheduled', 'False', 'Pending', 'waiting')),
      warning('Pod', 'web-0', 'FailedResourceClaimCreation', 'resource claim template "gpu" not found'),
    ),
    names: /resource claim of the pod cannot be made: resource claim template "gpu" not found/,
    near: {
      'the pod has a node': all(
        pod({ spec: 'resourceClaims: [{ name: gpu }],', status: `${running}, ${ready}` }),
        warning('Pod', 'web-0', 'FailedResourceClaimCreation', 'gone'),
      ),
    },
  },
  {
    rule: 'pod.not-provided',
    broken: pod({
      phase: 'Pending',
      status: 'reason: ProviderFailed, message: the quota of the region is used up',
    }),
    names: /\(ProviderFailed\): the quota of the region is used up/,
    near: { 'it has no reason': pod({ phase: 'Pending' }) },
  },
  {
    rule: 'pod.kill-failed',
    broken: all(deleted, node, killFailed),
    names: /Node node-1 cannot end the deleted pod: error killing pod: runtime does not answer/,
    near: {
      'nobody deleted it': all(pod({ status: `${running}, ${ready}` }), node, killFailed),
      'it has time left': all(but(deleted, '2026-03-01T07:40:00Z', '2026-03-01T07:59:50Z'), node, killFailed),
    },
  },
  {
    rule: 'pod.resize',
    broken: resizing('PodResizePending', 'Infeasible', "Node didn't have enough capacity: cpu"),
    names: /\(Infeasible\): Node didn't have enough capacity: cpu\./,
    near: { 'it is under way': resizing('PodResizeInProgress', 'Updating', 'soon') },
  },
  {
    rule: 'pod.start-failed',
    broken: all(
      pod({ phase: 'Pending', status: waiting('ContainerCreating', '') }),
      warning('Pod', 'web-0', 'AddedInterfaceFailed', 'network shop/macvlan not found', { from: 'multus' }),
    ),
    names: /newest warning is \(AddedInterfaceFailed\): network shop\/macvlan not found/,
    near: { 'it runs': pod({ status: `${running}, ${ready}` }) },
  },
  {
    rule: 'pod.run-as-root',
    broken: pod({
      phase: 'Pending',
      status: waiting(
        'CreateContainerConfigError',
        'container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root',
      ),
    }),
    names: /runs as the user “app”: the kubelet cannot tell by a name/,
    near: { 'it runs': pod({ status: `${running}, ${ready}` }) },
  },
  {
    rule: 'pod.crash',
    broken: pod({
      status: crashed(
        128,
        'StartError',
        'failed to start containerd task: open /proc/1/ns/ipc: no such file',
      ),
    }),
    names: /The runtime cannot start container main: failed to start containerd task/,
    near: { 'it runs': pod({ status: `${running}, ${ready}` }) },
  },
  {
    rule: 'pod.crash',
    broken: pod({ status: crashed(1, 'Error', 'the licence ended on 1 February') }),
    names: /ends with exit code 1: “the licence ended on 1 February”/,
    near: { 'it runs': pod({ status: `${running}, ${ready}` }) },
  },
  {
    rule: 'job.no-pods',
    broken: all(
      job,
      warning('Job', 'import', 'QueueRejected', 'queue batch does not exist', { from: 'queue' }),
    ),
    names: /started no pod for 120m.* queue batch does not exist/,
    near: {
      'it was made just now': all(
        but(job, '2026-03-01T06:00:00Z', '2026-03-01T07:59:30Z'),
        warning('Job', 'import', 'QueueRejected', 'queue batch does not exist'),
      ),
      'nobody warns': job,
    },
  },
  {
    rule: 'job.failed',
    broken: object(
      'batch/v1',
      'Job',
      'import',
      `spec: {}\nstatus: { failed: 1, ${condition('Failed', 'True', 'PodFailurePolicy', 'Container main failed with exit code 42 matching FailJob rule at index 0')} }`,
    ),
    names: /after 1 failed pod: Container main failed with exit code 42 matching FailJob rule/,
    near: {
      'it is complete': object(
        'batch/v1',
        'Job',
        'import',
        `spec: {}\nstatus: { succeeded: 1, ${condition('Complete', 'True')} }`,
      ),
    },
  },
  {
    rule: 'cronjob.not-started',
    broken: all(cron(lastRun), refused),
    names: /starts no job: jobs\.batch "nightly-1" is forbidden: exceeded quota: jobs\./,
    near: {
      'it started one since': all(cron("lastScheduleTime: '2026-03-01T08:00:00Z'"), refused),
      'it is suspended': all(cron('', 'suspend: true'), refused),
    },
  },
  {
    rule: 'claim.change-failed',
    broken: claim(condition('ModifyVolumeError', 'True', 'Failed', 'more iops than the disk may have')),
    names: /claim data cannot be changed: more iops than the disk may have/,
    near: { 'it is under way': claim(condition('Resizing', 'True')) },
  },
  {
    rule: 'claim.expansion-waits',
    broken: claim(condition('FileSystemResizePending', 'True')),
    names: /file system keeps 10Gi until a pod with the claim is started/,
    near: {
      'it has what it asks for': but(
        claim(condition('FileSystemResizePending', 'True')),
        'storage: 20Gi',
        'storage: 10Gi',
      ),
    },
  },
  {
    rule: 'claim.expansion-waits',
    broken: all(claim(''), expanding(30)),
    names: /Nothing has enlarged claim data from 10Gi to 20Gi for 30m/,
    near: { 'it began just now': all(claim(''), expanding(2)) },
  },
  {
    rule: 'volume.not-deleted',
    broken: all(volume('Released'), inUse),
    names: /volume disk of a deleted claim cannot be deleted: disk is still used by a snapshot/,
    near: { 'its claim is there': all(volume('Bound'), inUse) },
  },
  {
    rule: 'deployment.no-replicaset',
    broken: deployment(
      'ReplicaSetCreateError',
      'Failed to create new replica set "web-1": exceeded quota: sets',
    ),
    names: /rollout does not begin: Failed to create new replica set "web-1": exceeded quota: sets/,
    near: { 'it goes on': deployment('ReplicaSetUpdated', 'ReplicaSet "web-1" is progressing.') },
  },
  {
    rule: 'budget.uncounted',
    broken: all(budget('SyncFailed'), pod({ status: `${running}, ${ready}` })),
    names: /allows no eviction, as its pods cannot be counted: found no controllers for pod "web-0"/,
    near: { 'they are counted': all(budget('InsufficientPods'), pod({ status: `${running}, ${ready}` })) },
  },
  {
    rule: 'signing-request.unanswered',
    broken: request(''),
    names: /request of system:node:node-1 for 120m/,
    near: {
      'it was approved': request(condition('Approved', 'True')),
      'it was made just now': but(request(''), '2026-03-01T06:00:00Z', '2026-03-01T07:58:00Z'),
    },
  },
  {
    rule: 'object.repeated-warning',
    broken: all(
      pod({ status: `${running}, ${ready}` }),
      warning('Pod', 'web-0', 'FailedMount', 'secret "tls" not found'),
    ),
    names: /a warning about Pod web-0 is repeated \(FailedMount\): secret "tls" not found/,
    near: {
      'it was seen once': all(
        pod({ status: `${running}, ${ready}` }),
        but(warning('Pod', 'web-0', 'FailedMount', 'secret "tls" not found'), 'count: 7', 'count: 1'),
      ),
      'it is over': all(
        pod({ status: `${running}, ${ready}` }),
        warning('Pod', 'web-0', 'FailedMount', 'secret "tls" not found', { minutes: 30 }),
      ),
      'it is of before it was ready': all(
        but(pod({ status: `${running}, ${ready}` }), '2026-03-01T07:01:00Z', '2026-03-01T07:59:30Z'),
        warning('Pod', 'web-0', 'FailedMount', 'secret "tls" not found'),
      ),
    },
  },
  {
    rule: 'object.under-way',
    broken: thing(condition('Ready', 'Unknown', 'Reconciling', 'waiting for the zone of the network')),
    names: /Thing one has not been Ready for 60m: waiting for the zone of the network/,
    near: {
      'it began just now': but(
        thing(condition('Ready', 'Unknown', 'Reconciling', 'waiting for the zone')),
        '2026-03-01T07:00:00Z',
        '2026-03-01T07:55:00Z',
      ),
    },
  },
];
