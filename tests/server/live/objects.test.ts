import { describe, expect, test } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { shareLive } from './live-console.ts';
import { collections, createScriptedTransport, podOf, refusal } from './script-transport.ts';

const pods = '/api/v1/pods';
const deployments = '/apis/apps/v1/deployments';
const shared = shareLive();
const { open } = shared;

async function cluster(lists: Record<string, KubeObject[]>, input = {}) {
  const transport = createScriptedTransport();
  transport.onList = collections(lists);
  return { transport, id: await shared.live.cluster(transport, input) };
}

const event = (type: string, object: object) => ({ type, object });
const versionsOf = (versions: readonly { object: { metadata?: { [key: string]: unknown } | undefined } }[]) =>
  versions.map(({ object }) => object.metadata?.['resourceVersion']);

const deploymentOf = (name: string, version: string, available = 1): KubeObject =>
  ({
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: version, generation: 1 },
    spec: { replicas: 1, selector: { matchLabels: { app: name } } },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: available },
  }) as KubeObject;

const crashing = (name: string, version: string, labels: Record<string, string>) => ({
  ...podOf(name, version),
  metadata: { ...podOf(name, version).metadata, labels },
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'app',
        restartCount: 4,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  },
});

describe('an open object', () => {
  test('comes whole with the first answer, then each version once', async () => {
    const { transport, id } = await cluster({ [pods]: [podOf('a', '1')] });
    const client = await open();
    const page = client.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' });
    await client.until('live', () => page.state?.status === 'live' && page.versions.length === 1);
    expect(page.view).toMatchObject({
      object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', resourceVersion: '1' } },
      status: ['Running', expect.any(String)],
      facts: { isOver: false },
    });
    transport.watchOf(pods).say(event('MODIFIED', podOf('a', '2')));
    transport.watchOf(pods).say(event('MODIFIED', podOf('b', '3')));
    transport.watchOf(pods).say(event('MODIFIED', podOf('a', '4')));
    transport.watchOf(pods).say(event('MODIFIED', podOf('a', '4')));
    transport.watchOf(pods).say(event('MODIFIED', podOf('a', '5')));
    await client.until('the last', () => page.versions.length >= 4);
    expect(versionsOf(page.versions)).toEqual(['1', '2', '4', '5']);
  });

  test('rides on the kind’s own watch, however many pages have it open', async () => {
    const { transport, id } = await cluster({ [pods]: [podOf('a', '1'), podOf('b', '2')] });
    const [one, two] = [await open(), await open()];
    const list = one.subscribe({ clusterId: id, kind: 'pod' });
    await one.until('live', () => list.state?.status === 'live');
    const pages = [
      one.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' }),
      two.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' }),
    ];
    await one.until('open', () => pages[0]?.view !== undefined);
    await two.until('open', () => pages[1]?.view !== undefined);
    transport.watchOf(pods).say(event('MODIFIED', podOf('a', '7')));
    await one.until('changed', () => pages[0]?.versions.length === 2);
    await two.until('changed', () => pages[1]?.versions.length === 2);
    expect(transport.watches.filter(({ request }) => request.path === pods)).toHaveLength(1);
    const gets = transport.requests.filter(({ path }) => path.endsWith('/pods/a'));
    expect(gets).toHaveLength(1);
  });

  test('an answer newer than the watch is shown at once, and what the watch brings later of before is not', async () => {
    const { transport, id } = await cluster({ [pods]: [podOf('a', '1')] });
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => list.state?.status === 'live');
    transport.onList = () => podOf('a', '9');
    const page = client.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' });
    await client.until('open', () => page.view !== undefined);
    for (const version of ['7', '8', '9', '10']) {
      transport.watchOf(pods).say(event('MODIFIED', podOf('a', version)));
    }
    await client.until('the newest', () => page.versions.length === 2);
    expect(versionsOf(page.versions)).toEqual(['9', '10']);
  });

  test('is gone when it is deleted, and another of its name is shown when it comes', async () => {
    const { transport, id } = await cluster({ [pods]: [podOf('a', '1')] });
    const client = await open();
    const page = client.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' });
    await client.until('live', () => page.state?.status === 'live' && page.view !== undefined);
    transport.watchOf(pods).say(event('DELETED', podOf('a', '2')));
    await client.until('gone', () => page.gone !== undefined);
    expect(Date.parse(page.gone?.at ?? '')).toBeGreaterThan(0);
    expect(page.view?.object.metadata?.name).toBe('a');
    const next = podOf('a', '3');
    next.metadata.uid = 'uid-other';
    transport.watchOf(pods).say(event('ADDED', next));
    await client.until('another', () => page.gone === undefined);
    expect(page.view?.object.metadata?.['uid']).toBe('uid-other');
  });

  test('that never was says so, and comes when it is made', async () => {
    const { transport, id } = await cluster({ [pods]: [] });
    const client = await open();
    const page = client.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' });
    await client.until('not there', () => page.gone !== undefined && page.state?.status === 'live');
    expect(page.gone).toEqual({ at: null });
    transport.watchOf(pods).say(event('ADDED', podOf('a', '3')));
    await client.until('made', () => page.view !== undefined);
  });

  test('brings no managed fields and no control characters', async () => {
    const object = podOf('a', '1', 'Run\u001bning');
    Object.assign(object.metadata, { managedFields: [{ manager: 'kubectl' }] });
    const { id } = await cluster({ [pods]: [object] });
    const client = await open();
    const page = client.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' });
    await client.until('open', () => page.view !== undefined);
    expect(JSON.stringify(page.view)).not.toMatch(/managedFields|\\u001b/);
  });

  test('of a cluster that may be read but not listed is shown, as of when it was read', async () => {
    const { transport, id } = await cluster({ [pods]: [podOf('a', '1')] });
    const answer = transport.onList;
    transport.onList = (request) => {
      if (request.path === pods) throw refusal(403);
      return answer(request);
    };
    const client = await open();
    const page = client.open({ clusterId: id, kind: 'pod', namespace: 'shop', name: 'a' });
    await client.until('stale', () => page.view !== undefined && page.state?.status === 'stale');
    expect(page.state?.message).toContain('may not list pods');
  });

  test('needs the namespace that its kind has, and a kind that the console knows', async () => {
    const { id } = await cluster({});
    const client = await open();
    const pages = [
      client.open({ clusterId: id, kind: 'pod', name: 'a' }),
      client.open({ clusterId: id, kind: 'node', namespace: 'shop', name: 'a' }),
      client.open({ clusterId: id, kind: 'nonsense', name: 'a' }),
    ];
    await client.until('refused', () => pages.every(({ ended }) => ended !== undefined));
    expect(pages.map(({ ended }) => ended?.status)).toEqual([400, 400, 404]);
  });
});

