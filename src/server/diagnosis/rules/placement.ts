import type { Pod } from '../../../kube/core.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import type { Clue, Proof } from '../rule.ts';
import { field, rule } from '../rule.ts';
import { allOf, nameOf, type World } from '../world.ts';
import { isSelected, requestOf, taintText } from './node-fit.ts';
import type { Reason } from './placement-reason.ts';
import { type HinderedNode, type Verdict, verdictOf } from './placement-verdict.ts';
import { refusedGrowthOf } from './growth.ts';
import { isReached, nodesOf, volumesOf } from './pod-volumes.ts';
import { workloadRemedy } from './pod-parts.ts';
import { preemptionOf } from './preemption.ts';
import { amountText, singleChange } from './placement-change.ts';

const placementRule = (id: string, reason: Reason, say: (verdict: Verdict, pod: Pod, world: World) => Clue) =>
  rule<Pod>({
    id: `pod.${id}`,
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const verdict = verdictOf(pod, world);
      if (verdict?.reason !== reason) return undefined;
      const clue = say(verdict, pod, world);
      const change = singleChange(verdict, pod, world);
      return change === undefined ? clue : { ...clue, sentence: `${clue.sentence} ${change}` };
    },
  });

/** Labels as a sentence lists them. */
const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

/** Nodes that are cited. */
const nodeLimit = 3;

const nodeName = (hindered: HinderedNode | undefined): string => hindered?.node.metadata?.name ?? '';

/** Further obstacles of a node, as the end of a sentence; empty where there are none. */
function besidesText({ others }: HinderedNode): string {
  const [other] = others;
  if (other === undefined) return '';
  if (other.type === 'resource') return `, and not enough ${other.resource}`;
  if (other.type === 'cordoned') return ', and is cordoned';
  return other.type === 'pods' ? ', and no room for more pods' : '';
}

/** The values that nodes have of a label, as the end of a sentence. */
function valuesText(key: string, nodes: readonly Node[] | undefined): string {
  const values = new Set((nodes ?? []).flatMap(({ metadata }) => metadata?.labels?.[key] ?? []));
  return values.size === 0 || values.size > 4 ? '' : `; nodes have ${key}=${[...values].join(', ')}`;
}

/** The required node affinity of a pod. */
const affinityText = ({ spec }: Pod): string =>
  (spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [])
    .map(({ matchExpressions = [], matchFields = [] }) =>
      formatSelector({ matchExpressions: [...matchExpressions, ...matchFields] }),
    )
    .join(' or ');

/** Which rule about other pods keeps a pod from the nearest node; undefined where that is not known. */
function spreadText(nearest: HinderedNode | undefined): string | undefined {
  const obstacle = nearest?.obstacle;
  switch (obstacle?.type) {
    case undefined:
    case 'cordoned':
    case 'taint':
    case 'resource':
    case 'pods':
    case 'ports':
      break;
    case 'spread-label':
      return `No node that could run the pod has the label ${obstacle.key}, by which its topology spread constraint distributes pods.`;
    case 'spread':
      return `The topology spread constraint of the pod by ${obstacle.key} allows no node that has room: its pods would be spread too unevenly.`;
    case 'apart':
      return `The anti-affinity of the pod keeps it from every node: each has a pod with ${formatSelector(obstacle.selector)}, as ${nodeName(nearest)} has ${obstacle.other.metadata?.name ?? ''}.`;
    case 'together':
      return `The affinity of the pod wants a pod with ${formatSelector(obstacle.selector)} on its node, and none runs on one that could take it.`;
  }
  return undefined;
}

/** Sentence on the resource that the nearest nodes lack for a pod. */
function roomText(nearest: readonly HinderedNode[], pod: Pod): string {
  const rooms = nearest.flatMap(({ node, obstacle }) =>
    obstacle.type === 'resource' ? [{ node, ...obstacle }] : [],
  );
  const [most] = rooms.toSorted((a, b) => b.free - a.free);
  const [first] = nearest;
  if (most === undefined)
    return nearest.length === 1
      ? `Node ${nodeName(first)}, the one that could run the pod, already runs as many pods as it may${first?.obstacle.type === 'pods' ? `, ${first.obstacle.most}` : ''}.`
      : `Every node that could run the pod already runs as many pods as it may.`;
  const { resource } = most;
  const asked = amountText(requestOf(pod, resource), resource);
  if (most.isTooSmall) {
    const whole = Math.max(
      ...rooms.map(({ node }) => parseQuantity(node.status?.allocatable?.[resource]) ?? 0),
    );
    return whole === 0
      ? `The pod requests ${asked} ${resource}, and no node that it could run on has any.`
      : `The pod requests ${asked} ${resource}, more than any node that it could run on has: ${amountText(whole, resource)} at most.`;
  }
  return `No node has enough ${resource} left for what the pod requests, ${asked}: at most ${amountText(most.free, resource)} is free, on ${most.node.metadata?.name ?? ''}.`;
}

