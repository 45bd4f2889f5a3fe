import { at, type Obj, str } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { disruptPod } from './pod-end.ts';
import { taintsOf, toleratesTaint, tolerationsOf } from './taints.ts';
import { report } from './write.ts';

const component = 'taint-eviction-controller';

/** Deletes pods from nodes with `NoExecute` taints that they do not tolerate, or no longer. */
export const taintEviction: Controller = {
  name: component,
  interested: ({ storage, key, before, after }, life) => {
    if (storage === '/pods') {
      if (after === undefined) forget(before, life);
      const node = str(at(after, 'spec', 'nodeName'));
      const moved =
        at(before, 'spec', 'nodeName') !== node ||
        at(before, 'spec', 'tolerations') !== at(after, 'spec', 'tolerations');
      return node !== '' && moved ? [node] : [];
    }
    return storage === '/nodes' && before?.['spec'] !== after?.['spec'] ? [key] : [];
  },
  reconcile: (name, life) => {
    const node = life.world.store.get('/nodes', name);
    if (node !== undefined) evict(node, life);
  },
};

/** Time at which each pod is due for deletion, ms, by its uid. */
const memoryOf = (life: Life) => life.memory.of('evictions by taints', () => new Map<string, number>());

const forget = (pod: Obj | undefined, life: Life) => memoryOf(life).delete(pod?.metadata.uid ?? '');

function evict(node: Obj, life: Life): void {
  const planned = memoryOf(life);
  if (taintsOf(node, 'NoExecute').length === 0 && planned.size === 0) return;
  const now = life.world.clock.now();
  let next = Number.POSITIVE_INFINITY;
  for (const pod of life.children.podsOn(node.metadata.name ?? '')) {
    const { uid = '' } = pod.metadata;
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const bears = tolerationTime(pod, node);
    const since = planned.get(uid);
    if (bears === Number.POSITIVE_INFINITY) {
      if (since !== undefined) reportEvent(pod, 'Cancelling deletion of Pod', life);
      planned.delete(uid);
      continue;
    }
    const due = bears === 0 ? now : Math.min(since ?? Number.POSITIVE_INFINITY, now + bears);
    if (due <= now) {
      planned.delete(uid);
      reportEvent(pod, 'Marking for deletion Pod', life);
      disruptPod(life.world, pod, 'DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint');
    } else {
      planned.set(uid, due);
      next = Math.min(next, due - now);
    }
  }
  if (Number.isFinite(next)) life.look(taintEviction, node.metadata.name ?? '', next + 20);
}

/** How long a pod tolerates its node's taints, ms; infinite without a limit. */
function tolerationTime(pod: Obj, node: Obj): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (const taint of taintsOf(node, 'NoExecute')) {
    const matching = tolerationsOf(pod).filter((item) => toleratesTaint(item, taint));
    if (matching.length === 0) return 0;
    for (const { tolerationSeconds } of matching) {
      if (typeof tolerationSeconds === 'number')
        shortest = Math.min(shortest, Math.max(0, tolerationSeconds) * 1000);
    }
  }
  return shortest;
}

function reportEvent(pod: Obj, action: string, life: Life): void {
  const { namespace = '', name = '' } = pod.metadata;
  const message = `${action} ${namespace}/${name}`;
  report(life.world, pod, { type: 'Normal', reason: 'TaintManagerEviction', message, component });
}
