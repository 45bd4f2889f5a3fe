import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../src/contract/jobs.ts';
import { kinds } from '../../../commands/kinds/index.ts';
import { permissions, teamRoles } from '../../../src/contract/permissions.ts';
import type { TokenScope } from '../../../src/contract/token-scopes.ts';
import { unpackedLimit } from '../../../src/server/objects/release/decode.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import type { TestPerson } from '../harness.ts';
import { BearerClient } from '../http-client.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';
import { sampleOf } from '../../kinds/samples.ts';
import { openLive } from '../live/live-client.ts';

const patience = { timeout: 15_000, interval: 50 };
const secrets = '/api/v1/namespaces/shop/secrets';
const maps = '/api/v1/namespaces/shop/configmaps';
const canary = 'CANARY-4711';

let lab: Lab;
let viewer: TestPerson;
let secretViewer: TestPerson;
let admin: TestPerson;
let name = '';
let count = 0;

beforeAll(async () => {
  lab = await startLab();
  viewer = await lab.member(teamRoles.Viewer);
  secretViewer = await lab.member(teamRoles.SecretViewer);
  admin = await lab.member(teamRoles.TeamAdmin);
});
afterAll(() => lab.close());
beforeEach(() => {
  count += 1;
  name = `shop-${count}`;
});

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const packed = (body: object | string) =>
  base64(gzipSync(typeof body === 'string' ? body : JSON.stringify(body)).toString('base64'));

const configMap = (part: string, data: string, more = '') => `---
# Source: shop/templates/${part}.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-${part}
${more}data:
${data}`;
const secretDocument = (value: string) => `---
apiVersion: v1
kind: Secret
metadata:
  name: ${name}-login
stringData:
  password: ${value}
`;

interface Revision {
  readonly manifest: string;
  readonly status?: string;
  readonly config?: object;
  readonly hooks?: object[];
  /** Where it is installed. */
  readonly namespace?: string;
}

/** Plants a revision as Helm 3 keeps it. */
async function plant(
  revision: number,
  { manifest, status = 'deployed', config = {}, hooks = [], namespace = 'shop' }: Revision,
) {
  const at = `2026-01-0${revision}T00:00:00Z`;
  const body = {
    name,
    namespace,
    version: revision,
    info: {
      first_deployed: '2026-01-01T00:00:00Z',
      last_deployed: at,
      deleted: '',
      description: `made ${revision}`,
      status,
      notes: `Sign in with ${canary}`,
    },
    chart: {
      metadata: { name: 'shop', version: `1.0.${revision}`, appVersion: `3.${revision}` },
      values: { replicas: 1, auth: { enabled: true, password: '' }, existingSecret: 'none' },
    },
    config,
    manifest,
    hooks,
    somethingNew: { kept: true },
  };
  await lab.put(secrets, {
    metadata: {
      name: `sh.helm.release.v1.${name}.v${revision}`,
      labels: { name, owner: 'helm', status, version: String(revision), modifiedAt: '1767225600' },
    },
    type: 'helm.sh/release.v1',
    data: { release: packed(body) },
  });
}
const kept = async (revision: number) =>
  (await lab.seen(`${secrets}/sh.helm.release.v1.${name}.v${revision}`))?.metadata?.labels?.['status'];

/** Metadata of an object as Helm marks those of the release. */
const own = (part: string) => ({
  name: `${name}-${part}`,
  annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': 'shop' },
});

const place = () => ({ clusterId: lab.clusterId, namespace: 'shop', name });
const contents = (person: TestPerson, revision: number) =>
  person.client.call('releaseContents', { params: { ...place(), revision } });
const reveal = (person: TestPerson, revision: number) =>
  person.client.call('revealRelease', { params: { ...place(), revision } });

