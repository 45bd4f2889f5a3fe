import { customKind } from '../../commands/kinds/custom.ts';
import { kindOfObject } from '../../commands/kinds/index.ts';
import { matchesSelector } from '../../src/kube/selector.ts';
import { definitions, resourcesOf } from '../../src/playground/custom/definition.ts';
import { deleteObject } from '../../src/playground/objects/deletion.ts';
import { establishDefinitions } from '../../src/playground/objects/definitions.ts';
import { createObject, updateObject } from '../../src/playground/objects/objects.ts';
import { mergePatch } from '../../src/playground/patch/merge.ts';
import type { Rec } from '../../src/playground/kit/values.ts';
import type { NamedObject } from '../../src/registry/kinds/refs.ts';
import { factsOf } from '../../src/server/diagnosis/object-facts.ts';
import { type Lookup, nameOf, type World } from '../../src/server/diagnosis/world.ts';
import type { World as Cluster } from '../../src/playground/store/world.ts';
import type { Pod } from '../../src/kube/core.ts';
import type { CustomResourceDefinition } from '../../src/kube/custom.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { AnyKind } from '../../src/registry/kinds/kind.ts';
import { withoutColours } from '../../src/kube/log-line.ts';
import type { KubeEvent } from '../../src/kube/infrastructure.ts';
import { logLines, runOf } from '../../src/playground/life/logs.ts';
import { redactText } from '../../src/server/kit/redact-text.ts';
import type { Lab } from '../playground/lab.ts';
import { partsOf, type Stage } from './score.ts';

/** A cluster of the playground as the rules see it: everything is known at once. */
export function worldOf(cluster: Cluster): World {
  const resourceOf = ({ apiVersion, kind }: Pick<NamedObject, 'apiVersion' | 'kind'>) =>
    cluster.registry.ofKind(apiVersion, kind);
  return {
    now: Math.floor(cluster.clock.now() / 1000),
    one(named) {
      const resource = resourceOf(named);
      if (resource === undefined) return undefined;
      const key = named.namespace === undefined ? named.name : `${named.namespace}/${named.name}`;
      const found = cluster.store.get(resource.storage, key);
      return found === undefined ? null : found;
    },
    facts(named) {
      const found = this.one(named);
      return found && factsOf(found);
    },
    all({ namespace, selector, about, ...kind }: Lookup) {
      const resource = resourceOf(kind);
      if (resource === undefined) return [];
      return cluster.store
        .list(resource.storage, namespace === undefined ? '' : `${namespace}/`)
        .filter(({ metadata }) => selector === undefined || matchesSelector(selector, metadata?.labels))
        .filter((one) => about === undefined || (one as KubeEvent).involvedObject?.uid === about);
    },
    log({ pod: { namespace = '', name }, container, previous }) {
      const resource = cluster.registry.ofKind('v1', 'Pod');
      const pod = resource && cluster.store.get(resource.storage, `${namespace}/${name}`);
      const { status } = (pod ?? {}) as Pod;
      const found = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].find(
        (one) => one.name === container,
      );
      const run = pod && runOf(pod, container, previous ? found?.lastState : found?.state);
      if (run === undefined) return undefined;
      return logLines(run, 0, cluster.clock.now(), 60).map(({ at, text }) => ({
        at: Math.floor(at / 1000),
        text: redactText(withoutColours(text)),
      }));
    },
    kindOf: ({ apiVersion, kind }) =>
      kindOfObject(apiVersion, kind) ?? definedKind(cluster.store.list(definitions), apiVersion, kind),
  };
}

/** The kind that a definition of the cluster makes; undefined for one that it does not have. */
export function definedKind(
  all: readonly CustomResourceDefinition[],
  apiVersion: string,
  kind: string,
): AnyKind | undefined {
  const found = all.find(({ spec }) => spec?.names?.kind === kind && spec.group === apiVersion.split('/')[0]);
  return found && customKind(found);
}

/** A small cluster as a stage; it serves what is defined on it. */
export class LabStage implements Stage {
  readonly #lab: Lab;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  apply(object: KubeObject): void {
    const { world } = this.#lab;
    const { resource, namespace, name } = this.#placeOf(nameOf(object));
    const key = namespace === '' ? name : `${namespace}/${name}`;
    if (world.store.get(resource.storage, key) === undefined) {
      const serving = establishDefinitions(world);
      createObject(world, resource, namespace, { ...object });
      serving.settle();
      serving.stop();
      return;
    }
    const merge = (before: Rec) => mergePatch(before, object) as Rec;
    for (const part of partsOf(object))
      updateObject(world, resource, namespace, name, merge, { part, patched: true });
  }

  remove(named: NamedObject): void {
    const { resource, namespace, name } = this.#placeOf(named);
    deleteObject(this.#lab.world, resource, namespace, name);
  }

  advance(seconds: number): void {
    this.#lab.advance(seconds);
  }

  #placeOf({ apiVersion, kind, namespace = 'default', name }: NamedObject) {
    const resource = this.#lab.world.registry.ofKind(apiVersion, kind);
    if (resource === undefined) throw new Error(`There is no ${kind} of ${apiVersion}.`);
    return { resource, namespace: resource.namespaced ? namespace : '', name };
  }
}

/** Serves no more what the definitions of a cluster added: all labs serve from one registry. */
export function withdrawDefinitions({ store, registry }: Cluster): void {
  for (const definition of store.list(definitions))
    for (const resource of resourcesOf(registry.schemas, definition)) registry.unregister(resource);
}
