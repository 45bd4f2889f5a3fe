import type { PodTemplate } from '../../../kube/apps.ts';
import type { Pod } from '../../../kube/core.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import type { ResourceQuota } from '../../../kube/quota.ts';
import type { Evidence } from '../../../contract/diagnosis.ts';
import type { Ref } from '../../../contract/objects.ts';
import { Problem } from '../../../contract/problem.ts';
import { counted } from '../../../registry/counted.ts';
import { isSelected, obstaclesOf, requestedResources, requestOf } from '../../diagnosis/rules/node-fit.ts';
import { amountText } from '../../diagnosis/rules/placement-change.ts';
import type { ToldObject } from '../sight.ts';
import {
  type AskedQuestion,
  fieldOf,
  listed,
  readList,
  readSubject,
  type RuleAnswer,
  subjectsOf,
} from './asking.ts';
import { titleOf } from './question-names.ts';

/** A workload whose replicas are asked about. */
interface Scaled extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly template?: PodTemplate };
}

/** More replicas than are placed: beyond that the answer is that there is room for at least so many. */
const extraLimit = 100;
/** Nodes and quotas that are cited. */
const citedLimit = 3;

/** Everything that a person views of the nodes and pods of the cluster. */
const wholeCluster: readonly ToldObject[] = [
  { kind: 'node', need: 'asker' },
  { kind: 'pod', need: 'asker' },
];

/** A limit to the number of further replicas. */
interface Bound {
  readonly extra: number;
  /** Why there are no more, a part of a sentence. */
  readonly why: string;
  readonly evidence: readonly Evidence[];
}

/** Whether there is room for more replicas of a workload, by the quotas of its namespace and the nodes. */
export function room(asked: AskedQuestion): RuleAnswer {
  return {
    about: 'Room for more replicas',
    objects: wholeCluster,
    async read(answer) {
      const [ref] = subjectsOf(asked);
      const workload = ref === undefined ? undefined : ((await readSubject(asked, ref)) as Scaled);
      const template = workload?.spec?.template;
      if (ref === undefined || template === undefined || workload?.spec?.replicas === undefined) {
        answer.note(
          'The question does not say for which workload. Name a Deployment or StatefulSet, such as “Is there room to scale cart to 5?”.',
        );
        return { summary: 'Nothing was looked up.' };
      }
      const now = workload.spec.replicas;
      const { amount } = asked.parsed;
      const wanted = amount === undefined ? undefined : amount.isMore ? now + amount.count : amount.count;
      const own = [
        fieldOf(ref, 'spec.replicas', now),
        ...(template.spec?.containers ?? []).flatMap(({ resources }, at) =>
          resources?.requests === undefined
            ? []
            : [fieldOf(ref, `spec.template.spec.containers[${at}].resources.requests`, resources.requests)],
        ),
      ];
      if (wanted !== undefined && wanted <= now) {
        answer.say(`${titleOf(ref)} already has ${counted(now, 'replica')}: no more room is needed.`, {
          evidence: own,
        });
        return { summary: 'No more room is needed.' };
      }
      const extra = Math.min(extraLimit, wanted === undefined ? extraLimit : wanted - now);
      const pod = podFrom(template, ref);
      const quota = await quotaBound(asked, pod, ref.namespace);
      const { bound: nodes, notes } = await nodeBound(asked, pod, extra);
      for (const text of [...quota.notes, ...notes]) answer.note(text, wholeCluster);
      const bounds = [...quota.bounds, ...(nodes === undefined ? [] : [nodes])];
      const text = verdictText({ ref, now, wanted, extra, bounds, areNodesKnown: nodes !== undefined });
      answer.say(`${text} ${requestText(pod)}`, {
        evidence: [...own, ...bounds.flatMap(({ evidence }) => evidence)],
        objects: wholeCluster,
      });
      answer.note('Volumes, priorities, and nodes that an autoscaler could add are not counted.');
      return { summary: 'Computed from quotas and nodes.' };
    },
  };
}

interface Verdict {
  readonly ref: Ref;
  readonly now: number;
  readonly wanted: number | undefined;
  /** Replicas besides the present ones that were tried. */
  readonly extra: number;
  readonly bounds: readonly Bound[];
  readonly areNodesKnown: boolean;
}

