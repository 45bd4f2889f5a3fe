import { checkGrant } from '../access/escalate.ts';
import { timestamp } from '../kit/clock.ts';
import { decodeBody } from '../custom/decode.ts';
import { DecodeError } from '../registry/decode.ts';
import { typedProblem } from '../fields/typed.ts';
import { prepareApply } from '../fields/manage.ts';
import { createObject, updateObject } from '../objects/objects.ts';
import { otherName, otherNamespace } from '../objects/identity.ts';
import type { World } from '../store/world.ts';
import { applyMerge, removePaths } from '../patch/apply.ts';
import { apiVersionOf } from '../registry/registry.ts';
import type { Schemas, Shape } from '../registry/schema.ts';
import { badRequest, conflict, notFound, StatusError, unsupportedMediaType } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { at, isRec, type Obj, type Rec, rec, str } from '../kit/values.ts';
import { type Expected, expectedOf, goKind, ignores, isDryRun } from './body.ts';
import { objectWarnings } from './warnings.ts';
import { flag } from './options.ts';
import { partOf } from './part.ts';
import type { Call, Target } from './request.ts';
import { type Answer, warningHeaders } from './respond.ts';
import type { Yaml } from './yaml.ts';

/**
 * Server-side apply: sets and owns the fields that the configuration names, and removes owned fields that it no
 * longer names.
 */
export async function apply(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name, subresource } = target;
  const { shape } = resource;
  const { schemas } = world.registry;
  const manager = call.query.get('fieldManager') ?? '';
  if (shape === undefined) throw unsupportedMediaType();
  const before = world.store.get(resource.storage, keyOf(resource.namespaced ? namespace : '', name));
  // An apply to a subresource does not create the object.
  if (before === undefined && subresource !== undefined) throw notFound(resource, name);
  const read = await readConfig(world, { ...expectedOf(resource), shape }, target, call);
  const { given, config } = read;
  const force = flag(call.query, 'force');
  const uid = str(at(given, 'metadata', 'uid'));
  if (before === undefined && uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource, name, why);
  }
  const { warnings } = read;
  const writer = {
    manager,
    apiVersion: apiVersionOf(resource),
    subresource: subresource?.name ?? '',
    time: timestamp(world.clock.now()),
  };
  const hasStatus = resource.subresources.has('status');
  const applying = prepareApply(schemas, shape, config, before, writer, force, hasStatus);
  const recordOwnership = (object: Obj) => {
    checkGrant(world.store, resource, object, before, call.user);
    applying.settle(object);
  };
  const options = { dryRun: isDryRun(call.query), recordOwnership };
  if (before === undefined) {
    const body = decodeBody(schemas, resource, {
      ...config,
      metadata: { ...rec(config['metadata']), name },
    }).value;
    const created = createObject(world, resource, namespace, body, options);
    return {
      code: 201,
      body: created,
      headers: warningHeaders([...warnings, ...objectWarnings(world, resource, created, undefined)]),
    };
  }
  const object = updateObject(
    world,
    resource,
    namespace,
    name,
    (live) => {
      const merged = removePaths(schemas, shape, applyMerge(schemas, shape, live, config), applying.dropped);
      // `name` is not owned, so no apply removes it.
      const metadata = { name, ...rec(rec(merged)['metadata']) };
      return decodeBody(schemas, resource, { ...rec(merged), metadata }).value;
    },
    { ...options, patched: true, ...partOf(target) },
  );
  return {
    code: 200,
    body: object,
    headers: warningHeaders([...warnings, ...objectWarnings(world, resource, object, before)]),
  };
}

/** A configuration as sent and as decoded, with its warnings. */
interface Config {
  readonly given: Rec;
  readonly config: Rec;
  readonly warnings: readonly string[];
}

/** Reads the configuration for the object of a path. Throws 400 and 500 with Go's messages. */
export async function readConfig(
  world: World,
  expected: Expected & { readonly shape: Shape },
  target: Target,
  call: Call,
): Promise<Config> {
  const { schemas } = world.registry;
  const { apiVersion, kind, shape } = expected;
  const { config: given, duplicates } = await parseConfig(expected, await call.body());
  const problem = typedProblem(schemas, shape, given);
  if (problem !== undefined) {
    const { namespace: givenNamespace, name: givenName } = rec(given['metadata']);
    const objectText = `(${str(givenNamespace)}/${str(givenName)}; ${goKind(apiVersion, kind)})`;
    throw new StatusError(500, undefined, `failed to create typed patch object ${objectText}: ${problem}`);
  }
  checkIdentity(target, given);
  return {
    given,
    config: decodeConfiguration(schemas, expected, given),
    warnings: duplicateWarnings(call.query, duplicates),
  };
}

/** Parses a configuration and finds its duplicate keys. Throws 400 with Go's messages. */
async function parseConfig(
  { apiVersion: expected, kind: expectedKind }: Expected,
  body: Buffer,
): Promise<{ config: Rec; duplicates: readonly string[] }> {
  const { readYaml, YamlError } = await import('./yaml.ts');
  let read: Yaml;
  try {
    read = readYaml(body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
  const { value, duplicates } = read;
  if (value !== null && !isRec(value)) {
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    const why = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  const config = rec(value);
  const [version, kind] = [str(config['apiVersion']), str(config['kind'])];
  if (version !== expected || kind !== expectedKind) {
    throw badRequest(`invalid object type: ${goKind(version, kind)}`);
  }
  if (at(config, 'metadata', 'managedFields') !== undefined) {
    throw badRequest('metadata.managedFields must be nil');
  }
  return { config, duplicates };
}

/** Refuses a configuration for another object. Throws 400. */
function checkIdentity({ resource, namespace, name }: Target, config: Rec): void {
  const givenNamespace = str(at(config, 'metadata', 'namespace'));
  if (resource.namespaced && givenNamespace !== '' && givenNamespace !== namespace) {
    throw otherNamespace();
  }
  const given = str(at(config, 'metadata', 'name'));
  if (given !== '' && given !== name) {
    throw otherName(given, name);
  }
}

/** The warnings about duplicate keys. Throws 400 instead if the client asked for strict validation. */
function duplicateWarnings(query: URLSearchParams, duplicates: readonly string[]): readonly string[] {
  if (duplicates.length === 0 || ignores(query)) return [];
  if (query.get('fieldValidation') !== 'Strict') return duplicates;
  const why = `error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`;
  throw badRequest(`error strict decoding YAML: ${why}`);
}

/** Decodes a configuration as its kind. Throws 400 when Go could not decode it. */
function decodeConfiguration(schemas: Schemas, expected: Expected, body: Rec): Rec {
  try {
    return decodeBody(schemas, expected, body, true).value;
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
}
