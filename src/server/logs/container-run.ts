import type { ContainerState, ContainerStatus, Pod } from '../../kube/core.ts';
import { cleanText } from '../../kube/text.ts';

/** The status of a container of a pod, of whichever sort it is; of the first one without a name. */
export function containerStatusOf(
  { status }: Pod,
  container: string | undefined,
): ContainerStatus | undefined {
  const all = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  return container === undefined ? all[0] : all.find(({ name }) => name === container);
}

/** Whether the kubelet starts a container again that ended with this code. */
export function isRestarted({ spec, status }: Pod, container: string | undefined, exitCode: number): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  if (spec?.ephemeralContainers?.some(({ name }) => name === container) === true) return false;
  const policy = spec?.restartPolicy ?? 'Always';
  const init = spec?.initContainers?.find(({ name }) => name === container);
  if (init !== undefined && init.restartPolicy !== 'Always') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || init !== undefined || (policy === 'OnFailure' && exitCode !== 0);
}

/** How a container ended: `ended with code 1 (Error)`. */
export function endingOf(terminated: ContainerState['terminated']): string {
  if (terminated === undefined) return 'ended';
  const { signal, exitCode = 0, reason } = terminated;
  const how = signal === undefined ? `code ${exitCode}` : `signal ${signal}`;
  return `ended with ${how}${reason === undefined ? '' : ` (${cleanText(reason)})`}`;
}
