import { keyOf } from '../store.ts';
import { at, type Obj, type Rec, rec, recs, same, str, strings } from '../values.ts';
import { type Controller, controllerOf, type Life } from './engine.ts';
import { createPod } from './replicaset.ts';
import { create, isActive, isReady, ownedBy, putStatus, remove, report, templateHash } from './write.ts';

const storage = 'apps/statefulsets';
const revisionLabel = 'controller-revision-hash';

/** Keeps a StatefulSet's numbered pods, one after the other, each with its claims. */
export const statefulSetController: Controller = {
  name: 'statefulset-controller',
  interested: ({ storage: place, key, before, after }) => {
    if (place === storage) return [key];
    if (place !== '/pods') return [];
    const owner = controllerOf(after ?? before);
    return owner?.kind === 'StatefulSet' ? [keyOf((after ?? before)?.metadata.namespace, owner.name)] : [];
  },
  reconcile: (key, life) => {
    const set = life.world.store.get(storage, key);
    if (set === undefined) return;
    const revision = revisionFor(set, 'StatefulSet', life);
    if (set.metadata.deletionTimestamp === undefined) manage(set, revision, life);
    summarise(set, revision, life);
  },
};

/** The name of the ControllerRevision of a set's present template; made when it is new. */
export function revisionFor(set: Obj, kind: 'StatefulSet' | 'DaemonSet', life: Life): string {
  const { world } = life;
  const { name = '', namespace = '' } = set.metadata;
  const template = rec(at(set, 'spec', 'template'));
  const data = { spec: { template: { ...template, $patch: 'replace' } } };
  const known = life.children
    .of(set.metadata.uid, 'apps/controllerrevisions')
    .sort((a, b) => Number(a['revision']) - Number(b['revision']));
  const found = known.find((item) => same(item['data'], data));
  if (found !== undefined) return found.metadata.name ?? '';
  const hash = templateHash(template);
  const labels = strings(at(template, 'metadata', 'labels'));
  create(world, 'apps/controllerrevisions', namespace, {
    metadata: {
      name: `${name}-${hash}`,
      labels: kind === 'StatefulSet' ? labels : { ...labels, [revisionLabel]: hash },
      ownerReferences: [ownedBy(set)],
    },
    data,
    revision: Number(known.at(-1)?.['revision'] ?? 0) + 1,
  });
  return `${name}-${hash}`;
}

const ordinalOf = (pod: Obj) => Number(/-(\d+)$/.exec(pod.metadata.name ?? '')?.[1] ?? -1);

function podsOf(set: Obj, life: Life): Obj[] {
  return life.children.of(set.metadata.uid, '/pods').sort((a, b) => ordinalOf(a) - ordinalOf(b));
}

function manage(set: Obj, revision: string, life: Life): void {
  const { world } = life;
  const { name = '' } = set.metadata;
  const wanted = Number(at(set, 'spec', 'replicas') ?? 1);
  const ordered = at(set, 'spec', 'podManagementPolicy') !== 'Parallel';
  const pods = podsOf(set, life);
  const tell = (reason: string, message: string) =>
    report(world, set, { type: 'Normal', reason, message, component: statefulSetController.name });
  for (let ordinal = 0; ordinal < wanted; ordinal++) {
    const podName = `${name}-${ordinal}`;
    const pod = pods.find((item) => item.metadata.name === podName);
    if (pod === undefined) {
      const volumes = makeClaims(set, podName, life);
      const made = createPod(life, set, {
        name: podName,
        labels: {
          'apps.kubernetes.io/pod-index': String(ordinal),
          [revisionLabel]: revision,
          'statefulset.kubernetes.io/pod-name': podName,
        },
        spec: {
          hostname: podName,
          ...(str(at(set, 'spec', 'serviceName')) === ''
            ? {}
            : { subdomain: at(set, 'spec', 'serviceName') }),
          ...(volumes.length === 0
            ? {}
            : { volumes: [...volumes, ...recs(at(set, 'spec', 'template', 'spec', 'volumes'))] }),
        },
      });
      if (made !== undefined)
        tell('SuccessfulCreate', `Create Pod ${podName} in StatefulSet ${name} successful`);
      if (ordered) return;
    } else if (at(pod, 'status', 'phase') === 'Failed') {
      remove(world, '/pods', pod, 0);
      return;
    } else if (ordered && (!isReady(pod) || !isActive(pod))) return;
  }
  const surplus = pods.filter((pod) => ordinalOf(pod) >= wanted && isActive(pod)).reverse();
  for (const pod of ordered ? surplus.slice(0, 1) : surplus) {
    remove(world, '/pods', pod);
    tell('SuccessfulDelete', `Delete Pod ${pod.metadata.name} in StatefulSet ${name} successful`);
  }
  if (surplus.length > 0 || at(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return;
  const partition = Number(at(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0);
  for (const pod of [...pods].reverse()) {
    if (ordinalOf(pod) < partition) return;
    if (!isActive(pod)) return;
    if (pod.metadata.labels?.[revisionLabel] !== revision) {
      remove(world, '/pods', pod);
      tell('SuccessfulDelete', `Delete Pod ${pod.metadata.name} in StatefulSet ${name} successful`);
      return;
    }
    if (!isReady(pod)) return;
  }
}

function makeClaims(set: Obj, pod: string, life: Life): Rec[] {
  const { name = '', namespace = '' } = set.metadata;
  return recs(at(set, 'spec', 'volumeClaimTemplates')).map((template) => {
    const volume = str(at(template, 'metadata', 'name'));
    const claimName = `${volume}-${pod}`;
    const made = create(life.world, '/persistentvolumeclaims', namespace, {
      metadata: { name: claimName, labels: strings(at(set, 'spec', 'selector', 'matchLabels')) },
      spec: structuredClone(rec(template['spec'])),
    });
    if (made !== undefined) {
      report(life.world, set, {
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Create Claim ${claimName} Pod ${pod} in StatefulSet ${name} success`,
        component: statefulSetController.name,
      });
    }
    return { name: volume, persistentVolumeClaim: { claimName } };
  });
}

function summarise(set: Obj, revision: string, life: Life): void {
  const pods = podsOf(set, life).filter(isActive);
  const ready = pods.filter(isReady).length;
  const updated = pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === revision).length;
  const wanted = Number(at(set, 'spec', 'replicas') ?? 1);
  const settled = updated === wanted && ready === wanted;
  const before = str(at(set, 'status', 'currentRevision'));
  const current = settled || before === '' ? revision : before;
  const onCurrent = pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === current).length;
  putStatus(life.world, storage, set, {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: pods.length,
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(onCurrent === 0 ? {} : { currentReplicas: onCurrent }),
    ...(updated === 0 ? {} : { updatedReplicas: updated }),
    currentRevision: current,
    updateRevision: revision,
    collisionCount: 0,
    availableReplicas: ready,
  });
}
