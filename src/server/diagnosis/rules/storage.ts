import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../../kube/storage.ts';
import { defaultStorageClassAnnotation } from '../../../kube/storage.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { controllerOf } from '../../../kube/owners.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { absent, condition, event, field, present, rule, trail } from '../rule.ts';
import { shortened } from '../shortened.ts';
import { epochSeconds, formatAge } from '../../../kube/age.ts';
import { withoutStop } from '../../../kube/text.ts';
import { claimNames } from './pod-volumes.ts';
import { allOf, namedObject, oneOf, warningsOf, type World } from '../world.ts';

const claimKind = 'PersistentVolumeClaim';

/** Whether a storage class is what claims without one get. */
const isDefault = ({ metadata }: StorageClass): boolean =>
  metadata?.annotations?.[defaultStorageClassAnnotation] === 'true';

const isPending = ({ status }: PersistentVolumeClaim) => status?.phase === 'Pending';
const classOf = ({ spec }: PersistentVolumeClaim) => spec?.storageClassName ?? '';

/** The class of a pending claim, as far as it is known: null for one that does not exist. */
const classFound = (claim: PersistentVolumeClaim, world: World) =>
  classOf(claim) === '' ? undefined : oneOf(world, 'StorageClass', classOf(claim));

/** A claim of this name that a pod mounts and nobody made. */
const claimMissing = rule<
  KubeObject & { spec?: { volumes?: { persistentVolumeClaim?: { claimName?: string } }[] } }
>({
  id: 'pod.claim-missing',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    const { namespace } = pod.metadata ?? {};
    // A StatefulSet makes the claims of its pods itself, a little later.
    if (controllerOf(pod)?.kind === 'StatefulSet') return undefined;
    const volumes = pod.spec?.volumes ?? [];
    const at = volumes.findIndex(({ persistentVolumeClaim: claim }) => {
      const name = claim?.claimName;
      return name !== undefined && oneOf(world, claimKind, name, namespace) === null;
    });
    const name = volumes[at]?.persistentVolumeClaim?.claimName;
    if (name === undefined) return undefined;
    return {
      sentence: `The claim ${name} that the pod mounts does not exist.`,
      evidence: [
        field(pod, `spec.volumes[${at}].persistentVolumeClaim.claimName`),
        absent(namedObject(claimKind, name, namespace)),
      ],
      wanted: [
        {
          of: namedObject(claimKind, name, namespace),
          body: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '' } } } },
        },
      ],
    };
  },
});

/** Why the driver does not enlarge a claim that asks for more than its volume has; undefined where it does. */
export function refusedGrowth(claim: PersistentVolumeClaim, world: World) {
  const asked = claim.spec?.resources?.requests?.['storage'];
  const has = claim.status?.capacity?.['storage'];
  if (asked === undefined || has === undefined) return undefined;
  if ((parseQuantity(asked) ?? 0) <= (parseQuantity(has) ?? 0)) return undefined;
  const said = warningsOf(world, claim).find(
    ({ reason = '' }) => /Resize|Expand/.test(reason) && reason !== 'ExternalExpanding',
  );
  if (said?.message === undefined) return undefined;
  return {
    text: `its expansion from ${has} to ${asked} is refused: ${shortened(withoutStop(said.message), 80)}`,
    proofs: [event(claim, said), field(claim, 'status.capacity'), field(claim, 'spec.resources')],
  };
}

/** Conditions of a claim whose volume cannot be enlarged or changed. */
const failedConditions = /^(?:ControllerResizeError|NodeResizeError|ModifyVolumeError)$/;

const changeRule = rule<PersistentVolumeClaim>({
  id: 'claim.change-failed',
  kind: claimKind,
  tone: 'bad',
  sort: 'cause',
  find(claim, world) {
    // The driver's own event says the same of an expansion.
    if (refusedGrowth(claim, world) !== undefined) return undefined;
    const failed = claim.status?.conditions?.find(
      ({ type, status, message }) =>
        failedConditions.test(type) && status === 'True' && message !== undefined,
    );
    if (failed?.message === undefined) return undefined;
    const words = withoutStop(failed.message);
    return {
      sentence: `The volume of claim ${claim.metadata?.name ?? ''} cannot be ${failed.type.includes('Resize') ? 'enlarged' : 'changed'}: ${words}.`,
      evidence: [condition(claim, failed.type), field(claim, 'status.capacity')],
    };
  },
});

