import { microTimestamp, timestamp } from '../clock.ts';
import { keyOf } from '../store.ts';
import { at, type Obj, rec, recs } from '../values.ts';
import type { Controller, Life } from './engine.ts';
import { create, expireEvents, put, putStatus } from './write.ts';

const leases = 'coordination.k8s.io/leases';

/** Keeps nodes alive: a lease every ten seconds, their conditions every five minutes; events expire. */
export const nodeHeartbeat: Controller = {
  name: 'node-heartbeat',
  interested: ({ storage, key, before, after }) =>
    storage === '/nodes' && before === undefined && after !== undefined ? [key] : [],
  reconcile: (name, life) => renew(name, life),
  begin: (life) => {
    life.every(10_000, () => {
      for (const node of life.world.store.list('/nodes')) renew(node.metadata.name ?? '', life);
    });
    life.every(300_000, () => {
      for (const node of life.world.store.list('/nodes')) beat(node, life);
    });
    life.every(60_000, () => expireEvents(life.world));
  },
};

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
