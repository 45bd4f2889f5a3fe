import { badRequest, cause, conflict, invalid, StatusError, staleVersion } from '../kit/status.ts';
import type { Meta, Obj } from '../kit/values.ts';
import type { Resource } from '../registry/registry.ts';

/** The refusal of an object with another namespace than its path. */
export function otherNamespace(): StatusError {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** The refusal of an object with another name than its path. */
export function otherName(given: string, name: string): StatusError {
  return badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** The refusal of an object without a name. */
export function nameless(name: string): StatusError {
  return badRequest(
    `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
  );
}

/**
 * Refuses an update whose identity differs from the stored object: 400 for another namespace or name, 409 for
 * another uid or a stale version, 422 for another uid in a patch.
 */
export function checkUpdate(
  resource: Resource,
  namespace: string,
  name: string,
  metadata: Meta,
  before: Obj,
  patched: boolean,
): void {
  const { name: bodyName = '', namespace: bodyNamespace = '' } = metadata;
  if (resource.namespaced && bodyNamespace !== '' && bodyNamespace !== namespace) throw otherNamespace();
  if (bodyName === '' && patched) throw nameless(name);
  if (bodyName !== '' && bodyName !== name) throw otherName(bodyName, name);
  const { uid, resourceVersion: version = '' } = metadata;
  const other = uid !== undefined && uid !== '' && uid !== before.metadata.uid;
  if (other && !patched) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`;
    const key = storageKey(resource, before);
    throw conflict(
      resource,
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
    );
  }
  if (version !== '' && !/^\d+$/.test(version)) {
    const why = `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`;
    throw new StatusError(500, undefined, why);
  }
  if (Number(version) !== 0 && version !== before.metadata.resourceVersion) {
    throw conflict(resource, name, staleVersion);
  }
  if (other) {
    throw invalid(resource.group, resource.kind, name, [
      cause.invalid('metadata.uid', uid, 'field is immutable'),
    ]);
  }
}

/** Storage paths that differ from the resource's name. */
const storagePaths: Readonly<Record<string, string>> = {
  '/endpoints': 'services/endpoints',
  '/nodes': 'minions',
  '/replicationcontrollers': 'controllers',
  '/services': 'services/specs',
  'networking.k8s.io/ingresses': 'ingress',
  'apiextensions.k8s.io/customresourcedefinitions': 'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices': 'apiregistration.k8s.io/apiservices',
};

/** The object's key in etcd, as storage errors print it. */
function storageKey({ storage, plural, custom }: Resource, { metadata }: Obj): string {
  const storagePath = custom === undefined ? (storagePaths[storage] ?? plural) : storage;
  return ['/registry', storagePath, metadata.namespace ?? [], metadata.name].flat().join('/');
}
