import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { customKind } from '../../../commands/kinds/custom.ts';
import { kindById, kinds } from '../../../commands/kinds/index.ts';
import { type Permission, permissions } from '../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { AnyKind, Kind } from '../../../src/registry/kinds/kind.ts';
import {
  dashboardKinds,
  type DashboardSource,
  readDashboard,
} from '../../../src/server/live/dashboard/compose.ts';
import {
  chooseKinds,
  maxCustomKinds,
  maxCustomObjects,
} from '../../../src/server/live/definitions/custom-kinds.ts';
import type { KindCount } from '../../../src/server/live/definitions/kind-census.ts';
import { chronicAfter } from '../../../src/server/live/dashboard/trouble-memory.ts';
import { createProjector, type Entry } from '../../../src/server/live/source/projector.ts';
import { heldOf } from '../held.ts';
import { aroundOf, sampleOf } from '../../kinds/samples.ts';

const silent = pino({ level: 'silent' });
const everything: ReadonlySet<Permission> = new Set(permissions);
const now = Date.parse('2026-06-01T00:00:00Z') / 1000;

/** A kind of a group, whose objects have a status. */
const customOf = (group: string, kind: string): AnyKind => {
  const plural = `${kind.toLowerCase()}s`;
  const versions = [{ name: 'v1', served: true, storage: true, subresources: { status: {} } }];
  const made = customKind({ spec: { group, names: { kind, plural }, scope: 'Namespaced', versions } });
  if (made === undefined) throw new Error(kind);
  return made;
};
const certificates = customOf('cert-manager.io', 'Certificate');
const requests = customOf('cert-manager.io', 'CertificateRequest');
const customKinds = [certificates, requests];

/** A dashboard's source of these objects, by kind id; a kind that is not named is not read. */
function sourceOf(
  objects: Readonly<Record<string, readonly KubeObject[]>>,
  unwatched: readonly AnyKind[] = [],
): DashboardSource {
  const entries = new Map<AnyKind, Entry[]>();
  for (const [id, items] of Object.entries(objects)) {
    const kind = kindById(id) ?? customKinds.find((one) => one.id === id);
    if (kind === undefined) throw new Error(id);
    const project = createProjector(kind, silent);
    entries.set(
      kind,
      items.flatMap((item) => project(item, undefined) ?? []),
    );
  }
  return {
    kinds: [...dashboardKinds(kinds), ...customKinds],
    unwatched,
    // As a feed gives them: to be gone through once.
    entries: (kind) => entries.get(kind)?.values(),
    withExcluded: (kind) => entries.get(kind)?.values(),
    find: (kind, uid) => entries.get(kind)?.find((entry) => entry.uid === uid),
    usage: () => undefined,
    usageState: { status: 'absent', at: null, message: 'There are no metrics.' },
  };
}

const dashboardOf = (
  objects: Parameters<typeof sourceOf>[0],
  held: ReadonlySet<Permission> = everything,
  at = now,
) => readDashboard(sourceOf(objects))(heldOf(held), at);

const owned = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: `uid-${name}`, controller: true }],
});
const workload = () => ({
  deployment: [
    {
      metadata: { name: 'api', namespace: 'shop', uid: 'uid-api', generation: 1 },
      spec: { replicas: 3 },
      status: {
        observedGeneration: 1,
        replicas: 3,
        updatedReplicas: 3,
        availableReplicas: 0,
        conditions: [{ type: 'Available', status: 'False', message: 'none' }],
      },
    } as KubeObject,
  ],
  replicaset: [
    { metadata: { name: 'api-1', namespace: 'shop', uid: 'uid-api-1', ...owned('Deployment', 'api') } },
  ],
  pod: [1, 2, 3].map(
    (number) =>
      ({
        metadata: {
          name: `api-1-${number}`,
          namespace: 'shop',
          uid: `uid-pod-${number}`,
          ...owned('ReplicaSet', 'api-1'),
        },
        spec: { nodeName: 'n1', containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }] },
        status: {
          phase: 'Running',
          containerStatuses: [
            {
              name: 'app',
              restartCount: number,
              state: { waiting: { reason: 'CrashLoopBackOff' } },
              lastState: { terminated: { exitCode: 1, finishedAt: `2026-05-3${number % 2}T00:00:00Z` } },
            },
          ],
        },
      }) as KubeObject,
  ),
});