/** How long an expansion may take before nothing seems to carry it out, s. */
const expansionTime = 10 * 60;

/** A claim whose expansion waits for a pod to be started again, or for a resizer that says nothing. */
const expansionWaitRule = rule<PersistentVolumeClaim>({
  id: 'claim.expansion-waits',
  kind: claimKind,
  tone: 'warn',
  sort: 'symptom',
  find(claim, world) {
    const asked = claim.spec?.resources?.requests?.['storage'];
    const has = claim.status?.capacity?.['storage'];
    if ((parseQuantity(asked) ?? 0) <= (parseQuantity(has) ?? Number.POSITIVE_INFINITY)) return undefined;
    const sizes = [field(claim, 'spec.resources'), field(claim, 'status.capacity')];
    const pending = claim.status?.conditions?.find(
      ({ type, status }) => type === 'FileSystemResizePending' && status === 'True',
    );
    if (pending !== undefined)
      return {
        sentence: `The volume of claim ${claim.metadata?.name ?? ''} is enlarged to ${asked ?? ''}, but its file system keeps ${has ?? ''} until a pod with the claim is started on a node.`,
        evidence: [condition(claim, 'FileSystemResizePending'), ...sizes],
      };
    const said = warningsOf(world, claim).find(({ reason }) => reason === 'ExternalExpanding');
    const first = epochSeconds(said?.firstTimestamp ?? undefined);
    if (said === undefined || first === null || first > world.now - expansionTime) return undefined;
    return {
      sentence: `Nothing has enlarged claim ${claim.metadata?.name ?? ''} from ${has ?? ''} to ${asked ?? ''} for ${formatAge(world.now - first)}: it waits for the resizer of its driver.`,
      evidence: [event(claim, said), ...sizes],
    };
  },
});

const expansionRule = rule<PersistentVolumeClaim>({
  id: 'claim.not-enlarged',
  kind: claimKind,
  tone: 'bad',
  sort: 'cause',
  find(claim, world) {
    const refused = refusedGrowth(claim, world);
    if (refused === undefined) return undefined;
    return {
      sentence: `Claim ${claim.metadata?.name ?? ''} keeps its size: ${refused.text}.`,
      evidence: refused.proofs,
    };
  },
});

