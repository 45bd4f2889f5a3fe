import { at, type Obj, type Rec, recs, str } from '../values.ts';

/** Whether an init container stays and runs beside the others. */
export const isSidecar = (container: Rec): boolean => container['restartPolicy'] === 'Always';

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** Whether one of a container's own rules has it started again after it ended with a code. */
const hasRule = (container: Rec, exitCode: number): boolean =>
  recs(container['restartPolicyRules']).some((rule) => {
    const codes = rule['exitCodes'];
    if (rule['action'] !== 'Restart' || codes === undefined) return false;
    return numbers(at(codes, 'values')).includes(exitCode) === (at(codes, 'operator') === 'In');
  });

/**
 * Whether a container is started again after it ended with a code: by the first of its own rules that fits, its own
 * policy, its pod's. An init container that ended well is done, and one of a pod that always restarts is tried again
 * only when it failed.
 */
export function restartsAfter(pod: Obj, container: Rec, isInit: boolean, exitCode: number): boolean {
  if (isInit && isSidecar(container)) return true;
  if (isInit && exitCode === 0) return false;
  if (hasRule(container, exitCode)) return true;
  const policy = str(container['restartPolicy']) || str(at(pod, 'spec', 'restartPolicy'));
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
