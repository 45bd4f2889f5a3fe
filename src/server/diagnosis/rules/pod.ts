import type { Pod } from '../../../kube/core.ts';
import { epochSeconds } from '../../../kube/age.ts';
import { podTrouble } from '../../../kube/pod-trouble.ts';
import { event, field, rule, trail } from '../rule.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { withoutStop } from '../../../kube/text.ts';
import { oneOf, warningsOf } from '../world.ts';
import { tellingWarning } from '../own-words.ts';
import { attachmentRule } from './attachment.ts';
import { mountFailure } from './mount-failure.ts';
import { mountTypeRule } from './mount-type.ts';
import { configRules, makerTrail } from './pod-config.ts';
import { endRules, readinessRules } from './container.ts';
import { dnsRules } from './dns.ts';
import { imageRules } from './image.ts';
import { initRules, initTrail } from './init-wait.ts';
import { crashRule, logRules, logTrail } from './log.ts';
import { isOfCluster, verdictOf } from './placement-verdict.ts';
import { placementRules } from './placement.ts';
import { readinessGateRule } from './readiness-gate.ts';
import { troubleOf } from './pod-parts.ts';
import { waitRules } from './pod-waits.ts';

/** Limits of a pod's own by which a kubelet evicts it, in its words. */
const ownLimits = [
  {
    pattern: /Usage of EmptyDir volume "([^"]+)" exceeds the limit "([^"]+)"/,
    say: (volume = '', limit = '') =>
      `The pod was evicted because its emptyDir volume ${volume} grew beyond its sizeLimit of ${limit}.`,
  },
  {
    pattern: /Container (\S+) exceeded its local ephemeral storage limit "([^"]+)"/,
    say: (container = '', limit = '') =>
      `The pod was evicted because container ${container} wrote more to disk than its ephemeral-storage limit of ${limit}.`,
  },
  {
    pattern: /ephemeral local storage usage exceeds the total limit of containers ([^\s.]+)()/,
    say: (limit = '') =>
      `The pod was evicted because its containers wrote more to disk than their ephemeral-storage limit of ${limit}.`,
  },
] as const;

/** Why a node evicts a pod, by the pod's message. */
function evictionText({ status, spec }: Pod): string {
  const { message = '' } = status ?? {};
  for (const { pattern, say } of ownLimits) {
    const [, first, second] = pattern.exec(message) ?? [];
    if (first !== undefined) return say(first, second);
  }
  const what =
    /low on resource: ([\w-]+)/.exec(message)?.[1] ?? /node had condition: \[?(\w+)/.exec(message)?.[1];
  const node = spec?.nodeName ?? '';
  // The kubelet names first the container that uses most beyond its request.
  const [, container, used, asked] =
    /Container (\S+) was using ([^,\s]+), request is ([^,\s]+?)[,.]/.exec(
      `${message} .`.replace(/\s+\.$/, '.'),
    ) ?? [];
  const own =
    container === undefined ? '' : `: container ${container} used ${used}, and its request is ${asked}`;
  if (what !== undefined) return `The pod was evicted because node ${node} ran short of ${what}${own}.`;
  return `The pod was evicted from node ${node}: ${withoutStop(message) || 'its message does not say why'}.`;
}

const evictionRule = rule<Pod>({
  id: 'pod.evicted',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod) {
    if (pod.status?.reason !== 'Evicted') return undefined;
    return {
      sentence: evictionText(pod),
      evidence: [field(pod, 'status.message'), field(pod, 'spec.nodeName')],
    };
  },
});

/** How a kubelet says that it does not take a pod. */
const rejection = /^(?:Pod was rejected: |Predicate |Pod (?:Predicate|Allocate|Node) |Node didn't have )/;

/** A failed pod none of whose containers ended by itself: its kubelet says why. */
const rejectionRule = rule<Pod>({
  id: 'pod.rejected',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod) {
    const { phase, reason, message, containerStatuses = [] } = pod.status ?? {};
    if (phase !== 'Failed' || reason === undefined || message === undefined || reason === 'Evicted')
      return undefined;
    if (containerStatuses.some(({ state }) => state?.terminated !== undefined)) return undefined;
    const node = pod.spec?.nodeName ?? '';
    const words = message
      .trim()
      .replace(/^Pod was rejected: /, '')
      .replace(/, which is unexpected\.?$/, '')
      .replace(/\.$/, '');
    return {
      sentence: rejection.test(message)
        ? `Node ${node} did not accept the pod (${reason}): ${words}.`
        : `The pod failed on node ${node} (${reason}): ${words}.`,
      evidence: [field(pod, 'status.reason'), field(pod, 'status.message'), field(pod, 'spec.nodeName')],
    };
  },
});