async function act(
  person: TestPerson,
  actionId: string,
  args: Record<string, unknown> = {},
  more: { dryRun?: boolean; confirm?: string } = {},
) {
  const { outcomes } = await person.client.call('runAction', {
    params: { clusterId: lab.clusterId, actionId },
    body: { refs: [{ kind: 'release', namespace: 'shop', name }], args, ...more },
  });
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('There was no outcome.');
  return outcome;
}
const ended = async (id: number | undefined): Promise<Job> =>
  await vi.waitFor(async () => {
    const { jobs } = await admin.client.call('jobs', { params: { clusterId: lab.clusterId } });
    const job = jobs.find((one) => one.id === id);
    if (job === undefined || job.status === 'running') throw new Error(JSON.stringify(job));
    return job;
  }, patience);

describe('Helm releases', () => {
  it('are listed from their Secrets with chart and status, live, for whom may view namespaces', async () => {
    await plant(1, { manifest: '', status: 'superseded' });
    await plant(2, { manifest: '', config: { password: canary } });
    const page = await openLive(lab.console.url, { origin: lab.console.url, cookie: viewer.client.cookie });
    const list = page.subscribe({ clusterId: lab.clusterId, kind: 'release' });
    const open = page.open({ clusterId: lab.clusterId, kind: 'release', namespace: 'shop', name });
    const columns = page.hello?.columns['release'] ?? [];
    const row = () => [...list.rows.values()].find((cells) => cells[columns.indexOf('name')] === name);
    const cell = (id: string) => row()?.[columns.indexOf(id)];
    await page.until('its chart is there', () => cell('version') === '1.0.2');
    expect(['chart', 'app-version', 'revision', 'status', 'description'].map(cell)).toEqual([
      'shop',
      '3.2',
      2,
      ['Deployed', 'ok'],
      'made 2',
    ]);
    await page.until(
      'it is open',
      () => open.view?.object['revision'] === 2 && open.view.object['chart'] !== undefined,
    );
    expect(open.view).toMatchObject({ status: ['Deployed', 'ok'], actions: [] });
    await plant(3, { manifest: '', status: 'failed' });
    await page.until('the next revision shows', () => cell('revision') === 3 && cell('version') === '1.0.3');
    expect(cell('status')).toEqual(['Failed', 'bad']);
    for (const revision of [1, 2, 3])
      await lab.transport.json({
        method: 'DELETE',
        path: `${secrets}/sh.helm.release.v1.${name}.v${revision}`,
      });
    await page.until('it is gone', () => row() === undefined && open.gone !== undefined);
    expect(JSON.stringify([[...list.rows], open.versions])).not.toContain(canary);
    await page.close();
  });

  it('list their history, and why a revision cannot be read', async () => {
    await plant(1, { manifest: '', status: 'superseded' });
    await lab.put(secrets, {
      metadata: {
        name: `sh.helm.release.v1.${name}.v2`,
        labels: { name, owner: 'helm', status: 'deployed' },
      },
      type: 'helm.sh/release.v1',
      data: { release: packed(' '.repeat(unpackedLimit + 1)) },
    });
    const { revisions } = await viewer.client.call('releaseHistory', { params: place() });
    expect(revisions).toMatchObject([
      {
        revision: 2,
        problem: `Secret shop/sh.helm.release.v1.${name}.v2 unpacks to more than 32 MB, more than this console reads.`,
      },
      { revision: 1, chart: 'shop', chartVersion: '1.0.1', appVersion: '3.1', problem: null },
    ]);
    expect(
      await refusal(viewer.client.call('releaseHistory', { params: { ...place(), name: 'none' } })),
    ).toMatchObject({ status: 404 });
    expect(
      await refusal(viewer.client.call('releaseHistory', { params: { ...place(), name: 'a,owner!=helm' } })),
    ).toMatchObject({ status: 404 });
  });

  it('show values and manifest masked, whole only on record, and to whom may view Secrets', async () => {
    const config = {
      auth: { password: canary },
      database: `postgres://shop:${canary}@db:5432/shop`,
      env: [{ name: 'API_TOKEN', value: canary }],
      replicas: 2,
    };
    await plant(1, { manifest: secretDocument(canary) + configMap('a', `  colour: red\n`), config });
    const masked = await contents(secretViewer, 1);
    expect(JSON.stringify(masked)).not.toContain(canary);
    expect(masked.values).toMatch(/password: <masked [0-9a-f]{6}>/);
    expect(masked.values).toContain('replicas: 2');
    expect(masked.computed).toContain('existingSecret: none');
    expect(masked.manifest).toContain('colour: red');
    expect(masked.manifest).toContain('# Source: shop/templates/a.yaml');
    expect(masked.notes).toMatch(/Sign in with <masked/);
    // A script gets no value at all, whatever its name, unless its token may reveal.
    const read = async (scopes: TokenScope[]) => {
      const { secret } = await secretViewer.client.call('createToken', {
        body: { name: `script ${scopes.length}`, scopes },
      });
      const client = new BearerClient(lab.console.url, secret);
      return await contents({ ...secretViewer, client }, 1);
    };
    const rights: TokenScope[] = [...permissions];
    const hidden = await read(rights);
    expect(hidden.values).toMatch(/replicas: <masked/);
    expect(JSON.stringify(hidden)).not.toContain('none');
    expect(hidden.manifest).toContain('kind: ConfigMap');
    expect(await read([...rights, 'secrets.reveal'])).toEqual(masked);
    expect(await refusal(contents(viewer, 1))).toMatchObject({ status: 403 });
    expect(await refusal(reveal(viewer, 1))).toMatchObject({ status: 403 });
    expect((await reveal(secretViewer, 1)).values).toContain(canary);
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    expect(rows.at(-1)).toMatchObject({
      action: 'release.reveal',
      status: 200,
      subject: { names: `shop/${name}`, revision: 1 },
    });
    expect(JSON.stringify([rows, lab.console.log])).not.toContain(canary);
  });

  it('name their objects with how they are, and of others only the names', async () => {
    await plant(1, { manifest: secretDocument(canary) + configMap('a', `  colour: red\n`) });
    await lab.put(maps, { metadata: own('a') });
    const { resources } = await viewer.client.call('releaseResources', { params: place() });
    expect(resources).toMatchObject([
      { kind: 'Secret', name: `${name}-login`, state: 'unknown', kindId: 'secret' },
      { kind: 'ConfigMap', namespace: 'shop', name: `${name}-a`, state: 'there' },
    ]);
    const { resources: all } = await secretViewer.client.call('releaseResources', { params: place() });
    expect(all[0]).toMatchObject({ state: 'missing' });
  });

  it('are no objects of the API', async () => {
    const params = { clusterId: lab.clusterId, kind: 'release' };
    expect(await refusal(admin.client.call('objects', { params }))).toMatchObject({ status: 400 });
    const create = admin.client.call('createObject', {
      params,
      query: { namespace: 'shop' },
      body: { object: { metadata: { name: 'x' } } },
    });
    expect(await refusal(create)).toMatchObject({ status: 400 });
  });
});

