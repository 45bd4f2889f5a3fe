import type { LabelSelector } from '../../kube/selector.ts';
import { timestamp } from '../kit/clock.ts';
import { decodeBody } from '../custom/decode.ts';
import { findPath, setPath } from '../custom/path.ts';
import { prepareApply } from '../fields/manage.ts';
import { ownScale, ownScaled, scaleVersion } from '../fields/scale.ts';
import { getObject, updateObject, type WriteOptions } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import { applyMerge, removePaths } from '../patch/apply.ts';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import { cause, conflict, invalid, unsupportedFormat, unsupportedMediaType } from '../kit/status.ts';
import { selectorText } from '../kit/selector-text.ts';
import { at, type Obj, type Rec, rec, str } from '../kit/values.ts';
import { readConfig } from './apply.ts';
import { isDryRun, readObject } from './body.ts';
import { managerOf } from './manager.ts';
import { checkWriteOptions, flag } from './options.ts';
import { applyPatch } from './patch.ts';
import { type Call, mediaType, type Target } from './request.ts';
import type { Answer } from './respond.ts';
import { checkIdentity, owner } from './write.ts';

/** The Scale of a workload. */
function scaleOf({ custom }: Resource, object: Obj): Rec {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const paths = custom?.scale;
  const number = (path: string) => Number(findPath(path, object)[0] ?? 0);
  const replicas = number(paths?.specReplicasPath ?? '.spec.replicas');
  const selector =
    paths === undefined
      ? selectorText(at(object, 'spec', 'selector') as LabelSelector | undefined)
      : str(findPath(paths.labelSelectorPath ?? '', object)[0]);
  return {
    kind: 'Scale',
    apiVersion: scaleVersion,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: number(paths?.statusReplicasPath ?? '.status.replicas'),
      ...(selector === '' ? {} : { selector }),
    },
  };
}

/** Path of the replicas in an object. */
const pathOf = ({ custom }: Resource) => custom?.scale?.specReplicasPath ?? '.spec.replicas';

/** A requested Scale, and the function that records its owners in the scaled object. */
interface ScaleRequest {
  readonly wanted: Rec;
  readonly recordOwnership: NonNullable<WriteOptions['recordOwnership']>;
}

/** Reads the Scale that a replacement or a patch results in. Throws StatusError. */
async function readScaleRequest(world: World, target: Target, call: Call): Promise<ScaleRequest> {
  const { resource, namespace, name } = target;
  const { schemas } = world.registry;
  const shape = schemas.ofKind('autoscaling', 'v1', 'Scale');
  const expected = { apiVersion: scaleVersion, kind: 'Scale', shape };
  const recordOwnership = owner(world, target, call);
  if (call.method === 'PUT') {
    checkWriteOptions('UpdateOptions', call.query);
    return { wanted: (await readObject(schemas, expected, call)).body, recordOwnership };
  }
  const type = mediaType(call.headers['content-type']);
  if (!resource.patchTypes.includes(type)) {
    throw resource.custom === undefined ? unsupportedMediaType() : unsupportedFormat(resource.patchTypes);
  }
  const applying = type === 'application/apply-patch+yaml';
  checkWriteOptions('PatchOptions', call.query, applying);
  const object = getObject(world, resource, namespace, name);
  const current = scaleOf(resource, object) as Obj;
  if (!applying || shape === undefined) {
    const text = (await call.body()).toString('utf8');
    return { wanted: applyPatch(schemas, expected, type, text, current, call.query).body, recordOwnership };
  }
  const { config } = await readConfig(world, { ...expected, shape }, target, call);
  ownScale(current, object, pathOf(resource));
  const writer = {
    manager: managerOf(call),
    apiVersion: scaleVersion,
    subresource: 'scale',
    time: timestamp(world.clock.now()),
  };
  const force = flag(call.query, 'force');
  const applied = prepareApply(schemas, shape, config, current, writer, force, false);
  const merged = removePaths(schemas, shape, applyMerge(schemas, shape, current, config), applied.dropped);
  const metadata = { name, ...rec(rec(merged)['metadata']) };
  const wanted = decodeBody(schemas, expected, { ...rec(merged), metadata }).value as Obj;
  applied.settle(wanted);
  return {
    wanted,
    recordOwnership: (scaled) => ownScaled(scaled, object, wanted, pathOf(resource), apiVersionOf(resource)),
  };
}

/** Serves the scale of a workload: get, update, patch and apply. */
export async function serveScale(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  if (call.method === 'GET')
    return { code: 200, body: scaleOf(resource, getObject(world, resource, namespace, name)) };
  const { wanted, recordOwnership } = await readScaleRequest(world, target, call);
  const metadata = rec(wanted['metadata']);
  checkIdentity(target, metadata);
  const replicas = Number(at(wanted, 'spec', 'replicas') ?? 0);
  if (replicas < 0) {
    throw invalid('autoscaling', 'Scale', name, [
      cause.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const { uid, resourceVersion: version } = metadata;
  const object = updateObject(
    world,
    resource,
    namespace,
    name,
    (before) => {
      // The uid of a PUT is a precondition of the whole update instead.
      if (call.method === 'PATCH' && typeof uid === 'string' && uid !== '' && uid !== before.metadata.uid) {
        const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`;
        throw conflict({ group: resource.group, plural: `${resource.plural}/scale` }, name, why);
      }
      const given = {
        ...(typeof version === 'string' ? { resourceVersion: version } : {}),
        ...(typeof uid === 'string' ? { uid } : {}),
      };
      return setPath(pathOf(resource), { ...before, metadata: { ...before.metadata, ...given } }, replicas);
    },
    { dryRun: isDryRun(call.query), recordOwnership },
  );
  return { code: 200, body: scaleOf(resource, object) };
}
