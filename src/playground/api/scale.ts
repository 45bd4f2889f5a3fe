import { formatSelector, type LabelSelector } from '../../kube/selector.ts';
import { getObject, updateObject, type World } from '../objects.ts';
import { cause, invalid } from '../status.ts';
import { findPath, setPath } from '../custom/path.ts';
import type { Resource } from '../registry.ts';
import { at, type Obj, type Rec, str } from '../values.ts';
import { isDryRun, readObject } from './body.ts';
import { checkWriteOptions } from './options.ts';
import { applyPatch } from './patch.ts';
import { type Call, mediaType, type Target } from './request.ts';
import type { Answer } from './respond.ts';
import { owner } from './write.ts';

/** The Scale of an object. */
function scaleOf({ custom }: Resource, object: Obj): Rec {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const paths = custom?.scale;
  const number = (path: string) => Number(findPath(path, object)[0] ?? 0);
  const replicas = number(paths?.specReplicasPath ?? '.spec.replicas');
  const selector =
    paths === undefined
      ? formatSelector(at(object, 'spec', 'selector') as LabelSelector | undefined)
      : str(findPath(paths.labelSelectorPath ?? '', object)[0]);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: number(paths?.statusReplicasPath ?? '.status.replicas'),
      ...(selector === '' ? {} : { selector }),
    },
  };
}

/** Serves the scale of a workload: read, replaced or patched. */
export async function serveScale(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  if (call.method === 'GET')
    return { code: 200, body: scaleOf(resource, getObject(world, resource, namespace, name)) };
  const { schemas } = world.registry;
  const shape = schemas.ofKind('autoscaling', 'v1', 'Scale');
  const expected = { apiVersion: 'autoscaling/v1', kind: 'Scale', shape };
  let wanted: Rec;
  if (call.method === 'PUT') {
    wanted = (await readObject(schemas, expected, call)).body;
  } else {
    const type = mediaType(call.headers['content-type']);
    checkWriteOptions('PatchOptions', call.query, type === 'application/apply-patch+yaml');
    const current = scaleOf(resource, getObject(world, resource, namespace, name));
    const text = (await call.body()).toString('utf8');
    wanted = applyPatch(schemas, expected, type, text, current, call.query).body;
  }
  const replicas = Number(at(wanted, 'spec', 'replicas') ?? 0);
  if (replicas < 0) {
    throw invalid('autoscaling', 'Scale', name, [
      cause.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const version = at(wanted, 'metadata', 'resourceVersion');
  const object = updateObject(
    world,
    resource,
    namespace,
    name,
    (before) =>
      setPath(
        resource.custom?.scale?.specReplicasPath ?? '.spec.replicas',
        {
          ...before,
          metadata: {
            ...before.metadata,
            ...(typeof version === 'string' ? { resourceVersion: version } : {}),
          },
        },
        replicas,
      ),
    { dryRun: isDryRun(call.query), own: owner(world, target, call) },
  );
  return { code: 200, body: scaleOf(resource, object) };
}