test('a Service whose deletion a finalizer holds needs attention, and is no workload', () => {
  const metadata = {
    name: 'api',
    namespace: 'shop',
    uid: 'uid-api',
    deletionTimestamp: '2026-05-31T23:00:00Z',
    finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
  };
  const { dashboard } = dashboardOf({ service: [{ metadata }] });
  expect(dashboard.attention).toMatchObject([
    { rule: 'object.deletion-held', on: { kind: 'service', namespace: 'shop', name: 'api' } },
  ]);
  expect(dashboard.workloads).toEqual({});
});

describe('objects that need attention', () => {
  const cases = kinds.flatMap((kind) =>
    // What only an object's own page can know is told there.
    [...(kind.attention === undefined ? [] : sampleOf(kind).troubled)].flatMap(([rule, object]) =>
      aroundOf(object) === undefined ? [[rule, kind] as const] : [],
    ),
  );
  test.each(cases)('%s is one line with what helps', (rule, kind) => {
    const object = sampleOf(kind).troubled.get(rule);
    if (object === undefined) throw new Error(`The sample of ${kind.id} has none of ${rule}.`);
    const { dashboard } = dashboardOf({ [kind.id]: [object] });
    expect(dashboard.attention.map((line) => line.rule)).toEqual([rule]);
    const [line] = dashboard.attention;
    expect(line).toMatchObject({ count: 1, on: { kind: kind.id, name: object.metadata?.name } });
    if (line?.action !== null) {
      expect(kind.actions.map(({ id }) => id)).toContain(line?.action.id);
      expect(line?.action.refs).toEqual(line?.objects);
    }
  });

  test('healthy objects of every kind need none', () => {
    const samples = kinds.map((kind) => [kind.id, [sampleOf(kind).healthy]] as const);
    expect(dashboardOf(Object.fromEntries(samples)).dashboard.attention).toEqual([]);
  });

  test('pods of one workload are one line, at the workload, with its action; what the workload says is folded in', () => {
    const { dashboard } = dashboardOf(workload());
    expect(dashboard.attention).toHaveLength(1);
    expect(dashboard.attention[0]).toMatchObject({
      rule: 'pod.crash-loop',
      tone: 'bad',
      count: 3,
      on: { kind: 'deployment', namespace: 'shop', name: 'api' },
      action: { id: 'deployment.rollback', refs: [{ kind: 'deployment', namespace: 'shop', name: 'api' }] },
    });
    expect(dashboard.attention[0]?.objects.map(({ name }) => name)).toHaveLength(3);
  });

  test('an object with several troubles has one line, of its worst, with the titles of the others', () => {
    const { pod: pods, ...others } = workload();
    const [crashing, other] = pods;
    const unready = sampleOf(kindById('pod') as Kind).troubled.get('pod.unready');
    const { dashboard } = dashboardOf({
      ...others,
      pod: [crashing ?? {}, { ...unready, metadata: { ...other?.metadata, name: 'api-unready' } }],
    });
    expect(dashboard.attention).toMatchObject([
      {
        key: 'deployment shop api',
        rule: 'pod.crash-loop',
        count: 1,
        also: [expect.stringMatching(/runs but is not ready\.$/)],
      },
    ]);
    expect(dashboard.attentionTotal).toBe(1);
  });

  test('a failed job shows why its pods failed, and is told as a job that failed', () => {
    const job = sampleOf(kindById('job') as Kind).troubled.get('job.failed');
    const pod = sampleOf(kindById('pod') as Kind).troubled.get('pod.failed');
    const [name, namespace] = ['once', 'shop'];
    const own = { ...job, metadata: { name, namespace, uid: 'uid-once' } };
    const ownerReferences = [
      { apiVersion: 'batch/v1', kind: 'Job', name, uid: own.metadata.uid, controller: true },
    ];
    const metadata = { ...pod?.metadata, namespace, ownerReferences };
    const { dashboard, badLines } = dashboardOf({ job: [own], pod: [{ ...pod, metadata }] });
    const on = { kind: 'job', namespace, name };
    expect(dashboard.attention).toMatchObject([{ rule: 'pod.failed', on }]);
    expect(badLines).toMatchObject([
      { rule: 'job.failed', on, title: expect.stringContaining('The job failed') },
    ]);
  });

  test('trouble that may pass is shown after half a minute, a final failure at once', () => {
    const since = '2026-01-01T00:00:00Z';
    const start = Date.parse(since) / 1000;
    const waiting = (reason: string): KubeObject & { status: unknown } => ({
      metadata: { name: 'web', namespace: 'shop', uid: 'web', creationTimestamp: since },
      status: {
        phase: 'Pending',
        startTime: since,
        containerStatuses: [{ name: 'web', state: { waiting: { reason } } }],
      },
    });
    const linesAt = (reason: string, seconds: number) =>
      dashboardOf({ pod: [waiting(reason)] }, everything, start + seconds);
    const early = linesAt('ErrImagePull', 29);
    expect([early.dashboard.attention, early.changesAt]).toEqual([[], start + 30]);
    expect(linesAt('ErrImagePull', 30).dashboard.attention).toHaveLength(1);
    expect(linesAt('ImagePullBackOff', 0).dashboard.attention).toHaveLength(1);
  });

  test('a remedy says why it is disabled, as far as its object tells', () => {
    const { deployment, ...others } = workload();
    const [api] = deployment;
    const at = (revision: string) => ({
      ...api,
      metadata: { ...api?.metadata, annotations: { 'deployment.kubernetes.io/revision': revision } },
    });
    const actionAt = (revision: string, pods: object = others) =>
      dashboardOf({ ...pods, deployment: [at(revision)] }).dashboard.attention[0]?.action;
    const refs = [{ kind: 'deployment', namespace: 'shop', name: 'api' }];
    const reason = 'There is no earlier revision to roll back to.';
    expect(actionAt('1')).toEqual({ id: 'deployment.rollback', refs, reason });
    expect(actionAt('2')).toEqual({ id: 'deployment.rollback', refs });
    expect(actionAt('1', {})?.reason).toBeUndefined();
  });

  test('people who may not view Deployments see the pods under their direct owner', () => {
    const held = new Set<Permission>(['pods.view']);
    const { dashboard } = dashboardOf(workload(), held);
    expect(dashboard.attention).toMatchObject([
      { on: { kind: 'replicaset', namespace: 'shop', name: 'api-1' }, count: 3, action: null },
    ]);
    expect(dashboard.workloads).toEqual({ pod: expect.objectContaining({ total: 3, bad: 3 }) });
    expect([dashboard.capacity, dashboard.nodes, dashboard.events]).toEqual([null, null, null]);
  });

  test('the action that helps is named only to those who may do it', () => {
    const held = new Set<Permission>(['pods.view', 'deployments.view']);
    expect(dashboardOf(workload(), held).dashboard.attention[0]?.action).toBeNull();
  });

  test('trouble that is not yet due waits for its time, and says when that is', () => {
    const object = sampleOf(kindById('namespace') as Kind).troubled.get('namespace.stuck');
    const deleted = Date.parse(object?.metadata?.deletionTimestamp ?? '') / 1000;
    const objects = { namespace: object === undefined ? [] : [object] };
    const early = dashboardOf(objects, everything, deleted + 30);
    expect([early.dashboard.attention, early.changesAt]).toEqual([[], deleted + 60]);
    const due = dashboardOf(objects, everything, deleted + 60);
    // Then only time makes it chronic.
    expect([due.dashboard.attention.length, due.changesAt]).toEqual([1, deleted + chronicAfter]);
  });

  test('the worst comes first, then the newest, and what has lasted for a day comes last', () => {
    const pods = (kindById('pod') as Kind).rules?.flatMap(
      (rule) => sampleOf(kindById('pod') as Kind).troubled.get(rule) ?? [],
    );
    const { attention, attentionTotal } = dashboardOf({ pod: pods ?? [] }).dashboard;
    expect(attentionTotal).toBe(attention.length);
    const keys = attention.map(({ tone, since, isChronic }) => {
      expect(isChronic === true).toBe(since !== null && since + chronicAfter <= now);
      return [isChronic === true ? 1 : 0, tone === 'bad' ? 0 : 1, -(since ?? 0)] as const;
    });
    expect(keys).toEqual(keys.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]));
    expect(new Set(attention.map(({ tone }) => tone)).size).toBe(2);
  });
});