describe('what belongs to an object', () => {
  const lists = () => ({
    [deployments]: [deploymentOf('web', '1')],
    [pods]: [podOf('web-1', '2')],
  });

  test('a workload’s trouble is that of its pods first, and goes when they are well', async () => {
    const { transport, id } = await cluster(lists());
    const client = await open();
    const page = client.open({ clusterId: id, kind: 'deployment', namespace: 'shop', name: 'web' });
    await client.until('open', () => page.view !== undefined && page.state?.status === 'live');
    expect(page.view?.attention).toEqual([]);
    await expect.poll(() => transport.watches.some(({ request }) => request.path === pods)).toBe(true);
    transport.watchOf(deployments).say(event('MODIFIED', deploymentOf('web', '3', 0)));
    transport.watchOf(pods).say(event('MODIFIED', crashing('web-1', '4', { app: 'web' })));
    await client.until('both', () => page.view?.attention.length === 2);
    expect(page.view?.attention.map(({ rule }) => rule)).toEqual([
      'pod.crash-loop',
      expect.stringMatching(/^deployment\./),
    ]);
    transport.watchOf(pods).say(event('MODIFIED', podOf('web-1', '5')));
    await client.until('one', () => page.view?.attention.length === 1);
    transport.watchOf(pods).say(event('MODIFIED', crashing('web-1', '6', { app: 'other' })));
    transport.watchOf(pods).say(event('MODIFIED', crashing('web-2', '7', { app: 'web' })));
    await client.until('the other', () => page.view?.attention[0]?.objects[0]?.name === 'web-2');
    expect(page.versions).toHaveLength(2);
  });

  test('pods that were in trouble before the page opened are reported with their workload', async () => {
    const { id } = await cluster({ ...lists(), [pods]: [crashing('web-1', '3', { app: 'web' })] });
    const client = await open();
    const page = client.open({ clusterId: id, kind: 'deployment', namespace: 'shop', name: 'web' });
    await client.until('the cause', () => page.view?.attention[0]?.rule === 'pod.crash-loop');
  });

  test('actions are those of the person, refused with the reason of now', async () => {
    const { transport, id } = await cluster(lists());
    const viewer = await shared.live.person();
    await shared.live.grant(viewer, id, teamRoles.Viewer);
    const admin = await shared.live.person();
    await shared.live.grant(admin, id, teamRoles.TeamAdmin);
    const [one, two] = [await open(viewer), await open(admin)];
    const spec = { clusterId: id, kind: 'deployment', namespace: 'shop', name: 'web' };
    const [seen, managed] = [one.open(spec), two.open(spec)];
    await one.until('open', () => seen.view !== undefined);
    await two.until('open', () => managed.view !== undefined);
    expect(seen.view?.actions).toEqual([]);
    const scale = () => managed.view?.actions.find((action) => action.id === 'deployment.scale');
    expect(scale()).toEqual({ id: 'deployment.scale', enabled: true });
    const autoscalers = '/apis/autoscaling/v2/horizontalpodautoscalers';
    await expect.poll(() => transport.watches.some(({ request }) => request.path === autoscalers)).toBe(true);
    transport.watchOf(autoscalers).say(
      event('ADDED', {
        metadata: { name: 'web', namespace: 'shop', uid: 'h', resourceVersion: '9' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          minReplicas: 2,
          maxReplicas: 5,
        },
      }),
    );
    await two.until('scaled by it', () => (managed.view?.joined.scaledBy ?? null) !== null);
    expect(scale()?.enabled).toBe(true);
    expect(managed.view?.joined.scaledBy).toEqual({
      kind: 'HorizontalPodAutoscaler',
      name: 'web',
      min: 2,
      max: 5,
    });
    expect(managed.versions).toHaveLength(1);
  });

  test('a grant that changes changes the actions, and its end ends the page', async () => {
    const { transport, id } = await cluster(lists());
    const person = await shared.live.person();
    const endView = await shared.live.grant(person, id, teamRoles.Viewer);
    const client = await open(person);
    const page = client.open({ clusterId: id, kind: 'deployment', namespace: 'shop', name: 'web' });
    await client.until('open', () => page.view !== undefined);
    const endAdmin = await shared.live.grant(person, id, teamRoles.TeamAdmin);
    await client.until('more', () => (page.view?.actions.length ?? 0) > 0);
    await endView();
    await endAdmin();
    await client.until('ended', () => page.ended !== undefined);
    const before = page.versions.length;
    transport.watchOf(deployments).say(event('MODIFIED', deploymentOf('web', '8')));
    const other = await open();
    const seen = other.open({ clusterId: id, kind: 'deployment', namespace: 'shop', name: 'web' });
    await other.until('the owner sees it', () => seen.view !== undefined);
    expect([page.ended?.status, page.versions.length]).toEqual([404, before]);
  });

  test('nothing goes on once everybody left', async () => {
    const { id } = await cluster(lists());
    const client = await open();
    const before = shared.live.hub.stats().subscriptions;
    const page = client.open({ clusterId: id, kind: 'deployment', namespace: 'shop', name: 'web' });
    await client.until('open', () => page.view !== undefined);
    expect(shared.live.hub.stats().subscriptions).toBe(before + 1);
    client.send({ type: 'unsubscribe', id: page.id });
    await expect.poll(() => shared.live.hub.stats().subscriptions).toBe(before);
  });
});

