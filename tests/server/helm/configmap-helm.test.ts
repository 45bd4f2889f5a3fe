import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { refusal } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';
import { openLive } from '../live/live-client.ts';
import {
  act,
  admin,
  canary,
  ended,
  lab,
  name,
  own,
  place,
  secretViewer,
  useReleaseLab,
  viewer,
} from './release-lab.ts';

const core = '/api/v1/namespaces/shop';

useReleaseLab('depot');

type Storage = 'secrets' | 'configmaps';
const record = (storage: Storage, revision: number) =>
  `${core}/${storage}/sh.helm.release.v1.${name}.v${revision}`;
const statusOf = async (storage: Storage, revision: number) =>
  (await lab.seen(record(storage, revision)))?.metadata?.labels?.['status'];

const manifestOf = (colour: string) => `---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}-a }
data: { colour: ${colour} }
`;
/** Plants a revision as Helm keeps it with one of its drivers. */
async function plant(storage: Storage, revision: number, status: string, colour = 'red'): Promise<void> {
  const body = {
    name,
    namespace: 'shop',
    version: revision,
    info: { status, description: `made ${revision}`, last_deployed: `2026-01-0${revision}T00:00:00Z` },
    chart: { metadata: { name: 'depot', version: `1.0.${revision}` }, values: {} },
    config: { password: canary, size: 2 },
    manifest: manifestOf(colour),
  };
  const packed = gzipSync(JSON.stringify(body)).toString('base64');
  await lab.put(`${core}/${storage}`, {
    metadata: {
      name: `sh.helm.release.v1.${name}.v${revision}`,
      labels: { name, owner: 'helm', status, version: String(revision) },
    },
    ...(storage === 'secrets' ? { type: 'helm.sh/release.v1' } : {}),
    data: { release: storage === 'secrets' ? Buffer.from(packed).toString('base64') : packed },
  });
}

