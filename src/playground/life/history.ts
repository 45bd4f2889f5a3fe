import { at, type Obj, type Rec, rec, same, strings } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { create, ownedBy, put, remove, templateHash } from './write.ts';

const storage = 'apps/controllerrevisions';
/** Label keys of a ControllerRevision's hash, by kind of its set. */
const hashLabels = {
  StatefulSet: 'controller.kubernetes.io/hash',
  DaemonSet: 'controller-revision-hash',
} as const;

const numberOf = (revision: Obj) => Number(revision['revision'] ?? 0);
const dataOf = (template: Rec): Rec => ({ spec: { template: { ...template, $patch: 'replace' } } });

/** The revisions of a set, oldest first. */
export const revisionsOf = (set: Obj, life: Life): Obj[] =>
  life.children.of(set.metadata.uid, storage).sort((a, b) => numberOf(a) - numberOf(b));

/** The pod template that a revision holds. */
export function templateOf(revision: Obj): Rec {
  const { $patch: _patch, ...template } = rec(at(revision, 'data', 'spec', 'template'));
  return template;
}

/** The hash in the name of a revision. */
export const hashOf = (set: Obj, revision: Obj): string =>
  (revision.metadata.name ?? '').slice((set.metadata.name ?? '').length + 1);

/** The revision of a set's current template: created when missing, renumbered when an earlier template returns. */
export function currentRevision(set: Obj, kind: keyof typeof hashLabels, life: Life): Obj | undefined {
  const { world } = life;
  const { name = '', namespace = '', annotations } = set.metadata;
  const template = rec(at(set, 'spec', 'template'));
  const data = dataOf(template);
  const revisions = revisionsOf(set, life);
  const last = revisions.at(-1);
  const found = revisions.findLast((item) => same(item['data'], data));
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

/** Deletes the oldest unused revisions beyond the history limit. `live`: names or hashes in use. */
export function forgetRevisions(set: Obj, live: ReadonlySet<string>, life: Life): void {
  const historyLimit = Number(at(set, 'spec', 'revisionHistoryLimit') ?? 10);
  const idle = revisionsOf(set, life).filter(
    (item) => !live.has(item.metadata.name ?? '') && !live.has(hashOf(set, item)),
  );
  for (const revision of idle.slice(0, Math.max(0, idle.length - historyLimit)))
    remove(life.world, storage, revision);
}

/** Label of a pod with its revision's name or hash. */
export const revisionLabel = 'controller-revision-hash';
/** The revisions of a set's pods, from their labels. */
export const liveRevisions = (pods: readonly Obj[]): string[] =>
  pods.map((pod) => pod.metadata.labels?.[revisionLabel] ?? '');
