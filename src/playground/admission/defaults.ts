import { isOmitted } from '../registry/pointers.ts';
import type { Schemas, Shape } from '../registry/schema.ts';
import { isRec, type Rec, rec, recs, str } from '../kit/values.ts';
import { podAmounts } from './pod-resources.ts';

type Default = (value: Rec, root: Rec) => void;

const fill = (value: Rec, fields: Rec): void => {
  for (const key in fields) if (value[key] === undefined) value[key] = structuredClone(fields[key]);
};
const filled =
  (fields: Rec): Default =>
  (value) =>
    fill(value, fields);

/** The default pull policy of an image, derived from its tag. */
function pullPolicy(image: unknown): string {
  const name = str(image);
  if (name.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(name)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const container: Default = (value, root) => {
  fill(value, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(value['image']),
  });
  // Limits of a pod default its requests; templates are stored as sent.
  const resources = rec(value['resources']);
  const limits = rec(resources['limits']);
  if (root['kind'] === 'Pod' && Object.keys(limits).length > 0) {
    resources['requests'] = { ...limits, ...rec(resources['requests']) };
  }
};

const requestsOf = (container: Rec): Rec => {
  const { limits, requests } = rec(container['resources']);
  return { ...container, resources: { requests: { ...rec(limits), ...rec(requests) } } };
};

/**
 * Sets missing pod-level requests: cpu and memory to the sum over the containers where they request any, all else
 * to the pod-level limits.
 */
function podLevel(spec: Rec): void {
  const resources = rec(spec['resources']);
  const limits = rec(resources['limits']);
  if (Object.keys(limits).length === 0) return;
  const together = podAmounts(
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {},
      spec: {
        containers: recs(spec['containers']).map(requestsOf),
        initContainers: recs(spec['initContainers']).map(requestsOf),
      },
    },
    'requests',
  );
  const shared = Object.entries(together).filter(([name]) => name === 'cpu' || name === 'memory');
  resources['requests'] = { ...limits, ...Object.fromEntries(shared), ...rec(resources['requests']) };
}

const selectors = { namespaceSelector: {}, objectSelector: {} };
const webhook = { failurePolicy: 'Fail', matchPolicy: 'Equivalent', ...selectors, timeoutSeconds: 10 };

/** Default scaling rules of an autoscaler's `behavior`. */
const scalingUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const scalingDown = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

/** Defaults a limit range's `default` and `defaultRequest` from its other amounts. */
const limitRange: Default = (value) => {
  if (value['type'] !== 'Container') return;
  const limits = { ...rec(value['max']), ...rec(value['default']) };
  const requests = { ...rec(value['min']), ...limits, ...rec(value['defaultRequest']) };
  if (Object.keys(limits).length > 0) value['default'] = limits;
  if (Object.keys(requests).length > 0) value['defaultRequest'] = requests;
};

const core = 'io.k8s.api.core.v1.';
const apps = 'io.k8s.api.apps.v1.';
const batch = 'io.k8s.api.batch.v1.';
const claim = filled({ volumeMode: 'Filesystem' });

/**
 * Defaults that the server's Go code sets and its schemas do not publish, by schema. They apply wherever the
 * schema occurs: to a PodSpec inside a CronJob as to one in a Pod.
 */
