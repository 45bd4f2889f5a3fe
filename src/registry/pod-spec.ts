import type { Container, PodSpec, Volume } from '../kube/core.ts';
import type { RelatedObject } from './kind.ts';

type Used = readonly [kind: string, name: string | undefined];

function* usedByContainer({ env, envFrom }: Container): Generator<Used> {
  for (const { valueFrom } of env ?? []) {
    yield ['ConfigMap', valueFrom?.configMapKeyRef?.name];
    yield ['Secret', valueFrom?.secretKeyRef?.name];
  }
  for (const { configMapRef, secretRef } of envFrom ?? []) {
    yield ['ConfigMap', configMapRef?.name];
    yield ['Secret', secretRef?.name];
  }
}

function* usedByVolume({ configMap, secret, persistentVolumeClaim, projected }: Volume): Generator<Used> {
  yield ['ConfigMap', configMap?.name];
  yield ['Secret', secret?.secretName];
  yield ['PersistentVolumeClaim', persistentVolumeClaim?.claimName];
  for (const source of projected?.sources ?? []) {
    yield ['ConfigMap', source.configMap?.name];
    yield ['Secret', source.secret?.name];
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

/** What pods made from a spec need to run: service account, config maps, secrets and claims, each once. */
export function podSpecUses(spec: PodSpec | undefined, namespace: string | undefined): RelatedObject[] {
  const found = new Map<string, RelatedObject>();
  for (const [kind, name] of usedBy(spec ?? {})) {
    if (name === undefined || name === '') continue;
    found.set(`${kind}/${name}`, {
      relation: 'uses',
      apiVersion: 'v1',
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
    });
  }
  return [...found.values()];
}
