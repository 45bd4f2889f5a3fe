import type { Pod } from '../../../kube/core.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { matchesSelector } from '../../../kube/selector.ts';
import type { Clue, Proof } from '../rule.ts';
import { condition, field, rule } from '../rule.ts';
import { allOf, nameOf, type World } from '../world.ts';
import { troubleOf, workloadRemedy } from './pod-parts.ts';

/** The reasons of the scheduler in its own words, the ones that only a change of the pod or of nodes helps first. */
const reasons = {
  claim: /persistentvolumeclaim|unbound immediate|volume node affinity|no available persistent volumes/i,
  selector: /didn't match Pod's node affinity\/selector|node\(s\) didn't match node selector/i,
  taint: /had untolerated taint/i,
  spread:
    /didn't match pod topology spread|didn't satisfy existing pods anti-affinity|didn't match pod (?:anti-)?affinity/i,
  ports: /didn't have free ports/i,
  resources: /Insufficient [\w./-]+|Too many pods/i,
  cordoned: /were unschedulable/i,
  noNodes: /no nodes available to schedule|^0\/0 nodes/i,
} as const;

type Reason = keyof typeof reasons;

/** What the scheduler says of a pod, with how many nodes each reason keeps it from. */
interface Refused {
  readonly message: string;
  readonly proof: Proof;
  readonly counts: readonly (readonly [reason: Reason, nodes: number, part: string])[];
  readonly nodes: number;
}

function refused(pod: Pod, world: World): Refused | undefined {
  const trouble = troubleOf(pod, world);
  if (trouble?.cause !== 'unschedulable') return undefined;
  const message = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';
  const [head = ''] = message.split(/\. (?:no new claims|preemption:)/);
  const [, all = '0', rest = head] = /0\/(\d+) nodes are available: (.*)$/s.exec(head) ?? [];
  const names = Object.keys(reasons) as readonly Reason[];
  const counts = rest.split(/, (?=\d)/).flatMap((part) => {
    const reason = names.find((name) => reasons[name].test(part));
    const nodes = Number(/^\d+/.exec(part)?.[0] ?? all);
    return reason === undefined ? [] : [[reason, nodes, part.replace(/^\d+ |\.$/g, '')] as const];
  });
  return { message, proof: condition(pod, 'PodScheduled'), counts, nodes: Number(all) };
}

/** The reasons that the scheduler gives only for nodes that the pod selects. */
const ofSelected: ReadonlySet<Reason> = new Set(['claim', 'spread', 'ports', 'resources']);

/** Whether a pod selects a node, by its labels and its name. */
function isSelected({ spec }: Pod, { metadata }: Node): boolean {
  const { nodeSelector, affinity } = spec ?? {};
  const terms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? undefined;
  const names = { 'metadata.name': metadata?.name ?? '' };
  return (
    matchesSelector({ matchLabels: nodeSelector ?? {} }, metadata?.labels) &&
    (terms === undefined ||
      terms.some(
        ({ matchExpressions = [], matchFields = [] }) =>
          matchesSelector({ matchExpressions }, metadata?.labels) &&
          matchesSelector({ matchExpressions: matchFields }, names),
      ))
  );
}

/** Whether nodes that the pod selects are known, all of which something else keeps from taking it. */
function hasSelected({ counts }: Refused, pod: Pod, world: World): boolean {
  if (!counts.some(([reason]) => reason === 'selector')) return false;
  if (counts.some(([reason]) => ofSelected.has(reason))) return true;
  // Of cordoned and tainted nodes the scheduler does not say whether the pod selects them.
  if (!counts.some(([reason]) => reason === 'cordoned' || reason === 'taint')) return false;
  return allOf(world, 'Node')?.some((node) => isSelected(pod, node)) === true;
}

/**
 * The reason that keeps most nodes from taking the pod. Nodes that it does not select decide only where it selects none,
 * and tainted control planes, which are in every such message, only where nothing else does.
 */
function main(why: Refused, pod: Pod, world: World): readonly [Reason, string] | undefined {
  if (reasons.noNodes.test(why.message)) return ['noNodes', why.message];
  const order = Object.keys(reasons) as readonly Reason[];
  const isAmongSelected = hasSelected(why, pod, world);
  const counts = why.counts.filter(([reason]) => reason !== 'selector' || !isAmongSelected);
  const own = counts.filter(([reason, , part]) => reason !== 'taint' || !/control-plane|master/.test(part));
  const [first] = (own.length > 0 ? own : counts).toSorted(
    (a, b) => b[1] - a[1] || order.indexOf(a[0]) - order.indexOf(b[0]),
  );
  return first === undefined ? undefined : [first[0], first[2]];
}

const placementRule = (
  id: string,
  reason: Reason,
  say: (part: string, all: Refused, pod: Pod, world: World) => Clue,
) =>
  rule<Pod>({
    id: `pod.${id}`,
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const why = refused(pod, world);
      const [found, part = ''] = (why && main(why, pod, world)) ?? [];
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
    const [head, tail] = nodes === undefined ? ['No node with', ' takes it'] : ['No node has', ''];
    return {
      sentence:
        missing !== undefined
          ? `No node has the label ${missing[0]}=${missing[1]}, which the pod selects.`
          : isByLabels
            ? `${head} the labels that the pod selects${tail}: ${labelsText(selector)}.`
            : 'No node that fits the node affinity of the pod takes it.',
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
      'No node is left for the pod: its affinity or topology spread rules keep it away from other pods, or near to them.',
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
      sentence: `On every node that could run the pod ${ports.length === 1 ? `its host port ${only}` : `one of its host ports${ports.length === 0 ? '' : `, ${ports.join(', ')},`}`} is in use already.`,
      evidence: [
        why.proof,
        ...containers.map((_one, index) => field(pod, `spec.containers[${index}].ports`)),
      ],
    };
  }),
  placementRule('resources', 'resources', (part, why, pod, world) => {
    const what = /Insufficient ([\w./-]+)/.exec(part)?.[1];
    return {
      sentence:
        what === undefined
          ? 'Every node already runs as many pods as it may.'
          : `No node has enough ${what} left for what the pod requests.`,
      evidence: [
        why.proof,
        ...(pod.spec?.containers ?? []).map((_one, index) =>
          field(pod, `spec.containers[${index}].resources.requests`),
        ),
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
  placementRule('no-nodes', 'noNodes', (_part, why) => ({
    sentence: 'The cluster has no node that takes pods.',
    evidence: [why.proof],
  })),
];
