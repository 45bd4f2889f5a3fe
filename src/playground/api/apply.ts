import { checkGrant } from '../access/escalate.ts';
import { timestamp } from '../clock.ts';
import { decodeBody } from '../custom/decode.ts';
import { DecodeError } from '../decode.ts';
import { typedProblem } from '../fields/typed.ts';
import { prepareApply } from '../fields/manage.ts';
import { createObject, updateObject, type World } from '../objects.ts';
import { applyMerge, removePaths } from '../patch/apply.ts';
import { apiVersionOf } from '../registry.ts';
import { badRequest, StatusError, unsupportedMediaType } from '../status.ts';
import { keyOf } from '../store.ts';
import { at, type Obj, type Rec, rec, str } from '../values.ts';
import { isDryRun } from './body.ts';
import { objectWarnings } from './warnings.ts';
import { flag } from './options.ts';
import { partOf } from './part.ts';
import { type Call, objectBody, parseBody, type Target } from './request.ts';
import { type Answer, warningHeaders } from './respond.ts';

/** Server-side apply: what the configuration names is set and owned, what it no longer names goes. */
export async function apply(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name, subresource } = target;
  const { shape } = resource;
  const { schemas } = world.registry;
  const manager = call.query.get('fieldManager') ?? '';
  if (shape === undefined) throw unsupportedMediaType();
  const given = readConfig(
    target,
    objectBody(await parseBody(await call.body(), 'application/yaml', resource.kind), resource.kind),
  );
  const force = flag(call.query, 'force');
  const problem = typedProblem(schemas, shape, given);
  if (problem !== undefined) {
    const what = `(${resource.namespaced ? namespace : ''}/${name}; ${apiVersionOf(resource)}, Kind=${resource.kind})`;
    throw new StatusError(500, undefined, `failed to create typed patch object ${what}: ${problem}`);
  }
  const config = known(world, target, given);
  const before = world.store.get(resource.storage, keyOf(resource.namespaced ? namespace : '', name));
  const writer = {
    manager,
    apiVersion: apiVersionOf(resource),
    subresource: subresource?.name ?? '',
    time: timestamp(world.clock.now()),
  };
  const hasStatus = resource.subresources.has('status');
  const applying = prepareApply(schemas, shape, config, before, writer, force, hasStatus);
  const own = (object: Obj) => {
    checkGrant(world.store, resource, object, before, call.user);
    applying.settle(object);
  };
  const options = { dryRun: isDryRun(call.query), own };
  if (before === undefined) {
    const body = decodeBody(schemas, resource, {
      ...config,
      metadata: { ...rec(config['metadata']), name },
    }).value;
    const made = createObject(world, resource, namespace, body, options);
    return {
      code: 201,
      body: made,
      headers: warningHeaders(objectWarnings(world, resource, made, undefined)),
    };
  }
  const object = updateObject(
    world,
    resource,
    namespace,
    name,
    (live) => {
      const merged = removePaths(schemas, shape, applyMerge(schemas, shape, live, config), applying.dropped);
      return decodeBody(schemas, resource, rec(merged)).value;
    },
    { ...options, ...partOf(target) },
  );
  return {
    code: 200,
    body: object,
    headers: warningHeaders(objectWarnings(world, resource, object, before)),
  };
}

/** A configuration for this object. Throws 400 when it is for another object. */
function readConfig({ resource, name }: Target, body: Rec): Rec {
  const given = str(at(body, 'metadata', 'name'));
  if (given !== '' && given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  if (at(body, 'metadata', 'managedFields') !== undefined) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const expected = apiVersionOf(resource);
  if (body['apiVersion'] !== expected || body['kind'] !== resource.kind) {
    throw badRequest(
      `invalid object type: ${str(body['apiVersion'])}, Kind=${str(body['kind'])} is not ${expected}, Kind=${resource.kind}`,
    );
  }
  return body;
}

/** A configuration as its kind. Throws 400 for what Go cannot decode. */
function known(world: World, { resource }: Target, body: Rec): Rec {
  try {
    return decodeBody(world.registry.schemas, resource, body, true).value;
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
}
