import type { KubeEvent } from '../../kube/infrastructure.ts';
import type { KubeObject } from '../../kube/object.ts';
import { seenAt, warningsOf, type World } from './world.ts';

/** Words of conditions that say only that something failed. */
const onlyFailed =
  /^(?:could not|cannot|unable to|failed to|failed|error|not ready|is not ready|reconciliation failed|sync(?:hronization)? failed)\b[^:"'\d]*$/i;
/** Words of Kubernetes' own conditions that only repeat their state. */
const onlyState =
  /^(?:containers with (?:unready|incomplete) status: |Deployment does not have minimum availability|ReplicaSet "[^"]*" (?:has timed out progressing|is progressing)|back-off |Back-off |Error: \w+$)/;

/** Whether a message of the cluster says no more than that something failed. */
export const isVague = (message: string): boolean => {
  const plain = message.trim();
  return plain === '' || onlyFailed.test(plain) || onlyState.test(plain);
};

/** Reasons of warnings that repeat a status, or that are about something besides. */
const statusReasons =
  /^(?:BackOff|Unhealthy|ProbeWarning|FailedScheduling|DNSConfigForming|FailedToRetrieveImagePullSecret|Evicted|Killing|Preempted|Preempting|NodeNotReady|Rebooted|TaintManagerEviction|InvalidDiskCapacity|CheckLimitsForResolvConf)$/;

/** How old a warning may be that says more than a status, s: a cluster keeps them for an hour. */
const freshness = 60 * 60;

/** The newest warning about an object that says more than its status, whatever its reason. */
export function tellingWarning(object: KubeObject, world: World): KubeEvent | undefined {
  return warningsOf(world, object).find((one) => {
    const { message = '', reason = '' } = one;
    const isFresh = (seenAt(one) ?? 0) > world.now - freshness;
    return isFresh && !statusReasons.test(reason) && !isVague(message);
  });
}

/** How often an event was seen. */
export const timesSeen = ({ series, count }: KubeEvent): number => series?.count ?? count ?? 1;