describe('objects of custom kinds', () => {
  const failing = (name: string, owner?: KubeObject): KubeObject =>
    ({
      metadata: {
        name,
        namespace: 'shop',
        uid: `uid-${name}`,
        ...(owner === undefined
          ? {}
          : {
              ownerReferences: [
                {
                  apiVersion: 'cert-manager.io/v1',
                  kind: 'Certificate',
                  name: owner.metadata?.name ?? '',
                  uid: owner.metadata?.uid ?? '',
                  controller: true,
                },
              ],
            }),
      },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'Failed',
            message: 'order is in "invalid" state',
            lastTransitionTime: '2026-05-31T23:00:00Z',
          },
        ],
      },
    }) as KubeObject;
  const certificate = failing('web-tls');

  test('are in trouble by what they report', () => {
    const { attention } = dashboardOf({ [certificates.id]: [certificate] }).dashboard;
    expect(attention).toMatchObject([
      {
        rule: 'custom.trouble',
        tone: 'bad',
        title: 'It reports “Failed”.',
        detail: 'order is in "invalid" state',
        on: { kind: 'crd:certificates.cert-manager.io', namespace: 'shop', name: 'web-tls' },
        kindName: 'Certificate',
        since: Date.parse('2026-05-31T23:00:00Z') / 1000,
      },
    ]);
  });

  test('are left out where what owns them fails as well, and not where it is well', () => {
    const request = failing('web-tls-1', certificate);
    const names = (owner: KubeObject) =>
      dashboardOf({ [certificates.id]: [owner], [requests.id]: [request] }).dashboard.attention.map(
        ({ on }) => on.name,
      );
    expect(names(certificate)).toEqual(['web-tls']);
    expect(names({ ...certificate, status: {} } as KubeObject)).toEqual(['web-tls-1']);
  });

  test('are hidden from people who may not view them', () => {
    const held = new Set<Permission>(['clusters.view']);
    const { dashboard } = dashboardOf({ [certificates.id]: [certificate] }, held);
    expect(dashboard.attention).toEqual([]);
  });

  test('that are not watched are named by kind, for those who may view them', () => {
    const read = readDashboard(sourceOf({}, customKinds));
    const compose = (held: ReadonlySet<Permission>, at: number) => read(heldOf(held), at);
    expect(compose(everything, now).dashboard).toMatchObject({
      unwatched: [
        { id: 'crd:certificates.cert-manager.io', kind: 'Certificate' },
        { id: 'crd:certificaterequests.cert-manager.io', kind: 'CertificateRequest' },
      ],
      unwatchedTotal: 2,
    });
    expect(compose(new Set<Permission>(['clusters.view']), now).dashboard).toMatchObject({
      unwatched: [],
      unwatchedTotal: 0,
    });
  });
});

