import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Permission, permissionsOfRole, teamRoles } from '../../../src/contract/permissions.ts';
import type { Problem } from '../../../src/contract/problem.ts';
import { maskedText } from '../../../src/kube/masked.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { KubeRequest } from '../../../src/server/clusters/transport.ts';
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
      metadata: { annotations: { note: 'a[31mred' } },
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
      [{ metadata: { name: 'x' } }, undefined, 'Choose a namespace: Services have one.'],
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

describe('why an object is in trouble', () => {
  const image = 'registry.example.org/web:2';
  const denied = `Back-off pulling image "${image}": ErrImagePull: pull access denied: authorization failed`;

  beforeAll(async () => {
    const path = '/api/v1/namespaces/shop/pods';
    const containers = [{ name: 'web', image }];
    await lab.put('/api/v1/nodes', { metadata: { name: 'node-1' } });
    await lab.put(path, {
      metadata: { name: 'denied' },
      spec: { imagePullSecrets: [{ name: 'pull' }], containers },
    });
    const waiting = { reason: 'ImagePullBackOff', message: denied };
    await lab.merge(`${path}/denied/status`, {
      status: {
        phase: 'Pending',
        startTime: '2026-03-01T08:00:00Z',
        containerStatuses: [
          { name: 'web', image, imageID: '', ready: false, restartCount: 0, state: { waiting } },
        ],
      },
    });
  });

  const why = (person: TestPerson) =>
    person.client.call('diagnoseObject', {
      params: { ...params('pod'), name: 'denied' },
      query: { namespace: 'shop' },
    });

  /** Puts a pod whose program keeps ending, with a last line about a refused connection. */
  const putCrashed = async (name: string, metadata: object = {}) => {
    await lab.put(`/api/v1/namespaces/shop/pods`, {
      metadata: { name, ...metadata },
      spec: { nodeName: 'node-1', containers: [{ name: 'web', image }] },
    });
    const ended = {
      exitCode: 1,
      reason: 'Error',
      startedAt: '2026-03-01T07:58:00Z',
      finishedAt: '2026-03-01T07:58:05Z',
    };
    const status = {
      name: 'web',
      image,
      imageID: '',
      ready: false,
      restartCount: 3,
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } },
      lastState: { terminated: ended },
    };
    await lab.merge(`/api/v1/namespaces/shop/pods/${name}/status`, {
      status: { phase: 'Running', containerStatuses: [status] },
    });
  };

  /** The paths that the console reads of the cluster meanwhile. */
  const readBy = async (work: () => Promise<void>): Promise<readonly string[]> => {
    const { clusters } = lab.console.services;
    const paths: string[] = [];
    const transport = clusters.transport.bind(clusters);
    const spy = vi.spyOn(clusters, 'transport').mockImplementation(async (id) => {
      const real = await transport(id);
      return new Proxy(real, {
        get(target, property, receiver) {
          const value: unknown = Reflect.get(target, property, receiver);
          if (property !== 'json' && property !== 'stream') return value;
          return (request: KubeRequest) => {
            paths.push(request.path);
            return (value as (asked: KubeRequest) => unknown).call(target, request);
          };
        },
      });
    });
    try {
      await work();
    } finally {
      spy.mockRestore();
    }
    // What the console measures of its own accord is no answer to anybody.
    return paths.filter((path) => !path.startsWith('/apis/metrics.k8s.io/'));
  };

  it('is told with its evidence, in which no value of a Secret is', async () => {
    const { findings, withheld } = await why(people.secretViewer);
    expect(withheld).toBe(0);
    expect(findings).toMatchObject([
      {
        rule: 'pod.image-denied',
        tone: 'bad',
        object: { kind: 'pod', namespace: 'shop', name: 'denied' },
        sentence: `The registry of ${image} denies access: the pull secret pull that the pod names does not exist.`,
      },
    ]);
    expect(findings[0]?.evidence).toContainEqual({
      type: 'field',
      ref: { kind: 'pod', namespace: 'shop', name: 'denied' },
      path: 'spec.containers[0].image',
      value: image,
    });
    expect(findings[0]?.evidence).toContainEqual({
      type: 'object',
      ref: { kind: secret, namespace: 'shop', name: 'pull' },
      exists: false,
    });
  });

  it('is that it is gone, where it went: with the events about it and about what owned it', async () => {
    const at = '2026-03-01T09:00:00Z';
    const event = (name: string, kind: string, of: string, reason: string, message: string) =>
      lab.put('/api/v1/namespaces/shop/events', {
        metadata: { name },
        involvedObject: {
          apiVersion: kind === 'ReplicaSet' ? 'apps/v1' : 'v1',
          kind,
          namespace: 'shop',
          name: of,
        },
        reason,
        message,
        type: 'Normal',
        count: 1,
        lastTimestamp: at,
      });
    await event('gone-1', 'Pod', 'web-1', 'Killing', 'Stopping container web');
    await event('gone-2', 'ReplicaSet', 'web', 'SuccessfulDelete', 'Deleted pod: web-1');
    await event('gone-3', 'Pod', 'web-10', 'Killing', 'Stopping container web of web-10');
    await event('gone-4', 'Secret', 'hidden', 'Used', 'It was used by pod web-1');
    await event('gone-5', 'Pod', 'web-11', 'Started', 'Started container web-1');
    const ask = (person: TestPerson) =>
      person.client.call('diagnoseObject', {
        params: { ...params('pod'), name: 'web-1' },
        query: { namespace: 'shop' },
      });
    const seen = await ask(people.viewer);
    const self = { kind: 'pod', namespace: 'shop', name: 'web-1' };
    expect(seen).toMatchObject({
      findings: [],
      withheld: 0,
      gone: { sentence: 'Pod shop/web-1 is not there: it was deleted, or never was.' },
    });
    const told = seen.gone?.evidence.map((one) => [one.type, one.ref.kind, one.ref.name]) ?? [];
    expect(told[0]).toEqual(['object', 'pod', 'web-1']);
    expect(told.slice(1).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      ['event', 'pod', 'web-1'],
      ['event', 'replicaset', 'web'],
    ]);
    expect(seen.gone?.evidence).toContainEqual({
      type: 'event',
      ref: self,
      reason: 'Killing',
      message: 'Stopping container web',
      at: Date.parse(at) / 1000,
      count: 1,
    });
    // Of a Secret hears who may view it.
    expect(JSON.stringify((await ask(people.secretViewer)).gone)).toContain('It was used by pod web-1');
  });

  it('is told by the last lines of a container, with the line and its time', async () => {
    await putCrashed('crashed');
    const { findings, notes } = await people.viewer.client.call('diagnoseObject', {
      params: { ...params('pod'), name: 'crashed' },
      query: { namespace: 'shop' },
    });
    expect(notes).toEqual([]);
    expect(findings).toMatchObject([
      {
        rule: 'pod.log-refused',
        sentence: expect.stringContaining('10.96.44.12:5432') as string,
      },
    ]);
    expect(findings[0]?.evidence[0]).toEqual({
      type: 'log',
      ref: { kind: 'pod', namespace: 'shop', name: 'crashed' },
      container: 'web',
      previous: true,
      at: Date.parse('2026-03-01T07:58:04Z') / 1000,
      line: 'ERROR web failed: connect ECONNREFUSED 10.96.44.12:5432',
    });
  });

  it('reads and quotes no log for whoever may not read logs, and says what it did not look at', async () => {
    const owned = ({ metadata, kind }: KubeObject, apiVersion: string) => ({
      labels: { app: 'behind' },
      ownerReferences: [{ apiVersion, kind, name: metadata?.name, uid: metadata?.uid, controller: true }],
    });
    const spec = {
      replicas: 1,
      selector: { matchLabels: { app: 'behind' } },
      template: {
        metadata: { labels: { app: 'behind' } },
        spec: { containers: [{ name: 'web', image }] },
      },
    };
    const apps = '/apis/apps/v1/namespaces/shop';
    const deployment = await lab.put(`${apps}/deployments`, { metadata: { name: 'behind' }, spec });
    const replicaSet = await lab.put(`${apps}/replicasets`, {
      metadata: { name: 'behind-1', ...owned(deployment, 'apps/v1') },
      spec,
    });
    await putCrashed('behind-1-a', owned(replicaSet, 'apps/v1'));
    const whyBehind = (person: TestPerson) =>
      person.client.call('diagnoseObject', {
        params: { ...params('deployment'), name: 'behind' },
        query: { namespace: 'shop' },
      });
    const isOfPods = (path: string) => path.includes('/pods');
    const line = /ECONNREFUSED|10\.96\.44\.12/;

    const read = await readBy(async () => {
      const told = await whyBehind(people.viewer);
      expect(told.findings.map(({ rule }) => rule)).toEqual(['pod.log-refused']);
      expect(JSON.stringify(told)).toMatch(line);
    });
    expect(read).toContain('/api/v1/namespaces/shop/pods/behind-1-a/log');

    const allowed = permissionsOfRole(teamRoles.Viewer);
    const set = (permissions: readonly Permission[]) =>
      lab.owner.client.call('changeRole', {
        params: { roleId: teamRoles.Viewer },
        body: { permissions: [...permissions] },
      });
    await set(allowed.filter((one) => one !== 'pods.view'));
    try {
      const unread = await readBy(async () => {
        const told = await whyBehind(people.viewer);
        expect(told.findings.filter(({ rule }) => rule.startsWith('pod.'))).toEqual([]);
        expect(told.notes).toContain('Pods were looked at only where you may view them.');
        expect(JSON.stringify(told)).not.toMatch(line);
      });
      expect(unread.length).toBeGreaterThan(0);
      expect(unread.filter(isOfPods)).toEqual([]);
    } finally {
      await set(allowed);
    }
  });

  it('is withheld from whoever may not see what it cites, and a count tells nobody that something is missing', async () => {
    // The cause is a Secret that does not exist: whether it does is for those to know who may see Secrets.
    const told = await why(people.viewer);
    expect(told).toMatchObject({
      withheld: 0,
      notes: ['Secrets were looked at only where you may view them.'],
    });
    expect(JSON.stringify(told.findings)).not.toContain('"pull"');
    await lab.put('/api/v1/namespaces/shop/secrets', { metadata: { name: 'pull' } });
    expect(await why(people.viewer)).toEqual(told);
    await lab.transport.json({ method: 'DELETE', path: '/api/v1/namespaces/shop/secrets/pull' });
  });

  it('is told of a namespace and of the whole cluster, as far as somebody sees them', async () => {
    const found = async (person: TestPerson, namespace?: string) => {
      const query = namespace === undefined ? {} : { namespace };
      const { findings } = await person.client.call('diagnoseCluster', {
        params: { clusterId: lab.clusterId },
        query,
      });
      return findings.map(({ rule, object }) => `${rule} ${object.name}`);
    };
    expect(await found(people.secretViewer)).toContain('pod.image-denied denied');
    expect(await found(people.secretViewer, 'shop')).toContain('pod.image-denied denied');
    expect(await found(people.secretViewer, 'default')).toEqual([]);
    const elsewhere = await lab.member(teamRoles.SecretViewer, ['default']);
    expect(await found(elsewhere)).toEqual([]);
    expect(await found(elsewhere, 'shop')).toEqual([]);
    // Nothing is read elsewhere than where they may view it, and no note tells of another place.
    const read = await readBy(async () => {
      for (const namespace of [undefined, 'shop']) {
        const { notes } = await elsewhere.client.call('diagnoseCluster', {
          params: { clusterId: lab.clusterId },
          query: namespace === undefined ? {} : { namespace },
        });
        expect(notes.join(' ')).not.toContain('shop');
      }
    });
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((path) => !path.includes('/namespaces/default/'))).toEqual([]);
  });

  it('is looked for a few at a time for each person, and refused above that with a sentence', async () => {
    const ofCluster = () =>
      people.secretViewer.client.call('diagnoseCluster', { params: { clusterId: lab.clusterId }, query: {} });
    // Objects and whole clusters together.
    const asked = await Promise.all(
      [() => why(people.secretViewer), ofCluster].map((ask) =>
        Promise.allSettled(Array.from({ length: 20 }, ask)),
      ),
    );
    expect(asked.flat().some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const some of asked) {
      const refused = some.flatMap((one) => (one.status === 'rejected' ? [one.reason as Problem] : []));
      expect(refused.length).toBeGreaterThan(0);
      for (const { status, title } of refused) {
        expect(status).toBe(429);
        expect(title).toMatch(/makes 2 diagnoses at a time/);
      }
    }
  });

  it('leaves out excluded namespaces of a whole cluster, and says how many', async () => {
    const params = { clusterId: lab.clusterId };
    const excluding = await lab.member(teamRoles.SecretViewer);
    await excluding.client.call('saveUserSettings', { params, body: { excludedNamespaces: ['shop'] } });
    expect(await excluding.client.call('diagnoseCluster', { params, query: {} })).toMatchObject({
      findings: [],
      notes: ['A namespace that is excluded was not looked at. Ask about one by its name.'],
    });
    // Nor the events there about what belongs to no namespace, when it is gone.
    await lab.put('/api/v1/namespaces/default/events', {
      metadata: { name: 'gone-node' },
      involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'node-2' },
      reason: 'RemovingNode',
      message: 'Removing Node node-2 from Controller',
      type: 'Normal',
    });
    const tracesOf = async () => {
      const asked = { params: { ...params, kind: 'node', name: 'node-2' }, query: {} };
      return (await excluding.client.call('diagnoseObject', asked)).gone?.evidence.map(({ type }) => type);
    };
    expect(await tracesOf()).toEqual(['object', 'event']);
    await excluding.client.call('saveUserSettings', { params, body: { excludedNamespaces: ['default'] } });
    expect(await tracesOf()).toEqual(['object']);
  });
});
