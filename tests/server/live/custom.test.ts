import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { maskedText } from '../../../src/kube/masked.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';
import { type LiveClient, type LiveList, openLive } from './live-client.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ownColumns = [{ name: 'Litres', type: 'integer', jsonPath: '.spec.litres' }];

let lab: Lab;
let viewer: TestPerson;
const pages: LiveClient[] = [];
let count = 0;

beforeAll(async () => {
  lab = await startLab();
  viewer = await lab.member(teamRoles.Viewer);
});
afterAll(async () => {
  for (const page of pages) page.socket.terminate();
  await lab.close();
});

async function pageOf(person: TestPerson): Promise<LiveClient> {
  const { url } = lab.console;
  const page = await openLive(url, { origin: url, cookie: person.client.cookie });
  pages.push(page);
  return page;
}

/** Kettles of an API group of their own. */
function kettles({ scope = 'Namespaced' } = {}) {
  count += 1;
  const group = `g${count}.example.org`;
  const collection = `/apis/${group}/v1${scope === 'Cluster' ? '' : '/namespaces/shop'}/kettles`;
  const version = (additionalPrinterColumns: readonly object[]) => ({
    name: 'v1',
    served: true,
    storage: true,
    additionalPrinterColumns,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  return {
    group,
    kind: `crd:kettles.${group}`,
    collection,
    place: { clusterId: lab.clusterId, ...(scope === 'Cluster' ? {} : { namespace: 'shop' }) },
    define: (definedScope = scope) =>
      lab.put(definitions, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `kettles.${group}` },
        spec: {
          group,
          scope: definedScope,
          names: { kind: 'Kettle', plural: 'kettles' },
          versions: [version(ownColumns)],
        },
      }),
    redefine: (columns: readonly object[]) =>
      lab.merge(`${definitions}/kettles.${group}`, { spec: { versions: [version(columns)] } }),
    remove: () => lab.transport.json({ method: 'DELETE', path: `${definitions}/kettles.${group}` }),
    put: (name: string, litres: number) =>
      lab.put(collection, {
        apiVersion: `${group}/v1`,
        kind: 'Kettle',
        metadata: { name },
        spec: { litres },
      }),
  };
}

const columnsOf = ({ kind }: LiveList) =>
  (kind?.['columns'] as { id: string }[] | undefined)?.map(({ id }) => id);
/** The cells of one column, by the name of the object. */
function cellsOf(list: LiveList, id: string): Record<string, unknown> {
  const ids = columnsOf(list) ?? [];
  const [at, nameAt] = [ids.indexOf(id), ids.indexOf('name')];
  return Object.fromEntries([...list.rows.values()].map((cells) => [cells[nameAt], cells[at]]));
}

