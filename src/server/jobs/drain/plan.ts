import type { JobPlan } from '../../../contract/objects.ts';
import type { Pod } from '../../../kube/core.ts';
import { type EvictedPod, evictedPod, judgeEvictions } from '../../../kube/disruption.ts';
import { type DrainClass, drainClass } from '../../../kube/drain.ts';
import { cleanText } from '../../../kube/text.ts';
import { readAll, shaped } from '../../objects/read.ts';
import type { JobContext } from '../job.ts';
import { type Budgets, budgetNotes, verdictText } from './budgets.ts';

/** Pods that one node is drained of at most; Kubernetes runs some hundreds on one. */
const maxPodsPerNode = 2_000;

/** A pod of the node and what becomes of it. */
export interface DrainedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly class: DrainClass;
  /** The facts that decide its eviction. */
  readonly eviction: EvictedPod;
}

/** The pods of a node, each with what a drain does with it. Throws ClusterProblem. */
export async function podsToDrain(
  { transport, cluster }: Pick<JobContext, 'transport' | 'cluster'>,
  node: string,
): Promise<DrainedPod[]> {
  const found = await readAll(transport, {
    path: '/api/v1/pods',
    fieldSelector: `spec.nodeName=${node}`,
    what: 'pods',
    limit: maxPodsPerNode,
    tooMany: `${node} has more than ${maxPodsPerNode.toLocaleString('en')} pods, more than this console drains.`,
    cluster: cluster.name,
  });
  return found
    .map((pod: Pod) => ({
      namespace: pod.metadata?.namespace ?? '',
      name: pod.metadata?.name ?? '',
      uid: pod.metadata?.uid ?? '',
      ...shaped('A pod', () => ({ class: drainClass(pod), eviction: evictedPod(pod) })),
    }))
    .sort((a, b) => podPath(a).localeCompare(podPath(b), 'en'));
}

/** The name of a pod in messages: `shop/api`. */
export const podPath = ({ namespace, name }: Pick<DrainedPod, 'namespace' | 'name'>): string =>
  cleanText(`${namespace}/${name}`);

/** Whether a drain evicts pods whose data is lost, and pods that nothing recreates. */
export interface DrainChoice {
  readonly data: boolean;
  readonly unmanaged: boolean;
}

/** Why a node cannot be drained by this choice; null when it can. */
export function drainBlocked(pods: readonly DrainedPod[], choice: DrainChoice): string | null {
  const of = (wanted: DrainClass) => pods.filter((pod) => pod.class === wanted);
  const data = choice.data ? [] : of('data');
  const unmanaged = choice.unmanaged ? [] : of('unmanaged');
  const said = [
    ...(data.length === 0
      ? []
      : [`${podNames(data)} ${data.length === 1 ? 'keeps' : 'keep'} data on the node that would be lost`]),
    ...(unmanaged.length === 0
      ? []
      : [
          `${podNames(unmanaged)} ${unmanaged.length === 1 ? 'has' : 'have'} no controller to make ${unmanaged.length === 1 ? 'it' : 'them'} anew`,
        ]),
  ];
  return said.length === 0
    ? null
    : `${said.join('; ')}. Say that it may be evicted all the same, or move it first.`;
}

const maxNamed = 3;
function podNames(pods: readonly DrainedPod[]): string {
  const names = pods.slice(0, maxNamed).map(podPath).join(', ');
  return pods.length > maxNamed ? `${names} and ${pods.length - maxNamed} more` : names;
}

const groups: readonly (readonly [DrainClass, string, JobPlan['lines'][number]['tone'], string | null])[] = [
  ['data', 'Evicted, with data lost', 'bad', 'keeps data on the node (emptyDir), which is lost'],
  ['unmanaged', 'Evicted, not recreated', 'bad', 'has no controller: nothing makes it anew'],
  ['evict', 'Evicted', 'info', null],
  ['leaving', 'Already terminating', 'idle', 'is being deleted; the drain waits for it'],
  ['daemon', 'Stay', 'idle', 'belongs to a DaemonSet, which would put it back at once'],
  ['mirror', 'Stay', 'idle', 'is run by the node itself (mirror pod)'],
];

/** The classes of pods that are evicted. */
const evictedClasses: readonly DrainClass[] = ['data', 'unmanaged', 'evict'];

/**
 * The plan of a drain, and which evictions the disruption budgets delay now. Throws ClusterProblem for budgets of
 * another shape.
 * @param pods in the order in which they are evicted
 */
export function drainPlan(
  pods: readonly DrainedPod[],
  choice: DrainChoice,
  isCordoned: boolean,
  budgets: Budgets,
): JobPlan {
  const leaving = pods.filter((pod) => evictedClasses.includes(pod.class));
  const verdicts = shaped('A disruption budget', () =>
    judgeEvictions(
      leaving.map(({ eviction }) => eviction),
      budgets.type === 'read' ? budgets.budgets : [],
    ),
  );
  const verdictOf = new Map(leaving.map((pod, index) => [pod, verdicts[index]]));
  const lines = groups.flatMap(([wanted, group, tone, about]) =>
    pods
      .filter((pod) => pod.class === wanted)
      .map((pod) => {
        const verdict = verdictOf.get(pod) ?? { type: 'goes' };
        const held = verdictText(verdict);
        const texts = [about, held].filter((text) => text !== null);
        return {
          group,
          name: podPath(pod),
          about: texts.length === 0 ? null : texts.join('; '),
          tone: held === null || tone === 'bad' ? tone : verdict.type === 'refused' ? 'bad' : 'warn',
        };
      }),
  );
  return {
    lines,
    notes: [
      isCordoned
        ? 'The node is already cordoned.'
        : 'The node is cordoned first: no new pods are scheduled on it.',
      ...budgetNotes(budgets, verdicts),
    ],
    blocked: drainBlocked(pods, choice),
  };
}
