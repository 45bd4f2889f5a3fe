import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ListState } from '../../../src/contract/live.ts';
import { Problem } from '../../../src/contract/problem.ts';
import { ClusterProblem, type Transport } from '../../../src/server/clusters/transport.ts';
import { changeableRevisions } from '../../../src/server/helm/storage.ts';
import { releaseState } from '../../../src/server/live/releases/release-state.ts';
import { decodeRelease } from '../../../src/server/objects/release/decode.ts';
import { createRevision, updateRevision } from '../../../src/server/objects/release/encode.ts';
import { readRevisions } from '../../../src/server/objects/release/read.ts';
import { refusal } from '../actions/playground.ts';

const raw = { name: 'web', namespace: 'shop', version: 2, manifest: '', info: { status: 'deployed' } };
const packed = gzipSync(JSON.stringify(raw)).toString('base64');
const twice = Buffer.from(packed).toString('base64');
const metadata = { namespace: 'shop', name: 'sh.helm.release.v1.web.v2', labels: { owner: 'helm' } };
const type = 'helm.sh/release.v1';

describe('a stored revision', () => {
  it('is read from base64 in a ConfigMap, and from base64 twice in a Secret', async () => {
    const wanted = { name: 'web', revision: 2, status: 'deployed' };
    expect(await decodeRelease({ metadata, data: { release: packed } }, 'ConfigMap')).toMatchObject(wanted);
    expect(await decodeRelease({ metadata, type, data: { release: twice } }, 'Secret')).toMatchObject(wanted);
    const unpacked = Buffer.from(JSON.stringify(raw)).toString('base64');
    expect(await decodeRelease({ metadata, data: { release: unpacked } }, 'ConfigMap')).toMatchObject(wanted);
  });

  it.each([
    ['a ConfigMap without the label', { metadata: { name: 'a' }, data: { release: packed } }, 'ConfigMap'],
    ['a ConfigMap in the form of a Secret', { metadata, data: { release: twice } }, 'ConfigMap'],
    ['a ConfigMap without the key', { metadata, data: {} }, 'ConfigMap'],
    ['a Secret of another type', { metadata, data: { release: twice } }, 'Secret'],
  ] as const)('is not %s', async (_name, record, storage) => {
    const { title } = await refusal(decodeRelease(record, storage));
    expect(title).toMatch(new RegExp(`^${storage} .* cannot be read`));
  });

  it('is written as it is read', async () => {
    for (const storage of ['Secret', 'ConfigMap'] as const) {
      const own = { storage, namespace: 'shop', name: 'web', revision: 2, status: 'deployed' };
      const plural = `${storage.toLowerCase()}s`;
      const created = await createRevision(raw, own, 0);
      expect(created.path).toBe(`/api/v1/namespaces/shop/${plural}`);
      expect(created.body).toMatchObject({ kind: storage });
      expect(await decodeRelease(created.body as object, storage)).toMatchObject({ revision: 2 });
      const updated = await updateRevision(raw, own, 0);
      expect(updated.path).toBe(`/api/v1/namespaces/shop/${plural}/sh.helm.release.v1.web.v2`);
    }
  });
});

/** A cluster with these revisions of `web`; a storage without any may not be listed. */
function clusterWith(stored: Readonly<Record<'secrets' | 'configmaps', readonly number[] | undefined>>) {
  const json = (request: { readonly path: string }) => {
    const [, plural] = /\/(secrets|configmaps)$/.exec(request.path) ?? [];
    const revisions = plural === 'secrets' ? stored.secrets : stored.configmaps;
    if (revisions === undefined) {
      const problem = { status: 403, title: `No ${plural} for you.`, retryable: false, where: {} };
      return Promise.reject(new ClusterProblem(problem, { status: 403 }));
    }
    const items = revisions.map((revision) => ({
      metadata: { name: `sh.helm.release.v1.web.v${revision}`, labels: { status: 'deployed' } },
    }));
    return Promise.resolve({ metadata: {}, items });
  };
  return { json } as unknown as Transport;
}
const place = { namespace: 'shop', name: 'web' };

describe('the revisions of a release', () => {
  it('are those of both storages, and of one where the other may not be listed', async () => {
    const both = await readRevisions(clusterWith({ secrets: [1, 3], configmaps: [2, 3] }), place);
    expect(both.revisions.map(({ revision, storage }) => `${revision} ${storage}`)).toEqual([
      '3 Secret',
      '3 ConfigMap',
      '2 ConfigMap',
      '1 Secret',
    ]);
    const one = await readRevisions(clusterWith({ secrets: undefined, configmaps: [2] }), place);
    expect(one.revisions).toMatchObject([{ revision: 2, storage: 'ConfigMap' }]);
  });

  it('are missing only where both storages were read', async () => {
    const missing = await refusal(readRevisions(clusterWith({ secrets: [], configmaps: [] }), place));
    expect(missing).toMatchObject({ status: 404 });
    const hidden = await refusal(readRevisions(clusterWith({ secrets: [], configmaps: undefined }), place));
    expect(hidden).toMatchObject({ status: 403 });
  });

  it('are changed in one storage, and nowhere while the other has some or may have', async () => {
    const found = await changeableRevisions(clusterWith({ secrets: [], configmaps: [1, 2] }), place);
    expect(found).toMatchObject({ storage: 'ConfigMap', kept: [{ revision: 2 }, { revision: 1 }] });
    const mixed = changeableRevisions(clusterWith({ secrets: [1], configmaps: [2] }), place);
    expect(await refusal(mixed)).toMatchObject({
      status: 409,
      title:
        'web has revisions in Secrets and in ConfigMaps of shop, so this console does not change it. Use helm, with HELM_DRIVER set to “secret” or “configmap”.',
    });
    const hidden = changeableRevisions(clusterWith({ secrets: [1], configmaps: undefined }), place);
    expect(await refusal(hidden)).toBeInstanceOf(Problem);
    expect(await refusal(hidden)).toMatchObject({
      status: 409,
      title:
        "web may have revisions in ConfigMaps of shop, which this console's credential may not list, so nothing was changed. Give the credential a role that may list them, or use helm.",
    });
  });
});

describe('the state of a list of releases', () => {
  const since = '2026-01-01T00:00:00.000Z';
  const live: ListState = { status: 'live', since };
  const polled: ListState = { status: 'polled', since, message: 'Refreshed.' };
  const shut: ListState = { status: 'forbidden', since, message: 'No role.' };
  const lost: ListState = { status: 'reconnecting', since };
  it.each([
    ['both live', live, live, false, live],
    ['the worse of two', live, lost, false, lost],
    [
      'ConfigMaps that may not be read',
      live,
      shut,
      true,
      { ...live, message: 'Releases stored in ConfigMaps are not shown. No role.' },
    ],
    [
      'Secrets that may not be read',
      shut,
      polled,
      false,
      { ...polled, message: 'Refreshed. Releases stored in Secrets are not shown. No role.' },
    ],
    ['Secrets that may not be read, without any release', shut, live, true, shut],
    ['neither', shut, { ...shut, message: 'Neither.' }, true, shut],
    ['one message of both once', polled, polled, false, polled],
  ] as const)('tells of %s', (_name, secrets, configMaps, isEmpty, wanted) => {
    expect(releaseState({ Secret: secrets, ConfigMap: configMaps }, () => isEmpty)).toEqual(wanted);
  });
});