describe('a roll back', () => {
  /** Two revisions, the second of which is on the cluster. */
  async function plantTwo(): Promise<void> {
    await plant(1, {
      manifest: configMap('a', `  colour: red\n  size: small\n`) + configMap('b', `  only: first\n`),
      status: 'superseded',
    });
    await plant(2, {
      manifest:
        configMap('a', `  colour: blue\n  taste: sweet\n`) +
        configMap('c', `  only: second\n`) +
        configMap('d', `  stays: yes\n`, `  annotations: { helm.sh/resource-policy: keep }\n`),
    });
    await lab.put(maps, {
      metadata: own('a'),
      data: { colour: 'blue', taste: 'sweet', byHand: 'stays' },
    });
    await lab.put(maps, { metadata: own('c'), data: { only: 'second' } });
    await lab.put(maps, { metadata: own('d'), data: { stays: 'yes' } });
  }

  it('says before what it does, and changes nothing by that', async () => {
    await plantTwo();
    const outcome = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(
      outcome.plan?.lines.map(({ group, name: one }) => [group, one.replace(`shop/${name}-`, '')]),
    ).toEqual([
      ['Deleted', 'ConfigMap c'],
      ['Created', 'ConfigMap b'],
      ['Changed', 'ConfigMap a'],
      ['Stay', 'ConfigMap d'],
    ]);
    expect(outcome.plan).toMatchObject({
      blocked: null,
      texts: { before: expect.stringContaining('blue'), after: expect.stringContaining('red') },
    });
    expect(await kept(3)).toBeUndefined();
    expect(await lab.seen(`${maps}/${name}-c`)).toBeDefined();
  });

  it('merges three ways, deletes what is no more, keeps what is to be kept, and makes a revision', async () => {
    await plantTwo();
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    const job = await ended(outcome.job);
    expect(job).toMatchObject({
      status: 'succeeded',
      title: `Roll back ${name} to revision 1`,
      message: `${name} is now at revision 3, with the contents of revision 1.`,
    });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({
      metadata: {
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
        annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': 'shop' },
      },
      data: { colour: 'red', size: 'small', byHand: 'stays' },
    });
    expect(await lab.seen(`${maps}/${name}-a`)).not.toHaveProperty('data.taste');
    expect(await lab.seen(`${maps}/${name}-b`)).toMatchObject({ data: { only: 'first' } });
    expect(await lab.seen(`${maps}/${name}-c`)).toBeUndefined();
    expect(await lab.seen(`${maps}/${name}-d`)).toBeDefined();
    expect([await kept(1), await kept(2), await kept(3)]).toEqual(['superseded', 'superseded', 'deployed']);
    const { revisions } = await viewer.client.call('releaseHistory', { params: place() });
    expect(revisions[0]).toMatchObject({
      revision: 3,
      status: 'deployed',
      chartVersion: '1.0.1',
      description: 'Rollback to 1',
    });
    expect((await contents(secretViewer, 3)).manifest).toEqual((await contents(secretViewer, 1)).manifest);
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    expect(rows.at(-1)).toMatchObject({ action: 'release.rollback.end', status: 200 });
  });

  it('tries every object first: where the cluster refuses one, nothing is written', async () => {
    const good = configMap('a', `  colour: red\n`);
    await plant(1, { manifest: good + configMap('b', `  count: 1\n`), status: 'superseded' });
    await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
    await lab.put(maps, { metadata: own('a'), data: { colour: 'blue' } });
    const planned = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(planned.plan?.lines.map(({ group }) => group)).toEqual(['Refused', 'Changed']);
    expect(planned.plan?.blocked).toMatch(
      /^The cluster rejects an object of that revision, so nothing was changed\. ConfigMap shop\/shop-\d+-b: /,
    );
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('nothing was changed'),
    });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({ data: { colour: 'blue' } });
    expect([await kept(2), await kept(3)]).toEqual(['deployed', undefined]);
  });

  it('takes a change that is valid only together with what it takes away', async () => {
    const deployments = '/apis/apps/v1/namespaces/shop/deployments';
    const deployment = (strategy: string) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 0
  selector: {matchLabels: {app: ${name}}}
  strategy: ${strategy}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: c, image: example/web}]}