/** The same by the scheduler's words. */
function roomWords(part: string, nearest: readonly HinderedNode[], tail: string): string {
  const [first] = nearest;
  const what =
    first?.obstacle.type === 'resource' ? first.obstacle.resource : /Insufficient ([\w./-]+)/.exec(part)?.[1];
  return what === undefined
    ? `Every node already runs as many pods as it may${tail}.`
    : `No node has enough ${what} left for what the pod requests${tail}.`;
}

/** The claim whose volume binds a pod to some nodes, as the end of a sentence; empty where none does. */
function boundText(pod: Pod, world: World): { readonly text: string; readonly proofs: readonly Proof[] } {
  const nodes = (allOf(world, 'Node') ?? []).filter((node) => isSelected(pod, node));
  const one = volumesOf(pod, world).find(
    ({ volume }) => nodesOf(volume) !== undefined && nodes.some((node) => !isReached([volume], node)),
  );
  if (one === undefined) return { text: '', proofs: [] };
  return {
    text: `, and the volume of claim ${one.claim.metadata?.name ?? ''} can be used only on nodes with ${nodesOf(one.volume) ?? ''}`,
    proofs: [field(one.claim, 'spec.volumeName'), field(one.volume, 'spec.nodeAffinity.required')],
  };
}

/** Why no node takes a pod. */
export const placementRules = [
  placementRule('node-selector', 'selector', ({ why }, pod, world) => {
    const selector = pod.spec?.nodeSelector ?? {};
    const nodes = allOf(world, 'Node');
    const missing = Object.entries(selector).find(
      ([key, value]) => nodes?.every(({ metadata }) => metadata?.labels?.[key] !== value) === true,
    );
    const isByLabels = Object.keys(selector).length > 0;
    // One with the labels may be cordoned or tainted: of nodes that are not known only what holds for all is told.
    const [head, tail] = nodes === undefined ? ['No node with', ' accepts the pod'] : ['No node has', ''];
    return {
      sentence:
        missing !== undefined
          ? `No node has the label ${missing[0]}=${missing[1]}, which the pod selects${valuesText(missing[0], nodes)}.`
          : isByLabels
            ? `${head} the labels that the pod selects${tail}: ${labelsText(selector)}.`
            : nodes === undefined || nodes.length === 0
              ? 'No node that matches the node affinity of the pod accepts it.'
              : `No node fits the node affinity of the pod: ${affinityText(pod)}.`,
      evidence: [why.proof, field(pod, isByLabels ? 'spec.nodeSelector' : 'spec.affinity.nodeAffinity')],
      actions: workloadRemedy(pod, world, 'rollback'),
    };
  }),
  placementRule('taints', 'taint', ({ part, why, nearest, isAllSelected }, pod) => {
    const taints = nearest.flatMap(({ obstacle }) =>
      obstacle.type === 'taint' ? obstacle.taints.slice(0, 1) : [],
    );
    const texts = [...new Set(taints.map(taintText))];
    const [first] = nearest;
    const named = /\{([^}]*)\}/.exec(part)?.[1]?.replace(/: $/, '');
    return {
      sentence:
        first === undefined
          ? named === undefined
            ? 'The nodes that could run the pod have a taint that it does not tolerate.'
            : `The nodes that could run the pod have a taint that it does not tolerate: ${named}.`
          : nearest.length === 1
            ? `Node ${nodeName(first)}, ${isAllSelected ? 'the only one that the pod selects' : 'which comes nearest'}, has the taint ${texts[0] ?? ''}, which the pod does not tolerate${besidesText(first)}.`
            : `The ${nearest.length} nodes that could run the pod have ${texts.length === 1 ? `the taint ${texts[0] ?? ''}, which it does not tolerate` : `taints that it does not tolerate, such as ${texts[0] ?? ''} on ${nodeName(first)}`}.`,
      evidence: [
        why.proof,
        field(pod, 'spec.tolerations'),
        ...nearest.slice(0, nodeLimit).map(({ node }) => field(node, 'spec.taints')),
      ],
    };
  }),
  placementRule('spread', 'spread', ({ why, nearest }, pod) => ({
    sentence:
      spreadText(nearest[0]) ??
      'No node satisfies the affinity to other pods or the topology spread constraints of the pod.',
    evidence: [
      why.proof,
      field(pod, 'spec.affinity'),
      ...(/topology spread/.test(why.message) ? [field(pod, 'spec.topologySpreadConstraints')] : []),
      ...nearest.slice(0, 1).map(({ node }) => field(node, 'metadata.labels')),
    ],
  })),
  placementRule('host-port', 'ports', ({ why, nearest }, pod) => {
    const containers = pod.spec?.containers ?? [];
    const ports = containers
      .flatMap((one) => one.ports ?? [])
      .flatMap(({ hostPort }) => (hostPort === undefined || hostPort === 0 ? [] : [hostPort]));
    const [only] = ports;
    const taken = nearest[0]?.obstacle.type === 'ports' ? nearest[0].obstacle : undefined;
    const tail =
      taken === undefined ? '' : `, on ${nodeName(nearest[0])} by pod ${taken.holder.metadata?.name ?? ''}`;
    return {
      sentence: `On every node that could run the pod, ${taken !== undefined ? `its host port ${taken.port}` : ports.length === 1 ? `its host port ${only}` : `one of its host ports${ports.length === 0 ? '' : `, ${ports.join(', ')},`}`} is already in use${tail}.`,
      evidence: [
        why.proof,
        ...containers.map((_one, index) => field(pod, `spec.containers[${index}].ports`)),
        ...(taken === undefined ? [] : [field(taken.holder, 'spec.nodeName')]),
      ],
    };
  }),
  placementRule('resources', 'resources', ({ part, why, nearest }, pod, world) => {
    const preempted = preemptionOf(pod, world);
    const growth = preempted === undefined ? refusedGrowthOf(pod, world) : undefined;
    const tail =
      preempted === undefined
        ? (growth?.text ?? '')
        : `: ${preempted.text}. Add nodes, or give the pods of this workload a higher priority`;
    return {
      sentence:
        preempted === undefined && nearest.length > 0
          ? roomText(nearest, pod).replace(/\.$/, `${tail}.`)
          : roomWords(part, nearest, tail),
      evidence: [
        why.proof,
        ...(growth === undefined ? [] : [growth.proof]),
        ...(pod.spec?.containers ?? []).map((_one, index) =>
          field(pod, `spec.containers[${index}].resources.requests`),
        ),
        ...(preempted?.proofs ??
          nearest.slice(0, nodeLimit).map(({ node }) => field(node, 'status.allocatable'))),
      ],
      actions: workloadRemedy(pod, world, 'scale'),
    };
  }),
  placementRule('cordoned', 'cordoned', ({ why }, pod, world) => {
    const volumes = volumesOf(pod, world).map(({ volume }) => volume);
    const cordoned = (allOf(world, 'Node') ?? [])
      .filter((node) => node.spec?.unschedulable === true && isSelected(pod, node))
      .filter((node) => isReached(volumes, node))
      .slice(0, 3);
    const bound = boundText(pod, world);
    const names = cordoned.map(({ metadata }) => metadata?.name ?? '');
    return {
      sentence:
        names.length === 1
          ? `Node ${names[0]}, which could run the pod, is cordoned: it takes no new pods${bound.text}.`
          : `The nodes that could run the pod${names.length === 0 ? '' : `, such as ${names.join(', ')},`} are cordoned: they take no new pods${bound.text}.`,
      evidence: [why.proof, ...cordoned.map((node) => field(node, 'spec.unschedulable')), ...bound.proofs],
      actions: cordoned.map((node) => ({ id: 'node.uncordon', on: nameOf(node) })),
    };
  }),
  placementRule('volume-node', 'volume', ({ why }, pod, world) => {
    const found = volumesOf(pod, world).filter(({ volume }) => nodesOf(volume) !== undefined);
    const [one] = found;
    return {
      sentence:
        one === undefined
          ? 'No node that could run the pod can use the volumes of its claims.'
          : `The volume ${one.volume.metadata?.name ?? ''} of claim ${one.claim.metadata?.name ?? ''} can be used only on nodes with ${nodesOf(one.volume) ?? ''}, and no node that could run the pod is one of them.`,
      evidence: [
        why.proof,
        ...found.flatMap(({ claim, volume }) => [
          field(claim, 'spec.volumeName'),
          field(volume, 'spec.nodeAffinity.required'),
        ]),
      ],
    };
  }),
  placementRule('no-nodes', 'noNodes', ({ why }) => ({
    sentence: 'The cluster has no node that accepts pods.',
    evidence: [why.proof],
  })),
];
