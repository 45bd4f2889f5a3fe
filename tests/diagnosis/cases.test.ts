import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kindOfObject } from '../../commands/kinds/index.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { refKey } from '../../src/registry/refs.ts';
import { diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { nameOf, type World } from '../../src/server/diagnosis/world.ts';

const now = Date.parse('2026-03-01T08:00:00Z') / 1000;

/** A world of these objects alone. */
function worldOfObjects(objects: readonly KubeObject[]): World {
  const byKey = new Map(objects.map((object) => [refKey(nameOf(object)), object]));
  return {
    now,
    one: (named) => byKey.get(refKey(named)) ?? null,
    all: ({ kind, namespace }) =>
      objects.filter(
        (one) => one.kind === kind && (namespace === undefined || one.metadata?.namespace === namespace),
      ),
    kindOf: ({ apiVersion, kind }) => kindOfObject(apiVersion, kind),
  };
}

/** The rules that speak of the first object of a text, by what they say of it. */
function saidOf(manifests: string): readonly string[] {
  const objects = parseAllDocuments(manifests).map((document) => document.toJS() as KubeObject);
  const [root] = objects;
  if (root === undefined) throw new Error('There is no object.');
  return diagnose(root, worldOfObjects(objects), ruleBook).map(({ rule, evidence, sentence }) => {
    expect(evidence).not.toEqual([]);
    expect(sentence).toMatch(/^[A-Z“].*\S$/s);
    return rule;
  });
}

const gateway = 'apiVersion: gateway.networking.k8s.io/v1';
const operators = 'apiVersion: operators.coreos.com/v1alpha1';
const condition = (type: string, status: string) =>
  `conditions: [{ type: ${type}, status: '${status}', message: why }]`;
/** A pod whose container waits for its image. */
const waiting = (message: string, spec = '') => `
apiVersion: v1
kind: Pod
metadata: { name: a, namespace: n, uid: u }
spec: { ${spec} containers: [{ name: main, image: example/a:1 }] }
status: { phase: Pending, startTime: '2026-03-01T07:00:00Z', containerStatuses: [{ name: main, state: { waiting: { reason: ImagePullBackOff, message: '${message}' } } }] }
`;

/** One object in trouble for each rule that the playground cannot break, and the same object when it is well. */
const cases: readonly (readonly [rule: string, broken: string, well: string])[] = [
  [
    'pod.image-denied',
    waiting('pull access denied, repository does not exist or may require authorization'),
    '',
  ],
  ['pod.image-denied', waiting('401 Unauthorized', 'imagePullSecrets: [{ name: gone }],'), ''],
  ['pod.registry-unreachable', waiting('dial tcp: lookup registry.example.org: no such host'), ''],
  ['pod.image-missing', waiting('manifest unknown'), ''],
  [
    'claim.lost',
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a, namespace: n }\nspec: { volumeName: v }\nstatus: { phase: Lost }',
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a, namespace: n }\nspec: {}\nstatus: { phase: Bound }',
  ],
  [
    'claim.no-default-class',
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a, namespace: n }\nspec: {}\nstatus: { phase: Pending }',
    '',
  ],
  [
    'volume.released',
    'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: a }\nstatus: { phase: Released }',
    'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: a }\nstatus: { phase: Available }',
  ],
  [
    'volume.failed',
    'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: a }\nstatus: { phase: Failed, message: no plugin }',
    '',
  ],
  [
    'node.memory-pressure',
    "apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { conditions: [{ type: Ready, status: 'True' }, { type: MemoryPressure, status: 'True' }] }",
    "apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { conditions: [{ type: Ready, status: 'True' }, { type: MemoryPressure, status: 'False' }] }",
  ],
  [
    'cronjob.schedule',
    "apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a, namespace: n, creationTimestamp: '2026-03-01T07:00:00Z' }\nspec: { schedule: every day }",
    "apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a, namespace: n, creationTimestamp: '2026-03-01T07:00:00Z' }\nspec: { schedule: '0 4 * * *' }",
  ],
  [
    'cronjob.deadline',
    "apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a, namespace: n, creationTimestamp: '2026-03-01T07:00:00Z' }\nspec: { schedule: '* * * * *', startingDeadlineSeconds: 5 }",
    '',
  ],
  [
    'configmap.empty',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: n, labels: { a: b } }',
    '',
  ],
  [
    'role.wildcard',
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: a, namespace: n }\nrules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]",
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: a, namespace: n }\nrules: [{ verbs: [get], apiGroups: ['*'], resources: ['*'] }]",
  ],
  [
    'networkpolicy.allows-all',
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: a, namespace: n }\nspec: { podSelector: {}, ingress: [{}] }',
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: a, namespace: n }\nspec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] }',
  ],
  [
    'networkpolicy.no-pods',
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: a, namespace: n }\nspec: { podSelector: { matchLabels: { a: b } } }',
    '',
  ],
  [
    'gateway.class-missing',
    `${gateway}\nkind: Gateway\nmetadata: { name: a, namespace: n }\nspec: { gatewayClassName: c }`,
    '',
  ],
  [
    'gateway.refused',
    `${gateway}\nkind: Gateway\nmetadata: { name: a, namespace: n }\nstatus: { ${condition('Accepted', 'False')} }`,
    '',
  ],
  [
    'gatewayclass.refused',
    `${gateway}\nkind: GatewayClass\nmetadata: { name: a }\nstatus: { ${condition('Accepted', 'False')} }`,
    `${gateway}\nkind: GatewayClass\nmetadata: { name: a }\nstatus: { ${condition('Accepted', 'True')} }`,
  ],
  [
    'route.gateway-missing',
    `${gateway}\nkind: HTTPRoute\nmetadata: { name: a, namespace: n }\nspec: { parentRefs: [{ name: g }] }`,
    '',
  ],
  [
    'route.service-missing',
    `${gateway}\nkind: HTTPRoute\nmetadata: { name: a, namespace: n }\nspec: { rules: [{ backendRefs: [{ name: s, port: 80 }] }] }`,
    '',
  ],
  [
    'route.not-granted',
    `${gateway}\nkind: HTTPRoute\nmetadata: { name: a, namespace: n }\nspec: { rules: [{ backendRefs: [{ name: s, namespace: m }] }] }\n---\napiVersion: v1\nkind: Service\nmetadata: { name: s, namespace: m }`,
    `${gateway}\nkind: HTTPRoute\nmetadata: { name: a, namespace: n }\nspec: { rules: [{ backendRefs: [{ name: s, namespace: m }] }] }\n---\napiVersion: v1\nkind: Service\nmetadata: { name: s, namespace: m }\n---\napiVersion: gateway.networking.k8s.io/v1beta1\nkind: ReferenceGrant\nmetadata: { name: g, namespace: m }\nspec: { from: [{ kind: HTTPRoute, namespace: n }], to: [{ kind: Service }] }`,
  ],
  [
    'hpa.target-kind',
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: a, namespace: n }\nspec: { scaleTargetRef: { apiVersion: apps/v1, kind: DaemonSet, name: d } }\n---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: d, namespace: n }',
    '',
  ],
  [
    'hpa.two-scalers',
    ['a', 'b']
      .map(
        (name) =>
          `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: ${name}, namespace: n }\nspec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: d } }`,
      )
      .join('\n---\n')
      .concat('\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d, namespace: n }'),
    '',
  ],
  [
    'scaledobject.target-missing',
    'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: a, namespace: n }\nspec: { scaleTargetRef: { name: d } }',
    '',
  ],
  [
    'catalogsource.unreachable',
    `${operators}\nkind: CatalogSource\nmetadata: { name: a, namespace: n }\nstatus: { connectionState: { lastObservedState: CONNECTING } }`,
    `${operators}\nkind: CatalogSource\nmetadata: { name: a, namespace: n }\nstatus: { connectionState: { lastObservedState: READY } }`,
  ],
  [
    'subscription.catalog',
    `${operators}\nkind: Subscription\nmetadata: { name: a, namespace: n }\nstatus: { ${condition('CatalogSourcesUnhealthy', 'True')} }`,
    `${operators}\nkind: Subscription\nmetadata: { name: a, namespace: n }\nstatus: { ${condition('CatalogSourcesUnhealthy', 'False')} }`,
  ],
  [
    'subscription.unresolved',
    `${operators}\nkind: Subscription\nmetadata: { name: a, namespace: n }\nstatus: { ${condition('ResolutionFailed', 'True')} }`,
    '',
  ],
  [
    'installplan.failed',
    `${operators}\nkind: InstallPlan\nmetadata: { name: a, namespace: n }\nstatus: { phase: Failed }`,
    `${operators}\nkind: InstallPlan\nmetadata: { name: a, namespace: n }\nstatus: { phase: Complete }`,
  ],
  [
    'installplan.failed',
    `${operators}\nkind: InstallPlan\nmetadata: { name: a, namespace: n }\nspec: { approved: false }\nstatus: { phase: RequiresApproval }`,
    '',
  ],
  [
    'clusterserviceversion.failed',
    `${operators}\nkind: ClusterServiceVersion\nmetadata: { name: a, namespace: n }\nstatus: { phase: Failed, message: why }`,
    `${operators}\nkind: ClusterServiceVersion\nmetadata: { name: a, namespace: n }\nstatus: { phase: Succeeded }`,
  ],
  [
    'operatorgroup.several',
    ['a', 'b']
      .map(
        (name) =>
          `apiVersion: operators.coreos.com/v1\nkind: OperatorGroup\nmetadata: { name: ${name}, namespace: n }`,
      )
      .join('\n---\n'),
    'apiVersion: operators.coreos.com/v1\nkind: OperatorGroup\nmetadata: { name: a, namespace: n }',
  ],
  [
    'clusterextension.failed',
    `apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: { name: a }\nstatus: { ${condition('Installed', 'False')} }`,
    '',
  ],
  [
    'clustercatalog.unavailable',
    `apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: { name: a }\nstatus: { ${condition('Serving', 'False')} }`,
    '',
  ],
];

describe('each rule speaks of what is broken, and is silent about what is well', () => {
  test.each(cases)('%s', (rule, broken, well) => {
    expect(saidOf(broken)).toEqual([rule]);
    if (well !== '') expect(saidOf(well)).toEqual([]);
  });
});
