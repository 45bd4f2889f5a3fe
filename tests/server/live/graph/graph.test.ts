import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { permissions, teamRoles } from '../../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../../src/kube/object.ts';
import type { Member } from '../../../../src/server/access/person.ts';
import { feedGrace } from '../../../../src/server/live/feed/audience.ts';
import { graphInterval } from '../../../../src/server/live/graph/shared-graph.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import type { LiveClient, LiveList } from '../live-client.ts';
import { type LiveConsole, startLive } from '../live-console.ts';
import {
  collections,
  createScriptedTransport,
  podOf,
  refusal,
  type ScriptedTransport,
} from '../script-transport.ts';

const pods = '/api/v1/pods';
const secrets = '/api/v1/secrets';
const services = '/api/v1/services';
const replicaSets = '/apis/apps/v1/replicasets';
const scaledObjects = '/apis/keda.sh/v1alpha1/scaledobjects';
let clock: FakeClock;
let live: LiveConsole;
let owner: Member;

beforeEach(async () => {
  clock = createFakeClock();
  live = await startLive(clock);
  owner = await live.person({ isOwner: true });
});
afterEach(() => live.close());

const event = (type: string, object: object) => ({ type, object });
const made = (name: string, spec: object = {}, namespace = 'shop') =>
  ({ metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: '1' }, spec }) as KubeObject;
/** A pod of the ReplicaSet `api-1` that uses the Secret `env`. */
const member = (name: string, version: string, phase = 'Running') => {
  const { metadata, ...pod } = podOf(name, version, phase);
  const owners = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'api-1', uid: 'uid-api-1' }];
  return {
    ...pod,
    metadata: { ...metadata, labels: { app: 'api' }, ownerReferences: owners },
    spec: { containers: [{ name: 'a', envFrom: [{ secretRef: { name: 'env' } }] }] },
  };
};

async function cluster(
  lists: Readonly<Record<string, KubeObject[]>> = {},
): Promise<{ transport: ScriptedTransport; id: number }> {
  const transport = createScriptedTransport();
  const answer = collections({
    [pods]: [member('a', '1'), podOf('far', '1', 'Running', 'other')],
    [replicaSets]: [made('api-1')],
    [services]: [made('api', { selector: { app: 'api' } })],
    [secrets]: [made('env')],
    ...lists,
  });
  transport.onList = (request) => {
    if (request.path === scaledObjects) throw refusal(404);
    return answer(request);
  };
  return { transport, id: await live.cluster(transport) };
}

