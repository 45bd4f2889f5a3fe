import type { Pod } from '../../../kube/core.ts';
import type { Clue } from '../rule.ts';
import { field, rule } from '../rule.ts';
import { allOf, nameOf, type World } from '../world.ts';
import { isSelected, decidingReason, type Reason, type Refusal, refusalOf } from './placement-reason.ts';
import { nodesOf, volumesOf } from './pod-volumes.ts';
import { workloadRemedy } from './pod-parts.ts';
import { preemptionOf } from './preemption.ts';

const placementRule = (
  id: string,
  reason: Reason,
  say: (part: string, all: Refusal, pod: Pod, world: World) => Clue,
) =>
  rule<Pod>({
    id: `pod.${id}`,
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const why = refusalOf(pod, world);
      const [found, part = ''] = (why && decidingReason(why, pod, world)) ?? [];
      return why === undefined || found !== reason ? undefined : say(part, why, pod, world);
    },
  });

/** Labels as a sentence lists them. */
const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

/** Why no node takes a pod. */
export const placementRules = [
  placementRule('node-selector', 'selector', (_part, why, pod, world) => {
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
          ? `No node has the label ${missing[0]}=${missing[1]}, which the pod selects.`
          : isByLabels
            ? `${head} the labels that the pod selects${tail}: ${labelsText(selector)}.`
            : 'No node that matches the node affinity of the pod accepts it.',
      evidence: [why.proof, field(pod, isByLabels ? 'spec.nodeSelector' : 'spec.affinity.nodeAffinity')],
      actions: workloadRemedy(pod, world, 'rollback'),
    };
  }),
  placementRule('taints', 'taint', (part, why, pod) => ({
    sentence: `The nodes that could run the pod have a taint that it does not tolerate: ${/\{([^}]*)\}/.exec(part)?.[1]?.replace(/: $/, '') ?? part}.`,
    evidence: [why.proof, field(pod, 'spec.tolerations')],
  })),
  placementRule('spread', 'spread', (_part, why, pod) => ({
    sentence:
      'No node is left for the pod: its affinity or topology spread rules keep it away from other pods, or close to them.',
    evidence: [
      why.proof,
      field(pod, 'spec.affinity'),
      ...(/topology spread/.test(why.message) ? [field(pod, 'spec.topologySpreadConstraints')] : []),
    ],
  })),
  placementRule('host-port', 'ports', (_part, why, pod) => {
    const containers = pod.spec?.containers ?? [];
    const ports = containers
      .flatMap((one) => one.ports ?? [])
      .flatMap(({ hostPort }) => (hostPort === undefined || hostPort === 0 ? [] : [hostPort]));
    const [only] = ports;
    return {
      sentence: `On every node that could run the pod, ${ports.length === 1 ? `its host port ${only}` : `one of its host ports${ports.length === 0 ? '' : `, ${ports.join(', ')},`}`} is already in use.`,
      evidence: [
        why.proof,
        ...containers.map((_one, index) => field(pod, `spec.containers[${index}].ports`)),
      ],
    };
  }),
  placementRule('resources', 'resources', (part, why, pod, world) => {
    const what = /Insufficient ([\w./-]+)/.exec(part)?.[1];
    const preempted = preemptionOf(pod, world);
    const tail =
      preempted === undefined
        ? ''
        : `: ${preempted.text}. Add nodes, or give the pods of this workload a higher priority`;
    return {
      sentence:
        what === undefined
          ? `Every node already runs as many pods as it may${tail}.`
          : `No node has enough ${what} left for what the pod requests${tail}.`,
      evidence: [
        why.proof,
        ...(pod.spec?.containers ?? []).map((_one, index) =>
          field(pod, `spec.containers[${index}].resources.requests`),
        ),
        ...(preempted?.proofs ?? []),
      ],
      actions: workloadRemedy(pod, world, 'scale'),
    };
  }),
  placementRule('cordoned', 'cordoned', (_part, why, pod, world) => {
    const cordoned = (allOf(world, 'Node') ?? [])
      .filter((node) => node.spec?.unschedulable === true && isSelected(pod, node))
      .slice(0, 3);
    const names = cordoned.map(({ metadata }) => metadata?.name ?? '');
    return {
      sentence:
        names.length === 1
          ? `Node ${names[0]}, which could run the pod, is cordoned: it takes no new pods.`
          : `The nodes that could run the pod${names.length === 0 ? '' : `, as ${names.join(', ')},`} are cordoned: they take no new pods.`,
      evidence: [why.proof, ...cordoned.map((node) => field(node, 'spec.unschedulable'))],
      actions: cordoned.map((node) => ({ id: 'node.uncordon', on: nameOf(node) })),
    };
  }),
  placementRule('volume-node', 'volume', (_part, why, pod, world) => {
    const found = volumesOf(pod, world).filter(({ volume }) => nodesOf(volume) !== undefined);
    const [one] = found;
    return {
      sentence:
        one === undefined
          ? 'No node that could run the pod can use the volumes of its claims.'
          : `The volume ${one.volume.metadata?.name ?? ''} of claim ${one.claim.metadata?.name ?? ''} can be used only on nodes with ${nodesOf(one.volume) ?? ''}, and no node that could run the pod is one of them. Add such a node, or restore the data into a new claim.`,
      evidence: [
        why.proof,
        ...found.flatMap(({ claim, volume }) => [
          field(claim, 'spec.volumeName'),
          field(volume, 'spec.nodeAffinity.required'),
        ]),
      ],
    };
  }),
  placementRule('no-nodes', 'noNodes', (_part, why) => ({
    sentence: 'The cluster has no node that accepts pods.',
    evidence: [why.proof],
  })),
];
