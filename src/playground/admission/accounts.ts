import { type Chance, randomName } from '../random.ts';
import { type Obj, rec, recs } from '../values.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Gives a pod its service account and mounts the account's token, as the API server's admission does. In place. */
export function mountAccount(pod: Obj, chance: Chance): void {
  const spec = rec(pod['spec']);
  spec['serviceAccountName'] ??= 'default';
  spec['serviceAccount'] = spec['serviceAccountName'];
  if (spec['automountServiceAccountToken'] === false) return;
  const name = `kube-api-access-${randomName(chance, 5)}`;
  const containers = [...recs(spec['containers']), ...recs(spec['initContainers'])];
  for (const container of containers) {
    const mounts = recs(container['volumeMounts']);
    if (mounts.some((mount) => mount['mountPath'] === mountPath)) continue;
    container['volumeMounts'] = [...mounts, { name, readOnly: true, mountPath }];
  }
  spec['volumes'] = [
    ...recs(spec['volumes']),
    {
      name,
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
        defaultMode: 420,
      },
    },
  ];
}