describe('the custom kinds that a dashboard watches', () => {
  const many = Array.from({ length: maxCustomKinds + 5 }, (_, index) =>
    customOf('example.org', `Kettle${String(index).padStart(3, '0')}`),
  );
  const named = (kinds: readonly AnyKind[]) => kinds.map(({ kind }) => kind);

  test('are those of well-known projects first, then by name, as many as there are places for', () => {
    const { watched, left } = chooseKinds([...many.toReversed(), certificates], () => 1);
    expect(watched).toHaveLength(maxCustomKinds);
    expect(named(watched.slice(0, 2))).toEqual(['Certificate', 'Kettle000']);
    expect(named(left)).toEqual(named(many.slice(-6)));
  });

  test.each<[what: string, counts: readonly (KindCount | undefined)[], watched: string[], left: string[]]>([
    ['none without objects', [0, 1, 0], ['Kettle001'], []],
    ['none that was not counted yet', [undefined, 1, 1], ['Kettle001', 'Kettle002'], []],
    ['none that may not be read, which is named', ['unreadable', 1, 0], ['Kettle001'], ['Kettle000']],
    [
      'none with more objects than may be held',
      [1, maxCustomObjects, 2],
      ['Kettle000', 'Kettle002'],
      ['Kettle001'],
    ],
  ])('are %s', (_, counts, watched, left) => {
    const few = many.slice(0, counts.length);
    const choice = chooseKinds(few, (kind) => counts[few.indexOf(kind)]);
    expect([named(choice.watched), named(choice.left)]).toEqual([watched, left]);
  });

  test('are some that were just defined, as far as there are places', () => {
    const young = new Set(many.map(({ id }) => id));
    const some = chooseKinds(many, (kind) => (kind === many[0] ? 1 : 0), young);
    expect(some.watched.length).toBeLessThan(30);
    expect(some.watched.length).toBeGreaterThan(10);
    const [first] = many;
    const full = chooseKinds(many, (kind) => (kind === first ? 0 : 1), young);
    expect(full.watched).toHaveLength(maxCustomKinds);
    expect([...full.watched, ...full.left]).not.toContain(first);
  });

  test('are none without a status', () => {
    const versions = [{ name: 'v1', served: true, storage: true }];
    const silentKind = customKind({
      spec: { group: 'example.org', names: { kind: 'Cup', plural: 'cups' }, versions },
    });
    const kinds = silentKind === undefined ? [] : [silentKind];
    expect(chooseKinds(kinds, () => 1)).toEqual({ watched: [], left: [] });
  });

  test('stay the very same while their definitions do', () => {
    const before = chooseKinds([certificates], () => 1);
    const after = chooseKinds([customOf('cert-manager.io', 'Certificate')], () => 2, undefined, before);
    expect(after.watched[0]).toBe(certificates);
  });
});

