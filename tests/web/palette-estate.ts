import type { SearchHit } from '../../src/contract/search.ts';
import { readIntents, withoutOpenWords } from '../../src/registry/palette-intent.ts';
import { readPaletteInput } from '../../src/registry/palette-query.ts';
import type { ObjectRef } from '../../src/registry/command.ts';
import type { ContextKeys } from '../../src/registry/when.ts';
import type { FoundObjects } from '../../src/web/features/palette/ask-objects.ts';
import { verbsOf } from '../../src/web/features/palette/command-entries.ts';
import type { Content } from '../../src/web/features/palette/content.ts';
import { searchedKinds } from '../../src/web/features/palette/intent-entries.ts';
import { rankHits } from '../../src/web/features/palette/object-entries.ts';
import type { PaletteOpening } from '../../src/web/features/palette/opening.ts';
import { compose, foundObjects, openingWith, pageContext, registry } from './palette-moment.ts';

const object = (kind: string, kindName: string, name: string, namespace?: string): SearchHit => ({
  clusterId: 1,
  kind,
  kindName,
  ...(namespace === undefined ? {} : { namespace }),
  name,
});

/** The objects of cluster 1 in these tests, in the order in which the index answers equal names. */
const estate: readonly SearchHit[] = [
  object('deployment', 'Deployment', 'checkout', 'shop'),
  object('deployment', 'Deployment', 'recommendations', 'shop'),
  object('deployment', 'Deployment', 'email-worker', 'shop'),
  object('deployment', 'Deployment', 'legacy-api', 'shop'),
  object('statefulset', 'StatefulSet', 'postgres', 'data'),
  object('statefulset', 'StatefulSet', 'redis', 'data'),
  object('daemonset', 'DaemonSet', 'node-exporter', 'monitoring'),
  object('cronjob', 'CronJob', 'nightly-report', 'jobs'),
  object('job', 'Job', 'nightly-report-29381', 'jobs'),
  object('service', 'Service', 'checkout', 'shop'),
  object('service', 'Service', 'postgres', 'data'),
  object('ingress', 'Ingress', 'shop', 'shop'),
  object('configmap', 'ConfigMap', 'checkout-config', 'shop'),
  object('secret', 'Secret', 'db-credentials', 'shop'),
  object('hpa', 'HorizontalPodAutoscaler', 'checkout', 'shop'),
  object('persistentvolumeclaim', 'PersistentVolumeClaim', 'data-postgres-0', 'data'),
  object('node', 'Node', 'worker-a1'),
  object('node', 'Node', 'worker-b2'),
  object('namespace', 'Namespace', 'shop'),
  object('namespace', 'Namespace', 'monitoring'),
  object('pod', 'Pod', 'checkout-7d9c5b8f6c-x2k4p', 'shop'),
  object('pod', 'Pod', 'checkout-7d9c5b8f6c-9qw8z', 'shop'),
  object('pod', 'Pod', 'postgres-0', 'data'),
  object('pod', 'Pod', 'email-worker-5f7d8c9b4-abcde', 'shop'),
  object('replicaset', 'ReplicaSet', 'checkout-7d9c5b8f6c', 'shop'),
  object('replicaset', 'ReplicaSet', 'checkout-58b6d7f9d4', 'shop'),
];

/** What the index answers: the objects of the wanted kinds that a text finds, best first. */
function search(text: string, kinds?: string): FoundObjects {
  const wanted = kinds?.split(',');
  const among = estate.filter(({ kind }) => wanted === undefined || wanted.includes(kind));
  const found = rankHits(among, text).toSorted((a, b) => b.score - a.score);
  return foundObjects(found.map(({ hit }) => hit));
}

/** What the palette shows for a text, over the objects of these tests. */
export function ask(text: string, opening: PaletteOpening): Content {
  const input = readPaletteInput(text);
  const intents = input.mode === 'all' ? readIntents(input.text, verbsOf(registry, opening)) : [];
  const [first] = intents;
  return compose(text, opening, {
    objects:
      input.mode === 'all' && input.text !== '' ? search(withoutOpenWords(input.text)) : foundObjects([]),
    intents,
    intended:
      first === undefined || first.object === ''
        ? foundObjects([])
        : search(first.object, searchedKinds(intents)),
  });
}

const onRow = (kind: string, name: string, namespace?: string): PaletteOpening => {
  const ref: ObjectRef = { cluster: '1', kind, ...(namespace === undefined ? {} : { namespace }), name };
  const context: ContextKeys = { ...pageContext, focus: 'table', kind, row: 'opens' };
  return openingWith({ clusterId: 1, context, subject: { type: 'objects', refs: [ref], from: 'row' } });
};

/** The moments in which people ask. */
export const moments = {
  page: openingWith({ clusterId: 1 }),
  tiles: openingWith({ clusterId: 1, context: { ...pageContext, tiles: 'many' } }),
  home: openingWith(),
  deployment: onRow('deployment', 'checkout', 'shop'),
  pod: onRow('pod', 'checkout-7d9c5b8f6c-x2k4p', 'shop'),
  node: onRow('node', 'worker-a1'),
} as const;
