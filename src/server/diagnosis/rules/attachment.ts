import type { Pod } from '../../../kube/core.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { condition, event, field, rule } from '../rule.ts';
import { allOf, oneOf, warningsOf, type World } from '../world.ts';
import { claimNames, type ClaimedVolume, volumesOf } from './pod-volumes.ts';
import { troubleOf } from './pod-parts.ts';

/** The modes of volumes that several nodes can use at once. */
const sharedModes = new Set(['ReadWriteMany', 'ReadOnlyMany']);

const isForOneNode = ({ volume }: ClaimedVolume) =>
  volume.spec?.accessModes?.some((mode) => sharedModes.has(mode)) === false;

/** A pod that has the volume of a claim on another node; undefined while none is known. */
function holderOf({ claim }: ClaimedVolume, pod: Pod, world: World): Pod | undefined {
  return allOf(world, 'Pod', { namespace: pod.metadata?.namespace })?.find(
    (other) =>
      other.metadata?.uid !== pod.metadata?.uid &&
      other.spec?.nodeName !== undefined &&
      other.spec.nodeName !== pod.spec?.nodeName &&
      !/Succeeded|Failed/.test(other.status?.phase ?? '') &&
      claimNames(other).includes(claim.metadata?.name ?? ''),
  );
}

/** A pod whose volume is attached to the node of another. */
export const attachmentRule = rule<Pod>({
  id: 'pod.volume-attached',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  // A node that does not answer is told with what it holds.
  goesFirst: true,
  find(pod, world) {
    if (troubleOf(pod, world)?.cause !== 'not-starting') return undefined;
    // The controller says it once, the kubelet every two minutes that it waits.
    const said = warningsOf(world, pod).find(
      ({ reason, message = '' }) =>
        (reason === 'FailedAttachVolume' && message.startsWith('Multi-Attach error')) ||
        (reason === 'FailedMount' && message.startsWith('Unable to attach or mount volumes')),
    );
    if (said === undefined) return undefined;
    const held = volumesOf(pod, world)
      .filter(isForOneNode)
      .flatMap((one) => {
        const holder = holderOf(one, pod, world);
        return holder === undefined ? [] : [{ ...one, holder }];
      });
    const [first] = held;
    if (first === undefined) {
      if (said.reason !== 'FailedAttachVolume') return undefined;
      return {
        sentence:
          'A volume of the pod is still attached to another node. It can be attached to only one node at a time, and has not been detached yet.',
        evidence: [event(pod, said), field(pod, 'spec.nodeName')],
      };
    }
    const { claim, volume, holder } = first;
    const away = oneOf(world, 'Node', holder.spec?.nodeName ?? '');
    const ready = conditionOf(away?.status?.conditions, 'Ready');
    const isAway = away && ready?.status !== 'True';
    return {
      sentence: isAway
        ? `The volume of claim ${claim.metadata?.name ?? ''} is still attached to node ${holder.spec?.nodeName ?? ''} for pod ${holder.metadata?.name ?? ''}, and that node is not ready. The volume is detached once the node is ready again, or has the taint node.kubernetes.io/out-of-service.`
        : `The volume of claim ${claim.metadata?.name ?? ''} can be attached to only one node at a time, and pod ${holder.metadata?.name ?? ''} uses it on node ${holder.spec?.nodeName ?? ''}. Let only one pod use it, as a Deployment with strategy Recreate does, or use a ReadWriteMany volume.`,
      evidence: [
        event(pod, said),
        field(claim, 'spec.volumeName'),
        field(volume, 'spec.accessModes'),
        field(holder, 'spec.nodeName'),
        field(pod, 'spec.nodeName'),
        ...(isAway ? [condition(away, 'Ready')] : []),
      ],
    };
  },
});
