import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Permission, permissionsOfRole, teamRoles } from '../../../src/contract/permissions.ts';
import type { Problem } from '../../../src/contract/problem.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { ClusterProblem, type KubeRequest } from '../../../src/server/clusters/transport.ts';
import { besideTurn } from '../../../src/server/kit/turns.ts';
import type { TestPerson } from '../harness.ts';
import { type Lab, startLab } from '../actions/playground.ts';

let lab: Lab;
let people: Record<'viewer' | 'secretViewer', TestPerson>;

const params = (kind: string) => ({ clusterId: lab.clusterId, kind });

describe('why an object is in trouble', () => {
  const image = 'registry.example.org/web:2';
  const denied = `Back-off pulling image "${image}": ErrImagePull: pull access denied: authorization failed`;

  beforeAll(async () => {
    lab = await startLab();
    people = {
      viewer: await lab.member(teamRoles.Viewer),
      secretViewer: await lab.member(teamRoles.SecretViewer),
    };
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
  afterAll(() => lab.close());

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
    const unserved = new Set<string>();
    const transport = clusters.transport.bind(clusters);
    const spy = vi.spyOn(clusters, 'transport').mockImplementation(async (id) => {
      const real = await transport(id);
      return new Proxy(real, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property);
          if (property !== 'json' && property !== 'stream') return value;
          return async (request: KubeRequest) => {
            paths.push(request.path);
            return await (value as (asked: KubeRequest) => Promise<unknown>)
              .call(target, request)
              .catch((error: unknown) => {
                const isMissing = error instanceof ClusterProblem && error.upstream.status === 404;
                if (isMissing && !request.path.includes('/namespaces/')) unserved.add(request.path);
                throw error;
              });
          };
        },
      });
    });
    try {
      await work();
    } finally {
      spy.mockRestore();
    }
    // Metrics, and lists of kinds that the cluster does not serve, are asked for by the console of its own accord.
    return paths.filter((path) => !path.startsWith('/apis/metrics.k8s.io/') && !unserved.has(path));
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
      ref: { kind: 'secret', namespace: 'shop', name: 'pull' },
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
      gone: { sentence: 'Pod shop/web-1 does not exist: it was deleted, or never existed.' },
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
        expect(told.notes).toContain('Pods were examined only where you may view them.');
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
      notes: ['Secrets were examined only where you may view them.'],
    });
    expect(JSON.stringify(told.findings)).not.toContain('"pull"');
    await lab.put('/api/v1/namespaces/shop/secrets', { metadata: { name: 'pull' } });
    expect(await why(people.viewer)).toEqual(told);
    await lab.transport.json({ method: 'DELETE', path: '/api/v1/namespaces/shop/secrets/pull' });
  });

  describe('is a missing object, which is offered to be created', () => {
    const asked = (person: TestPerson, name: string) =>
      person.client.call('diagnoseObject', {
        params: { ...params('pod'), name },
        query: { namespace: 'shop' },
      });
    const putWaiting = async (name: string, message: string) => {
      const env = [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } }];
      await lab.put('/api/v1/namespaces/shop/pods', {
        metadata: { name },
        spec: { nodeName: 'node-1', containers: [{ name: 'web', image, env }] },
      });
      const waiting = { reason: 'CreateContainerConfigError', message };
      await lab.merge(`/api/v1/namespaces/shop/pods/${name}/status`, {
        status: {
          phase: 'Pending',
          startTime: '2026-03-01T07:00:00Z',
          containerStatuses: [
            { name: 'web', image, imageID: '', ready: false, restartCount: 0, state: { waiting } },
          ],
        },
      });
    };
    const offered = async (person: TestPerson, name = 'unset') => {
      const { findings } = await asked(person, name);
      expect(findings).toHaveLength(1);
      return findings[0]?.creates;
    };
    beforeAll(async () => {
      await putWaiting('unset', 'secret "database" not found');
      await putWaiting('unmapped', 'configmap "settings" not found');
      await putWaiting('keyless', "couldn't find key password in Secret shop/database");
    });

    it('to whoever may create it there, with what the pod asks of it', async () => {
      const admin = await lab.member(teamRoles.TeamAdmin);
      for (const person of [lab.owner, admin])
        expect(await offered(person)).toEqual([
          {
            ref: { kind: 'secret', namespace: 'shop', name: 'database' },
            manifest: expect.stringMatching(
              /^apiVersion: v1\nkind: Secret\n[^]*\ntype: Opaque\nstringData:\n {2}password: ""\n$/,
            ) as string,
          },
        ]);
      expect(await offered(admin, 'unmapped')).toMatchObject([
        { ref: { kind: 'configmap', namespace: 'shop', name: 'settings' } },
      ]);
    });

    it('to nobody who only views, and whether the Secret exists is not looked up', async () => {
      const paths = await readBy(async () => {
        for (const name of ['unset', 'unmapped']) expect(await offered(people.viewer, name)).toBeUndefined();
      });
      expect(paths.filter((path) => path.includes('/secrets'))).toEqual([]);
      expect(await offered(people.secretViewer)).toBeUndefined();
    });

    it('as a Secret to those alone who may also view Secrets', async () => {
      const changer = await lab.member(teamRoles.Viewer);
      const allowed = permissionsOfRole(teamRoles.Viewer);
      const set = (permissions: readonly Permission[]) =>
        lab.owner.client.call('changeRole', {
          params: { roleId: teamRoles.Viewer },
          body: { permissions: [...permissions] },
        });
      await set([...allowed, 'resources.manage']);
      try {
        expect(await offered(changer)).toBeUndefined();
        expect(await offered(changer, 'unmapped')).toHaveLength(1);
      } finally {
        await set(allowed);
      }
    });

    it('to nobody on a read-only cluster', async () => {
      await lab.set({ isReadOnly: true });
      try {
        expect(await offered(lab.owner)).toBeUndefined();
      } finally {
        await lab.set({ isReadOnly: false });
      }
    });

    it('and where only a key is missing, its object is edited by whoever may, and opened by whoever may only view it', async () => {
      const opened = async (person: TestPerson) => (await asked(person, 'keyless')).findings[0];
      expect(await opened(lab.owner)).toMatchObject({
        rule: 'pod.config-key',
        edits: [{ kind: 'secret', namespace: 'shop', name: 'database' }],
        next: 'Add the key to the object, or correct its name in the pod template.',
      });
      const secretViewer = await opened(people.secretViewer);
      expect(secretViewer?.opens).toContainEqual({ kind: 'secret', namespace: 'shop', name: 'database' });
      expect(secretViewer?.edits).toBeUndefined();
      const told = await opened(people.viewer);
      expect(told?.rule).toBe('pod.config-key');
      expect(told?.opens).toBeUndefined();
      expect(told?.edits).toBeUndefined();
      expect(told?.creates).toBeUndefined();
    });
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

  it('is told of what a namespace has where somebody asks why of the namespace itself', async () => {
    const ask = (person: TestPerson, name: string) =>
      person.client.call('diagnoseObject', { params: { ...params('namespace'), name }, query: {} });
    const { findings, examined } = await ask(people.secretViewer, 'shop');
    expect(findings.map(({ rule, object }) => `${rule} ${object.name}`)).toContain('pod.image-denied denied');
    expect(examined).toMatch(/\d+ pods?\b.* of namespace shop$/);
    const elsewhere = await lab.member(teamRoles.SecretViewer, ['default']);
    await expect(ask(elsewhere, 'shop')).rejects.toMatchObject({ status: 403 });
  });

  it('is looked for a few at a time for each person, and refused above that with a sentence', async () => {
    const ofCluster = () =>
      people.secretViewer.client.call('diagnoseCluster', { params: { clusterId: lab.clusterId }, query: {} });
    const { clusters } = lab.console.services;
    const transport = clusters.transport.bind(clusters);
    const held = Promise.withResolvers<void>();
    const spy = vi.spyOn(clusters, 'transport').mockImplementation(async (id) => {
      await besideTurn(() => held.promise);
      return await transport(id);
    });
    // Objects and whole clusters together: two are looked for, ten wait, and the cluster answers once the rest is refused.
    const refused: Problem[] = [];
    const note = (problem: Problem) => {
      refused.push(problem);
      if (refused.length === 28) held.resolve();
    };
    const all = Array.from({ length: 20 }, () => [why(people.secretViewer), ofCluster()]).flat();
    await Promise.all(all.map((one) => one.catch(note)));
    spy.mockRestore();
    expect(refused).toHaveLength(28);
    for (const { status, title } of refused) {
      expect(status).toBe(429);
      expect(title).toMatch(/runs 2 diagnoses at a time/);
    }
  });

  it('leaves out excluded namespaces of a whole cluster, and says how many', async () => {
    const params = { clusterId: lab.clusterId };
    const excluding = await lab.member(teamRoles.SecretViewer);
    await excluding.client.call('saveUserSettings', { params, body: { excludedNamespaces: ['shop'] } });
    expect(await excluding.client.call('diagnoseCluster', { params, query: {} })).toMatchObject({
      findings: [],
      notes: ['An excluded namespace was not examined. Ask about one by its name.'],
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