describe('a Helm release in ConfigMaps', () => {
  it('is listed and open with its chart, live, until its last revision is deleted', async () => {
    await plant('configmaps', 1, 'superseded');
    // Its name alone makes no ConfigMap a revision.
    await lab.put(`${core}/configmaps`, { metadata: { name: `sh.helm.release.v1.${name}-fake.v1` } });
    const page = await openLive(lab.console.url, { origin: lab.console.url, cookie: viewer.client.cookie });
    const list = page.subscribe({ clusterId: lab.clusterId, kind: 'release' });
    const open = page.open({ clusterId: lab.clusterId, kind: 'release', namespace: 'shop', name });
    const columns = page.hello?.columns['release'] ?? [];
    const named = (one: string) =>
      [...list.rows.values()].find((cells) => cells[columns.indexOf('name')] === one);
    const cell = (id: string) => named(name)?.[columns.indexOf(id)];
    await page.until('its chart is there', () => cell('version') === '1.0.1');
    await page.until('it is open', () => open.view?.object['chart'] !== undefined);
    expect(open.view?.object['storages']).toEqual(['ConfigMap']);
    await plant('configmaps', 2, 'deployed');
    await page.until('the next revision shows', () => cell('version') === '1.0.2');
    expect(cell('status')).toEqual(['Deployed', 'ok']);
    expect(named(`${name}-fake`)).toBeUndefined();
    for (const revision of [1, 2])
      await lab.transport.json({ method: 'DELETE', path: record('configmaps', revision) });
    await page.until('it is gone', () => named(name) === undefined && open.gone !== undefined);
    expect(JSON.stringify([[...list.rows], open.versions])).not.toContain(canary);
    await page.close();
  });

  it('shows its contents masked, and to the same people as one in Secrets', async () => {
    await plant('configmaps', 1, 'deployed');
    const contents = (person: TestPerson) =>
      person.client.call('releaseContents', { params: { ...place(), revision: 1 } });
    const masked = await contents(secretViewer);
    expect(masked.values).toMatch(/password: <masked/);
    expect(masked.values).toContain('size: 2');
    expect(masked.manifest).toContain('colour: red');
    expect(JSON.stringify(masked)).not.toContain(canary);
    expect(await refusal(contents(viewer))).toMatchObject({ status: 403 });
    const revealed = await secretViewer.client.call('revealRelease', {
      params: { ...place(), revision: 1 },
    });
    expect(revealed.values).toContain(canary);
    await lab.put(`${core}/configmaps`, { metadata: own('a') });
    const { resources } = await viewer.client.call('releaseResources', { params: place() });
    expect(resources).toMatchObject([{ kind: 'ConfigMap', name: `${name}-a`, state: 'there' }]);
  });

  it('is rolled back in ConfigMaps, and no Secret is written', async () => {
    await plant('configmaps', 1, 'superseded', 'red');
    await plant('configmaps', 2, 'deployed', 'blue');
    await lab.put(`${core}/configmaps`, { metadata: own('a'), data: { colour: 'blue' } });
    expect(await ended((await act(admin, 'release.rollback', { revision: 1 })).job)).toMatchObject({
      status: 'succeeded',
    });
    expect(await lab.seen(`${core}/configmaps/${name}-a`)).toMatchObject({ data: { colour: 'red' } });
    const statuses = await Promise.all([1, 2, 3].map((revision) => statusOf('configmaps', revision)));
    expect(statuses).toEqual(['superseded', 'superseded', 'deployed']);
    expect(await lab.seen(record('secrets', 3))).toBeUndefined();
    expect(await lab.seen(record('configmaps', 3))).not.toHaveProperty('type');
    const { revisions } = await viewer.client.call('releaseHistory', { params: place() });
    expect(revisions).toMatchObject([
      { revision: 3, description: 'Rollback to 1', chartVersion: '1.0.1', problem: null },
      { revision: 2 },
      { revision: 1 },
    ]);
  });

  it('is uninstalled with its ConfigMaps', async () => {
    await plant('configmaps', 1, 'superseded');
    await plant('configmaps', 2, 'deployed');
    await lab.put(`${core}/configmaps`, { metadata: own('a') });
    expect(await ended((await act(admin, 'release.uninstall')).job)).toMatchObject({ status: 'succeeded' });
    for (const path of [record('configmaps', 1), record('configmaps', 2), `${core}/configmaps/${name}-a`])
      expect(await lab.seen(path)).toBeUndefined();
  });
});

describe('a Helm release in both storages', () => {
  it('shows the revisions of both in their order, and is neither rolled back nor uninstalled', async () => {
    await plant('secrets', 1, 'superseded');
    await plant('configmaps', 2, 'superseded');
    await plant('secrets', 3, 'superseded', 'green');
    await plant('configmaps', 3, 'failed', 'black');
    await plant('configmaps', 4, 'deployed', 'blue');
    await lab.put(`${core}/configmaps`, { metadata: own('a'), data: { colour: 'blue' } });
    const { revisions } = await viewer.client.call('releaseHistory', { params: place() });
    // Of two with one number the Secret, Helm's default, is shown.
    expect(revisions.map(({ revision, status }) => [revision, status])).toEqual([
      [4, 'deployed'],
      [3, 'superseded'],
      [2, 'superseded'],
      [1, 'superseded'],
    ]);
    for (const [action, args] of [
      ['release.rollback', { revision: 1 }],
      ['release.uninstall', {}],
    ] as const) {
      expect(await act(admin, action, args)).toMatchObject({
        ok: false,
        message: expect.stringMatching(/revisions in Secrets and in ConfigMaps.*Use helm, with HELM_DRIVER/),
      });
    }
    expect(await lab.seen(`${core}/configmaps/${name}-a`)).toMatchObject({ data: { colour: 'blue' } });
    for (const storage of ['secrets', 'configmaps'] as const)
      expect(await lab.seen(record(storage, 5))).toBeUndefined();
    expect(await statusOf('configmaps', 4)).toBe('deployed');
    expect(await statusOf('secrets', 1)).toBe('superseded');
  });
});