function verdictText({ ref, now, wanted, extra, bounds, areNodesKnown }: Verdict): string {
  const [least] = bounds.toSorted((a, b) => a.extra - b.extra);
  const most = Math.min(extra, least?.extra ?? extra);
  const title = titleOf(ref);
  const whose = areNodesKnown ? '' : ' as far as quotas go';
  if (wanted === undefined)
    return least === undefined || most >= extraLimit
      ? `There is room for at least ${counted(most, 'more replica')} of ${title}${whose}.`
      : `There is room for ${counted(most, 'more replica')} of ${title}${whose}: ${least.why}.`;
  if (least === undefined || most >= Math.min(extra, wanted - now))
    return `There is room to scale ${title} from ${now} to ${now + most}${whose}${now + most < wanted ? '; more were not tried' : ''}.`;
  return `There is no room to scale ${title} to ${wanted}: it can go to ${now + most}, as ${least.why}.`;
}

/** The requests of one more replica, as a sentence. */
function requestText(pod: Pod): string {
  const asked = requestedResources(pod).flatMap((resource) => {
    const amount = requestOf(pod, resource);
    return amount > 0 ? [`${amountText(amount, resource)} ${resource}`] : [];
  });
  return asked.length === 0
    ? 'Its pods request nothing, so only their number counts.'
    : `Each pod requests ${listed(asked)}.`;
}

const podFrom = ({ metadata, spec }: PodTemplate, { namespace, name }: Ref): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
    ...(namespace === undefined ? {} : { namespace }),
    name: `${name}-new`,
  },
  spec: spec ?? {},
});

/** The sum of what the containers of a pod name as a limit. */
const limitOf = ({ spec }: Pod, resource: string): number =>
  (spec?.containers ?? []).reduce(
    (sum, { resources }) => sum + (parseQuantity(resources?.limits?.[resource]) ?? 0),
    0,
  );

/** Amount that a pod takes of a resource of a quota; undefined for a resource that pods do not take. */
function takenBy(pod: Pod, key: string): number | undefined {
  if (key === 'pods' || key === 'count/pods') return 1;
  const [, side = 'requests', resource = ''] =
    /^(?:(requests|limits)\.)?(cpu|memory|ephemeral-storage|hugepages-\S+|[\w.-]+\/[\w.-]+)$/.exec(key) ?? [];
  if (resource === '' || resource.includes('storageclass') || resource.startsWith('count/')) return undefined;
  return side === 'limits' ? limitOf(pod, resource) : requestOf(pod, resource);
}

/** Resources of a quota of which every pod has to set something. */
const isRequired = (key: string): boolean => /^(?:requests\.|limits\.)?(?:cpu|memory)$/.test(key);

/** How many more pods the quotas of a namespace allow. */
async function quotaBound(asked: AskedQuestion, pod: Pod, namespace: string | undefined) {
  const notes: string[] = [];
  const rows = await seenRows(asked, 'resourcequota', namespace);
  if (rows === undefined) notes.push('Quotas are not seen: you lack the permission to view them.');
  const bounds = (rows?.rows ?? []).flatMap(({ ref, object }): Bound[] => {
    const { spec, status } = object as ResourceQuota;
    if (spec?.scopes !== undefined || spec?.scopeSelector !== undefined) {
      notes.push(`The quota ${ref.name} is for some pods only, and was not counted.`);
      return [];
    }
    return Object.entries(status?.hard ?? {}).flatMap(([key, hard]): Bound[] => {
      const each = takenBy(pod, key);
      const left = (parseQuantity(hard) ?? 0) - (parseQuantity(status?.used?.[key]) ?? 0);
      if (each === undefined) return [];
      if (each === 0 && !isRequired(key)) return [];
      const evidence = [fieldOf(ref, 'status.hard', status?.hard), fieldOf(ref, 'status.used', status?.used)];
      if (each === 0)
        return [
          { extra: 0, why: `the quota ${ref.name} requires ${key}, which its pods do not set`, evidence },
        ];
      // Amounts as 0.1 are not exact.
      const extra = Math.max(0, Math.floor(left / each + 1e-9));
      const why = `the quota ${ref.name} has ${status?.used?.[key] ?? '0'} of ${hard} ${key} in use`;
      return [{ extra, why, evidence }];
    });
  });
  return { bounds, notes };
}