const claimRules = [
  expansionRule,
  changeRule,
  expansionWaitRule,
  rule<PersistentVolumeClaim>({
    id: 'claim.class-missing',
    kind: claimKind,
    tone: 'bad',
    sort: 'cause',
    find(claim, world) {
      if (!isPending(claim) || classFound(claim, world) !== null) return undefined;
      const classes = allOf(world, 'StorageClass') ?? [];
      const standard = classes.find(isDefault);
      return {
        sentence: `The storage class ${classOf(claim)} of the claim does not exist${standard === undefined ? '' : `; the default is ${standard.metadata?.name ?? ''}`}.`,
        evidence: [
          field(claim, 'spec.storageClassName'),
          absent(namedObject('StorageClass', classOf(claim))),
          ...(standard === undefined ? [] : [present(standard)]),
        ],
      };
    },
  }),
  rule<PersistentVolumeClaim>({
    id: 'claim.no-default-class',
    kind: claimKind,
    tone: 'bad',
    sort: 'cause',
    find(claim, world) {
      if (!isPending(claim) || claim.spec?.storageClassName !== undefined || claim.spec?.volumeName)
        return undefined;
      const classes = allOf(world, 'StorageClass');
      if (classes === undefined || classes.some(isDefault)) return undefined;
      return {
        sentence: 'The claim names no storage class, and the cluster has no default one.',
        evidence: [field(claim, 'spec.storageClassName')],
      };
    },
  }),
  rule<PersistentVolumeClaim>({
    id: 'claim.no-volume',
    kind: claimKind,
    tone: 'bad',
    sort: 'cause',
    find(claim, world) {
      if (!isPending(claim)) return undefined;
      const wanted = claim.spec?.volumeName;
      if (wanted !== undefined && wanted !== '') {
        const volume = oneOf(world, 'PersistentVolume', wanted);
        if (volume === undefined) return undefined;
        const { namespace, name } = volume?.spec?.claimRef ?? {};
        const isOthers =
          name !== undefined && (name !== claim.metadata?.name || namespace !== claim.metadata?.namespace);
        if (volume !== null && !isOthers) return undefined;
        const isKept = volume?.status?.phase === 'Released';
        const other = `${namespace ?? ''}/${name ?? ''}`;
        return {
          sentence: `The volume ${wanted} that the claim asks for ${
            volume === null
              ? 'does not exist'
              : isKept
                ? `is still kept for another claim, ${other}, which is gone`
                : `is bound to another claim, ${other}`
          }.`,
          evidence: [
            field(claim, 'spec.volumeName'),
            ...(volume === null
              ? [absent(namedObject('PersistentVolume', wanted))]
              : [field(volume, 'spec.claimRef'), ...(isKept ? [field(volume, 'status.phase')] : [])]),
          ],
        };
      }
      const found = classFound(claim, world);
      const isManual = classOf(claim) === '' && claim.spec?.storageClassName === '';
      const hasNoMaker = found ? found.provisioner === 'kubernetes.io/no-provisioner' : false;
      // Without a maker, a class that waits for a pod waits for a volume as well.
      if (!isManual && !hasNoMaker) return undefined;
      const asks = claim.spec?.resources?.requests?.['storage'] ?? '?';
      return {
        sentence: `Nothing provisions volumes for the claim, and no available volume has ${asks} with the access modes that it requests.`,
        evidence: [
          field(claim, 'spec.resources.requests.storage'),
          field(claim, 'spec.accessModes'),
          ...(found ? [field(found, 'provisioner')] : [field(claim, 'spec.storageClassName')]),
        ],
      };
    },
  }),
  rule<PersistentVolumeClaim>({
    id: 'claim.provisioning',
    kind: claimKind,
    tone: 'bad',
    sort: 'symptom',
    find(claim, world) {
      if (!isPending(claim)) return undefined;
      const failed = warningsOf(world, claim).find(({ reason }) => reason === 'ProvisioningFailed');
      if (failed === undefined || classFound(claim, world) === null) return undefined;
      return {
        sentence: `The provisioner of class ${classOf(claim) || '(default)'} cannot make a volume for the claim: ${(
          failed.message ?? ''
        )
          .trim()
          .replace(/^failed to provision volume with StorageClass "[^"]+": /, '')
          .replace(/^rpc error: code = \w+ desc = /, '')
          .replace(/\.$/, '')}.`,
        evidence: [event(claim, failed), field(claim, 'spec.storageClassName')],
      };
    },
  }),
];

/** How long a provisioner may take, s. */
const provisioningTime = 180;

/** The provisioner that a pending claim waits for, and that has not said anything about it. */
const provisionerRule = rule<PersistentVolumeClaim>({
  id: 'claim.provisioner-silent',
  kind: claimKind,
  tone: 'bad',
  sort: 'cause',
  find(claim, world) {
    const created = Date.parse(claim.metadata?.creationTimestamp ?? '') / 1000;
    if (!isPending(claim) || claim.spec?.volumeName || !(created < world.now - provisioningTime))
      return undefined;
    const found = classFound(claim, world);
    const asked = claim.metadata?.annotations?.['volume.kubernetes.io/storage-provisioner'];
    const provisioner = found?.provisioner ?? '';
    // A class that waits for a pod asks its provisioner only then.
    if (!found || asked !== provisioner || provisioner.startsWith('kubernetes.io/')) return undefined;
    const events = allOf(world, 'Event', {
      namespace: claim.metadata?.namespace,
      about: claim.metadata?.uid ?? '',
    });
    const hasAnswered = events?.some(({ reason }) => reason?.startsWith('Provision') === true);
    const driver = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', name: provisioner };
    const isAbsent = world.one(driver) === null && /csi/i.test(provisioner);
    if (hasAnswered !== false) return undefined;
    return {
      sentence: isAbsent
        ? `The claim waits for provisioner ${provisioner} of class ${classOf(claim)}, and no driver of that name is installed in the cluster.`
        : `The claim waits for provisioner ${provisioner} of class ${classOf(claim)}, which has not answered for ${formatAge(world.now - created)}.`,
      evidence: [
        field(claim, 'status.phase'),
        field(claim, 'spec.storageClassName'),
        field(found, 'provisioner'),
        ...(isAbsent ? [absent(driver)] : []),
      ],
    };
  },
});

