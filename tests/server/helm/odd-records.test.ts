import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { refusal } from '../actions/playground.ts';
import { openLive } from '../live/live-client.ts';
import {
  act,
  admin,
  configMap,
  contents,
  ended,
  kept,
  lab,
  maps,
  name,
  own,
  packed,
  place,
  plant,
  secrets,
  useReleaseLab,
  viewer,
} from './release-lab.ts';

useReleaseLab('odd');

const recordPath = (revision: number) => `${secrets}/sh.helm.release.v1.${name}.v${revision}`;
const patch = (path: string, body: object) =>
  lab.transport.json({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
const decoded = async (revision: number) => {
  const record = (await lab.seen(recordPath(revision))) as { data?: { release?: string } } | undefined;
  const inner = Buffer.from(record?.data?.release ?? '', 'base64').toString();
  return JSON.parse(gunzipSync(Buffer.from(inner, 'base64')).toString()) as Record<string, unknown>;
};

describe('a stored revision that says it is another', () => {
  it.each([
    ['of another release', { name: 'other', version: 2 }, 'revision 2 of other'],
    ['with another number', { version: 7 }, 'revision 7 of'],
  ])('is not used: one %s', async (_one, lie, said) => {
    await plant(1, { manifest: configMap('a', `  v: "1"\n`), status: 'superseded' });
    await plant(2, { manifest: configMap('a', `  v: "2"\n`) });
    await lab.put(maps, { metadata: own('a'), data: { v: '2' } });
    await patch(recordPath(2), { data: { release: packed({ ...(await decoded(2)), ...lie }) } });
    const sentence = new RegExp(
      `sh.helm.release.v1.${name}.v2 cannot be used: by its name it is revision 2 of ${name}, but it contains ${said}`,
    );
    expect(await refusal(contents(admin, 2))).toMatchObject({ title: expect.stringMatching(sentence) });
    const { revisions } = await viewer.client.call('releaseHistory', { params: place() });
    expect(revisions).toMatchObject([
      { revision: 2, problem: expect.stringMatching(sentence) },
      { revision: 1, problem: null },
    ]);
    for (const [action, args] of [
      ['release.rollback', { revision: 1 }],
      ['release.uninstall', {}],
    ] as const)
      expect(await act(admin, action, args)).toMatchObject({
        ok: false,
        message: expect.stringMatching(sentence),
      });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({ data: { v: '2' } });
    expect([await kept(1), await kept(2), await kept(3)]).toEqual(['superseded', 'deployed', undefined]);
  });
});

describe('a Secret named as a revision', () => {
  it('is one as long as it has Helm’s label', async () => {
    await plant(1, { manifest: '' });
    const page = await openLive(lab.console.url, { origin: lab.console.url, cookie: viewer.client.cookie });
    const list = page.subscribe({ clusterId: lab.clusterId, kind: 'release' });
    const columns = page.hello?.columns['release'] ?? [];
    const isListed = () => [...list.rows.values()].some((cells) => cells[columns.indexOf('name')] === name);
    await page.until('it is listed', isListed);
    await patch(recordPath(1), { metadata: { labels: { owner: null } } });
    await page.until('it is none', () => !isListed());
    expect(await refusal(viewer.client.call('releaseHistory', { params: place() }))).toMatchObject({
      status: 404,
    });
    await page.close();
  });
});

describe('a roll back', () => {
  it('keeps where the release is installed now, and the labels that a person gave it', async () => {
    await plant(1, { manifest: configMap('a', `  v: "1"\n`), status: 'superseded', namespace: 'elsewhere' });
    await plant(2, { manifest: configMap('a', `  v: "2"\n`) });
    await patch(recordPath(1), { metadata: { labels: { team: 'till', version: '9' } } });
    await lab.put(maps, { metadata: own('a'), data: { v: '2' } });
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await decoded(3)).toMatchObject({ namespace: 'shop', version: 3, somethingNew: { kept: true } });
    expect((await lab.seen(recordPath(3)))?.metadata?.labels).toMatchObject({
      team: 'till',
      owner: 'helm',
      version: '3',
      status: 'deployed',
    });
  });

  it('changes the items of a typed list, which need not say their kind', async () => {
    const list = (value: string) => `---
apiVersion: v1
kind: ConfigMapList
items:
  - metadata: { name: ${name}-a }
    data: { v: "${value}" }
`;
    await plant(1, { manifest: list('1'), status: 'superseded' });
    await plant(2, { manifest: list('2') });
    await lab.put(maps, { metadata: own('a'), data: { v: '2' } });
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({ data: { v: '1' } });
  });
});
