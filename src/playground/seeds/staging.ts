import type { Clock, ManualClock } from '../kit/clock.ts';
import { Life } from '../life/engine.ts';
import { startLife } from '../life/life.ts';
import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';
import { plantAccess, plantAccounts, plantPriorities } from './access.ts';
import { eras } from './company.ts';
import { leaders } from './leaders.ts';
import { createNode, type Machine } from './nodes.ts';
import { plantSystemMaps } from './system-maps.ts';
import { createWorkload, type Workload } from './workload.ts';

const day = 24 * 3600_000;
const minute = 60_000;

const machines: readonly Machine[] = [
  { name: 'staging-control-1', zone: 'eu-central-1a', cpu: 2, memory: 8, controlPlane: true },
  { name: 'staging-worker-1', zone: 'eu-central-1a', cpu: 8, memory: 32 },
  { name: 'staging-worker-2', zone: 'eu-central-1b', cpu: 8, memory: 32 },
];

/** Image tags in staging, ahead of production. */
const stagingVersions: Readonly<Record<string, string>> = {
  storefront: '5.32.0-rc.3',
  'catalog-api': '3.9.0-rc.1',
  cart: '1.45.0-rc.2',
  checkout: '2.21.0-rc.1',
  'shop-postgres': '18.1',
  'shop-redis': '8.4.0',
  'payments-api': '4.4.0-rc.1',
  ledger: '2.7.0-rc.4',
  coredns: 'v1.13.1',
  'kube-proxy': 'v1.36.2',
  'metrics-server': 'v0.8.0',
  'ingress-nginx-controller': 'v1.14.0',
  grafana: '12.3.0',
};

/** One pod of each workload, and one that is broken: a release candidate that crashes. */
function workloads(): Workload[] {
  return eras
    .flatMap((era) => era.workloads)
    .filter(({ name }) => name in stagingVersions)
    .map((workload): Workload => {
      const { earlier: _earlier, ...rest } = workload;
      const image = workload.image.replace(/:[^:/]*$/, `:${stagingVersions[workload.name] ?? ''}`);
      const broken = workload.name === 'ledger' ? { behaviour: 'crash-loop' as const } : {};
      return { ...rest, image, replicas: 1, ...broken };
    });
}

/** Age of staging's history, ms. */
export const stagingPast = 12 * day;

/** Creates the staging cluster, with a past played on a clock of its own. Returns a function that stops it. */
export function plantStaging(
  world: World,
  past: ManualClock,
  present: Clock,
  controllers: boolean,
): () => void {
  const now = present.now();
  machines.forEach((machine, index) => createNode(world, machine, index));
  create(world, 'storage.k8s.io/storageclasses', '', {
    metadata: { name: 'gp3', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  plantPriorities(world);
  plantSystemMaps(world);
  const life: Life = startLife(world);
  const simulations = new Life(world, [leaders]);
  for (const name of ['shop', 'payments', 'ingress', 'observability']) {
    create(world, '/namespaces', '', { metadata: { name, labels: { env: 'staging' } } });
  }
  past.advance(minute / 6);
  plantAccounts(world, ['kube-system', 'shop', 'payments', 'ingress', 'observability']);
  plantAccess(world);
  for (const workload of workloads()) {
    createWorkload(world, workload);
    past.advance(7_000);
  }
  past.advance(2 * minute);
  past.jump(now - 20 * minute);
  past.advance(now - past.now());
  world.store.compact();
  past.handOver(present);
  const stop = () => {
    life.stop();
    simulations.stop();
  };
  if (!controllers) stop();
  return stop;
}
