import { describe, expect, it } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import { createKindCatalogue } from '../../../src/server/objects/kind-catalogue.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../../src/server/clusters/transport.ts';
import { clockAt } from '../clock-at.ts';

const cluster = { id: 7, name: 'prod' };
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/';
const services = '/apis/apiregistration.k8s.io/v1/apiservices/';

const definition = (group: string, plural: string, kind: string) => ({
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural },
    versions: [{ name: 'v1', served: true, storage: true }],
  },
});
const refusedWith = (status: number) =>
  new ClusterProblem({ status: status === 403 ? 403 : 502, title: 'It is so.' }, { status });

/** A catalogue over a cluster that knows exactly these paths; a number is the status of a refusal. */
function catalogueOf(answers: Readonly<Record<string, object | number>>) {
  const asked: string[] = [];
  let time = 0;
  const transport: Transport = {
    clusterId: cluster.id,
    credential: '7.1',
    json: async <T>({ path }: KubeRequest): Promise<T> => {
      asked.push(path);
      const answer = answers[path] ?? 404;
      if (typeof answer === 'number') throw refusedWith(answer);
      return await Promise.resolve(answer as T);
    },
    stream: () => Promise.reject(new Error('Nothing streams here.')),
    close: () => Promise.resolve(),
  };
  const catalogue = createKindCatalogue(
    { transport: () => Promise.resolve(transport) },
    clockAt(() => time),
  );
  return {
    asked,
    find: (name: string) => catalogue.find(cluster, name),
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const owner = { view: 'owner', manage: 'owner' };
const custom = { view: 'namespaces.view', manage: 'resources.manage' };

describe('the kind catalogue', () => {
  it('asks no cluster for kinds with a file, nor for built-in ones that permissions name', async () => {
    const { find, asked } = catalogueOf({});
    expect(await find('pod')).toBe(kindById('pod'));
    expect(await find('apps~v1~deployments')).toBe(kindById('deployment'));
    expect((await find('batch~v1~jobs')).permissions).toEqual({
      view: 'namespaces.view',
      manage: 'cronjobs.manage',
    });
    expect(asked).toEqual([]);
  });

  it('takes a built-in one in another version only where the cluster serves it, for the same people', async () => {
    const { find } = catalogueOf({
      '/apis/apps/v1beta1': {
        resources: [{ name: 'controllerrevisions', kind: 'ControllerRevision', namespaced: true }],
      },
    });
    for (const word of ['controllerrevisions', 'ControllerRevision']) {
      expect(await find(`apps~v1beta1~${word}`)).toMatchObject({
        version: 'v1beta1',
        permissions: { view: 'deployments.view', manage: 'deployments.manage' },
      });
      await expect(find(`apps~v9~${word}`)).rejects.toMatchObject({ status: 404 });
    }
    await expect(find('apps~v2~controllerrevisions')).rejects.toMatchObject({ status: 404 });
  });

  it('reads a custom resource from its definition, and believes it for a minute', async () => {
    const group = 'shop.example.org';
    const { find, asked, pass } = catalogueOf({
      [`${crds}orders.${group}`]: definition(group, 'orders', 'Order'),
    });
    const kind = await find(`${group}~v1~orders`);
    expect(kind).toMatchObject({ kind: 'Order', scope: 'Namespaced', permissions: custom });
    const count = asked.length;
    expect(await find(`${group}~v1~orders`)).toBe(kind);
    expect(asked.length).toBe(count);
    pass(60_001);
    await find(`${group}~v1~orders`);
    expect(asked.length).toBe(count * 2);
  });

  it('lets no definition make a built-in group, or one that another server answers for, look custom', async () => {
    const certificates = 'certificates.k8s.io';
    const requests = 'certificatesigningrequests';
    const oauth = 'oauth.example.org';
    const { find, asked } = catalogueOf({
      [`${crds}${requests}.${certificates}`]: definition(certificates, requests, 'Request'),
      [`/apis/${certificates}/v1`]: {
        resources: [{ name: requests, kind: 'CertificateSigningRequest', namespaced: false }],
      },
      [`${crds}tokens.${oauth}`]: definition(oauth, 'tokens', 'Token'),
      [`${services}v1.${oauth}`]: { spec: { service: { name: 'oauth', namespace: 'kube-system' } } },
      [`/apis/${oauth}/v1`]: { resources: [{ name: 'tokens', kind: 'Token', namespaced: false }] },
    });
    expect((await find(`${certificates}~v1~${requests}`)).permissions).toEqual(owner);
    expect(asked).not.toContain(`${crds}${requests}.${certificates}`);
    expect(await find(`${oauth}~v1~tokens`)).toMatchObject({ permissions: owner, scope: 'Cluster' });
  });

  it('is for Owners where the credential may not read the definition', async () => {
    const group = 'shop.example.org';
    const { find } = catalogueOf({
      [`${crds}orders.${group}`]: 403,
      [`/apis/${group}/v1`]: { resources: [{ name: 'orders', kind: 'Order', namespaced: true }] },
    });
    expect((await find(`${group}~v1~orders`)).permissions).toEqual(owner);
  });

  it('takes a definition only for what it defines, and only in versions it serves', async () => {
    const group = 'shop.example.org';
    const { find } = catalogueOf({
      [`${crds}orders.${group}`]: definition('other.example.org', 'orders', 'Order'),
      [`${crds}carts.${group}`]: definition(group, 'carts', 'Cart'),
    });
    for (const name of [`${group}~v1~orders`, `${group}~v2~carts`]) {
      await expect(find(name)).rejects.toMatchObject({ status: 404 });
    }
  });

  it('passes on that the cluster cannot be asked, and remembers nothing of it', async () => {
    const group = 'shop.example.org';
    const answers: Record<string, object | number> = { [`${crds}orders.${group}`]: 500 };
    const { find } = catalogueOf(answers);
    await expect(find(`${group}~v1~orders`)).rejects.toBeInstanceOf(ClusterProblem);
    answers[`${crds}orders.${group}`] = definition(group, 'orders', 'Order');
    expect((await find(`${group}~v1~orders`)).permissions).toEqual(custom);
  });

  it('finds a resource in a version that its cluster does not prefer', async () => {
    const resource = { name: 'filters', kind: 'Filter', namespaced: true };
    const { find } = catalogueOf({
      '/apis/mesh.example.org': {
        preferredVersion: { version: 'v1' },
        versions: [{ version: 'v1' }, { version: 'v1alpha3' }],
      },
      '/apis/mesh.example.org/v1': { resources: [] },
      '/apis/mesh.example.org/v1alpha3': { resources: [resource, { ...resource, name: 'filters/status' }] },
    });
    expect(await find('mesh.example.org~~filters')).toMatchObject({ version: 'v1alpha3', kind: 'Filter' });
    await expect(find('mesh.example.org~~others')).rejects.toMatchObject({ status: 404 });
  });

  it('names the APIService of a server that does not answer, unless another version has the resource', async () => {
    const group = {
      preferredVersion: { version: 'v2' },
      versions: [{ version: 'v2' }, { version: 'v1' }],
    };
    const { find } = catalogueOf({
      '/apis/far.example.org': group,
      '/apis/far.example.org/v2': 503,
      '/apis/far.example.org/v1': { resources: [{ name: 'kites', kind: 'Kite', namespaced: true }] },
    });
    expect(await find('far.example.org~~kites')).toMatchObject({ version: 'v1' });
    await expect(find('far.example.org~~gliders')).rejects.toMatchObject({
      status: 502,
      title:
        'prod: the server of the API far.example.org does not answer (503). The conditions of APIService v2.far.example.org say why.',
    });
  });
});
