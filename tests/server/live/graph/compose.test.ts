import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { kindById, kindOfObject, kinds } from '../../../../commands/kinds/index.ts';
import { graphLimit } from '../../../../src/contract/graph.ts';
import type { Row } from '../../../../src/contract/live.ts';
import { type Permission, permissions } from '../../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../../src/kube/object.ts';
import type { AnyKind } from '../../../../src/registry/kinds/kind.ts';
import { composeGraph, type GraphScope } from '../../../../src/server/live/graph/compose.ts';
import { createProjector, type Entry } from '../../../../src/server/live/source/projector.ts';
import { heldOf } from '../../held.ts';

const silent = pino({ level: 'silent' });
const everything: ReadonlySet<Permission> = new Set(permissions);
const shop = parseAllDocuments(readFileSync(new URL('shop.yaml', import.meta.url), 'utf8')).map(
  (document) => document.toJS() as KubeObject,
);

function kindOf({ apiVersion = '', kind = '' }: KubeObject): AnyKind {
  const found = kindOfObject(apiVersion, kind);
  if (found === undefined) throw new Error(`There is no kind ${kind} of ${apiVersion}.`);
  return found;
}

interface Options {
  readonly held?: ReadonlySet<Permission>;
  readonly isOwner?: boolean;
  readonly unread?: readonly string[];
  readonly limit?: number;
}

function compose(objects: readonly KubeObject[], scope: GraphScope, options: Options = {}) {
  const { held = everything, isOwner = false, unread = [], limit = graphLimit } = options;
  const { may } = heldOf(held, { isOwner });
  const projectors = new Map(kinds.map((kind) => [kind, createProjector(kind, silent)]));
  const entries = new Map<AnyKind, Entry[]>(kinds.map((kind) => [kind, []]));
  for (const object of objects) {
    const kind = kindOf(object);
    const entry = projectors.get(kind as never)?.(object, undefined);
    if (entry !== undefined) entries.get(kind)?.push(entry);
  }
  const { rows, total } = composeGraph(
    {
      kinds: kinds.filter(({ id, permissions: { view } }) => id !== 'event' && may(view, 'cluster')),
      entries: (kind) => (unread.includes(kind.id) ? undefined : entries.get(kind)?.values()),
      may,
    },
    scope,
    limit,
  );
  const read = [...rows.values()].map((text) => JSON.parse(text) as Row);
  const short = (key: unknown) => String(key).replace(/^\S+ /, '').replace('shop/', '');
  const edges = read.flatMap(([key, cells]) => {
    const ties = cells[6] as readonly string[];
    return ties.flatMap((tie, at) => (at % 2 === 0 ? `${short(key)} ${tie} ${short(ties[at + 1])}` : []));
  });
  return { total, edges: edges.sort(), nodes: read.map(([key]) => short(key)).sort(), rows: read };
}

const root = (id: string, name: string, namespace = 'shop'): GraphScope => {
  const kind = kindById(id);
  if (kind === undefined) throw new Error(id);
  return { root: { kind, namespace, name } };
};

/** Every edge of `shop.yaml`, by hand. */
const edges = [
  'CronJob report uses ConfigMap api-mode',
  'Deployment api uses ConfigMap api-mode',
  'Deployment api uses Secret api-env',
  'Deployment api uses Secret registry',
  'EndpointSlice api-x owner Service api',
  'EndpointSlice api-x targets Pod api-1-a',
  'HorizontalPodAutoscaler api targets Deployment api',
  'Ingress api targets Service api',
  'Ingress api uses IngressClass /nginx',
  'Ingress api uses Secret api-tls',
  'Job report-1 owner CronJob report',
  'PersistentVolume /pv-1 uses StorageClass /fast',
  'PersistentVolumeClaim api-data uses PersistentVolume /pv-1',
  'PersistentVolumeClaim api-data uses StorageClass /fast',
  'Pod agent-x owner DaemonSet agent',
  'Pod api-1-a owner ReplicaSet api-1',
  'Pod api-1-a selected Service api',
  'Pod api-1-a uses ConfigMap api-files',
  'Pod api-1-a uses ConfigMap api-projected',
  'Pod api-1-a uses PersistentVolumeClaim api-data',
  'Pod api-1-a uses Secret api-keys',
  'ReplicaSet api-1 owner Deployment api',
  'ScaledObject db targets StatefulSet db',
  'ScaledObject db uses TriggerAuthentication queue',
  'Secret api-tls owner Certificate api-tls',
  'StatefulSet db uses ConfigMap db-missing',
  'StatefulSet db uses Service db',
];
const ownersAlone = ['HorizontalPodAutoscaler old targets ReplicationController old'];

