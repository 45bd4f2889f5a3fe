import { keyOf } from '../store.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../values.ts';
import { type Controller, controllerOf, type Life } from './engine.ts';
import { createPod } from './replicaset.ts';
import { revisionFor } from './statefulset.ts';
import { isActive, isReady, putStatus, remove, report } from './write.ts';

const storage = 'apps/daemonsets';
const revisionLabel = 'controller-revision-hash';

/** Keeps one pod of a DaemonSet on every node that takes it. */
export const daemonSetController: Controller = {
  name: 'daemonset-controller',
  interested: ({ storage: place, key, before, after }, life) => {
    if (place === storage) return [key];
    if (place === '/nodes') {
      const same = before !== undefined && after !== undefined && before['spec'] === after['spec'];
      return same ? [] : Array.from(life.world.store.entries(storage), ([name]) => name);
    }
    if (place !== '/pods') return [];
    const owner = controllerOf(after ?? before);
    return owner?.kind === 'DaemonSet' ? [keyOf((after ?? before)?.metadata.namespace, owner.name)] : [];
  },
  reconcile: (key, life) => {
    const set = life.world.store.get(storage, key);
    if (set === undefined) return;
    const hash = revisionFor(set, 'DaemonSet', life).slice((set.metadata.name ?? '').length + 1);
    if (set.metadata.deletionTimestamp === undefined) manage(set, hash, life);
    summarise(set, hash, life);
  },
};

/** Taints every DaemonSet tolerates: it is what makes a node usable. */
const tolerated = [
  'not-ready',
  'unreachable',
  'disk-pressure',
  'memory-pressure',
  'pid-pressure',
  'unschedulable',
].map((key) => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: key === 'not-ready' || key === 'unreachable' ? 'NoExecute' : 'NoSchedule',
}));

function takes(node: Obj, set: Obj): boolean {
  const selector = Object.entries(rec(at(set, 'spec', 'template', 'spec', 'nodeSelector')));
  if (!selector.every(([key, value]) => node.metadata.labels?.[key] === value)) return false;
  const tolerations: Rec[] = [...recs(at(set, 'spec', 'template', 'spec', 'tolerations')), ...tolerated];
  return recs(at(node, 'spec', 'taints')).every(
    (taint) =>
      taint['effect'] === 'PreferNoSchedule' ||
      tolerations.some(
        (item) =>
          (item['key'] === undefined || item['key'] === taint['key']) &&
          (item['effect'] === undefined || item['effect'] === taint['effect']) &&
          (item['operator'] === 'Exists' || str(item['value']) === str(taint['value'])),
      ),
  );
}

/** The node a daemon's pod is for, before and after it is placed. */
function nodeFor(pod: Obj): string {
  const placed = str(at(pod, 'spec', 'nodeName'));
  if (placed !== '') return placed;
  const required = at(
    pod,
    'spec',
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  const field = recs(recs(rec(required)['nodeSelectorTerms'])[0]?.['matchFields'])[0];
  return Array.isArray(field?.['values']) ? str(field['values'][0]) : '';
}

function manage(set: Obj, hash: string, life: Life): void {
  const { world } = life;
  const component = daemonSetController.name;
  const pods = life.children.of(set.metadata.uid, '/pods').filter(isActive);
  const nodes = world.store.list('/nodes').filter((node) => takes(node, set));
  const names = new Set(nodes.map((node) => node.metadata.name ?? ''));
  for (const name of names) {
    if (pods.some((pod) => nodeFor(pod) === name)) continue;
    const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
    const made = createPod(life, set, {
      labels: { [revisionLabel]: hash, 'pod-template-generation': String(set.metadata.generation ?? 1) },
      spec: {
        affinity: { nodeAffinity: required },
        tolerations: [...recs(at(set, 'spec', 'template', 'spec', 'tolerations')), ...tolerated],
      },
    });
    if (made === undefined) return;
    report(world, set, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created pod: ${made.metadata.name}`,
      component,
    });
  }
  const bye = (pod: Obj) => {
    remove(world, '/pods', pod);
    report(world, set, {
      type: 'Normal',
      reason: 'SuccessfulDelete',
      message: `Deleted pod: ${pod.metadata.name}`,
      component,
    });
  };
  for (const pod of pods) if (!names.has(nodeFor(pod))) bye(pod);
  const ready = pods.every(isReady) && pods.length >= names.size;
  const old = pods.find((pod) => pod.metadata.labels?.[revisionLabel] !== hash);
  if (ready && old !== undefined && at(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete') bye(old);
}

function summarise(set: Obj, hash: string, life: Life): void {
  const pods = life.children.of(set.metadata.uid, '/pods').filter(isActive);
  const wanted = life.world.store.list('/nodes').filter((node) => takes(node, set)).length;
  const ready = pods.filter(isReady).length;
  const updated = pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === hash).length;
  putStatus(life.world, storage, set, {
    currentNumberScheduled: pods.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: wanted,
    numberReady: ready,
    observedGeneration: set.metadata.generation ?? 1,
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
    ...(ready === 0 ? {} : { numberAvailable: ready }),
    ...(wanted - ready <= 0 ? {} : { numberUnavailable: wanted - ready }),
  });
}
