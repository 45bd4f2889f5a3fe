import { timestamp } from '../kit/clock.ts';
import { steady } from '../kit/behaviour.ts';
import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';
import type { Obj, Rec } from '../kit/values.ts';

/** A machine of a seed. */
export interface Machine {
  readonly name: string;
  readonly zone: string;
  readonly cpu: number;
  /** GiB */
  readonly memory: number;
  readonly controlPlane?: true;
  readonly pods?: number;
}

const healthy = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** Creates a node that is ready at once. */
export function createNode(world: World, machine: Machine, index: number): Obj | undefined {
  const { name, zone, cpu, memory, controlPlane, pods = 110 } = machine;
  const now = timestamp(world.clock.now());
  const address = `10.20.${index >> 8}.${10 + ((index & 255) % 240)}`;
  const range = `10.244.${index & 255}.0/24`;
  const machineId = world.chance.uuid().replaceAll('-', '');
  // Firmware and kernel reserve a varying amount.
  const usable = memory * 1024 * 1024 - 689_412 - Math.floor(steady(name, 'memory') * 1_024) * 4;
  const disk = 103_079_200;
  const capacity: Rec = {
    cpu: String(cpu),
    'ephemeral-storage': `${disk}Ki`,
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: `${usable}Ki`,
    pods: String(pods),
  };
  return create(world, '/nodes', '', {
    metadata: {
      name,
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': controlPlane === true ? 'm7.xlarge' : 'm7.2xlarge',
        'topology.kubernetes.io/region': zone.replace(/[a-z]$/, ''),
        'topology.kubernetes.io/zone': zone,
        ...(controlPlane === true ? { 'node-role.kubernetes.io/control-plane': '' } : {}),
      },
    },
    spec: {
      podCIDR: range,
      podCIDRs: [range],
      ...(controlPlane === true
        ? { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] }
        : {}),
    },
    status: {
      capacity,
      allocatable: {
        ...capacity,
        cpu: `${cpu * 1000 - 120}m`,
        'ephemeral-storage': String(Math.floor(disk * 1024 * 0.9)),
        memory: `${usable - 614_400}Ki`,
      },
      conditions: healthy.map(([type, status, reason, message]) => ({
        type,
        status,
        lastHeartbeatTime: now,
        lastTransitionTime: now,
        reason,
        message,
      })),
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: machineId,
        systemUUID: world.chance.uuid(),
        bootID: world.chance.uuid(),
        kernelVersion: '6.12.41-cloud-amd64',
        osImage: 'Debian GNU/Linux 13 (trixie)',
        containerRuntimeVersion: 'containerd://2.1.4',
        kubeletVersion: world.registry.version['gitVersion'] ?? '',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  });
}
