import type { World } from '../store/world.ts';
import { type Chance, randomName } from '../kit/random.ts';
import { forbidden } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { type Obj, type Rec, rec, recs, str } from '../kit/values.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

const standard = 'default';

/**
 * Gives a pod its service account, mounts the account's token and copies its image pull secrets, as the
 * ServiceAccount admission plugin does. In place. Throws 403 for a missing account other than `default`, which a
 * controller is about to create.
 */
export function useAccount({ store, chance }: World, pod: Obj): void {
  const spec = rec(pod['spec']);
  const { namespace = '', name: podName = '' } = pod.metadata;
  spec['serviceAccountName'] ??= standard;
  const name = str(spec['serviceAccountName']);
  spec['serviceAccount'] = name;
  const account = store.get('/serviceaccounts', keyOf(namespace, name));
  if (account === undefined && name !== standard) {
    const why = `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
    throw forbidden({ group: '', plural: 'pods' }, podName, why);
  }
  const secrets = recs(account?.['imagePullSecrets']);
  if (recs(spec['imagePullSecrets']).length === 0 && secrets.length > 0) {
    spec['imagePullSecrets'] = structuredClone(secrets);
  }
  const mounts = spec['automountServiceAccountToken'] ?? account?.['automountServiceAccountToken'];
  if (mounts !== false) mountToken(spec, chance);
}

function mountToken(spec: Rec, chance: Chance): void {
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
