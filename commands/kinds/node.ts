import { objectPath, patchTypes } from '../../src/kube/change.ts';
import { isSame } from '../../src/kube/json-diff.ts';
import { kubectlObject } from '../../src/kube/kubectl.ts';
import { type Node, nodeRoles } from '../../src/kube/infrastructure.ts';
import { lastCordon } from '../../src/kube/last-change.ts';
import type { Condition } from '../../src/kube/object.ts';
import { parseQuantity } from '../../src/kube/quantity.ts';
import { condition } from '../../src/kube/workload-status.ts';
import { variantOf } from '../../src/registry/kinds/attention.ts';
import { polarityOf } from '../../src/registry/custom-status/polarity.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { kindAction } from '../../src/registry/kinds/kind-action.ts';
import { usageColumns } from './parts/usage-columns.ts';

/** Conditions of the kubelet and the cloud's controllers, which go before what other agents report. */
const pressures: readonly string[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];
/** Types that say that something is as it should be, though no convention for their words does: `EtcdIsVoter` of k3s. */
const factual = /Is[A-Z]\w*$|(?:OK|Enabled|Supported)$/;

/** Whether a condition besides Ready reports a problem: any agent may add its own, by convention True if it does. */
function isProblem({ type, status }: Condition): boolean {
  const polarity = polarityOf(type);
  if (polarity === 'head' || polarity === 'good') return status === 'False';
  if (status !== 'True') return false;
  return polarity === 'bad' || polarity === 'warn' || (polarity === 'none' && !factual.test(type));
}

/** The conditions besides Ready that say what is wrong with a node. */
const problemsOf = ({ status }: Node): readonly Condition[] =>
  status?.conditions?.filter((one) => one.type !== 'Ready' && isProblem(one)) ?? [];

/** That of them which says it best; undefined if none does. */
const pressureOf = (node: Node): Condition | undefined => {
  const problems = problemsOf(node);
  return problems.find(({ type }) => pressures.includes(type)) ?? problems[0];
};
const addressOf = (object: Node, type: string) =>
  object.status?.addresses?.find((one) => one.type === type)?.address ?? null;

/** A drain option for evicting pods that would lose something. */
const choice = (label: string, evict: string) =>
  ({
    type: 'choice',
    label,
    options: [
      { value: 'stop', label: 'Do not drain while there are any' },
      { value: 'evict', label: evict },
    ],
    default: 'stop',
  }) as const;

/** Whether a node is given a taint that ends the pods that do not tolerate it. */
const gainsNoExecute = (before: Node, after: Node): boolean =>
  (after.spec?.taints ?? []).some(
    (taint) => taint.effect === 'NoExecute' && !(before.spec?.taints ?? []).some((had) => isSame(had, taint)),
  );

