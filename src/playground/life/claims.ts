import { at, type Obj, type Rec, rec, recs, str, strings } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { create, lastRefusal, ownedBy, put, report } from './write.ts';

const storage = '/persistentvolumeclaims';
const component = 'statefulset-controller';

const claimName = (template: Rec, pod: string) => `${str(at(template, 'metadata', 'name'))}-${pod}`;

/** The volumes of a set's pod: those of its claims, before those of the template. */
export function claimVolumes(set: Obj, pod: string): Rec[] {
  const claims = recs(at(set, 'spec', 'volumeClaimTemplates')).map((template) => ({
    name: str(at(template, 'metadata', 'name')),
    persistentVolumeClaim: { claimName: claimName(template, pod) },
  }));
  const taken = new Set(claims.map(({ name }) => name));
  const others = recs(at(set, 'spec', 'template', 'spec', 'volumes')).filter(
    (volume) => !taken.has(str(volume['name'])),
  );
  return claims.length === 0 ? [] : [...claims, ...others];
}

/** Creates the missing claims of a set's pod. Returns false when one could not be created. */
export function makeClaims(set: Obj, pod: string, life: Life): boolean {
  const { name = '', namespace = '' } = set.metadata;
  for (const template of recs(at(set, 'spec', 'volumeClaimTemplates'))) {
    const claim = claimName(template, pod);
    if (life.world.store.get(storage, `${namespace}/${claim}`) !== undefined) continue;
    const metadata = rec(template['metadata']);
    const annotations = rec(metadata['annotations']);
    const created = create(life.world, storage, namespace, {
      metadata: {
        name: claim,
        labels: { ...strings(metadata['labels']), ...strings(at(set, 'spec', 'selector', 'matchLabels')) },
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      },
      spec: structuredClone(rec(template['spec'])),
    });
    const claimText = `Create Claim ${claim} Pod ${pod} in StatefulSet ${name}`;
    report(life.world, set, {
      type: created === undefined ? 'Warning' : 'Normal',
      reason: created === undefined ? 'FailedCreate' : 'SuccessfulCreate',
      message:
        created === undefined
          ? `${claimText} failed error: ${lastRefusal(life.world)}`
          : `${claimText} success`,
      component,
    });
    if (created === undefined) return false;
  }
  return true;
}

/**
 * Sets the owners of a pod's claims by the set's `persistentVolumeClaimRetentionPolicy`: the set with
 * `whenDeleted: Delete`, the pod with `whenScaled: Delete` when it is surplus.
 */
export function tieClaims(set: Obj, pod: Obj, surplus: boolean, life: Life): void {
  const policy = rec(at(set, 'spec', 'persistentVolumeClaimRetentionPolicy'));
  const withSet = policy['whenDeleted'] === 'Delete';
  const withPod = policy['whenScaled'] === 'Delete' && surplus;
  for (const template of recs(at(set, 'spec', 'volumeClaimTemplates'))) {
    const key = `${set.metadata.namespace ?? ''}/${claimName(template, pod.metadata.name ?? '')}`;
    const claim = life.world.store.get(storage, key);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) continue;
    const { ownerReferences = [], ...metadata } = claim.metadata;
    const others = ownerReferences.filter(({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid);
    const owners = [...others, ...(withPod ? [ownedBy(pod)] : withSet ? [ownedBy(set)] : [])];
    if (owners.length === 0 && ownerReferences.length === 0) continue;
    put(life.world, storage, {
      ...claim,
      metadata: owners.length === 0 ? metadata : { ...metadata, ownerReferences: owners },
    });
  }
}
