import { beforeAll, describe, expect, it } from 'vitest';
import { permissions, teamRoles } from '../../../src/contract/permissions.ts';
import { unpackedLimit } from '../../../src/server/objects/release/decode.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { BearerClient } from '../http-client.ts';
import { refusal } from '../actions/playground.ts';
import { openLive } from '../live/live-client.ts';
import type { TestPerson } from '../harness.ts';
import type { TokenScope } from '../../../src/contract/token-scopes.ts';
import {
  act,
  admin,
  canary,
  configMap,
  contents,
  ended,
  lab,
  maps,
  name,
  own,
  packed,
  place,
  plant,
  reveal,
  secretDocument,
  secretViewer,
  secrets,
  useReleaseLab,
  viewer,
} from './release-lab.ts';

useReleaseLab('shop');

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