describe('a list with conditions', () => {
  test('has only the rows that meet them, and rows move in and out with their labels', async () => {
    const labelled = (name: string, version: string, app: string) => {
      const object = podOf(name, version);
      object.metadata.labels = { app };
      return object;
    };
    const { transport, id } = await cluster({
      [pods]: [labelled('a', '1', 'web'), labelled('b', '2', 'api')],
    });
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod', where: { labels: 'app in (web)' } });
    await client.until('live', () => list.state?.status === 'live');
    expect([...list.rows.keys()]).toEqual(['uid-a']);
    transport.watchOf(pods).say(event('MODIFIED', labelled('b', '3', 'web')));
    transport.watchOf(pods).say(event('MODIFIED', labelled('a', '4', 'api')));
    await client.until('moved', () => list.rows.has('uid-b') && !list.rows.has('uid-a'));
  });

  test('filters by owner, by node and by the object of an event', async () => {
    const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs-1' };
    const owned = podOf('a', '1');
    Object.assign(owned.metadata, { ownerReferences: [reference] });
    const placed = { ...podOf('b', '2'), spec: { nodeName: 'n1' } };
    const about = {
      metadata: { name: 'e', namespace: 'shop', uid: 'uid-e', resourceVersion: '3' },
      involvedObject: { kind: 'Pod', name: 'a', uid: 'uid-a' },
    };
    const other = { ...about, metadata: { ...about.metadata, uid: 'uid-f', name: 'f' }, involvedObject: {} };
    const { id } = await cluster({ [pods]: [owned, placed], '/api/v1/events': [about, other] });
    const client = await open();
    const lists = [
      client.subscribe({ clusterId: id, kind: 'pod', where: { owner: 'rs-1' } }),
      client.subscribe({ clusterId: id, kind: 'pod', where: { node: 'n1' } }),
      client.subscribe({
        clusterId: id,
        kind: 'event',
        where: { about: 'uid-a' },
        sort: '-last-seen',
        limit: 10,
      }),
    ];
    await client.until('live', () => lists.every((list) => list.state?.status === 'live'));
    expect(lists.map((list) => [...list.rows.keys()])).toEqual([['uid-a'], ['uid-b'], ['uid-e']]);
  });

  test('a label selector that cannot be read is refused in words', async () => {
    const { id } = await cluster({});
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind: 'pod', where: { labels: 'app in web' } });
    await client.until('refused', () => list.ended !== undefined);
    expect(list.ended?.status).toBe(400);
    expect(list.ended?.title).toContain('The label selector cannot be read');
  });
});
