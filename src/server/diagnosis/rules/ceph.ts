import type { KubeObject } from '../../../kube/object.ts';
import type { PersistentVolumeClaim } from '../../../kube/storage.ts';
import { field, rule } from '../rule.ts';
import { oneOf, type World } from '../world.ts';

/** The parts of a CephCluster of Rook that rules read. */
interface CephCluster extends KubeObject {
  readonly status?: {
    readonly ceph?: {
      readonly health?: string;
      readonly details?: Readonly<Record<string, { readonly severity?: string; readonly message?: string }>>;
    };
  };
}

/** Drivers whose storage is Ceph. */
const cephDriver = /\.(?:rbd|cephfs|nfs)\.csi\.ceph\.com$/;

/** The storage systems of the cluster from which a claim has its volume. */
export function storesBehind({ spec }: PersistentVolumeClaim, world: World): readonly KubeObject[] {
  const volume =
    spec?.volumeName === undefined ? undefined : oneOf(world, 'PersistentVolume', spec.volumeName);
  const driver = (volume?.spec?.['csi'] as { readonly driver?: string } | undefined)?.driver ?? '';
  return cephDriver.test(driver)
    ? (world.all({ apiVersion: 'ceph.rook.io/v1', kind: 'CephCluster' }) ?? [])
    : [];
}

/** Fault of Rook's storage, as Ceph reports it. */
export const cephRules = [
  rule<CephCluster>({
    id: 'cephcluster.health',
    kind: 'CephCluster.ceph.rook.io',
    tone: 'bad',
    sort: 'cause',
    find(cluster) {
      const { health, details = {} } = cluster.status?.ceph ?? {};
      if (health !== 'HEALTH_ERR') return undefined;
      const checks = Object.entries(details).filter(([, { severity }]) => severity === 'HEALTH_ERR');
      const text = checks.map(([check, { message = '' }]) => `${check}: ${message}`).join('; ');
      const isFull = checks.some(([check]) => /FULL/.test(check));
      return {
        sentence: `CephCluster ${cluster.metadata?.name ?? ''} is ${health}${isFull ? ', its storage is full and takes no writes' : ''}${text === '' ? '' : `: ${text}`}.`,
        evidence: [field(cluster, 'status.ceph.health'), field(cluster, 'status.ceph.details')],
      };
    },
  }),
];
