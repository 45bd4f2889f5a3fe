import type { World } from '../store/world.ts';
import { type Rec, rec } from '../kit/values.ts';
import { put } from './write.ts';

/** Name of the ConfigMap of each namespace that holds the cluster's certificate authority. */
export const authorityName = 'kube-root-ca.crt';

/** Type of the secrets that hold a service account's long-lived token and the cluster's certificate authority. */
export const accountToken = 'kubernetes.io/service-account-token';

/** The ConfigMap of a new namespace with the cluster's certificate authority. */
export function authorityConfig({ trust }: World): Rec {
  return {
    metadata: {
      name: authorityName,
      annotations: {
        'kubernetes.io/description':
          'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
      },
    },
    data: { 'ca.crt': trust?.authority ?? '' },
  };
}

/** Stores the certificate authority (PEM) in the world, and in existing ConfigMaps and token secrets. */
export function publishAuthority(world: World, authority: string): void {
  if (world.trust !== undefined) world.trust.authority = authority;
  for (const config of world.store.list('/configmaps')) {
    if (config.metadata.name !== authorityName) continue;
    put(world, '/configmaps', { ...config, data: { 'ca.crt': authority } });
  }
  const encoded = Buffer.from(authority).toString('base64');
  for (const secret of world.store.list('/secrets')) {
    if (secret['type'] !== accountToken) continue;
    put(world, '/secrets', { ...secret, data: { ...rec(secret['data']), 'ca.crt': encoded } });
  }
}
