import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Pod } from '../../../kube/core.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { withoutStop } from '../../../kube/text.ts';
import { condition, event, field, rule } from '../rule.ts';
import { warningsOf } from '../world.ts';
import { troubleOf } from './pod-parts.ts';

/** How long a scheduler may take to look at a pod, and a controller to open a gate, s. */
const patience = 120;

const ageOf = ({ metadata }: Pod, now: number): number =>
  now - (epochSeconds(metadata?.creationTimestamp) ?? now);

const isUnplaced = ({ spec, status, metadata }: Pod): boolean =>
  status?.phase === 'Pending' && spec?.nodeName === undefined && metadata?.deletionTimestamp === undefined;

/** A pod that no scheduler may place yet, by its own wish: a queue or a controller opens its gates. */
const gateRule = rule<Pod>({
  id: 'pod.scheduling-gate',
  kind: 'Pod',
  tone: 'info',
  sort: 'symptom',
  find(pod, world) {
    const placed = conditionOf(pod.status?.conditions, 'PodScheduled');
    const gates = (pod.spec?.schedulingGates ?? []).map(({ name = '' }) => name);
    if (placed?.reason !== 'SchedulingGated' || gates.length === 0) return undefined;
    const age = ageOf(pod, world.now);
    if (age < patience) return undefined;
    return {
      sentence: `The pod has been waiting ${formatAge(age)} for its scheduling ${gates.length === 1 ? 'gate' : 'gates'} ${gates.join(', ')} to be removed: until then no node is looked for.`,
      evidence: [field(pod, 'spec.schedulingGates'), condition(pod, 'PodScheduled')],
    };
  },
});

/** A pod that no scheduler has looked at. */
const schedulerRule = rule<Pod>({
  id: 'pod.no-scheduler',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    const isLookedAt = conditionOf(pod.status?.conditions, 'PodScheduled') !== undefined;
    const age = ageOf(pod, world.now);
    // Another scheduler may say what it thinks by an event alone.
    if (!isUnplaced(pod) || isLookedAt || age < patience || warningsOf(world, pod).length > 0)
      return undefined;
    const name = pod.spec?.schedulerName ?? 'default-scheduler';
    return {
      sentence: `No scheduler has looked at the pod for ${formatAge(age)}: it asks for the scheduler ${name}. Check that one of that name is running.`,
      evidence: [field(pod, 'spec.schedulerName'), field(pod, 'status.phase'), field(pod, 'spec.nodeName')],
    };
  },
});

/** A pod whose claims for devices cannot be made, of which the scheduler says only that they are not there. */
const resourceClaimRule = rule<Pod>({
  id: 'pod.resource-claim',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    if (!isUnplaced(pod) || pod.spec?.resourceClaims === undefined) return undefined;
    const said = warningsOf(world, pod).find(({ reason }) => reason === 'FailedResourceClaimCreation');
    if (said?.message === undefined) return undefined;
    return {
      sentence: `The resource claim of the pod cannot be made: ${withoutStop(said.message)}.`,
      evidence: [event(pod, said), field(pod, 'spec.resourceClaims')],
    };
  },
});

/** The message of a platform beside the kubelet, such as a virtual node, about a pod that it does not start. */
const platformRule = rule<Pod>({
  id: 'pod.not-provided',
  kind: 'Pod',
  tone: 'bad',
  sort: 'symptom',
  find(pod) {
    const { phase, reason, message } = pod.status ?? {};
    // A node that is lost has findings of its own.
    if (phase !== 'Pending' || reason === undefined || message === undefined || reason === 'NodeLost')
      return undefined;
    return {
      sentence: `The pod does not start (${reason}): ${withoutStop(message)}.`,
      evidence: [field(pod, 'status.reason'), field(pod, 'status.message')],
    };
  },
});

/** Events of a kubelet that cannot end a pod. */
const endFailures = /^(?:FailedKillPod|ExceededGracePeriod|FailedUnmount|FailedUnMount)$/;

/** A deleted pod whose node says why it does not end. */
const killRule = rule<Pod>({
  id: 'pod.kill-failed',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    if (troubleOf(pod, world)?.cause !== 'not-ending') return undefined;
    const said = warningsOf(world, pod).find(({ reason = '' }) => endFailures.test(reason));
    if (said?.message === undefined) return undefined;
    return {
      sentence: `Node ${pod.spec?.nodeName ?? ''} cannot end the deleted pod: ${withoutStop(said.message)}.`,
      evidence: [event(pod, said), field(pod, 'metadata.deletionTimestamp'), field(pod, 'spec.nodeName')],
    };
  },
});

/** A running pod whose new requests or limits its node does not carry out. */
const resizeRule = rule<Pod>({
  id: 'pod.resize',
  kind: 'Pod',
  tone: 'warn',
  sort: 'symptom',
  find(pod) {
    const { conditions } = pod.status ?? {};
    const pending = conditionOf(conditions, 'PodResizePending');
    const going = conditionOf(conditions, 'PodResizeInProgress');
    const isRefused = pending?.status === 'True' && pending.message !== undefined;
    const isFailed = going?.status === 'True' && going.reason === 'Error' && going.message !== undefined;
    const said = isRefused ? pending : going;
    if (said?.message === undefined || !(isRefused || isFailed)) return undefined;
    return {
      sentence: `Node ${pod.spec?.nodeName ?? ''} does not give the pod the resources that it now asks for (${said.reason ?? ''}): ${withoutStop(said.message)}.`,
      evidence: [condition(pod, said.type), field(pod, 'spec.nodeName')],
    };
  },
});

/** Rules about pods that wait for something besides a node, an image or their program. */
export const waitRules = [gateRule, schedulerRule, resourceClaimRule, platformRule, killRule, resizeRule];
