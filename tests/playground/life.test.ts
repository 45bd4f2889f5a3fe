import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { at, isRec, type Obj, type Rec, rec, recs, str } from '../../src/playground/kit/values.ts';
import { appliedFrom, Hashes, LifeReplay, maskLife, type OtherNames, Recordings } from './life-replay.ts';
import { compare } from './replay.ts';

/**
 * Leaves in which the playground may differ from the recorded cluster, and why. `*` stands for any index or name.
 */
const accepted: Readonly<Record<string, string>> = {
  '*: Pod / *.projected.sources[3]':
    "another distribution's authority, which the recorded control plane mounts too",
  '* / *nodeName': 'which of equally good nodes takes a pod is chance',
  '* / *.labels.topology.kubernetes.io/zone': 'follows from the node',
  '* / *.zone': 'follows from the node',
  'table pods / *.cells[6]': 'follows from the node',
  '*: EndpointSlice / [0].metadata.generation': 'counts how often addresses came and went',
};

/** What a kubelet said of a pod that runs is not the controllers' doing: its outline is compared. */
function outline(object: Obj): Obj {
  if (object.kind !== 'Pod' || str(at(object, 'spec', 'nodeName')) === '') return object;
  const status = rec(object['status']);
  return {
    ...object,
    status: {
      phase: status['phase'],
      qosClass: status['qosClass'],
      conditions: recs(status['conditions'])
        .filter(({ type }) => type !== 'PodReadyToStartContainers')
        .map(({ type, status: value }) => ({ type, status: value })),
      containerStatuses: recs(status['containerStatuses']).map(({ name, ready, restartCount }) => ({
        name,
        ready,
        restartCount,
      })),
    },
  };
}