`;
    const rolling = '{type: RollingUpdate, rollingUpdate: {maxSurge: 2}}';
    await plant(1, { manifest: deployment('{type: Recreate}'), status: 'superseded' });
    await plant(2, { manifest: deployment(rolling) });
    const labels = { app: name };
    await lab.put(deployments, {
      metadata: { name, annotations: own('').annotations },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example/web' }] } },
      },
    });
    const planned = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(planned.plan).toMatchObject({ blocked: null, lines: [{ group: 'Changed' }] });
  });

  it('writes what Helm would: octal modes, words of truth and merge keys', async () => {
    const deployments = '/apis/apps/v1/namespaces/shop/deployments';
    const manifest = (mode: string) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 0
  selector: {matchLabels: &labels {app: ${name}}}
  template:
    metadata: {labels: {<<: *labels, tier: web}}
    spec:
      hostNetwork: yes
      containers: [{name: c, image: example/web}]
      volumes: [{name: v, configMap: {name: s, defaultMode: ${mode}}}]
`;
    await plant(1, { manifest: manifest('0400'), status: 'superseded' });
    await plant(2, { manifest: manifest('0440') });
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`${deployments}/${name}`)).toMatchObject({
      spec: {
        template: {
          metadata: { labels: { app: name, tier: 'web' } },
          spec: { hostNetwork: true, volumes: [{ configMap: { defaultMode: 0o400 } }] },
        },
      },
    });
    expect((await contents(secretViewer, 1)).manifest).toContain('defaultMode: 256\n');
  });

  it('is refused with hooks of its own, while another operation is under way, and to who may not change an object', async () => {
    const hooks = [{ name: 'migrate', kind: 'Job', events: ['post-rollback'], manifest: '' }];
    await plant(1, { manifest: configMap('a', `  colour: red\n`), status: 'superseded', hooks });
    await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
    expect(await act(admin, 'release.rollback', { revision: 1 })).toMatchObject({
      ok: false,
      status: 409,
      message:
        'This console does not run hooks, and this revision has hooks for this operation: Job migrate (post-rollback). Use helm instead.',
    });
    await plant(3, { manifest: '', status: 'pending-upgrade' });
    expect(await act(admin, 'release.rollback', { revision: 2 })).toMatchObject({ ok: false, status: 409 });
    expect(await refusal(act(secretViewer, 'release.rollback', { revision: 1 }))).toMatchObject({
      status: 403,
    });
    const role = `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: ${name} }\nrules: []\n`;
    name = `${name}-owned`;
    await plant(1, { manifest: role, status: 'superseded' });
    await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
    expect(await act(admin, 'release.rollback', { revision: 1 })).toMatchObject({ ok: false, status: 403 });
    expect(await kept(3)).toBeUndefined();
  });
});

