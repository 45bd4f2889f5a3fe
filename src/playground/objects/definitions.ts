import { registerApiServices } from './api-services.ts';
import { timestamp } from '../kit/clock.ts';
import { deleteObject } from './deletion.ts';
import { recordUpdate } from '../fields/manage.ts';
import type { World } from '../store/world.ts';
import { seededChance } from '../kit/random.ts';
import type { Resource } from '../registry/registry.ts';
import { keyOf } from '../store/store.ts';
import { clone, type Obj, type Rec, rec, recs, same, str } from '../kit/values.ts';
import { cleanup, definitions, resourcesOf } from '../custom/definition.ts';

/**
 * Controls definitions: accepts their names, serves their resources, and deletes the objects of deleted ones.
 * Runs in a microtask after each write; `settle` runs pending work at once.
 */
export function establishDefinitions(world: World): { stop: () => void; settle: () => void } {
  const served = new Map<string, { definition: Obj; resources: Resource[] }>();
  const pending = new Set<string>();
  // A separate random source, so that other generated names do not depend on definitions.
  const state = world.store.memory.of('chance of API services', () => ({ last: 37 }));
  const isolatedWorld = { ...world, chance: seededChance(state) };
  // Discovery lists resources in this order.
  const order = world.store.memory.of('served definitions', () => new Set<string>());
  const settle = () => {
    let changed = false;
    // The writes below add to `pending`, so the loop must not run over a copy.
    for (const key of pending) {
      pending.delete(key);
      const definition = world.store.get(definitions, key);
      const before = served.get(key);
      if (definition === undefined) served.delete(key);
      if (definition === undefined || !same(definition['spec'], before?.definition['spec'])) {
        for (const resource of before?.resources ?? []) world.registry.unregister(resource);
        changed ||= before !== undefined;
        served.delete(key);
      }
      if (definition === undefined) continue;
      if (definition.metadata.deletionTimestamp !== undefined) {
        deleteObjects(world, definition, served.get(key)?.resources ?? []);
        continue;
      }
      const accepted = acceptNames(world, key, definition);
      if (!accepted || served.has(key)) continue;
      const resources = resourcesOf(world.registry.schemas, definition);
      for (const resource of resources) world.registry.register(resource);
      served.set(key, { definition, resources });
      order.delete(key);
      order.add(key);
      changed = true;
    }
    if (changed) registerApiServices(isolatedWorld);
  };
  let planned = false;
  const note = (key: string) => {
    pending.add(key);
    if (planned) return;
    planned = true;
    queueMicrotask(() => {
      settle();
      planned = false;
    });
  };
  for (const key of order) note(key);
  for (const [key] of world.store.entries(definitions)) note(key);
  const stop = world.store.watch(undefined, ({ storage, key, after }) => {
    if (storage === definitions) note(key);
    else if (after === undefined) {
      // The last object of a definition that is being deleted.
      for (const [name, { resources }] of served) {
        const going = world.store.get(definitions, name)?.metadata.deletionTimestamp !== undefined;
        if (going && resources.some((resource) => resource.storage === storage)) note(name);
      }
    }
  });
  return { stop, settle };
}

const NAME_FIELDS = ['plural', 'singular', 'shortNames', 'kind', 'listKind'] as const;
const KIND_FIELDS = new Set<string>(['kind', 'listKind']);
const listed = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(str).filter((name) => name !== '');

/**
 * The conflict of a definition's names with accepted ones of its group; of several, the last. Undefined when
 * there is none.
 */
function conflictOf(world: World, definition: Obj): { reason: string; message: string } | undefined {
  const takenKinds = new Set<string>();
  const takenNames = new Set<string>();
  for (const other of world.store.list(definitions)) {
    const sameGroup = rec(other['spec'])['group'] === rec(definition['spec'])['group'];
    if (!sameGroup || other.metadata.uid === definition.metadata.uid) continue;
    const accepted = rec(rec(other['status'])['acceptedNames']);
    for (const field of NAME_FIELDS) {
      for (const name of listed(accepted[field]))
        (KIND_FIELDS.has(field) ? takenKinds : takenNames).add(name);
    }
  }
  const names = rec(rec(definition['spec'])['names']);
  return NAME_FIELDS.flatMap((field) =>
    listed(names[field])
      .filter((name) => (KIND_FIELDS.has(field) ? takenKinds : takenNames).has(name))
      .map((name) => ({
        reason: `${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`,
        message: `${JSON.stringify(name)} is already in use`,
      })),
  ).at(-1);
}

