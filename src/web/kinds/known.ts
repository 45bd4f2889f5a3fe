import type { KindFacts } from '../../registry/kind-facts.ts';
import { parseKindName } from '../../registry/resource-key.ts';
import { kindById } from './declared.ts';
import { kindLabel } from './names.ts';

/** The kinds this page knows: those with a file, and those without one that the server has described. */
export interface KnownKinds {
  /** Keeps what a cluster's kind is, under the name it was asked for and under its own. */
  learn(clusterId: number, name: string, kind: KindFacts): void;
  /** The kind of an object's reference; undefined for one that nobody looked at yet. */
  of(cluster: string, name: string): KindFacts | undefined;
}

/** Begins with the kinds that have a file. */
export function createKnownKinds(): KnownKinds {
  const learnt = new Map<string, KindFacts>();
  return {
    learn(clusterId, name, kind) {
      learnt.set(`${clusterId} ${name}`, kind);
      learnt.set(`${clusterId} ${kind.id}`, kind);
    },
    of: (cluster, name) => kindById(name) ?? learnt.get(`${cluster} ${name}`),
  };
}

/**
 * What stands for a kind until the server has said what it is: its name, no columns and no actions.
 * @param name as `parseKindName` reads it
 */
export function unknownKind(name: string): KindFacts {
  const { group = '', version = '', word = name } = parseKindName(name) ?? {};
  return {
    id: name,
    kind: kindLabel(name),
    group,
    version,
    plural: word,
    scope: 'Namespaced',
    title: word,
    permissions: { view: 'owner', manage: 'owner' },
    paths: { list: '/clusters/:clusterId' },
    columns: [],
    actions: [],
  };
}
