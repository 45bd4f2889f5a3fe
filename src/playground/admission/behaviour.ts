import { requestedBehaviour, behaviourNote } from '../kit/behaviour.ts';
import { type Obj, rec } from '../kit/values.ts';

/** Has a pod that is to stay without a node ask for one that there is not; the scheduler says the rest. In place. */
export function admitBehaviour(pod: Obj): void {
  if (requestedBehaviour(pod.metadata.annotations).word !== 'unschedulable') return;
  const spec = rec(pod['spec']);
  spec['nodeSelector'] = { ...rec(spec['nodeSelector']), [behaviourNote]: 'unschedulable' };
}
