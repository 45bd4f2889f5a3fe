import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAddressGuard } from '../../../src/server/clusters/address.ts';
import { ClusterTransport, type HttpTransport } from '../../../src/server/clusters/http-transport.ts';
import {
  type PlaygroundProcess,
  startPlaygroundProcess,
} from '../../../src/server/boot/playground-process.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { openLive } from '../live/live-client.ts';
import { untilReady } from '../until-ready.ts';

const rbac = 'rbac.authorization.k8s.io';
const loopback = ['127.0.0.0/8'];
let playground: PlaygroundProcess;
let admin: HttpTransport;
let console: TestConsole;
let owner: TestPerson;
let companyId: number;

const create = (path: string, body: unknown) => admin.json<unknown>({ method: 'POST', path, body });

/** Binds the role `view` in these namespaces to an account of its own; returns the account's token. */
async function accountWithView(name: string, namespaces: readonly string[]): Promise<string> {
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name } });
  for (const namespace of namespaces) {
    await create(`/apis/${rbac}/v1/namespaces/${namespace}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
    });
  }
  const { status } = await admin.json<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
    body: { spec: { expirationSeconds: 3600 } },
  });
  return status.token;
}

/** Adds the playground to the console by a kubeconfig with this token. */
async function add(name: string, token: string, namespace?: string) {
  const { server, ca } = await playground.target();
  return await owner.client.call('addCluster', {
    body: {
      name,
      description: '',
      kubeConfigContent: JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'one',
        contexts: [{ name: 'one', context: { cluster: 'one', user: 'one', namespace } }],
        clusters: [
          {
            name: 'one',
            cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
          },
        ],
        users: [{ name: 'one', user: { token } }],
      }),
    },
  });
}

const namesOf = (namespaces: readonly { readonly name: string }[]) => namespaces.map(({ name }) => name);

beforeAll(async () => {
  const log = pino({ level: 'silent' });
  playground = startPlaygroundProcess(log, ['--seed', 'bulk:1']);
  await untilReady(playground);
  const { server, ca, token } = await playground.target();
  admin = new ClusterTransport(
    {
      server,
      ca,
      tlsServerName: undefined,
      disableCompression: false,
      namespace: undefined,
      credential: { token },
      impersonate: undefined,
    },
    { clusterId: 1, name: 'admin', credential: 'admin', guard: createAddressGuard(loopback) },
  );
  for (const name of ['shop', 'lab', 'closed']) {
    await create('/api/v1/namespaces', { metadata: { name } });
    for (const one of ['a', 'b']) {
      await create(`/api/v1/namespaces/${name}/services`, {
        metadata: { name: `${name}-${one}` },
        spec: { ports: [{ port: 80 }] },
      });
    }
  }
  console = await startConsole({ config: { allowCidrs: loopback } });
  companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
});

afterAll(async () => {
  await admin.close();
  await console.close();
  await playground.close();
});

/** A page of the owner. */
const openPage = () => openLive(console.url, { origin: console.url, cookie: owner.client.cookie });

describe('a credential that may read one namespace', () => {
  it('works in the namespace of its context: lists, counts, namespaces, palette and dashboard', async () => {
    const { id } = await add('shop only', await accountWithView('shopper', ['shop']), 'shop');
    const page = await openPage();
    const list = page.subscribe({ clusterId: id, kind: 'service' });
    const namespaces = page.subscribe({ clusterId: id, kind: 'namespace' });
    const board = page.dashboard(id);
    const nodes = page.subscribe({ clusterId: id, kind: 'node' });
    await page.until('the list is live', () => list.state?.status === 'live');
    const listed = [...list.rows.values()].map((cells) => cells[1]);
    expect(listed).toEqual(expect.arrayContaining(['shop-a', 'shop-b']));
    expect(listed).not.toContain('lab-a');
    expect(list.state?.message).toBe('Only namespace “shop” is read.');
    await page.until('namespaces are shown', () => namespaces.rows.size === 1);
    await page.until('nodes are refused', () => nodes.state?.status === 'forbidden');
    await page.until('the dashboard shows what is read', () => board.dashboard !== undefined);
    await page.until('the dashboard is live', () => board.state?.status === 'live');
    expect(board.state).toMatchObject({
      message: expect.stringMatching(
        /^Only namespace “shop” is read. Not shown because they cannot be read: .*“Nodes”/,
      ) as string,
    });
    expect(board.state?.message?.match(/Only namespace/g)).toHaveLength(1);
    expect(namespaces.state?.message).toBe('Only namespace “shop” is read.');
    expect(namesOf(await owner.client.call('namespaces', { params: { clusterId: id } }))).toEqual(['shop']);
    const { counts } = await owner.client.call('counts', { params: { clusterId: id } });
    expect(counts).toMatchObject({ namespace: 1, service: list.rows.size });
    expect(counts).not.toHaveProperty('node');
    await vi.waitFor(async () => {
      const { hits } = await owner.client.call('search', { query: { q: 'shop-a', cluster: id } });
      expect(hits.map(({ name }) => name)).toContain('shop-a');
    }, 10_000);
    await page.close();
  });

  it('works in the namespaces that an Owner names for the cluster', async () => {
    const { id } = await add('named', await accountWithView('named', ['lab', 'shop']));
    const page = await openPage();
    const list = page.subscribe({ clusterId: id, kind: 'service' });
    await page.until('refused', () => list.state?.status === 'forbidden');
    const rules = await owner.client.call('globalSettings', { params: { clusterId: id } });
    expect(rules.namespaces).toEqual([]);
    await owner.client.call('saveGlobalSettings', {
      params: { clusterId: id },
      body: { ...rules, namespaces: ['lab', 'shop', 'closed'] },
    });
    await page.until('both are read', () => list.state?.status === 'live');
    const listed = [...list.rows.values()].map((cells) => cells[1]);
    expect(listed).toEqual(expect.arrayContaining(['lab-a', 'shop-a']));
    expect(listed).not.toContain('closed-a');
    expect(list.state?.message).toBe('Not shown because they cannot be read: “closed”.');
    await page.close();
  });

  it('works in the namespaces that its rules name', async () => {
    const token = await accountWithView('ruled', ['lab', 'closed']);
    await create(`/apis/${rbac}/v1/clusterroles`, {
      metadata: { name: 'ruled' },
      rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'], resourceNames: ['lab', 'shop'] }],
    });
    await create(`/apis/${rbac}/v1/clusterrolebindings`, {
      metadata: { name: 'ruled' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'ruled' },
      subjects: [{ kind: 'ServiceAccount', name: 'ruled', namespace: 'default' }],
    });
    const { id } = await add('ruled', token);
    // Named by its rules and readable: lab. Named, and nothing in it may be listed: shop. Not named: closed.
    expect(await console.services.clusters.namespaces(id)).toEqual(['lab']);
  });

  it('says without a namespace in its context what is missing, and works in those that grants name', async () => {
    const { id } = await add('nowhere', await accountWithView('nowhere', ['lab', 'shop', 'closed']));
    const page = await openPage();
    const list = page.subscribe({ clusterId: id, kind: 'service' });
    const board = page.dashboard(id);
    await page.until('both are refused', () =>
      [list, board].every(({ state }) => state?.status === 'forbidden' && state.remedy === 'namespaces'),
    );
    expect(list.state?.message).toBe(
      "This console's credential may not list services in all namespaces of nowhere. Which namespaces it may read is not known: an Owner can name them under “Cluster settings for everyone”.",
    );
    // It may well list them in a namespace that nobody named yet.
    const { unreadable } = await owner.client.call('addOns', { params: { clusterId: id } });
    expect(unreadable).toEqual([]);
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, id, teamRoles.Viewer, ['lab', 'shop', 'absent']);
    expect(await console.services.clusters.namespaces(id)).toEqual(['lab', 'shop']);
    page.send({ type: 'retry', id: list.id });
    await page.until('both are read', () => list.state?.status === 'live');
    expect(list.state).toMatchObject({ message: 'Only the namespaces “lab” and “shop” are read.' });
    expect(list.state).not.toHaveProperty('remedy');
    // Another grant counts at once, in lists and in the palette, without anybody who asks again.
    const isFound = async () => {
      const { hits } = await owner.client.call('search', { query: { q: 'closed-a', cluster: id } });
      return hits.some(({ kind }) => kind === 'service');
    };
    expect(await isFound()).toBe(false);
    await console.grant(companyId, viewer.id, id, teamRoles.Viewer, ['closed']);
    const { store } = console;
    await store.db.transaction((tx) => store.channel.notify('grants', { companyId }, tx));
    await page.until('the new one is read too', () => list.state?.message?.includes('“closed”') === true);
    expect(list.state).toMatchObject({
      status: 'live',
      message: 'Only the namespaces “closed”, “lab” and “shop” are read.',
    });
    const listed = [...list.rows.values()].map((cells) => cells[1]);
    expect(listed).toEqual(expect.arrayContaining(['closed-a', 'lab-a', 'shop-a']));
    await vi.waitFor(async () => expect(await isFound()).toBe(true), 10_000);
    await page.close();
  });

  it('names what it may not list, and has the custom resources that it may in the sidebar', async () => {
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'kettles.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Kettle', plural: 'kettles', shortNames: ['kt'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [
              { name: 'Litres', type: 'integer', jsonPath: '.spec.litres' },
              { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
            ],
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    });
    const token = await accountWithView('brewer', ['shop']);
    const { id } = await add('brewery', token, 'shop');
    const params = { clusterId: id };
    expect(await owner.client.call('definitions', { params })).toEqual([]);
    await create(`/apis/${rbac}/v1/namespaces/shop/roles`, {
      metadata: { name: 'brewer' },
      rules: [{ apiGroups: ['example.org'], resources: ['kettles'], verbs: ['*'] }],
    });
    await create(`/apis/${rbac}/v1/namespaces/shop/rolebindings`, {
      metadata: { name: 'brews' },
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'brewer' },
      subjects: [{ kind: 'ServiceAccount', name: 'brewer', namespace: 'default' }],
    });
    expect(await owner.client.call('definitions', { params })).toMatchObject([
      {
        metadata: { name: 'kettles.example.org' },
        spec: { scope: 'Namespaced', names: { kind: 'Kettle', shortNames: ['kt'] } },
      },
    ]);
    const { unreadable } = await owner.client.call('addOns', { params });
    expect(unreadable).toEqual(expect.arrayContaining(['node', 'customresourcedefinition', 'secret']));
    expect(unreadable).not.toContain('pod');

    const yaml = 'apiVersion: example.org/v1\nkind: Kettle\nmetadata: {name: big}\nspec: {litres: 3}\n';
    const { results } = await owner.client.call('createResource', { params, body: { yaml } });
    expect(results).toMatchObject([{ ok: true, namespace: 'shop', name: 'big' }]);
    const page = await openPage();
    const list = page.subscribe({ clusterId: id, kind: 'crd:kettles.example.org' });
    await page.until('the list is live', () => list.state?.status === 'live');
    const columns = list.kind?.['columns'] as { readonly id: string }[];
    expect(columns.map((column) => column.id)).toEqual(['namespace', 'name', 'litres', 'labels', 'age']);
    const litres = () => [...list.rows.values()].map((cells) => cells[2]);
    expect(litres()).toEqual([3]);
    const one = page.open({ clusterId: id, kind: 'crd:kettles.example.org', namespace: 'shop', name: 'big' });
    await page.until('the object is shown', () => one.view !== undefined);
    await admin.json({
      method: 'PATCH',
      path: '/apis/example.org/v1/namespaces/shop/kettles/big',
      contentType: 'application/merge-patch+json',
      body: { spec: { litres: 4 } },
    });
    await page.until('the change is shown', () => litres()[0] === 4 && one.versions.length > 1);
    expect(JSON.stringify(one.view)).not.toContain('wheelhouseTableCells');
    await page.close();
  });

  it('shows its custom resources to others than Owners where it may read what proves that they are some', async () => {
    const viewer = await console.person({ companyId });
    const account = async (name: string) => {
      const { id } = await add(name, await accountWithView(name, ['shop']), 'shop');
      await create(`/apis/${rbac}/v1/namespaces/shop/rolebindings`, {
        metadata: { name: `${name}-brews` },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'brewer' },
        subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
      });
      await console.grant(companyId, viewer.id, id, teamRoles.Viewer);
      return { clusterId: id };
    };
    const kettles = async (params: { readonly clusterId: number }) => {
      const crd = { ...params, crdName: 'kettles.example.org', ns: 'shop' };
      return (await viewer.client.call('customObjectsIn', { params: crd, query: {} })).items.length;
    };
    const without = await account('without-definitions');
    await expect(kettles(without)).rejects.toMatchObject({ status: 403 });
    // The role that the operations guide names.
    await create(`/apis/${rbac}/v1/clusterroles`, {
      metadata: { name: 'wheelhouse-definitions' },
      rules: [
        {
          apiGroups: ['apiextensions.k8s.io'],
          resources: ['customresourcedefinitions'],
          verbs: ['get', 'list', 'watch'],
        },
        { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], verbs: ['get', 'list'] },
      ],
    });
    await create(`/apis/${rbac}/v1/clusterrolebindings`, {
      metadata: { name: 'with-definitions' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'wheelhouse-definitions' },
      subjects: [{ kind: 'ServiceAccount', name: 'with-definitions', namespace: 'default' }],
    });
    const params = await account('with-definitions');
    expect(await kettles(params)).toBe(1);
    const definitions = await viewer.client.call('definitions', { params });
    expect(definitions.map(({ metadata }) => metadata.name)).toEqual(['kettles.example.org']);
  });

  it('says of references only where it reads that their objects do not exist', async () => {
    const { id } = await add('references', await accountWithView('referrer', ['shop']), 'shop');
    await create('/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices', {
      metadata: { name: 'mixed' },
      addressType: 'IPv4',
      endpoints: ['shop', 'lab'].map((namespace, index) => ({
        addresses: [`10.0.0.${index + 1}`],
        targetRef: { kind: 'Pod', namespace, name: 'nobody' },
      })),
    });
    await create('/apis/networking.k8s.io/v1/namespaces/shop/ingresses', {
      metadata: { name: 'front' },
      spec: {
        ingressClassName: 'nowhere',
        tls: [{ secretName: 'unreadable' }],
        defaultBackend: { service: { name: 'nobody', port: { number: 80 } } },
      },
    });
    const page = await openPage();
    const open = (kind: string, name: string) => page.open({ clusterId: id, kind, namespace: 'shop', name });
    const [slice, ingress] = [open('endpointslice', 'mixed'), open('ingress', 'front')];
    const secrets = page.subscribe({ clusterId: id, kind: 'secret' });
    const classes = page.subscribe({ clusterId: id, kind: 'ingressclass' });
    await page.until(
      'both are said',
      () => slice.view?.missing.length === 1 && ingress.view?.missing.length === 1,
    );
    await page.until('the others are refused', () =>
      [secrets, classes].every(({ state }) => state?.status === 'forbidden'),
    );
    expect(slice.view?.missing).toEqual(['~ Pod shop/nobody']);
    expect(ingress.view?.missing).toEqual(['~ Service shop/nobody']);
    await page.close();
  });
});
