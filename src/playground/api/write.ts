import { checkGrant } from '../access/escalate.ts';
import type { User } from '../access/user.ts';
import { timestamp } from '../kit/clock.ts';
import { deleteObject } from '../objects/deletion.ts';
import { asVersion } from '../registry/conversion.ts';
import { createObject, updateObject } from '../objects/objects.ts';
import { nameless, otherName, otherNamespace } from '../objects/identity.ts';
import type { World } from '../store/world.ts';
import { recordUpdate } from '../fields/manage.ts';
import { readDeleteOptions } from './delete-options.ts';
import { managerOf } from './manager.ts';
import { partOf } from './part.ts';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import { cause, invalid, type StatusError } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { type Obj, type Rec, rec, str } from '../kit/values.ts';
import { expectedOf, isDryRun, readObject, readOptional } from './body.ts';
import { selected } from './list.ts';
import { checkListOptions, checkWriteOptions } from './options.ts';
import type { Call, Target } from './request.ts';
import { type Answer, warningHeaders } from './respond.ts';
import { readSelection } from './selection.ts';
import { objectWarnings } from './warnings.ts';

/** Resources whose deletion answers with the object instead of a Status. */
const answersWithObject = new Set([
  '/pods',
  '/podtemplates',
  '/resourcequotas',
  '/serviceaccounts',
  '/persistentvolumes',
  '/persistentvolumeclaims',
  '/services',
  'resource.k8s.io/deviceclasses',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourceclaimtemplates',
  'resource.k8s.io/resourceslices',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/storageclasses',
  'storage.k8s.io/volumeattachments',
  'storage.k8s.io/volumeattributesclasses',
]);

/** Makes the function that checks a write for escalation and records its field ownership under the client's name. */
export function owner(
  world: World,
  { resource, subresource }: Target,
  call: Call,
): (object: Obj, before: Obj | undefined) => void {
  const { shape } = resource;
  const writer = {
    manager: managerOf(call),
    apiVersion: apiVersionOf(resource),
    subresource: subresource?.name ?? '',
    time: subresource?.name === 'scale' ? undefined : timestamp(world.clock.now()),
  };
  return (object, before) => {
    checkGrant(world.store, resource, object, before, call.user);
    if (shape === undefined) return;
    recordUpdate(world.registry.schemas, shape, object, before, writer, resource.subresources.has('status'));
  };
}

/** An answer with an object in the requested version. */
export const answer = (
  code: number,
  resource: Resource,
  object: Obj,
  warnings: readonly string[] = [],
): Answer => ({
  code,
  body: asVersion(resource, object),
  headers: warningHeaders(warnings),
});

const requests = 'certificates.k8s.io/certificatesigningrequests';

/** The requester of a certificate signing request, as the server records it in the spec. */
const identity = ({ name, uid, groups, extra }: User) => ({
  username: name,
  ...(uid === undefined ? {} : { uid }),
  groups: [...groups],
  ...(extra === undefined ? {} : { extra }),
});

export async function create(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace } = target;
  checkWriteOptions('CreateOptions', call.query);
  const { body, warnings } = await readObject(world.registry.schemas, expectedOf(resource), call);
  const options = { dryRun: isDryRun(call.query), recordOwnership: owner(world, target, call) };
  const ownFields =
    resource.storage === requests
      ? { ...body, spec: { ...rec(body['spec']), ...identity(call.user) } }
      : body;
  const object = createObject(world, resource, namespace, ownFields, options);
  return answer(201, resource, object, [...warnings, ...objectWarnings(world, resource, object, undefined)]);
}

/** Resources whose update creates a missing object. */
const createdByUpdate = new Set([
  '/endpoints',
  '/events',
  '/limitranges',
  '/services',
  'coordination.k8s.io/leases',
  'rbac.authorization.k8s.io/clusterrolebindings',
  'rbac.authorization.k8s.io/clusterroles',
  'rbac.authorization.k8s.io/rolebindings',
  'rbac.authorization.k8s.io/roles',
]);

/** Resources whose update requires a resourceVersion. */
const strict = new Set([
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices',
  'coordination.k8s.io/leases',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
  'node.k8s.io/runtimeclasses',
  'policy/poddisruptionbudgets',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/csistoragecapacities',
  'storage.k8s.io/volumeattachments',
]);
const versioned = ({ custom, storage }: Resource) => custom !== undefined || strict.has(storage);

/** The refusal of an update without a resourceVersion. Storage errors name the resource, not the kind. */
function unversioned({ group, plural }: Resource, name: string): StatusError {
  const why = 'must be specified for an update';
  return invalid(group, plural, name, [cause.invalid('metadata.resourceVersion', 0, why)]);
}

/** Refuses a replacement with another namespace or name, or without a name. Throws 400. */
export function checkIdentity({ resource, namespace, name }: Target, metadata: Rec): void {
  const [inside, given] = [str(metadata['namespace']), str(metadata['name'])];
  if (resource.namespaced && inside !== '' && inside !== namespace) throw otherNamespace();
  if (given === '') throw nameless(name);
  if (given !== name) throw otherName(given, name);
}

export async function update(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  checkWriteOptions('UpdateOptions', call.query);
  const { body, warnings } = await readObject(world.registry.schemas, expectedOf(resource), call);
  const options = {
    dryRun: isDryRun(call.query),
    recordOwnership: owner(world, target, call),
    ...partOf(target),
  };
  const before = world.store.get(resource.storage, keyOf(namespace, name));
  checkIdentity(target, rec(body['metadata']));
  const missing = before === undefined;
  if (missing && target.subresource === undefined && createdByUpdate.has(resource.storage)) {
    const metadata = { ...rec(body['metadata']) };
    const created = createObject(
      world,
      resource,
      namespace,
      { ...body, metadata: { ...metadata, name } },
      options,
    );
    return answer(201, resource, created, warnings);
  }
  if (!missing && versioned(resource) && str(rec(body['metadata'])['resourceVersion']) === '') {
    throw unversioned(resource, name);
  }
  const object = updateObject(world, resource, namespace, name, () => body, options);
  return answer(200, resource, object, [...warnings, ...objectWarnings(world, resource, object, before)]);
}

export async function remove(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  const options = readDeleteOptions(await readOptional(call), call.query);
  const { object, isRemoved } = deleteObject(world, resource, namespace, name, options);
  if (!isRemoved || answersWithObject.has(resource.storage)) return answer(200, resource, object);
  return {
    code: 200,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name,
        ...(resource.group === '' ? {} : { group: resource.group }),
        kind: resource.plural,
        uid: object.metadata.uid,
      },
    },
  };
}

export async function removeCollection(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace } = target;
  checkListOptions(call.query, false);
  const options = readDeleteOptions(await readOptional(call), call.query);
  const selection = readSelection(resource, namespace, '', call.query);
  // The answer is the list as it was read.
  const version = String(world.store.version);
  const items = selected(world.store, resource, selection).map((object) => asVersion(resource, object));
  for (const { metadata } of items) {
    deleteObject(world, resource, metadata.namespace ?? '', metadata.name ?? '', options);
  }
  return {
    code: 200,
    body: {
      kind: `${resource.kind}List`,
      apiVersion: apiVersionOf(resource),
      metadata: { resourceVersion: version },
      items:
        resource.custom === undefined
          ? items.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest)
          : items,
    },
  };
}