async function runUntil(client: LiveClient, what: string, isTrue: () => boolean): Promise<void> {
  for (let rounds = 0; rounds < 400 && !isTrue(); rounds += 1) {
    await clock.advance(50);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await client.until(what, isTrue);
}
const keys = ({ rows }: LiveList) => [...rows.keys()].sort();
const whole = [
  'apps ReplicaSet shop/api-1',
  '~ Pod shop/a',
  '~ Secret shop/env',
  '~ Service shop/api',
].sort();

async function openGraph(person: Member, id: number, graph: Parameters<LiveClient['graph']>[1]) {
  const client = await live.open(person);
  const page = client.graph(id, graph);
  await runUntil(client, 'it is there', () => page.snapshots > 0 && page.state?.status === 'live');
  return { client, page };
}

describe('a graph', () => {
  test('comes once everything was read, then what changed of it and nothing else', async () => {
    const { transport, id } = await cluster();
    const { client, page } = await openGraph(owner, id, { namespace: 'shop' });
    expect(keys(page)).toEqual(whole);
    expect(page.rows.get('~ Pod shop/a')).toEqual([
      'pod',
      'Pod',
      'shop',
      'a',
      ['Not ready', 'warn'],
      'live',
      ['owner', 'apps ReplicaSet shop/api-1', 'uses', '~ Secret shop/env', 'selected', '~ Service shop/api'],
    ]);
    transport.watchOf(pods).say(event('ADDED', member('b', '11')));
    await runUntil(client, 'a second pod', () => page.rows.has('~ Pod shop/b'));
    transport.watchOf(pods).say(event('MODIFIED', member('b', '12', 'Failed')));
    await runUntil(client, 'it failed', () =>
      JSON.stringify(page.rows.get('~ Pod shop/b')).includes('["Failed","bad"]'),
    );
    transport.watchOf(pods).say(event('DELETED', member('b', '13', 'Failed')));
    await runUntil(client, 'it is gone', () => !page.rows.has('~ Pod shop/b'));
    expect([page.snapshots, page.upserts]).toEqual([1, 2]);
    // Neither another namespace nor a version in which nothing is new.
    transport.watchOf(pods).say(event('MODIFIED', podOf('far', '14', 'Failed', 'other')));
    transport.watchOf(pods).say(event('MODIFIED', member('a', '15')));
    await clock.advance(20 * graphInterval);
    expect([page.changes, page.upserts]).toEqual([3, 2]);
  });

  test('is composed and sent at most four times a second, however much changes', async () => {
    const { transport, id } = await cluster();
    const { client, page } = await openGraph(owner, id, { namespace: 'shop' });
    for (let step = 0; step < 40; step += 1) {
      transport.watchOf(pods).say(event('ADDED', member(`p${step}`, `${step + 20}`)));
      await clock.advance(50);
    }
    await runUntil(client, 'all of them', () => page.rows.size === whole.length + 40);
    expect(page.changes).toBeLessThanOrEqual(10);
  });

  test('shows each person what they may see, says what it leaves out, and reads each kind once', async () => {
    const { transport, id } = await cluster();
    const viewer = await live.person();
    await live.grant(viewer, id, teamRoles.Viewer);
    const all = await openGraph(owner, id, { namespace: 'shop' });
    const some = await openGraph(viewer, id, { namespace: 'shop' });
    expect(keys(all.page)).toEqual(whole);
    expect(all.page.state?.message).toBeUndefined();
    expect(keys(some.page)).toEqual(whole.filter((key) => !key.includes('Secret')));
    expect(JSON.stringify([...some.page.rows])).not.toContain('Secret');
    expect(some.page.state?.message).toBe('Not shown because you may not view them: Secrets.');
    expect(transport.watches.filter(({ request }) => request.path === pods)).toHaveLength(1);
  });

  test('takes away at once what somebody may no longer see', async () => {
    const { id } = await cluster();
    const reader = await live.person();
    await live.grant(reader, id, teamRoles.TeamAdmin);
    const { client, page } = await openGraph(reader, id, { namespace: 'shop' });
    expect(keys(page)).toEqual(whole);
    await live.narrow(
      reader,
      permissions.filter((name) => name !== 'secrets.view'),
    );
    await runUntil(
      client,
      'no secret',
      () => page.snapshots > 1 && !page.rows.has('~ Secret shop/env') && page.rows.size > 0,
    );
    expect(JSON.stringify([...page.rows])).not.toContain('Secret');
  });

  test('of somebody who may view nothing is empty and says why', async () => {
    const { id } = await cluster();
    const nobody = await live.person();
    await live.grant(nobody, id, teamRoles.Viewer);
    await live.narrow(nobody, ['clusters.view']);
    const { page } = await openGraph(nobody, id, { namespace: 'shop' });
    expect(page.rows.size).toBe(0);
    expect(page.state?.message).toContain('Pods');
  });

  test('of one object is what belongs to it, for those who may view the object', async () => {
    const { id } = await cluster();
    const { page } = await openGraph(owner, id, { kind: 'service', namespace: 'shop', name: 'api' });
    expect(keys(page)).toEqual(whole);
    const viewer = await live.person();
    await live.grant(viewer, id, teamRoles.Viewer);
    const client = await live.open(viewer);
    const refused = client.graph(id, { kind: 'secret', namespace: 'shop', name: 'env' });
    await client.until('it is refused', () => refused.ended !== undefined);
    expect(refused.ended?.status).toBe(403);
  });

  test.each([
    [{ kind: 'nothing', name: 'a' }, 404],
    [{ kind: 'pod', name: 'a' }, 400],
    [{ kind: 'release', namespace: 'shop', name: 'a' }, 400],
  ] as const)('that no cluster could answer is refused: %j', async (graph, status) => {
    const { id } = await cluster();
    const client = await live.open(owner);
    const page = client.graph(id, graph);
    await client.until('it is refused', () => page.ended !== undefined);
    expect(page.ended?.status).toBe(status);
  });

  test('of a cluster that a person does not reach is not found', async () => {
    const { id } = await cluster();
    const client = await live.open(await live.person());
    const page = client.graph(id, { namespace: 'shop' });
    await client.until('it is refused', () => page.ended !== undefined);
    expect(page.ended?.status).toBe(404);
  });

  test('says what the console’s credential may not read, and shows the rest', async () => {
    const { transport, id } = await cluster();
    const answer = transport.onList;
    transport.onList = (request) => {
      if (request.path === secrets) throw refusal(403);
      return answer(request);
    };
    const { page } = await openGraph(owner, id, { namespace: 'shop' });
    expect(page.state?.message).toContain('Secrets');
    // Nobody knows whether it exists: it is named, not missing.
    expect(page.rows.get('~ Secret shop/env')?.[5]).toBe('named');
  });

  test('leaves nothing running when its last page has closed it', async () => {
    const { id } = await cluster();
    const { client } = await openGraph(owner, id, { namespace: 'shop' });
    await client.close();
    await clock.advance(2 * feedGrace);
    expect(live.hub.stats().reflectors).toBe(0);
  });

  test('draws custom resources that its objects name, and those of their family, from their definitions, live', async () => {
    const group = '/apis/cert-manager.io';
    const version = `${group}/v1`;
    const defined = (kind: string, plural: string, scope = 'Namespaced') =>
      ({
        metadata: { name: `${plural}.cert-manager.io`, uid: `uid-${plural}`, resourceVersion: '1' },
        spec: {
          group: 'cert-manager.io',
          scope,
          names: { kind, plural },
          versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} } }],
        },
      }) as KubeObject;
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const certificates = `${version}/certificates`;
    const { metadata, ...tls } = made('env');
    const { transport, id } = await cluster({
      [secrets]: [
        { ...tls, metadata: { ...metadata, annotations: { 'cert-manager.io/certificate-name': 'api' } } },
      ],
      [definitions]: [
        defined('Certificate', 'certificates'),
        defined('ClusterIssuer', 'clusterissuers', 'Cluster'),
      ],
      [certificates]: [
        made('api', { secretName: 'env', issuerRef: { kind: 'ClusterIssuer', name: 'public' } }),
      ],
      [`${version}/clusterissuers`]: [
        { metadata: { name: 'public', uid: 'uid-public', resourceVersion: '1' } },
      ],
    });
    const answer = transport.onList;
    transport.onList = (request) => {
      if (request.path === group) return { preferredVersion: { version: 'v1' } } as never;
      if (request.path !== version) return answer(request);
      const resources = [
        { name: 'certificates', kind: 'Certificate', namespaced: true },
        { name: 'clusterissuers', kind: 'ClusterIssuer', namespaced: false },
      ];
      return { resources } as never;
    };
    const { client, page } = await openGraph(owner, id, { namespace: 'shop' });
    const certificate = 'cert-manager.io Certificate shop/api';
    const issuer = 'cert-manager.io ClusterIssuer /public';
    await runUntil(client, 'both are there', () =>
      [certificate, issuer].every((key) => page.rows.get(key)?.[5] === 'live'),
    );
    expect(page.rows.get('~ Secret shop/env')?.[6]).toEqual(['uses', certificate]);
    // What made the Secret and is named by it is not tied to it twice.
    expect(page.rows.get(certificate)?.[6]).toEqual(['uses', issuer]);
    const ready = { conditions: [{ type: 'Ready', status: 'False', reason: 'Expired' }] };
    transport.watchOf(certificates).say(
      event('MODIFIED', {
        ...made('api', { secretName: 'env' }),
        metadata: { name: 'api', namespace: 'shop', uid: 'uid-api', resourceVersion: '12' },
        status: ready,
      }),
    );
    await runUntil(client, 'it expired', () =>
      JSON.stringify(page.rows.get(certificate)).includes('["Expired","bad"]'),
    );
    expect(page.rows.has(issuer)).toBe(false);
    // A definition that goes takes its objects along: what names them names them still.
    transport.onList = (request) => {
      if (request.path === `${definitions}/certificates.cert-manager.io`) throw refusal(404);
      if (request.path === version) return { resources: [] } as never;
      return answer(request);
    };
    transport.watchOf(definitions).say(
      event('DELETED', {
        ...defined('Certificate', 'certificates'),
        metadata: { name: 'certificates.cert-manager.io', uid: 'uid-certificates', resourceVersion: '13' },
      }),
    );
    await runUntil(client, 'only its name is left', () => page.rows.get(certificate)?.[5] === 'named');
    await client.close();
    await expect.poll(() => live.hub.stats().sockets).toBe(0);
    await clock.advance(feedGrace + 1_000);
    expect(live.hub.stats()).toMatchObject({
      sockets: 0,
      subscriptions: 0,
      reflectors: 0,
      objects: 0,
      heldBytes: 0,
    });
  });
});
