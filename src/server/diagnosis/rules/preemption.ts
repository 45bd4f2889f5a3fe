import type { Pod } from '../../../kube/core.ts';
import type { KubeEvent } from '../../../kube/infrastructure.ts';
import { controllerOf } from '../../../kube/owners.ts';
import { event, field, type Proof } from '../rule.ts';
import { allOf, seenAt, type World } from '../world.ts';

/** For how long a preemption explains that a pod waits, s: events are kept for an hour. */
const memory = 60 * 60;

/** Whether an event is about a pod of the same workload: its name begins alike, or is the same. */
function isOfWorkload({ involvedObject: about }: KubeEvent, pod: Pod): boolean {
  const owner = controllerOf(pod);
  const name = about?.name ?? '';
  if (about?.kind !== 'Pod' || owner === undefined) return false;
  return owner.kind === 'StatefulSet' ? name === pod.metadata?.name : name.startsWith(`${owner.name}-`);
}

/**
 * That the place of a waiting pod was taken by one of higher priority, as a part of a sentence with its proofs; undefined
 * if nothing tells so.
 */
export function preemptionOf(
  pod: Pod,
  world: World,
): { readonly text: string; readonly proofs: readonly Proof[] } | undefined {
  const { namespace } = pod.metadata ?? {};
  const told = (allOf(world, 'Event', { namespace, isPartEnough: true }) ?? [])
    .filter((one) => one.reason === 'Preempted' && isOfWorkload(one, pod))
    .filter((one) => (seenAt(one) ?? 0) > world.now - memory)
    .toSorted((a, b) => (seenAt(b) ?? 0) - (seenAt(a) ?? 0))[0];
  if (told === undefined) return undefined;
  const [, uid, node] = /^Preempted by pod (\S+) on node (\S+)$/.exec(told.message ?? '') ?? [];
  const taker = allOf(world, 'Pod', { namespace })?.find(({ metadata }) => metadata?.uid === uid);
  const who = taker?.metadata?.name === undefined ? 'a pod' : `pod ${taker.metadata.name}`;
  const victim = told.involvedObject?.name ?? '';
  return {
    text: `${who} of higher priority took the place of pod ${victim}${node === undefined ? '' : ` on node ${node}`}`,
    proofs: [
      event({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: namespace ?? '', name: victim } }, told),
      field(pod, 'spec.priority'),
      ...(taker === undefined ? [] : [field(taker, 'spec.priority')]),
    ],
  };
}