describe('capacity', () => {
  const node = (name: string, ready = 'True') =>
    ({
      metadata: { name, uid: `uid-${name}` },
      status: {
        allocatable: { cpu: '4', memory: '8Gi', pods: '10' },
        conditions: [{ type: 'Ready', status: ready }],
      },
    }) as KubeObject;

  test('is what running pods ask for against what the nodes have, worst node first', () => {
    const over = { ...workload().pod[0], status: { phase: 'Succeeded' } } as KubeObject;
    const { dashboard } = dashboardOf({
      ...workload(),
      pod: [...workload().pod.slice(1), over],
      node: [node('n1'), node('n2', 'False')],
    });
    expect(dashboard.capacity).toEqual({
      cpu: { requested: 1, allocatable: 8, used: null },
      memory: { requested: 2 * 2 ** 30, allocatable: 16 * 2 ** 30, used: null },
      pods: { requested: 2, allocatable: 20, used: null },
    });
    expect(dashboard.nodes?.map(({ name, pods }) => [name, pods.requested])).toEqual([
      ['n2', 0],
      ['n1', 2],
    ]);
    expect(dashboard.usage).toMatchObject({ status: 'absent', message: 'There are no metrics.' });
  });

  test('is the same for everybody who may see it, and unknown without nodes to somebody who may not see pods', () => {
    const read = readDashboard(sourceOf({ ...workload(), node: [node('n1')] }));
    const compose = (held: ReadonlySet<Permission>, at: number) => read(heldOf(held), at);
    const [first, second] = [compose(everything, now), compose(everything, now)];
    expect(second).toEqual(first);
    expect(second.dashboard.nodes).toHaveLength(1);
    const { dashboard } = dashboardOf({ pod: [], node: [] }, new Set<Permission>(['clusters.view']));
    expect(dashboard.capacity?.pods).toEqual({ requested: null, allocatable: 0, used: null });
  });

  test('counts no pods for somebody who may not view them', () => {
    const held = new Set<Permission>(['clusters.view']);
    const { dashboard } = dashboardOf({ ...workload(), node: [node('n1')] }, held);
    expect(dashboard.capacity?.cpu).toEqual({ requested: null, allocatable: 4, used: null });
    expect(dashboard.nodes?.[0]?.pods).toEqual({ requested: null, allocatable: 10, used: null });
    expect(dashboard.workloads).toEqual({});
  });
});