export const node = defineKind<Node>({
  id: 'node',
  isDeletionGrave: true,
  kind: 'Node',
  group: '',
  version: 'v1',
  plural: 'nodes',
  scope: 'Cluster',
  aliases: ['no', 'nodes'],
  title: 'Nodes',
  icon: 'node',
  asksForName: true,
  deletionReaches: 'running',
  permissions: { view: 'clusters.view', manage: 'resources.manage' },
  paths: { list: '/clusters/:clusterId/nodes', detail: ['/clusters/:clusterId/nodes/:nodeName'] },
  sidebar: { section: 'Cluster', order: 30, keys: 'g n' },
  status: (object) => {
    const ready = condition(object.status?.conditions, 'Ready');
    const cordoned = object.spec?.unschedulable === true ? ', cordoned' : '';
    if (ready?.status !== 'True') {
      return { tone: 'bad', label: `${ready?.status === 'False' ? 'NotReady' : 'Unknown'}${cordoned}` };
    }
    const pressure = pressureOf(object);
    if (pressure !== undefined) {
      const negation = pressure.status === 'False' ? 'Not ' : '';
      return { tone: 'warn', label: `${negation}${pressure.type}${cordoned}` };
    }
    return cordoned === '' ? { tone: 'ok', label: 'Ready' } : { tone: 'idle', label: 'Ready, cordoned' };
  },
  statuses: [
    { label: 'NotReady', keywords: ['not ready', 'unready', 'down'] },
    { label: 'Cordoned', keywords: ['unschedulable', 'schedulingdisabled'] },
    { label: 'MemoryPressure', keywords: ['pressure'] },
    { label: 'DiskPressure', keywords: ['pressure'] },
  ],
  attention: (object) => {
    const ready = condition(object.status?.conditions, 'Ready');
    const bad = ready?.status !== 'True' ? ready : pressureOf(object);
    if (ready?.status === 'True' && bad === undefined) return undefined;
    const since = Date.parse(bad?.lastTransitionTime ?? '');
    return {
      rule: ready?.status === 'True' ? 'node.pressure' : 'node.not-ready',
      tone: ready?.status === 'True' ? 'warn' : 'bad',
      title:
        ready?.status === 'True'
          ? `The node reports ${bad?.status === 'False' ? 'no ' : ''}${bad?.type ?? 'pressure'}.`
          : ready === undefined
            ? 'The node has not reported whether it is ready.'
            : 'The node is not ready.',
      isCause: true,
      ...(ready?.status === 'True'
        ? { variant: variantOf(bad?.type ?? ''), extent: problemsOf(object).length }
        : {}),
      // The node controller gives up a silent node after 40 s.
      ...(ready?.status === 'Unknown' ? { isHard: true } : {}),
      ...(bad?.message === undefined ? {} : { detail: bad.message }),
      ...(object.spec?.unschedulable === true ? {} : { action: 'node.cordon' }),
      ...(Number.isNaN(since) ? {} : { since: Math.floor(since / 1000) }),
    };
  },
  rules: ['node.not-ready', 'node.pressure'],
  changed: lastCordon,
  columns: [
    'name',
    'status',
    {
      id: 'roles',
      label: 'Roles',
      format: 'text',
      dropAt: 3,
      value: (object) => nodeRoles(object).join(', ') || null,
    },
    { id: 'pods', label: 'Pods', format: 'number', join: 'podsOfNode', dropAt: 2, value: () => null },
    {
      id: 'cpu',
      label: 'CPU',
      format: 'cores',
      dropAt: 4,
      value: (object) => parseQuantity(object.status?.allocatable?.['cpu']) ?? null,
    },
    {
      id: 'memory',
      label: 'Memory',
      format: 'bytes',
      dropAt: 4,
      value: (object) => parseQuantity(object.status?.allocatable?.['memory']) ?? null,
    },
    ...usageColumns,
    {
      id: 'taints',
      label: 'Taints',
      format: 'number',
      wide: true,
      dropAt: 5,
      value: (object) => object.spec?.taints?.length ?? 0,
    },
    {
      id: 'version',
      label: 'Version',
      format: 'text',
      dropAt: 3,
      value: (object) => object.status?.nodeInfo?.kubeletVersion ?? null,
    },
    {
      id: 'internal-ip',
      label: 'Internal IP',
      format: 'mono',
      wide: true,
      dropAt: 5,
      value: (object) => addressOf(object, 'InternalIP'),
    },
    {
      id: 'os',
      label: 'OS',
      format: 'text',
      wide: true,
      dropAt: 6,
      value: (object) => object.status?.nodeInfo?.osImage ?? null,
    },
    'labels',
    'age',
  ],
  facts: (object) => ({
    isCordoned: object.spec?.unschedulable === true,
    cpu: parseQuantity(object.status?.allocatable?.['cpu']) ?? 0,
    memory: parseQuantity(object.status?.allocatable?.['memory']) ?? 0,
    pods: parseQuantity(object.status?.allocatable?.['pods']) ?? 0,
  }),
  joins: ['podsOfNode', 'metrics'],
  usage: 'node',
  graph: 'shared',
  pods: (object) => ({ nodeName: object.metadata?.name ?? '' }),
  sections: [
    {
      title: 'System',
      fields: [
        { label: 'Roles', format: 'text', value: (object) => nodeRoles(object).join(', ') || null },
        { label: 'Internal IP', format: 'mono', value: (object) => addressOf(object, 'InternalIP') },
        { label: 'External IP', format: 'mono', value: (object) => addressOf(object, 'ExternalIP') },
        {
          label: 'Kubelet',
          format: 'text',
          value: (object) => object.status?.nodeInfo?.kubeletVersion ?? null,
        },
        { label: 'OS', format: 'text', value: (object) => object.status?.nodeInfo?.osImage ?? null },
        {
          label: 'Kernel',
          format: 'text',
          value: (object) => object.status?.nodeInfo?.kernelVersion ?? null,
        },
        {
          label: 'Runtime',
          format: 'text',
          value: (object) => object.status?.nodeInfo?.containerRuntimeVersion ?? null,
        },
        {
          label: 'Taints',
          format: 'mono',
          value: (object) =>
            (object.spec?.taints ?? []).map(
              ({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`,
            ),
        },
      ],
    },
    'capacity',
    'conditions',
    'pods',
    'metadata',
    'events',
    'yaml',
  ],
  // A taint that pods do not tolerate ends those that run: it drains the node.
  endsBy: gainsNoExecute,
  isGraveBy: gainsNoExecute,
  actions: [
    kindAction<Node>({
      id: 'node.cordon',
      title: 'Cordon',
      description: 'Keeps new pods off the node; running ones stay.',
      done: 'cordoned',
      icon: 'cordon',
      keywords: ['unschedulable', 'disable', 'maintenance'],
      endsPods: false,
      prominent: true,
      applies: ({ facts }) => facts['isCordoned'] !== true,
      requests: (_object, _args, { address }) => [
        {
          method: 'PATCH',
          path: objectPath(address),
          contentType: patchTypes.merge,
          body: { spec: { unschedulable: true } },
        },
      ],
      kubectl: (address) => `kubectl cordon ${kubectlObject(address)}`,
    }),
    kindAction<Node>({
      id: 'node.uncordon',
      title: 'Uncordon',
      description: 'Lets new pods onto the node again.',
      done: 'uncordoned',
      icon: 'uncordon',
      keywords: ['schedulable', 'enable'],
      endsPods: false,
      prominent: true,
      applies: ({ facts }) => facts['isCordoned'] === true,
      requests: (_object, _args, { address }) => [
        {
          method: 'PATCH',
          path: objectPath(address),
          contentType: patchTypes.merge,
          body: { spec: { unschedulable: null } },
        },
      ],
      kubectl: (address) => `kubectl uncordon ${kubectlObject(address)}`,
    }),
    kindAction<
      Node,
      {
        data: ReturnType<typeof choice>;
        unmanaged: ReturnType<typeof choice>;
        limit: { type: 'number'; label: string; min: number; max: number; initial: number };
      }
    >({
      id: 'node.drain',
      title: 'Drain…',
      description:
        'Cordons the node and evicts its pods, as far as disruption budgets allow. It continues on the server when you leave.',
      done: 'drained',
      icon: 'drain',
      keywords: ['evacuate', 'empty', 'disable', 'maintenance'],
      harsherThan: 'node.cordon',
      prominent: true,
      single: true,
      dangerous: true,
      isGrave: true,
      endsPods: true,
      needs: ['resources.manage', 'pods.manage'],
      args: {
        data: choice('Pods with data on the node', 'Evict them: their emptyDir data is lost'),
        unmanaged: choice('Pods without a controller', 'Evict them: nothing recreates them'),
        limit: { type: 'number', label: 'Time limit, minutes', min: 1, max: 1440, initial: 30 },
      },
      job: 'drain',
      kubectl: (address, { data, unmanaged, limit }) =>
        [
          `kubectl drain ${kubectlObject(address)} --ignore-daemonsets`,
          ...(data === 'evict' ? ['--delete-emptydir-data'] : []),
          ...(unmanaged === 'evict' ? ['--force'] : []),
          `--timeout=${limit}m`,
        ].join(' '),
    }),
  ],
});
