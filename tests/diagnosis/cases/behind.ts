import { all, condition, crashed, log, object, pod, type RuleCase, waiting } from './rule-case.ts';

/** A pod of an account that ended with these last lines, beside other objects. */
const wrote = (line: string, ...others: readonly string[]): string =>
  all(pod({ spec: 'serviceAccountName: web,', status: crashed(1) }), log(line), ...others);

const refusedRight =
  'pods is forbidden: User "system:serviceaccount:shop:web" cannot list resource "pods" in API group "" in the namespace "shop"';
const role = (verbs: string): string =>
  object(
    'rbac.authorization.k8s.io/v1',
    'Role',
    'reader',
    `rules: [{ apiGroups: [''], resources: [pods], verbs: [${verbs}] }]`,
  );
const binding = (account: string, namespace: string): string =>
  object(
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    'readers',
    `roleRef: { kind: Role, name: reader }\nsubjects: [{ kind: ServiceAccount, name: ${account}, namespace: ${namespace} }]`,
  );

const service = (targetPort: string): string =>
  object(
    'v1',
    'Service',
    'db',
    `spec: { selector: { app: db }, ports: [{ name: sql, port: 5432, targetPort: ${targetPort} }, { name: metrics, port: 9187 }] }`,
  );
const database = pod({
  name: 'db-0',
  labels: 'app: db',
  container: 'ports: [{ name: sql, containerPort: 5432 }, { containerPort: 9187 }]',
});
const slice = object(
  'discovery.k8s.io/v1',
  'EndpointSlice',
  'db-1',
  'endpoints: [{ addresses: [10.1.0.4], conditions: { ready: true } }]',
  'labels: { kubernetes.io/service-name: db },',
);
const refused = 'dial tcp db:5432: connect: connection refused';

const sidecarred = (port: number): string =>
  all(
    pod({
      status: crashed(1),
      spec: 'initContainers: [{ name: proxy, restartPolicy: Always, ports: [{ containerPort: 8080 }] }],',
    }),
    log(`Error: listen EADDRINUSE: address already in use :::${port}`),
  );

const budget = (name: string, labels: string): string =>
  object(
    'policy/v1',
    'PodDisruptionBudget',
    name,
    `spec: { minAvailable: 1, selector: { matchLabels: { ${labels} } } }`,
  );
const running = pod({ labels: 'app: web, team: shop' });
const cordoned = object(
  'v1',
  'Node',
  'node-1',
  "spec: { unschedulable: true }\nstatus: { conditions: [{ type: Ready, status: 'True' }] }",
);
const reporting = (at: string): string =>
  object(
    'v1',
    'Node',
    'node-1',
    `spec: {}\nstatus: { conditions: [{ type: Ready, status: 'True', lastHeartbeatTime: '${at}' }] }`,
  );
const lease = object(
  'coordination.k8s.io/v1',
  'Lease',
  'node-1',
  "spec: { renewTime: '2026-03-01T07:59:55Z' }",
).replace('namespace: shop', 'namespace: kube-node-lease');
const netless = object(
  'v1',
  'Node',
  'node-1',
  `spec: {}\nstatus: { ${condition('Ready', 'False', 'KubeletNotReady', 'NetworkReady=false reason:NetworkPluginNotReady message: cni plugin not initialized')} }`,
);
const plugin = (status: string): string => pod({ name: 'calico-node-1', phase: 'Pending', status });
const unpulled = plugin(waiting('ImagePullBackOff', 'Back-off pulling image'));

const killed = pod({
  owner:
    'ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: uid-ReplicaSet-web, controller: true }],',
  container: 'resources: { limits: { memory: 256Mi } }',
  status: crashed(137, 'OOMKilled'),
});
const set = (resources: string): string =>
  object(
    'apps/v1',
    'ReplicaSet',
    'web',
    `spec: { template: { spec: { containers: [{ name: main, image: example/web:1, ${resources} }] } } }`,
  );
const range = object(
  'v1',
  'LimitRange',
  'defaults',
  'spec: { limits: [{ type: Container, default: { memory: 256Mi } }] }',
);

