import { microTimestamp, timestamp } from '../kit/clock.ts';
import { deleteObject } from '../objects/deletion.ts';
import { createObject } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import type { Resource } from '../registry/registry.ts';
import { StatusError, isCode } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec, recs, same } from '../kit/values.ts';
import { Correlator, SeriesKeeper } from './events.ts';

/** The preferred resource of a storage. Throws when the registry has none. */
export function resourceAt(world: World, storage: string): Resource {
  const resource = world.registry.ofStorage(storage);
  if (resource === undefined) throw new Error(`there is no resource at ${storage}`);
  return resource;
}

const keyOfObject = (object: Obj) => keyOf(object.metadata.namespace, object.metadata.name ?? '');

/** Stores a changed object without validation; does nothing when it is equal. */
export function put(world: World, storage: string, object: Obj): Obj {
  const before = world.store.get(storage, keyOfObject(object));
  if (before === undefined || same(before, object)) return object;
  return world.store.commit(storage, keyOfObject(object), object);
}

/** Stores an object's status if it differs. */
export function putStatus(world: World, storage: string, object: Obj, status: Rec): Obj {
  const current = world.store.get(storage, keyOfObject(object));
  if (current === undefined || same(current['status'], status)) return current ?? object;
  return world.store.commit(storage, keyOfObject(object), { ...current, status });
}

