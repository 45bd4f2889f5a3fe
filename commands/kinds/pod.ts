import { objectPath } from '../../src/kube/change.ts';
import { imagesOf } from '../../src/kube/apps.ts';
import type { Pod } from '../../src/kube/core.ts';
import { kubectlObject, shellWord } from '../../src/kube/kubectl.ts';
import { isNodeNotReady, isNotReady, podHealth } from '../../src/kube/pod-status.ts';
import { type PodTrouble, podTrouble } from '../../src/kube/pod-trouble.ts';
import {
  type SharedCause,
  sharedCause,
  sharedImageCause,
  sharedPlacement,
} from '../../src/kube/shared-cause.ts';
import { isSame } from '../../src/kube/json-diff.ts';
import { podLimit, podRequests } from '../../src/kube/requests.ts';
import type { Attention } from '../../src/registry/kinds/attention.ts';
import { type Around, defineKind, type KindStatus } from '../../src/registry/kinds/kind.ts';
import { kindAction } from '../../src/registry/kinds/kind-action.ts';
import { deletion } from '../../src/registry/kinds/object-actions.ts';
import type { Tone } from '../../src/registry/tone.ts';
import { controllerOf } from '../../src/kube/owners.ts';
import { podStatuses } from './parts/pod-statuses.ts';
import { podSpecUses } from './parts/pod-spec.ts';
import { usageColumns } from './parts/usage-columns.ts';
import { warningOf } from './parts/warnings.ts';
import { imagesColumn, ownerColumn, readyColumn } from './parts/workload.ts';

function toneOf(reason: string, isFailing: boolean): Tone {
  if (isFailing) return 'bad';
  if (reason === 'Unknown' || reason === 'NodeLost' || reason === notReady || reason === nodeNotReady)
    return 'warn';
  if (reason === 'Completed' || reason === 'Succeeded' || reason === 'SchedulingGated') return 'idle';
  return reason === 'Running' ? 'ok' : 'info';
}

const notReady = 'Not ready';
const nodeNotReady = 'Node not ready';
/** In place of a container, where a problem is not about one. */
const noContainer = 'a container';

/** The word for a failed pod whose first container completed, which is all that kubectl shows: that of the one that failed. */
function failedWord({ status = {} }: Pod): string {
  const ended = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const failed = ended.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  return failed?.state?.terminated?.reason || 'Failed';
}

/**
 * The status of a pod in kubectl's words, except for failed pods that are called completed, and running ones that are
 * not ready: kubectl shows in another column that a container is not, and nowhere that the node is not. A starting or
 * terminating pod is no problem within its time limits.
 */
function status(object: Pod): KindStatus {
  const { reason, ready, total, isFailing } = podHealth(object);
  if (reason === 'Running' && ready >= total && !isNotReady(object)) return { tone: 'ok', label: reason };
  if (isFailing && reason === 'Completed') return { tone: 'bad', label: failedWord(object) };
  const unready = isNodeNotReady(object) ? nodeNotReady : notReady;
  const label = reason === 'Running' || reason === 'NotReady' ? unready : reason;
  const now = { tone: toneOf(label, isFailing), label };
  if (now.tone !== 'info' && now.tone !== 'warn') return now;
  const { isStarting, notBefore, cause } = podTrouble(object) ?? {};
  if (notBefore === undefined || (isStarting !== true && cause !== 'not-ending')) return now;
  return { tone: 'info', label, later: { at: notBefore, status: { tone: 'warn', label } } };
}

/** The workload that replaces a pod's controller in remedies: the Deployment for a ReplicaSet. */
const workloads: Readonly<Record<string, string>> = {
  ReplicaSet: 'deployment',
  StatefulSet: 'statefulset',
  DaemonSet: 'daemonset',
};

/**
 * Rules for the problems of pods: tone, sentence, and remedy: a verb of the workload, deletion of the pod (by force if
 * nothing else ends it), or none.
 */
const rules: Readonly<
  Record<
    PodTrouble['cause'],
    {
      readonly rule: string;
      readonly tone: 'warn' | 'bad';
      readonly title: (container: string, restarts: number) => string;
      readonly helps: 'rollback' | 'restart' | 'scale' | 'delete' | 'kill' | undefined;
    }
  >