describe('a release with something that only Owners change', () => {
  const ofOwners = kinds.filter(({ permissions }) => permissions.manage === 'owner');
  it.each(ofOwners.map((kind) => [kind.id, kind] as const))(
    'is neither rolled back nor uninstalled by others: %s',
    async (_id, kind) => {
      const document = `---\n${JSON.stringify(sampleOf(kind).healthy)}\n`;
      await plant(1, { manifest: document, status: 'superseded' });
      await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
      expect(await act(admin, 'release.rollback', { revision: 1 })).toMatchObject({ ok: false, status: 403 });
      await plant(3, { manifest: document });
      expect(await act(admin, 'release.uninstall')).toMatchObject({ ok: false, status: 403 });
      expect(await kept(4)).toBeUndefined();
      expect(await kept(3)).toBe('deployed');
    },
  );

  it('is rolled back by an Owner', async () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, rules: [] };
    await plant(1, { manifest: `---\n${JSON.stringify(role)}\n`, status: 'superseded' });
    await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
    const outcome = await act(lab.owner, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles/${name}`)).toBeDefined();
  });
});

describe('what does not belong to a release', () => {
  const marked = (release: string, namespace: string) => ({
    annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace },
  });

  it('is not changed by a roll back, which says so before and does nothing', async () => {
    await plant(1, {
      manifest: configMap('a', `  v: "1"\n`) + configMap('b', `  v: "1"\n`),
      status: 'superseded',
    });
    await plant(2, { manifest: configMap('a', `  v: "2"\n`) });
    await lab.put(maps, { metadata: { name: `${name}-a` }, data: { v: 'not of this release' } });
    await lab.put(maps, {
      metadata: { name: `${name}-b`, ...marked('other', 'shop') },
      data: { v: 'theirs' },
    });
    const planned = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(planned.plan?.lines.map(({ group }) => group)).toEqual(['Refused', 'Refused']);
    expect(planned.plan?.lines.map(({ about }) => about).toSorted()).toEqual([
      `It belongs to the release shop/other by its annotations, not to shop/${name}.`,
      `It is on the cluster, but its annotations do not say that it belongs to the release shop/${name}.`,
    ]);
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'failed' });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({ data: { v: 'not of this release' } });
    expect(await lab.seen(`${maps}/${name}-b`)).toMatchObject({ data: { v: 'theirs' } });
    expect(await kept(3)).toBeUndefined();
  });

  it('stays when the release is uninstalled', async () => {
    await plant(1, { manifest: configMap('a', `  v: "1"\n`) + configMap('b', `  v: "1"\n`) });
    await lab.put(maps, { metadata: own('a') });
    await lab.put(maps, { metadata: { name: `${name}-b` }, data: { v: 'not of this release' } });
    const outcome = await act(admin, 'release.uninstall');
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`${maps}/${name}-a`)).toBeUndefined();
    expect(await lab.seen(`${maps}/${name}-b`)).toMatchObject({ data: { v: 'not of this release' } });
  });

  it('is what lies in the namespace where a release is stored that is installed in another', async () => {
    const target = `target-${count}`;
    await lab.put('/api/v1/namespaces', { metadata: { name: target } });
    const there = `/api/v1/namespaces/${target}/configmaps`;
    await plant(1, { manifest: configMap('a', `  v: "1"\n`), status: 'superseded', namespace: target });
    await plant(2, { manifest: configMap('a', `  v: "2"\n`), namespace: target });
    await lab.put(there, { metadata: { name: `${name}-a`, ...marked(name, target) }, data: { v: '2' } });
    await lab.put(maps, { metadata: { name: `${name}-a` }, data: { v: 'not of this release' } });
    const planned = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(planned.plan?.lines).toMatchObject([{ group: 'Changed', name: `ConfigMap ${target}/${name}-a` }]);
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`${there}/${name}-a`)).toMatchObject({
      data: { v: '1' },
      metadata: marked(name, target),
    });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({ data: { v: 'not of this release' } });
  });
});

describe('an uninstallation', () => {
  it('deletes the objects but those to be kept, then what is kept of the revisions', async () => {
    const manifest =
      configMap('a', `  colour: red\n`) +
      configMap('d', `  stays: yes\n`, `  annotations: { helm.sh/resource-policy: keep }\n`);
    await plant(1, { manifest, status: 'superseded' });
    await plant(2, { manifest });
    await lab.put(maps, { metadata: own('a') });
    await lab.put(maps, { metadata: own('d') });
    const planned = await act(admin, 'release.uninstall', {}, { dryRun: true });
    expect(
      planned.plan?.lines.map(({ group, name: one }) => [group, one.replace(`shop/${name}-`, '')]),
    ).toEqual([
      ['Deleted', 'ConfigMap a'],
      ['Stay', 'ConfigMap d'],
    ]);
    const outcome = await act(admin, 'release.uninstall');
    expect(await ended(outcome.job)).toMatchObject({
      status: 'succeeded',
      message: `${name} is uninstalled. One object stays, as the chart says.`,
    });
    expect(await lab.seen(`${maps}/${name}-a`)).toBeUndefined();
    expect(await lab.seen(`${maps}/${name}-d`)).toBeDefined();
    expect([await kept(1), await kept(2)]).toEqual([undefined, undefined]);
  });

  it('asks for the name of a protected cluster', async () => {
    await plant(1, { manifest: '' });
    await lab.console.store.db.update(clusters).set({ isProtected: true });
    expect(await refusal(act(admin, 'release.uninstall'))).toMatchObject({
      status: 409,
      issues: [{ path: 'confirm' }],
    });
    await lab.console.store.db.update(clusters).set({ isProtected: false });
    expect(await kept(1)).toBe('deployed');
  });
});

describe('a Helm release with objects in another namespace', () => {
  const elsewhere = 'elsewhere';
  const hidden = 'zq7-hidden';
  const configMapThere = `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${hidden}
  namespace: ${elsewhere}
data:
  a: "1"
`;
  let inShop: TestPerson;
  let inBoth: TestPerson;

  beforeAll(async () => {
    await lab.put('/api/v1/namespaces', { metadata: { name: elsewhere } });
    inShop = await lab.member(teamRoles.TeamAdmin, ['shop']);
    inBoth = await lab.member(teamRoles.TeamAdmin, ['shop', elsewhere]);
  });

  it('shows people who reach its own alone what is there, how much is not, and no contents', async () => {
    await plant(1, { manifest: configMap('own', '  a: "1"\n'), status: 'superseded' });
    await plant(2, { manifest: configMap('own', '  a: "2"\n') + configMapThere });
    const resources = (person: TestPerson) => person.client.call('releaseResources', { params: place() });
    expect(await resources(inShop)).toMatchObject({ resources: [{ name: `${name}-own` }], leftOut: 1 });
    for (const person of [inBoth, admin])
      expect(await resources(person)).toMatchObject({
        resources: [{ name: `${name}-own` }, { name: hidden, namespace: elsewhere }],
        leftOut: 0,
      });
    expect((await contents(inShop, 1)).manifest).toContain(`${name}-own`);
    for (const read of [contents, reveal]) {
      await expect(read(inShop, 2)).rejects.toMatchObject({
        status: 403,
        title: expect.stringContaining('"secrets.view"'),
      });
      expect((await read(inBoth, 2)).manifest).toContain(hidden);
    }
  });

  it('is no more shown by the Secret in which Helm keeps it, its hooks included', async () => {
    await plant(1, { manifest: configMap('own', '  a: "1"\n'), status: 'superseded' });
    await plant(2, { manifest: configMap('own', '  a: "2"\n') + configMapThere, status: 'superseded' });
    await plant(3, {
      manifest: configMap('own', '  a: "2"\n'),
      hooks: [{ name: hidden, kind: 'ConfigMap', events: ['pre-install'], manifest: configMapThere }],
    });
    const value = async (person: TestPerson, revision: number) => {
      const { namespace, name: release } = place();
      const { values } = await person.client.call('revealSecret', {
        params: { clusterId: lab.clusterId, namespace, name: `sh.helm.release.v1.${release}.v${revision}` },
        body: { keys: ['release'], purpose: 'show' },
      });
      return values[0]?.value ?? '';
    };
    expect(await value(inShop, 1)).not.toBe('');
    for (const revision of [2, 3]) {
      await expect(value(inShop, revision)).rejects.toMatchObject({
        status: 403,
        title: expect.stringContaining('"secrets.view"'),
      });
      for (const person of [inBoth, admin]) expect(await value(person, revision)).not.toBe('');
    }
    await expect(reveal(inShop, 3)).rejects.toMatchObject({ status: 403 });
  });

  it('is neither rolled back nor uninstalled by them, and its job is not theirs to see', async () => {
    await plant(1, { manifest: configMap('own', '  a: "1"\n'), status: 'superseded' });
    await plant(2, { manifest: configMap('own', '  a: "2"\n') + configMapThere });
    await lab.put(`/api/v1/namespaces/${elsewhere}/configmaps`, {
      metadata: { name: hidden, annotations: own('').annotations },
    });
    for (const [actionId, args] of [
      ['release.rollback', { revision: 1 }],
      ['release.uninstall', {}],
    ] as const) {
      for (const dryRun of [true, false]) {
        const outcome = await act(inShop, actionId, args, { dryRun });
        expect([actionId, outcome.ok, outcome.status]).toEqual([actionId, false, 403]);
        expect(JSON.stringify(outcome)).not.toContain(hidden);
      }
    }
    const { job, message } = await act(inBoth, 'release.uninstall');
    expect(job, message).toBeDefined();
    expect((await ended(job)).status).toBe('succeeded');
    expect(await lab.seen(`/api/v1/namespaces/${elsewhere}/configmaps/${hidden}`)).toBeUndefined();
    const jobs = async (person: TestPerson) =>
      (await person.client.call('jobs', { params: { clusterId: lab.clusterId } })).jobs.map(({ id }) => id);
    expect(await jobs(inBoth)).toContain(job);
    expect(await jobs(inShop)).not.toContain(job);
    await expect(
      inShop.client.call('cancelJob', { params: { clusterId: lab.clusterId, jobId: job ?? 0 } }),
    ).rejects.toMatchObject({ status: 404 });
  });
});