/** Time of a definition's last write, which also dates its conditions. */
const writtenAt = ({ metadata }: Obj): string | undefined =>
  recs(metadata.managedFields)
    .map((entry) => str(entry['time']))
    .filter((time) => time !== '')
    .sort()
    .at(-1);

/** Stores a definition's accepted names and conditions. Returns whether it is established. */
function acceptNames(world: World, key: string, definition: Obj): boolean {
  const conflict = conflictOf(world, definition);
  const status = rec(definition['status']);
  const now = writtenAt(definition) ?? timestamp(world.clock.now());
  const old = recs(status['conditions']);
  const condition = (type: string, value: boolean, reason: string, message: string): Rec => {
    const existing = old.find((item) => item['type'] === type);
    const text = value ? 'True' : 'False';
    const lastTransitionTime = existing?.['status'] === text ? existing['lastTransitionTime'] : now;
    return { type, status: text, lastTransitionTime, reason, message };
  };
  const names =
    conflict === undefined
      ? condition('NamesAccepted', true, 'NoConflicts', 'no conflicts found')
      : condition('NamesAccepted', false, conflict.reason, conflict.message);
  const was = old.some((item) => item['type'] === 'Established' && item['status'] === 'True');
  const established =
    was || conflict === undefined
      ? condition('Established', true, 'InitialNamesAccepted', 'the initial names have been accepted')
      : condition('Established', false, 'NotAccepted', 'not all names are accepted');
  const others = old.filter((item) => item['type'] !== 'NamesAccepted' && item['type'] !== 'Established');
  const storage = recs(rec(definition['spec'])['versions']).find((version) => version['storage'] === true);
  const stored = (status['storedVersions'] as string[] | undefined) ?? [];
  const current = str(storage?.['name']);
  const wanted = {
    conditions: [names, established, ...others],
    acceptedNames:
      conflict === undefined ? clone(rec(rec(definition['spec'])['names'])) : status['acceptedNames'],
    storedVersions: stored.includes(current) ? stored : [...stored, current],
  };
  if (!same(status, wanted)) {
    const object: Obj = { ...definition, metadata: { ...definition.metadata }, status: wanted };
    const resource = world.registry.ofStorage(definitions);
    if (resource?.shape !== undefined) {
      const writer = {
        manager: 'kube-apiserver',
        apiVersion: object.apiVersion,
        subresource: 'status',
        time: now,
      };
      recordUpdate(world.registry.schemas, resource.shape, object, definition, writer, true);
    }
    world.store.commit(definitions, key, object);
  }
  return was || conflict === undefined;
}

/** Deletes the objects of a definition that is being deleted, and removes its finalizer once none is left. */
function deleteObjects(world: World, definition: Obj, resources: readonly Resource[]): void {
  const finalizers = definition.metadata.finalizers ?? [];
  if (!finalizers.includes(cleanup)) return;
  const [resource] = resources;
  if (resource !== undefined) {
    for (const object of world.store.list(resource.storage)) {
      const { namespace = '', name = '', deletionTimestamp } = object.metadata;
      if (deletionTimestamp === undefined) deleteObject(world, resource, namespace, name);
    }
    if (world.store.count(resource.storage) > 0) return;
  }
  const key = keyOf(undefined, definition.metadata.name ?? '');
  const otherFinalizers = finalizers.filter((finalizer) => finalizer !== cleanup);
  if (otherFinalizers.length === 0) world.store.commit(definitions, key, undefined);
  else {
    const metadata = { ...definition.metadata, finalizers: otherFinalizers };
    world.store.commit(definitions, key, { ...definition, metadata });
  }
}