const paused = object(
  'keda.sh/v1alpha1',
  'ScaledObject',
  'db',
  'spec: { scaleTargetRef: { name: db } }',
  "annotations: { autoscaling.keda.sh/paused-replicas: '0' },",
);
const emptied = object(
  'apps/v1',
  'Deployment',
  'db',
  'spec: { replicas: 0, template: { metadata: { labels: { app: db } } } }',
);

/** Cases of what stands behind a failure: rights, ports, limits, budgets, and clocks and networks of nodes. */
export const behindCases: readonly RuleCase[] = [
  {
    rule: 'pod.log-forbidden',
    broken: wrote(refusedRight, role('list'), binding('web', 'staging')),
    names: /RoleBinding readers grants it to service account web of namespace staging, not to this one/,
    near: { 'it went well': wrote('listed 3 pods') },
  },
  {
    rule: 'pod.log-forbidden',
    broken: wrote(refusedRight, binding('web', 'shop')),
    names: /RoleBinding readers names Role reader, which does not exist in namespace shop/,
    near: { 'it went well': wrote('listed 3 pods') },
  },
  {
    rule: 'pod.log-forbidden',
    broken: wrote(refusedRight, role('get'), binding('web', 'shop')),
    names: /its Role reader grants only get/,
    near: { 'it went well': wrote('listed 3 pods') },
  },
  {
    rule: 'pod.log-refused',
    broken: wrote(refused, service('5433'), database, slice),
    names: /service db leads to targetPort 5433, and its pods listen on sql \(5432\), 9187/,
    near: { 'it is forbidden': wrote(refusedRight) },
  },
  {
    rule: 'service.port',
    broken: all(service('sqll'), database, slice),
    names: /leads to port sqll of its pods, which declare sql \(5432\), 9187/,
    near: { 'the name is right': all(service('sql'), database, slice) },
  },
  {
    rule: 'pod.log-port',
    broken: sidecarred(8080),
    names:
      /:::8080 on which it wants to listen is already in use in its pod, by container proxy, which has port 8080/,
    near: { 'it listens': all(pod({}), log('listening on 8080')) },
  },
  {
    rule: 'pod.out-of-memory',
    broken: all(killed, set(''), range),
    names: /its limit of 256Mi, which limit range defaults gives to containers without one/,
    near: { 'it ends with an error': pod({ status: crashed(1) }) },
  },
  {
    rule: 'service.scaled-to-zero',
    broken: wrote(refused, service('5432'), emptied, paused),
    names: /ScaledObject db is paused and keeps Deployment db at 0, so no pods are behind service db/,
    near: { 'it has pods': wrote(refused, service('5432'), database, slice) },
  },
  {
    rule: 'budget.overlap',
    broken: all(budget('a', 'app: web'), budget('b', 'team: shop'), running),
    names: /Budgets a and b both select pod web-0/,
    near: { 'they are for other pods': all(budget('a', 'app: web'), budget('b', 'team: pay'), running) },
  },
  {
    rule: 'node.budgets-overlap',
    broken: all(cordoned, budget('a', 'app: web'), budget('b', 'team: shop'), running),
    names: /Pod shop\/web-0 cannot be evicted from node node-1: more than one budget selects it, a and b/,
    besides: ['node.cordoned'],
    near: { 'it has one': all(cordoned, budget('a', 'app: web'), running) },
  },
  {
    rule: 'node.clock',
    broken: reporting('2026-03-01T05:00:00Z'),
    names: /The clock of node node-1 is about 3h behind/,
    near: {
      'it reported just now': reporting('2026-03-01T07:57:00Z'),
      'its lease is fresh': all(reporting('2026-03-01T05:00:00Z'), lease),
    },
  },
  {
    rule: 'node.network-plugin',
    broken: all(netless, unpulled),
    names: /Node node-1 is not ready, because pod calico-node-1 of its network plugin does not run/,
    near: { 'its plugin runs': all(netless, pod({ name: 'calico-node-1' })) },
  },
];
