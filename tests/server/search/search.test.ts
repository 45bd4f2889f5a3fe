import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { type Lab, startLab } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';

let lab: Lab;
const patience = { timeout: 60_000, interval: 50 };

const definition = (group: string, plural: string, kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), shortNames: ['bt'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

beforeAll(async () => {
  lab = await startLab();
  await lab.put('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'checkout-settings' } });
  await lab.put('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'cart' } });
  await lab.put('/api/v1/namespaces/shop/secrets', {
    metadata: { name: 'checkout-keys', annotations: { note: 'CANARY' } },
    data: { pin: Buffer.from('CANARY').toString('base64') },
  });
  await lab.put(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    definition('sail.example.org', 'boats', 'Boat'),
  );
  await vi.waitFor(() =>
    lab.put('/apis/sail.example.org/v1/namespaces/shop/boats', {
      apiVersion: 'sail.example.org/v1',
      kind: 'Boat',
      metadata: { name: 'checkout-dinghy' },
    }),
  );
});
afterAll(() => lab.close());

/** Searches once everything is read. */
async function find(person: TestPerson, query: Readonly<Record<string, string>>) {
  return await vi.waitFor(async () => {
    const result = await person.client.call('search', { query });
    expect(result.isReading).toBe(false);
    return result;
  }, patience);
}

const namesOf = ({ hits }: { readonly hits: readonly { readonly name: string }[] }) =>
  hits.map(({ name }) => name).sort();

describe('searching objects by name', () => {
  test('finds objects of every kind, custom ones too, with where they are', async () => {
    const { hits, total, clusters } = await vi.waitFor(async () => {
      const result = await find(lab.owner, { q: 'checkout' });
      expect(result.total).toBe(3);
      return result;
    }, patience);
    expect({ total, clusters }).toEqual({ total: 3, clusters: 1 });
    expect(hits).toEqual(
      expect.arrayContaining([
        {
          clusterId: lab.clusterId,
          kind: 'configmap',
          kindName: 'ConfigMap',
          namespace: 'shop',
          name: 'checkout-settings',
        },
        expect.objectContaining({ kind: 'crd:boats.sail.example.org', name: 'checkout-dinghy' }),
      ]),
    );
  });

  test('reveals only the name of a Secret, and only to people who may view Secrets', async () => {
    const viewer = await lab.member(teamRoles.Viewer);
    const secretViewer = await lab.member(teamRoles.SecretViewer);
    expect(namesOf(await find(viewer, { q: 'checkout' }))).toEqual(['checkout-dinghy', 'checkout-settings']);
    const result = await find(secretViewer, { q: 'checkout-keys' });
    expect(result.hits).toEqual([
      {
        clusterId: lab.clusterId,
        kind: 'secret',
        kindName: 'Secret',
        namespace: 'shop',
        name: 'checkout-keys',
      },
    ]);
    const asked = await find(viewer, { q: 'checkout', kinds: 'secret' });
    expect(asked).toMatchObject({ hits: [], total: 0, clusters: 0 });
  });

  test('finds Helm releases by the names of their Secrets and ConfigMaps, each once, for people who may view releases', async () => {
    for (const revision of [1, 2]) {
      await lab.put('/api/v1/namespaces/shop/secrets', {
        metadata: {
          name: `sh.helm.release.v1.tideline.v${revision}`,
          labels: { owner: 'helm', name: 'tideline', version: `${revision}`, status: 'deployed' },
        },
        type: 'helm.sh/release.v1',
        data: { release: Buffer.from('CANARY').toString('base64') },
      });
    }
    // Its name alone makes no Secret a release.
    await lab.put('/api/v1/namespaces/shop/secrets', {
      metadata: { name: 'sh.helm.release.v1.tideline-fake.v1' },
    });
    const found = await vi.waitFor(async () => {
      const result = await find(lab.owner, { q: 'tideline', kinds: 'release' });
      expect(result.hits).toHaveLength(1);
      return result;
    }, patience);
    expect(found.hits).toEqual([
      expect.objectContaining({
        kind: 'release',
        kindName: 'Release',
        namespace: 'shop',
        name: 'tideline',
        clusterId: lab.clusterId,
      }),
    ]);
    expect(JSON.stringify(found)).not.toContain('CANARY');
    await lab.put('/api/v1/namespaces/shop/configmaps', {
      metadata: {
        name: 'sh.helm.release.v1.springtide.v1',
        labels: { owner: 'helm', name: 'springtide', version: '1', status: 'deployed' },
      },
      data: { release: 'CANARY' },
    });
    await vi.waitFor(async () => {
      const result = await find(lab.owner, { q: 'springtide', kinds: 'release' });
      expect(result.hits).toMatchObject([{ kind: 'release', namespace: 'shop', name: 'springtide' }]);
    }, patience);
    const viewer = await lab.member(teamRoles.Viewer);
    expect((await find(viewer, { q: 'tideline', kinds: 'release' })).hits).toHaveLength(1);
    const stranger = await lab.console.person({ companyId: await lab.console.company() });
    expect((await find(stranger, { q: 'tideline' })).hits).toEqual([]);
  });

  test('a grant that is gone is gone with the next question', async () => {
    const { console } = lab;
    const person = await lab.member(teamRoles.Viewer);
    expect((await find(person, { q: 'cart' })).total).toBe(1);
    const stranger = await console.person({ companyId: await console.company(), isOwner: true });
    expect(await find(stranger, { q: 'cart' })).toMatchObject({ hits: [], total: 0 });
    const outsider = await console.person({ companyId: await companyOf() });
    expect(await find(outsider, { q: 'cart' })).toMatchObject({ hits: [], total: 0 });
    await console.store.db.delete(teamMembers).where(eq(teamMembers.userId, person.id));
    expect(await find(person, { q: 'cart' })).toMatchObject({ hits: [], total: 0 });
  });

  test('follows created and deleted objects', async () => {
    await lab.put('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'newcomer' } });
    await vi.waitFor(async () => expect((await find(lab.owner, { q: 'newcomer' })).total).toBe(1), patience);
    await lab.transport.json({ method: 'DELETE', path: '/api/v1/namespaces/shop/configmaps/newcomer' });
    await vi.waitFor(async () => expect((await find(lab.owner, { q: 'newcomer' })).total).toBe(0), patience);
  });

  test('a namespace alone finds itself, not all that is in it', async () => {
    const { hits } = await find(lab.owner, { q: 'shop' });
    expect(hits.map(({ kindName, name }) => [kindName, name])).toEqual([['Namespace', 'shop']]);
    expect(namesOf(await find(lab.owner, { q: 'cart shop' }))).toEqual(['cart']);
  });

  test('forgives two typing mistakes where nothing else is found, and puts ReplicaSets last', async () => {
    const first = async (q: string) => (await find(lab.owner, { q })).hits[0]?.name;
    expect(await first('chekcout-settings')).toBe('checkout-settings');
    expect(await first('setitngs chekcout')).toBe('checkout-settings');
    // Without a mistake nothing is forgiven.
    expect(namesOf(await find(lab.owner, { q: 'checkout-settings' }))).toEqual(['checkout-settings']);
    const labels = { app: 'ledger' };
    await lab.put('/apis/apps/v1/namespaces/shop/replicasets', {
      metadata: { name: 'ledger-58b6' },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'ledger', image: 'example/ledger' }] },
        },
      },
    });
    await lab.put('/api/v1/namespaces/shop/configmaps', {
      metadata: { name: 'ledger-settings-of-this-year' },
    });
    await vi.waitFor(async () => {
      const { hits } = await find(lab.owner, { q: 'ledger' });
      expect(hits.map(({ kindName }) => kindName)).toEqual(['ConfigMap', 'ReplicaSet']);
    }, patience);
  });

  test('can be narrowed to a cluster, kinds and a namespace, and is never longer than asked', async () => {
    expect((await find(lab.owner, { q: 'checkout', cluster: '999' })).hits).toEqual([]);
    expect(namesOf(await find(lab.owner, { q: '', kinds: 'configmap', namespace: 'shop' }))).toContain(
      'cart',
    );
    const short = await find(lab.owner, { q: 'checkout', limit: '1' });
    expect(short.hits).toHaveLength(1);
    expect(short.total).toBeGreaterThan(1);
    expect((await lab.owner.client.send('GET', '/api/search?limit=51')).status).toBe(400);
    expect((await lab.owner.client.send('GET', `/api/search?q=${'x'.repeat(201)}`)).status).toBe(400);
  });

  test('counts what excluded namespaces leave out, of those that the person may see, and shows it on demand', async () => {
    const params = { clusterId: lab.clusterId };
    const settings = await lab.owner.client.call('userSettings', { params });
    await lab.put('/api/v1/namespaces', { metadata: { name: 'closed' } });
    await lab.put('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'lantern-one' } });
    await lab.put('/api/v1/namespaces/closed/configmaps', { metadata: { name: 'lantern-two' } });
    const narrow = await lab.member(teamRoles.Viewer, ['shop']);
    const exclude = async ({ client }: TestPerson, excludedNamespaces: string[]) =>
      await client.call('saveUserSettings', { params, body: { ...settings, excludedNamespaces } });
    await exclude(lab.owner, ['closed']);
    await exclude(narrow, ['closed', 'shop']);
    const counted = async (person: TestPerson, query: Readonly<Record<string, string>>) => {
      const { hits, total, excluded } = await find(person, query);
      return { names: namesOf({ hits }), total, excluded };
    };
    await vi.waitFor(async () => {
      expect(await counted(lab.owner, { q: 'lantern' })).toEqual({
        names: ['lantern-one'],
        total: 1,
        excluded: 1,
      });
    }, patience);
    // Nothing but a mistake is found in sight: what the words name is still what is counted.
    expect(await counted(lab.owner, { q: 'lantern-two' })).toMatchObject({ excluded: 1 });
    expect(await counted(lab.owner, { q: 'lantern', excluded: 'shown' })).toEqual({
      names: ['lantern-one', 'lantern-two'],
      total: 2,
      excluded: 0,
    });
    expect(await counted(lab.owner, { q: 'lantern', namespace: 'closed' })).toMatchObject({
      names: ['lantern-two'],
      excluded: 0,
    });
    // Of `closed`, which the grant does not reach, nothing is said.
    expect(await counted(narrow, { q: 'lantern' })).toEqual({ names: [], total: 0, excluded: 1 });
    expect((await counted(narrow, { q: 'lantern', excluded: 'shown' })).names).toEqual(['lantern-one']);
    await exclude(lab.owner, []);
  });

  test("lists a cluster's own kinds for people who may view them", async () => {
    const params = { clusterId: lab.clusterId };
    const { kinds } = await vi.waitFor(async () => {
      const answer = await lab.owner.client.call('searchKinds', { params });
      expect(answer.isReading).toBe(false);
      return answer;
    }, patience);
    expect(kinds).toContainEqual({
      id: 'crd:boats.sail.example.org',
      kind: 'Boat',
      title: 'Boats',
      group: 'sail.example.org',
      plural: 'boats',
      scope: 'Namespaced',
      aliases: ['bt'],
    });
    const stranger = await lab.console.person({ companyId: await lab.console.company(), isOwner: true });
    expect((await stranger.client.send('GET', `/api/clusters/${lab.clusterId}/search/kinds`)).status).toBe(
      404,
    );
  });

  test('a definition that is gone takes its kind along', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await lab.put(path, definition('gone.example.org', 'kites', 'Kite'));
    const params = { clusterId: lab.clusterId };
    const ids = async () =>
      (await lab.owner.client.call('searchKinds', { params })).kinds.map(({ id }) => id);
    await vi.waitFor(async () => expect(await ids()).toContain('crd:kites.gone.example.org'), patience);
    await lab.transport.json({ method: 'DELETE', path: `${path}/kites.gone.example.org` });
    await vi.waitFor(async () => expect(await ids()).not.toContain('crd:kites.gone.example.org'), patience);
  });
});

async function companyOf(): Promise<number> {
  const [row] = await lab.console.store.db.select().from(clusters);
  return row?.companyId ?? 0;
}

describe('which objects are gone', () => {
  const asked = (kind: string, name: string, namespace = 'shop') => ({
    clusterId: lab.clusterId,
    kind,
    namespace,
    name,
  });
  const ask = (person: TestPerson, ...objects: readonly ReturnType<typeof asked>[]) =>
    vi.waitFor(async () => {
      const { gone, isReading } = await person.client.call('goneObjects', {
        body: { objects: [...objects] },
      });
      expect(isReading).toBe(false);
      return gone;
    }, patience);

  test('is said of names that are read, and of nothing else', async () => {
    const gone = await ask(
      lab.owner,
      asked('configmap', 'cart'),
      asked('configmap', 'cart-of-yesterday'),
      asked('secret', 'checkout-keys'),
      asked('secret', 'checkout-keys', 'elsewhere'),
      // Names of leases are not held, and nobody knows this kind.
      asked('lease', 'any'),
      asked('no-such-kind', 'any'),
      { ...asked('configmap', 'any'), clusterId: 999_999 },
    );
    expect(gone).toEqual([1, 3]);
  });
});
