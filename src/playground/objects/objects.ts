import { applyDefaults } from '../admission/defaults.ts';
import { applyStructuralDefaults } from '../custom/defaults.ts';
import { allocate, release } from '../admission/services.ts';
import { type Part, prepareCreate, prepareUpdate } from '../admission/strategy.ts';
import { admitToCluster } from '../admission/cluster.ts';
import { newerEventCauses } from '../admission/rules/event.ts';
import { useAccount } from '../admission/accounts.ts';
import { admit } from '../admission/policies.ts';
import { admitBehaviour } from '../admission/behaviour.ts';
import { validate, validateStatus } from '../admission/validate.ts';
import { asStored, asVersion, storedVersion } from '../registry/conversion.ts';
import { timestamp } from '../kit/clock.ts';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import { alreadyExists, cause, forbidden, invalid, notFound, StatusError } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import type { World } from '../store/world.ts';
import { generateName } from './generated-name.ts';
import { checkUpdate, otherNamespace } from './identity.ts';
import { clone, type Meta, type Obj, type Rec, same } from '../kit/values.ts';

/** Options of a write. */
export interface WriteOptions {
  /** Does everything but store the object. */
  readonly dryRun?: boolean;
  readonly part?: Part;
  /** The object is the result of a patch: a changed identity is an invalid field instead of a conflict. */
  readonly patched?: boolean;
  /** Called with the defaulted object, before the server sets its own fields; records field ownership. */
  readonly recordOwnership?: (object: Obj, before: Obj | undefined) => void;
}

function fillDefaults({ registry }: World, { shape, custom }: Resource, object: Obj): void {
  if (custom !== undefined) applyStructuralDefaults(custom.schema, object);
  else if (shape !== undefined) applyDefaults(registry.schemas, shape, object);
}

/** The resource in its storage version. */
function storedResource({ registry }: World, resource: Resource): Resource {
  if (resource.custom !== undefined) return resource;
  return registry.ofKind(storedVersion(resource), resource.kind) ?? resource;
}

/** Metadata that clients cannot set. */
const serverOwned = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'resourceVersion',
];

/** An object with its leading fields in the server's order. */
function withLeadingFields(resource: Resource, body: Rec, metadata: Meta): Obj {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = body;
  const apiVersion = resource.custom?.stored ?? apiVersionOf(resource);
  return { kind: resource.kind, apiVersion, metadata, ...rest };
}

function checkNamespace(world: World, resource: Resource, namespace: string, name: string): void {
  const found = world.store.get('/namespaces', namespace);
  if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  const error = forbidden(
    resource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  error.body.details = {
    ...error.body.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  };
  throw error;
}

/**
 * Creates an object from a decoded body: sets defaults and the server's own fields, and validates. Throws
 * StatusError: 404 without its namespace, 409 when it exists, 422 when it is invalid.
 */
export function createObject(
  world: World,
  requestedResource: Resource,
  namespace: string,
  body: Rec,
  options: WriteOptions = {},
): Obj {
  const resource = storedResource(world, requestedResource);
  const { store, clock, chance, registry } = world;
  const metadata: Meta = { ...(body['metadata'] as Meta | undefined) };
  if (resource.namespaced) {
    if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
      throw otherNamespace();
    }
    metadata.namespace = namespace;
  } else delete metadata.namespace;
  const version = metadata.resourceVersion ?? '';
  for (const field of serverOwned) delete metadata[field];
  const generated = metadata.name === undefined || metadata.name === '';
  if (generated && metadata.generateName !== undefined) {
    metadata.name = generateName(world, resource.storage, metadata.namespace, metadata.generateName);
  }
  const name = metadata.name ?? '';
  if (name === '') {
    throw invalid(resource.group, resource.kind, '', [
      cause.required('metadata.name', 'name or generateName is required'),
    ]);
  }
  if (resource.namespaced) checkNamespace(world, resource, namespace, name);
  const key = keyOf(metadata.namespace, name);
  const now = timestamp(clock.now());
  const uid = chance.of(`${resource.storage} ${key}`).uuid();
  const given = withLeadingFields(
    requestedResource,
    body,
    orderMeta({ ...metadata, name, uid, creationTimestamp: now }),
  );
  fillDefaults(world, requestedResource, given);
  options.recordOwnership?.(given, undefined);
  const object = asStored(requestedResource, given);
  if (object !== given) fillDefaults(world, resource, object);
  admitToCluster(world, resource, object);
  prepareCreate(registry.schemas, resource, object, { now, uid });
  if (resource.storage === '/pods' && world.serviceAccounts === true) useAccount(world, object);
  if (resource.storage === '/pods') admitBehaviour(object);
  // Addresses and ports are allocated before validation.
  const parts = allocate(world, resource, object);
  if (parts.causes.length > 0) throw invalid(resource.group, resource.kind, name, parts.causes);
  const found = validate(world.registry.schemas, resource, object, undefined);
  const causes = requestedResource.group === 'events.k8s.io' ? newerEventCauses(given, found) : found;
  if (causes.length > 0) throw invalid(resource.group, resource.kind, name, causes);
  const charge = admit(world, resource, object, undefined);
  if (/^\d+$/.test(version) && Number(version) !== 0) {
    // An error of the storage layer, which the server returns unchanged.
    throw new StatusError(500, undefined, 'resourceVersion should not be set on objects to be created');
  }
  const existing = store.get(resource.storage, key);
  if (existing !== undefined) {
    throw alreadyExists(resource, name, existing.metadata.deletionTimestamp !== undefined);
  }
  if (options.dryRun === true) return object;
  charge();
  parts.commit();
  return store.commit(resource.storage, key, object);
}

