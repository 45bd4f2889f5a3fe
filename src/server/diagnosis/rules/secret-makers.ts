import type { KubeObject } from '../../../kube/object.ts';
import { isDue } from '../../live/dashboard/attention-lines.ts';
import { nameOf, type World } from '../world.ts';

/** Kinds whose objects make Secrets, with what the Secret is called. */
const makers = [
  { apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret', path: ['target', 'name'] },
  { apiVersion: 'bitnami.com/v1alpha1', kind: 'SealedSecret', path: ['template', 'metadata', 'name'] },
  { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', path: ['secretName'] },
  { apiVersion: 'secrets.hashicorp.com/v1beta1', kind: 'VaultStaticSecret', path: ['destination', 'name'] },
] as const;

/** The Secret that an object makes: that of its own name where it names none. */
function madeName(object: KubeObject, path: readonly string[]): string | undefined {
  let value: unknown = (object as { readonly spec?: unknown }).spec;
  for (const part of path) value = (value as Readonly<Record<string, unknown>> | undefined)?.[part];
  return typeof value === 'string' ? value : object.metadata?.name;
}

/** The objects in trouble that were to make a Secret which is missing. */
export function troubledMakers(
  name: string,
  namespace: string | undefined,
  world: World,
): readonly KubeObject[] {
  return makers.flatMap(({ path, ...kind }) =>
    (world.all({ ...kind, namespace }) ?? []).filter((one) => {
      const attention = world.kindOf(nameOf(one))?.attention?.(one);
      return madeName(one, path) === name && attention !== undefined && isDue(attention, world.now);
    }),
  );
}