/** A claim that somebody deleted, and that stays for as long as a pod uses it. */
const deletedRule = rule<PersistentVolumeClaim>({
  id: 'claim.deleted',
  kind: claimKind,
  tone: 'bad',
  sort: 'cause',
  find(claim, world) {
    const { deletionTimestamp, name = '', namespace } = claim.metadata ?? {};
    if (deletionTimestamp === undefined || claim.status?.phase === 'Lost') return undefined;
    const users = (allOf(world, 'Pod', { namespace }) ?? []).filter(
      (pod) => claimNames(pod).includes(name) && !/Succeeded|Failed/.test(pod.status?.phase ?? ''),
    );
    // A pod that has not got it does not keep it.
    const user = users.find(({ spec }) => spec?.nodeName !== undefined);
    return {
      sentence: `Claim ${name} is being deleted${user === undefined ? '' : ` and remains only until pod ${user.metadata?.name ?? ''}, which uses it, is gone`}: no other pod can use it.`,
      evidence: [
        field(claim, 'metadata.deletionTimestamp'),
        field(claim, 'metadata.finalizers'),
        ...(user === undefined ? [] : [field(user, 'spec.nodeName')]),
      ],
    };
  },
});

const volumeRules = [
  rule<PersistentVolume>({
    id: 'volume.not-deleted',
    kind: 'PersistentVolume',
    tone: 'bad',
    sort: 'cause',
    find(volume, world) {
      if (!/Released|Failed/.test(volume.status?.phase ?? '')) return undefined;
      const said = warningsOf(world, volume).find(({ reason }) => reason === 'VolumeFailedDelete');
      if (said?.message === undefined) return undefined;
      return {
        sentence: `The volume ${volume.metadata?.name ?? ''} of a deleted claim cannot be deleted: ${said.message
          .trim()
          .replace(/^rpc error: code = \w+ desc = /, '')
          .replace(/\.$/, '')}.`,
        evidence: [event(volume, said), field(volume, 'status.phase')],
      };
    },
  }),
  rule<PersistentVolume>({
    id: 'volume.released',
    kind: 'PersistentVolume',
    tone: 'warn',
    sort: 'advice',
    find(volume) {
      // Of one that is to be deleted the driver says why it is still there.
      const isKept = volume.spec?.persistentVolumeReclaimPolicy !== 'Delete';
      if (volume.status?.phase !== 'Released' || !isKept) return undefined;
      return {
        sentence:
          'The claim of the volume was deleted. The reclaim policy keeps the volume with its data, so no other claim can bind to it until its claimRef is removed.',
        evidence: [
          field(volume, 'status.phase'),
          field(volume, 'spec.persistentVolumeReclaimPolicy'),
          field(volume, 'spec.claimRef'),
        ],
      };
    },
  }),
  rule<StorageClass>({
    id: 'class.two-defaults',
    kind: 'StorageClass.storage.k8s.io',
    tone: 'warn',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      if (!isDefault(object)) return undefined;
      const others = (allOf(world, 'StorageClass') ?? []).filter(
        (one) => isDefault(one) && one.metadata?.name !== object.metadata?.name,
      );
      // Said once: by the one whose name comes first.
      if (
        others.length === 0 ||
        others.some(({ metadata }) => (metadata?.name ?? '') < (object.metadata?.name ?? ''))
      )
        return undefined;
      return {
        sentence: `There are ${others.length + 1} default storage classes: claims without a class get the newest of ${[object, ...others].map(({ metadata }) => metadata?.name).join(', ')}.`,
        evidence: [object, ...others].map((one) => field(one, 'metadata.annotations')),
      };
    },
  }),
];

/** Rules about claims, volumes and storage classes. */
export const storageRules = [claimMissing, deletedRule, ...claimRules, provisionerRule, ...volumeRules];

/** From a claim to its volume. */
export const storageTrails = [
  trail<PersistentVolumeClaim>({
    kind: claimKind,
    next(claim, world) {
      const name = claim.spec?.volumeName;
      const found = name === undefined || name === '' ? undefined : oneOf(world, 'PersistentVolume', name);
      return found ? [found] : [];
    },
  }),
];