describe('a custom resource', () => {
  test('is listed by the columns of its definition, and follows its cluster within a second', async () => {
    const kettle = kettles();
    await kettle.define();
    await kettle.put('small', 1);
    const page = await pageOf(viewer);
    const list = page.subscribe({ clusterId: lab.clusterId, kind: kettle.kind });
    await page.until('it is live', () => list.state?.status === 'live');
    expect(list.kind).toMatchObject({ id: kettle.kind, kind: 'Kettle', scope: 'Namespaced', version: 'v1' });
    expect(columnsOf(list)).toEqual(['namespace', 'name', 'status', 'litres', 'labels', 'age']);
    expect(cellsOf(list, 'litres')).toEqual({ small: 1 });

    const at = Date.now();
    await kettle.put('large', 9);
    await lab.merge(`${kettle.collection}/small`, { spec: { litres: 2 } });
    await page.until('both are there', () => {
      const cells = cellsOf(list, 'litres');
      return cells['small'] === 2 && cells['large'] === 9;
    });
    await lab.transport.json({ method: 'DELETE', path: `${kettle.collection}/small` });
    await page.until('one is gone', () => list.rows.size === 1);
    expect(Date.now() - at).toBeLessThan(2_000);
  });

  test('opens as an object, with each of its versions and what may be done to it', async () => {
    const kettle = kettles();
    await kettle.define();
    await kettle.put('small', 1);
    const admin = await lab.member(teamRoles.TeamAdmin);
    for (const [person, actions] of [
      [viewer, []],
      [admin, ['object.labels', 'object.annotations', 'object.delete']],
    ] as const) {
      const page = await pageOf(person);
      const object = page.open({ ...kettle.place, kind: kettle.kind, name: 'small' });
      await page.until('it is there', () => object.view !== undefined);
      expect(object.kind).toMatchObject({ id: kettle.kind });
      expect(object.view?.actions.map(({ id }) => id)).toEqual(actions);
    }
    const page = await pageOf(admin);
    const object = page.open({ ...kettle.place, kind: kettle.kind, name: 'small' });
    await page.until('it is followed', () => object.state?.status === 'live');
    const done = await admin.client.call('runAction', {
      params: { clusterId: lab.clusterId, actionId: 'object.labels' },
      body: {
        refs: [{ kind: kettle.kind, namespace: 'shop', name: 'small' }],
        args: { labels: { tea: 'green' } },
      },
    });
    expect(done.outcomes).toMatchObject([{ ok: true }]);
    await page.until('the label is there', () => {
      const seen = object.view?.object as KubeObject | undefined;
      return seen?.metadata?.labels?.['tea'] === 'green';
    });
    await admin.client.call('runAction', {
      params: { clusterId: lab.clusterId, actionId: 'object.delete' },
      body: {
        refs: [{ kind: kettle.kind, namespace: 'shop', name: 'small' }],
        args: { propagation: 'Background' },
      },
    });
    await page.until('it is gone', () => object.gone !== undefined);
    expect(await lab.seen(`${kettle.collection}/small`)).toBeUndefined();
  });

  test('is changed over HTTP by those who may, under the ids of its actions, many at a time', async () => {
    const kettle = kettles();
    await kettle.define();
    for (const name of ['a', 'b']) await kettle.put(name, 1);
    const admin = await lab.member(teamRoles.TeamAdmin);
    const refs = ['a', 'b', 'gone'].map((name) => ({ kind: kettle.kind, namespace: 'shop', name }));
    const run = (person: TestPerson, actionId: string, args: Record<string, unknown>, dryRun: boolean) =>
      person.client.call('runAction', {
        params: { clusterId: lab.clusterId, actionId },
        body: { refs, args, dryRun },
      });
    const annotate = { annotations: { 'example.org/tea': 'one\ntwo' } };
    expect((await refusal(run(viewer, 'object.annotations', annotate, false))).status).toBe(403);
    expect((await refusal(run(admin, 'pod.evict', {}, false))).status).toBe(400);

    const { outcomes } = await run(admin, 'object.annotations', annotate, true);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(outcomes[0]?.after?.metadata).toMatchObject(annotate);
    expect((await lab.seen(`${kettle.collection}/a`))?.metadata?.annotations).toBeUndefined();

    const removed = await run(admin, 'object.delete', { propagation: 'Orphan' }, false);
    expect(removed.outcomes.map(({ ok, status }) => [ok, status])).toEqual([
      [true, 200],
      [true, 200],
      [false, 404],
    ]);
    // What it owns is let go first, by a controller that rests here.
    expect((await lab.seen(`${kettle.collection}/a`))?.metadata?.finalizers).toEqual(['orphan']);
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    expect(rows.slice(-2).map(({ action, subject }) => [action, subject])).toMatchObject([
      ['object.annotations', { kind: kettle.kind, dryRun: true }],
      ['object.delete', { kind: kettle.kind, namespace: 'shop', objects: 3, failed: 1 }],
    ]);
  });

  test('that is not defined says so, begins once it is, and says so again when it no longer is', async () => {
    const kettle = kettles();
    const page = await pageOf(viewer);
    const list = page.subscribe({ clusterId: lab.clusterId, kind: kettle.kind });
    await page.until('it is absent', () => list.state?.status === 'absent');
    expect(list.state?.message).toBe(
      `${lab.name} does not serve kettles.${kettle.group}. Objects appear here as soon as the resource is defined.`,
    );

    await kettle.define();
    await page.until('it is live', () => list.state?.status === 'live' && list.kind !== undefined);
    await kettle.put('small', 1);
    await page.until('it has a row', () => list.rows.size === 1);

    await kettle.remove();
    await page.until('its objects are gone with it', () => list.rows.size === 0);
    await page.until('it is absent again', () => list.state?.status === 'absent');

    await kettle.define();
    await page.until('it is back', () => list.state?.status === 'live');
    await kettle.put('new', 4);
    await page.until('it has a new row', () => cellsOf(list, 'litres')['new'] === 4);
  });

  test('that was defined anew with another scope is called by that one at once', async () => {
    const kettle = kettles();
    await kettle.define();
    const page = await pageOf(viewer);
    const list = page.subscribe({ clusterId: lab.clusterId, kind: kettle.kind });
    await page.until('it is live', () => list.state?.status === 'live');
    const params = { clusterId: lab.clusterId, kind: kettle.kind };
    const query = { namespace: 'shop' };
    expect(await viewer.client.call('objects', { params, query })).toEqual({ items: [] });
    await kettle.remove();
    await page.until('it is absent', () => list.state?.status === 'absent');
    await kettle.define('Cluster');
    await page.until('it is of the cluster', () => list.state?.status === 'live');
    expect(list.kind).toMatchObject({ scope: 'Cluster' });
    expect((await refusal(viewer.client.call('objects', { params, query }))).title).toBe(
      'Kettles are not namespaced.',
    );
  });

  test('shows other columns as soon as its definition has others, on every page and by a path alone', async () => {
    const kettle = kettles();
    await kettle.define();
    await lab.put(kettle.collection, {
      apiVersion: `${kettle.group}/v1`,
      kind: 'Kettle',
      metadata: { name: 'small' },
      spec: { litres: 1, watts: 800, most: 2 },
    });
    const page = await pageOf(viewer);
    const lists = [kettle.kind, `${kettle.group}~~kettles`, `${kettle.group}~v1~Kettle`].map((kind) =>
      page.subscribe({ clusterId: lab.clusterId, kind }),
    );
    await page.until('all are live', () => lists.every(({ state }) => state?.status === 'live'));
    await kettle.redefine([...ownColumns, { name: 'Watts', type: 'integer', jsonPath: '.spec.watts' }]);
    await page.until('all show watts', () => lists.every((list) => cellsOf(list, 'watts')['small'] === 800));
    await kettle.redefine([{ name: 'Litres', type: 'integer', jsonPath: '.spec.most' }]);
    await page.until('all show the most', () =>
      lists.every((list) => cellsOf(list, 'litres')['small'] === 2),
    );
    expect(lists.map((list) => list.kind?.['id'])).toEqual(lists.map(() => kettle.kind));
  });

  test('of the cluster is found from a page that takes it to have a namespace', async () => {
    const kettle = kettles({ scope: 'Cluster' });
    await kettle.define();
    await kettle.put('only', 3);
    const page = await pageOf(viewer);
    const where = { clusterId: lab.clusterId, kind: `${kettle.group}~~Kettle`, namespace: 'shop' };
    const list = page.subscribe(where);
    const object = page.open({ ...where, name: 'only' });
    await page.until('both are there', () => list.rows.size === 1 && object.view !== undefined);
    expect(object.kind).toMatchObject({ scope: 'Cluster' });
  });
});

