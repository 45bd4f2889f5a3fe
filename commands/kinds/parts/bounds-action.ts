import { Problem } from '../../../src/contract/problem.ts';
import { type KubeChange, type ObjectAddress, objectPath, patchTypes } from '../../../src/kube/change.ts';
import { kubectlObject } from '../../../src/kube/kubectl.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import {
  type ActionTarget,
  type KindAction,
  kindAction,
  lowers,
} from '../../../src/registry/kinds/kind-action.ts';

interface Bounds {
  readonly kindId: string;
  /** Minimum of the lower bound. */
  readonly least: number;
  /** Field names in `spec`. */
  readonly fields: { readonly min: string; readonly max: string };
  readonly enabled?: (target: ActionTarget) => true | string;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Whether a bound becomes less: the autoscaler may then end pods, and has to for the upper one. */
export const areLowered = (before: Range, after: Range): boolean =>
  lowers(after.min, before.min) || lowers(after.max, before.max);

/** Changes the bounds of an autoscaler. Needs the facts `min` and `max`. */
export function boundsAction({ kindId, least, fields, enabled }: Bounds): KindAction {
  const body = (min: number, max: number) => ({ spec: { [fields.min]: min, [fields.max]: max } });
  return kindAction<
    KubeObject,
    {
      min: { type: 'number'; label: string; min: number; max: number; from: string };
      max: { type: 'number'; label: string; min: number; max: number; from: string };
    }
  >({
    id: `${kindId}.bounds`,
    title: 'Change bounds…',
    heading: (subject) => `Change bounds of ${subject}`,
    description: 'Sets the minimum and maximum number of pods.',
    done: 'given new bounds',
    icon: 'scale',
    prominent: true,
    // A bound that is lowered lets the autoscaler end pods, and the upper one makes it.
    endsPods: ({ min, max }, facts) => lowers(min, facts['min']) || lowers(max, facts['max']),
    args: {
      min: { type: 'number', label: 'Fewest', min: least, max: 1000, from: 'min' },
      max: { type: 'number', label: 'Most', min: 1, max: 10_000, from: 'max' },
    },
    ...(enabled === undefined ? {} : { enabled }),
    requests: (_object, { min, max }, { address }): readonly KubeChange[] => {
      if (min > max) {
        throw new Problem({
          status: 422,
          title: `The minimum (${min}) cannot be more than the maximum (${max}).`,
        });
      }
      return [
        { method: 'PATCH', path: objectPath(address), contentType: patchTypes.merge, body: body(min, max) },
      ];
    },
    kubectl: (address: ObjectAddress, { min, max }) =>
      `kubectl patch ${kubectlObject(address)} --type=merge -p '${JSON.stringify(body(min, max))}'`,
  });
}
