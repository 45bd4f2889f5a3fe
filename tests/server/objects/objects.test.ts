import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { maskedText } from '../../../src/kube/masked.ts';
import type { TestPerson } from '../harness.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';

const secret = 'secret';
const templates = 'core~v1~podtemplates';
const canary = Buffer.from('CANARY').toString('base64');
const older = Buffer.from('OLDER-CANARY').toString('base64');

let lab: Lab;
let people: Record<'viewer' | 'secretViewer' | 'admin', TestPerson>;

beforeAll(async () => {
  lab = await startLab();
  people = {
    viewer: await lab.member(teamRoles.Viewer),
    secretViewer: await lab.member(teamRoles.SecretViewer),
    admin: await lab.member(teamRoles.TeamAdmin),
  };
  await lab.put('/api/v1/namespaces/shop/secrets', {
    metadata: {
      name: 'keys',
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"password":"${canary}"}}`,
        'kapp.k14s.io/original': ` {"data":{"password":"${older}"}}`,
        'objectset.rio.cattle.io/applied': `H4sI${canary}`,
        yaml: `data:\n  password: ${canary}`,
        reminder: 'the password is CANARY.',
        note: 'kept',
      },
    },
    data: { password: canary },
  });
});
afterAll(() => lab.close());

const params = (kind: string) => ({ clusterId: lab.clusterId, kind });
const open = (person: TestPerson, kind: string, name: string) =>
  person.client.call('object', { params: { ...params(kind), name }, query: { namespace: 'shop' } });

describe('a secret', () => {
  it('shows its keys, never its values, wherever it appears', async () => {
    const opened = await open(people.secretViewer, secret, 'keys');
    expect(opened).toMatchObject({ data: { password: maskedText } });
    expect(opened.metadata?.['annotations']).toEqual({
      'kubectl.kubernetes.io/last-applied-configuration': maskedText,
      'kapp.k14s.io/original': maskedText,
      'objectset.rio.cattle.io/applied': maskedText,
      yaml: maskedText,
      reminder: maskedText,
      note: 'kept',
    });
    const { items } = await people.secretViewer.client.call('objects', { params: params(secret) });
    const acted = await people.admin.client.call('runAction', {
      params: { clusterId: lab.clusterId, actionId: 'object.labels' },
      body: {
        refs: [{ kind: secret, namespace: 'shop', name: 'keys' }],
        args: { labels: { a: 'b' } },
        dryRun: true,
      },
    });
    expect(acted.outcomes).toMatchObject([{ ok: true, after: { metadata: { labels: { a: 'b' } } } }]);
    const changed = await people.admin.client.call('patchObject', {
      params: { ...params(secret), name: 'keys' },
      query: { namespace: 'shop' },
      body: {
        resourceVersion: String(opened.metadata?.['resourceVersion']),
        patch: { stringData: { pin: 'CANARY' } },
      },
    });
    expect(changed).toMatchObject({ data: { password: maskedText, pin: maskedText } });
    expect(items.length).toBeGreaterThan(0);
    for (const answer of [opened, items, acted, changed]) {
      expect(JSON.stringify(answer)).not.toContain('CANARY');
      expect(JSON.stringify(answer)).not.toContain(canary);
      expect(JSON.stringify(answer)).not.toContain(older);
    }
    expect(await lab.seen('/api/v1/namespaces/shop/secrets/keys')).toMatchObject({
      data: { password: canary, pin: canary },
    });
  });

  it('needs secrets.view to see, and resources.manage besides to change', async () => {
    expect(await refusal(open(people.viewer, secret, 'keys'))).toMatchObject({
      status: 403,
      title: expect.stringContaining('"secrets.view"'),
    });
    const create = (person: TestPerson) =>
      person.client.call('createObject', {
        params: params(secret),
        query: { namespace: 'shop', dryRun: 'true' },
        body: { object: { metadata: { name: 'more' } } },
      });
    expect(await refusal(create(people.secretViewer))).toMatchObject({
      status: 403,
      title: expect.stringContaining('"resources.manage"'),
    });
    expect(await create(people.admin)).toMatchObject({ metadata: { name: 'more' } });
  });
});

describe('a kind without a file', () => {
  it('that no permission names is for Owners only', async () => {
    const object = {
      metadata: { name: 'web' },
      template: { spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    };
    const create = (person: TestPerson) =>
      person.client.call('createObject', {
        params: params(templates),
        query: { namespace: 'shop' },
        body: { object },
      });
    for (const person of Object.values(people)) {
      expect(await refusal(create(person))).toMatchObject({
        status: 403,
        title: `Only an Owner of your organisation can do this on ${lab.name}. Ask one of them.`,
      });
      expect((await refusal(open(person, templates, 'web'))).status).toBe(403);
      const ref = { kind: templates, namespace: 'shop', name: 'web' };
      const run = person.client.call('runAction', {
        params: { clusterId: lab.clusterId, actionId: 'object.delete' },
        body: { refs: [ref] },
      });
      expect((await refusal(run)).status).toBe(403);
    }
    expect(await create(lab.owner)).toMatchObject({ kind: 'PodTemplate' });
    expect(await open(lab.owner, templates, 'web')).toMatchObject({ metadata: { name: 'web' } });
    const { outcomes } = await lab.owner.client.call('runAction', {
      params: { clusterId: lab.clusterId, actionId: 'object.delete' },
      body: { refs: [{ kind: templates, namespace: 'shop', name: 'web' }] },
    });
    expect(outcomes).toMatchObject([{ ok: true, message: 'PodTemplate shop/web was deleted.' }]);
    expect(await lab.seen('/api/v1/namespaces/shop/podtemplates/web')).toBeUndefined();
  });

  it('that permissions name is judged by them', async () => {
    const create = (person: TestPerson) =>
      person.client.call('createObject', {
        params: params('core~v1~configmaps'),
        query: { namespace: 'shop', dryRun: 'true' },
        body: { object: { metadata: { name: 'settings' } } },
      });
    expect((await refusal(create(people.viewer))).status).toBe(403);
    expect(await create(people.admin)).toMatchObject({ kind: 'ConfigMap' });
  });

  it('is the kind with a file where there is one, also by another version', async () => {
    for (const key of ['core~v1~pods', 'apps~v1beta1~deployments']) {
      expect(await people.viewer.client.call('objects', { params: params(key) })).toHaveProperty('items');
    }
  });

  it('that neither console nor cluster knows is a sentence', async () => {
    const sentences: [string, string][] = [
      ['nothing', 'This console does not know that kind of resource.'],
      ['core~v1~pods~log', 'This console does not know that kind of resource.'],
      ['core~v1~pO/DS', 'This console does not know that kind of resource.'],
      ['core~v1~PODS', `${lab.name} does not serve PODS in version v1.`],
      ['crd:things.example.org', `${lab.name} does not serve things.example.org.`],
      ['example.org~v1~things', `${lab.name} does not serve things.example.org in version v1.`],
      ['core~v7~things', `${lab.name} does not serve things in version v7.`],
    ];
    for (const [kind, title] of sentences) {
      const call = lab.owner.client.call('objects', { params: params(kind) });
      expect(await refusal(call), kind).toMatchObject({ status: 404, title });
    }
  });
});

describe('objects', () => {
  it('come without managed fields and with the text of the cluster cleaned, keys and depths included', async () => {
    await lab.put('/api/v1/namespaces/shop/configmaps', {
      metadata: { name: 'odd', annotations: { note: 'a\u001b[31mred\u202e' } },
      data: { key: 'line\nnext\u0007' },
    });
    const odd = await open(people.viewer, 'core~v1~configmaps', 'odd');
    expect(odd).toMatchObject({
      metadata: { annotations: { note: 'ared' } },
      data: { key: 'line\nnext' },
    });
    expect(odd.metadata).not.toHaveProperty('managedFields');
  });

  it('come in pages, by labels and namespace', async () => {
    for (const name of ['one', 'two', 'three']) {
      await lab.put('/api/v1/namespaces/shop/services', {
        metadata: { name, labels: { page: 'yes' } },
        spec: { ports: [{ port: 80 }] },
      });
    }
    const names: string[] = [];
    let next: string | undefined;
    do {
      const page = await people.viewer.client.call('objects', {
        params: params('service'),
        query: {
          namespace: 'shop',
          labelSelector: 'page=yes',
          limit: '2',
          ...(next === undefined ? {} : { continue: next }),
        },
      });
      expect(page.items.length).toBeLessThanOrEqual(2);
      names.push(...page.items.map(({ kind, metadata }) => `${kind} ${metadata?.name}`));
      next = page.continue;
    } while (next !== undefined);
    expect(names.sort()).toEqual(['Service one', 'Service three', 'Service two']);
  });

  it('are created as the kind and in the namespace that the call says, or not at all', async () => {
    const create = (object: object, namespace?: string) =>
      people.admin.client.call('createObject', {
        params: params('service'),
        query: { ...(namespace === undefined ? {} : { namespace }), dryRun: 'true' },
        body: { object: object as { metadata: { name: string } } },
      });
    const wrong: [object, string | undefined, string][] = [
      [{ kind: 'Secret', metadata: { name: 'x' } }, 'shop', 'This is a Secret of ?, not a Service of v1.'],
      [
        { metadata: { name: 'x', namespace: 'other' } },
        'shop',
        'The object says namespace other, the call says shop.',
      ],
      [{ metadata: { name: 'x' } }, undefined, 'Choose a namespace: Services are namespaced.'],
      [{ metadata: { name: 'x', namespace: 7 } }, undefined, 'The namespace of the object is not a string.'],
    ];
    for (const [object, namespace, title] of wrong) {
      expect(await refusal(create(object, namespace))).toMatchObject({ status: 400, title });
    }
    expect(await refusal(create({ metadata: { name: 'x' }, spec: { ports: [] } }, 'shop'))).toMatchObject({
      status: 422,
      where: { source: 'cluster' },
    });
  });

  it('changed meanwhile are not changed, and the sentence says so', async () => {
    const first = await open(people.viewer, 'core~v1~configmaps', 'odd');
    await lab.merge('/api/v1/namespaces/shop/configmaps/odd', { data: { other: 'hand' } });
    const change = people.admin.client.call('patchObject', {
      params: { ...params('core~v1~configmaps'), name: 'odd' },
      query: { namespace: 'shop' },
      body: {
        resourceVersion: String(first.metadata?.['resourceVersion']),
        patch: { metadata: { resourceVersion: null }, data: { key: 'mine' } },
      },
    });
    expect(await refusal(change)).toMatchObject({
      status: 409,
      title: 'ConfigMap shop/odd was changed meanwhile. Load it again and repeat the change.',
    });
    expect(await lab.seen('/api/v1/namespaces/shop/configmaps/odd')).toMatchObject({
      data: { other: 'hand' },
    });
  });
});