const bySchema: Readonly<Record<string, Default>> = {
  [`${core}PodSpec`]: (value, root) => {
    fill(value, {
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
    });
    const account = value['serviceAccountName'] ?? value['serviceAccount'];
    if (account !== undefined) fill(value, { serviceAccountName: account, serviceAccount: account });
    if (root['kind'] === 'Pod') {
      fill(value, { enableServiceLinks: true });
      podLevel(value);
    }
    if (value['hostNetwork'] === true && root['kind'] === 'Pod') {
      for (const item of [...recs(value['containers']), ...recs(value['initContainers'])]) {
        for (const port of recs(item['ports'])) fill(port, { hostPort: port['containerPort'] });
      }
    }
  },
  [`${core}Container`]: container,
  [`${core}EphemeralContainer`]: container,
  [`${core}ImageVolumeSource`]: (value) => fill(value, { pullPolicy: pullPolicy(value['reference']) }),
  [`${core}Probe`]: filled({
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  }),
  [`${core}HTTPGetAction`]: filled({ path: '/', scheme: 'HTTP' }),
  [`${core}GRPCAction`]: filled({ service: '' }),
  [`${core}ObjectFieldSelector`]: filled({ apiVersion: 'v1' }),
  [`${core}SecretVolumeSource`]: filled({ defaultMode: 420 }),
  [`${core}ConfigMapVolumeSource`]: filled({ defaultMode: 420 }),
  [`${core}DownwardAPIVolumeSource`]: filled({ defaultMode: 420 }),
  [`${core}ProjectedVolumeSource`]: filled({ defaultMode: 420 }),
  [`${core}ServiceAccountTokenProjection`]: filled({ expirationSeconds: 3600 }),
  [`${core}HostPathVolumeSource`]: filled({ type: '' }),
  [`${core}PersistentVolumeClaimSpec`]: claim,
  [`${core}PersistentVolumeSpec`]: filled({
    persistentVolumeReclaimPolicy: 'Retain',
    volumeMode: 'Filesystem',
  }),
  [`${core}ServiceSpec`]: (value) => {
    fill(value, { type: 'ClusterIP', sessionAffinity: 'None' });
    if (value['sessionAffinity'] === 'ClientIP') {
      fill(value, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } });
    }
    const type = value['type'];
    if (type !== 'ExternalName') fill(value, { internalTrafficPolicy: 'Cluster' });
    const outside = Array.isArray(value['externalIPs']) && value['externalIPs'].length > 0;
    if (type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && outside)) {
      fill(value, { externalTrafficPolicy: 'Cluster' });
    }
    if (type === 'LoadBalancer') fill(value, { allocateLoadBalancerNodePorts: true });
    for (const port of recs(value['ports'])) fill(port, { protocol: 'TCP', targetPort: port['port'] });
  },
  [`${core}EndpointPort`]: filled({ protocol: 'TCP' }),
  [`${core}Secret`]: (value) => {
    fill(value, { type: 'Opaque' });
    const encoded = Object.entries(rec(value['stringData'])).map(([key, text]) => [
      key,
      Buffer.from(str(text)).toString('base64'),
    ]);
    delete value['stringData'];
    if (encoded.length > 0) value['data'] = { ...rec(value['data']), ...Object.fromEntries(encoded) };
  },
  [`${core}Namespace`]: (value) => {
    const metadata = rec(value['metadata']);
    metadata['labels'] = { ...rec(metadata['labels']), 'kubernetes.io/metadata.name': metadata['name'] };
  },
  [`${apps}DeploymentSpec`]: (value) => {
    fill(value, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    const strategy = rec(value['strategy']);
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] === 'RollingUpdate') {
      fill(strategy, { rollingUpdate: {} });
      fill(rec(strategy['rollingUpdate']), { maxUnavailable: '25%', maxSurge: '25%' });
    }
    value['strategy'] = strategy;
  },
  [`${apps}ReplicaSetSpec`]: filled({ replicas: 1 }),
  [`${core}ReplicationController`]: (value) => {
    const spec = rec(value['spec']);
    fill(spec, { replicas: 1 });
    const labels = rec(rec(rec(spec['template'])['metadata'])['labels']);
    if (Object.keys(labels).length === 0) return;
    fill(spec, { selector: labels });
    fill(rec(value['metadata']), { labels });
  },
  [`${core}LimitRangeItem`]: limitRange,
  [`${core}NodeSpec`]: (value) => {
    // `podCIDR` and the first of `podCIDRs` hold the same range.
    if (str(value['podCIDR']) !== '') fill(value, { podCIDRs: [value['podCIDR']] });
    const [range] = (value['podCIDRs'] ?? []) as unknown[];
    if (range !== undefined) fill(value, { podCIDR: range });
  },
  [`${core}NodeStatus`]: (value) => {
    if (value['capacity'] !== undefined) fill(value, { allocatable: value['capacity'] });
  },
  [`${apps}StatefulSetSpec`]: (value) => {
    fill(value, {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: {},
    });
    fill(rec(value['persistentVolumeClaimRetentionPolicy']), { whenDeleted: 'Retain', whenScaled: 'Retain' });
    const strategy = rec(value['updateStrategy']);
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] === 'RollingUpdate') {
      fill(strategy, { rollingUpdate: {} });
      fill(rec(strategy['rollingUpdate']), { partition: 0 });
    }
    value['updateStrategy'] = strategy;
    for (const template of recs(value['volumeClaimTemplates'])) {
      fill(template, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
      template['status'] = { phase: 'Pending' };
    }
  },
  [`${apps}DaemonSetSpec`]: (value) => {
    fill(value, { revisionHistoryLimit: 10 });
    const strategy = rec(value['updateStrategy']);
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] === 'RollingUpdate') {
      fill(strategy, { rollingUpdate: {} });
      fill(rec(strategy['rollingUpdate']), { maxUnavailable: 1, maxSurge: 0 });
    }
    value['updateStrategy'] = strategy;
  },
  [`${batch}Job`]: (value) => {
    const spec = rec(value['spec']);
    const labels = rec(rec(rec(spec['template'])['metadata'])['labels']);
    if (Object.keys(labels).length > 0) fill(rec(value['metadata']), { labels });
    if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
    fill(spec, {
      parallelism: 1,
      backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2_147_483_647,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    });
  },
  [`${batch}PodFailurePolicyOnPodConditionsPattern`]: (value) => {
    if (str(value['status']) === '') value['status'] = 'True';
  },
  [`${batch}CronJobSpec`]: filled({
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  }),
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec': filled({
    minReplicas: 1,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
      },
    ],
  }),
  'io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec': filled({ minReplicas: 1 }),
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior': (value) => {
    fill(value, { scaleUp: {}, scaleDown: {} });
    fill(rec(value['scaleUp']), scalingUp);
    fill(rec(value['scaleDown']), scalingDown);
  },
  'io.k8s.api.networking.v1.IngressClassParametersReference': filled({ scope: 'Cluster' }),
  'io.k8s.api.admissionregistration.v1.ValidatingWebhook': filled(webhook),
  'io.k8s.api.admissionregistration.v1.MutatingWebhook': filled({ ...webhook, reinvocationPolicy: 'Never' }),
  'io.k8s.api.admissionregistration.v1.RuleWithOperations': filled({ scope: '*' }),
  'io.k8s.api.admissionregistration.v1.NamedRuleWithOperations': filled({ scope: '*' }),
  'io.k8s.api.admissionregistration.v1.ServiceReference': filled({ port: 443 }),
  'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicySpec': filled({ failurePolicy: 'Fail' }),
  'io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicySpec': filled({ failurePolicy: 'Fail' }),
  'io.k8s.api.admissionregistration.v1.MatchResources': filled({ matchPolicy: 'Equivalent', ...selectors }),
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference': filled({ port: 443 }),
  'io.k8s.api.flowcontrol.v1.FlowSchemaSpec': (value) => {
    // Decoding turns an absent value into 0.
    value['matchingPrecedence'] ||= 1000;
  },
  'io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration': filled({
    nominalConcurrencyShares: 30,
    lendablePercent: 0,
  }),
  'io.k8s.api.flowcontrol.v1.QueuingConfiguration': filled({ handSize: 8, queues: 64, queueLengthLimit: 50 }),
  'io.k8s.api.resource.v1.ExactDeviceRequest': (value) => {
    fill(value, { allocationMode: 'ExactCount' });
    if (value['allocationMode'] === 'ExactCount') fill(value, { count: 1 });
  },
  'io.k8s.api.networking.v1.NetworkPolicySpec': (value) => {
    fill(value, { policyTypes: recs(value['egress']).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'] });
  },
  'io.k8s.api.networking.v1.NetworkPolicyPort': filled({ protocol: 'TCP' }),
  'io.k8s.api.storage.v1.StorageClass': filled({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'io.k8s.api.storage.v1.CSIDriverSpec': filled({
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  }),
  'io.k8s.api.scheduling.v1.PriorityClass': filled({ preemptionPolicy: 'PreemptLowerPriority' }),
  'io.k8s.api.rbac.v1.RoleRef': (value) => {
    value['apiGroup'] ||= 'rbac.authorization.k8s.io';
  },
  'io.k8s.api.rbac.v1.Subject': (value) => {
    const kind = value['kind'];
    if (kind === 'User' || kind === 'Group') fill(value, { apiGroup: 'rbac.authorization.k8s.io' });
  },
  'io.k8s.api.discovery.v1.EndpointPort': filled({ name: '', protocol: 'TCP' }),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec': (value) => {
    fill(value, { conversion: { strategy: 'None' } });
    const names = rec(value['names']);
    const kind = str(names['kind']);
    fill(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  },
};

/**
 * Sets defaults in place: those of the schemas ("TCP" for a protocol) and those of the server's code. `value` is
 * decoded already.
 */
export function applyDefaults(schemas: Schemas, shape: Shape, value: Rec): void {
  walk(schemas, shape, value, value);
}

function walk(schemas: Schemas, shape: Shape, value: unknown, root: Rec): void {
  if (shape.kind === 'struct' && isRec(value)) {
    const properties = shape.schema.properties ?? {};
    for (const key in properties) {
      const property = properties[key];
      if (property?.default === undefined || value[key] !== undefined || isOmitted(shape.name, key)) continue;
      value[key] = structuredClone(property.default);
    }
    // The struct's own rule comes first: it may add structs with rules of their own.
    bySchema[shape.name]?.(value, root);
    for (const key in value) {
      const property = properties[key];
      if (property !== undefined) walk(schemas, schemas.shape(property), value[key], root);
    }
    return;
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    const item = schemas.item(shape);
    if (item !== undefined && (item.kind === 'struct' || item.kind === 'list' || item.kind === 'map')) {
      for (const entry of value) walk(schemas, item, entry, root);
    }
    return;
  }
  if (shape.kind === 'map' && isRec(value)) {
    const item = schemas.field(shape, '');
    if (item?.kind === 'struct') for (const key in value) walk(schemas, item, value[key], root);
  }
}