/** Metadata in the server's field order. */
function orderMeta(meta: Meta): Meta {
  const { name, generateName, namespace, uid, creationTimestamp, labels, annotations, ...rest } = meta;
  const result: Meta = { name: name ?? '' };
  const fields = { generateName, namespace, uid, creationTimestamp, labels, annotations, ...rest };
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) result[field] = value;
  return result;
}

/**
 * Updates an existing object. `update` gets a copy of the stored state and returns the wanted one (decoded). An
 * unchanged object keeps its version; one that is being deleted is removed with its last finalizer. Throws
 * StatusError: 404, 409 at a stale version, 422.
 */
export function updateObject(
  world: World,
  requestedResource: Resource,
  namespace: string,
  name: string,
  update: (before: Obj) => Rec,
  options: WriteOptions = {},
): Obj {
  const { store, registry } = world;
  const resource = storedResource(world, requestedResource);
  const key = keyOf(resource.namespaced ? namespace : undefined, name);
  const before = store.get(resource.storage, key);
  if (before === undefined) throw notFound(resource, name);
  const requestedVersion = asVersion(requestedResource, before);
  const wanted = update(clone(requestedVersion));
  const wantedMetadata = wanted['metadata'] as Meta | undefined;
  const metadata: Meta = { ...wantedMetadata };
  checkUpdate(resource, namespace, name, metadata, before, options.patched === true);
  metadata.name = name;
  if (resource.namespaced) metadata.namespace = namespace;
  const changed = withLeadingFields(requestedResource, wanted, metadata);
  fillDefaults(world, requestedResource, changed);
  options.recordOwnership?.(changed, requestedVersion);
  const object = asStored(requestedResource, changed);
  if (object !== changed) fillDefaults(world, resource, object);
  prepareUpdate(resource, object, before, options.part ?? 'main');
  const causes =
    options.part === 'status' && resource.custom === undefined
      ? validateStatus(registry.schemas, resource, object, before)
      : validate(registry.schemas, resource, object, before, options.part ?? 'main');
  if (causes.length > 0) throw invalid(resource.group, resource.kind, name, causes);
  if (before.metadata.resourceVersion !== undefined) {
    object.metadata.resourceVersion = before.metadata.resourceVersion;
  }
  object.metadata = orderMeta(object.metadata);
  const parts = allocate(world, resource, object, before);
  if (parts.causes.length > 0) throw invalid(resource.group, resource.kind, name, parts.causes);
  if (same(object, before)) return before;
  const charge =
    (options.part ?? 'main') === 'main' ? admit(world, resource, object, before) : () => undefined;
  if (options.dryRun === true) return object;
  charge();
  parts.commit();
  if (
    object.metadata.deletionTimestamp !== undefined &&
    (object.metadata.finalizers ?? []).length === 0 &&
    (object.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    resource.storage !== '/namespaces'
  ) {
    release(world, resource, before);
    store.commit(resource.storage, key, undefined);
    return object;
  }
  return store.commit(resource.storage, key, object);
}

/** Reads one object. Throws 404. */
export function getObject(world: World, resource: Resource, namespace: string, name: string): Obj {
  const found = world.store.get(resource.storage, keyOf(resource.namespaced ? namespace : undefined, name));
  if (found === undefined) throw notFound(resource, name);
  return asVersion(resource, found);
}