> = {
  image: {
    rule: 'pod.image',
    tone: 'bad',
    title: (container) => `The image of ${container} cannot be pulled.`,
    helps: 'rollback',
  },
  'crash-loop': {
    rule: 'pod.crash-loop',
    tone: 'bad',
    title: (container, restarts) =>
      restarts < 2
        ? `${capital(container)} exited, but should keep running.`
        : `${capital(container)} keeps crashing (${restarts} restarts).`,
    helps: 'rollback',
  },
  oom: {
    rule: 'pod.oom',
    tone: 'bad',
    title: (container) => `${capital(container)} was killed for using more memory than its limit.`,
    helps: 'rollback',
  },
  config: {
    rule: 'pod.config',
    tone: 'bad',
    title: (container) => `${capital(container)} cannot start: its configuration is wrong.`,
    helps: 'rollback',
  },
  unschedulable: {
    rule: 'pod.unschedulable',
    tone: 'warn',
    title: () => 'No node can take this pod.',
    helps: 'scale',
  },
  // The remedy is on the claim's own page, which explains why it has no volume.
  claim: {
    rule: 'pod.claim',
    tone: 'warn',
    title: () => 'The pod waits for the volumes of its claims.',
    helps: undefined,
  },
  failed: { rule: 'pod.failed', tone: 'bad', title: () => 'The pod has failed.', helps: 'delete' },
  'not-starting': {
    rule: 'pod.not-starting',
    tone: 'warn',
    title: () => 'The containers of this pod have not started yet.',
    helps: 'rollback',
  },
  unready: {
    rule: 'pod.unready',
    tone: 'warn',
    title: (container) =>
      container === noContainer
        ? 'The pod is not ready, though its containers are.'
        : `${capital(container)} runs but is not ready.`,
    helps: 'restart',
  },
  'node-lost': {
    rule: 'pod.node-lost',
    tone: 'bad',
    title: () => 'The node of this pod does not answer.',
    helps: 'delete',
  },
  // The remedy is an action on the node, which has a line of its own.
  'node-unready': {
    rule: 'pod.node-unready',
    tone: 'warn',
    title: () => 'The pod is not ready because its node is not.',
    helps: undefined,
  },
  'not-ending': {
    rule: 'pod.not-ending',
    tone: 'warn',
    title: () => 'The pod is stuck in deletion: its node has not reported that its containers ended.',
    helps: 'kill',
  },
};

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The memory limit of a container in its original notation. */
function limitOf({ spec }: Pod, name: string | undefined): string | undefined {
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return all.find((one) => one.name === name)?.resources?.limits?.['memory'];
}

/** The names of the claims that a pod mounts. */
const claimsOf = ({ spec }: Pod): readonly string[] =>
  spec?.volumes?.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []) ?? [];

/** The explanation of a problem. Only events explain failed probes and what keeps containers from starting. */
function detailOf({ cause, detail }: PodTrouble, around: Around | undefined): string | undefined {
  if (cause === 'unready') return warningOf(around, 'Unhealthy') ?? detail;
  if (cause === 'not-starting')
    return warningOf(around, 'FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox') ?? detail;
  if (cause !== 'crash-loop') return detail;
  // A container killed because of a probe exits like any other killed container.
  const probe = warningOf(around, 'Unhealthy');
  const isKilled =
    /code (137|143)|signal/.test(detail ?? '') && /^(Liveness|Startup) probe/.test(probe ?? '');
  return isKilled ? [detail, probe].filter((text) => text !== undefined).join('\n') : detail;
}

/** The id of the action that helps. */
function helpOf(helps: string, workload: string | undefined): string {
  if (helps === 'kill') return 'pod.kill';
  return helps === 'delete' || workload === undefined ? 'object.delete' : `${workload}.${helps}`;
}

/** The cause of a pod's trouble where it lies outside of the pod. */
function sharedOf(object: Pod, { cause, container, detail = '' }: PodTrouble): SharedCause | undefined {
  if (cause === 'unschedulable') return sharedPlacement(detail);
  if (cause === 'config' || cause === 'claim') return sharedCause(detail);
  if (cause !== 'image') return undefined;
  const all = [...(object.spec?.containers ?? []), ...(object.spec?.initContainers ?? [])];
  const image = all.find(({ name }) => name === container)?.image;
  const [secret] = object.spec?.imagePullSecrets ?? [];
  return image === undefined ? undefined : sharedImageCause(detail, image, secret?.name);
}

