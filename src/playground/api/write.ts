import { timestamp } from '../clock.ts';
import { deleteObject, readDeleteOptions } from '../deletion.ts';
import { asVersion, createObject, updateObject, type World } from '../objects.ts';
import { recordUpdate } from '../fields/manage.ts';
import { apply } from './apply.ts';
import { managerOf } from './manager.ts';
import { partOf } from './part.ts';
import { jsonPatch, JsonPatchError } from '../patch/json.ts';
import { mergePatch } from '../patch/merge.ts';
import { strategicMerge } from '../patch/strategic.ts';
import { decodeBody } from '../custom/decode.ts';
import { DecodeError } from '../decode.ts';
import type { Resource } from '../registry.ts';
import { apiVersionOf } from '../registry.ts';
import {
  badRequest,
  cause,
  invalid,
  StatusError,
  unsupportedMediaType,
  unsupportedFormat,
} from '../status.ts';
import { isRec, type Obj, type Rec } from '../values.ts';
import {
  decodeObject,
  expectedOf,
  isDryRun,
  type Read,
  readObject,
  readOptional,
  warningHeaders,
} from './body.ts';
import { selected } from './list.ts';
import { type Call, mediaType, parseBody, type Target } from './request.ts';
import type { Answer } from './respond.ts';
import { readSelection } from './selection.ts';

/** Resources whose deletion answers with the object. */
const answersWithObject = new Set([
  '/pods',
  '/podtemplates',
  '/resourcequotas',
  '/serviceaccounts',
  '/persistentvolumes',
  '/persistentvolumeclaims',
]);

/** Records a write's ownership of fields under the client's name. */
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
    if (shape === undefined) return;
    recordUpdate(world.registry.schemas, shape, object, before, writer, resource.subresources.has('status'));
  };
}

const answer = (code: number, resource: Resource, object: Obj, warnings: readonly string[] = []): Answer => ({
  code,
  body: asVersion(resource, object),
  headers: warningHeaders(warnings),
});

export async function create(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace } = target;
  const { body, warnings } = await readObject(world.registry.schemas, expectedOf(resource), call);
  const options = { dryRun: isDryRun(call.query), own: owner(world, target, call) };
  const object = createObject(world, resource, namespace, body, options);
  return answer(201, resource, object, warnings);
}

export async function update(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  const { body, warnings } = await readObject(world.registry.schemas, expectedOf(resource), call);
  const options = { dryRun: isDryRun(call.query), own: owner(world, target, call), ...partOf(target) };
  const object = updateObject(world, resource, namespace, name, () => body, options);
  return answer(200, resource, object, warnings);
}

/** Applies a patch of any type but apply to a state; the result is decoded. Throws 400, 415 and 422. */
export function applyPatch(
  world: World,
  resource: Resource,
  type: string,
  patch: unknown,
  before: Rec,
  query: URLSearchParams,
): Read {
  const { schemas } = world.registry;
  let patched: unknown;
  if (type === 'application/json-patch+json') {
    try {
      patched = jsonPatch(before, patch);
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      throw new StatusError(
        422,
        'Invalid',
        'the server rejected our request due to an error in our request',
        {},
      );
    }
  } else {
    if (!isRec(patch)) throw badRequest('the patch must be an object');
    patched =
      type === 'application/merge-patch+json'
        ? mergePatch(before, patch)
        : strategicMerge(schemas, resource.shape, before, patch);
  }
  if (!isRec(patched)) throw badRequest('the patched object is no object');
  if (resource.shape === undefined) return { body: patched, warnings: [] };
  try {
    decodeBody(schemas, resource, patched);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw invalid('', '', '', [cause.invalid('patch', JSON.stringify(patched), error.message)]);
  }
  return decodeObject(
    schemas,
    { ...expectedOf(resource), apiVersion: apiVersionOf(resource) },
    patched,
    query,
  );
}

export async function patch(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  const type = mediaType(call.headers['content-type']);
  if (!resource.patchTypes.includes(type)) {
    throw resource.custom === undefined ? unsupportedMediaType() : unsupportedFormat(resource.patchTypes);
  }
  if (type === 'application/apply-patch+yaml') return await apply(world, target, call);
  const body = await parseBody(await call.body(), type, resource.kind);
  let warnings: readonly string[] = [];
  const object = updateObject(
    world,
    resource,
    namespace,
    name,
    (before) => {
      const read = applyPatch(world, resource, type, body, before, call.query);
      warnings = read.warnings;
      return read.body;
    },
    { dryRun: isDryRun(call.query), own: owner(world, target, call), ...partOf(target) },
  );
  return answer(200, resource, object, warnings);
}

export async function remove(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  const options = readDeleteOptions(await readOptional(call, 'DeleteOptions'), call.query);
  const { object, gone } = deleteObject(world, resource, namespace, name, options);
  if (!gone || answersWithObject.has(resource.storage)) return answer(200, resource, object);
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
  const options = readDeleteOptions(await readOptional(call, 'DeleteOptions'), call.query);
  const selection = readSelection(resource, namespace, '', call.query);
  const items: Obj[] = [];
  for (const object of selected(world.store, resource, selection)) {
    const { metadata } = object;
    items.push(deleteObject(world, resource, metadata.namespace ?? '', metadata.name ?? '', options).object);
  }
  return {
    code: 200,
    body: {
      kind: `${resource.kind}List`,
      apiVersion: apiVersionOf(resource),
      metadata: { resourceVersion: String(world.store.version) },
      items:
        resource.custom === undefined
          ? items.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest)
          : items,
    },
  };
}
