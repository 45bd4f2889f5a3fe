import { all, but, object, pod, type RuleCase, warning } from './rule-case.ts';

const readyCondition =
  "conditions: [{ type: Ready, status: 'True', reason: KubeletReady, message: kubelet is posting ready status }]";
const node = object('v1', 'Node', 'node-1', `spec: { unschedulable: true }\nstatus: { ${readyCondition} }`);
const budget = (spec: string, allowed: number, healthy: number, desired: number) =>
  object(
    'policy/v1',
    'PodDisruptionBudget',
    'web',
    `spec: { ${spec}, selector: { matchLabels: { app: web } } }\nstatus: { disruptionsAllowed: ${allowed}, currentHealthy: ${healthy}, desiredHealthy: ${desired}, expectedPods: 3 }`,
  );
const strict = budget('minAvailable: 3', 0, 3, 3);
const web = pod({ status: readyCondition });

const set = object(
  'apps/v1',
  'StatefulSet',
  'db',
  'spec: { replicas: 1, selector: { matchLabels: { app: db } } }\nstatus: { observedGeneration: 2, replicas: 1, currentRevision: db-1, updateRevision: db-2 }',
  'generation: 2',
);
const setWith = (spec: string) => but(set, 'replicas: 1,', `replicas: 1, ${spec},`);
const owner =
  'ownerReferences: [{ apiVersion: apps/v1, kind: StatefulSet, name: db, uid: uid-StatefulSet-db, controller: true }]';
const member = pod({
  name: 'db-0',
  labels: 'app: db, controller-revision-hash: db-1',
  owner,
  phase: 'Pending',
  status:
    'containerStatuses: [{ name: main, ready: false, restartCount: 0, state: { waiting: { reason: ImagePullBackOff, message: not found } } }]',
});

const finalizers = (
  reason: string,
  message: string,
  type = 'NamespaceFinalizersRemaining',
  status = 'True',
) =>
  object(
    'v1',
    'Namespace',
    'old',
    `status: { phase: Terminating, conditions: [{ type: ${type}, status: '${status}', reason: ${reason}, message: ${JSON.stringify(message)} }, { type: NamespaceContentRemaining, status: 'True', reason: SomeResourcesRemain, message: 'Some resources are remaining: pods. has 2 resource instances, widgets.example.org has 1 resource instances' }] }`,
    "deletionTimestamp: '2026-03-01T07:00:00Z'",
  );
const held = finalizers(
  'SomeFinalizersRemain',
  'Some content in the namespace has finalizers remaining: example.org/cleanup in 1 resource instances, example.org/quota in 2 resource instances',
);
const undiscovered = finalizers(
  'DiscoveryFailed',
  'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1',
  'NamespaceDeletionDiscoveryFailure',
);

const metricsService = object(
  'apiregistration.k8s.io/v1',
  'APIService',
  'v1beta1.metrics.k8s.io',
  `spec: { group: metrics.k8s.io, version: v1beta1, service: { namespace: kube-system, name: metrics-server } }\nstatus: { conditions: [{ type: Available, status: 'False', reason: ServiceNotFound, message: 'service/metrics-server in "kube-system" is not present' }] }`,
);