function attention(object: Pod, around?: Around): Attention | undefined {
  const trouble = podTrouble(object);
  if (trouble === undefined) return undefined;
  const { rule, tone, title, helps } = rules[trouble.cause];
  const container = trouble.container === undefined ? noContainer : `container ${trouble.container}`;
  const owner = controllerOf(object)?.kind;
  const workload = workloads[owner ?? ''];
  const since = Date.parse(trouble.since ?? '');
  const limit = trouble.cause === 'oom' ? limitOf(object, trouble.container) : undefined;
  const claims = trouble.cause === 'claim' ? claimsOf(object) : [];
  const words =
    claims.length === 1
      ? `The pod waits for the volume of its claim ${claims.join()}.`
      : title(container, trouble.restarts);
  const detail = detailOf(trouble, around);
  const shared = sharedOf(object, trouble);
  return {
    rule,
    ...(shared === undefined ? {} : { sharedCause: shared }),
    // A restarted container may keep running.
    tone: trouble.notAfter === undefined ? tone : 'warn',
    title: limit === undefined ? words : words.replace(/\.$/, `, ${limit}.`),
    ...(helps === undefined ? {} : { action: helpOf(helps, workload) }),
    // A first revision cannot be rolled back.
    ...(trouble.cause === 'image' && workload !== undefined ? { otherwise: `${workload}.setImage` } : {}),
    ...(detail === undefined ? {} : { detail }),
    ...(Number.isNaN(since) ? {} : { since: Math.floor(since / 1000) }),
    ...(trouble.isSinceLatest === undefined ? {} : { isSinceLatest: true }),
    ...(trouble.notBefore === undefined ? {} : { notBefore: trouble.notBefore }),
    ...(trouble.notAfter === undefined ? {} : { notAfter: trouble.notAfter }),
    ...(trouble.isHard === undefined ? {} : { isHard: true }),
    ...(trouble.endedRun === undefined || trouble.container === undefined
      ? {}
      : { log: { container: trouble.container, previous: trouble.endedRun === 'previous' } }),
  };
}

/** Passed and all readiness gates, as kubectl counts them; null without gates. */
function readinessGates({ spec, status }: Pod): string | null {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return null;
  const isOpen = (type: string | undefined) =>
    status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;
  return `${gates.filter(({ conditionType }) => isOpen(conditionType)).length}/${gates.length}`;
}

/** The parts of a pod that end a container or all of them once they are changed. */
const endingParts = ({
  spec = {},
}: Pod & { readonly spec?: { readonly activeDeadlineSeconds?: number } }) => [
  spec.containers ?? [],
  spec.initContainers ?? [],
  spec.activeDeadlineSeconds ?? null,
];