/** The objects of a list with whether they are all; undefined where the person may not view them. */
async function seenRows(asked: AskedQuestion, kindId: string, namespace: string | undefined) {
  try {
    const { rows, kind, isWhole } = await readList(asked, kindId, namespace);
    const { held, excluded } = await asked.parts.reach();
    const isAll =
      namespace !== undefined ||
      (held.namespacesFor(kind.permissions.view) === 'all' &&
        (kind.scope === 'Cluster' || excluded.size === 0));
    return { rows, isWhole: isWhole && isAll };
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return undefined;
    throw error;
  }
}

const isReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

const followsOthers = ({ spec }: Pod): boolean =>
  spec?.topologySpreadConstraints !== undefined ||
  spec?.affinity?.podAffinity !== undefined ||
  spec?.affinity?.podAntiAffinity !== undefined;

/** How many more pods the nodes take, at most as many as are asked for; undefined where nodes are not seen. */
async function nodeBound(
  asked: AskedQuestion,
  pod: Pod,
  extra: number,
): Promise<{ readonly bound: Bound | undefined; readonly notes: readonly string[] }> {
  const found = await seenRows(asked, 'node', undefined);
  if (found === undefined || found.rows.length === 0)
    return { bound: undefined, notes: ['Nodes are not seen: you lack the permission to view them.'] };
  const pods = await seenRows(asked, 'pod', undefined);
  const nodes = found.rows.map(({ object }) => object as Node);
  const placed = (pods?.rows ?? []).map(({ object }) => object as Pod);
  const { count, last } = placedOn(nodes, placed, pod, extra);
  const notes = [
    ...(found.isWhole ? [] : ['Not all nodes were read.']),
    ...(pods?.isWhole === true
      ? []
      : ['Pods that you do not see are not counted, so there may be less room.']),
  ];
  const evidence = found.rows
    .slice(0, citedLimit)
    .map(({ ref, object }) => fieldOf(ref, 'status.allocatable', (object as Node).status?.allocatable));
  return { bound: { extra: count, why: last, evidence }, notes };
}

/** Places copies of a pod on nodes, one after the other. */
function placedOn(
  nodes: readonly Node[],
  placed: readonly Pod[],
  pod: Pod,
  extra: number,
): { readonly count: number; readonly last: string } {
  const all = [...placed];
  const ready = nodes.filter(isReady);
  let open = ready.filter((node) => isSelected(pod, node));
  if (open.length === 0)
    return {
      count: 0,
      last: ready.length === 0 ? 'no node is ready' : 'no ready node fits what its pods select',
    };
  const isFree = (node: Node) => obstaclesOf(pod, node, { nodes, pods: all }).length === 0;
  let count = 0;
  while (count < extra) {
    // A node without room for one pod has none for the next, unless the others decide.
    if (!followsOthers(pod)) while (open[0] !== undefined && !isFree(open[0])) open = open.slice(1);
    const node = followsOthers(pod) ? open.find(isFree) : open[0];
    const name = node?.metadata?.name;
    if (name === undefined) break;
    count += 1;
    all.push({
      ...pod,
      metadata: { ...pod.metadata, name: `${pod.metadata?.name ?? ''}-${count}` },
      spec: { ...pod.spec, nodeName: name },
    });
  }
  const fitting = ready.filter((node) => isSelected(pod, node));
  return { count, last: obstacleText(pod, fitting, nodes, all) };
}

/** The resources that the nodes lack for one more pod, as a part of a sentence. */
function obstacleText(
  pod: Pod,
  fitting: readonly Node[],
  nodes: readonly Node[],
  pods: readonly Pod[],
): string {
  const lacking = new Set(
    fitting.flatMap((node) => {
      const [first] = obstaclesOf(pod, node, { nodes, pods });
      if (first === undefined) return [];
      return first.type === 'resource' ? `not enough ${first.resource}` : otherObstacles[first.type];
    }),
  );
  const number = `${fitting.length === 1 ? 'the one node' : `the ${fitting.length} nodes`} that could run its pods`;
  return `${number} ${fitting.length === 1 ? 'has' : 'have'} ${listed([...lacking])}`;
}

const otherObstacles = {
  cordoned: 'been cordoned',
  taint: 'taints that they do not tolerate',
  pods: 'as many pods as they may',
  ports: 'their host port in use',
  apart: 'pods that they keep away from',
  together: 'no pod that they want beside them',
  spread: 'no place that their spread constraint allows',
  'spread-label': 'no label for their spread constraint',
} as const;