describe('the edges of a namespace', () => {
  test('are exactly the known ones', () => {
    expect(compose(shop, { namespace: 'shop' }).edges).toEqual(edges);
  });

  test('lead an Owner also to what is for Owners', () => {
    const { edges: found } = compose(shop, { namespace: 'shop' }, { isOwner: true });
    expect(found).toEqual([...edges, ...ownersAlone].sort());
  });

  test('lead nowhere outside: neither to other namespaces nor to nodes', () => {
    const { nodes } = compose(shop, { namespace: 'shop' });
    expect(nodes.filter((node) => /other\/|Node/.test(node))).toEqual([]);
    expect(nodes).toContain('ConfigMap kube-root-ca.crt');
  });

  test('a missing object that is referred to is `missing`; one of a kind that is not followed is `named`', () => {
    const known = new Map(
      compose(shop, { namespace: 'shop' }).rows.map(([key, cells]) => [key, [cells[4], cells[5]]]),
    );
    expect(known.get('~ ConfigMap shop/db-missing')).toEqual([['Not found', 'warn'], 'missing']);
    expect(known.get('cert-manager.io Certificate shop/api-tls')).toEqual([null, 'named']);
    expect(known.get('~ Pod shop/api-1-a')).toEqual([['Running', 'ok'], 'live']);
  });

  test('a kind that could not be read is not taken for missing', () => {
    const { rows } = compose(shop, { namespace: 'shop' }, { unread: ['configmap'] });
    const maps = rows.filter(([key]) => key.startsWith('~ ConfigMap'));
    expect(maps.length).toBeGreaterThan(0);
    expect(new Set(maps.map(([, cells]) => cells[5]))).toEqual(new Set(['named']));
  });
});

describe('objects that a person may not view', () => {
  const without = (...names: readonly Permission[]) =>
    new Set(permissions.filter((name) => !names.includes(name)));

  test('is not drawn, and no edge names it', () => {
    const { nodes, edges: found } = compose(
      shop,
      { namespace: 'shop' },
      { held: without('secrets.view', 'persistentvolumes.view') },
    );
    expect([...nodes, ...found].filter((text) => /Secret|PersistentVolume /.test(text))).toEqual([]);
    expect(found).toContain('Deployment api uses ConfigMap api-mode');
  });

  test('a person without permissions sees nothing', () => {
    expect(compose(shop, { namespace: 'shop' }, { held: new Set() }).nodes).toEqual([]);
  });
});

describe('the graph of one object', () => {
  test.each([
    [
      root('pod', 'api-1-a'),
      [
        'Deployment api',
        'Service api',
        'Ingress api',
        'HorizontalPodAutoscaler api',
        'Node /n1',
        'StorageClass /fast',
      ],
      ['Pod alone', 'CronJob report', 'StatefulSet db', 'Pod agent-x'],
    ],
    [
      root('deployment', 'api'),
      ['Pod api-1-a', 'Secret registry', 'PersistentVolume /pv-1', 'Ingress api'],
      ['CronJob report', 'Pod alone', 'Service db'],
    ],
    [
      root('ingress', 'api'),
      ['Service api', 'Pod api-1-a', 'IngressClass /nginx', 'Deployment api', 'Certificate api-tls'],
      ['CronJob report', 'HorizontalPodAutoscaler api', 'Pod alone'],
    ],
    [
      root('configmap', 'api-mode'),
      ['CronJob report', 'Deployment api', 'HorizontalPodAutoscaler api'],
      ['Secret api-env', 'Pod alone'],
    ],
    [root('secret', 'api-tls'), ['Ingress api', 'Certificate api-tls'], ['Service api']],
    [root('persistentvolume', 'pv-1', ''), ['PersistentVolumeClaim api-data', 'Pod api-1-a'], ['Pod alone']],
    [root('node', 'n1', ''), ['Pod api-1-a', 'Pod alone', 'Deployment api'], ['StatefulSet db']],
    [root('storageclass', 'fast', ''), ['PersistentVolumeClaim api-data', 'Deployment api'], ['Pod alone']],
  ] as const)('%#: it, what it needs and what needs it', (scope, inside, outside) => {
    const { nodes } = compose(shop, scope);
    expect(nodes).toEqual(expect.arrayContaining([...inside]));
    expect(nodes.filter((node) => (outside as readonly string[]).includes(node))).toEqual([]);
  });

  test('of an object that is gone nothing is left', () => {
    expect(compose(shop, root('pod', 'gone'))).toMatchObject({ nodes: [], total: 0 });
  });
});

describe('a graph of too many objects', () => {
  const many = Array.from(
    { length: 60 },
    (_, index): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `many-${index}`, namespace: 'shop', uid: `many-${index}`, labels: { app: 'api' } },
    }),
  );

  test('is cut, says so, and keeps the rarest kinds of a namespace', () => {
    const { nodes, total } = compose([...shop, ...many], { namespace: 'shop' }, { limit: 40 });
    expect(nodes).toHaveLength(40);
    expect(total).toBeGreaterThan(60);
    expect(nodes).toEqual(expect.arrayContaining(['Deployment api', 'Ingress api', 'Secret registry']));
  });

  test('no edge leads to what was cut', () => {
    const { edges: found, nodes } = compose([...shop, ...many], root('service', 'api'), { limit: 5 });
    const ends = found.flatMap((edge) => edge.split(/ (?:owner|uses|targets|selected) /));
    expect(ends.filter((end) => !nodes.includes(end))).toEqual([]);
  });
});

test('invalid names of a hostile cluster make no edges and cause no failure', () => {
  const hostile: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'x',
      namespace: 'shop',
      uid: 'x',
      ownerReferences: [{ apiVersion: 'a b/v1', kind: '</script>', name: '../..', uid: 'y' }],
    },
    spec: { volumes: [{ name: 'v', secret: { secretName: 'a b/c\n"' } }] },
  } as unknown as KubeObject;
  expect(compose([hostile], { namespace: 'shop' })).toMatchObject({ nodes: ['Pod x'], edges: [] });
});