/** Cases of the rules about what waits for somebody: drains, updates of StatefulSets, deletions. */
export const disruptionCases: readonly RuleCase[] = [
  {
    rule: 'node.drain-blocked',
    broken: all(node, web, strict),
    names: /node node-1 cannot evict pod shop\/web-0: budget web .* requires all 3/,
    besides: ['node.cordoned'],
    near: {
      'nobody cordoned it': all(but(node, 'unschedulable: true', ''), web, strict),
      'the budget lets one go': all(node, web, budget('minAvailable: 2', 1, 3, 2)),
      'the pod is on another node': all(node, but(web, 'nodeName: node-1', 'nodeName: node-2'), strict),
      'the budget is for other pods': all(node, pod({ labels: 'app: api', status: readyCondition }), strict),
      'a drain leaves the pods of a DaemonSet alone': all(
        node,
        pod({ owner: owner.replace('StatefulSet', 'DaemonSet'), status: readyCondition }),
        strict,
      ),
      'the pod has ended': all(node, pod({ phase: 'Succeeded' }), strict),
    },
  },
  {
    rule: 'node.drain-blocked',
    broken: all(node, web, budget('maxUnavailable: 1', 0, 1, 2)),
    names: /1 of its pods are ready and it requires 2/,
    besides: ['node.cordoned'],
    near: { 'its broken pods may go': all(node, pod({}), budget('minAvailable: 2', 0, 2, 2)) },
  },
  {
    rule: 'statefulset.left-behind',
    broken: all(set, member),
    names: /Pod db-0 is of an earlier revision .* Delete pod db-0/,
    near: {
      'it is of the present revision': all(set, but(member, 'db-1', 'db-2')),
      'it is well': all(set, pod({ name: 'db-0', labels: 'app: db, controller-revision-hash: db-1', owner })),
      'it is being deleted': all(
        set,
        but(member, 'ownerReferences', "deletionTimestamp: '2026-03-01T07:59:00Z', ownerReferences"),
      ),
      'the controller has not seen the change': all(
        but(set, 'observedGeneration: 2', 'observedGeneration: 1'),
        member,
      ),
      'pods are replaced by hand anyway': all(setWith('updateStrategy: { type: OnDelete }'), member),
      'it is below the partition': all(
        setWith('updateStrategy: { rollingUpdate: { partition: 1 } }'),
        member,
      ),
      'pods are replaced all at once': all(setWith('podManagementPolicy: Parallel'), member),
    },
  },
  {
    rule: 'namespace.finalizers',
    broken: held,
    names: /pods, widgets\.example\.org.*example\.org\/cleanup, example\.org\/quota/,
    near: {
      'it was deleted just now': but(held, '07:00:00', '07:59:50'),
      'nobody deleted it': but(held, "deletionTimestamp: '2026-03-01T07:00:00Z'", ''),
      'its finalizers are gone': but(held, "status: 'True'", "status: 'False'"),
    },
  },
  {
    rule: 'namespace.discovery',
    broken: all(undiscovered, metricsService),
    names:
      /metrics\.k8s\.io\/v1beta1.*APIService v1beta1\.metrics\.k8s\.io says: service\/metrics-server in "kube-system" is not present\./,
    near: { 'all answer': all(but(undiscovered, "status: 'True'", "status: 'False'"), metricsService) },
  },
];

const gate = 'target-health.elbv2.k8s.aws/k8s-web';
const gated = (more: string, since = '07:50:00') =>
  pod({
    spec: `readinessGates: [{ conditionType: ${gate} }],`,
    status: `containerStatuses: [{ name: main, ready: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T07:10:00Z' } } }], conditions: [{ type: ContainersReady, status: 'True', lastTransitionTime: '2026-03-01T${since}Z' }, { type: Ready, status: 'False', reason: ReadinessGatesNotReady, message: 'corresponding condition of pod readiness gate "${gate}" does not exist.', lastTransitionTime: '2026-03-01T07:00:00Z' }${more}]`,
  });

const starting = (node: string, name = 'web-0') =>
  pod({
    name,
    phase: 'Pending',
    spec: 'volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }],',
    status:
      "containerStatuses: [{ name: main, ready: false, restartCount: 0, state: { waiting: { reason: ContainerCreating } } }], conditions: [{ type: PodScheduled, status: 'True', lastTransitionTime: '2026-03-01T07:00:00Z' }]",
  }).replace('nodeName: node-1', `nodeName: ${node}`);
const holder = starting('node-2', 'web-1').replace('phase: Pending', 'phase: Running');
const claim = object(
  'v1',
  'PersistentVolumeClaim',
  'data',
  'spec: { volumeName: disk-7 }\nstatus: { phase: Bound }',
);
const volume = (mode: string, more = '') =>
  object(
    'v1',
    'PersistentVolume',
    'disk-7',
    `spec: { accessModes: [${mode}], ${more} }\nstatus: { phase: Bound }`,
  );
