import { requestedBehaviour, behaviourNote } from '../kit/behaviour.ts';
import { type Obj, rec } from '../kit/values.ts';

/** Gives a pod with the behaviour `unschedulable` a node selector that no node matches. In place. */
export function admitBehaviour(pod: Obj): void {
  if (requestedBehaviour(pod.metadata.annotations).word !== 'unschedulable') return;
  const spec = rec(pod['spec']);
  spec['nodeSelector'] = { ...rec(spec['nodeSelector']), [behaviourNote]: 'unschedulable' };
}
