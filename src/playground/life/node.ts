import { microTimestamp, timestamp } from '../kit/clock.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, rec, recs, str } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { kubelet } from './kubelet.ts';
import { isSilent, markUnknown, nodeBehaviourOf, postState, reportSchedulable } from './node-conditions.ts';
import { create, expireEvents, put, putStatus } from './write.ts';

const leases = 'coordination.k8s.io/leases';
/** Age of a lease from which its node counts as lost, ms. */
const grace = 50_000;
/** Prefix of the keys of nodes that were cordoned or uncordoned. */
const cordon = 'cordon|';

/**
 * Simulates the heartbeats of nodes: a lease every ten seconds, their conditions every five minutes. Also expires
 * events.
 */
export const nodeHeartbeat: Controller = {
  name: 'node-heartbeat',
  interested: ({ storage, key, before, after }) => {
    if (storage !== '/nodes' || after === undefined) return [];
    const isCordoned = (node: Obj | undefined) => at(node, 'spec', 'unschedulable') === true;
    const turned =
      before !== undefined && isCordoned(before) !== isCordoned(after) ? [`${cordon}${key}`] : [];
    return before === undefined || nodeBehaviourOf(before) !== nodeBehaviourOf(after)
      ? [...turned, key]
      : turned;
  },
  reconcile: (key, life) => {
    const name = key.startsWith(cordon) ? key.slice(cordon.length) : key;
    const node = life.world.store.get('/nodes', name);
    if (node === undefined) return;
    if (name !== key) {
      reportSchedulable(node, life);
      return;
    }
    if (!isSilent(node)) renew(name, life);
    updateConditions(node, life);
  },
  begin: (life) => {
    life.every(10_000, () => {
      for (const node of life.world.store.list('/nodes')) {
        if (isSilent(node)) updateConditions(node, life);
        else renew(node.metadata.name ?? '', life);
      }
    });
    life.every(300_000, () => {
      for (const node of life.world.store.list('/nodes')) if (!isSilent(node)) beat(node, life);
    });
    life.every(60_000, () => expireEvents(life.world));
  },
};

/** Updates a node's conditions: as its kubelet posts them, or to Unknown when it is silent. */
function updateConditions(node: Obj, life: Life): void {
  const { name = '' } = node.metadata;
  if (isSilent(node)) {
    const lease = life.world.store.get(leases, keyOf('kube-node-lease', name));
    const renewed = Date.parse(str(at(lease, 'spec', 'renewTime'))) || 0;
    const untilLost = renewed + grace - life.world.clock.now();
    if (untilLost <= 0) markUnknown(node, life);
    else life.look(nodeHeartbeat, name, untilLost + 20);
    return;
  }
  if (!postState(node, life)) return;
  // The kubelet resumes with changes that it missed while silent.
  for (const pod of life.children.podsOn(name)) {
    life.look(kubelet, keyOf(pod.metadata.namespace, pod.metadata.name ?? ''), 1_000);
  }
}
function renew(name: string, life: Life): void {
  const { world } = life;
  const node = world.store.get('/nodes', name);
  if (node === undefined) return;
  const renewTime = microTimestamp(world.clock.now());
  const lease = world.store.get(leases, keyOf('kube-node-lease', name));
  if (lease !== undefined) {
    put(world, leases, { ...lease, spec: { ...rec(lease['spec']), renewTime } });
    return;
  }
  const { apiVersion, kind } = node;
  create(world, leases, 'kube-node-lease', {
    metadata: { name, ownerReferences: [{ apiVersion, kind, name, uid: node.metadata.uid }] },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
  });
}

function beat(node: Obj, life: Life): void {
  const lastHeartbeatTime = timestamp(life.world.clock.now());
  const conditions = recs(at(node, 'status', 'conditions')).map((item) => ({ ...item, lastHeartbeatTime }));
  putStatus(life.world, '/nodes', node, { ...rec(node['status']), conditions });
}
