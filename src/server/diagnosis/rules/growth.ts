import type { Pod } from '../../../kube/core.ts';
import type { KubeEvent } from '../../../kube/infrastructure.ts';
import { event, type Proof } from '../rule.ts';
import { shortened } from '../shortened.ts';
import { allOf, seenAt, type World } from '../world.ts';

/** For how long an autoscaler of nodes is believed, s: it repeats itself while the pod waits. */
const memory = 60 * 60;
/** Characters of its words. */
const wordLimit = 90;

/** Whether an autoscaler of nodes says why it adds none: Karpenter warns, the Cluster Autoscaler only mentions it. */
const isRefusal = ({ reason, source, reportingComponent }: KubeEvent) =>
  reason === 'NotTriggerScaleUp' ||
  (reason === 'FailedScheduling' && /karpenter/i.test(source?.component ?? reportingComponent ?? ''));

/**
 * Why no node is added for a waiting pod, as the end of a sentence with its proof; undefined where no autoscaler of nodes
 * says so.
 */
export function refusedGrowthOf(
  pod: Pod,
  world: World,
): { readonly text: string; readonly proof: Proof } | undefined {
  const { namespace, uid } = pod.metadata ?? {};
  if (uid === undefined) return undefined;
  const said = (allOf(world, 'Event', { namespace, about: uid }) ?? [])
    .filter((one) => isRefusal(one) && (seenAt(one) ?? 0) > world.now - memory)
    .toSorted((a, b) => (seenAt(b) ?? 0) - (seenAt(a) ?? 0))[0];
  if (said?.message === undefined) return undefined;
  const words = said.message
    .trim()
    .replace(/^Failed to schedule pod, /, '')
    .replace(/^pod didn't trigger scale-up(?: \([^)]*\))?:? ?/, '')
    .replace(/\.$/, '');
  return {
    text: `, and no node is added${words === '' ? '' : `: ${shortened(words, wordLimit)}`}`,
    proof: event(pod, said),
  };
}