/** Stores an object's spec if it differs, and increments the generation. */
export function putSpec(
  world: World,
  storage: string,
  object: Obj,
  spec: Rec,
  annotations?: Record<string, string>,
): Obj {
  const { generation = 0 } = object.metadata;
  const changed = !same(object['spec'], spec);
  const metadata = {
    ...object.metadata,
    ...(changed ? { generation: generation + 1 } : {}),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return put(world, storage, { ...object, metadata, spec });
}

/** Message of the last refused creation, per store. */
const refusals = new WeakMap<World['store'], string>();

/** The API's message about the last creation that it refused. */
export function lastRefusal(world: World): string {
  return refusals.get(world.store) ?? '';
}

/** Creates an object; undefined when the API refuses it. */
export function create(world: World, storage: string, namespace: string, body: Rec): Obj | undefined {
  try {
    return createObject(world, resourceAt(world, storage), namespace, body);
  } catch (error) {
    if (error instanceof StatusError) {
      refusals.set(world.store, error.message);
      return undefined;
    }
    throw error;
  }
}

/** Deletes an object if it still exists. */
export function remove(world: World, storage: string, object: Obj, gracePeriodSeconds?: number): void {
  const { namespace = '', name = '', uid = '' } = object.metadata;
  try {
    deleteObject(world, resourceAt(world, storage), namespace, name, {
      gracePeriodSeconds,
      preconditions: { uid },
    });
  } catch (error) {
    if (!isCode(error, 404) && !isCode(error, 409)) throw error;
  }
}

/** The owner reference to the controller of an object. */
export function ownedBy(owner: Obj): Rec {
  const { name, uid } = owner.metadata;
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** A list of conditions with one added or replaced; its transition time changes only with its status. */
export function withCondition(conditions: readonly Rec[], next: Rec, now: string): Rec[] {
  const old = conditions.find((item) => item['type'] === next['type']);
  const isSameStatus = old !== undefined && old['status'] === next['status'];
  const set = { ...next, lastTransitionTime: isSameStatus ? old['lastTransitionTime'] : now };
  if (old === undefined) return [...conditions, set];
  return conditions.map((item) => (item === old ? set : item));
}

interface Reported {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
  readonly host?: string;
  readonly fieldPath?: string;
  /** For the events.k8s.io API, which the scheduler uses: the action; the event has a micro time. */
  readonly action?: string;
}

/** Number of the last event of a store. */
const sequenceOf = ({ store }: World) => store.memory.of('sequence of events', () => ({ last: 0 }));

interface Recorders {
  readonly correlator: Correlator;
  readonly series: SeriesKeeper;
}
const recorders = new WeakMap<World['store'], Recorders>();

function recordersOf({ store }: World): Recorders {
  const found = recorders.get(store) ?? {
    correlator: new Correlator(store.memory),
    series: new SeriesKeeper(store.memory),
  };
  recorders.set(store, found);
  return found;
}

/**
 * Records an event about an object: creates it, counts an equal earlier one, or drops it when there are too many.
 */
export function report(world: World, object: Obj, event: Reported): void {
  if (event.action !== undefined) reportSeries(world, object, event, event.action);
  else reportCounted(world, object, event);
}

function reportCounted(world: World, object: Obj, event: Reported): void {
  const { store, clock } = world;
  const { correlator } = recordersOf(world);
  const { type, reason, component, host = '', fieldPath = '' } = event;
  const source = `${component}|${host}`;
  const identity = {
    uid: object.metadata.uid ?? '',
    source,
    type,
    reason,
    message: event.message,
    fieldPath,
  };
  const record = correlator.correlate(identity, clock.now());
  if (record === undefined) return;
  const { message, combined, existingKey: earlier } = record;
  const now = timestamp(clock.now());
  const before = earlier === undefined ? undefined : store.get('/events', earlier);
  if (before !== undefined) {
    const count = Number(before['count'] ?? 1) + 1;
    put(world, '/events', { ...before, message, count, lastTimestamp: now });
    return;
  }
  const key = createEvent(world, object, event, {
    message,
    source: { component, ...(host === '' ? {} : { host }) },
    reportingComponent: combined ? '' : component,
    reportingInstance: combined ? '' : host,
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    eventTime: null,
  });
  correlator.remember(record.id, key);
}

function reportSeries(world: World, object: Obj, event: Reported, action: string): void {
  const { store, clock } = world;
  const { series: seriesKeeper } = recordersOf(world);
  const { uid = '', resourceVersion = '' } = object.metadata;
  const id = `${event.component}|${event.type}|${event.reason}|${action}|${uid}|${resourceVersion}`;
  const continued = seriesKeeper.continueSeries(id, clock.now());
  const eventTime = microTimestamp(clock.now());
  if (continued !== undefined) {
    const before = store.get('/events', continued.series.key);
    if (before === undefined || !continued.write) return;
    put(world, '/events', {
      ...before,
      series: { count: continued.series.count, lastObservedTime: eventTime },
    });
    return;
  }
  const key = createEvent(world, object, event, {
    message: event.message,
    source: {},
    reportingComponent: event.component,
    reportingInstance: `${event.component}-control-1`,
    action,
    eventTime,
    firstTimestamp: null,
    lastTimestamp: null,
  });
  seriesKeeper.begin(id, key, clock.now());
}

/** Creates an event and returns its key. */
function createEvent(world: World, object: Obj, event: Reported, fields: Rec): string {
  const { namespace, name = '', uid = '', resourceVersion = '' } = object.metadata;
  const eventNamespace = namespace ?? 'default';
  const sequence = sequenceOf(world);
  sequence.last = (sequence.last + 1) % 0xffff;
  const unique = ((BigInt(Math.floor(world.clock.now())) << 16n) | BigInt(sequence.last)).toString(16);
  const eventName = `${name}.${unique}`;
  create(world, '/events', eventNamespace, {
    metadata: { name: eventName, namespace: eventNamespace },
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      ...(event.fieldPath === undefined ? {} : { fieldPath: event.fieldPath }),
    },
    reason: event.reason,
    type: event.type,
    ...fields,
  });
  return keyOf(eventNamespace, eventName);
}

/**
 * Deletes events that were written over an hour ago, as the API server does, whatever older times they name: one that was
 * made later than it happened counts from its making.
 */
export function expireEvents(world: World): void {
  const oldest = world.clock.now() - 3_600_000;
  for (const event of world.store.list('/events')) {
    const times = [
      at(event, 'series', 'lastObservedTime'),
      event['lastTimestamp'],
      event['eventTime'],
      event.metadata.creationTimestamp,
    ].flatMap((time) => (typeof time === 'string' ? [Date.parse(time)] : []));
    if (Math.max(...times) < oldest) world.store.commit('/events', keyOfObject(event), undefined);
  }
  const { correlator, series } = recordersOf(world);
  correlator.forget(world.store, world.clock.now());
  series.forget(world.clock.now());
}

/** Whether a pod is ready. */
export function isReady(pod: Obj): boolean {
  return recs(rec(pod['status'])['conditions']).some(
    (item) => item['type'] === 'Ready' && item['status'] === 'True',
  );
}

/** Time at which a pod became ready, ms; undefined when it is not ready. */
export function readySince(pod: Obj): number | undefined {
  const ready = recs(rec(pod['status'])['conditions']).find((item) => item['type'] === 'Ready');
  return ready?.['status'] === 'True' ? Date.parse(String(ready['lastTransitionTime'])) : undefined;
}

/** Whether a pod counts for its controller: it has not ended and is not being deleted. */
export function isActive(pod: Obj): boolean {
  const phase = rec(pod['status'])['phase'];
  return phase !== 'Succeeded' && phase !== 'Failed' && pod.metadata.deletionTimestamp === undefined;
}

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** A short hash of a template in Kubernetes' alphabet for random names. */
export function templateHash(value: unknown): string {
  const text = JSON.stringify(value);
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return String(hash >>> 0)
    .split('')
    .map((digit) => letters[digit.charCodeAt(0) % letters.length])
    .join('');
}
