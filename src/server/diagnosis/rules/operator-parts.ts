import type { KubeObject } from '../../../kube/object.ts';
import { controllerOf } from '../../../kube/owners.ts';
import { groupOf } from '../../../registry/kinds/refs.ts';
import type { World } from '../world.ts';

const versions: Readonly<Record<string, string>> = { StatefulSet: 'apps/v1', Deployment: 'apps/v1' };

/** The project of a group, or of the prefix of a label: `cnpg.io` of `postgresql.cnpg.io`. */
const projectOf = (name: string): string => name.split('.').slice(-2).join('.');

/** The objects of a kind that an operator made for an object: those that it controls, or that its project's labels name. */
export function partsOf(object: KubeObject, kind: string, world: World): readonly KubeObject[] {
  const { uid, name, namespace } = object.metadata ?? {};
  if (namespace === undefined || uid === undefined) return [];
  const project = projectOf(groupOf(object.apiVersion ?? 'v1'));
  const isNamed = ({ metadata }: KubeObject) =>
    Object.entries(metadata?.labels ?? {}).some(
      ([key, value]) => value === name && projectOf(key.split('/')[0] ?? '') === project,
    );
  const all = world.all({ apiVersion: versions[kind] ?? 'v1', kind, namespace, isPartEnough: true }) ?? [];
  return all.filter((one) => controllerOf(one)?.uid === uid || isNamed(one));
}