const multi = warning(
  'Pod',
  'web-0',
  'FailedAttachVolume',
  'Multi-Attach error for volume "disk-7" Volume is already used by pod(s) web-1',
);
const waits = warning(
  'Pod',
  'web-0',
  'FailedMount',
  'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
);
const [once, many] = [volume('ReadWriteOnce'), volume('ReadWriteMany')];
const denied = warning(
  'Pod',
  'web-0',
  'FailedMount',
  'MountVolume.SetUp failed for volume "disk-7" : denied',
);

const pending = (reasons: string) =>
  starting('node-1')
    .replace('nodeName: node-1, ', '')
    .replace(
      "{ type: PodScheduled, status: 'True',",
      `{ type: PodScheduled, status: 'False', reason: Unschedulable, message: ${JSON.stringify(`0/3 nodes are available: ${reasons}. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.`)},`,
    );
const inZone = volume(
  'ReadWriteOnce',
  'nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: In, values: [b] }] }] } }',
);
const nodeIn = (zone: string) => object('v1', 'Node', 'node-9', 'spec: {}', `labels: { zone: ${zone} }`);
const elsewhere = "3 node(s) didn't match PersistentVolume's node affinity";
const full = "2 node(s) didn't match PersistentVolume's node affinity, 1 Insufficient cpu";

/** Cases of the rules about pods that wait for something outside of them: load balancers, volumes. */
export const waitingCases: readonly RuleCase[] = [
  {
    rule: 'pod.readiness-gate',
    broken: gated(''),
    names: /ready for 10m, .* target-health\.elbv2\.k8s\.aws\/k8s-web\. .* AWS Load Balancer Controller/,
    near: {
      'it has been ready for a minute': gated('', '07:59:00'),
      'its containers are not ready': but(
        gated(''),
        "ContainersReady, status: 'True'",
        "ContainersReady, status: 'False'",
      ),
      'it is being deleted': but(gated(''), 'labels', "deletionTimestamp: '2026-03-01T07:59:00Z', labels"),
    },
  },
  {
    rule: 'pod.readiness-gate',
    broken: gated(
      `, { type: ${gate}, status: 'False', reason: Target.FailedHealthChecks, message: Health checks failed }`,
    ),
    names: /is False, Health checks failed/,
    near: { 'its gate is passed': gated(`, { type: ${gate}, status: 'True' }`) },
  },
  {
    rule: 'pod.volume-attached',
    broken: all(starting('node-1'), claim, once, holder, multi),
    names: /claim data .* pod web-1 uses it on node node-2/,
    near: {
      'the other pod is on its node': all(
        starting('node-1'),
        claim,
        once,
        holder.replace('node-2', 'node-1'),
        waits,
      ),
      'many nodes can use it': all(starting('node-1'), claim, many, holder, waits),
      'it fails to be mounted for something else': all(starting('node-1'), claim, once, holder, denied),
      'the other pod has ended': all(
        starting('node-1'),
        claim,
        once,
        holder.replace('phase: Running', 'phase: Succeeded'),
        waits,
      ),
      'it has started since': all(
        holder.replace('node-2', 'node-1').replaceAll('web-1', 'web-0'),
        claim,
        once,
        multi,
      ),
    },
  },
  {
    rule: 'pod.volume-attached',
    broken: all(starting('node-1'), claim, once, multi),
    names: /still attached to another node/,
    near: { 'nothing tells of another node': all(starting('node-1'), claim, once, waits) },
  },
  {
    rule: 'pod.volume-node',
    broken: all(pending(elsewhere), claim, inZone, nodeIn('a')),
    names: /volume disk-7 of claim data .* zone=b/,
    near: {
      'the node there is full': all(pending(full), claim, inZone, nodeIn('b')),
      'all nodes are full': all(pending('3 Insufficient cpu'), claim, inZone, nodeIn('a')),
    },
  },
  {
    rule: 'pod.volume-node',
    broken: pending('3 node(s) had volume node affinity conflict'),
    names: /cannot use|can use the volumes of its claims/,
    besides: ['pod.claim-missing'],
    near: { 'its claim is not bound': pending('pod has unbound immediate PersistentVolumeClaims') },
  },
];
