import type { Pod, PodSpec } from '../../../kube/core.ts';
import type { Node, Taint } from '../../../kube/infrastructure.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { type LabelSelector, matchesSelector } from '../../../kube/selector.ts';
import type { PersistentVolume } from '../../../kube/storage.ts';
import { isReached, isWithin } from './pod-volumes.ts';

type Toleration = NonNullable<PodSpec['tolerations']>[number];

/** Whether some toleration allows a taint. */
export const isTolerated = (taint: Taint, tolerations: readonly Toleration[]): boolean =>
  tolerations.some(
    ({ key = '', operator = 'Equal', value = '', effect = '' }) =>
      (effect === '' || effect === taint.effect) &&
      (key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );

/** A taint as kubectl writes it: `pool=gpu:NoSchedule`. */
export const taintText = ({ key = '', value, effect = '' }: Taint): string =>
  `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`;

/** The taints of a node that keep a pod from it. */
export const untolerated = (node: Node, { spec }: Pod): readonly Taint[] =>
  (node.spec?.taints ?? []).filter(
    (taint) =>
      taint.effect !== 'PreferNoSchedule' &&
      // A cordon, which is told as one.
      taint.key !== 'node.kubernetes.io/unschedulable' &&
      !isTolerated(taint, spec?.tolerations ?? []),
  );

/** Whether a pod selects a node, by its labels and its name. */
export function isSelected({ spec }: Pod, node: Node): boolean {
  const { nodeSelector, affinity } = spec ?? {};
  const terms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? undefined;
  return (
    matchesSelector({ matchLabels: nodeSelector ?? {} }, node.metadata?.labels) &&
    (terms === undefined || isWithin(terms, node))
  );
}

/** Amount of a resource that a pod requests, in its own unit; the overhead of its runtime left out. */
export function requestOf({ spec }: Pod, resource: string): number {
  const sum = (containers: NonNullable<PodSpec['containers']>) =>
    containers.map((one) => parseQuantity(one.resources?.requests?.[resource]) ?? 0);
  const total = sum(spec?.containers ?? []).reduce((all, one) => all + one, 0);
  return Math.max(total, ...sum(spec?.initContainers ?? []));
}

/** The resources that a pod requests. */
export const requestedResources = ({ spec }: Pod): readonly string[] => [
  ...new Set(
    [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap((one) =>
      Object.keys(one.resources?.requests ?? {}),
    ),
  ),
];

/** A topology spread constraint that must be met. */
type Constraint = NonNullable<PodSpec['topologySpreadConstraints']>[number];

/** Obstacle that keeps a pod from a node. */
export type Obstacle =
  | { readonly type: 'cordoned' }
  | { readonly type: 'taint'; readonly taints: readonly Taint[] }
  | {
      readonly type: 'resource';
      readonly resource: string;
      readonly free: number;
      readonly isTooSmall: boolean;
    }
  | { readonly type: 'pods'; readonly most: number }
  | { readonly type: 'ports'; readonly port: number; readonly holder: Pod }
  | { readonly type: 'apart'; readonly selector: LabelSelector; readonly other: Pod }
  | { readonly type: 'together'; readonly selector: LabelSelector }
  | { readonly type: 'spread-label'; readonly key: string }
  | { readonly type: 'spread'; readonly key: string };

/** Nodes and pods of the cluster that a pod is fitted into. */
interface Surroundings {
  readonly nodes: readonly Node[];
  /** All pods with a node; undefined where not all may be seen. */
  readonly pods: readonly Pod[] | undefined;
}

const isGone = ({ status }: Pod): boolean => /Succeeded|Failed/.test(status?.phase ?? '');

/** Obstacles of a node that a pod selects and from which its volumes can be used. */
export function obstaclesOf(pod: Pod, node: Node, { nodes, pods }: Surroundings): readonly Obstacle[] {
  const found: Obstacle[] = [];
  const taints = untolerated(node, pod);
  if (node.spec?.unschedulable === true) found.push({ type: 'cordoned' });
  if (taints.length > 0) found.push({ type: 'taint', taints });
  const name = node.metadata?.name;
  const here = pods?.filter((one) => one.spec?.nodeName === name && !isGone(one));
  found.push(...roomObstacles(pod, node, here));
  const port = here === undefined ? undefined : takenPort(pod, here);
  if (port !== undefined) found.push(port);
  if (pods !== undefined) found.push(...neighbourObstacles(pod, nodes, node, pods));
  return found;
}

function roomObstacles(pod: Pod, node: Node, here: readonly Pod[] | undefined): readonly Obstacle[] {
  const found: Obstacle[] = [];
  const allocatable = node.status?.allocatable ?? {};
  const most = parseQuantity(allocatable['pods']);
  if (most !== undefined && here !== undefined && here.length >= most) found.push({ type: 'pods', most });
  for (const resource of requestedResources(pod)) {
    const asked = requestOf(pod, resource);
    const whole = parseQuantity(allocatable[resource]) ?? 0;
    const used = (here ?? []).reduce((sum, one) => sum + requestOf(one, resource), 0);
    if (asked > 0 && asked > whole - used)
      found.push({ type: 'resource', resource, free: Math.max(0, whole - used), isTooSmall: asked > whole });
  }
  return found;
}

const portsOf = ({ spec }: Pod): readonly number[] =>
  (spec?.containers ?? [])
    .flatMap((one) => one.ports ?? [])
    .flatMap(({ hostPort, containerPort }) =>
      hostPort !== undefined && hostPort !== 0
        ? [hostPort]
        : spec?.hostNetwork === true && containerPort !== undefined
          ? [containerPort]
          : [],
    );

function takenPort(pod: Pod, here: readonly Pod[]): Obstacle | undefined {
  const wanted = portsOf(pod);
  for (const holder of here) {
    const port = portsOf(holder).find((one) => wanted.includes(one));
    if (port !== undefined) return { type: 'ports', port, holder };
  }
  return undefined;
}

/** Obstacles by other pods: a pod's own rules of affinity and spread. */
function neighbourObstacles(
  pod: Pod,
  nodes: readonly Node[],
  node: Node,
  pods: readonly Pod[],
): readonly Obstacle[] {
  const namespace = pod.metadata?.namespace;
  const domainOf = (name: string | undefined, key: string) =>
    nodes.find(({ metadata }) => metadata?.name === name)?.metadata?.labels?.[key];
  const own = (key: string) => node.metadata?.labels?.[key];
  const beside = (key: string, selector: LabelSelector) =>
    pods.filter(
      (one) =>
        one.metadata?.namespace === namespace &&
        !isGone(one) &&
        matchesSelector(selector, one.metadata?.labels) &&
        own(key) !== undefined &&
        domainOf(one.spec?.nodeName, key) === own(key),
    );
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const terms = (rules: typeof podAffinity) => rules?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const found: Obstacle[] = [];
  for (const { labelSelector = {}, topologyKey = '' } of terms(podAntiAffinity)) {
    const [other] = beside(topologyKey, labelSelector);
    if (other !== undefined) found.push({ type: 'apart', selector: labelSelector, other });
  }
  for (const { labelSelector = {}, topologyKey = '' } of terms(podAffinity)) {
    // The first pod of a group that wants to be together may begin anywhere.
    const isOfGroup = matchesSelector(labelSelector, pod.metadata?.labels);
    const isFirst =
      isOfGroup &&
      !pods.some(
        (one) =>
          one.metadata?.namespace === namespace &&
          matchesSelector(labelSelector, one.metadata?.labels) &&
          one.spec?.nodeName !== undefined,
      );
    if (!isFirst && beside(topologyKey, labelSelector).length === 0)
      found.push({ type: 'together', selector: labelSelector });
  }
  for (const constraint of pod.spec?.topologySpreadConstraints ?? []) {
    const obstacle = spreadObstacle(constraint, own, node, nodes, beside, pod);
    if (obstacle !== undefined) found.push(obstacle);
  }
  return found;
}

function spreadObstacle(
  { topologyKey = '', whenUnsatisfiable, maxSkew = 1, labelSelector = {} }: Constraint,
  own: (key: string) => string | undefined,
  node: Node,
  nodes: readonly Node[],
  beside: (key: string, selector: LabelSelector) => readonly Pod[],
  pod: Pod,
): Obstacle | undefined {
  if (whenUnsatisfiable === 'ScheduleAnyway') return undefined;
  if (own(topologyKey) === undefined) return { type: 'spread-label', key: topologyKey };
  // Domains that have no such pod at all decide; which of them count depends on policies of the constraint.
  const here = beside(topologyKey, labelSelector).length;
  const selected = nodes.filter(
    (one) => isSelected(pod, one) && one.metadata?.labels?.[topologyKey] !== undefined,
  );
  const isAlone = selected.every((one) => one.metadata?.labels?.[topologyKey] === own(topologyKey));
  return !isAlone && here >= maxSkew && node.metadata?.name !== undefined
    ? { type: 'spread', key: topologyKey }
    : undefined;
}

/** How nodes fit a pod. */
export interface Fit {
  /** No node is selected: the labels or terms alone. */
  readonly unselected: boolean;
  /** Nodes are selected, and the volumes of the pod can be used from none of them. */
  readonly unreached: boolean;
  /** The nodes that are selected and reached, with what keeps them from the pod. */
  readonly judged: readonly { readonly node: Node; readonly obstacles: readonly Obstacle[] }[];
}

/** Obstacles of each node that a pod selects. */
export function fitOf(pod: Pod, volumes: readonly PersistentVolume[], around: Surroundings): Fit {
  const selected = around.nodes.filter((node) => isSelected(pod, node));
  const reached = selected.filter((node) => isReached(volumes, node));
  return {
    unselected: selected.length === 0,
    unreached: selected.length > 0 && reached.length === 0,
    judged: reached.map((node) => ({ node, obstacles: obstaclesOf(pod, node, around) })),
  };
}