describe('a custom object that is broken', () => {
  test('says so in its list, on its page and under what needs attention, until it is well', async () => {
    const kettle = kettles();
    await kettle.define();
    await kettle.put('small', 1);
    const said = (status: string, reason: string, message: string) => ({
      status: {
        conditions: [{ type: 'Ready', status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' }],
      },
    });
    await lab.merge(`${kettle.collection}/small`, said('False', 'BoilFailed', 'no \u001b[31mwater'));
    const page = await pageOf(viewer);
    const list = page.subscribe({ clusterId: lab.clusterId, kind: kettle.kind });
    const object = page.open({ ...kettle.place, kind: kettle.kind, name: 'small' });
    const board = page.dashboard(lab.clusterId);
    const lines = () =>
      board.dashboard?.attention.filter(({ on }) => on.kind === kettle.kind && on.name === 'small') ?? [];

    await page.until('its row is bad', () => cellsOf(list, 'status')['small'] !== undefined);
    expect(cellsOf(list, 'status')['small']).toEqual(['BoilFailed', 'bad']);
    await page.until('its page is there', () => object.view !== undefined);
    expect(object.view?.status).toEqual(['BoilFailed', 'bad']);
    const line = { tone: 'bad', title: 'It reports “BoilFailed”.', detail: 'no water' };
    expect(object.view?.attention).toMatchObject([line]);
    await page.until('it needs attention', () => lines().length === 1);
    expect(lines()).toMatchObject([line]);

    await lab.merge(`${kettle.collection}/small`, said('True', 'Boiled', 'hot'));
    await page.until('all of them say that it is well', () => {
      const [, tone] = (cellsOf(list, 'status')['small'] ?? []) as readonly unknown[];
      return (
        tone === 'ok' &&
        object.view?.status?.[1] === 'ok' &&
        lines().every(({ endedAt }) => endedAt !== undefined)
      );
    });
    expect(object.view?.attention).toEqual([]);
  });
});

describe('a kind without a file', () => {
  test('is live as well, for those who may view it', async () => {
    const page = await pageOf(viewer);
    const jobs = page.subscribe({ clusterId: lab.clusterId, kind: 'core~v1~configmaps' });
    await page.until('it is live', () => jobs.state?.status === 'live');
    await lab.put('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'settings' } });
    await page.until('it has a row', () => cellsOf(jobs, 'namespace')['settings'] === 'shop');
    expect(jobs.kind).toMatchObject({ kind: 'ConfigMap' });
  });

  test('that permissions do not name is for Owners, by list and by object', async () => {
    const name = 'node.k8s.io~~runtimeclasses';
    await lab.put('/apis/node.k8s.io/v1/runtimeclasses', { metadata: { name: 'reader' }, handler: 'runc' });
    const denied = await pageOf(await lab.member(teamRoles.TeamAdmin));
    const spec = { clusterId: lab.clusterId, kind: name };
    const [list, object] = [denied.subscribe(spec), denied.open({ ...spec, name: 'reader' })];
    await denied.until('both are refused', () => list.ended?.status === 403 && object.ended?.status === 403);

    const page = await pageOf(lab.owner);
    const [shown, opened] = [page.subscribe(spec), page.open({ ...spec, name: 'reader' })];
    await page.until('both are live', () => shown.rows.size > 0 && opened.view !== undefined);
    expect(opened.view?.actions.map(({ id }) => id)).toContain('object.delete');
  });

  test('keeps the values of a secret to itself', async () => {
    await lab.put('/api/v1/namespaces/shop/secrets', {
      metadata: { name: 'keys' },
      stringData: { pin: 'CANARY' },
    });
    const kind = 'secret';
    const denied = await pageOf(viewer);
    const refused = denied.subscribe({ clusterId: lab.clusterId, kind });
    await denied.until('it is refused', () => refused.ended?.status === 403);

    const page = await pageOf(await lab.member(teamRoles.SecretViewer));
    const list = page.subscribe({ clusterId: lab.clusterId, kind });
    const object = page.open({ clusterId: lab.clusterId, kind, namespace: 'shop', name: 'keys' });
    await page.until('both are there', () => list.rows.size > 0 && object.view !== undefined);
    expect(object.view?.object).toMatchObject({ data: { pin: maskedText } });
    const told = JSON.stringify([[...list.rows], object.versions]);
    expect(told).not.toContain('CANARY');
    expect(told).not.toContain(Buffer.from('CANARY').toString('base64'));
  });

  test('takes no lists away from others by versions that the cluster does not serve', async () => {
    const page = await pageOf(viewer);
    const before = lab.console.services.hub.stats().reflectors;
    const lists = Array.from({ length: 100 }, (_, index) =>
      page.subscribe({ clusterId: lab.clusterId, kind: `apps~v2x${index}~controllerrevisions` }),
    );
    await page.until('each is absent', () => lists.every(({ state }) => state?.status === 'absent'));
    expect(lab.console.services.hub.stats().reflectors).toBeLessThanOrEqual(before);
  });

  test('with an impossible name ends at once', async () => {
    const page = await pageOf(lab.owner);
    const list = page.subscribe({ clusterId: lab.clusterId, kind: 'crd:../secrets' });
    await page.until('it ended', () => list.ended !== undefined);
    expect(list.ended).toEqual({ status: 404, title: 'This console does not know that kind of resource.' });
  });
});