describe('recent events', () => {
  const eventOf = (name: string, type: string, second: number): KubeObject =>
    ({
      metadata: { name, namespace: 'shop', uid: `uid-${name}` },
      type,
      reason: 'BackOff',
      message: 'Back-off',
      count: 3,
      lastTimestamp: new Date((now + second) * 1000).toISOString(),
      involvedObject: { kind: 'Pod', name: 'api-1', namespace: 'shop' },
    }) as KubeObject;

  test('are the newest warnings, newest first, and nothing that is normal', () => {
    const events = Array.from({ length: 50 }, (_, index) =>
      eventOf(`w${index}`, 'Warning', (index * 7) % 50),
    );
    const { dashboard } = dashboardOf({ event: [...events, eventOf('n', 'Normal', 99)] });
    expect(dashboard.events?.map(({ lastSeen }) => (lastSeen ?? 0) - now)).toEqual(
      Array.from({ length: 20 }, (_, index) => 49 - index),
    );
    expect(dashboard.events?.[0]).toMatchObject({
      reason: 'BackOff',
      object: ['Pod', 'api-1'],
      namespace: 'shop',
      count: 3,
    });
  });

  test('count in the minutes of the last hour in which they were first and last seen', () => {
    const minute = Math.floor(now / 60);
    const seenTwice = {
      ...eventOf('w', 'Warning', 0),
      firstTimestamp: new Date((now - 600) * 1000).toISOString(),
    };
    const seenOnce = { ...seenTwice, count: 1, metadata: { name: 'o', uid: 'uid-o' }, type: 'Normal' };
    const old = { ...eventOf('old', 'Warning', -3_700), firstTimestamp: null } as KubeObject;
    const { dashboard } = dashboardOf({ event: [seenTwice, seenOnce, old] });
    expect(dashboard.eventMinutes).toEqual([
      [minute - 10, 0, 1],
      [minute, 1, 1],
    ]);
    const { events, eventMinutes } = dashboardOf(
      { event: [old] },
      new Set<Permission>(['pods.view']),
    ).dashboard;
    expect([events, eventMinutes]).toEqual([null, null]);
  });
});

describe('changes', () => {
  const made = (name: string, second: number, more: KubeObject['metadata'] = {}): KubeObject => ({
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      creationTimestamp: new Date((now + second) * 1000).toISOString(),
      ...more,
    },
  });
  const edited = {
    managedFields: [
      { manager: 'kubectl\u0007-edit', time: new Date(now * 1000).toISOString(), fieldsV1: { 'f:spec': {} } },
    ],
  };

  test('are the newest of every kind that the person may view, newest first', () => {
    const objects = {
      deployment: Array.from({ length: 12 }, (_, index) => made(`d${index}`, -index - 2)),
      statefulset: [made('db', -100, edited)],
      namespace: [made('shop', -1)],
      pod: [made('p', 0)],
    };
    const { changes } = dashboardOf(objects).dashboard;
    expect(changes).toHaveLength(8);
    // What a cluster says is cleaned where it enters.
    expect(changes.slice(0, 3)).toEqual([
      {
        on: { kind: 'statefulset', namespace: 'shop', name: 'db' },
        what: 'edited',
        at: now,
        by: 'kubectl-edit',
        to: null,
      },
      expect.objectContaining({ on: expect.objectContaining({ kind: 'namespace' }), at: now - 1, by: null }),
      expect.objectContaining({ on: expect.objectContaining({ name: 'd0' }), what: 'created' }),
    ]);
    const seen = dashboardOf(objects, new Set<Permission>(['namespaces.view', 'pods.view'])).dashboard;
    expect(seen.changes.map(({ on }) => on.kind)).toEqual(['namespace']);
  });
});

describe('storage', () => {
  const volume = (name: string, phase: string, storage: string): KubeObject =>
    ({
      metadata: { name, uid: `uid-${name}` },
      spec: { capacity: { storage } },
      status: { phase },
    }) as KubeObject;

  test('is what of the volumes has a claim, for those who may view volumes', () => {
    const volumes = [volume('a', 'Bound', '1Gi'), volume('b', 'Released', '3Gi')];
    const { storage } = dashboardOf({ persistentvolume: volumes }).dashboard;
    expect(storage).toEqual({ claimed: 2 ** 30, provisioned: 4 * 2 ** 30 });
    expect(dashboardOf({ persistentvolume: [] }).dashboard.storage).toBeNull();
    expect(dashboardOf({}).dashboard.storage).toBeNull();
    const held = new Set<Permission>(['clusters.view', 'persistentvolumeclaims.view']);
    expect(dashboardOf({ persistentvolume: volumes }, held).dashboard.storage).toBeNull();
  });
});
