import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Pod } from '../../../kube/core.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { condition, field, rule } from '../rule.ts';
import { allOf, nameOf, type World } from '../world.ts';
import { imageRules } from './image.ts';
import { troubleOf } from './pod-parts.ts';
import { drainRule, overlapRule } from './drain.ts';
import { nodeClock } from './node-clock.ts';

/** Conditions of a node that mean trouble while they hold, in words. */
const pressures: Readonly<Record<string, string>> = {
  MemoryPressure: 'runs short of memory, so it evicts pods',
  DiskPressure: 'runs short of disk space, so it evicts pods and takes no new ones',
  PIDPressure: 'has too many processes, so it evicts pods',
  NetworkUnavailable: 'has no network for pods',
};

/** Taints of nodes that are not ready: pods are evicted once they have tolerated the effect NoExecute long enough. */
const lostTaint = /^node\.kubernetes\.io\/(?:unreachable|not-ready)$/;

/** The pod of the network plugin on a node that has no network because that pod does not run. */
function pluginPod(node: Node, world: World): Pod | undefined {
  const ready = conditionOf(node.status?.conditions, 'Ready');
  if (ready?.status !== 'False' || !/cni|NetworkPlugin|NetworkReady=false/i.test(ready.message ?? ''))
    return undefined;
  const pods = (allOf(world, 'Pod') ?? []).filter(
    ({ spec, metadata }) =>
      spec?.nodeName === node.metadata?.name &&
      /calico|cilium|flannel|weave|cni|antrea|kube-router|ovn|aws-node|canal|multus/i.test(
        metadata?.name ?? '',
      ),
  );
  return pods.find((pod) => troubleOf(pod, world)?.cause.startsWith('node-') === false);
}

/** Rules about nodes. */
export const nodeRules = [
  rule<Node>({
    id: 'node.not-ready',
    kind: 'Node',
    tone: 'bad',
    sort: 'cause',
    goesFirst: true,
    find(node, world) {
      const ready = conditionOf(node.status?.conditions, 'Ready');
      if (ready?.status === 'True' || pluginPod(node, world) !== undefined) return undefined;
      const name = node.metadata?.name ?? '';
      const since = epochSeconds(ready?.lastTransitionTime);
      const age = since === null ? undefined : formatAge(world.now - since);
      const taint = node.spec?.taints?.findIndex(
        ({ key = '', effect }) => lostTaint.test(key) && effect === 'NoExecute',
      );
      return {
        sentence:
          ready === undefined
            ? `Node ${name} does not answer: no kubelet has ever reported for it.`
            : ready.status === 'Unknown'
              ? // The state is unknown 40 s or more after the last word.
                `Node ${name} is not ready: its kubelet stopped posting status${age === undefined ? '' : ` more than ${age} ago`}.`
              : `Node ${name} ${age === undefined ? 'is not ready' : `has not been ready for ${age}`}: ${ready.message ?? ready.reason ?? 'it does not say why'}`,
        evidence: [
          condition(node, 'Ready'),
          ...(taint === undefined || taint < 0 ? [] : [field(node, `spec.taints[${taint}]`)]),
        ],
      };
    },
  }),
  ...Object.entries(pressures).map(([type, words]) =>
    rule<Node>({
      id: `node.${type.replace(/(?<=[a-zD])(?=[A-Z][a-z])/g, '-').toLowerCase()}`,
      kind: 'Node',
      tone: 'bad',
      sort: 'cause',
      find(node) {
        if (conditionOf(node.status?.conditions, type)?.status !== 'True') return undefined;
        return {
          sentence: `Node ${node.metadata?.name ?? ''} ${words}.`,
          evidence: [condition(node, type)],
        };
      },
    }),
  ),
  rule<Node>({
    id: 'node.network-plugin',
    kind: 'Node',
    tone: 'bad',
    sort: 'cause',
    goesFirst: true,
    find(node, world) {
      const pod = pluginPod(node, world);
      const trouble = pod && troubleOf(pod, world);
      if (pod === undefined || trouble === undefined) return undefined;
      const [first] = imageRules.flatMap((one) => one.find(pod, world) ?? []);
      const why = first?.sentence ?? trouble.detail ?? 'it does not run';
      return {
        sentence: `Node ${node.metadata?.name ?? ''} is not ready, because pod ${pod.metadata?.name ?? ''} of its network plugin does not run: ${why.trim()}`,
        evidence: [
          condition(node, 'Ready'),
          field(pod, 'spec.nodeName'),
          field(pod, 'status.phase'),
          ...(first?.evidence ?? []),
        ],
      };
    },
  }),
  rule<Node>({
    id: 'node.clock',
    kind: 'Node',
    tone: 'bad',
    sort: 'cause',
    find(node, world) {
      const clock = nodeClock(node, world);
      if (clock === undefined) return undefined;
      return {
        sentence: `The clock of node ${node.metadata?.name ?? ''} is ${clock.text}, so the times that its kubelet reports are wrong. Check the time synchronisation of the node.`,
        evidence: clock.evidence,
      };
    },
  }),
  drainRule,
  overlapRule,
  rule<Node>({
    id: 'node.cordoned',
    kind: 'Node',
    tone: 'warn',
    sort: 'advice',
    find(node) {
      if (node.spec?.unschedulable !== true) return undefined;
      return {
        sentence: 'The node is cordoned: it takes no new pods until somebody uncordons it.',
        evidence: [field(node, 'spec.unschedulable')],
        actions: [{ id: 'node.uncordon', on: nameOf(node) }],
      };
    },
  }),
];
