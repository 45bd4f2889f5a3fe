import type { ContainerStatus } from '../../kube/core.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { stoppedStatus } from './pod-end.ts';

/** Whether an init container is a sidecar, which keeps running beside the others. */
export const isSidecar = (container: Rec): boolean => container['restartPolicy'] === 'Always';

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** The action of a container's first restart rule that matches an exit code; both restart the container. */
export function ruleOf(container: Rec, exitCode: number): 'Restart' | 'RestartAllContainers' | undefined {
  const rule = recs(container['restartPolicyRules']).find(({ exitCodes: codes }) => {
    if (codes === undefined) return false;
    return numbers(at(codes, 'values')).includes(exitCode) === (at(codes, 'operator') === 'In');
  });
  const action = rule?.['action'];
  return action === 'Restart' || action === 'RestartAllContainers' ? action : undefined;
}

/**
 * Whether a container restarts after an exit code: by its restart rules, its own policy, then the pod's. A
 * completed init container never restarts, a failed one does unless the policy is Never.
 */
export function restartsAfter(pod: Obj, container: Rec, isInit: boolean, exitCode: number): boolean {
  if (isInit && isSidecar(container)) return true;
  if (isInit && exitCode === 0) return false;
  if (ruleOf(container, exitCode) !== undefined) return true;
  const policy = str(container['restartPolicy']) || str(at(pod, 'spec', 'restartPolicy'));
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

const kinds = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
] as const;

/** Whether a container's exit restarts all containers of the pod, by one of its restart rules. */
export const restartsAllContainers = (pod: Obj): boolean =>
  kinds.some(([field, statusField]) =>
    recs(at(pod, 'spec', field)).some((container) => {
      const status = recs(at(pod, 'status', statusField)).find((item) => item['name'] === container['name']);
      const code = at(status, 'state', 'terminated', 'exitCode');
      return typeof code === 'number' && ruleOf(container, code) === 'RestartAllContainers';
    }),
  );

/** The status of a pod all of whose containers restart, init containers included. `now`: a timestamp. */
export function restartedStatus(pod: Obj, now: string): Rec {
  const status = rec(pod['status']);
  const hasInit = recs(at(pod, 'spec', 'initContainers')).length > 0;
  const waiting = { reason: hasInit ? 'PodInitializing' : 'ContainerCreating' };
  const reset = (statusField: string) =>
    (recs(status[statusField]) as ContainerStatus[]).map((item): ContainerStatus => {
      const { state = {} } = stoppedStatus(item, 137, now);
      const restartCount = (item.restartCount ?? 0) + 1;
      return { ...item, ready: false, started: false, restartCount, lastState: state, state: { waiting } };
    });
  return {
    ...status,
    ...(hasInit ? { initContainerStatuses: reset('initContainerStatuses') } : {}),
    containerStatuses: reset('containerStatuses'),
  };
}