const text = (value: unknown) =>
  JSON.stringify(value, (_key, item: unknown) =>
    isRec(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
const sorted = (objects: readonly unknown[]) => [...objects].sort((a, b) => (text(a) < text(b) ? -1 : 1));

const isAccepted = (path: string) =>
  Object.keys(accepted).some((pattern) =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replace(/[.[\]()+?^$|\\{}]/g, '\\$&'))
        .join('.*')}$`,
    ).test(path),
  );

const otherNames: OtherNames = {
  life: 'quay',
  web: 'skiff',
  agent: 'pilot',
  agentless: 'unmanned',
  once: 'ferry-trip',
  db: 'ledger',
  withclaims: 'moored',
  minutely: 'ticking',
  worker: 'berth',
};

describe.each([
  { how: 'as recorded', names: {} },
  { how: 'with every namespace and object renamed', names: otherNames },
])('$how', ({ names }) => {
  const recordings = new Recordings(names);
  const [life, app, node1] = [
    recordings.named('life'),
    recordings.named('web'),
    `${recordings.named('worker')}-1`,
  ];
  const namespace = `/api/v1/namespaces/${life}`;
  const apps = `/apis/apps/v1/namespaces/${life}`;
  const batch = `/apis/batch/v1/namespaces/${life}`;
  const policy = `/apis/policy/v1/namespaces/${life}`;
  const scaling = `/apis/autoscaling/v2/namespaces/${life}`;
  const collections: Readonly<Record<string, string>> = {
    Deployment: `${apps}/deployments`,
    ReplicaSet: `${apps}/replicasets`,
    StatefulSet: `${apps}/statefulsets`,
    DaemonSet: `${apps}/daemonsets`,
    ControllerRevision: `${apps}/controllerrevisions`,
    Pod: `${namespace}/pods`,
    Endpoints: `${namespace}/endpoints`,
    EndpointSlice: `/apis/discovery.k8s.io/v1/namespaces/${life}/endpointslices`,
    PersistentVolumeClaim: `${namespace}/persistentvolumeclaims`,
    Job: `${batch}/jobs`,
    CronJob: `${batch}/cronjobs`,
    PodDisruptionBudget: `${policy}/poddisruptionbudgets`,
    HorizontalPodAutoscaler: `${scaling}/horizontalpodautoscalers`,
  };
  const tables: Readonly<Record<string, string>> = {
    budgets: `${policy}/poddisruptionbudgets`,
    cronjobs: `${batch}/cronjobs`,
    daemonsets: `${apps}/daemonsets`,
    deployments: `${apps}/deployments`,
    endpointslices: collections['EndpointSlice'] ?? '',
    hpas: `${scaling}/horizontalpodautoscalers`,
    jobs: `${batch}/jobs`,
    nodes: '/api/v1/nodes',
    pods: `${namespace}/pods`,
    pvcs: `${namespace}/persistentvolumeclaims`,
    replicasets: `${apps}/replicasets`,
    services: `${namespace}/services`,
    statefulsets: `${apps}/statefulsets`,
  };

  const clock = new ManualClock(Date.parse('2026-11-21T01:42:50Z'));
  const recordedHashes = new Hashes();
  const ourHashes = new Hashes();
  let replay: LifeReplay;
  /** Where ours and the recorded state differ, by snapshot. */
  const found: string[] = [];

  function note(where: string, recorded: unknown, ours: unknown): void {
    for (const difference of compare(recorded, ours)) {
      const path = `${where} / ${difference.path}`;
      if (isAccepted(path)) continue;
      found.push(
        `${path}: recorded ${JSON.stringify(difference.recorded)}, ours ${JSON.stringify(difference.ours)}`,
      );
    }
  }

  /** Compares recorded objects with ours of the same kinds. `all`: every one of a kind was recorded. */
  async function snapshot(name: string, recorded: readonly Obj[], all = true): Promise<void> {
    const kinds = new Set(recorded.map(({ kind }) => kind));
    const revisions = await replay.list(`${apps}/replicasets`);
    ourHashes.learn(revisions.map((item) => ({ ...item, kind: 'ReplicaSet' })));
    const history = await replay.list(`${apps}/controllerrevisions`);
    ourHashes.learn(history.map((item) => ({ ...item, kind: 'ControllerRevision' })));
    recordedHashes.learn(recorded);
    for (const kind of kinds) {
      const theirs = recorded.filter((object) => object.kind === kind);
      const apiVersion = theirs[0]?.apiVersion ?? '';
      const listed = (await replay.list(collections[kind] ?? '')).map((object) => ({
        ...object,
        apiVersion,
        kind,
      }));
      const ours = all
        ? listed
        : listed.filter((object) => theirs.some((item) => item.metadata.name === object.metadata.name));
      const masked = (objects: readonly Obj[], hashes: Hashes) =>
        sorted(objects.map((object) => maskLife(outline(object), hashes)));
      note(`${name}: ${kind}`, masked(theirs, recordedHashes), masked(ours, ourHashes));
    }
  }

  const untilThen = (time: string) =>
    replay.advance((Date.parse(`2026-11-21T${time}Z`) - clock.now()) / 1000);

  beforeAll(async () => {
    const playground = await startPlayground({ seed: 'none', controllers: true, clock, chance: 11 });
    replay = new LifeReplay(playground, clock);
    const node = recordings.read('15-node');
    const zones = ['a', 'b', 'c', 'a', 'b', 'c'];
    for (const [index, zone] of zones.entries()) {
      const body = JSON.parse(
        JSON.stringify(node).replaceAll(node1, `${node1.slice(0, -1)}${index + 1}`),
      ) as Obj;
      const { name, annotations, labels } = body.metadata;
      await replay.make('/api/v1/nodes', {
        ...body,
        metadata: { name, annotations, labels: { ...labels, 'topology.kubernetes.io/zone': `zone-${zone}` } },
      });
    }
  });
  afterAll(async () => {
    await replay.playground.close();
  });

  test('controllers end in the states, reasons and messages of the recorded cluster', async () => {
    const web = recordings.items('01-deployment-available').find(({ kind }) => kind === 'Deployment') as Obj;
    await replay.make('/api/v1/namespaces', { metadata: { name: life } });
    untilThen('01:42:54');
    await replay.make(`${apps}/deployments`, appliedFrom(web));
    await replay.make(`${namespace}/services`, {
      metadata: { name: app },
      spec: { selector: { app }, ports: [{ port: 80 }] },
    });
    untilThen('01:43:10');
    await snapshot('01', recordings.items('01-deployment-available'));

    const image = (wanted: string) =>
      replay.patch(`${apps}/deployments/${app}`, {
        spec: { template: { spec: { containers: [{ name: app, image: wanted }] } } },
      });
    await image('nginx:1.28');
    replay.advance(30);
    await snapshot('02', recordings.items('02-after-new-image'));
    await image('nginx:1.27');
    replay.advance(30);
    await snapshot('03', recordings.items('03-after-undo'));
    await replay.patch(`${apps}/deployments/${app}/scale`, { spec: { replicas: 5 } });
    replay.advance(30);
    await snapshot('04', recordings.items('04-after-scale'));
    const before = await replay.send('GET', `${apps}/deployments/${app}`);
    const stuck = recordings.items('05-rollout-stuck').find(({ kind }) => kind === 'Deployment') as Obj;
    await replay.send(
      'PATCH',
      `${apps}/deployments/${app}`,
      {
        spec: {
          progressDeadlineSeconds: at(stuck, 'spec', 'progressDeadlineSeconds'),
          template: {
            metadata: { annotations: { 'playground/behaviour': 'image-pull' } },
            spec: { containers: at(stuck, 'spec', 'template', 'spec', 'containers') },
          },
        },
      },
      'application/merge-patch+json',
    );
    replay.advance(12);
    await snapshot('05', recordings.items('05-rollout-stuck'));
    await replay.send(
      'PATCH',
      `${apps}/deployments/${app}`,
      [{ op: 'replace', path: '/spec/template', value: at(before, 'spec', 'template') }],
      'application/json-patch+json',
    );
    replay.advance(10);

    untilThen('01:46:10');
    const later = recordings.items('06-stateful');
    const applied = [
      ...later.filter(({ kind }) => kind === 'StatefulSet'),
      ...recordings.single('07-daemonset'),
      ...recordings.single('08-job'),
      ...recordings.single('10-unschedulable-pod'),
      ...recordings.single('09-budget'),
      ...recordings.items('12-hpa').filter(({ metadata }) => metadata.annotations !== undefined),
      ...recordings.items('13-cron').filter(({ kind }) => kind === 'CronJob'),
    ];
    for (const object of applied) await replay.make(collections[object.kind] ?? '', appliedFrom(object));
    replay.advance(42);
    const scaler = recordings
      .items('12-hpa')
      .find(({ metadata }) => metadata.annotations === undefined) as Obj;
    await replay.make(collections['HorizontalPodAutoscaler'] ?? '', {
      metadata: { name: scaler.metadata.name },
      spec: scaler['spec'],
    });
    /** Gives every pod of the Deployment this use. */
    const use = async (cpu: string) => {
      for (const pod of await replay.list(`${namespace}/pods?labelSelector=app%3D${app}`)) {
        await replay.patch(`${namespace}/pods/${pod.metadata.name ?? ''}`, {
          metadata: { annotations: { 'playground/usage': `cpu=${cpu},memory=64Mi` } },
        });
      }
    };
    await use('320m');
    replay.advance(3);
    await snapshot('06', later);
    for (const name of ['07-daemonset', '08-job', '09-budget', '10-unschedulable-pod']) {
      await snapshot(name, recordings.single(name), false);
    }
    const [pod] = await replay.list(`${namespace}/pods?labelSelector=app%3D${app}`);
    const name = pod?.metadata.name ?? '';
    const evicted = await replay.send('POST', `${namespace}/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace: life },
    });
    note('11', recordings.read('11-eviction-held-back'), evicted);
    replay.advance(13);
    await use('185m');
    replay.advance(16);
    await snapshot('12', recordings.items('12-hpa'));
    await snapshot('13', recordings.items('13-cron'));
    recordedHashes.learn(recordings.items('05-rollout-stuck'));

    const fields = ['type', 'reason', 'message', 'count', 'action', 'reportingComponent', 'source', 'series'];
    const events = (all: readonly Obj[], hashes: Hashes) =>
      sorted(
        all
          .filter((event) => at(event, 'source', 'component') !== 'kubelet')
          .map((event) =>
            maskLife(
              {
                about: [at(event, 'involvedObject', 'kind'), at(event, 'involvedObject', 'name')],
                ...Object.fromEntries(fields.map((field) => [field, event[field]])),
              },
              hashes,
            ),
          ),
      );
    note(
      '14',
      events(recordings.items('14-all-events'), recordedHashes),
      events(await replay.list(`${namespace}/events`), ourHashes),
    );

    for (const [table, path] of Object.entries(tables)) {
      const rows = (value: Rec, hashes: Hashes) =>
        sorted(
          recs(value['rows']).map((row) =>
            maskLife({ cells: row['cells'], conditions: row['conditions'] }, hashes),
          ),
        );
      const recorded = recordings.read(`table-${table}`);
      const ours = await replay.table(path);
      note(
        `table ${table} columns`,
        maskLife(recorded['columnDefinitions'], recordedHashes),
        maskLife(ours['columnDefinitions'], ourHashes),
      );
      note(`table ${table}`, rows(recorded, recordedHashes), rows(ours, ourHashes));
    }
    note(
      '15',
      maskLife(recordings.read('15-node'), recordedHashes),
      maskLife(await replay.send('GET', `/api/v1/nodes/${node1}`), ourHashes),
    );
    note(
      '16',
      maskLife(recordings.read('16-namespace'), recordedHashes),
      maskLife(await replay.send('GET', namespace), ourHashes),
    );
    note(
      '17',
      maskLife(recordings.read('17-namespace-terminating'), recordedHashes),
      maskLife(await replay.send('DELETE', namespace), ourHashes),
    );
    expect(found).toEqual([]);
  });
});

test('the playground knows no name from these recordings', () => {
  const source = new URL('../../src/playground', import.meta.url).pathname;
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const named = files.filter((name) =>
    /\b(withclaims|minutely|agentless|giant|lab\.large)\b/.test(
      readFileSync(path.join(source, name), 'utf8'),
    ),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(named).toEqual([]);
});

test('accepts at most ten differences', () => {
  expect(Object.keys(accepted).length).toBeLessThanOrEqual(10);
});
