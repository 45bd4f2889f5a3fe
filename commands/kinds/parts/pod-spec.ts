import type { Container, PodSpec, Volume } from '../../../src/kube/core.ts';
import type { RelatedObject } from '../../../src/registry/kinds/kind.ts';

type Used = readonly [kind: string, name: string | undefined, isOptional?: boolean | undefined];

function* usedByContainer({ env, envFrom }: Container): Generator<Used> {
  for (const { valueFrom } of env ?? []) {
    yield ['ConfigMap', valueFrom?.configMapKeyRef?.name, valueFrom?.configMapKeyRef?.optional];
    yield ['Secret', valueFrom?.secretKeyRef?.name, valueFrom?.secretKeyRef?.optional];
  }
  for (const { configMapRef, secretRef } of envFrom ?? []) {
    yield ['ConfigMap', configMapRef?.name, configMapRef?.optional];
    yield ['Secret', secretRef?.name, secretRef?.optional];
  }
}

function* usedByVolume({ configMap, secret, persistentVolumeClaim, projected }: Volume): Generator<Used> {
  yield ['ConfigMap', configMap?.name, configMap?.optional];
  yield ['Secret', secret?.secretName, secret?.optional];
  yield ['PersistentVolumeClaim', persistentVolumeClaim?.claimName];
  for (const source of projected?.sources ?? []) {
    yield ['ConfigMap', source.configMap?.name, source.configMap?.optional];
    yield ['Secret', source.secret?.name, source.secret?.optional];
  }
}

function* usedBy(spec: PodSpec): Generator<Used> {
  yield ['ServiceAccount', spec.serviceAccountName];
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    yield* usedByContainer(container);
  }
  for (const volume of spec.volumes ?? []) yield* usedByVolume(volume);
  for (const { name } of spec.imagePullSecrets ?? []) yield ['Secret', name];
}

/**
 * The objects that pods of a spec need, without duplicates: service account, config maps, secrets and claims. A
 * reference is optional if every mention of it is.
 */
export function podSpecUses(spec: PodSpec | undefined, namespace: string | undefined): RelatedObject[] {
  const found = new Map<string, RelatedObject>();
  for (const [kind, name, isOptional = false] of usedBy(spec ?? {})) {
    if (name === undefined || name === '') continue;
    const known = found.get(`${kind}/${name}`);
    if (known !== undefined && (isOptional || known.absence === undefined)) continue;
    found.set(`${kind}/${name}`, {
      relation: 'uses',
      apiVersion: 'v1',
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      ...(isOptional ? { absence: 'optional' as const } : {}),
    });
  }
  return [...found.values()];
}
