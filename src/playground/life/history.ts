import { at, type Obj, type Rec, rec, same, strings } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { create, ownedBy, put, remove, templateHash } from './write.ts';

const storage = 'apps/controllerrevisions';
/** How ControllerRevisions of each kind are labelled with their hash. */
const hashLabels = {
  StatefulSet: 'controller.kubernetes.io/hash',
  DaemonSet: 'controller-revision-hash',
} as const;

const numberOf = (revision: Obj) => Number(revision['revision'] ?? 0);
const dataOf = (template: Rec): Rec => ({ spec: { template: { ...template, $patch: 'replace' } } });

/** The revisions of a set, the oldest first. */
export const revisionsOf = (set: Obj, life: Life): Obj[] =>
  life.children.of(set.metadata.uid, storage).sort((a, b) => numberOf(a) - numberOf(b));

/** The pod template that a revision holds. */
export function templateOf(revision: Obj): Rec {
  const { $patch: _patch, ...template } = rec(at(revision, 'data', 'spec', 'template'));
  return template;
}

/** The hash in a revision's name. */
export const hashOf = (set: Obj, revision: Obj): string =>
  (revision.metadata.name ?? '').slice((set.metadata.name ?? '').length + 1);

/** The revision of a set's present template: the newest one; made when there is none, renewed when it returns. */
export function presentRevision(set: Obj, kind: keyof typeof hashLabels, life: Life): Obj | undefined {
  const { world } = life;
  const { name = '', namespace = '', annotations } = set.metadata;
  const template = rec(at(set, 'spec', 'template'));
  const data = dataOf(template);
  const known = revisionsOf(set, life);
  const last = known.at(-1);
  const found = known.findLast((item) => same(item['data'], data));
  if (found !== undefined) {
    if (found === last || last === undefined) return found;
    return put(world, storage, { ...found, revision: numberOf(last) + 1 });
  }
  const hash = templateHash(template);
  return create(world, storage, namespace, {
    metadata: {
      name: `${name}-${hash}`,
      labels: { ...strings(at(template, 'metadata', 'labels')), [hashLabels[kind]]: hash },
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ownerReferences: [ownedBy(set)],
    },
    data: structuredClone(data),
    revision: (last === undefined ? 0 : numberOf(last)) + 1,
  });
}

/** Removes the oldest revisions that no pod is of, but as many as the history may have. `live`: names or hashes in use. */
export function forgetRevisions(set: Obj, live: ReadonlySet<string>, life: Life): void {
  const keep = Number(at(set, 'spec', 'revisionHistoryLimit') ?? 10);
  const idle = revisionsOf(set, life).filter(
    (item) => !live.has(item.metadata.name ?? '') && !live.has(hashOf(set, item)),
  );
  for (const revision of idle.slice(0, Math.max(0, idle.length - keep)))
    remove(life.world, storage, revision);
}

/** The label by which a pod says of which revision it is. */
export const revisionLabel = 'controller-revision-hash';
/** The revisions that a set's pods are of, as their labels say. */
export const liveRevisions = (pods: readonly Obj[]): string[] =>
  pods.map((pod) => pod.metadata.labels?.[revisionLabel] ?? '');