export const pod = defineKind<Pod>({
  id: 'pod',
  kind: 'Pod',
  group: '',
  version: 'v1',
  plural: 'pods',
  scope: 'Namespaced',
  aliases: ['po', 'pods'],
  title: 'Pods',
  icon: 'pod',
  deletionReaches: 'maker',
  permissions: { view: 'pods.view', manage: 'pods.manage' },
  paths: {
    list: '/clusters/:clusterId/pods',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/pods/:podName'],
  },
  sidebar: { section: 'Resources', order: 30, keys: 'g p' },
  status,
  saysEnding: true,
  statuses: podStatuses,
  attention,
  around: ['warnings'],
  rules: Object.values(rules).map(({ rule }) => rule),
  columns: [
    'namespace',
    'name',
    readyColumn((object) => {
      const { ready, total } = podHealth(object);
      return { ready, desired: total };
    }),
    'status',
    {
      id: 'restarts',
      label: 'Restarts',
      format: 'restarts',
      dropAt: 2,
      value: (object) => {
        const { restarts, lastRestart } = podHealth(object);
        return [restarts, lastRestart === undefined ? null : Math.floor(Date.parse(lastRestart) / 1000)];
      },
    },
    {
      id: 'node',
      label: 'Node',
      format: 'text',
      links: { to: 'named', kind: 'node' },
      dropAt: 3,
      value: (object) => object.spec?.nodeName ?? null,
    },
    {
      id: 'ip',
      label: 'IP',
      format: 'mono',
      wide: true,
      dropAt: 4,
      value: (object) => object.status?.podIP ?? null,
    },
    ...usageColumns,
    { ...ownerColumn, wide: true, dropAt: 5 },
    { ...imagesColumn, value: (object) => imagesOf(object), wide: true, dropAt: 7 },
    {
      id: 'qos',
      label: 'QoS',
      format: 'text',
      wide: true,
      dropAt: 7,
      value: (object) => object.status?.qosClass ?? null,
    },
    {
      id: 'account',
      label: 'Account',
      format: 'text',
      links: { to: 'named', kind: 'serviceaccount' },
      wide: true,
      dropAt: 7,
      value: (object) => object.spec?.serviceAccountName ?? null,
    },
    {
      id: 'nominated-node',
      label: 'Nominated node',
      format: 'text',
      links: { to: 'named', kind: 'node' },
      wide: true,
      dropAt: 8,
      value: (object) => object.status?.nominatedNodeName ?? null,
    },
    {
      id: 'readiness-gates',
      label: 'Readiness gates',
      format: 'ratio',
      wide: true,
      dropAt: 8,
      value: readinessGates,
    },
    'labels',
    'age',
  ],
  facts: (object) => {
    const requests = podRequests(object);
    return {
      reason: podHealth(object).reason,
      node: object.spec?.nodeName ?? null,
      containers: (object.spec?.containers ?? []).flatMap(({ name }) => name ?? []),
      isTerminating: object.metadata?.deletionTimestamp !== undefined,
      isOver: object.status?.phase === 'Succeeded' || object.status?.phase === 'Failed',
      cpuRequest: requests.cpu,
      memoryRequest: requests.memory,
      cpuLimit: podLimit(object.spec ?? {}, 'cpu') ?? 0,
      memoryLimit: podLimit(object.spec ?? {}, 'memory') ?? 0,
    };
  },
  joins: ['metrics'],
  logs: 'own',
  tools: ['shell', 'attach', 'yaml', 'edit', 'compare'],
  graph: 'selected',
  usage: 'pod',
  refs: (object) => [
    ...(object.spec?.nodeName === undefined
      ? []
      : [{ relation: 'uses' as const, apiVersion: 'v1', kind: 'Node', name: object.spec.nodeName }]),
    ...podSpecUses(object.spec, object.metadata?.namespace),
  ],
  sections: [
    'containers',
    {
      title: 'Spec',
      fields: [
        {
          label: 'Node',
          format: 'text',
          value: (object) => object.spec?.nodeName ?? null,
          links: { to: 'named', kind: 'node' },
        },
        { label: 'Pod IP', format: 'mono', value: (object) => object.status?.podIP ?? null },
        { label: 'Host IP', format: 'mono', value: (object) => object.status?.hostIP ?? null },
        {
          label: 'Account',
          format: 'text',
          value: (object) => object.spec?.serviceAccountName ?? null,
          links: { to: 'named', kind: 'serviceaccount' },
        },
        { label: 'Quality of service', format: 'text', value: (object) => object.status?.qosClass ?? null },
        { label: 'Restart policy', format: 'text', value: (object) => object.spec?.restartPolicy ?? null },
        {
          label: 'Grace period',
          format: 'text',
          value: ({ spec }) =>
            spec?.terminationGracePeriodSeconds === undefined
              ? null
              : `${spec.terminationGracePeriodSeconds} s`,
        },
        {
          label: 'Node selector',
          format: 'labels',
          value: (object) =>
            Object.entries(object.spec?.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`),
        },
      ],
    },
    'conditions',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
  // Another image restarts a container, a deadline ends them all.
  endsBy: (before, after) => !isSame(endingParts(before), endingParts(after)),
  actions: [
    kindAction<Pod>({
      id: 'pod.evict',
      title: 'Evict…',
      description: 'Evicts the pod, as draining its node would: only if its disruption budgets allow it.',
      done: 'evicted',
      icon: 'evict',
      dangerous: true,
      endsPods: true,
      applies: ({ facts }) => facts['isOver'] !== true,
      enabled: ({ facts }) => (facts['isTerminating'] === true ? 'The pod is already terminating.' : true),
      procedure: 'evict',
      kubectl: (address) => {
        const { namespace = 'default', name } = address;
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
        // kubectl has no command for it; this is the request that a drain sends.
        const path = shellWord(objectPath({ ...address, namespace }, 'eviction'));
        return `kubectl create --raw ${path} -f - <<< ${shellWord(JSON.stringify(eviction))}`;
      },
    }),
    kindAction<Pod>({
      id: 'pod.kill',
      title: 'Force delete…',
      description:
        'Removes the pod at once, without waiting for its node to confirm that the containers ended. They may keep running there.',
      done: 'deleted',
      icon: 'delete',
      keywords: ['kill', 'remove'],
      harsherThan: 'object.delete',
      dangerous: true,
      endsPods: true,
      deletes: true,
      requests: (object, _args, { address }) => [deletion(object, address, { gracePeriodSeconds: 0 })],
      kubectl: (address) => `kubectl delete ${kubectlObject(address)} --grace-period=0 --force`,
    }),
  ],
});
