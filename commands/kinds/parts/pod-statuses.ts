import type { NamedStatus } from '../../../src/registry/kinds/kind.ts';

/** The statuses by which people look for pods. */
export const podStatuses: readonly NamedStatus[] = [
  { label: 'Pending', keywords: ['unschedulable', 'waiting'] },
  { label: 'Running' },
  { label: 'CrashLoopBackOff', keywords: ['crashing', 'crashed', 'crash loop', 'crashlooping'] },
  { label: 'ImagePullBackOff', keywords: ['image pull', 'pull error'] },
  { label: 'ErrImagePull' },
  { label: 'OOMKilled', keywords: ['oom', 'out of memory'] },
  { label: 'Error' },
  { label: 'Failed' },
  { label: 'Evicted' },
  { label: 'Not ready', keywords: ['unready'] },
  { label: 'Node not ready', keywords: ['nodelost', 'node lost', 'unreachable'] },
  { label: 'Terminating', keywords: ['stuck'] },
  { label: 'ContainerCreating', keywords: ['starting'] },
  { label: 'CreateContainerConfigError', keywords: ['config error'] },
  { label: 'Completed', keywords: ['succeeded'] },
  { label: 'Unknown' },
];
