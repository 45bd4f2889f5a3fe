import { expect, test } from 'vitest';
import type { KubeObject } from '../../../src/kube/object.ts';
import { shareLive } from './live-console.ts';
import { collections, podOf } from './script-transport.ts';

const { open, cluster } = shareLive();
const path = { pod: '/api/v1/pods', deployment: '/apis/apps/v1/deployments' };
const metadata = { name: 'odd', namespace: 'shop', uid: 'uid-odd', resourceVersion: '2' };
const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

/** Named objects whose other parts are what no API server sends, as JSON. */
const odd: readonly (readonly [what: string, text: string])[] = [
  ['null for spec and status', JSON.stringify({ metadata, spec: null, status: null })],
  ['texts for spec and status', JSON.stringify({ metadata, spec: 'x', status: 'y' })],
  ['lists for spec and status', JSON.stringify({ metadata, spec: [1], status: [null] })],
  [
    'containers that are none',
    JSON.stringify({ metadata, spec: { containers: { a: 1 }, replicas: 'x' }, status: { conditions: 5 } }),
  ],
  [
    'containers with holes',
    JSON.stringify({
      metadata,
      spec: { containers: [null], template: 'x', selector: { matchLabels: [null] } },
      status: { conditions: [null], containerStatuses: [null] },
    }),
  ],
  [
    'a template with holes',
    JSON.stringify({
      metadata,
      spec: { selector: 7, template: { spec: { containers: [null, 1], volumes: 'x' } } },
    }),
  ],
  [
    'labels and owners that are none',
    JSON.stringify({ metadata: { ...metadata, labels: { a: 1 }, ownerReferences: [null, 5] } }),
  ],
  ['great depth', `{"metadata":${JSON.stringify(metadata)},"spec":{"containers":${deep}}}`],
];

test.each(odd)('an open object with %s is shown; it, its list and the watch live on', async (_what, text) => {
  const object = JSON.parse(text) as KubeObject;
  for (const kind of ['pod', 'deployment'] as const) {
    const good = podOf('good', '1');
    const { transport, id } = await cluster();
    transport.onList = collections({ [path[kind]]: [good, object] });
    const client = await open();
    const list = client.subscribe({ clusterId: id, kind });
    const page = client.open({ clusterId: id, kind, namespace: 'shop', name: 'odd' });
    await client.until('live', () => list.state?.status === 'live' && page.view !== undefined);
    expect(page.view).toMatchObject({ object: { metadata: { name: 'odd' } } });
    const watch = transport.watchOf(path[kind]);
    const changed = text.replace('"resourceVersion":"2"', '"resourceVersion":"3"');
    // A page that was ahead of the list asks the cluster again.
    transport.onList = collections({ [path[kind]]: [good, JSON.parse(changed) as KubeObject] });
    watch.say(`{"type":"MODIFIED","object":${changed}}`);
    watch.say({ type: 'ADDED', object: podOf('new', '4') });
    await client.until('the new row', () => list.rows.has('uid-new'));
    await client.until(
      'the new version',
      () => page.versions.at(-1)?.object.metadata?.['resourceVersion'] === '3',
    );
    expect([...list.rows.keys()].sort()).toEqual(['uid-good', 'uid-new', 'uid-odd']);
    expect([list.state?.status, watch.isClosed]).toEqual(['live', false]);
  }
});
