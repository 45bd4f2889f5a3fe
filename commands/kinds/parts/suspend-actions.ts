import { objectPath, patchTypes } from '../../../src/kube/change.ts';
import { kubectlObject } from '../../../src/kube/kubectl.ts';
import { type ActionTarget, type KindAction, kindAction } from '../../../src/registry/kinds/kind-action.ts';

interface Suspending {
  readonly kindId: string;
  /** Description of suspending, one line. */
  readonly suspend: string;
  readonly resume: string;
  /** Suspending ends the pods that run. */
  readonly endsPods: boolean;
  /** Whether an object can be suspended. */
  readonly applies?: (target: ActionTarget) => boolean;
}

/** Suspending and resuming by `spec.suspend`. Both need the fact `isSuspended`. */
export function suspendActions({
  kindId,
  suspend,
  resume,
  endsPods,
  applies = () => true,
}: Suspending): readonly [suspend: KindAction, resume: KindAction] {
  const set = (isOn: boolean) =>
    kindAction({
      id: `${kindId}.${isOn ? 'suspend' : 'resume'}`,
      title: isOn ? (endsPods ? 'Suspend…' : 'Suspend') : 'Resume',
      description: isOn ? suspend : resume,
      done: isOn ? 'suspended' : 'resumed',
      icon: isOn ? 'pause' : 'resume',
      ...(isOn ? {} : { prominent: true as const }),
      endsPods: isOn && endsPods,
      ...(isOn && endsPods ? { dangerous: true as const } : {}),
      applies: (target) => (target.facts['isSuspended'] === true) !== isOn && applies(target),
      requests: (_object, _args, { address }) => [
        {
          method: 'PATCH',
          path: objectPath(address),
          contentType: patchTypes.merge,
          body: { spec: { suspend: isOn } },
        },
      ],
      kubectl: (address) =>
        `kubectl patch ${kubectlObject(address)} --type=merge -p '{"spec":{"suspend":${String(isOn)}}}'`,
    });
  return [set(true), set(false)];
}
