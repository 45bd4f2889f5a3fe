import { microTimestamp } from '../kit/clock.ts';
import { steady } from '../kit/behaviour.ts';
import type { Controller } from '../life/engine.ts';
import { create, put } from '../life/write.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { type Obj, type Rec, rec } from '../kit/values.ts';

const leases = 'coordination.k8s.io/leases';
const namespace = 'kube-system';
/** Interval between renewals of a lease, ms. */
const pace = 10_000;

/** A deterministic token from some words: `count` digits of a base. */
const token = (base: 16 | 36, count: number, ...parts: string[]) =>
  Array.from({ length: count }, (_, index) => Math.floor(steady(...parts, index) * base).toString(base)).join(
    '',
  );

/** The leader election leases of the control plane. `node`: where it runs. */
function leasesOf(node: string): { name: string; labels?: Rec; holder: string; seconds: number }[] {
  const uuid = (name: string) =>
    [8, 4, 4, 4, 12].map((count, index) => token(16, count, name, String(index))).join('-');
  const server = `apiserver-${token(36, 26, node)}`;
  return [
    ...['kube-controller-manager', 'kube-scheduler'].map((name) => ({
      name,
      holder: `${node}_${uuid(name)}`,
      seconds: 15,
    })),
    {
      name: server,
      labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': node },
      holder: `${server}_${uuid(server)}`,
      seconds: 3600,
    },
  ];
}

/** Simulates the control plane's leader election: creates its leases and renews them. */
export const leaders: Controller = {
  name: 'leader-election',
  interested: () => [],
  reconcile: () => undefined,
  begin: (life) => {
    const { world } = life;
    life.every(pace, () => {
      const nodes = world.store
        .list('/nodes')
        .filter(({ metadata }) => metadata.labels?.['node-role.kubernetes.io/control-plane'] !== undefined);
      for (const { metadata } of nodes)
        for (const lease of leasesOf(metadata.name ?? '')) renew(world, lease);
    });
  },
};

function renew(world: World, { name, labels, holder, seconds }: ReturnType<typeof leasesOf>[number]): void {
  const now = microTimestamp(world.clock.now());
  const lease: Obj | undefined = world.store.get(leases, keyOf(namespace, name));
  if (lease !== undefined) {
    put(world, leases, { ...lease, spec: { ...rec(lease['spec']), renewTime: now } });
    return;
  }
  create(world, leases, namespace, {
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: seconds,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    },
  });
}
