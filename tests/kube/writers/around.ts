import type { KubeObject } from '../../../src/kube/object.ts';
import { groupOf } from '../../../src/kube/writers/marks.ts';
import type { Around } from '../../../src/kube/writers/writer.ts';

/** The surroundings of an object: these objects and no others. @param unseen kinds that somebody may not view */
export function aroundOf(objects: readonly KubeObject[], unseen: readonly string[] = []): Around {
  const isOf = (one: KubeObject, { apiVersion, kind }: { apiVersion: string; kind: string }) =>
    groupOf(one.apiVersion) === groupOf(apiVersion) && one.kind === kind;
  return {
    one: (named) =>
      unseen.includes(named.kind)
        ? undefined
        : (objects.find(
            (one) =>
              isOf(one, named) &&
              one.metadata?.name === named.name &&
              (one.metadata.namespace ?? '') === (named.namespace ?? ''),
          ) ?? null),
    all: (lookup) =>
      unseen.includes(lookup.kind)
        ? undefined
        : objects.filter(
            (one) =>
              isOf(one, lookup) &&
              (lookup.namespace === undefined || one.metadata?.namespace === lookup.namespace),
          ),
  };
}
