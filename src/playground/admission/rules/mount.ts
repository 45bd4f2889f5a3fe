import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, recs, str } from '../../kit/values.ts';
import { emptyScope, type Check, empty, oneOf, type Scope, text } from './rule.ts';

/** The error for a path that leads out of its volume; undefined when it stays inside. */
export function descending(value: string): string | undefined {
  if (value.startsWith('/')) return 'must be a relative path';
  return value.split('/').includes('..') ? "must not contain '..'" : undefined;
}

/** The valid volumes of a pod by name; only these may be mounted. `path`: of a container's field. */
function volumesOf({ pod, refused }: Scope, path: string): Map<string, Rec> {
  const spec = path.replace(/\.(?:containers|initContainers|ephemeralContainers)\[\d+\]\.\w+$/, '');
  return new Map(
    recs(pod?.['volumes']).flatMap((volume, index) =>
      refused(`${spec}.volumes[${index}]`) ? [] : [[str(volume['name']), volume]],
    ),
  );
}

const modes = oneOf(['Bidirectional', 'HostToContainer', 'None']);

function propagation(value: unknown, path: string, container: Rec): readonly Cause[] {
  return value === 'Bidirectional' && at(container, 'securityContext', 'privileged') !== true
    ? [cause.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers')]
    : modes(value, path, container, emptyScope);
}

const recursions = ['Disabled', 'Enabled', 'IfPossible'];

function recursion(mount: Rec, path: string): Cause[] {
  const value = mount['recursiveReadOnly'];
  if (value === undefined || value === 'Disabled') return [];
  if (!recursions.includes(str(value))) return [cause.notSupported(path, value, recursions)];
  const spread = mount['mountPropagation'];
  return [
    ...(mount['readOnly'] === true
      ? []
      : [cause.forbidden(path, 'may only be specified when readOnly is true')]),
    ...(spread === undefined || spread === 'None'
      ? []
      : [cause.forbidden(path, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

/** Volume mounts of a container. */
export const volumeMounts: Check = (value, path, owner, scope) => {
  const volumes = volumesOf(scope, path);
  const devices = recs(owner['volumeDevices']);
  const mountPaths = new Set<string>();
  return recs(value).flatMap((mount, index) => {
    const causes: Cause[] = [];
    const inner = `${path}[${index}]`;
    const [name, mountPath] = [str(mount['name']), str(mount['mountPath'])];
    const [sub, expression] = [str(mount['subPath']), str(mount['subPathExpr'])];
    if (name === '') causes.push(cause.required(`${inner}.name`));
    if (!volumes.has(name)) causes.push(cause.notFound(`${inner}.name`, name));
    if (mountPath === '') causes.push(cause.required(`${inner}.mountPath`));
    if (mountPaths.has(mountPath))
      causes.push(cause.invalid(`${inner}.mountPath`, mountPath, 'must be unique'));
    mountPaths.add(mountPath);
    if (devices.some((device) => device['name'] === name)) {
      causes.push(cause.invalid(`${inner}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (devices.some((device) => device['devicePath'] === mountPath)) {
      const why = 'must not already exist as a path in volumeDevices';
      causes.push(cause.invalid(`${inner}.mountPath`, mountPath, why));
    }
    if (isRec(volumes.get(name)?.['image'])) {
      const why = 'not allowed in image volume sources';
      if (sub !== '') causes.push(cause.invalid(`${inner}.subPath`, sub, why));
      if (expression !== '') causes.push(cause.invalid(`${inner}.subPathExpr`, expression, why));
    }
    causes.push(...text(descending)(sub, `${path}.subPath`, mount, emptyScope));
    if (expression !== '' && sub !== '') {
      const why = 'subPathExpr and subPath are mutually exclusive';
      causes.push(cause.invalid(`${inner}.subPathExpr`, expression, why));
    }
    causes.push(...text(descending)(expression, `${path}.subPathExpr`, mount, emptyScope));
    causes.push(...propagation(mount['mountPropagation'], `${path}.mountPropagation`, owner));
    return [...causes, ...recursion(mount, `${path}.recursiveReadOnly`)];
  });
};

/** Volume devices of a container. */
export const volumeDevices: Check = (value, path, owner, scope) => {
  const volumes = volumesOf(scope, path);
  const mounts = recs(owner['volumeMounts']);
  const [names, devicePaths] = [new Set<string>(), new Set<string>()];
  return recs(value).flatMap((device, index) => {
    const causes: Cause[] = [];
    const inner = `${path}[${index}]`;
    const [name, devicePath] = [str(device['name']), str(device['devicePath'])];
    const volume = volumes.get(name);
    const refuse = (field: string, given: string, why: string) =>
      causes.push(cause.invalid(`${inner}.${field}`, given, why));
    if (name === '') causes.push(cause.required(`${inner}.name`));
    if (names.has(name)) refuse('name', name, 'must be unique');
    if (volume === undefined) causes.push(cause.notFound(`${inner}.name`, name));
    else if (empty(volume['persistentVolumeClaim']) && empty(volume['ephemeral'])) {
      const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      refuse('name', name, why);
    }
    if (devicePath === '') causes.push(cause.required(`${inner}.devicePath`));
    if (devicePaths.has(devicePath)) refuse('devicePath', devicePath, 'must be unique');
    if (devicePath.split('/').includes('..'))
      refuse('devicePath', devicePath, "can not contain backsteps ('..')");
    else devicePaths.add(devicePath);
    if (mounts.some((mount) => mount['name'] === name)) {
      refuse('name', name, 'must not already exist in volumeMounts');
    }
    if (mounts.some((mount) => mount['mountPath'] === devicePath)) {
      refuse('devicePath', devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
    return causes;
  });
};
