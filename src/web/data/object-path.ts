import type { ObjectRef } from '../../registry/command.ts';
import { objectParams } from '../../registry/kind-commands.ts';
import { fillPath } from '../../registry/path.ts';
import { coreGroup, parseResourceKey } from '../../registry/resource-key.ts';
import { kindById } from './kinds.ts';

/** Paths of objects whose kind has no file, by scope. */
export const genericPaths = {
  Namespaced: '/clusters/:clusterId/namespaces/:namespaceName/objects/:group/:plural/:name',
  Cluster: '/clusters/:clusterId/objects/:group/:plural/:name',
} as const;

/** The path of an object's page, or of one of its tools; undefined where it has none. */
export function objectPath(ref: ObjectRef, view?: string): string | undefined {
  const search = view === undefined ? '' : `?view=${view}`;
  const declared = kindById(ref.kind)?.paths.detail?.[0];
  if (declared !== undefined) return fillPath(declared, objectParams(declared, ref)) + search;
  const resource = parseResourceKey(ref.kind);
  if (resource === undefined) return undefined;
  const group = resource.group === '' ? coreGroup : resource.group;
  const pattern = ref.namespace === undefined ? genericPaths.Cluster : genericPaths.Namespaced;
  const { plural } = resource;
  const { cluster: clusterId, namespace = '', name } = ref;
  return fillPath(pattern, { clusterId, namespaceName: namespace, group, plural, name }) + search;
}