/** Message of a node's network that cannot connect a pod: the plugin, and its own words. */
function networkFailure(message: string): string | undefined {
  const inner = /failed to setup network for sandbox "[^"]*": (.+)$/s.exec(message)?.[1];
  const said = inner ?? (/network|cni/i.test(message) ? message.replace(/^.*?desc = /s, '') : undefined);
  if (said === undefined) return undefined;
  const plugin = /plugin type="([^"]+)"/.exec(said)?.[1];
  const words = said
    .replace(/^plugin type="[^"]*"(?: name="[^"]*")? failed \(\w+\): /, '')
    .replace(/^add cmd: /, '');
  return `the network plugin${plugin === undefined ? '' : ` ${plugin}`} says: ${withoutStop(words)}`;
}

/** Events that say why a pod with a node does not start. */
const startFailures =
  /^(FailedCreatePodSandBox|FailedMount|FailedAttachVolume|FailedMapVolume|NetworkNotReady|FailedCreatePodContainer|FailedPrepareDynamicResources|FailedMountOnFilesystemMismatch|FailedValidation|MissingClusterDNS|InspectFailed|Failed)$/;

/** A pod whose node cannot start it, by the newest warning about it. */
const startRule = rule<Pod>({
  id: 'pod.start-failed',
  kind: 'Pod',
  tone: 'bad',
  sort: 'symptom',
  find(pod, world) {
    if (troubleOf(pod, world)?.cause !== 'not-starting') return undefined;
    const known = warningsOf(world, pod).find(({ reason = '' }) => startFailures.test(reason));
    const said = known ?? tellingWarning(pod, world);
    if (said?.message === undefined) return undefined;
    const network = said.reason === 'FailedCreatePodSandBox' ? networkFailure(said.message) : undefined;
    const words =
      network ??
      said.message
        .replace(/^.*?desc = /s, '')
        .trim()
        .replace(/\.$/, '');
    const failed = mountFailure(said.message, pod, world);
    return {
      // A network or a driver besides the kubelet may be the one that says it.
      sentence:
        known === undefined
          ? `The pod does not start, and the newest warning is (${said.reason ?? ''}): ${words}.`
          : `Node ${pod.spec?.nodeName ?? ''} ${failed ?? `cannot start the pod: ${words}`}.`,
      evidence: [event(pod, said), field(pod, 'spec.nodeName')],
    };
  },
});

/** A pod of a job whose work is done, and of which another container goes on. */
const sidecarRule = rule<Pod>({
  id: 'pod.sidecar-runs',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    if ((pod.spec?.restartPolicy ?? 'Always') === 'Always' || pod.status?.phase !== 'Running')
      return undefined;
    const statuses = pod.status.containerStatuses ?? [];
    const done = statuses.findIndex(({ state }) => state?.terminated?.exitCode === 0);
    const going = statuses.findIndex(({ state }) => state?.running !== undefined);
    const ended = epochSeconds(statuses[done]?.state?.terminated?.finishedAt);
    if (going < 0 || ended === null || ended > world.now - 60) return undefined;
    return {
      sentence: `Container ${statuses[done]?.name ?? ''} is done, but container ${statuses[going]?.name ?? ''} beside it keeps running, so the pod and its job never complete.`,
      evidence: [
        field(pod, `status.containerStatuses[${done}].state.terminated.exitCode`),
        field(pod, `status.containerStatuses[${going}].state.running.startedAt`),
      ],
    };
  },
});

/** Claims that a pod waits for, and its node where that does not answer. */
const podTrail = trail<Pod>({
  kind: 'Pod',
  next(pod, world) {
    const cause = troubleOf(pod, world)?.cause;
    const { namespace } = pod.metadata ?? {};
    const found: (KubeObject | null | undefined)[] = [];
    const name = pod.spec?.nodeName;
    const isNodeAsked =
      cause === 'node-lost' ||
      cause === 'node-unready' ||
      cause === 'not-ending' ||
      cause === 'unready' ||
      // A node that does not answer starts nothing, however long it is given.
      podTrouble(pod)?.cause === 'not-starting';
    if (isNodeAsked && name !== undefined) found.push(oneOf(world, 'Node', name));
    if (cause === 'unschedulable') {
      // A node that the cluster itself keeps pods from says why.
      const nearest = verdictOf(pod, world)?.nearest ?? [];
      for (const { node, obstacle } of nearest.slice(0, 3))
        if (obstacle.type === 'taint' && obstacle.taints.some(({ key }) => isOfCluster(key)))
          found.push(node);
    }
    if (cause === 'claim' || cause === 'unschedulable' || cause === 'not-starting') {
      for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
        const claim = persistentVolumeClaim?.claimName;
        if (claim === undefined || namespace === undefined) continue;
        found.push(oneOf(world, 'PersistentVolumeClaim', claim, namespace));
      }
    }
    return found.filter((one) => one !== null && one !== undefined);
  },
});

/** Rules about pods. */
export const podRules = [
  ...imageRules,
  ...endRules,
  ...dnsRules,
  ...logRules,
  crashRule,
  ...readinessRules,
  readinessGateRule,
  mountTypeRule,
  ...configRules,
  ...placementRules,
  attachmentRule,
  ...initRules,
  evictionRule,
  rejectionRule,
  startRule,
  sidecarRule,
  ...waitRules,
];

/** From pods to what they depend on. */
export const podTrails = [podTrail, logTrail, initTrail, makerTrail];
